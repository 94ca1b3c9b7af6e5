// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of several files made into one, by the driver's linker.

#ifndef PYK_RUNTIME_LIB_CUDA_CUDALINK_H
#define PYK_RUNTIME_LIB_CUDA_CUDALINK_H

#include "CudaContext.h"
#include "JitOptions.h"

#include <string>
#include <string_view>
#include <vector>

namespace pyk::runtime {

/// Whether `code`, PTX, calls CUDA's device runtime: kernels launch kernels.
bool needsDeviceRuntime(std::string_view code);

/// The path of CUDA's device runtime, a library, in the toolkit that CUDA_HOME
/// or CUDA_PATH names, or else in the usual place. Fails with NotFound.
Result<std::string> findDeviceRuntime(std::string_view doing);

/// A cubin of `code`, PTX or a cubin called `name` that ends with a zero, and
/// of the files at `paths`, whose endings say what they are. Fails with
/// InvalidArgument for another ending and with InvalidImage as the linker does,
/// with its log.
Result<std::string> link(CudaContext &context, const std::string &doing,
                         const std::string &name, const std::string &code,
                         const std::vector<std::string> &paths,
                         JitOptions &options);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CUDA_CUDALINK_H
