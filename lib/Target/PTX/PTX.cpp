// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR to PTX: libdevice or PyK's formulas, LLVM's O3 with what NVPTX adds
// to it, and the assembly printer. Errors that LLVM reports through its context
// become the caller's; without that it would print them and end the process.

#include "pyk/Target/PTX.h"
#include "Atomics.h"
#include "BFloatComparisons.h"
#include "Barriers.h"
#include "CacheHints.h"
#include "Chips.h"
#include "GridBarrier.h"
#include "InlinedFrames.h"
#include "KernelLaunch.h"
#include "KernelPipeline.h"
#include "Libdevice.h"
#include "LongPrints.h"
#include "NarrowIndices.h"
#include "PlanUnrolling.h"
#include "SaturatingConversions.h"
#include "ShiftCounts.h"
#include "StepPointers.h"
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include <mutex>

using namespace llvm;
using namespace pyk;

/// LLVM's NVPTX target. Programs that link without it do not link at all.
static const Target &getTarget(const Triple &triple) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  assert(target && "registered above");
  return *target;
}

/// The highest level has NVPTX number all values once more, which takes time
/// and finds nothing that ptxas, which optimizes all of it again, would not
/// find.
static CodeGenOptLevel getCodeGenLevel(unsigned level) {
  return static_cast<CodeGenOptLevel>(std::min(level, 2u));
}

static Expected<std::unique_ptr<TargetMachine>>
createTargetMachine(const Triple &triple, const PtxOptions &options,
                    bool hasLines) {
  auto chip = findChip(options.chip);
  if (!chip)
    return chip.takeError();
  unsigned wanted = options.ptxVersion;
  if (wanted == 0 && hasLines)
    wanted = std::max(chip->ptxVersion, kFramesVersion);
  auto version = choosePtxVersion(*chip, wanted);
  if (!version)
    return version.takeError();
  TargetOptions target;
  target.AllowFPOpFusion = FPOpFusion::Strict;
  return std::unique_ptr<TargetMachine>(getTarget(triple).createTargetMachine(
      triple, chip->name, "+ptx" + utostr(*version), target, Reloc::PIC_,
      std::nullopt, getCodeGenLevel(options.optimizationLevel)));
}

namespace {

/// Collects errors, and drops remarks and warnings.
struct ErrorHandler : DiagnosticHandler {
  explicit ErrorHandler(std::string &errors) : errors(errors) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    if (!errors.empty())
      errors += "; ";
    raw_string_ostream stream(errors);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

  std::string &errors;
};

/// Collects the errors that LLVM reports to `context` while it lives.
class ErrorCollector {
public:
  explicit ErrorCollector(LLVMContext &context)
      : context(context), previous(context.getDiagnosticHandler()) {
    context.setDiagnosticHandler(std::make_unique<ErrorHandler>(errors));
  }
  ~ErrorCollector() { context.setDiagnosticHandler(std::move(previous)); }

  /// What was reported, as an error; success if nothing was.
  Error take() {
    if (errors.empty())
      return Error::success();
    return createStringError("cannot make PTX: " + errors);
  }

private:
  std::string errors;
  LLVMContext &context;
  std::unique_ptr<DiagnosticHandler> previous;
};

} // namespace

/// Lets libdevice flush denormals if all code that is called from outside may.
static void setFlushInLibdevice(Module &module) {
  auto isEntry = [](const Function &function) {
    return !function.isDeclaration() && !function.hasLocalLinkage();
  };
  auto flushes = [](const Function &function) {
    return function.getDenormalModeF32Raw() == DenormalMode::getPreserveSign();
  };
  if (all_of(make_filter_range(module, isEntry), flushes))
    module.addModuleFlag(Module::Override, pyk::kFlushFlag, 1);
}

/// Adds to LLVM's pipeline what it does not know of the machine.
static void addPasses(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(PlanUnrollingPass());
      });
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        FunctionPassManager last;
        last.addPass(NarrowIndicesPass());
        last.addPass(LoopSimplifyPass());
        last.addPass(StepPointersPass());
        passes.addPass(createModuleToFunctionPassAdaptor(std::move(last)));
      });
}

static void optimize(Module &module, TargetMachine &machine, unsigned level) {
  // A thread's registers hold scalars: vectorizers would find nothing.
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager calls;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine, tuning);
  if (level > 1)
    addPasses(builder);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  const OptimizationLevel levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  OptimizationLevel chosen = levels[std::min(level, 3u)];
  ModulePassManager passes = level < 2
                                 ? builder.buildPerModuleDefaultPipeline(chosen)
                                 : buildKernelPipeline(builder, chosen);
  passes.run(module, modules);
}

/// Whether `chip` adds bfloats atomically: from sm_90 on.
static bool addsBFloats(StringRef chip) {
  unsigned number = 0;
  chip.consume_front("sm_");
  return !chip.consumeInteger(10, number) && number >= 90;
}

static std::string emit(Module &module, TargetMachine &machine) {
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  [[maybe_unused]] bool isRefused = machine.addPassesToEmitFile(
      passes, stream, nullptr, CodeGenFileType::AssemblyFile,
      /*DisableVerify=*/true);
  assert(!isRefused && "assembly is what NVPTX is for");
  passes.run(module);
  return std::string(text);
}

/// Comments on what kernels take for granted of their launches.
static std::string describeFacts(const Module &module) {
  std::string text;
  for (const Function &function : module)
    if (Attribute facts = function.getFnAttribute("pyk.facts"); facts.isValid())
      text +=
          ("// " + function.getName() + " takes for granted of its launches: " +
           facts.getValueAsString() + "\n")
              .str();
  return text;
}

Expected<std::string> pyk::compileToPTX(Module &module,
                                        const PtxOptions &options) {
  bool lines = hasLines(module);
  auto machine = createTargetMachine(module.getTargetTriple(), options, lines);
  if (!machine)
    return machine.takeError();
  ErrorCollector errors(module.getContext());
  // Before functions of libdevice join the program's.
  setFlushInLibdevice(module);
  if (Error error = bindLibdevice(module))
    return error;
  bindKernelLaunches(module);
  splitLongPrints(module);
  defineGridBarrier(module);
  optimize(module, **machine, options.optimizationLevel);
  useSaturatingInstructions(module);
  widenBFloatComparisons(module);
  clampShiftCounts(module);
  relaxBarriers(module, **machine);
  bindCacheHints(module);
  orderAtomics(module, addsBFloats((*machine)->getTargetCPU()));
  std::optional<InlinedFrames> frames;
  if (lines &&
      (options.ptxVersion == 0 || options.ptxVersion >= kFramesVersion))
    frames.emplace(module);
  std::string text = describeFacts(module) + emit(module, **machine);
  if (frames)
    text = frames->write(text);
  if (lines)
    text = replaceQuotesInPaths(text);
  if (Error error = errors.take())
    return error;
  return text;
}
