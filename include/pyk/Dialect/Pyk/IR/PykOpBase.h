// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the classes of ops need, whatever their family.

#ifndef PYK_DIALECT_PYK_IR_PYKOPBASE_H
#define PYK_DIALECT_PYK_IR_PYKOPBASE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Dialect/Pyk/IR/PykEffects.h"
#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"
#include "pyk/Support/InFunction.h"

#endif // PYK_DIALECT_PYK_IR_PYKOPBASE_H
