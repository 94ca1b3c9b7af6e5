// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of the C interfaces as Python exceptions. Which class an error becomes
// is decided in pyk._errors, next to the classes.

#include "Core.h"

#include <cstring>

namespace nb = nanobind;

/// A string that may quote source text that is not UTF-8.
static nb::object toText(const char *string) {
  PyObject *decoded = PyUnicode_DecodeUTF8(
      string, static_cast<Py_ssize_t>(strlen(string)), "backslashreplace");
  if (!decoded)
    throw nb::python_error();
  return nb::steal(decoded);
}

void pyk::python::raise(const nb::object &exception) {
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())),
                  exception.ptr());
  throw nb::python_error();
}

void pyk::python::throwError(PykError *error) {
  Handle<PykError, pyk_error_destroy> owner(error);
  raise(nb::module_::import_("pyk._errors")
            .attr("from_kind")(pyk_error_kind(error),
                               toText(pyk_error_message(error)),
                               toText(pyk_error_file(error)),
                               pyk_error_line(error), pyk_error_column(error)));
}

void pyk::python::passWarnings() {
  for (;;) {
    Handle<pyk_rt_warning, pyk_rt_warning_free> warning(pyk_rt_take_warning());
    if (!warning.get())
      return;
    if (hidesOutput())
      continue;
    nb::module_::import_("pyk._errors")
        .attr("warn_of_memory")(toText(pyk_rt_warning_message(warning.get())),
                                toText(pyk_rt_warning_file(warning.get())),
                                pyk_rt_warning_line(warning.get()));
  }
}

void pyk::python::printAndThrow(pyk_rt_status *status) {
  try {
    passPrinted();
  } catch (...) {
    pyk_rt_status_free(status);
    throw;
  }
  throwIfFailed(status);
}

void pyk::python::throwIfFailed(pyk_rt_status *status) {
  Handle<pyk_rt_status, pyk_rt_status_free> owner(status);
  if (PyErr_Occurred())
    throw nb::python_error();
  if (!status)
    return;
  raise(nb::module_::import_("pyk._errors")
            .attr("from_status")(pyk_rt_status_code(status),
                                 toText(pyk_rt_status_message(status)),
                                 toText(pyk_rt_status_native_call(status)),
                                 pyk_rt_status_native_code(status)));
}
