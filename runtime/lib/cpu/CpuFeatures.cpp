// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the processor, through what the compiler or the system has for it.

#include "pyk/runtime/CpuFeatures.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include <cstdlib>
#include <iterator>

using namespace pyk::runtime;

/// The level of what no level has.
constexpr int beyondLevels = 100;

namespace {

/// A name of processors.
struct Level {
  std::string_view name;
  const CpuArchitecture &(*architecture)();
  /// The highest level of a feature that it allows.
  int most;
};

} // namespace

static const CpuArchitecture &getX86() {
  static const CpuArchitecture x86 = {"x86_64",
                                      62,
                                      4096,
                                      {
#define PYK_X86_FEATURE(name, level) name,
#include "pyk/runtime/CpuFeatures.def"
                                      }};
  return x86;
}

static const CpuArchitecture &getAArch64() {
  static const CpuArchitecture aarch64 = {"aarch64",
                                          183,
                                          64 * 1024,
                                          {
#define PYK_AARCH64_FEATURE(name, level, hwcap) name,
#include "pyk/runtime/CpuFeatures.def"
                                          }};
  return aarch64;
}

constexpr Level levels[] = {
    {"x86-64", getX86, 1},      {"x86-64-v2", getX86, 2},
    {"x86-64-v3", getX86, 3},   {"x86-64-v4", getX86, 4},
    {"armv8-a", getAArch64, 1},
};

constexpr int x86Levels[] = {
#define PYK_X86_FEATURE(name, level) level,
#include "pyk/runtime/CpuFeatures.def"
};

constexpr int aarch64Levels[] = {
#define PYK_AARCH64_FEATURE(name, level, hwcap) level,
#include "pyk/runtime/CpuFeatures.def"
};

const CpuArchitecture &pyk::runtime::getHostArchitecture() {
#if defined(__x86_64__)
  return getX86();
#elif defined(__aarch64__)
  return getAArch64();
#else
#error "PyK knows nothing of this architecture"
#endif
}

uint64_t pyk::runtime::getHostCpuFeatures() {
  static const uint64_t features = [] {
    const bool supported[] = {
#if defined(__x86_64__)
#define PYK_X86_FEATURE(name, level) __builtin_cpu_supports(name) != 0,
#else
#define PYK_AARCH64_FEATURE(name, level, hwcap)                                \
  (getauxval(AT_HWCAP) & (hwcap)) != 0,
#endif
#include "pyk/runtime/CpuFeatures.def"
    };
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof(supported); ++i)
      bits |= uint64_t(supported[i]) << i;
    return bits;
  }();
  return features;
}

static const Level *findLevel(std::string_view name) {
  for (const Level &level : levels)
    if (level.name == name)
      return &level;
  return nullptr;
}

/// The features that a level allows.
static uint64_t getFeatures(const Level &level) {
  uint64_t bits = 0;
  auto add = [&](const int *begin, const int *end) {
    for (const int *row = begin; row != end; ++row)
      bits |= uint64_t(*row <= level.most) << (row - begin);
  };
  if (level.architecture == getX86)
    add(std::begin(x86Levels), std::end(x86Levels));
  else
    add(std::begin(aarch64Levels), std::end(aarch64Levels));
  return bits;
}

/// That `text` is no level; of this architecture, if `here`.
static Status refuse(std::string action, std::string_view text, bool here,
                     const char *remedy) {
  std::vector<std::string_view> names = {"native"};
  for (const Level &level : levels)
    if (!here || &level.architecture() == &getHostArchitecture())
      names.push_back(level.name);
  std::string list;
  for (const std::string_view &name : names) {
    list += list.empty() ? "" : &name == &names.back() ? " or " : ", ";
    list += name;
  }
  return Status::failure(StatusCode::InvalidArgument, std::move(action),
                         "'" + std::string(text) + "' is not " + list, remedy);
}

/// What PYK_CPU_LEVEL leaves of this processor.
static Result<uint64_t> getUsedCpuFeatures() {
  static const Result<uint64_t> features = []() -> Result<uint64_t> {
    const char *text = std::getenv("PYK_CPU_LEVEL");
    if (!text || std::string_view(text) == "native")
      return getHostCpuFeatures();
    const Level *level = findLevel(text);
    if (!level || &level->architecture() != &getHostArchitecture())
      return refuse("reading the environment variable PYK_CPU_LEVEL", text,
                    /*here=*/true,
                    "set it to the instructions that code for the CPU may use, "
                    "or unset it");
    return getFeatures(*level) & getHostCpuFeatures();
  }();
  return features;
}

Result<CpuTarget> pyk::runtime::getCpuTarget(std::string_view name) {
  if (name == "native") {
    Result<uint64_t> used = getUsedCpuFeatures();
    if (!used.ok())
      return used.status();
    return CpuTarget{&getHostArchitecture(), used.value()};
  }
  const Level *level = findLevel(name);
  if (!level)
    return refuse("compiling for the CPU", name, /*here=*/false,
                  "name the least processor that the code is for");
  return CpuTarget{&level->architecture(), getFeatures(*level)};
}

bool pyk::runtime::runsHere(const CpuTarget &target) {
  return target.architecture == &getHostArchitecture() &&
         (target.features & ~getHostCpuFeatures()) == 0;
}
