// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves stores out of conditions whose two arms store to the same element.
// Vectors then store once, under the mask of the threads that come to the
// condition, instead of twice, under two masks.

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"

namespace pyk::simd {
#define GEN_PASS_DEF_SINKSTORESPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;

/// The last op of `block` that has effects, if that is a store; null otherwise.
static pyk::StoreOp findLastStore(Block &block) {
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (auto store = dyn_cast<pyk::StoreOp>(op))
      return store;
    if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op))
      return nullptr;
  }
  return nullptr;
}

/// Whether `a` and `b`, one from each arm of `condition`, are one element. What
/// it is computed from is known before `condition`.
static bool areSame(Value a, Value b, scf::IfOp condition) {
  auto isBefore = [&](Value value) {
    return !condition->isAncestor(value.getParentRegion()->getParentOp());
  };
  if (a == b)
    return isBefore(a);
  auto one = a.getDefiningOp<ElementOp>(), other = b.getDefiningOp<ElementOp>();
  return one && other && one->getOperands() == other->getOperands() &&
         one->getAttrs() == other->getAttrs() &&
         one.getType() == other.getType() &&
         llvm::all_of(one->getOperands(), isBefore);
}

/// Moves the last stores of both arms of `condition` behind it, if they are to
/// the same element; returns the condition that yields what is stored, or null.
static scf::IfOp sinkStore(scf::IfOp condition) {
  if (!condition.elseBlock())
    return nullptr;
  pyk::StoreOp one = findLastStore(*condition.thenBlock());
  pyk::StoreOp other = findLastStore(*condition.elseBlock());
  if (!one || !other || one->getAttrs() != other->getAttrs() ||
      !one.getIndices().empty() ||
      one.getValue().getType() != other.getValue().getType() ||
      !areSame(one.getArray(), other.getArray(), condition))
    return nullptr;
  OpBuilder builder(condition);
  SmallVector<Type> types(condition.getResultTypes());
  types.push_back(one.getValue().getType());
  auto result = scf::IfOp::create(builder, condition.getLoc(), types,
                                  condition.getCondition(),
                                  /*addThenBlock=*/false,
                                  /*addElseBlock=*/false);
  result->setDiscardableAttrs(condition->getDiscardableAttrDictionary());
  for (auto [store, region] : {std::pair(one, &condition.getThenRegion()),
                               std::pair(other, &condition.getElseRegion())})
    region->front().getTerminator()->insertOperands(condition.getNumResults(),
                                                    store.getValue());
  // `pyk.element` stands in the arms.
  builder.setInsertionPointAfter(condition);
  Value array = one.getArray();
  if (condition->isAncestor(array.getParentRegion()->getParentOp()))
    array = builder.clone(*array.getDefiningOp())->getResult(0);
  Operation *sunk = builder.clone(*one);
  sunk->setOperand(0, result.getResults().back());
  sunk->setOperand(1, array);
  for (pyk::StoreOp store : {one, other}) {
    Operation *element = store.getArray().getDefiningOp();
    store.erase();
    if (element && isOpTriviallyDead(element))
      element->erase();
  }
  result.getThenRegion().takeBody(condition.getThenRegion());
  result.getElseRegion().takeBody(condition.getElseRegion());
  condition.replaceAllUsesWith(result.getResults().drop_back());
  condition.erase();
  return result;
}

namespace {
struct SinkStoresPass : simd::impl::SinkStoresPassBase<SinkStoresPass> {
  void runOnOperation() override {
    // Inner conditions first: a store that is moved behind one may then be the
    // last of an outer arm.
    SmallVector<scf::IfOp> conditions;
    getOperation()->walk(
        [&](scf::IfOp condition) { conditions.push_back(condition); });
    for (scf::IfOp condition : conditions)
      while (condition)
        condition = sinkStore(condition);
  }
};
} // namespace
