// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM unrolls loops by what it thinks their code costs, and ptxas unrolls what
// LLVM has made once more: of a loop with two loads it makes 450 instructions.
// So here LLVM is told how often it unrolls small loops that read memory. What
// it has unrolled because it was told to, it marks, and that becomes
// `.pragma "nounroll"`. All other loops stay what the two make of them.

#include "PlanUnrolling.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

/// Iterations that become one at most, and at least: of fewer, too few loads
/// wait for memory at once.
static constexpr unsigned kMost = 8;
static constexpr unsigned kLeast = 4;

/// What an unrolled body may cost. More of it needs more registers than a
/// thread has if as many as possible are to run.
static constexpr unsigned kMaxCost = 100;

/// Of that, what is there once and not for each iteration: the end of the loop.
static constexpr unsigned kEndCost = 2;

/// Whether the number of iterations follows from what is known before the loop,
/// and costs no division.
static bool isCountKnown(Loop &loop, ScalarEvolution &evolution,
                         const TargetTransformInfo &target) {
  const SCEV *count = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(count) || isa<SCEVConstant>(count))
    return false;
  SCEVExpander expander(evolution, "plan");
  return !expander.isHighCostExpansion(
      count, &loop, SCEVCheapExpansionBudget, &target,
      loop.getLoopPredecessor()->getTerminator());
}

/// What an iteration costs, by LLVM's measure; nothing if it cannot be copied.
static std::optional<unsigned> getCost(const Loop &loop,
                                       const TargetTransformInfo &target) {
  CodeMetrics metrics;
  SmallPtrSet<const Value *, 1> ephemeral;
  for (BasicBlock *block : loop.blocks())
    metrics.analyzeBasicBlock(block, target, ephemeral,
                              /*PrepareForLTO=*/false, &loop);
  if (metrics.notDuplicatable || !metrics.NumInsts.isValid() ||
      metrics.Convergence != ConvergenceKind::None)
    return std::nullopt;
  return metrics.NumInsts.getValue();
}

/// Whether iterations read memory, so that several can wait for it at once.
static bool reads(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block,
                  [](const Instruction &each) { return isa<LoadInst>(each); });
  });
}

/// How many iterations become one.
static unsigned getIterations(const Loop &loop,
                              const TargetTransformInfo &target) {
  auto cost = getCost(loop, target);
  if (!cost || !reads(loop))
    return 1;
  unsigned iterations = kMost;
  while (iterations * (*cost - kEndCost) + kEndCost > kMaxCost)
    iterations /= 2;
  return iterations < kLeast ? 1 : iterations;
}

static void plan(Loop &loop, ScalarEvolution &evolution,
                 const TargetTransformInfo &target) {
  // What has a plan has it from the program's own loops, or is what is left of
  // a loop that was unrolled.
  if (!loop.isInnermost() || !loop.getLoopPredecessor() ||
      !loop.getLoopLatch() || loop.getExitingBlock() != loop.getLoopLatch() ||
      hasUnrollTransformation(&loop) != TM_Unspecified ||
      !isCountKnown(loop, evolution, target))
    return;
  if (unsigned iterations = getIterations(loop, target); iterations > 1)
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", iterations);
}

PreservedAnalyses
pyk::PlanUnrollingPass::run(Function &function,
                            FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &target = analyses.getResult<TargetIRAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder())
    plan(*loop, evolution, target);
  return PreservedAnalyses::all();
}
