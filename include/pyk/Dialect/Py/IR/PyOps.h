// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the py dialect.

#ifndef PYK_DIALECT_PY_IR_PYOPS_H
#define PYK_DIALECT_PY_IR_PYOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "pyk/Dialect/Py/IR/PyAttributes.h"
#include "pyk/Dialect/Py/IR/PyDialect.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"

namespace pyk::py {

/// Emits an error if no `py.func` is around `op`.
mlir::LogicalResult verifyInFunction(mlir::Operation *op);

/// An op that stands in a `py.func`: passes may ask for that.
template <typename ConcreteType>
class InFunction
    : public mlir::OpTrait::TraitBase<ConcreteType, py::InFunction> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyInFunction(op);
  }
};

} // namespace pyk::py

#define GET_OP_CLASSES
#include "pyk/Dialect/Py/IR/PyOps.h.inc"

namespace pyk::py {

/// The function that `op` calls, once inferred; null if it calls none.
mlir::FlatSymbolRefAttr getTarget(mlir::Operation *op);

} // namespace pyk::py

#endif // PYK_DIALECT_PY_IR_PYOPS_H
