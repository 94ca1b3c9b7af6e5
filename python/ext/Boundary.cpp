// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Boundary, through which users call PyK. It is in C++ because a
// Python function that re-raises an exception leaves its own frame in the
// traceback. It calls the function it holds; if that raises, it hands the
// exception to a trimming function and lets it go on with what is left of the
// traceback. It binds to instances as a Python function does.

#include "Core.h"

namespace nb = nanobind;
using namespace pyk::python;

namespace {

struct Boundary {
  nb::object function;
  nb::object trim;
};

PyObject *call(PyObject *self, PyObject *args, PyObject *keywords) {
  auto *boundary = nb::inst_ptr<Boundary>(self);
  PyObject *result = PyObject_Call(boundary->function.ptr(), args, keywords);
  if (!result)
    trimCurrentException(boundary->trim.ptr());
  return result;
}

PyObject *bind(PyObject *self, PyObject *instance, PyObject *) {
  if (!instance || instance == Py_None)
    return Py_NewRef(self);
  return PyMethod_New(self, instance);
}

int traverse(PyObject *self, visitproc visit, void *arg) {
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  if (!nb::inst_ready(self))
    return 0;
  auto *boundary = nb::inst_ptr<Boundary>(self);
  Py_VISIT(boundary->function.ptr());
  Py_VISIT(boundary->trim.ptr());
  return 0;
}

int clear(PyObject *self) {
  auto *boundary = nb::inst_ptr<Boundary>(self);
  boundary->function.reset();
  boundary->trim.reset();
  return 0;
}

/// An attribute that is the function's; `name` is a C string.
PyObject *forward(PyObject *self, void *name) {
  return PyObject_GetAttrString(nb::inst_ptr<Boundary>(self)->function.ptr(),
                                static_cast<const char *>(name));
}

PyObject *wrapped(PyObject *self, void *) {
  return nb::object(nb::inst_ptr<Boundary>(self)->function).release().ptr();
}

// What help() and inspect.signature() look at.
char doc[] = "__doc__", name[] = "__name__", qualname[] = "__qualname__";
PyGetSetDef attributes[] = {
    {doc, forward, nullptr, nullptr, doc},
    {name, forward, nullptr, nullptr, name},
    {qualname, forward, nullptr, nullptr, qualname},
    {"__wrapped__", wrapped, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_getset, attributes},
    {Py_tp_call, reinterpret_cast<void *>(call)},
    {Py_tp_descr_get, reinterpret_cast<void *>(bind)},
    {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(clear)},
    {0, nullptr},
};

} // namespace

void pyk::python::trimCurrentException(PyObject *trim) {
  if (trim == Py_None)
    return;
#if PY_VERSION_HEX >= 0x030C0000
  PyObject *exception = PyErr_GetRaisedException();
#else
  PyObject *type, *exception, *traceback;
  PyErr_Fetch(&type, &exception, &traceback);
  PyErr_NormalizeException(&type, &exception, &traceback);
  if (traceback)
    PyException_SetTraceback(exception, traceback);
  Py_XDECREF(traceback);
  Py_XDECREF(type);
#endif
  PyObject *result = PyObject_CallOneArg(trim, exception);
  // A failure to trim must not hide the exception.
  if (!result)
    PyErr_Clear();
  Py_XDECREF(result);
#if PY_VERSION_HEX >= 0x030C0000
  PyErr_SetRaisedException(exception);
#else
  PyErr_Restore(Py_NewRef(reinterpret_cast<PyObject *>(Py_TYPE(exception))),
                exception, PyException_GetTraceback(exception));
#endif
}

void pyk::python::bindBoundary(nb::module_ &module) {
  nb::class_<Boundary>(module, "Boundary", nb::type_slots(slots))
      .def(
          "__init__",
          [](Boundary *self, nb::object function, nb::object trim) {
            new (self) Boundary{std::move(function), std::move(trim)};
          },
          nb::arg("function"), nb::arg("trim"))
      // Pickled by name, as functions are.
      .def("__reduce__", [](const Boundary &self) {
        return nb::make_tuple(
            nb::module_::import_("pyk._boundary").attr("find"),
            nb::make_tuple(self.function.attr("__module__"),
                           self.function.attr("__qualname__")));
      });
}
