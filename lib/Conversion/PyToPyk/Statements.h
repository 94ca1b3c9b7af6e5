// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of statements, and how control leaves them.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_STATEMENTS_H
#define PYK_LIB_CONVERSION_PYTOPYK_STATEMENTS_H

#include "Variables.h"

namespace pyk::py {

/// How a list of statements ends where control leaves it: with the function,
/// with an iteration, or with a loop that runs once.
enum class Tail { Return, Continue, Leave };

/// Ways in which control may leave statements.
struct Exits {
  bool falls = true, breaks = false, continues = false, returns = false;
  /// True if control may leave otherwise than at the end.
  bool any() const { return breaks || continues || returns; }
  /// True if every exit is of kind `tail`.
  bool onlyAs(Tail tail) const {
    return !(tail == Tail::Return ? continues : returns) &&
           (tail == Tail::Leave || !breaks);
  }
};

/// Statements that are still to come, in this and the surrounding blocks.
struct Frame {
  mlir::Block::iterator current, end;
  const Frame *next = nullptr;
};

/// Lowers statements to scf and to the control flow of pyk.
class StatementLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  /// Lowers all statements of the function and returns from it.
  void lowerFunction(mlir::Block &body);

  /// How control may leave these.
  Exits getExits(mlir::Block &block);
  Exits getExits(mlir::Operation &op);
  /// True if control may leave `op` after its last element, to its `else`.
  bool endsLoop(ForOp op);
  /// True if all exits of the statements of `frame` are `tail`, and no
  /// statement would stand twice if what follows a condition went into its
  /// arms.
  bool canNest(Frame frame, Tail tail);

  /// Lowers a statement or an expression that has no exits.
  void lower(mlir::Operation &op);
  /// Lowers the statements of `block`; true if control comes to their end.
  bool lowerBlock(mlir::Block &block);
  /// Lowers statements that can nest. Yields what they return, or what the
  /// innermost loop carries on or leaves behind.
  llvm::SmallVector<mlir::Value> lowerTail(Frame frame, Tail tail);
  /// Builds a condition whose arms `ifTrue` and `ifFalse`, which may be null,
  /// fill. They tell whether control reaches their end, where `slots` are
  /// bound.
  void buildIf(mlir::Location loc, mlir::Value condition, bool hasExits,
               llvm::ArrayRef<Slot> slots, llvm::function_ref<bool()> ifTrue,
               llvm::function_ref<bool()> ifFalse);

private:
  template <typename LoopOp>
  void addExits(LoopOp op, bool isEntered, bool ends, Exits &result);
  bool lowerStatements(mlir::Block::iterator current,
                       mlir::Block::iterator end);
  bool lowerIf(IfOp op);
  bool lowerExit(mlir::Operation &op);
  /// The types of what `lowerTail` yields.
  llvm::SmallVector<mlir::Type> getTailTypes(Tail tail);
  /// What the innermost loop carries on, or leaves behind if it runs once.
  llvm::SmallVector<mlir::Value> gatherCarried(mlir::Location loc);
  /// What `op` returns, in the function's type.
  llvm::SmallVector<mlir::Value> getReturned(ReturnOp op);
  /// What a call yields that comes to the end of the function: None.
  llvm::SmallVector<mlir::Value> makeEndResult();
  void addDeadTerminator();

  llvm::DenseMap<mlir::Block *, Exits> exits;
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_STATEMENTS_H
