// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of the C interface as Python exceptions. Which class a kind becomes
// is decided in pyk._errors, next to the classes.

#include "Core.h"

namespace nb = nanobind;

void pyk::python::throwError(PykError *error) {
  std::unique_ptr<PykError, decltype(&pyk_error_destroy)> owner(
      error, &pyk_error_destroy);
  // A message may quote source text that is not UTF-8.
  auto text = [](const char *string) {
    PyObject *decoded = PyUnicode_DecodeUTF8(
        string, static_cast<Py_ssize_t>(strlen(string)), "backslashreplace");
    if (!decoded)
      throw nb::python_error();
    return nb::steal(decoded);
  };
  nb::object exception =
      nb::module_::import_("pyk._errors")
          .attr("from_kind")(pyk_error_kind(error),
                             text(pyk_error_message(error)),
                             text(pyk_error_file(error)), pyk_error_line(error),
                             pyk_error_column(error));
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())),
                  exception.ptr());
  throw nb::python_error();
}
