// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point is as on the GPU: IEEE, and nothing is fused that the IR has
// apart. Code is position-independent, so that the loader may put it anywhere
// and reach the host's functions through its table. Code for this processor
// uses the instructions that the runtime knows to be here, and its own costs.

#include "CpuMachine.h"
#include "MaskedStores.h"
#include "Reciprocals.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LowerExpectIntrinsic.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <map>
#include <mutex>
#include <utility>

using namespace llvm;
using namespace pyk;

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

// Zen 4 does vectors of 16 in halves: a multiply-add each cycle, while its
// divider works beside them; and what a loop reads of rows is in its second
// cache in time, while its first, of 8 ways, has no room for more of them.
void pyk::setMeasured(CpuMachine &machine) {
  bool isZen4 = machine.tuning == "znver4";
  machine.dividesFast = isZen4;
  machine.fetchesRows = isZen4;
}

/// Options of LLVM that belong to the process, which is who has the last word:
/// - loops that add floats up one after the other, as the program has them,
///   become vectors, which for x86 they do for the asking only (decision 10);
/// - before it schedules instructions, each access to memory is compared with
///   fewer others (decision 13);
/// - splitting the live range of a value looks at fewer basic blocks, and
///   CodeGenPrepare does not start over after each change of the control flow
///   of a function of so many blocks (decision 14).
static constexpr std::pair<StringRef, StringRef> kOptions[] = {
    {"force-ordered-reductions", "true"},
    {"dag-maps-huge-region", "64"},
    {"grow-region-complexity-budget", "500"},
    {"cgpp-huge-func", "100"},
};

static void setOptions() {
  const auto &options = cl::getRegisteredOptions();
  for (auto [name, value] : kOptions) {
    auto found = options.find(name);
    if (found != options.end() && found->second->getNumOccurrences() == 0)
      found->second->addOccurrence(0, found->first, value);
  }
}

// The back end of the other architecture comes with LLVM where that is a
// library of its own. Archives of it are left out of what is linked: a wheel
// would be larger by a tenth.
#if defined(__x86_64__)
#define PYK_OTHER_BACK_END(part) LLVMInitializeAArch64##part
#else
#define PYK_OTHER_BACK_END(part) LLVMInitializeX86##part
#endif
extern "C" {
[[gnu::weak]] void PYK_OTHER_BACK_END(TargetInfo)();
[[gnu::weak]] void PYK_OTHER_BACK_END(Target)();
[[gnu::weak]] void PYK_OTHER_BACK_END(TargetMC)();
[[gnu::weak]] void PYK_OTHER_BACK_END(AsmPrinter)();
}

static void initializeBackEnds() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  if (PYK_OTHER_BACK_END(TargetInfo)) {
    PYK_OTHER_BACK_END(TargetInfo)();
    PYK_OTHER_BACK_END(Target)();
    PYK_OTHER_BACK_END(TargetMC)();
    PYK_OTHER_BACK_END(AsmPrinter)();
  }
}

static Expected<CpuMachine> describe(StringRef level) {
  auto target = runtime::getCpuTarget(level);
  if (!target.ok())
    return createStringError(target.status().message());
  CpuMachine machine;
  machine.target = target.value();
  const runtime::CpuArchitecture &architecture = *machine.target.architecture;
  if (level == "native")
    machine.tuning = sys::getHostCPUName().str();
  setMeasured(machine);
  bool isHost = &architecture == &runtime::getHostArchitecture();
  machine.triple = isHost
                       ? Triple(sys::getProcessTriple())
                       : Triple(architecture.name, "unknown", "linux", "gnu");
  SubtargetFeatures features;
  StringSet<> has;
  for (auto [index, name] : enumerate(architecture.features)) {
    bool isUsed = machine.target.features >> index & 1;
    features.AddFeature(name, isUsed);
    if (isUsed)
      has.insert(name);
  }
  machine.features = features.getString();
  machine.lanes = getLanes(machine.triple, has);
  std::string error;
  machine.backEnd = TargetRegistry::lookupTarget(machine.triple, error);
  if (!machine.backEnd)
    // No test: it needs an LLVM without one of the back ends.
    return createStringError("requires an LLVM that can compile for " +
                             machine.triple.str() + ": " + error);
  return machine;
}

Expected<const CpuMachine *> pyk::getCpuMachine(StringRef level) {
  static std::mutex mutex;
  static StringMap<std::unique_ptr<CpuMachine>> machines;
  std::lock_guard<std::mutex> lock(mutex);
  if (machines.empty()) {
    setOptions();
    initializeBackEnds();
  }
  std::unique_ptr<CpuMachine> &machine = machines[level];
  if (!machine) {
    Expected<CpuMachine> described = describe(level);
    if (!described) {
      // The entry stays, with nothing in it.
      return described.takeError();
    }
    machine = std::make_unique<CpuMachine>(std::move(*described));
  }
  return machine.get();
}

unsigned pyk::getLanes(StringRef level) {
  Expected<const CpuMachine *> machine = getCpuMachine(level);
  if (machine)
    return (*machine)->lanes;
  // Whoever makes the code says why there is none.
  consumeError(machine.takeError());
  return 0;
}

bool pyk::fetchesRows(StringRef level) {
  Expected<const CpuMachine *> machine = getCpuMachine(level);
  if (machine)
    return (*machine)->fetchesRows;
  consumeError(machine.takeError());
  return false;
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

TargetMachine &pyk::getTargetMachine(const CpuMachine &machine,
                                     unsigned optimizationLevel) {
  static thread_local std::map<std::pair<const CpuMachine *, unsigned>,
                               std::unique_ptr<TargetMachine>>
      made;
  std::unique_ptr<TargetMachine> &result = made[{&machine, optimizationLevel}];
  if (!result) {
    TargetOptions options;
    options.AllowFPOpFusion = FPOpFusion::Strict;
    result.reset(machine.backEnd->createTargetMachine(
        machine.triple, machine.triple.isX86() ? "x86-64" : "generic",
        machine.features, options, Reloc::PIC_, CodeModel::Small,
        getCodeGenLevel(optimizationLevel), /*JIT=*/true));
  }
  return *result;
}

/// The basic blocks of a loop, or of a function, from which invariant values
/// are hoisted, at most. In longer ones each hoisted value lives across all
/// blocks, and allocating registers for them takes time that is cubic in the
/// lines of the kernel (decision 14).
static constexpr unsigned kMostBlocksToHoistFrom = 100;
/// The constants that are hoisted out of the loops of a function at most: no
/// processor has registers for more of them.
static constexpr size_t kMostConstantsToHoist = 100;
/// The basic blocks of a function in which machine instructions move to their
/// uses, at most: each move recomputes what is known of all blocks.
static constexpr unsigned kMostBlocksToSinkIn = 400;

namespace {

/// LICM for loops of few basic blocks.
struct HoistFromShortLoopsPass : PassInfoMixin<HoistFromShortLoopsPass> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses,
                        LoopStandardAnalysisResults &results,
                        LPMUpdater &updater) {
    if (loop.getNumBlocks() > kMostBlocksToHoistFrom)
      return PreservedAnalyses::all();
    return LICMPass(LICMOptions()).run(loop, analyses, results, updater);
  }
};

} // namespace

/// The passes for kernels that run whole blocks: vectors are written already,
/// and loops as long as they are meant to be.
static FunctionPassManager makeVectorPasses() {
  FunctionPassManager passes;
  passes.addPass(LowerExpectIntrinsicPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  LoopPassManager loops;
  loops.addPass(HoistFromShortLoopsPass());
  passes.addPass(
      createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(DCEPass());
  return passes;
}

/// Keeps vectors on the stack, of which `align` is the size, within lines of
/// the cache, registers that are spilled there included: LLVM would have these
/// at any multiple of 16 bytes.
static void alignStack(Function &function, Align align) {
  function.addFnAttr(
      Attribute::getWithStackAlignment(function.getContext(), align));
  const DataLayout &layout = function.getDataLayout();
  for (Instruction &instruction : instructions(function)) {
    auto *alloca = dyn_cast<AllocaInst>(&instruction);
    std::optional<TypeSize> size =
        alloca ? alloca->getAllocationSize(layout) : std::nullopt;
    if (size && size->getFixedValue() >= align.value())
      alloca->setAlignment(std::max(alloca->getAlign(), align));
  }
}

void pyk::optimizeForCpu(Module &module, const CpuMachine &machine,
                         unsigned optimizationLevel, bool hasVectors) {
  for (Function &function : module) {
    if (!machine.tuning.empty())
      function.addFnAttr("tune-cpu", machine.tuning);
    // Some processors take vectors of half the size by themselves.
    if (hasVectors && machine.lanes == 16 && !function.isDeclaration()) {
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
  PassBuilder builder(&getTargetMachine(machine, optimizationLevel), tuning,
                      std::nullopt, &callbacks);
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
  if (!hasVectors || optimizationLevel == 0 || machine.lanes == 0 ||
      !machine.triple.isX86())
    return;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    alignStack(function, Align(machine.lanes * sizeof(float)));
    if (machine.lanes == 16 && !machine.dividesFast)
      multiplyReciprocals(function);
  }
}

/// Whether the constants of `function` that take registers are too many.
static bool hasManyConstants(const Function &function) {
  SmallPtrSet<const Value *, 16> constants;
  for (const Instruction &instruction : instructions(function))
    for (const Value *operand : instruction.operand_values())
      if (isa<Constant>(operand) && (operand->getType()->isVectorTy() ||
                                     operand->getType()->isFloatingPointTy()))
        constants.insert(operand);
  return constants.size() > kMostConstantsToHoist;
}

/// What is left out of the code generation of a module (decision 14).
struct LeftOut {
  bool hoisting, sinking;
};

static LeftOut getLeftOut(const Module &module) {
  LeftOut leftOut = {false, false};
  for (const Function &function : module) {
    leftOut.hoisting |=
        function.size() > kMostBlocksToHoistFrom || hasManyConstants(function);
    leftOut.sinking |= function.size() > kMostBlocksToSinkIn;
  }
  return leftOut;
}

/// That of the module whose code the calling thread emits.
static thread_local LeftOut currentLeftOut = {false, false};

/// Leaves the passes that move machine instructions out of loops and down to
/// their uses out of the code generation of long functions. LLVM calls it for
/// each code generation of the process, of others than PyK, too.
static void configureCodeGeneration(TargetMachine &, PassManagerBase &,
                                    TargetPassConfig *passes) {
  if (currentLeftOut.hoisting)
    passes->disablePass(&EarlyMachineLICMID);
  if (currentLeftOut.sinking)
    passes->disablePass(&MachineSinkingLegacyID);
}

/// Registered when the library is loaded: LLVM's list of callbacks has no lock.
static const RegisterTargetPassConfigCallback
    codeGenerationCallback(configureCodeGeneration);

Expected<std::unique_ptr<MemoryBuffer>>
pyk::emitObject(Module &module, TargetMachine &machine) {
  SaveAndRestore saved(currentLeftOut, getLeftOut(module));
  if (machine.getTargetTriple().isX86())
    separateTruncations(module);
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  MCContext *context = nullptr;
  if (machine.addPassesToEmitMC(passes, context, stream,
                                /*DisableVerify=*/true))
    // No test: every back end of an architecture that has images does.
    return createStringError("requires a processor that LLVM can write objects "
                             "for");
  passes.run(module);
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(bytes), module.getName(), /*RequiresNullTerminator=*/false);
}
