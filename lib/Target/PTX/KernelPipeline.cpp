// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's default pipeline is for programs of C++ on CPUs. What of it is about
// exceptions, coroutines, virtual calls, profiles, functions of the C library,
// strings or vectors is not here; nor are repetitions that a kernel, which has
// come through the passes of MLIR, does not need. What is left stands in LLVM's
// order.

#include "KernelPipeline.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/ConstantMerge.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/GlobalOpt.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/IPO/SCCP.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/BDCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/DivRemPairs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/SpeculativeExecution.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"

using namespace llvm;

static SimplifyCFGPass simplifyBranches() {
  return SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true));
}

static LICMPass hoist(bool allowSpeculation = true) {
  LICMOptions options;
  options.AllowSpeculation = allowSpeculation;
  return LICMPass(options);
}

/// Adds what makes loops simple and unrolls the short ones.
static void addLoopPasses(FunctionPassManager &passes,
                          OptimizationLevel level) {
  LoopPassManager shape;
  // Without speculation first: a rotated loop needs none.
  shape.addPass(hoist(/*allowSpeculation=*/false));
  shape.addPass(LoopRotatePass());
  shape.addPass(hoist());
  shape.addPass(
      SimpleLoopUnswitchPass(/*NonTrivial=*/level == OptimizationLevel::O3));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(shape),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(simplifyBranches());
  passes.addPass(InstCombinePass());

  LoopPassManager unroll;
  unroll.addPass(LoopIdiomRecognizePass());
  unroll.addPass(IndVarSimplifyPass());
  unroll.addPass(LoopDeletionPass());
  unroll.addPass(LoopFullUnrollPass(level.getSpeedupLevel()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(unroll)));
}

/// What a function goes through when its callees have been inlined.
static FunctionPassManager buildSimplification(OptimizationLevel level) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SpeculativeExecutionPass(/*OnlyIfDivergentTarget=*/true));
  passes.addPass(JumpThreadingPass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(simplifyBranches());
  passes.addPass(InstCombinePass());
  passes.addPass(AggressiveInstCombinePass());
  passes.addPass(TailCallElimPass());
  passes.addPass(ReassociatePass());
  addLoopPasses(passes, level);
  // Local arrays with constant indices have become so in unrolled loops.
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(GVNPass());
  passes.addPass(SCCPPass());
  passes.addPass(BDCEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(JumpThreadingPass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(ADCEPass());
  passes.addPass(DSEPass());
  passes.addPass(createFunctionToLoopPassAdaptor(hoist(),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                     .convertSwitchRangeToICmp(true)
                                     .convertSwitchToArithmetic(true)
                                     .hoistCommonInsts(true)
                                     .sinkCommonInsts(true)));
  passes.addPass(InstCombinePass());
  return passes;
}

/// What makes code larger, and cleans up behind it.
static FunctionPassManager buildUnrolling(PassBuilder &builder,
                                          OptimizationLevel level) {
  FunctionPassManager passes;
  // Around loops that were inlined or made simple since.
  LoopPassManager shape;
  shape.addPass(LoopRotatePass());
  shape.addPass(LoopDeletionPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(shape)));
  builder.invokeVectorizerStartEPCallbacks(passes, level);
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                     .forwardSwitchCondToPhi(true)
                                     .convertSwitchRangeToICmp(true)
                                     .convertSwitchToArithmetic(true)
                                     .needCanonicalLoops(false)
                                     .hoistCommonInsts(true)
                                     .sinkCommonInsts(true)));
  passes.addPass(LoopUnrollPass(LoopUnrollOptions(level.getSpeedupLevel())));
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(InferAlignmentPass());
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(hoist(),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(DivRemPairsPass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                     .convertSwitchRangeToICmp(true)
                                     .convertSwitchToArithmetic(true)
                                     .speculateUnpredictables(true)
                                     .hoistLoadsStoresWithCondFaulting(true)));
  return passes;
}

ModulePassManager pyk::buildKernelPipeline(PassBuilder &builder,
                                           OptimizationLevel level) {
  ModulePassManager passes;
  // What NVPTX adds: libdevice's switches, and the ranges of special registers.
  builder.invokePipelineStartEPCallbacks(passes, level);

  FunctionPassManager early;
  early.addPass(SimplifyCFGPass());
  early.addPass(SROAPass(SROAOptions::ModifyCFG));
  early.addPass(EarlyCSEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(early),
                                                   /*EagerlyInvalidate=*/true));
  passes.addPass(IPSCCPPass());
  passes.addPass(GlobalOptPass());
  FunctionPassManager clean;
  clean.addPass(InstCombinePass());
  clean.addPass(simplifyBranches());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean),
                                                   /*EagerlyInvalidate=*/true));
  passes.addPass(AlwaysInlinerPass());

  ModuleInlinerWrapperPass inliner(
      getInlineParams(level.getSpeedupLevel(), /*SizeOptLevel=*/0));
  inliner.addModulePass(RequireAnalysisPass<GlobalsAA, Module>());
  inliner.addModulePass(
      createModuleToFunctionPassAdaptor(InvalidateAnalysisPass<AAManager>()));
  inliner.addModulePass(RequireAnalysisPass<ProfileSummaryAnalysis, Module>());
  CGSCCPassManager &functions = inliner.getPM();
  functions.addPass(PostOrderFunctionAttrsPass(/*SkipNonRecursive=*/true));
  functions.addPass(createCGSCCToFunctionPassAdaptor(
      buildSimplification(level), /*EagerlyInvalidate=*/true));
  passes.addPass(std::move(inliner));
  passes.addPass(GlobalDCEPass());

  passes.addPass(createModuleToFunctionPassAdaptor(
      buildUnrolling(builder, level), /*EagerlyInvalidate=*/true));
  builder.invokeOptimizerLastEPCallbacks(passes, level,
                                         ThinOrFullLTOPhase::None);
  passes.addPass(GlobalDCEPass());
  passes.addPass(ConstantMergePass());
  return passes;
}
