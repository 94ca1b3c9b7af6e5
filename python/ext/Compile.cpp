// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function compile: the options of the C interface as keyword arguments.

#include "Core.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

namespace nb = nanobind;
using namespace nb::literals;
using namespace pyk::python;

/// The bytes of a bytes or str object, which must outlive the result.
static PykStringRef bytesOf(nb::handle source) {
  if (PyBytes_Check(source.ptr()))
    return {PyBytes_AS_STRING(source.ptr()),
            static_cast<size_t>(PyBytes_GET_SIZE(source.ptr()))};
  if (!PyUnicode_Check(source.ptr()))
    throw nb::type_error("compile expects bytes or str for source");
  Py_ssize_t size = 0;
  const char *data = PyUnicode_AsUTF8AndSize(source.ptr(), &size);
  if (!data)
    throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

using Text = std::optional<std::string>;

static Kernel compile(nb::object source, const Text &sourceName,
                      const std::string &target, const Text &chip,
                      const Text &emit, const Text &dumpStages, bool noFma) {
  auto orNull = [](const Text &text) { return text ? text->c_str() : nullptr; };
  PykCompileOptions options = {};
  options.source = bytesOf(source);
  options.source_name = orNull(sourceName);
  options.target = target.c_str();
  options.chip = orNull(chip);
  options.emit = orNull(emit);
  options.dump_stages = orNull(dumpStages);
  options.no_fma = noFma;
  PykError *error = nullptr;
  PykKernel *kernel = nullptr;
  {
    nb::gil_scoped_release release;
    kernel = pyk_compile(&options, &error);
  }
  if (!kernel)
    throwError(error);
  return Kernel(kernel);
}

void pyk::python::bindCompile(nb::module_ &module) {
  module.def(
      "check_chip",
      [](const char *chip) {
        if (PykError *error = pyk_check_chip(chip))
          throwError(error);
      },
      "chip"_a);
  module.def("compile", &compile, nb::kw_only(), "source"_a,
             "source_name"_a = nb::none(), "target"_a, "chip"_a = nb::none(),
             "emit"_a = nb::none(), "dump_stages"_a = nb::none(),
             "no_fma"_a = false);
}
