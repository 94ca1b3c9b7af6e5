// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk-opt does: run PyK's passes and pipelines on MLIR, and nothing else.

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "pyk-c/Tools.h"
#include "pyk/InitAll.h"
#include "pyk/Support/TextChecks.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Checks a file before MLIR reads it; prints what is wrong.
static LogicalResult check(llvm::MemoryBufferRef input) {
  MLIRContext context;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(input), {});
  SourceMgrDiagnosticHandler handler(sources, &context);
  return pyk::checkText(input.getBuffer(), input.getBufferIdentifier(),
                        &context);
}

/// Runs the passes of `config` on a file and writes what they leave to another.
static LogicalResult optimize(StringRef inputName, StringRef outputName,
                              DialectRegistry &registry,
                              const MlirOptMainConfig &config) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input =
      openInputFile(inputName, &message);
  std::unique_ptr<llvm::ToolOutputFile> output =
      input ? openOutputFile(outputName, &message) : nullptr;
  if (!output) {
    llvm::errs() << message << "\n";
    return failure();
  }
  if (failed(check(input->getMemBufferRef())) ||
      failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

int pyk_opt_main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  pyk::registerAllDialects(registry);
  pyk::registerAllPasses();
  pyk::registerAllPipelines();
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "pyk-opt " PYK_VERSION " with MLIR " LLVM_VERSION_STRING "\n";
  });
  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv, "PyK's optimizer: runs passes on MLIR\n", registry);
  auto config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(
        MlirOptMain(argc, argv, inputName, outputName, registry));
  return asMainReturnCode(optimize(inputName, outputName, registry, config));
}
