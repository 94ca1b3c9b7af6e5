// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the addresses of HostSymbols.def. Taking them here, and not by a
// search of the process at run time, makes a missing one an error of the
// runtime's build and keeps compiled code from calling anything by accident.

#include "pyk/runtime/HostSymbols.h"
#include "pyk/runtime/ABI.h"
#include "pyk/runtime/HostMath.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <cwchar>

using namespace pyk::runtime;

// glibc 2.35 has a second hypot, which leaves errno alone. With the first one
// wheels run on older systems, too.
#if defined(__x86_64__) && defined(__GLIBC__)
__asm__(".symver hypot,hypot@GLIBC_2.2.5");
__asm__(".symver hypotf,hypotf@GLIBC_2.2.5");
#endif

// Only their addresses are taken, so the type does not matter.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
#define HOST_COMPILER_SYMBOL(NAME) void NAME();
#include "pyk/runtime/HostSymbols.def"
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

struct HostSymbol {
  std::string_view name;
  const void *address;
};

} // namespace

template <typename F>
static const void *addressOf(F *function) {
  return reinterpret_cast<const void *>(function);
}

/// All of them, sorted by name.
static const auto &getHostSymbols() {
  static const auto table = [] {
    // A function's type has no parentheses around its result.
    // NOLINTBEGIN(bugprone-macro-parentheses)
    std::array symbols = {
#define HOST_SYMBOL(RESULT, NAME, PARAMETERS)                                  \
  HostSymbol{#NAME, addressOf<RESULT PARAMETERS>(&NAME)},
#define HOST_MATH(RESULT, NAME, PARAMETERS)                                    \
  HostSymbol{"pyk_rt_math_" #NAME, addressOf(&pyk_rt_math_##NAME)},
#define HOST_COMPILER_SYMBOL(NAME) HostSymbol{#NAME, addressOf(&NAME)},
#include "pyk/runtime/HostSymbols.def"
    };
    // NOLINTEND(bugprone-macro-parentheses)
    std::sort(symbols.begin(), symbols.end(),
              [](const HostSymbol &a, const HostSymbol &b) {
                return a.name < b.name;
              });
    return symbols;
  }();
  return table;
}

const void *pyk::runtime::findHostSymbol(std::string_view name) {
  const auto &symbols = getHostSymbols();
  auto found =
      std::lower_bound(symbols.begin(), symbols.end(), name,
                       [](const HostSymbol &symbol, std::string_view wanted) {
                         return symbol.name < wanted;
                       });
  return found != symbols.end() && found->name == name ? found->address
                                                       : nullptr;
}
