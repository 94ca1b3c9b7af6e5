// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point is as on the GPU: IEEE, and nothing is fused that the IR has
// apart. Code is position-independent, so that the loader may put it anywhere
// and reach the host's functions through its table. It uses the instructions
// that the runtime knows to be here, and the costs of this very processor.

#include "HostMachine.h"
#include "pyk/runtime/CpuFeatures.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <array>

using namespace llvm;
using namespace pyk;

namespace {

/// What createTargetMachine asks for; found out once.
struct Host {
  Triple triple;
  /// Whose costs count.
  std::string tuning;
  std::string features;
  /// The lanes of 32 bits that its vectors have; 0 if they have too few.
  unsigned lanes = 0;
  const Target *target = nullptr;
  /// Why nothing can be compiled; empty if it can.
  std::string error;
};

} // namespace

static unsigned getLanes(const Triple &triple, const StringSet<> &has) {
  auto hasAll = [&](ArrayRef<StringRef> names) {
    return all_of(names, [&](StringRef name) { return has.contains(name); });
  };
  if (triple.isAArch64())
    return 4;
  if (hasAll({"avx512f", "avx512bw", "avx512dq", "avx512vl"}))
    return 16;
  return hasAll({"avx2", "fma"}) ? 8 : 0;
}

/// Lets LLVM vectorize loops that add floats up, one after the other as the
/// program has them. For x86 it does so for the asking only, and who asks is an
/// option of the process, unless that was given (decision 10).
static void vectorizeOrderedSums() {
  const auto &options = cl::getRegisteredOptions();
  auto found = options.find("force-ordered-reductions");
  if (found != options.end() && found->second->getNumOccurrences() == 0)
    found->second->addOccurrence(0, found->first, "true");
}

static const Host &getHost() {
  static const Host host = [] {
    vectorizeOrderedSums();
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    Host host;
    host.triple = Triple(sys::getProcessTriple());
    host.tuning = sys::getHostCPUName().str();
    runtime::Result<uint64_t> used = runtime::getUsedCpuFeatures();
    if (!used.ok()) {
      host.error = used.status().message();
      return host;
    }
    SubtargetFeatures features;
    StringSet<> has;
    for (auto [index, name] : enumerate(runtime::getCpuFeatureNames())) {
      bool isUsed = used.value() >> index & 1;
      features.AddFeature(name, isUsed);
      if (isUsed)
        has.insert(name);
    }
    host.features = features.getString();
    host.lanes = getLanes(host.triple, has);
    std::string error;
    host.target = TargetRegistry::lookupTarget(host.triple, error);
    if (!host.target)
      // No test: it needs an LLVM without the host's own back end.
      host.error = "requires an LLVM that can compile for " +
                   host.triple.str() + ": " + error;
    return host;
  }();
  return host;
}

static CodeGenOptLevel getCodeGenLevel(unsigned level) {
  switch (level) {
  case 0:
    return CodeGenOptLevel::None;
  case 1:
    return CodeGenOptLevel::Less;
  case 2:
    return CodeGenOptLevel::Default;
  default:
    return CodeGenOptLevel::Aggressive;
  }
}

static OptimizationLevel getPipelineLevel(unsigned level) {
  switch (level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

unsigned pyk::getHostLanes() { return getHost().lanes; }

Expected<TargetMachine *> pyk::getHostMachine(unsigned optimizationLevel) {
  static thread_local std::array<std::unique_ptr<TargetMachine>, 4> machines;
  std::unique_ptr<TargetMachine> &machine = machines.at(optimizationLevel);
  if (machine)
    return machine.get();
  const Host &host = getHost();
  if (!host.error.empty())
    return createStringError(host.error);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Strict;
  machine.reset(host.target->createTargetMachine(
      host.triple, host.triple.isX86() ? "x86-64" : "generic", host.features,
      options, Reloc::PIC_, CodeModel::Small,
      getCodeGenLevel(optimizationLevel), /*JIT=*/true));
  return machine.get();
}

/// The passes for kernels that run whole blocks: vectors are written already,
/// and loops as long as they are meant to be.
static FunctionPassManager makeVectorPasses() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  LoopPassManager loops;
  loops.addPass(LICMPass(LICMOptions()));
  passes.addPass(
      createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(DCEPass());
  return passes;
}

void pyk::optimizeForHost(Module &module, TargetMachine &machine,
                          unsigned optimizationLevel, bool hasVectors) {
  for (Function &function : module) {
    function.addFnAttr("tune-cpu", getHost().tuning);
    // Some processors take vectors of half the size by themselves.
    if (hasVectors && getHostLanes() == 16 && !function.isDeclaration()) {
      function.addFnAttr("prefer-vector-width", "512");
      function.addFnAttr("min-legal-vector-width", "512");
    }
  }
  bool vectorizes = optimizationLevel > 1;
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = vectorizes;
  tuning.SLPVectorization = vectorizes;
  PassInstrumentationCallbacks callbacks;
  OptNoneInstrumentation skipped(/*DebugLogging=*/false);
  skipped.registerCallbacks(callbacks);
  // Analyses refer to each other: they go in the reverse of this order.
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager callGraph;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  ModulePassManager passes;
  if (hasVectors && optimizationLevel != 0) {
    passes.addPass(AlwaysInlinerPass());
    passes.addPass(createModuleToFunctionPassAdaptor(makeVectorPasses()));
  } else {
    passes = builder.buildPerModuleDefaultPipeline(
        getPipelineLevel(optimizationLevel));
  }
  passes.run(module, modules);
}

Expected<std::unique_ptr<MemoryBuffer>>
pyk::emitObject(Module &module, TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  MCContext *context = nullptr;
  if (machine.addPassesToEmitMC(passes, context, stream,
                                /*DisableVerify=*/true))
    // No test: every back end of a supported host writes objects.
    return createStringError("requires a host that LLVM can write objects for");
  passes.run(module);
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(bytes), module.getName(), /*RequiresNullTerminator=*/false);
}
