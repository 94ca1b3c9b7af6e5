// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only includes the families of ops; see PykDialect.td for the map.

#ifndef PYK_DIALECT_PYK_IR_PYKOPS_TD
#define PYK_DIALECT_PYK_IR_PYKOPS_TD

include "pyk/Dialect/Pyk/IR/PykAttributes.td"
include "pyk/Dialect/Pyk/IR/PykTypes.td"
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
