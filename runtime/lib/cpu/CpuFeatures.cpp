// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the processor, through what the compiler or the system has for it.

#include "pyk/runtime/CpuFeatures.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

using namespace pyk::runtime;

const std::vector<std::string_view> &pyk::runtime::getCpuFeatureNames() {
  static const std::vector<std::string_view> names = {
#define PYK_CPU_FEATURE(name, isSupported) name,
#include "pyk/runtime/CpuFeatures.def"
  };
  return names;
}

uint64_t pyk::runtime::getHostCpuFeatures() {
  static const uint64_t features = [] {
    const bool supported[] = {
#define PYK_CPU_FEATURE(name, isSupported) (isSupported) != 0,
#include "pyk/runtime/CpuFeatures.def"
    };
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof(supported); ++i)
      bits |= uint64_t(supported[i]) << i;
    return bits;
  }();
  return features;
}
