// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops of several families have in common, for code that asks for no op.

#ifndef PYK_DIALECT_PYK_IR_PYKINTERFACES_H
#define PYK_DIALECT_PYK_IR_PYKINTERFACES_H

#include "mlir/IR/OpDefinition.h"
#include "pyk/Dialect/Pyk/IR/PykFlow.h"
#include "pyk/Dialect/Pyk/IR/PykLanes.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "pyk/Dialect/Pyk/IR/PykViews.h"

#include "pyk/Dialect/Pyk/IR/PykInterfaces.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKINTERFACES_H
