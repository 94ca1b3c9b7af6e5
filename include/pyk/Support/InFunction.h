// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where functions stand, and the trait of ops that stand in them.

#ifndef PYK_SUPPORT_INFUNCTION_H
#define PYK_SUPPORT_INFUNCTION_H

#include "mlir/IR/OpDefinition.h"

namespace pyk {

/// Emits an error if no function is around `op`.
mlir::LogicalResult verifyInFunction(mlir::Operation *op);

/// Emits an error if `function` stands in anything but builtin modules, or
/// holds a module itself, whose functions passes would take for its own.
mlir::LogicalResult verifyInModules(mlir::Operation *function);

/// An op that stands in a function: passes may ask for that.
template <typename ConcreteType>
class InFunction : public mlir::OpTrait::TraitBase<ConcreteType, InFunction> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyInFunction(op);
  }
};

} // namespace pyk

#endif // PYK_SUPPORT_INFUNCTION_H
