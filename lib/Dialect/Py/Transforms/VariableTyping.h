// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables: the definitions that reach each point, and what they hold.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_VARIABLETYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_VARIABLETYPING_H

#include "FunctionInference.h"
#include "llvm/ADT/SetVector.h"
#include <deque>

namespace pyk::py {

/// The variables that code in `regions` assigns, in source order.
llvm::SmallVector<mlir::StringAttr>
getAssigned(mlir::MutableArrayRef<mlir::Region> regions);

/// The types that variables have in `environment`, of those that code in
/// `regions` assigns.
mlir::DictionaryAttr getSlots(mlir::MutableArrayRef<mlir::Region> regions,
                              const Environment &environment,
                              mlir::MLIRContext *context);

/// What the variables of a function hold.
class VariableTyping : public InferencePart {
public:
  explicit VariableTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  /// A new walk begins.
  void startWalk() { reads.clear(); }
  /// Whatever the last walk has read is wanted.
  void wantReads();

  /// `op` assigns a value, of which `fact` is known, to `name`.
  void define(mlir::Operation *op, mlir::StringAttr name, const Fact &fact,
              Environment &environment);
  /// The definition of `name` by `op`.
  Definition *find(mlir::Operation *op, mlir::StringAttr name,
                   DefinitionKind kind);
  /// What `definition` holds, for a read at `loc`.
  mlir::FailureOr<Fact> read(Definition *definition, mlir::Location loc);
  mlir::FailureOr<Fact> evaluate(GetOp op, Environment &environment);
  /// Says why `value`, for which an integer is expected, is a float: where
  /// integers of types without a common one meet, or what divides.
  void noteFloat(mlir::InFlightDiagnostic &error, mlir::Value value);
  /// The variables that walks have met.
  llvm::SmallVector<llvm::StringRef> getNames() const;

  /// What is known where `environments` meet; nothing if there are none.
  std::optional<Environment>
  meet(mlir::Operation *op, DefinitionKind kind,
       mlir::ArrayRef<const Environment *> environments);
  /// What is known at the head of the loop `op`, which `entry` enters.
  Environment enterLoop(mlir::Operation *op, const Environment &entry);
  /// Joins what comes `around` the loop `op` at its head.
  void closeLoop(mlir::Operation *op, const Environment &entry,
                 mlir::ArrayRef<const Environment *> around);

private:
  void noteFloat(mlir::InFlightDiagnostic &error, mlir::Value value,
                 unsigned depth);
  void form(Definition *join);
  void want(Definition *definition);

  std::deque<Definition> definitions;
  llvm::DenseMap<std::pair<std::pair<mlir::Operation *, mlir::StringAttr>,
                           std::pair<unsigned, unsigned>>,
                 Definition *>
      definitionOf;
  /// Names that a loop assigns.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::StringAttr>>
      loopNames;
  /// Where a variable is assigned first, for messages.
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> firstAssignment;
  /// What each read has seen last.
  llvm::DenseMap<mlir::Operation *, Definition *> seenBy;
  /// Definitions that this walk reads.
  llvm::SmallSetVector<Definition *, 8> reads;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_VARIABLETYPING_H
