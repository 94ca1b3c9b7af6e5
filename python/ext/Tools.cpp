// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command-line tools, for an installation that has no tool but Python.

#include "pyk-c/Tools.h"
#include "Core.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

namespace nb = nanobind;
using namespace pyk::python;

/// Calls `call` with a command line that belongs to a tool `name`.
static int callTool(int (*call)(int, char **), std::string name,
                    std::vector<std::string> words) {
  words.insert(words.begin(), std::move(name));
  std::vector<char *> command;
  command.reserve(words.size() + 1);
  for (std::string &word : words)
    command.push_back(word.data());
  command.push_back(nullptr);
  return call(static_cast<int>(words.size()), command.data());
}

void pyk::python::bindTools(nb::module_ &module) {
  module.def("version", pyk_version);
  module.def("is_python", [](std::vector<std::string> words) {
    return callTool(pyk_run_is_python, "pyk-run", std::move(words)) != 0;
  });
  module.def("pyk_run", [](std::vector<std::string> words) {
    return callTool(pyk_run_main, "pyk-run", std::move(words));
  });
  module.def("pyk_opt", [](std::vector<std::string> words) {
    return callTool(pyk_opt_main, "pyk-opt", std::move(words));
  });
}
