// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From PTX to machine code of an NVIDIA GPU.

#ifndef PYK_LIB_TOOLS_PYKRUN_CUBIN_H
#define PYK_LIB_TOOLS_PYKRUN_CUBIN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace pyk::run {

/// Assembles `ptx` for `chip` with the ptxas of a CUDA toolkit, which is looked
/// for below CUDA_HOME, CUDA_PATH and /usr/local/cuda and then in PATH.
llvm::Expected<std::string> assemble(llvm::StringRef ptx, llvm::StringRef chip);

} // namespace pyk::run

#endif // PYK_LIB_TOOLS_PYKRUN_CUBIN_H
