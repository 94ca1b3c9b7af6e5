// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ops of the pyk dialect. It is for programs that embed PyK: who includes
// it here is compiled again for every change of any op.

#ifndef PYK_DIALECT_PYK_IR_PYKOPS_H
#define PYK_DIALECT_PYK_IR_PYKOPS_H

#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykComplexOps.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

#endif // PYK_DIALECT_PYK_IR_PYKOPS_H
