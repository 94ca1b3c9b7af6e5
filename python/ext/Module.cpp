// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module pyk._core. A library of another interface version is refused
// here, before anything can be misread.

#include "Core.h"

#include <string>

namespace nb = nanobind;
using namespace pyk::python;

/// Raises if the interpreter runs without the GIL, which guards what the
/// extension keeps between calls. One that is built for that switches the GIL
/// on for this module, unless it was told not to.
static void requireGil() {
  nb::object isEnabled =
      nb::getattr(nb::module_::import_("sys"), "_is_gil_enabled", nb::none());
  if (isEnabled.is_none() || nb::cast<bool>(isEnabled()))
    return;
  throw nb::import_error(
      "PyK cannot run without the GIL yet: start Python without -X gil=0 and "
      "PYTHON_GIL=0, and it is switched on for PyK");
}

NB_MODULE(_core, module) {
  requireGil();
  uint32_t version = pyk_api_version();
  if (version != PYK_C_API_VERSION) {
    std::string message =
        "pyk._core expects version " + std::to_string(PYK_C_API_VERSION) +
        " of PyK's C interface but the library has " + std::to_string(version);
    throw nb::import_error(message.c_str());
  }
  if (pyk_rt_interface_version() != PYK_RT_INTERFACE_VERSION) {
    std::string message = "pyk._core expects version " +
                          std::to_string(PYK_RT_INTERFACE_VERSION) +
                          " of the runtime's interface but the library has " +
                          std::to_string(pyk_rt_interface_version());
    throw nb::import_error(message.c_str());
  }
  // Kernels and functions of modules live until the interpreter is gone.
  nb::set_leak_warnings(false);
  bindBoundary(module);
  bindChecked(module);
  bindCompilations(module);
  bindDevice(module);
  bindKeeper(module);
  bindStream(module);
  bindCompile(module);
  bindLaunch(module);
  bindFacts(module);
  bindTools(module);
}
