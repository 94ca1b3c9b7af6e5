// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk-reduce does: reads a file, and writes what is left of it.

#include "pyk/Tools/PykReduce.h"
#include "Reducer.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "pyk/InitAll.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

/// Says why the tool ends; its status.
static int fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "pyk-reduce") << message << '\n';
  return 1;
}

/// True if `program` succeeds on a file that holds `module`.
static bool succeeds(StringRef program, ModuleOp module) {
  SmallString<128> path;
  int descriptor = 0;
  if (llvm::sys::fs::createTemporaryFile("pyk-reduce", "mlir", descriptor,
                                         path))
    return false;
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    module.print(os);
  }
  // What it prints is of no interest.
  std::optional<StringRef> nowhere = "";
  int status = llvm::sys::ExecuteAndWait(program, {program, path}, std::nullopt,
                                         {nowhere, nowhere, nowhere});
  llvm::sys::fs::remove(path);
  return status == 0;
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
  unsigned before = countOps(*module), runs = 1;
  if (!succeeds(*program, *module))
    return fail("'" + test + "' does not succeed on " + inputFile + " itself");
  module = reduce(std::move(module), [&](ModuleOp candidate) {
    ++runs;
    return succeeds(*program, candidate);
  });

  std::string message;
  auto output = openOutputFile(outputFile, &message);
  if (!output)
    return fail(message);
  module->print(output->os());
  output->keep();
  llvm::errs() << "pyk-reduce: " << countOps(*module) << " of " << before
               << " ops are left, after " << runs << " runs of the test\n";
  return 0;
}
