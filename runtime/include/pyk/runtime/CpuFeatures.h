// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the running processor has of CpuFeatures.def, for the compiler, which
// uses it, and for the loader of images, which requires it.

#ifndef PYK_RUNTIME_CPUFEATURES_H
#define PYK_RUNTIME_CPUFEATURES_H

#include "pyk/runtime/Export.h"
#include "pyk/runtime/Status.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace pyk::runtime {

/// The names of all rows, in order, as LLVM writes them.
PYK_RUNTIME_EXPORT const std::vector<std::string_view> &getCpuFeatureNames();

/// A bit for each row, the first the lowest: set if this processor has the
/// feature and the system lets programs use it. Found out once.
PYK_RUNTIME_EXPORT uint64_t getHostCpuFeatures();

/// Of these the ones that the compiler may use: all, or those of the level of
/// the architecture that the environment variable PYK_CPU_LEVEL names. Found
/// out once.
/// \return an error if it names no level.
PYK_RUNTIME_EXPORT Result<uint64_t> getUsedCpuFeatures();

} // namespace pyk::runtime

#endif // PYK_RUNTIME_CPUFEATURES_H
