// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements and loops, in source order.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_STATEMENTWALKER_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_STATEMENTWALKER_H

#include "FunctionInference.h"

namespace pyk::py {

/// Walks over statements. Each takes the environment before it and leaves one
/// for each way that control goes on.
class StatementWalker : public InferencePart {
public:
  explicit StatementWalker(FunctionInference &inference)
      : InferencePart(inference) {}

  void interpret(mlir::Block &block, Flow &flow);
  /// The operations of a condition, or of an expression that may not run.
  void interpretRegion(mlir::Region &region, Environment &environment);

private:
  void interpret(mlir::Operation &op, Flow &flow);
  void interpret(IfOp op, Flow &flow);
  void interpret(WhileOp op, Flow &flow);
  void interpret(ForOp op, Flow &flow);
  void interpretSimple(mlir::Operation &op, Environment &environment);
  void test(WhileOp op, Environment &environment, Copy copy);
  template <typename Loop>
  void passLoop(Loop op, Flow &flow);
  template <typename Loop>
  void leaveLoop(Loop op, std::optional<Environment> ended,
                 llvm::ArrayRef<Environment> breaks, Flow &flow);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_STATEMENTWALKER_H
