// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All families of ops, for what is about the dialect as a whole; PykDialect.td
// has the map.

#ifndef PYK_DIALECT_PYK_IR_PYKOPS_TD
#define PYK_DIALECT_PYK_IR_PYKOPS_TD

include "pyk/Dialect/Pyk/IR/PykFuncOps.td"
include "pyk/Dialect/Pyk/IR/PykControlOps.td"
include "pyk/Dialect/Pyk/IR/PykIndexOps.td"
include "pyk/Dialect/Pyk/IR/PykNumericOps.td"
include "pyk/Dialect/Pyk/IR/PykComplexOps.td"
include "pyk/Dialect/Pyk/IR/PykMemoryOps.td"
include "pyk/Dialect/Pyk/IR/PykAtomicOps.td"
include "pyk/Dialect/Pyk/IR/PykViewOps.td"
include "pyk/Dialect/Pyk/IR/PykRecordOps.td"
include "pyk/Dialect/Pyk/IR/PykSyncOps.td"
include "pyk/Dialect/Pyk/IR/PykHostOps.td"

#endif // PYK_DIALECT_PYK_IR_PYKOPS_TD
