// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the processor, through what the compiler or the system has for it.

#include "pyk/runtime/CpuFeatures.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include <cstdlib>
#include <iterator>
#include <string>

using namespace pyk::runtime;

/// The level of what no level has.
constexpr int beyondLevels = 100;

namespace {

/// A value of PYK_CPU_LEVEL.
struct Level {
  std::string_view name;
  /// The highest level of a feature that it allows.
  int most;
};

} // namespace

constexpr Level levels[] = {
    {"native", beyondLevels},
#if defined(__x86_64__)
    {"x86-64", 1},
    {"x86-64-v2", 2},
    {"x86-64-v3", 3},
    {"x86-64-v4", 4},
#elif defined(__aarch64__)
    {"armv8-a", 1},
#endif
};

const std::vector<std::string_view> &pyk::runtime::getCpuFeatureNames() {
  static const std::vector<std::string_view> names = {
#define PYK_CPU_FEATURE(name, level, isSupported) name,
#include "pyk/runtime/CpuFeatures.def"
  };
  return names;
}

uint64_t pyk::runtime::getHostCpuFeatures() {
  static const uint64_t features = [] {
    const bool supported[] = {
#define PYK_CPU_FEATURE(name, level, isSupported) (isSupported) != 0,
#include "pyk/runtime/CpuFeatures.def"
    };
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof(supported); ++i)
      bits |= uint64_t(supported[i]) << i;
    return bits;
  }();
  return features;
}

static Result<int> levelFromEnvironment() {
  const char *text = std::getenv("PYK_CPU_LEVEL");
  if (!text)
    return levels[0].most;
  std::string names;
  for (const Level &level : levels) {
    if (level.name == text)
      return level.most;
    if (!names.empty())
      names += &level == std::end(levels) - 1 ? " or " : ", ";
    names += level.name;
  }
  return Status::failure(
      StatusCode::InvalidArgument,
      "reading the environment variable PYK_CPU_LEVEL",
      "'" + std::string(text) + "' is not " + names,
      "set it to the instructions that code for the CPU may use, or unset it");
}

Result<uint64_t> pyk::runtime::getUsedCpuFeatures() {
  static const Result<uint64_t> features = []() -> Result<uint64_t> {
    Result<int> most = levelFromEnvironment();
    if (!most.ok())
      return most.status();
    const int levelsOfFeatures[] = {
#define PYK_CPU_FEATURE(name, level, isSupported) level,
#include "pyk/runtime/CpuFeatures.def"
    };
    uint64_t bits = 0;
    for (size_t i = 0; i < std::size(levelsOfFeatures); ++i)
      bits |= uint64_t(levelsOfFeatures[i] <= most.value()) << i;
    return bits & getHostCpuFeatures();
  }();
  return features;
}
