// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where kernels print. The runtime writes to C's standard output, which
// Python's own `sys.stdout` usually is. If a program has put another object
// there, as `contextlib.redirect_stdout`, pytest and notebooks do, the runtime
// keeps the text of launches on the CPU, and `sys.stdout.write` gets it when a
// call of PyK has waited for work.

#include "Core.h"

namespace nb = nanobind;
using namespace pyk::python;

static bool isHidden = false;

void pyk::python::hideOutput(bool on) { isHidden = on; }

bool pyk::python::hidesOutput() { return isHidden; }

void pyk::python::prepareToPrint() {
  if (isHidden) {
    pyk_rt_keep_printed(1);
    return;
  }
  PyObject *output = PySys_GetObject("stdout");
  bool isStandard =
      !output || output == Py_None || output == PySys_GetObject("__stdout__");
  pyk_rt_keep_printed(isStandard ? 0 : 1);
  if (!isStandard || !output || output == Py_None)
    return;
  // What Python has printed comes before what the kernel prints.
  nb::object result = nb::steal(PyObject_CallMethod(output, "flush", nullptr));
  // The print that filled it has failed already, or the next one will.
  if (!result.is_valid())
    PyErr_Clear();
}

void pyk::python::passPrinted() {
  // An exception of a signal's handler goes first.
  if (PyErr_Occurred())
    return;
  Handle<pyk_rt_printed, pyk_rt_printed_free> printed(pyk_rt_take_printed());
  if (!printed.get() || isHidden)
    return;
  size_t bytes = 0;
  const char *data = pyk_rt_printed_text(printed.get(), &bytes);
  auto text = nb::steal(
      PyUnicode_DecodeUTF8(data, Py_ssize_t(bytes), "backslashreplace"));
  if (!text.is_valid())
    throw nb::python_error();
  PyObject *output = PySys_GetObject("stdout");
  if (output && output != Py_None)
    nb::borrow(output).attr("write")(text);
}
