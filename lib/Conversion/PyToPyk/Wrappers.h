// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that stand for others: optionals, members, named tuples.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_WRAPPERS_H
#define PYK_LIB_CONVERSION_PYTOPYK_WRAPPERS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Whether `binding` is not None.
mlir::Value isPresent(mlir::OpBuilder &builder, const Binding &binding,
                      mlir::Location loc);

/// What stands below the outermost type of `binding`, which stands for it.
Binding getInner(const Binding &binding);

/// Lowers what makes values that stand for others, and what takes them for what
/// they stand for.
class WrapperLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  Binding evaluate(UnwrapOp op);
  /// `binding`, which may be None, as an optional.
  Binding convertToOptional(const Binding &binding, OptionalType to,
                            mlir::Location loc);
  /// What the call `op` of the class `own` makes of `arguments`.
  Binding makeNamedTuple(CallOp op, NamedTupleClassAttr own,
                         llvm::ArrayRef<Binding> arguments);

private:
  Binding unwrap(const Binding &binding, mlir::Type to, mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_WRAPPERS_H
