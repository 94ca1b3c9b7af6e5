// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compiled kernel takes for granted of its arguments and what it does
// with them, for the launch that is written in Python.

#include "Arguments.h"
#include "Core.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;
using namespace pyk::python;

/// Appends `words` to `arguments`; throws in the name of `caller` unless
/// `function` can take them.
static void append(const std::string &caller, const Function &function,
                   const nb::tuple &words, Arguments &arguments) {
  if (!arguments.appendAll(&PyTuple_GET_ITEM(words.ptr(), 0), words.size()) ||
      arguments.count() < function.signature.formal_count)
    throw nb::type_error(
        (caller + " expects arguments of usual types").c_str());
}

/// Returns the facts that `function` assumes and that do not hold of `words`,
/// as the kinds that a compilation may be told to assume.
static std::vector<std::string> findFailing(const Function &function,
                                            const nb::tuple &words,
                                            std::array<int64_t, 3> grid,
                                            std::array<int64_t, 3> block) {
  Arguments arguments(words.size());
  append("failing", function, words, arguments);
  uint32_t failing = pyk_rt_check_launch(&function.signature, grid.data(),
                                         block.data(), arguments.data());
  std::vector<std::string> kinds;
  if (failing & PYK_RT_ASSUME_SCALARS)
    kinds.emplace_back("scalars");
  if (failing & PYK_RT_ASSUME_SIZES)
    kinds.emplace_back("sizes");
  if (failing & PYK_RT_ASSUME_DISJOINT)
    kinds.emplace_back("disjoint");
  if (failing & PYK_RT_ASSUME_ALIGNED)
    kinds.emplace_back("aligned");
  if (failing & PYK_RT_ASSUME_STRIDES)
    kinds.emplace_back("strides");
  if (failing & PYK_RT_ASSUME_BLOCK)
    kinds.emplace_back("block");
  if (failing & PYK_RT_ASSUME_INSIDE)
    kinds.emplace_back("inside");
  return kinds;
}

/// Returns the addresses of the arrays in `words` that `function` does not
/// write through any argument. These are arrays that the kernel does not write
/// and assumes to be disjoint from those that it writes.
static std::vector<uint64_t> findUnwritten(const Function &function,
                                           const nb::tuple &words) {
  constexpr uint32_t asked = PYK_RT_FACT_DISJOINT | PYK_RT_FACT_WRITTEN;
  Arguments arguments(words.size());
  append("unwritten", function, words, arguments);
  std::vector<uint64_t> unwritten, written;
  for (size_t i = 0; i < function.signature.formal_count; ++i) {
    const pyk_rt_formal &formal = function.signature.formals[i];
    if (formal.rank < 0)
      continue;
    bool isRead = (formal.facts & asked) == PYK_RT_FACT_DISJOINT;
    (isRead ? unwritten : written)
        .push_back(reinterpret_cast<uintptr_t>(arguments.data()[i].data));
  }
  // An array without elements may begin where another one does.
  auto isWritten = [&](uint64_t address) {
    return std::find(written.begin(), written.end(), address) != written.end();
  };
  unwritten.erase(std::remove_if(unwritten.begin(), unwritten.end(), isWritten),
                  unwritten.end());
  return unwritten;
}

void pyk::python::bindFacts(nb::module_ &module) {
  module.def("failing", findFailing, "function"_a, "arguments"_a, "grid"_a,
             "block"_a);
  module.def("unwritten", findUnwritten, "function"_a, "arguments"_a);
}
