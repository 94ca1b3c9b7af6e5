// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instructions code for a processor may use, for the compiler, which uses
// them, and for the loader of images, which requires them.

#ifndef PYK_RUNTIME_CPUFEATURES_H
#define PYK_RUNTIME_CPUFEATURES_H

#include "pyk/runtime/Export.h"
#include "pyk/runtime/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pyk::runtime {

/// A kind of processor that there is code for.
struct CpuArchitecture {
  /// As target triples have it.
  std::string_view name;
  /// As ELF has it in `e_machine`.
  uint32_t number;
  /// The largest page that such machines have.
  uint64_t pageBytes;
  /// The names of its rows of CpuFeatures.def, in order, as LLVM writes them.
  std::vector<std::string_view> features;
};

/// What code may be made for.
struct CpuTarget {
  const CpuArchitecture *architecture;
  /// A bit for each of its features that code may use, the first the lowest.
  uint64_t features;
};

/// The kind of this processor.
PYK_RUNTIME_EXPORT const CpuArchitecture &getHostArchitecture();

/// A bit for each feature of that architecture, the first the lowest: set if
/// this processor has it and the system lets programs use it. Found out once.
PYK_RUNTIME_EXPORT uint64_t getHostCpuFeatures();

/// The processors that `level` names: "native" is this one, and whatever the
/// environment variable PYK_CPU_LEVEL leaves of it; the others are all that
/// have at least what the level of an architecture has, such as "x86-64-v3" or
/// "armv8-a", which this one need not be of. PYK_CPU_LEVEL is read once.
/// \return an error if `level` names none, or that variable.
PYK_RUNTIME_EXPORT Result<CpuTarget> getCpuTarget(std::string_view level);

/// Whether code for `target` runs on this processor.
PYK_RUNTIME_EXPORT bool runsHere(const CpuTarget &target);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_CPUFEATURES_H
