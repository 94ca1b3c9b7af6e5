// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM keeps a local array in registers if all its indices are constants. An
// item of a tuple is chosen by comparisons of a counter with constants.

#include "UnrolledLoops.h"
#include "AccessVectorizer.h"
#include "Meetings.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// Iterations of a loop over items at most.
static constexpr unsigned kMostIterationsOfItems = 16;

bool pyk::simd::isFoldable(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() != 0 &&
         llvm::all_of(op->getResultTypes(),
                      [](Type type) { return type.isIntOrIndex(); });
}

std::optional<APInt> pyk::simd::getConstant(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number)
                                                     : std::nullopt;
}

/// Whether `value` is the counter of a loop that runs a small number of times.
static bool isShortCounter(Value value) {
  auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
  if (!loop || value != loop.getInductionVar())
    return false;
  std::optional<APInt> trips = loop.getStaticTripCount();
  return trips && trips->ule(kMostIterationsOfItems);
}

/// Whether `value` follows from constants and from such counters.
static bool isConstantInIterations(Value value) {
  llvm::SetVector<Value> needed;
  needed.insert(value);
  for (size_t next = 0; next < needed.size(); ++next) {
    Value each = needed[next];
    if (getConstant(each))
      continue;
    if (Operation *op = each.getDefiningOp()) {
      // An op without operands reads something, such as the index of a thread.
      if (!isFoldable(op) || op->getNumOperands() == 0)
        return false;
      needed.insert_range(op->getOperands());
    } else if (!isShortCounter(each)) {
      return false;
    }
  }
  return true;
}

/// Whether `array` is local, and each use of it is an access at such an index.
static bool isOfConstantIndices(AllocOp array) {
  return array.getType().getSpace() == Space::Local &&
         llvm::all_of(array->getUsers(), [](Operation *user) {
           auto element = dyn_cast<ElementOp>(user);
           return element && isConstantInIterations(element.getOffset()) &&
                  llvm::all_of(element->getUsers(),
                               llvm::IsaPred<pyk::LoadOp, pyk::StoreOp>);
         });
}

bool pyk::simd::isOverItems(Operation *loop) {
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted || !isShortCounter(counted.getInductionVar()))
    return false;
  auto isChoice = [&](Operation *op) {
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return compare.getPredicate() == arith::CmpIPredicate::eq &&
             compare.getLhs() == counted.getInductionVar() &&
             getConstant(compare.getRhs());
    auto element = dyn_cast<ElementOp>(op);
    AllocOp array = element ? getLocalArray(element) : AllocOp();
    return array && isOfConstantIndices(array) &&
           !getConstant(element.getOffset());
  };
  bool chooses = false;
  WalkResult walked = loop->walk([&](Operation *op) {
    chooses |= isChoice(op);
    // Each iteration would have an array of its own.
    return isa<AllocOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return chooses && !walked.wasInterrupted();
}

bool pyk::simd::isUnrolled(Operation *loop) {
  return isa<scf::ForOp, scf::WhileOp>(loop) &&
         (hasMeeting(loop) || isOverItems(loop));
}

SmallVector<Operation *> pyk::simd::getUnrolledLoops(Operation *op) {
  SmallVector<Operation *> loops;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner == op || !isUnrolled(inner))
      return WalkResult::advance();
    loops.push_back(inner);
    return WalkResult::skip();
  });
  return loops;
}
