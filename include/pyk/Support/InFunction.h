// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trait of ops that stand in functions.

#ifndef PYK_SUPPORT_INFUNCTION_H
#define PYK_SUPPORT_INFUNCTION_H

#include "mlir/IR/OpDefinition.h"

namespace pyk {

/// Emits an error if no function is around `op`. A function is a symbol that
/// holds no table of symbols.
mlir::LogicalResult verifyInFunction(mlir::Operation *op);

/// An op that a function executes: the top of a module has none, so passes may
/// ask each for its function.
template <typename ConcreteType>
class InFunction : public mlir::OpTrait::TraitBase<ConcreteType, InFunction> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyInFunction(op);
  }
};

} // namespace pyk

#endif // PYK_SUPPORT_INFUNCTION_H
