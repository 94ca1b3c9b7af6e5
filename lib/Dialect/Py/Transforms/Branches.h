// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches of a function are decided before its types are known.
//
// Numba prunes twice. *Early*, before a variable is split into definitions, a
// name is known if it has one assignment in the whole function; *late*, a name
// is known if one definition reaches the read. What is known are constants of
// the text, globals, the rank of an array argument, the length of a tuple
// argument, whether an argument is None, and one operator or comparison of
// such. Code that is pruned is never typed, so programs depend on these rules.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_BRANCHES_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_BRANCHES_H

#include "Definitions.h"
#include "pyk/Dialect/Py/IR/Promotion.h"

namespace pyk::py {

/// Which results a condition may have.
struct Paths {
  bool ifTrue = true, ifFalse = true;

  /// The only result, if there is one.
  std::optional<bool> getOnly() const {
    return ifTrue == ifFalse ? std::nullopt : std::optional(ifTrue);
  }
};

/// The operands of `and` and `or` that may be a true result, or a false one.
struct Outcomes {
  llvm::SmallVector<mlir::Value, 2> ifTrue, ifFalse;

  /// All of them, each once.
  llvm::SmallVector<mlir::Value, 2> getAll() const;
};

/// The branches of one function for one tuple of arguments. A branch is known
/// by its *tester*: the op that asks for the truth of one of its operands.
class Branches {
public:
  Branches(FuncOp function, mlir::ArrayRef<Fact> arguments, Typing typing)
      : function(function), arguments(arguments), typing(typing) {}

  // What a walk over the function tells, in source order.
  /// A new walk begins.
  void startWalk() { reached.clear(); }
  /// `name` is assigned by `op`, in the first walk. On the backbone (outside
  /// any branch or loop) that begins a new version of the name.
  void assign(mlir::Operation *op, mlir::StringAttr name, bool isBackbone);
  /// A variable is read; `definition` is null if nothing reaches the read.
  void read(GetOp op, Copy copy, Definition *definition, bool isFirstWalk);
  /// Control reaches the test of `condition` by `tester`.
  void reach(mlir::Value condition, mlir::Operation *tester, Copy copy);
  /// Control reaches the end of a loop's body, or does not.
  void setIterations(WhileOp loop, bool iterations);

  /// Decides the reached branches as Numba does before variables are split.
  void pruneEarly();
  /// Decides the reached branches by the definitions that reach the reads.
  void pruneLate();

  // What was decided.
  /// The results that `condition` may have where only its truth is asked.
  Paths getPaths(mlir::Value condition, mlir::Operation *tester,
                 Copy copy) const;
  /// What `value` may be where it is computed as a value.
  Outcomes getOutcomes(mlir::Value value, mlir::Operation *tester,
                       Copy copy) const;
  /// Whether the right operand of `op` may run, and whether it surely does.
  std::pair<bool, bool> getRightOperand(LogicalOp op, Copy copy) const;
  /// The value of an operator that decided a branch, else null.
  mlir::Attribute getDecided(mlir::Operation *op, Copy copy) const;
  /// True if `value` is a parameter as it came in, or a name for it.
  bool isArgument(mlir::Value value) const;
  /// The constant that `value` is by its name; null if it is none.
  mlir::Attribute getConstant(mlir::Value value) const;
  /// The same where one assignment of several reaches the read.
  mlir::Attribute getReachingConstant(mlir::Value value) const;
  /// True if `value` is only asked whether it is true.
  static bool isOnlyTested(mlir::Value value);

private:
  /// What a value stands for.
  struct Symbol {
    enum { Unknown, Constant, Argument, Operation } kind = Unknown;
    mlir::Attribute constant;
    Fact argument;
    mlir::Operation *op = nullptr;
    Copy copy = Copy::Only;
    /// True for the item that a copy of a loop's body is for.
    bool isItem = false;
  };
  enum class Stage { Early, Late };
  using Key = std::pair<mlir::Operation *, unsigned>;

  static Symbol makeSymbol(mlir::Attribute constant);
  static Key key(mlir::Operation *op, Copy copy) {
    return {op, static_cast<unsigned>(copy)};
  }
  /// The loop whose condition `op` is in, or is asked by; null if there is
  /// none.
  static WhileOp getTestedLoop(mlir::Operation *op);
  /// Looks `map` up; within the condition of a loop, `Copy::Only` has what
  /// both copies agree on.
  template <typename Value>
  Value lookup(const llvm::DenseMap<Key, Value> &map, mlir::Operation *op,
               Copy copy) const;
  Symbol resolve(mlir::Value value, Copy copy, Stage stage,
                 unsigned depth = 0) const;
  Symbol resolveRead(GetOp op, Copy copy, Stage stage, unsigned depth) const;
  Symbol resolveAssigned(mlir::Operation *op, mlir::StringAttr name, Copy copy,
                         Stage stage, unsigned depth) const;
  Symbol resolveAttribute(AttributeOp op, Copy copy, unsigned depth) const;
  Symbol resolveCall(CallOp op, Copy copy, unsigned depth) const;
  mlir::Value getChosen(mlir::Value value, Copy copy) const;
  Symbol resolveItem(mlir::BlockArgument variable, Copy copy, Stage stage,
                     unsigned depth) const;
  /// What is known of `value`, if it is an argument, or the item that a copy of
  /// a loop's body is for; else of no type.
  Fact findArgument(mlir::Value value, Copy copy, unsigned depth) const;
  std::optional<bool> decide(const Symbol &condition, Stage stage,
                             mlir::Attribute &value) const;
  void prune(Stage stage);

  FuncOp function;
  mlir::ArrayRef<Fact> arguments;
  Typing typing;
  /// The tests that control reaches, in source order.
  llvm::MapVector<Key, mlir::Value> reached;
  /// The only way that a decided branch goes.
  llvm::DenseMap<Key, std::optional<bool>> taken;
  /// Values of operators that decided a branch.
  llvm::DenseMap<Key, mlir::Attribute> decided;
  /// Definitions that reads see.
  llvm::DenseMap<Key, Definition *> reads;
  /// Loops whose bodies reach their end.
  llvm::DenseSet<mlir::Operation *> turning;
  /// Version of each name now, in the first walk.
  llvm::DenseMap<mlir::StringAttr, unsigned> version;
  /// Version that each read sees.
  llvm::DenseMap<mlir::Operation *, unsigned> readVersion;
  /// Assignments to each version of a name.
  llvm::DenseMap<std::pair<mlir::StringAttr, unsigned>,
                 llvm::SmallVector<mlir::Operation *, 1>>
      assignments;
};

template <typename Value>
Value Branches::lookup(const llvm::DenseMap<Key, Value> &map,
                       mlir::Operation *op, Copy copy) const {
  WhileOp loop = copy == Copy::Only ? getTestedLoop(op) : WhileOp();
  if (!loop)
    return map.lookup(key(op, copy));
  Value first = map.lookup(key(op, Copy::First));
  if (!turning.contains(loop) || first == map.lookup(key(op, Copy::Again)))
    return first;
  return Value();
}

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_BRANCHES_H
