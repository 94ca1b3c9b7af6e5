// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool that makes files of MLIR smaller; what it does is in
// lib/Tools/PykReduce.

#include "pyk/Tools/PykReduce.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::OptionCategory category("Options");

static llvm::cl::opt<std::string> inputFile(llvm::cl::Positional,
                                            llvm::cl::Required,
                                            llvm::cl::desc("FILE"),
                                            llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    test("test", llvm::cl::Required, llvm::cl::value_desc("program"),
         llvm::cl::desc("is given the name of a file, and succeeds (status 0) "
                        "if the file still shows what is looked for"),
         llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    outputFile("o", llvm::cl::init("-"), llvm::cl::value_desc("file"),
               llvm::cl::desc("where the result goes"),
               llvm::cl::cat(category));

int main(int argc, char **argv) {
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(
      argc, argv,
      "Makes a file of MLIR smaller as long as a test succeeds on it.\n");
  return pyk::reduceFile(inputFile, test, outputFile);
}
