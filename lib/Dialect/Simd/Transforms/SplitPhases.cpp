// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between two places where threads meet, nobody sees in what order they run. So
// what a large block does there is written once, for some of its vectors, in a
// loop over all; what threads keep across such places is in memory. Written for
// all vectors it would be as much longer as these are many.

#include "Meetings.h"
#include "Phases.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"

namespace pyk::simd {
#define GEN_PASS_DEF_SPLITPHASESPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

namespace {

/// Writes the phases of one kernel.
class PhaseSplitter {
public:
  explicit PhaseSplitter(const PhasePlan &plan)
      : plan(plan), split(plan.getSplit()),
        builder(plan.getBody().getParentOp()->getContext()),
        writer(builder, split) {}

  void run();

private:
  Value getWhole(Value value, IRMapping &known);
  void prepare(Operation *op, const Part &part);
  void write(const Phase &phase);

  const PhasePlan &plan;
  const Split &split;
  OpBuilder builder;
  PartWriter writer;
  /// Of what lives across phases.
  llvm::MapVector<Value, Scratch> kept;
};

} // namespace

/// Masks are no numbers in memory.
static Value toMemory(OpBuilder &builder, Value value) {
  VectorType type = getTypeInMemory(value);
  return type == value.getType()
             ? value
             : arith::ExtUIOp::create(builder, value.getLoc(), type, value);
}

static Value fromMemory(OpBuilder &builder, Value loaded, Type element) {
  if (getElementTypeOrSelf(loaded) == element)
    return loaded;
  auto type = cast<VectorType>(loaded.getType());
  return arith::TruncIOp::create(builder, loaded.getLoc(),
                                 VectorType::get(type.getShape(), element),
                                 loaded);
}

/// Makes what `op` takes from before its phase.
void PhaseSplitter::prepare(Operation *op, const Part &part) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (writer.has(operand) ||
          op->isAncestor(operand.getParentRegion()->getParentOp()))
        continue;
      Operation *from = operand.getDefiningOp();
      if (auto found = kept.find(operand); found != kept.end()) {
        Value loaded = found->second.load(builder, operand.getLoc(), part);
        writer.map(operand,
                   fromMemory(builder, loaded, getElementTypeOrSelf(operand)));
      } else if (from && !matchPattern(from, m_Constant()) &&
                 (isCompact(operand.getType()) || plan.isInPhase(from))) {
        prepare(from, part);
        writer.clone(from);
      }
    }
  });
}

/// What all of the tile has of `value`, behind the phase.
Value PhaseSplitter::getWhole(Value value, IRMapping &known) {
  if (Value found = known.lookupOrNull(value))
    return found;
  Value whole = value;
  if (auto found = kept.find(value); found != kept.end()) {
    whole = fromMemory(builder, found->second.load(builder, value.getLoc()),
                       getElementTypeOrSelf(value));
  } else if (!plan.isComputedAnew(value)) {
    Operation *from = value.getDefiningOp();
    for (Value operand : from->getOperands())
      known.map(operand, getWhole(operand, known));
    whole = builder.clone(*from, known)->getResult(0);
  }
  known.map(value, whole);
  return whole;
}

void PhaseSplitter::write(const Phase &phase) {
  Operation *last = phase.back();
  Location loc = phase.front()->getLoc();
  builder.setInsertionPointAfter(last);
  auto runPart = [&](const Part &part, ValueRange) {
    writer.begin(part);
    for (Operation *op : phase) {
      prepare(op, part);
      writer.clone(op);
      for (Value result : op->getResults())
        if (auto found = kept.find(result); found != kept.end())
          found->second.store(builder, part,
                              toMemory(builder, writer.lookup(result)));
    }
    return SmallVector<Value>();
  };
  forEachPart(builder, loc, split, {}, runPart);
  IRMapping known;
  for (Operation *op : phase)
    for (Value result : op->getResults())
      for (OpOperand *use : plan.getUsesOutside(result))
        use->set(getWhole(result, known));
}

void PhaseSplitter::run() {
  for (Value value : plan.getKept()) {
    Scratch scratch(getTypeInMemory(value), split,
                    cast<gpu::GPUFuncOp>(plan.getBody().getParentOp()));
    kept.insert({value, scratch});
    Operation *from = value.getDefiningOp();
    if (from && plan.isInPhase(from))
      continue;
    builder.setInsertionPointAfterValue(value);
    scratch.store(builder, toMemory(builder, value));
  }
  for (const Phase &phase : plan.getPhases())
    write(phase);
  for (const Phase &phase : llvm::reverse(plan.getPhases()))
    for (Operation *op : llvm::reverse(phase))
      if (op->use_empty())
        op->erase();
}

namespace {

struct SplitPhasesPass : simd::impl::SplitPhasesPassBase<SplitPhasesPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto sizes = kTile.get(kernel);
      if (!sizes || sizes[0] * sizes[1] <= kVectorsOfPhase ||
          !hasMeeting(kernel))
        continue;
      const Split split = choosePart({sizes[0], sizes[1], sizes[2]},
                                     getRowsOfParts(kernel.getBody().front()));
      PhasePlan plan(kernel.getBody().front(), split);
      PhaseSplitter(plan).run();
    }
  }
};

} // namespace
