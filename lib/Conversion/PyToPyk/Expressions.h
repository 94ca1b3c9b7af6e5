// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, parts of values, and the expressions that choose.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_EXPRESSIONS_H
#define PYK_LIB_CONVERSION_PYTOPYK_EXPRESSIONS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Lowers expressions, those of operators and calls apart.
class ExpressionLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  Binding evaluate(ConstantOp op);
  Binding evaluate(GetOp op);
  Binding evaluate(LogicalOp op);
  Binding evaluate(ConditionalOp op);
  Binding evaluate(AttributeOp op);
  Binding evaluate(SubscriptOp op);
  Binding evaluate(TupleOp op);
  void lower(UnpackOp op);
  /// The truth of `condition`, which has been evaluated.
  mlir::Value testCondition(mlir::Value condition);

private:
  mlir::Value lowerRegion(mlir::Region &region, Binding &result);
  Binding choose(mlir::Operation *op, mlir::DictionaryAttr slots,
                 mlir::Value condition,
                 llvm::function_ref<Binding(bool)> evaluateArm);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_EXPRESSIONS_H
