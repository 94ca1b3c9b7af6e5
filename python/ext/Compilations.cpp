// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells Python of each text that CPython compiles. An audit hook hears of much
// else, as of every id(), and stays until the process ends; so it is in C++,
// where what it does not want costs a comparison.

#include "Core.h"

#include <cstring>

namespace nb = nanobind;

namespace {

/// What is called with the text and the name of its file; null for nobody.
/// Guarded by the GIL.
PyObject *listener;

/// The interpreter it belongs to: hooks hear of all that a process has.
PyInterpreterState *home;

int hear(const char *event, PyObject *arguments, void *) {
  if (std::strcmp(event, "compile") != 0 || !listener ||
      PyInterpreterState_Get() != home)
    return 0;
  PyObject *callee = Py_NewRef(listener);
  PyObject *result = PyObject_Call(callee, arguments, nullptr);
  Py_DECREF(callee);
  Py_XDECREF(result);
  return result ? 0 : -1;
}

void listenToCompile(const nb::object &callee) {
  if (!home && PySys_AddAuditHook(hear, nullptr) != 0)
    throw nb::python_error();
  home = PyInterpreterState_Get();
  Py_XDECREF(listener);
  listener = callee.is_none() ? nullptr : Py_NewRef(callee.ptr());
}

} // namespace

void pyk::python::bindCompilations(nb::module_ &module) {
  module.def("listen_to_compile", listenToCompile, nb::arg("callee").none());
}
