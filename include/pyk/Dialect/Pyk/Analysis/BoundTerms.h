// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches can prove of a kernel: ranges of its integers, as terms over
// arguments and the shapes of the grid and its blocks.

#ifndef PYK_DIALECT_PYK_ANALYSIS_BOUNDTERMS_H
#define PYK_DIALECT_PYK_ANALYSIS_BOUNDTERMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/Analysis/BoundContexts.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "llvm/ADT/MapVector.h"

namespace pyk {

/// The terms of one kernel.
class BoundTerms {
public:
  explicit BoundTerms(mlir::gpu::GPUFuncOp kernel) : kernel(kernel) {}

  /// Adds the claim that `offset` at `op` is one of an element in the memory of
  /// the array argument `argument`, counted in steps of `step` bytes. False if
  /// launches could never tell.
  bool claimInside(mlir::Value offset, mlir::Operation *op, unsigned argument,
                   int64_t step);

  /// The same, that it is at least 0 and below `count`.
  bool claimWithin(mlir::Value offset, mlir::Operation *op, int64_t count);

  /// The terms that claims need.
  mlir::ArrayAttr getTerms();

private:
  using Term = unsigned;
  struct Parts {
    BoundTermKind kind;
    Term first = 0, second = 0, third = 0;
    int64_t value = 0;
    /// Those of its numbers that name terms.
    llvm::SmallVector<Term *> getOperands();
    auto asTuple() const {
      return std::tuple(kind, first, second, third, value);
    }
    bool operator<(const Parts &other) const {
      return asTuple() < other.asTuple();
    }
  };
  /// Whether launches bound a term from below and from above.
  struct Ends {
    bool low, high;
  };

  Term add(const Parts &parts);
  Ends getEnds(const Parts &parts) const;
  Term makeConstant(int64_t number);
  Term makeAny(mlir::Value value);

  std::optional<Term> evaluateAt(mlir::Value offset, mlir::Operation *op);
  Term evaluateReach(mlir::Operation *op);
  Term evaluate(mlir::Value value, const BoundContext *context);
  Term evaluateBase(mlir::Value value, const BoundContext *context);
  Term evaluateOp(mlir::Operation *op, const BoundContext *context);
  Term subtract(Term lhs, Term rhs, mlir::arith::SubIOp op,
                const BoundContext *context);
  Term evaluateSelect(mlir::arith::SelectOp op, const BoundContext *context);
  Term evaluateResult(mlir::OpResult result);
  Term evaluateArgument(mlir::BlockArgument argument);
  Term evaluateCarried(mlir::Value carried,
                       llvm::ArrayRef<mlir::Value> origins);
  Term makeStable(Term guess, mlir::Value carried,
                  llvm::ArrayRef<mlir::Value> next);
  Term evaluateParameter(mlir::BlockArgument argument);
  Term evaluateExtent(DimOp op);
  Term refine(Term term, mlir::Value value, const BoundContext *context);
  Term restrict(Term term, const BoundContext *context,
                const BoundContext *outer);

  mlir::gpu::GPUFuncOp kernel;
  BoundContexts contexts;
  llvm::SmallVector<Parts> terms;
  llvm::SmallVector<Ends> ends;
  std::map<Parts, Term> numbers;
  llvm::DenseMap<std::pair<mlir::Value, const BoundContext *>, Term> known;
  /// What is taken for granted of values that loops carry, while it is being
  /// found out.
  llvm::DenseMap<mlir::Value, Term> assumed;
  /// Facts under way: their bounds may depend on what they bound.
  llvm::DenseSet<const BoundFact *> applied;
  /// Values that are still looked at.
  unsigned budget = 1 << 14;
};

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_BOUNDTERMS_H
