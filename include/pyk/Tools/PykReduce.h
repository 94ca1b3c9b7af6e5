// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool that makes files of MLIR smaller.

#ifndef PYK_TOOLS_PYKREDUCE_H
#define PYK_TOOLS_PYKREDUCE_H

#include "llvm/ADT/StringRef.h"

namespace pyk {

/// Makes the MLIR of `inputFile` smaller as long as the program `test` succeeds
/// on a file that holds it, and writes it to `outputFile`, `-` for standard
/// output. Says what is wrong on standard error. The status of the tool.
int reduceFile(llvm::StringRef inputFile, llvm::StringRef test,
               llvm::StringRef outputFile);

} // namespace pyk

#endif // PYK_TOOLS_PYKREDUCE_H
