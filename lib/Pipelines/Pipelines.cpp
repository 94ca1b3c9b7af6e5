// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of a kernel through MLIR, stage by stage. Each stage is one function
// and ends with a pass that checks what later stages assume. Nothing here knows
// a chip: that choice is made when LLVM IR becomes PTX, and what the reference
// target executes is the same for all.

#include "pyk/Pipelines/Pipelines.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "pyk/Conversion/Passes.h"
#include "pyk/Dialect/Py/Transforms/Passes.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Pipelines/Stages.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pyk;

/// Ends a stage: checks its contract.
static void addContract(OpPassManager &pm, const Stage &stage) {
  VerifyStagePassOptions options;
  options.stage = stage.name.str();
  pm.addPass(createVerifyStagePass(options));
}

//===----------------------------------------------------------------------===//
// Stage pyk
//===----------------------------------------------------------------------===//

void pyk::buildLowerToPykPipeline(OpPassManager &pm,
                                  const LowerToPykOptions &options) {
  // Types are needed before anything can become explicit, and they depend on
  // the whole program: callers give their callees' arguments.
  pm.addPass(py::createInferTypesPass());

  // Promotion, wrapping of indices, SSA form.
  ConvertPyToPykPassOptions conversion;
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  conversion.member = options.member;
#include "pyk/Pipelines/CompileOptions.inc"
  pm.addPass(createConvertPyToPykPass(conversion));

  // Python's arrays live as long as they are used, stack slots as long as a
  // call. Before anything else, because the folds of later passes may tell
  // calls and iterations of one allocation no longer apart.
  pm.addPass(createExtendLifetimesPass());

  // Loops that wait for another thread must be known before anything looks at
  // their effects: they have none but reads, so the next pass would drop them.
  pm.addPass(createMarkSpinsPass());

  // The conversion writes a constant wherever one is used, and tuples leave
  // values behind that nothing reads. Folding them here keeps the stage legible
  // and the work of the next ones small.
  pm.addPass(createCanonicalizerPass());

  // Shared arrays of sizes that the launch knows get their places. Behind the
  // passes that ask which arrays may be the same, since places do not tell, and
  // behind the folds, which leave simple sizes.
  pm.addPass(createPlaceSharedArraysPass());

  // What launches check, as late as possible: the fewer uses an argument has,
  // the fewer facts it needs.
  AssumeLaunchPassOptions launch;
  launch.assume = options.assume;
  launch.block = options.block;
  launch.checkMemory = options.checkMemory;
  pm.addPass(createAssumeLaunchPass(launch));

  // Contract: no op of py and no type without a representation is left.
  addContract(pm, Stage::Pyk);
}

//===----------------------------------------------------------------------===//
// Stage gpu
//===----------------------------------------------------------------------===//

void pyk::buildLowerToGPUPipeline(OpPassManager &pm) {
  // Python's arithmetic becomes plain arithmetic that later passes understand.
  pm.addPass(createExpandNumericsPass());

  // Where data say at which index a loop begins, ranges know nothing of its
  // sign. Two loops, one to each side of 0, tell them.
  pm.addPass(createSplitLoopsPass());

  // Ranges while ops still say what they mean: the place of a thread and the
  // extents of arrays are never negative. Most of what the last pass wrote to
  // mend special cases, wrapping of negative indices above all, vanishes here.
  pm.addPass(createFoldRangesPass());

  // Selects and comparisons that became constant take their operands along, and
  // what the front end repeats for each access is computed once. Fewer uses of
  // extents mean fewer kernel parameters, so this comes before the next pass.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  // Which products are rounded is decided once, for all targets: here, where
  // what the program writes twice has become one value, and before anything
  // moves a product away from its sum.
  pm.addPass(createFuseMultiplyAddPass());

  // Behind all that makes calls of libdevice or stores, and before kernels take
  // their parameters: what differs is reported for all targets.
  pm.addPass(createMakeReproduciblePass());

  pm.addPass(createConvertPykToGPUPass());

  // Addresses are arithmetic from here on, for all targets. Behind the pass
  // before, so that extents and strides are the kernel's parameters.
  pm.nest<gpu::GPUModuleOp>().addPass(createExpandAddressesPass());

  // Each place of a thread expanded to reads of special registers of its own,
  // and each access to an address of its own; one of each is enough.
  pm.nest<gpu::GPUModuleOp>().addPass(createCSEPass());

  // Contract: one gpu.module of kernels with plain parameters and functions for
  // other languages; of pyk, only arrays, exits, barriers and saturating
  // conversions are left, and no access has indices. Nothing may be fused any
  // more, from here on.
  addContract(pm, Stage::GPU);
}

//===----------------------------------------------------------------------===//
// Stage nvvm
//===----------------------------------------------------------------------===//

void pyk::buildLowerToNVVMPipeline(OpPassManager &pm) {
  OpPassManager &gpu = pm.nest<gpu::GPUModuleOp>();

  // Atomic operations become what LLVM has. Not in the stage before, which
  // targets that do whole blocks at a time start from: a maximum is one op
  // there, and no loop.
  gpu.addPass(createExpandAtomicsPass());

  // Nothing behind unrolls loops over the grid's strides. Not in the stage
  // before, either: who does whole blocks at a time has no use for copies.
  gpu.addPass(createUnrollStridesPass());

  // Branches between comparisons cost more than the comparisons. Not before
  // stage gpu: until there, ranges know that a condition holds for the next.
  gpu.addPass(createSpeculateConditionsPass());

  // The next pass would make loops that never end of some that count in large
  // steps; they are taken out of its way.
  gpu.addPass(createBoundLoopsPass());

  // No region is left but those of functions.
  gpu.addPass(createFlattenExitsPass());

  // A thread that fails leaves its functions one by one, which takes branches
  // anywhere; before, no structure would have let it through.
  gpu.addPass(createExpandChecksPass());

  // One conversion for all that is left, so that types change only once.
  gpu.addPass(createConvertPykToNVVMPass());

  // Contract: nothing but LLVM and NVVM. LLVM's own passes clean up better and
  // faster than MLIR's could from here on.
  addContract(pm, Stage::NVVM);
}

//===----------------------------------------------------------------------===//
// All stages
//===----------------------------------------------------------------------===//

void pyk::buildLoweringPipeline(const Stage &stage, OpPassManager &pm,
                                const CompileOptions &options) {
  if (&stage == &Stage::NVVM)
    return buildLowerToNVVMPipeline(pm);
  if (&stage == &Stage::GPU)
    return buildLowerToGPUPipeline(pm);
  assert(&stage == &Stage::Pyk && "a source is in stage py or a later one");
  LowerToPykOptions pykOptions;
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  pykOptions.member = options.member;
#define PYK_LAUNCH_OPTION PYK_LOWERING_OPTION
#include "pyk/Pipelines/CompileOptions.inc"
  buildLowerToPykPipeline(pm, pykOptions);
}

std::string pyk::getLoweringFlag(const Stage &stage,
                                 const CompileOptions &options) {
  std::string flag = "--pyk-lower-to-" + stage.name.str();
  if (&stage != &Stage::Pyk)
    return flag;
  SmallVector<std::string> given;
  CompileOptions defaults;
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  if (options.member != defaults.member)                                       \
    given.push_back(flag "=" + getCompileOption(options, flag));
#define PYK_LAUNCH_OPTION PYK_LOWERING_OPTION
#include "pyk/Pipelines/CompileOptions.inc"
  return given.empty() ? flag : flag + "=" + llvm::join(given, " ");
}

void pyk::registerPipelines() {
  PassPipelineRegistration<LowerToPykOptions>("pyk-lower-to-pyk",
                                              "Lowers stage py to stage pyk",
                                              buildLowerToPykPipeline);
  PassPipelineRegistration<>("pyk-lower-to-gpu",
                             "Lowers stage pyk to stage gpu",
                             buildLowerToGPUPipeline);
  PassPipelineRegistration<>("pyk-lower-to-nvvm",
                             "Lowers stage gpu to stage nvvm",
                             buildLowerToNVVMPipeline);
}
