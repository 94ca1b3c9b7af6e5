// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One edit after another: an op goes, and what used its results gets an operand
// of it, a zero or poison instead; or what it holds takes its place. Upstream's
// mlir-reduce leaves the inside of functions alone unless a dialect has
// patterns for it, and then keeps pointers to ops that a pattern has erased.

#include "Reducer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

namespace {

/// What takes the place of a value that goes.
enum class Substitute { Operand, Zero };

} // namespace

/// A value for `old`, in front of `op`; null if there is none of this kind.
static Value getSubstitute(Value old, Operation *op, Substitute kind) {
  Type type = old.getType();
  if (kind == Substitute::Operand) {
    for (Value operand : op->getOperands())
      if (operand.getType() == type)
        return operand;
    return {};
  }
  OpBuilder builder(op);
  if (TypedAttr zero = builder.getZeroAttr(type);
      zero && isa<IntegerType, IndexType, FloatType>(type))
    return arith::ConstantOp::create(builder, op->getLoc(), zero);
  return ub::PoisonOp::create(builder, op->getLoc(), type);
}

/// True if `op` is itself what would take its place.
static bool isSubstitute(Operation *op) {
  return isa<arith::ConstantOp, ub::PoisonOp>(op);
}

static LogicalResult replaceUses(ValueRange values, Operation *op,
                                 Substitute kind) {
  for (Value value : values) {
    if (value.use_empty())
      continue;
    Value other = getSubstitute(value, op, kind);
    if (!other)
      return failure();
    value.replaceAllUsesWith(other);
  }
  return success();
}

/// Erases `op`, and what it holds.
static LogicalResult erase(Operation *op, Substitute kind) {
  bool isUsed = !op->use_empty();
  // Else the next edit would do the same again.
  if (isUsed ? isSubstitute(op) : kind == Substitute::Operand)
    return failure();
  if (failed(replaceUses(op->getResults(), op, kind)))
    return failure();
  op->erase();
  return success();
}

/// Puts what is in the first block of `op`, but its terminator, in its place.
static LogicalResult unwrap(Operation *op) {
  if (op->getNumRegions() == 0 || op->getRegion(0).empty() ||
      op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return failure();
  Block &body = op->getRegion(0).front();
  if (body.empty() || !body.back().hasTrait<OpTrait::IsTerminator>() ||
      body.back().getNumSuccessors() != 0)
    return failure();
  if (failed(replaceUses(body.getArguments(), op, Substitute::Zero)) ||
      failed(replaceUses(op->getResults(), op, Substitute::Zero)))
    return failure();
  body.back().erase();
  op->getBlock()->getOperations().splice(Block::iterator(op),
                                         body.getOperations());
  op->erase();
  return success();
}

static LogicalResult (*const edits[])(Operation *op) = {
    [](Operation *op) { return erase(op, Substitute::Operand); },
    [](Operation *op) { return erase(op, Substitute::Zero); },
    unwrap,
};

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

unsigned pyk::countOps(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](Operation *) { ++count; });
  return count;
}

/// The op of that number in the order of the text; null for one that must stay.
static Operation *findOp(ModuleOp module, unsigned number) {
  Operation *found = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (number-- != 0)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  if (!found || isa<ModuleOp>(found) ||
      found->hasTrait<OpTrait::IsTerminator>())
    return nullptr;
  return found;
}

/// `module` after an edit of the op of that number; null if it cannot be made,
/// or is no valid module any more.
static OwningOpRef<ModuleOp> tryEdit(ModuleOp module, unsigned number,
                                     LogicalResult (*edit)(Operation *op)) {
  OwningOpRef<ModuleOp> candidate = module.clone();
  Operation *op = findOp(*candidate, number);
  if (!op || failed(edit(op)))
    return {};
  ScopedDiagnosticHandler silence(candidate->getContext(),
                                  [](Diagnostic &) { return success(); });
  if (failed(verify(*candidate)))
    return {};
  return candidate;
}

OwningOpRef<ModuleOp>
pyk::reduce(OwningOpRef<ModuleOp> module,
            llvm::function_ref<bool(ModuleOp)> isInteresting) {
  module->getContext()->loadDialect<arith::ArithDialect, ub::UBDialect>();
  bool isSmaller = true;
  while (std::exchange(isSmaller, false))
    for (unsigned number = 1; number < countOps(*module);) {
      bool isEdited = llvm::any_of(edits, [&](auto edit) {
        OwningOpRef<ModuleOp> candidate = tryEdit(*module, number, edit);
        if (!candidate || !isInteresting(*candidate))
          return false;
        module = std::move(candidate);
        return true;
      });
      isSmaller |= isEdited;
      // Another op has that number now.
      number += !isEdited;
    }
  return module;
}
