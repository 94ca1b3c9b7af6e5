// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk-run does with a file of MLIR: compile, then print a stage, or launch
// and show arguments.

#include "Crash.h"
#include "Cubin.h"
#include "Errors.h"
#include "LaunchArgument.h"
#include "Options.h"
#include "pyk-c/Tools.h"
#include "pyk/Compiler/Compiler.h"
#include "pyk/InitAll.h"
#include "pyk/runtime/Warning.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdlib>

using namespace llvm;
using namespace pyk;
using namespace pyk::run;

char UsageError::ID;

namespace {

/// An error that already says where it is, as `pyk::render` shows it.
class LocatedError : public ErrorInfo<LocatedError> {
public:
  explicit LocatedError(std::string text) : text(std::move(text)) {}
  void log(raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return inconvertibleErrorCode();
  }
  static char ID;

private:
  std::string text;
};

char LocatedError::ID;

} // namespace

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static Expected<std::unique_ptr<MemoryBuffer>> read(const Options &options) {
  auto buffer = MemoryBuffer::getFileOrSTDIN(options.file);
  if (!buffer)
    return usageError("cannot read '" + options.file +
                      "': " + buffer.getError().message());
  return std::move(*buffer);
}

/// The target that is compiled for; empty if only texts are wanted.
static std::string chooseTarget(const Options &options) {
  // What is neither launched nor written is only to be reproduced.
  bool isUsed = options.launches() || options.emit == Emit::Artifact;
  if (!options.compile.emit && (isUsed || !options.reproduce)) {
    if (options.target != "auto")
      return options.target;
    for (const TargetBackend *backend : getBackends())
      if (backend->launchesOnHost())
        return backend->getName().str();
    return "";
  }
  // The command that --reproduce prints goes on behind the stage, to PTX if all
  // targets have that.
  if (!options.reproduce)
    return "";
  const TargetBackend *owner = getOwner(*options.compile.emit);
  return owner ? owner->getName().str() : "cuda";
}

static Expected<std::unique_ptr<CompiledModule>> compile(const Options &options,
                                                         StringRef source) {
  CompileOptions compileOptions = options.compile;
  compileOptions.target = chooseTarget(options);
  // What is launched, or shown, stays in memory, and is for the blocks that the
  // command names.
  const Stage *emit = options.compile.emit;
  bool isOfTarget = options.launches() || (emit && getOwner(*emit));
  const char *bounds = std::getenv("PYK_BOUNDSCHECK");
  compileOptions.checkMemory =
      isOfTarget && !(bounds && StringRef(bounds) == "off");
  if (options.block && isOfTarget) {
    const auto &block = *options.block;
    compileOptions.block =
        (Twine(block[0]) + "x" + Twine(block[1]) + "x" + Twine(block[2])).str();
  }
  RenderedError error;
  StringRef name = options.file == "-" ? StringRef("<stdin>") : options.file;
  auto module = pyk::compile(source, name, compileOptions, error);
  if (!module)
    return make_error<LocatedError>(error.text);
  for (StringRef remark : module->getRemarks())
    errs() << remark << '\n';
  return module;
}

/// `word` as a shell must read it.
static std::string quote(StringRef word) {
  auto isPlain = [](char c) {
    return isAlnum(c) || StringRef("_-./=,+@%").contains(c);
  };
  if (!word.empty() && all_of(word, isPlain))
    return word.str();
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

static void printReproduction(const Options &options,
                              const CompiledModule &module) {
  // A name that looks like an option is none as a path.
  bool looksLikeOption =
      StringRef(options.file).starts_with("-") && options.file != "-";
  errs() << "pyk-opt " << (looksLikeOption ? "./" : "") << quote(options.file);
  for (StringRef flag : module.getReproduceFlags())
    errs() << ' ' << quote(flag);
  errs() << " -o /dev/null\n";
}

/// Writes `text` to the file `path`, or to standard output if that is empty.
static Error write(StringRef text, StringRef path) {
  std::error_code code;
  raw_fd_ostream os(path.empty() ? "-" : path, code);
  if (code)
    return usageError("cannot write '" + path + "': " + code.message());
  os << text;
  os.flush();
  code = os.error();
  os.clear_error();
  if (code)
    return programError("cannot write '" +
                        (path.empty() ? "standard output" : path) +
                        "': " + code.message());
  return Error::success();
}

static Error emit(const Options &options, const CompiledModule &module) {
  if (options.emit == Emit::Stage)
    return write(module.getEmitted(), options.output);
  if (options.emit == Emit::Artifact)
    return write(module.getArtifact(), options.output);
  auto cubin = assemble(module.getEmitted(), options.compile.chip);
  return cubin ? write(*cubin, options.output) : cubin.takeError();
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

static Expected<std::vector<LaunchArgument>>
parseArguments(const Options &options) {
  std::vector<LaunchArgument> arguments;
  for (const std::string &spec : options.arguments) {
    auto argument = LaunchArgument::parse(spec);
    if (!argument) {
      Error error = argument.takeError();
      if (!error.isA<UsageError>())
        return error;
      return usageError("--arg=" + spec + ": " + toString(std::move(error)));
    }
    arguments.push_back(std::move(*argument));
  }
  for (const Output &output : options.outputs)
    if (output.argument >= arguments.size())
      return usageError(output.option + " expects an argument below " +
                        Twine(arguments.size()) + " but got " +
                        Twine(output.argument));
  return arguments;
}

/// The kernel that is launched.
static Expected<CompiledKernel> chooseKernel(const CompiledModule &module) {
  if (module.getNumKernels() == 1)
    return module.getKernel();
  std::string names;
  for (unsigned i = 0; i < module.getNumKernels(); ++i)
    names += (i ? ", '" : "'") + module.getKernel(i).getName().str() + "'";
  return usageError("a launch expects --kernel=NAME, one of " + Twine(names));
}

/// Compares `arguments` with what `kernel` takes.
static Error checkArguments(const CompiledKernel &kernel,
                            ArrayRef<LaunchArgument> arguments) {
  ArrayRef<ArgumentType> types = kernel.getArgumentTypes();
  if (types.size() != arguments.size())
    return usageError(
        "kernel '" + kernel.getName() + "' expects " + Twine(types.size()) +
        (types.size() == 1 ? " argument" : " arguments") + " but got " +
        Twine(arguments.size()) +
        "; pass one --arg for each: " + join(map_range(types, describe), ", "));
  for (auto [index, type] : enumerate(types)) {
    std::string name = type.name.empty() ? "" : " ('" + type.name + "')";
    if (!arguments[index].matches(type))
      return usageError("parameter " + Twine(index) + name + " of kernel '" +
                        kernel.getName() + "' expects " + describe(type) +
                        " but got " + arguments[index].getTypeName());
  }
  return Error::success();
}

/// Tells of what kernels did not do.
static void printWarnings() {
  while (auto warning = runtime::takeWarning()) {
    if (!warning->file.empty())
      errs() << warning->file << ':' << warning->line << ": ";
    errs() << "warning: " << warning->message << '\n';
  }
}

/// Launches and returns the milliseconds of each launch.
static Expected<std::vector<double>>
launch(const Options &options, const CompiledKernel &kernel,
       MutableArrayRef<LaunchArgument> arguments) {
  SmallVector<KernelArgument> passed;
  for (auto [argument, type] : zip(arguments, kernel.getArgumentTypes())) {
    Layout layout = type.layout == Layout::F ? Layout::F : Layout::C;
    if (Error error = argument.setLayout(layout))
      return error;
    passed.push_back(argument.get());
  }
  runtime::LaunchShape shape;
  copy(*options.grid, shape.grid);
  copy(*options.block, shape.block);
  shape.dynamicSharedBytes = options.sharedBytes;
  std::vector<double> times;
  for (int64_t i = 0; i != options.repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    runtime::Status status = kernel.launch(shape, passed);
    printWarnings();
    if (!status.ok())
      return programError(status.message());
    times.push_back(std::chrono::duration<double, std::milli>(
                        std::chrono::steady_clock::now() - start)
                        .count());
  }
  for (LaunchArgument &argument : arguments)
    if (Error error = argument.setLayout(Layout::C))
      return error;
  return times;
}

static Error showArguments(const Options &options,
                           ArrayRef<LaunchArgument> arguments) {
  std::string text;
  raw_string_ostream os(text);
  for (const Output &output : options.outputs) {
    const LaunchArgument &argument = arguments[output.argument];
    if (!output.path.empty()) {
      if (Error error = argument.save(output.path))
        return error;
      continue;
    }
    os << output.argument << ": ";
    argument.print(os, options.printAll);
  }
  return write(text, "");
}

static void printCompileTimes(const CompiledModule &module) {
  auto times = json::parse(module.getTimes());
  if (!times) {
    consumeError(times.takeError());
    return;
  }
  const json::Object &values = *times->getAsObject();
  SmallVector<StringRef> steps = {"read"};
  for (const Stage *stage : getStages())
    steps.push_back(stage->name);
  for (const TargetBackend *backend : getBackends())
    if (!is_contained(steps, backend->getFormat()))
      steps.push_back(backend->getFormat());
  for (StringRef step : steps)
    if (auto time = values.getNumber(step))
      errs() << "compile " << left_justify(step, 10)
             << format("%9.3f ms\n", *time);
}

static void printLaunchTimes(std::vector<double> times) {
  sort(times);
  errs() << format(
      "launch  min %.4f ms, median %.4f ms, max %.4f ms (%zu %s)\n",
      times.front(), times[times.size() / 2], times.back(), times.size(),
      times.size() == 1 ? "launch" : "launches");
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Makes the folder of --dump-stages, before any work is lost for want of it.
static Error makeFolder(StringRef path) {
  std::error_code code = sys::fs::create_directories(path);
  if (!code)
    code = sys::fs::access(path, sys::fs::AccessMode::Write);
  if (code)
    return usageError("option --dump-stages expects a folder to write to but "
                      "got '" +
                      path + "': " + code.message());
  return Error::success();
}

/// Checks that what --save asks for can be written, before the launch.
static Error checkOutputs(const Options &options) {
  for (const Output &output : options.outputs) {
    if (output.path.empty())
      continue;
    std::error_code code;
    StringRef folder = sys::path::parent_path(output.path);
    if (sys::fs::is_directory(output.path))
      code = std::make_error_code(std::errc::is_a_directory);
    else if (sys::fs::exists(output.path))
      code = sys::fs::access(output.path, sys::fs::AccessMode::Write);
    else
      code = sys::fs::access(folder.empty() ? "." : folder,
                             sys::fs::AccessMode::Write);
    if (code)
      return usageError("cannot write '" + output.path +
                        "': " + code.message());
  }
  return Error::success();
}

static Error runFile(const Options &options) {
  if (options.target != "auto" && options.launches() &&
      !(*findBackend(options.target))->launchesOnHost())
    return programError("launches kernels in MLIR on the CPU only; use "
                        "--target=cpu, or --emit=ptx to see the PTX");
  auto source = read(options);
  if (!source)
    return source.takeError();
  if (options.launches() && (!options.grid || !options.block))
    return usageError("a launch requires --grid=X[,Y[,Z]] and "
                      "--block=X[,Y[,Z]]; --emit=STAGE only prints");
  if (!options.compile.dumpStages.empty())
    if (Error error = makeFolder(options.compile.dumpStages))
      return error;
  auto arguments = parseArguments(options);
  if (!arguments)
    return arguments.takeError();
  if (Error error = checkOutputs(options))
    return error;
  auto module = compile(options, (*source)->getBuffer());
  if (!module)
    return module.takeError();
  if (options.reproduce)
    printReproduction(options, **module);
  if (options.time)
    printCompileTimes(**module);
  if (options.emit != Emit::Nothing)
    return emit(options, **module);
  if (!options.launches())
    return Error::success();
  auto kernel = chooseKernel(**module);
  if (!kernel)
    return kernel.takeError();
  if (Error error = checkArguments(*kernel, *arguments))
    return error;
  auto times = launch(options, *kernel, *arguments);
  if (!times)
    return times.takeError();
  if (options.time)
    printLaunchTimes(std::move(*times));
  return showArguments(options, *arguments);
}

static Error runCommandLine(ArrayRef<StringRef> words) {
  auto options = parseOptions(words);
  if (!options)
    return options.takeError();
  if (options->help)
    printHelp(outs());
  else if (options->version)
    outs() << "pyk-run " PYK_VERSION "\n";
  else
    return runFile(*options);
  return Error::success();
}

int pyk_run_main(int argc, char **argv) {
  installCrashHandlers();
  registerAllBackends();
  SmallVector<StringRef> words(argv + 1, argv + argc);
  int status = 0;
  handleAllErrors(
      runCommandLine(words),
      [&](const UsageError &error) {
        status = 2;
        errs() << "pyk-run: error: ";
        error.log(errs());
        errs() << '\n';
      },
      [&](const LocatedError &error) {
        status = 1;
        error.log(errs());
        errs() << '\n';
      },
      [&](const ErrorInfoBase &error) {
        status = 1;
        errs() << "pyk-run: error: " << error.message() << '\n';
      });
  // In a Python process nothing else does, or too late.
  outs().flush();
  return status;
}
