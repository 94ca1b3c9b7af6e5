// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drives a kernel through the stages, one pass manager for each, and keeps what
// was asked for on the way.

#include "pyk/Compiler/Compiler.h"
#include "Contexts.h"
#include "Nesting.h"
#include "Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "pyk/Dialect/Py/Transforms/Passes.h"
#include "pyk/Dialect/Pyk/IR/PykOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Frontend/AstBuffer.h"
#include "pyk/Pipelines/Pipelines.h"
#include "pyk/Target/PTX.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <chrono>

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// One compilation
//===----------------------------------------------------------------------===//

namespace {

/// Most errors that one compilation reports.
constexpr unsigned kMaxErrors = 10;

/// Keeps the errors that are reported in `context`: the first, which says of
/// what class they are, and others about the program, with their texts below.
class ErrorCollector {
public:
  ErrorCollector(MLIRContext *context, const SourceText &sources,
                 RenderedError &error)
      : handler(context, [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            add(error, diagnostic, sources);
          return success();
        }) {}

private:
  void add(RenderedError &error, Diagnostic &diagnostic,
           const SourceText &sources) {
    bool isFirst = error.text.empty();
    // What has no class is about the compiler, after it has met an error.
    if (!isFirst &&
        (diagnostic.getMetadata().empty() || headlines.size() >= kMaxErrors))
      return;
    RenderedError rendered = render(diagnostic, sources);
    // A function that is called twice has its errors twice, which differ in
    // the notes.
    if (!headlines.insert(StringRef(rendered.text).split('\n').first).second)
      return;
    if (isFirst)
      error = std::move(rendered);
    else
      error.text += "\n" + rendered.text;
  }

  llvm::StringSet<> headlines;
  ScopedDiagnosticHandler handler;
};

} // namespace

namespace pyk {

/// The state of one compilation.
class Compilation {
public:
  Compilation(const CompileOptions &options)
      : options(options), kernel(std::make_unique<CompiledKernel>()) {}

  /// Lowers `module` to what the target loads; null after an error.
  std::unique_ptr<CompiledKernel> run(ModuleOp module);

  /// Measures from now on.
  void start() { last = Clock::now(); }
  /// Ascribes the time since the last call to `what`.
  void stop(StringRef what) {
    Clock::time_point now = Clock::now();
    times[what] +=
        std::chrono::duration<double, std::milli>(now - last).count();
    last = now;
  }

private:
  using Clock = std::chrono::steady_clock;

  void readArguments(ModuleOp module);
  void addKernelSelection(ModuleOp module, OpPassManager &pm);
  LogicalResult lowerInMLIR(ModuleOp module, Stage stage);
  /// Reads name, parameters and, if `stage` is the first, argument types of the
  /// kernel of a module in stage gpu.
  LogicalResult readInterface(ModuleOp module, Stage stage);
  LogicalResult lowerInLLVM(ModuleOp module);
  /// Reads how threads may fail from a module in stage nvvm.
  void readFailures(ModuleOp module);
  void writeManifest();

  /// True if the text of `stage` is wanted.
  bool wants(Stage stage) {
    return options.emit == stage || !options.dumpStages.empty();
  }
  /// True if all that is wanted is there.
  bool isDone() {
    return options.stopAtEmit && options.dumpStages.empty() && hasEmitted;
  }
  /// Keeps the text of `stage`, which is wanted.
  LogicalResult keep(ModuleOp module, Stage stage, std::string text);

  const CompileOptions &options;
  std::unique_ptr<CompiledKernel> kernel;
  /// Python argument of each argument of the pyk.func: those of type None have
  /// no representation.
  SmallVector<unsigned> argumentMap;
  /// True once the text of `options.emit` is there.
  bool hasEmitted = false;
  llvm::MapVector<StringRef, double> times;
  Clock::time_point last = Clock::now();
};

} // namespace pyk

/// The stage that `module` is in; none if it is in no stage that can be
/// lowered.
static std::optional<Stage> findStage(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    if (isa<py::FuncOp>(op))
      return Stage::Py;
    if (isa<pyk::FuncOp>(op))
      return Stage::Pyk;
    if (isa<gpu::GPUModuleOp>(op))
      return Stage::GPU;
  }
  return std::nullopt;
}

/// Text of `module` as a file has it.
static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

LogicalResult Compilation::keep(ModuleOp module, Stage stage,
                                std::string text) {
  if (!options.dumpStages.empty()) {
    StringRef extension = stage == Stage::PTX ? ".ptx"
                          : stage == Stage::LLVM || stage == Stage::Reference
                              ? ".ll"
                              : ".mlir";
    SmallString<128> path(options.dumpStages);
    llvm::sys::path::append(path, Twine(static_cast<unsigned>(stage) + 1) +
                                      "-" + stringifyStage(stage) + extension);
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
  if (options.emit == stage) {
    kernel->emitted = std::move(text);
    hasEmitted = true;
  }
  return success();
}

void Compilation::readArguments(ModuleOp module) {
  auto mayBeKernel = [&](StringRef name) {
    return options.kernel.empty() || name == options.kernel;
  };
  for (auto function : module.getOps<py::FuncOp>())
    if (function.getArgumentsAttr() && mayBeKernel(function.getSymName()))
      kernel->argumentTypes = getArgumentTypes(function);
  for (auto function : module.getOps<pyk::FuncOp>())
    if (function.getKernel() && mayBeKernel(function.getSymName()))
      kernel->argumentTypes = getArgumentTypes(function);
  for (auto [position, type] : llvm::enumerate(kernel->argumentTypes))
    if (type.kind != ArgumentType::Kind::None)
      argumentMap.push_back(position);
}

void Compilation::addKernelSelection(ModuleOp module, OpPassManager &pm) {
  auto functions = module.getOps<pyk::FuncOp>();
  auto isEntry = [](pyk::FuncOp function) {
    return function.getKernel() ||
           function->hasAttr(PykDialect::kExportAttrName);
  };
  if (options.kernel.empty() && llvm::count_if(functions, isEntry) == 1)
    return;
  SelectKernelPassOptions passOptions;
  passOptions.kernel = options.kernel;
  pm.addPass(createSelectKernelPass(passOptions));
  kernel->reproduceFlags +=
      "--pyk-select-kernel=kernel=" + options.kernel + " ";
}

LogicalResult Compilation::lowerInMLIR(ModuleOp module, Stage stage) {
  MLIRContext *context = module.getContext();
  if (wants(stage) && failed(keep(module, stage, print(module))))
    return failure();
  struct Step {
    Stage to;
    StringRef flag;
    std::function<void(OpPassManager &)> build;
  };
  LowerToPykOptions pykOptions;
  pykOptions.fma = options.fma;
  pykOptions.checkBounds = options.checkBounds;
  pykOptions.reportErrors = options.reportErrors;
  std::string toPyk = "--pyk-lower-to-pyk";
  std::string given;
  for (auto [isGiven, text] :
       {std::pair(!options.fma, "fma=false"),
        std::pair(options.checkBounds, "check-bounds"),
        std::pair(options.reportErrors, "report-errors")})
    if (isGiven)
      given += (given.empty() ? "" : " ") + std::string(text);
  if (!given.empty())
    toPyk +=
        given.find(' ') == std::string::npos ? "=" + given : "='" + given + "'";
  const Step steps[] = {
      {Stage::Pyk, toPyk,
       [&](OpPassManager &pm) { buildLowerToPykPipeline(pm, pykOptions); }},
      {Stage::GPU, "--pyk-lower-to-gpu", buildLowerToGPUPipeline},
      {Stage::NVVM, "--pyk-lower-to-nvvm", buildLowerToNVVMPipeline}};
  for (const Step &step : steps) {
    if (step.to <= stage)
      continue;
    if (isDone())
      return success();
    if (step.to == Stage::NVVM && failed(readInterface(module, stage)))
      return failure();
    PassManager pm(context);
    // The contract at the end of each stage checks what matters; verifying
    // after each pass would double the time of a small kernel.
    pm.enableVerifier(false);
    if (step.to == Stage::GPU)
      addKernelSelection(module, pm);
    step.build(pm);
    if (failed(pm.run(module)))
      return failure();
    stop(stringifyStage(step.to));
    kernel->reproduceFlags += step.flag.str() + " ";
    if (wants(step.to) && failed(keep(module, step.to, print(module))))
      return failure();
  }
  return success();
}

/// Bytes of the value of a kernel's parameter.
static unsigned getBytes(Type type) {
  if (auto number = dyn_cast<ComplexType>(type))
    return 2 * getBytes(number.getElementType());
  return type.isIntOrFloat()
             ? unsigned(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8))
             : unsigned(sizeof(void *));
}

LogicalResult Compilation::readInterface(ModuleOp module, Stage stage) {
  SmallVector<gpu::GPUFuncOp> kernels;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    for (auto function : gpuModule.getOps<gpu::GPUFuncOp>())
      if (function.isKernel())
        kernels.push_back(function);
    for (auto function : gpuModule.getOps<func::FuncOp>())
      if (function->hasAttr(PykDialect::kExportAttrName))
        kernel->name = function.getName().str();
  }
  // What is not launched has no interface but its own.
  if (kernels.empty() && !kernel->name.empty() &&
      options.target == Target::CUDA && !wants(Stage::Reference))
    return success();
  if (kernels.size() != 1)
    return module.emitError("expects one gpu.func that is a kernel but got ")
           << kernels.size();
  gpu::GPUFuncOp entry = kernels.front();
  // Earlier stages chose the kernel, whose name may have changed since.
  if (stage == Stage::GPU && !options.kernel.empty() &&
      entry.getName() != options.kernel)
    return module.emitError("expects a kernel named '")
           << options.kernel << "' but got only '" << entry.getName() << "'";
  auto abi = entry->getAttrOfType<AbiAttr>(PykDialect::kAbiAttrName);
  if (!abi)
    return entry.emitOpError("requires the attribute '")
           << PykDialect::kAbiAttrName << "'";
  kernel->name = entry.getName().str();
  kernel->prints =
      module.walk([](pyk::PrintOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  auto types = getArgumentTypes(entry, abi);
  if (failed(types))
    return failure();
  // What an earlier stage said is more precise.
  if (kernel->argumentTypes.empty())
    kernel->argumentTypes = std::move(*types);
  for (auto [parameter, type] :
       llvm::zip_equal(abi.getParameters(), entry.getArgumentTypes())) {
    unsigned argument = parameter.getArgument();
    if (!argumentMap.empty())
      argument = argumentMap[argument];
    kernel->parameters.push_back({parameter.getKind(), argument,
                                  parameter.getDimension(), getBytes(type)});
  }
  return success();
}

/// Where `message`, an error about LLVM IR, is to be shown: at the op of
/// `module` that made the intrinsic or calls the function it names, if any.
static Location findPlace(ModuleOp module, StringRef message) {
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

LogicalResult Compilation::lowerInLLVM(ModuleOp module) {
  auto fail = [&](llvm::Error error) {
    std::string message = llvm::toString(std::move(error));
    return LogicalResult(emitError(findPlace(module, message), message));
  };
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      translateToLLVMIR(module, *llvmContext);
  if (!llvmModule)
    return failure();
  stop(stringifyStage(Stage::LLVM));
  if (wants(Stage::LLVM)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvmModule->print(os, nullptr);
    if (failed(keep(module, Stage::LLVM, std::move(text))))
      return failure();
  }
  if (isDone())
    return success();
  bool needsPTX = options.target == Target::CUDA || wants(Stage::PTX);
  bool needsCPU = options.target == Target::CPU;
  if (wants(Stage::Reference)) {
    auto copy = std::make_unique<llvm::LLVMContext>();
    std::unique_ptr<llvm::Module> other = translateToLLVMIR(module, *copy);
    auto text =
        printReference({std::move(other), std::move(copy)}, kernel->name);
    if (!text)
      return fail(text.takeError());
    stop(stringifyStage(Stage::Reference));
    if (failed(keep(module, Stage::Reference, std::move(*text))))
      return failure();
  }
  if (needsPTX) {
    std::unique_ptr<llvm::Module> copy =
        needsCPU ? llvm::CloneModule(*llvmModule) : nullptr;
    PtxOptions ptxOptions;
    ptxOptions.chip = options.chip;
    auto text = compileToPTX(copy ? *copy : *llvmModule, ptxOptions);
    if (!text)
      return fail(text.takeError());
    stop(stringifyStage(Stage::PTX));
    if (options.target == Target::CUDA)
      kernel->ptx = *text;
    if (wants(Stage::PTX) && failed(keep(module, Stage::PTX, std::move(*text))))
      return failure();
  }
  if (needsCPU && !isDone()) {
    auto compiled = compileForCpu(
        {std::move(llvmModule), std::move(llvmContext)}, kernel->name);
    if (!compiled)
      return fail(compiled.takeError());
    kernel->cpu = std::move(*compiled);
    stop("object");
  }
  return success();
}

void Compilation::readFailures(ModuleOp module) {
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    auto failures =
        gpuModule->getAttrOfType<ArrayAttr>(PykDialect::kFailuresAttrName);
    if (!failures)
      continue;
    for (auto failure : failures.getAsRange<FailureAttr>())
      kernel->failures.push_back(
          {failure.getError().str(), failure.getMessage().str(),
           failure.getFunction().str(), failure.getFile().str(),
           failure.getLine(), failure.getException()});
  }
}

/// `text` as JSON can have it: what is no UTF-8 is replaced.
static std::string asUTF8(StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

void Compilation::writeManifest() {
  llvm::raw_string_ostream os(kernel->manifest);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("entry", kernel->name);
    json.attribute("target", options.target == Target::CPU ? "cpu" : "cuda");
    if (options.target == Target::CUDA)
      json.attribute("chip", options.chip);
    else
      json.attribute("abi_version", int64_t(PYK_RT_ABI_VERSION));
    json.attribute("arguments", int64_t(kernel->getNumArguments()));
    json.attributeArray("parameters", [&] {
      for (const auto &parameter : kernel->parameters)
        json.object([&] {
          json.attribute("kind", stringifyParameterKind(parameter.kind));
          json.attribute("argument", int64_t(parameter.argument));
          json.attribute("dimension", int64_t(parameter.dimension));
        });
    });
    json.attributeArray("failures", [&] {
      for (const KernelFailure &failure : kernel->failures)
        json.object([&] {
          json.attribute("error", asUTF8(failure.error));
          json.attribute("message", asUTF8(failure.message));
          json.attribute("function", asUTF8(failure.function));
          json.attribute("file", asUTF8(failure.file));
          json.attribute("line", int64_t(failure.line));
          json.attribute("exception", failure.exception);
        });
    });
    if (kernel->cpu)
      json.attribute("static_shared_bytes",
                     int64_t(kernel->cpu->getEntry().static_shared_bytes));
  });
  llvm::raw_string_ostream timeStream(kernel->times);
  llvm::json::OStream timeJson(timeStream);
  timeJson.object([&] {
    for (auto [what, time] : times)
      timeJson.attribute(what, time);
  });
}

std::unique_ptr<CompiledKernel> Compilation::run(ModuleOp module) {
  std::optional<Stage> stage = findStage(module);
  if (!stage) {
    module.emitError("expects a module with a py.func, pyk.func or gpu.module");
    return nullptr;
  }
  if (options.emit && *options.emit < *stage) {
    module.emitError("expects a file of stage ")
        << stringifyStage(*options.emit) << " or earlier but got one of stage "
        << stringifyStage(*stage);
    return nullptr;
  }
  readArguments(module);
  if (failed(lowerInMLIR(module, *stage)) ||
      (!isDone() && failed(lowerInLLVM(module))))
    return nullptr;
  readFailures(module);
  kernel->reproduceFlags += "--pyk-print-ptx=chip=" + options.chip;
  writeManifest();
  return std::move(kernel);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// True for an `ast` buffer; MLIR text may begin with `{-#`.
static bool isAstBuffer(StringRef source) {
  source = source.ltrim();
  return source.starts_with("{") && !source.starts_with("{-#");
}

/// Reads a module from an `ast` buffer or MLIR text; null after an error.
static OwningOpRef<ModuleOp> read(StringRef source, StringRef sourceName,
                                  MLIRContext *context, SourceText &sources) {
  if (isAstBuffer(source))
    return importAstBuffer(source, sourceName, context, &sources);
  sources.add(sourceName, 1, source);
  if (failed(checkNesting(source, sourceName, context)))
    return {};
  return parseSourceString<ModuleOp>(source, ParserConfig(context), sourceName);
}

std::unique_ptr<CompiledKernel> pyk::compile(StringRef source,
                                             StringRef sourceName,
                                             const CompileOptions &options,
                                             RenderedError &error) {
  Compilation compilation(options);
  PooledContext context;
  SourceText sources;
  ErrorCollector collector(context.get(), sources, error);
  compilation.start();
  OwningOpRef<ModuleOp> module =
      read(source, sourceName, context.get(), sources);
  if (!module)
    return nullptr;
  compilation.stop(isAstBuffer(source) ? stringifyStage(Stage::Py) : "read");
  return compilation.run(*module);
}

std::optional<std::string>
pyk::inferResult(StringRef source, StringRef sourceName, RenderedError &error) {
  PooledContext context;
  SourceText sources;
  ErrorCollector collector(context.get(), sources, error);
  OwningOpRef<ModuleOp> module =
      read(source, sourceName, context.get(), sources);
  if (!module)
    return std::nullopt;
  // Later, specializations have argument types, too.
  py::FuncOp entry;
  for (auto function : module->getOps<py::FuncOp>())
    if (function.getArgumentsAttr())
      entry = function;
  PassManager pm(context.get());
  py::InferTypesPassOptions options;
  options.allowResult = true;
  pm.addPass(py::createInferTypesPass(options));
  if (failed(pm.run(*module)))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  entry.getResult()->print(os);
  return text;
}

std::unique_ptr<CompiledKernel> pyk::compile(ModuleOp module,
                                             const CompileOptions &options,
                                             RenderedError &error) {
  Compilation compilation(options);
  SourceText sources;
  ErrorCollector collector(module.getContext(), sources, error);
  compilation.start();
  return compilation.run(module);
}
