// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, and what they carry and leave behind.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_LOOPS_H
#define PYK_LIB_CONVERSION_PYTOPYK_LOOPS_H

#include "Statements.h"
#include <functional>

namespace pyk::py {

/// A variable that a loop leaves behind, and which ways out bring it.
struct LeftSlot : Slot {
  bool byBreak, atEnd;
};

/// A loop that is being built.
struct LoweredLoop {
  /// What the loop carries.
  llvm::SmallVector<Slot> carried;
  /// What it leaves behind; the same, unless a break adds to it.
  llvm::SmallVector<LeftSlot> left;
  /// True if results begin with whether the loop has come to its end, so that
  /// its `else` runs.
  bool isFlagged = false;
  /// True if the body runs once, so that a continue leaves the loop.
  bool runsOnce = false;
  /// Prepended to what a continue carries; null for none.
  std::function<mlir::Value()> leading;
  LoweredLoop *outer = nullptr;
};

/// Lowers loops to those of scf and pyk.
class LoopLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  /// Lowers a loop; true if control goes on behind it.
  bool lowerFor(ForOp op);
  bool lowerWhile(WhileOp op);

  /// The loop whose body is being lowered.
  const LoweredLoop &getInnermost() const { return *innermost; }
  /// Goes on with the innermost loop.
  void makeContinue(mlir::Location loc);
  /// What the loop `inner` leaves behind by a break, or at its end.
  llvm::SmallVector<mlir::Value> gatherLeft(const LoweredLoop &inner,
                                            bool byBreak, mlir::Location loc);
  /// The types of all that it leaves behind.
  llvm::SmallVector<mlir::Type> getLeftTypes(const LoweredLoop &inner);

private:
  struct Iteration;

  template <typename LoopOp>
  bool setSlots(LoopOp op, LoweredLoop &inner);
  void endUnless(mlir::Value goesOn, const LoweredLoop &inner,
                 mlir::Location loc);
  void lowerBody(mlir::Block &body, LoweredLoop &inner);
  llvm::SmallVector<mlir::Value> lowerNestedBody(mlir::Block &body,
                                                 LoweredLoop &inner, Tail tail);
  bool canNestBody(mlir::Block &body);
  llvm::SmallVector<mlir::Value> buildScfFor(Iteration &iteration,
                                             LoweredLoop &inner,
                                             mlir::ValueRange initial);
  llvm::SmallVector<mlir::Value> buildFor(Iteration &iteration,
                                          LoweredLoop &inner,
                                          mlir::ValueRange initial,
                                          mlir::Value flag);
  llvm::SmallVector<mlir::Value>
  buildLoop(Iteration &iteration, LoweredLoop &inner, mlir::ValueRange initial);
  template <typename LoopOp>
  bool hasElse(LoopOp op);
  bool lowerOnce(ForOp op);
  template <typename LoopOp>
  bool lowerOnlyElse(LoopOp op);
  template <typename LoopOp>
  bool lowerElse(LoopOp op, const LoweredLoop &inner, mlir::ValueRange results);

  LoweredLoop *innermost = nullptr;
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_LOOPS_H
