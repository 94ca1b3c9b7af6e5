// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU as a back end. The runtime launches it on every machine. There are
// two ways to it: the reference runs the LLVM IR that PTX is made from, one
// thread after the other; stage simd runs whole blocks as vectors, where it
// can.

#include "CpuMachine.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"
#include "pyk/Dialect/Simd/Transforms/Remarks.h"
#include "pyk/Pipelines/Pipelines.h"
#include "pyk/Target/Backend.h"
#include "pyk/Target/CPU.h"
#include "pyk/Target/LLVMIR.h"
#include "llvm/IR/LLVMContext.h"

using namespace pyk;
using llvm::Expected;
using llvm::StringRef;

static constexpr Stage kChecked = {
    "checked", "kernels whose accesses stay within memory, without calls",
    &Stage::GPU, "mlir"};
static constexpr Stage kSimd = {"simd",
                                "kernels that run whole blocks, as "
                                "vectors",
                                &kChecked, "mlir"};
static constexpr Stage kHost = {
    "host",
    "the same in the LLVM and NVVM dialects, for this machine's vectors",
    &kSimd, "mlir"};
static constexpr Stage kThreads = {
    "threads", "kernels that run one thread, in the LLVM and NVVM dialects",
    &kChecked, "mlir"};
static constexpr Stage kReference = {
    "reference", "the same as LLVM IR, bound to the host's runtime", &kThreads,
    "ll"};

static std::vector<StringRef> getNames(const LoweredModule &module) {
  return {module.kernels.begin(), module.kernels.end()};
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// From stage gpu to stage checked.
static void buildCheckedPipeline(mlir::OpPassManager &pm) {
  mlir::OpPassManager &gpu = pm.nest<mlir::gpu::GPUModuleOp>();

  // What a tile of threads does is written of kernels as a whole, and of what
  // memory an array is part of, its kernel knows most.
  gpu.addPass(createInlineCallsPass());

  // Elements of what callers give in parts are known there.
  gpu.addPass(createResolveViewsPass());

  // An index behind a branch, and the same sum in the condition in front of it,
  // are one value after these two: what the condition says of it is known to
  // the next pass. Conditions joined by `and` are branches themselves until
  // here.
  gpu.addPass(createSpeculateConditionsPass());
  gpu.addPass(mlir::createCSEPass());

  gpu.addPass(createGuardAccessesPass());
}

/// The rows and strips that `text` tells, such as 2x4: none of "any", and one
/// number of what is no tile.
static llvm::SmallVector<int64_t> parseTile(StringRef text) {
  if (text == "any")
    return {};
  auto [rows, strips] = text.split('x');
  int64_t first = 0, second = 0;
  if (rows.getAsInteger(10, first) || strips.getAsInteger(10, second) ||
      first < 1 || second < 1)
    return {0};
  return {first, second};
}

/// From stage checked to stage simd.
static void buildSimdPipeline(mlir::OpPassManager &pm, unsigned lanes,
                              bool always, StringRef tile, bool fetchesRows) {
  mlir::OpPassManager &gpu = pm.nest<mlir::gpu::GPUModuleOp>();

  // Conditions of accesses to one element are one.
  gpu.addPass(mlir::createCSEPass());

  // What both arms of a condition store to one element is stored once.
  gpu.addPass(simd::createSinkStoresPass());

  // Masks come from conditions, so exits have to be some.
  gpu.addPass(simd::createStructureExitsPass());

  // How often all threads run a loop is known of those that count.
  gpu.addPass(simd::createCountLoopsPass());

  // Vectors have numbers, from one array each.
  gpu.addPass(simd::createSplitRecordsPass());

  // And they are real.
  gpu.addPass(simd::createSplitComplexPass());

  // Lanes find neighbours along x.
  simd::ChooseLanesPassOptions choice;
  choice.lanes = lanes;
  gpu.addPass(simd::createChooseLanesPass(choice));

  // Which threads take part in an iteration, and which elements they use, are
  // constants.
  simd::UnrollTripsPassOptions trips;
  trips.lanes = lanes;
  gpu.addPass(simd::createUnrollTripsPass(trips));

  simd::VectorizePassOptions options;
  options.lanes = trips.lanes;
  options.always = always;
  options.tile = parseTile(tile);
  options.fetchesRows = fetchesRows;
  gpu.addPass(simd::createVectorizePass(options));

  // Of what the pass before writes for each value, much is the same.
  gpu.addPass(mlir::createCSEPass());

  // A tile of the size of a block may not have room in registers.
  gpu.addPass(simd::createSplitLoopsPass());

  // And is as much code as it is large.
  gpu.addPass(simd::createSplitPhasesPass());
}

/// From stage checked to stage threads, of what runs as threads.
static void buildThreadsPipeline(mlir::OpPassManager &pm) {
  // While loops are some.
  pm.nest<mlir::gpu::GPUModuleOp>().addPass(createHoistGuardsPass());

  // Numbers, control flow and kernels are as for a GPU.
  buildLowerToNVVMPipeline(pm);
}

/// From stage simd to stage host.
static void buildHostPipeline(mlir::OpPassManager &pm, bool fetchesRows) {
  simd::UnrollPassOptions options;
  options.fetchesRows = fetchesRows;
  pm.nest<mlir::gpu::GPUModuleOp>().addPass(simd::createUnrollPass(options));

  buildThreadsPipeline(pm);
}

namespace {

struct HostPipelineOptions : mlir::PassPipelineOptions<HostPipelineOptions> {
  Option<bool> fetchesRows{
      *this, "fetches-rows",
      llvm::cl::desc("The processor sees by itself which rows of an array a "
                     "loop goes down; as this machine's unless given")};
};

struct SimdPipelineOptions : mlir::PassPipelineOptions<SimdPipelineOptions> {
  Option<unsigned> lanes{
      *this, "lanes",
      llvm::cl::desc("How many threads a vector holds; 0 is this machine's"),
      llvm::cl::init(0)};
  Option<bool> always{*this, "always",
                      llvm::cl::desc("Also vectorize where that does not pay"),
                      llvm::cl::init(false)};
  Option<std::string> tile{
      *this, "tile",
      llvm::cl::desc("Rows and strips of tiles, as 2x4; any is the plan's"),
      llvm::cl::init("any")};
  Option<bool> fetchesRows{
      *this, "fetches-rows",
      llvm::cl::desc("The processor sees by itself which rows of an array a "
                     "loop goes down; unless given as this machine's if lanes "
                     "are, or not")};
};

} // namespace

void pyk::registerCPUPipelines() {
  mlir::PassPipelineRegistration<>("pyk-lower-to-checked",
                                   "Lowers stage gpu to stage checked",
                                   buildCheckedPipeline);
  mlir::PassPipelineRegistration<SimdPipelineOptions>(
      "pyk-lower-to-simd", "Lowers stage checked to stage simd",
      [](mlir::OpPassManager &pm, const SimdPipelineOptions &options) {
        unsigned lanes = options.lanes;
        bool isNative = lanes == 0;
        buildSimdPipeline(pm, isNative ? getLanes("native") : lanes,
                          options.always, options.tile,
                          options.fetchesRows.hasValue()
                              ? options.fetchesRows.getValue()
                              : isNative && fetchesRows("native"));
      });
  mlir::PassPipelineRegistration<HostPipelineOptions>(
      "pyk-lower-to-host", "Lowers stage simd to stage host",
      [](mlir::OpPassManager &pm, const HostPipelineOptions &options) {
        buildHostPipeline(pm, options.fetchesRows.hasValue()
                                  ? options.fetchesRows.getValue()
                                  : fetchesRows("native"));
      });
  mlir::PassPipelineRegistration<>("pyk-lower-to-threads",
                                   "Lowers stage checked to stage threads",
                                   buildThreadsPipeline);
}

//===----------------------------------------------------------------------===//
// The back end
//===----------------------------------------------------------------------===//

namespace {

class CPUBackend : public TargetBackend {
public:
  StringRef getName() const override { return "cpu"; }
  llvm::ArrayRef<const Stage *> getStages() const override {
    static const Stage *const stages[] = {&kChecked, &kSimd, &kHost, &kThreads,
                                          &kReference};
    return stages;
  }
  llvm::SmallVector<const Stage *>
  getInputs(const CompileOptions &options) const override {
    if (runsThreads(options) || options.block == "any" ||
        getLanes(options.cpuLevel) == 0)
      return {&kThreads};
    return {&kHost, &kThreads};
  }
  bool isForBlockShape(const Stage &input) const override {
    return &input == &kHost;
  }
  StringRef getFormat() const override { return "object"; }
  bool launchesOnHost() const override { return true; }

  void registerDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<simd::SimdDialect, mlir::vector::VectorDialect>();
  }

  void buildPipeline(const Stage &stage, mlir::OpPassManager &pm,
                     const CompileOptions &options) const override {
    if (&stage == &kChecked)
      buildCheckedPipeline(pm);
    else if (&stage == &kSimd)
      buildSimdPipeline(pm, getLanes(options.cpuLevel), options.cpu == "simd",
                        options.tile, fetchesRows(options.cpuLevel));
    else if (&stage == &kHost)
      buildHostPipeline(pm, fetchesRows(options.cpuLevel));
    else
      buildThreadsPipeline(pm);
  }

  /// Where one kernel does not run as vectors, none does.
  bool accepts(mlir::ModuleOp module, const Stage &stage) const override {
    return &stage != &kSimd ||
           !module
                .walk([](mlir::gpu::GPUFuncOp kernel) {
                  return !kernel.isKernel() || kTile.isOn(kernel)
                             ? mlir::WalkResult::advance()
                             : mlir::WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// Where vectors are tried, their passes say what comes of it. Which launches
  /// take the code for blocks of any shape, and why, their host knows.
  void explain(mlir::ModuleOp module,
               const CompileOptions &options) const override {
    StringRef reason;
    if (runsThreads(options))
      reason = "the reference was asked for";
    else if (getLanes(options.cpuLevel) == 0)
      reason = "PyK knows no vectors of the processors that it is for";
    else
      return;
    module.walk([&](mlir::gpu::GPUFuncOp kernel) {
      if (kernel.isKernel())
        simd::remarkNoVectors(kernel, kernel.getLoc(), reason);
    });
  }

  /// pyk-opt makes no host code.
  std::string getReproduceFlag(const CompileOptions &options,
                               const Stage &input) const override {
    return "";
  }

  Expected<std::string> print(const Stage &stage, LoweredModule module,
                              const CompileOptions &options) const override {
    llvm::LLVMContext context;
    auto ir = translate(*module.module, context);
    if (!ir)
      return ir.takeError();
    return printReference(**ir, getNames(module), getCpuOptions(options));
  }

  Expected<DeviceCode> emit(LoweredModule module,
                            const CompileOptions &options) const override {
    llvm::LLVMContext context;
    auto ir = translate(*module.module, context);
    if (!ir)
      return ir.takeError();
    return emitForCpu({nullptr, std::move(*ir), std::move(module.kernels)},
                      getCpuOptions(options));
  }

private:
  /// Whether the options ask for one thread after the other.
  static bool runsThreads(const CompileOptions &options) {
    return options.cpu == "reference" || options.cpu == "reversed";
  }

  static CpuOptions getCpuOptions(const CompileOptions &options) {
    return {options.opt, options.cpuLevel, options.cpu == "reversed"};
  }

  static Expected<std::unique_ptr<llvm::Module>>
  translate(mlir::ModuleOp module, llvm::LLVMContext &context) {
    if (auto ir = translateToLLVMIR(module, context))
      return std::move(ir);
    // No test: what passes made translates.
    return llvm::createStringError("requires a module that translates");
  }
};

} // namespace

std::unique_ptr<TargetBackend> pyk::createCPUBackend() {
  return std::make_unique<CPUBackend>();
}
