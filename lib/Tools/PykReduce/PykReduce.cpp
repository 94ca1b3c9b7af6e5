// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk-reduce does: reads a file, and writes what is left of it.

#include "pyk/Tools/PykReduce.h"
#include "Reducer.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "pyk/InitAll.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

/// Says why the tool ends; its status.
static int fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "pyk-reduce") << message << '\n';
  return 1;
}

namespace {

/// A program that says of files whether they show what is looked for.
class Test {
public:
  explicit Test(std::string program) : program(std::move(program)) {}
  /// Makes the file that the program is given the name of.
  std::error_code makeFile() {
    std::error_code error =
        llvm::sys::fs::createTemporaryFile("pyk-reduce", "mlir", path);
    remover.setFile(path);
    return error;
  }

  /// True if the program succeeds on a file that holds `module`; `error` says
  /// why there is no such file.
  bool succeeds(ModuleOp module);

  std::error_code error;
  unsigned runs = 0;

private:
  std::string program;
  SmallString<128> path;
  llvm::FileRemover remover;
};

} // namespace

bool Test::succeeds(ModuleOp module) {
  if (error)
    return false;
  {
    llvm::raw_fd_ostream os(path, error);
    if (error)
      return false;
    module.print(os);
    os.close();
    error = os.error();
    os.clear_error();
    if (error)
      return false;
  }
  ++runs;
  // What it prints is of no interest.
  std::optional<StringRef> nowhere = "";
  return llvm::sys::ExecuteAndWait(program, {program, path}, std::nullopt,
                                   {nowhere, nowhere, nowhere}) == 0;
}

int pyk::reduceFile(StringRef inputFile, StringRef test, StringRef outputFile) {
  DialectRegistry registry;
  pyk::registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(inputFile, &context);
  if (!module)
    return 1;
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(test);
  if (!program || !llvm::sys::fs::can_execute(*program))
    return fail("cannot run '" + test + "'");
  // Before the work, so that none is lost.
  std::string message;
  auto output = openOutputFile(outputFile, &message);
  if (!output)
    return fail(message);
  Test said(*program);
  if (std::error_code error = said.makeFile())
    return fail("cannot make a temporary file: " + error.message());
  unsigned before = countOps(*module);
  bool shows = said.succeeds(*module);
  if (shows)
    module = reduce(std::move(module), [&](ModuleOp candidate) {
      return said.succeeds(candidate);
    });
  if (said.error)
    return fail("cannot write a temporary file: " + said.error.message());
  if (!shows)
    return fail("'" + test + "' does not succeed on " + inputFile + " itself");
  module->print(output->os());
  output->keep();
  llvm::errs() << "pyk-reduce: " << countOps(*module) << " of " << before
               << " ops are left, after " << said.runs << " runs of the test\n";
  return 0;
}
