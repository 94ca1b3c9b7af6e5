// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile that is a block may be more than there are registers for. A loop in
// which threads neither meet nor write runs for some rows and strips after the
// other instead, each with what it carries in registers; the rest of the tile
// is in memory meanwhile.

#include "Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"

namespace pyk::simd {
#define GEN_PASS_DEF_SPLITLOOPSPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

namespace {

/// Writes one loop by parts.
class LoopSplitter {
public:
  LoopSplitter(scf::ForOp loop, const Split &split)
      : loop(loop), split(split), builder(loop), writer(builder, split) {}

  void run();

private:
  void storeTaken();
  void storeCarried(unsigned number);
  SmallVector<Value> runPart(const Part &part);

  scf::ForOp loop;
  const Split &split;
  OpBuilder builder;
  PartWriter writer;
  /// Of what the loop takes, and by number of what it carries.
  llvm::MapVector<Value, Scratch> taken;
  llvm::MapVector<unsigned, Scratch> carried;
};

} // namespace

/// Keeps in memory what the loop takes from before.
void LoopSplitter::storeTaken() {
  for (Value value : getTaken(loop)) {
    if (matchPattern(value, m_Constant()) ||
        split.narrow(value.getType()) == value.getType())
      continue;
    Scratch scratch(cast<VectorType>(value.getType()), split,
                    loop->getParentOfType<gpu::GPUFuncOp>());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(value);
    scratch.store(builder, value);
    taken.insert({value, scratch});
  }
}

/// Keeps in memory what the loop carries as `number`, and so do the loops
/// around it that only hand it on.
void LoopSplitter::storeCarried(unsigned number) {
  scf::ForOp outer = loop;
  unsigned outerNumber = number;
  while (auto argument =
             dyn_cast<BlockArgument>(outer.getInitArgs()[outerNumber])) {
    auto parent = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    OpResult result = outer->getOpResult(outerNumber);
    if (!parent || argument.getArgNumber() == 0 || !argument.hasOneUse() ||
        !result.hasOneUse() || outer->getParentOp() != parent)
      break;
    OpOperand &use = *result.getUses().begin();
    unsigned parentNumber = argument.getArgNumber() - 1;
    if (use.getOwner() != parent.getBody()->getTerminator() ||
        use.getOperandNumber() != parentNumber)
      break;
    outer = parent;
    outerNumber = parentNumber;
  }
  OpResult result = outer->getOpResult(outerNumber);
  Scratch scratch(cast<VectorType>(result.getType()), split,
                  loop->getParentOfType<gpu::GPUFuncOp>());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(outer);
  scratch.store(builder, outer.getInitArgs()[outerNumber]);
  builder.setInsertionPointAfter(outer);
  result.replaceAllUsesWith(scratch.load(builder, loop.getLoc()));
  carried.insert({number, scratch});
}

/// Runs the loop for one part. Returns the results that are not in memory: each
/// part finds the same, and begins anew.
SmallVector<Value> LoopSplitter::runPart(const Part &part) {
  writer.begin(part);
  Location loc = loop.getLoc();
  for (auto &[value, scratch] : taken)
    writer.map(value, scratch.load(builder, loc, part));
  for (auto &[number, scratch] : carried)
    writer.map(loop.getInitArgs()[number], scratch.load(builder, loc, part));
  writer.clone(loop);
  SmallVector<Value> others;
  for (auto [number, result] : llvm::enumerate(loop.getResults())) {
    Value own = writer.lookup(result);
    if (auto known = carried.find(number); known != carried.end())
      known->second.store(builder, part, own);
    else
      others.push_back(own);
  }
  return others;
}

void LoopSplitter::run() {
  storeTaken();
  SmallVector<Value> others;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    if (isCompact(init.getType()))
      storeCarried(number);
    else
      others.push_back(init);
  others =
      forEachPart(builder, loop.getLoc(), split, others,
                  [&](const Part &part, ValueRange) { return runPart(part); });
  // What is in memory is read where it is used.
  const auto *other = others.begin();
  for (auto [number, result] : llvm::enumerate(loop.getResults()))
    if (carried.contains(number))
      result.replaceAllUsesWith(loop.getInitArgs()[number]);
    else
      result.replaceAllUsesWith(*other++);
  loop.erase();
}

namespace {

struct SplitLoopsPass : simd::impl::SplitLoopsPassBase<SplitLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto tile = kTile.get(kernel);
      if (!tile || tile[0] * tile[1] == 1)
        continue;
      SmallVector<std::pair<scf::ForOp, Split>> loops;
      int64_t bytes = 0;
      kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        std::optional<Split> split =
            chooseSplit(loop, {tile[0], tile[1], tile[2]});
        int64_t own = split ? countScratchBytes(loop) : 0;
        if (!split || bytes + own > kMostScratchBytes)
          return WalkResult::advance();
        bytes += own;
        loops.emplace_back(loop, *split);
        return WalkResult::skip();
      });
      for (auto &[loop, split] : loops)
        LoopSplitter(loop, split).run();
    }
  }
};

} // namespace
