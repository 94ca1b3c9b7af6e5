// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drives a module down the tree of stages, one pass manager for each stage of
// MLIR, and keeps what was asked for on the way. Which back ends there are is
// the registry's business.

#include "Compilation.h"
#include "Manifest.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Pyk/IR/PykCalls.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Pipelines/Pipelines.h"
#include "pyk/Support/Remarks.h"
#include "pyk/Target/LLVMIR.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace pyk;

Compilation::Compilation(const CompileOptions &options, LoweringPasses &passes)
    : options(options), passes(passes),
      result(std::make_unique<CompiledModule>()),
      reader(options.kernel, result->interface), stages(getStages()),
      backends(getBackends()) {}

void Compilation::stop(StringRef what) {
  Clock::time_point now = Clock::now();
  times[what] += std::chrono::duration<double, std::milli>(now - last).count();
  last = now;
}

//===----------------------------------------------------------------------===//
// What is wanted
//===----------------------------------------------------------------------===//

bool Compilation::wants(const Stage &stage) const {
  return options.emit == &stage || !options.dumpStages.empty();
}

bool Compilation::needs(const TargetBackend &backend,
                        const Stage &stage) const {
  return (&backend == target && inputs.front() == &stage) ||
         llvm::any_of(backend.getStages(), [&](const Stage *own) {
           return !own->isMLIR() && own->parent == &stage && wants(*own);
         });
}

bool Compilation::needs(const Stage &stage) const {
  if (target && stage.isAncestor(*inputs.front()))
    return true;
  return llvm::any_of(stages, [&](const Stage *other) {
    return wants(*other) && stage.isAncestor(*other);
  });
}

bool Compilation::isLaunchedOnHost() const {
  return llvm::any_of(backends, [&](const TargetBackend *backend) {
    return backend->launchesOnHost() &&
           (backend == target ||
            llvm::any_of(backend->getStages(), [&](const Stage *stage) {
              return !stage->isMLIR() && wants(*stage);
            }));
  });
}

SmallVector<Compilation::Branch>
Compilation::getBranches(const Stage &stage) const {
  SmallVector<Branch> branches;
  for (const Stage *next : stages)
    if (next->parent == &stage && (next->isMLIR() || next == &Stage::LLVM) &&
        needs(*next))
      branches.push_back({next, nullptr});
  for (const TargetBackend *backend : backends)
    if (needs(*backend, stage))
      branches.push_back({nullptr, backend});
  auto *way = llvm::find_if(branches, [&](const Branch &branch) {
    return target &&
           (branch.backend ? branch.backend == target
                           : branch.stage->isAncestor(*inputs.front()));
  });
  if (way != branches.end())
    std::rotate(way, way + 1, branches.end());
  return branches;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// `printable` as a file has it.
template <typename Printable>
static std::string print(const Printable &printable) {
  std::string text;
  llvm::raw_string_ostream(text) << printable;
  return text;
}

/// The same, with what the options say that later stages need.
static std::string print(ModuleOp module, const CompileOptions &options) {
  OpPrintingFlags flags;
  flags.enableDebugInfo(getDebugInfo(options) != DebugInfo::None);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, flags);
  return text;
}

LogicalResult Compilation::keep(const Stage &stage, std::string text,
                                ModuleOp module) {
  if (!options.dumpStages.empty()) {
    auto number = llvm::find(stages, &stage) - stages.begin() + 1;
    SmallString<128> path(options.dumpStages);
    llvm::sys::path::append(path, Twine(number) + "-" + stage.name + "." +
                                      stage.extension);
    std::error_code code =
        llvm::sys::fs::create_directories(options.dumpStages);
    if (!code) {
      llvm::raw_fd_ostream file(path, code);
      if (!code) {
        file << text;
        // An error that is left in a stream ends the process with it.
        file.close();
        code = file.error();
        file.clear_error();
      }
    }
    if (code)
      return emitError(UnknownLoc::get(module.getContext()), "cannot write '")
             << path << "': " << code.message();
  }
  if (options.emit == &stage)
    result->emitted = std::move(text);
  return success();
}

void Compilation::writeTimes() {
  llvm::raw_string_ostream stream(result->times);
  llvm::json::OStream json(stream);
  json.object([&] {
    for (auto [what, time] : times)
      json.attribute(what, time);
  });
}

//===----------------------------------------------------------------------===//
// Stages of MLIR
//===----------------------------------------------------------------------===//

/// Erases all kernels of a module in stage gpu but the one called `name`.
static LogicalResult selectKernel(ModuleOp module, StringRef name) {
  SmallVector<gpu::GPUFuncOp> others;
  bool isFound = false;
  module.walk([&](gpu::GPUFuncOp function) {
    if (function.getName() == name)
      isFound = true;
    else if (function.isKernel() && !kChild.isOn(function))
      others.push_back(function);
  });
  if (!isFound) {
    InFlightDiagnostic error = module.emitError("expects a kernel named '")
                               << name << "' but got "
                               << (others.empty() ? "none" : "only ");
    llvm::interleaveComma(others, error, [&](gpu::GPUFuncOp function) {
      error << "'" << function.getName() << "'";
    });
    return error;
  }
  for (gpu::GPUFuncOp function : others)
    function.erase();
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>())
    eraseUnlaunchedChildren(gpuModule);
  return success();
}

std::vector<std::string> Compilation::getKernelNames() const {
  std::vector<std::string> names;
  for (const KernelInterface &kernel : result->interface.kernels)
    names.push_back(kernel.name);
  return names;
}

LogicalResult Compilation::lower(ModuleOp module, const Stage &stage) {
  // What the options of a compilation or of a back end say.
  PassManager own(module.getContext());
  own.enableVerifier(false);
  if (&stage == &Stage::GPU && !options.kernel.empty()) {
    SelectKernelPassOptions passOptions;
    passOptions.kernel = options.kernel;
    own.addPass(createSelectKernelPass(passOptions));
    result->reproduceFlags.push_back("--pyk-select-kernel=kernel=" +
                                     options.kernel);
  }
  if (!own.empty() && failed(own.run(module)))
    return failure();
  if (failed(passes.get(stage, options).run(module)))
    return failure();
  stop(stage.name);
  // The command makes what the target does; other ways are only looked at.
  if (!target || stage.isAncestor(*inputs.front()))
    result->reproduceFlags.push_back(getLoweringFlag(stage, options));
  return success();
}

FailureOr<bool> Compilation::tryInput(ModuleOp module, const Stage &stage) {
  tried = module.clone();
  triedStage = &stage;
  if (failed(passes.get(stage, options).run(*tried)))
    return failure();
  stop(stage.name);
  if (target->accepts(*tried, stage))
    return true;
  tried = nullptr;
  triedStage = nullptr;
  return false;
}

/// Whether there are kernels as in stage gpu.
static bool hasKernels(ModuleOp module) {
  return module
      .walk([](gpu::GPUFuncOp function) {
        return function.isKernel() ? WalkResult::interrupt()
                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

const TargetBackend *Compilation::getAskedFor() const {
  return target || !options.emit ? target : getOwner(*options.emit);
}

void Compilation::explain(ModuleOp module, const Stage &stage) {
  if (&stage == &Stage::Pyk) {
    PassManager pm(module.getContext());
    pm.addPass(createExplainPrecisionPass());
    // It only makes remarks.
    (void)pm.run(module);
  } else if (&stage == &Stage::GPU) {
    if (const TargetBackend *backend = getAskedFor())
      backend->explain(module, options);
  }
}

/// Checks that `module`, which was read in `stage`, is what passes leave there.
/// In stages py and pyk only the ops at its top are checked: functions may hold
/// ops of any dialect that their target knows.
static LogicalResult verifyRead(ModuleOp module, const Stage &stage) {
  if (&stage != &Stage::GPU) {
    bool isPy = &stage == &Stage::Py;
    for (Operation &op : *module.getBody())
      if (!isa<pyk::FuncOp>(op) && !(isPy && isa<py::FuncOp>(op)))
        return op.emitError("expects only functions of ")
               << (isPy ? "py or pyk" : "pyk")
               << " at the top of a module in stage " << stage.name
               << " but got '" << op.getName() << "'";
    return success();
  }
  // Without kernels, it holds what a target has made of them.
  if (!hasKernels(module))
    return success();
  PassManager pm(module.getContext());
  VerifyStagePassOptions options;
  options.stage = stage.name.str();
  pm.addPass(createVerifyStagePass(options));
  return pm.run(module);
}

LogicalResult Compilation::walk(ModuleOp module, const Stage &stage) {
  if (&stage == first && failed(verifyRead(module, stage)))
    return failure();
  if (&stage == &Stage::GPU)
    if (const TargetBackend *backend = getAskedFor())
      if (failed(backend->check(module)))
        return failure();
  if (options.explain)
    explain(module, stage);
  if (wants(stage) && failed(keep(stage, print(module, options), module)))
    return failure();
  SmallVector<Branch> branches = getBranches(stage);
  if (&stage == &Stage::GPU && !branches.empty()) {
    // A module that was read in this stage has met no pass that chooses.
    if (first == &Stage::GPU && !options.kernel.empty() &&
        failed(selectKernel(module, options.kernel)))
      return failure();
    if (failed(reader.readParameters(module, isLaunchedOnHost())))
      return failure();
  }
  // Its own stages may have added parameters.
  if (target && stage.parent == &Stage::GPU && getOwner(stage) == target &&
      hasKernels(module) &&
      failed(reader.readParameters(module, isLaunchedOnHost())))
    return failure();
  // Another way may be left for what the target does not take on the best.
  while (inputs.size() > 1 && stage.isAncestor(*inputs.front()) &&
         &stage != inputs.front()) {
    const Stage *next = inputs.front();
    while (next->parent != &stage)
      next = next->parent;
    if (next->isAncestor(*inputs[1]))
      break;
    auto isTaken = tryInput(module, *next);
    if (failed(isTaken))
      return failure();
    if (*isTaken)
      break;
    inputs.erase(inputs.begin());
    branches = getBranches(stage);
  }
  for (const Branch &branch : branches) {
    bool isLast = &branch == &branches.back();
    if (branch.backend) {
      auto give = [&](bool) {
        return LoweredModule{module.clone(), nullptr, getKernelNames()};
      };
      if (failed(finish(*branch.backend, module, stage, give)))
        return failure();
      continue;
    }
    if (branch.stage == &Stage::LLVM) {
      if (failed(walkLLVM(module)))
        return failure();
      continue;
    }
    OwningOpRef<ModuleOp> copy;
    if (branch.stage == triedStage)
      copy = std::move(tried);
    else if (!isLast)
      copy = module.clone();
    ModuleOp own = copy ? *copy : module;
    if (branch.stage == triedStage)
      result->reproduceFlags.push_back(getLoweringFlag(*triedStage, options));
    else if (failed(lower(own, *branch.stage)))
      return failure();
    if (failed(walk(own, *branch.stage)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Behind MLIR
//===----------------------------------------------------------------------===//

LogicalResult Compilation::walkLLVM(ModuleOp module) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> ir =
      translateToLLVMIR(module, context, getDebugInfo(options));
  if (!ir)
    return failure();
  stop(Stage::LLVM.name);
  if (wants(Stage::LLVM) && failed(keep(Stage::LLVM, print(*ir), module)))
    return failure();
  SmallVector<Branch> branches = getBranches(Stage::LLVM);
  for (const Branch &branch : branches) {
    auto give = [&](bool isLast) {
      isLast &= &branch == &branches.back();
      return LoweredModule{nullptr,
                           isLast ? std::move(ir) : llvm::CloneModule(*ir),
                           getKernelNames()};
    };
    if (failed(finish(*branch.backend, module, Stage::LLVM, give)))
      return failure();
  }
  return success();
}

/// Where `message`, an error about LLVM IR, is to be shown: at the op of
/// `module` that made the intrinsic or calls the function it names, if any.
static Location findLocationOf(StringRef message, ModuleOp module) {
  Location place = module.getLoc();
  module.walk([&](Operation *op) {
    std::string name = ("'llvm." + op->getName().getStringRef()).str();
    if (auto call = dyn_cast<LLVM::CallOp>(op); call && call.getCallee())
      name = ("'" + *call.getCallee() + "'").str();
    if (!message.contains(name))
      return WalkResult::advance();
    place = op->getLoc();
    return WalkResult::interrupt();
  });
  return place;
}

LogicalResult
Compilation::finish(const TargetBackend &backend, ModuleOp module,
                    const Stage &start,
                    llvm::function_ref<LoweredModule(bool isLast)> give) {
  auto fail = [&](llvm::Error error) {
    std::string message = llvm::toString(std::move(error));
    return LogicalResult(emitError(findLocationOf(message, module), message));
  };
  bool isTarget = &backend == target && inputs.front() == &start;
  SmallVector<const Stage *> texts;
  const Stage *ofCode = nullptr;
  for (const Stage *stage : backend.getStages()) {
    if (stage->isMLIR() || stage->parent != &start || !wants(*stage))
      continue;
    if (isTarget && stage->name == backend.getFormat())
      ofCode = stage;
    else
      texts.push_back(stage);
  }
  for (const Stage *stage : texts) {
    bool isLast = !isTarget && stage == texts.back();
    auto text = backend.print(*stage, give(isLast), options);
    if (!text)
      return fail(text.takeError());
    stop(stage->name);
    if (failed(keep(*stage, std::move(*text), module)))
      return failure();
  }
  if (!isTarget)
    return success();
  reader.readFailures(module);
  auto code = backend.emit(give(/*isLast=*/true), options);
  if (!code)
    return fail(code.takeError());
  stop(backend.getFormat());
  result->code = std::move(*code);
  return ofCode ? keep(*ofCode, result->code.bytes, module) : success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// The stage that `module` is in; null if it is in none that can be lowered.
static const Stage *findFirstStage(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    if (isa<py::FuncOp>(op))
      return &Stage::Py;
    if (isa<pyk::FuncOp>(op))
      return &Stage::Pyk;
    if (isa<gpu::GPUModuleOp>(op))
      return &Stage::GPU;
  }
  return nullptr;
}

std::unique_ptr<CompiledModule> Compilation::run(ModuleOp module,
                                                 const SourceText &sources) {
  if (!options.target.empty()) {
    auto found = findBackend(options.target);
    if (!found) {
      emitError(UnknownLoc::get(module.getContext()),
                llvm::toString(found.takeError()));
      return nullptr;
    }
    target = result->target = *found;
    inputs = target->getInputs(options);
  }
  first = findFirstStage(module);
  if (!first) {
    module.emitError("expects a module with a py.func, pyk.func or gpu.module");
    return nullptr;
  }
  if (options.emit && !first->isAncestor(*options.emit)) {
    module.emitError("expects a file of stage ")
        << options.emit->name << " or earlier but got one of stage "
        << first->name;
    return nullptr;
  }
  reader.readArguments(module);
  std::optional<RemarkCollector> remarks;
  if (options.explain) {
    const TargetBackend *explained = getAskedFor();
    remarks.emplace(module.getContext(), explained ? explained->getName() : "",
                    sources);
  }
  if (failed(walk(module, *first)))
    return nullptr;
  if (remarks)
    result->remarks = remarks->getTexts();
  if (target) {
    if (!target->isForBlockShape(*inputs.front()))
      reader.forgetBlockShapes();
    std::string flag = target->getReproduceFlag(options, *inputs.front());
    if (!flag.empty())
      result->reproduceFlags.push_back(std::move(flag));
    result->manifest =
        writeManifest(result->interface, target->getName(), result->code);
  }
  writeTimes();
  return std::move(result);
}
