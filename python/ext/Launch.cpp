// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The path of a launch. `Dispatcher` is the base of cuda._dispatcher.Dispatcher
// and holds a kernel's specializations; `dispatcher[grid, block]` is a
// `Launcher`, and calling that launches. Both are types of the C API: they need
// the vectorcall protocol and nothing else. What is not usual goes to the
// methods `_configure` and `_launch` of the Python class, which come back here
// with usual arguments.

#include "Arguments.h"
#include "Configuration.h"
#include "Core.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <structmember.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace nb = nanobind;
using namespace nb::literals;
using namespace pyk::python;

namespace {

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// What launches with blocks of one shape run, or with any.
struct Variant {
  bool isFor(const int64_t (&shape)[3]) const {
    return !block || std::equal(block->begin(), block->end(), shape);
  }

  nb::object function;
  std::optional<std::array<int64_t, 3>> block;
};

/// A kernel for one tuple of argument types on one device.
struct Specialization {
  std::vector<uint64_t> codes;
  /// Of those for one shape of blocks, each takes more for granted than the
  /// next.
  std::vector<Variant> variants;
  int32_t backend, device;

  bool fits(const Arguments &arguments, int32_t onBackend,
            int32_t onDevice) const {
    return codes.size() == arguments.codeCount() && device == onDevice &&
           backend == onBackend &&
           std::equal(codes.begin(), codes.end(), arguments.codes());
  }
};

struct DispatcherObject {
  PyObject ob_base;
  /// In the order of their last use. Few, so that a search is short.
  std::vector<Specialization> *specializations;
  /// Whether subscription goes by way of Python code.
  bool usesPython;
};

struct LauncherObject {
  PyObject ob_base;
  vectorcallfunc vectorcall;
  PyObject *dispatcher;
  /// A Stream; null for the default stream of the current device.
  PyObject *stream;
  pyk_rt_launch_config config;
};

PyTypeObject *dispatcherType = nullptr, *launcherType = nullptr;

/// The default stream of the device that this OS thread has selected, in the
/// generation of then; null until it has one.
thread_local PyObject *selectedStream = nullptr;
thread_local unsigned selectedGeneration = 0;

/// Counts up when the streams that threads have selected are dead.
unsigned generation = 0;

/// The class of Python's streams, whose `_stream` is a Stream.
PyTypeObject *streamClass = nullptr;

/// Whether each launch goes by way of Python code.
bool observed = false;

// Interned names, and pyk._errors.trim.
PyObject *configureName, *launchName, *streamName, *trim;

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

/// The default stream of this thread's device; null if it has none now.
PyObject *currentStream() {
  return selectedGeneration == generation ? selectedStream : nullptr;
}

/// The Stream on which `self` launches; null if this thread has no device yet.
PyObject *streamOf(const LauncherObject *self) {
  return self->stream ? self->stream : currentStream();
}

/// Whether `stream`, which may be null, is of the device that this thread has
/// selected.
bool isOfCurrentDevice(PyObject *stream) {
  PyObject *current = currentStream();
  return stream && current &&
         nb::inst_ptr<Stream>(stream)->device ==
             nb::inst_ptr<Stream>(current)->device;
}

/// The Function for a launch; null if there is none yet.
PyObject *find(DispatcherObject *dispatcher, const Arguments &arguments,
               const Stream &stream, const pyk_rt_launch_config &config) {
  auto &all = *dispatcher->specializations;
  for (auto entry = all.begin(); entry != all.end(); ++entry)
    if (entry->fits(arguments, stream.backend, stream.device)) {
      if (entry != all.begin())
        std::rotate(all.begin(), entry, entry + 1);
      for (const Variant &variant : all.front().variants)
        if (variant.isFor(config.block) &&
            !pyk_rt_check_launch(
                &nb::inst_ptr<Function>(variant.function)->signature,
                config.grid, config.block, arguments.data()))
          return variant.function.ptr();
      return nullptr;
    }
  return nullptr;
}

/// Launches with arguments that are checked. Returns the exception that the
/// kernel has raised, or null; throws if the launch fails.
nb::object launch(const Function &function, const LauncherObject *self,
                  const Stream &stream, const Arguments &arguments) {
  constexpr size_t inlineCount = 48;
  uint64_t inlineSlots[inlineCount];
  void *inlineValues[inlineCount];
  std::vector<uint64_t> heapSlots;
  std::vector<void *> heapValues;
  uint64_t *slots = inlineSlots;
  void **values = inlineValues;
  size_t count = function.signature.parameter_count;
  if (count > inlineCount) {
    heapSlots.resize(count);
    heapValues.resize(count);
    slots = heapSlots.data();
    values = heapValues.data();
  }
  pyk_rt_bind_arguments(&function.signature, arguments.data(), slots, values);
  pyk_rt_launch_config config = self->config;
  config.cooperative = function.isCooperative;
  if (function.signature.shared_size_count)
    throwIfFailed(pyk_rt_add_shared_bytes(&function.signature, config.block,
                                          arguments.data(),
                                          &config.dynamic_shared_bytes));
  if (function.prints)
    prepareToPrint();
  if (function.checks)
    return launchChecked(function, stream, config, values, slots[count - 1]);
  // What a launch was given of the host is the host's again at its end.
  bool waits = self->stream && arguments.hasHostArray();
  runAndWarn([&] {
    pyk_rt_status *status = pyk_rt_stream_launch(
        stream.handle.get(), function.handle.get(), &config, values);
    if (!status && waits)
      status = pyk_rt_stream_synchronize(stream.handle.get());
    return status;
  });
  return {};
}

/// `launch`, for callers that report as the C API does: the exception that the
/// kernel has raised, None, or null if the launch fails.
PyObject *launchOrNull(const Function &function, const LauncherObject *self,
                       const Stream &stream, const Arguments &arguments) {
  try {
    nb::object raised = launch(function, self, stream, arguments);
    return raised ? raised.release().ptr() : Py_NewRef(Py_None);
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  }
  return nullptr;
}

/// Raises the exception `result`, if it is one and not None or null.
PyObject *raiseUnlessNone(PyObject *result) {
  if (!result || result == Py_None)
    return result;
  nb::object exception = nb::steal(result);
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(result)), result);
  return nullptr;
}

/// Calls the launch that is written in Python.
PyObject *launchInPython(LauncherObject *self, PyObject *const *objects,
                         size_t count, PyObject *keywords) {
  nb::object positional = nb::steal(PyTuple_New(Py_ssize_t(count)));
  if (!positional.is_valid())
    return nullptr;
  for (size_t i = 0; i < count; ++i)
    PyTuple_SET_ITEM(positional.ptr(), Py_ssize_t(i), Py_NewRef(objects[i]));
  PyObject *name = keywords && PyTuple_GET_SIZE(keywords)
                       ? PyTuple_GET_ITEM(keywords, 0)
                       : Py_None;
  PyObject *words[] = {self->dispatcher, reinterpret_cast<PyObject *>(self),
                       positional.ptr(), name};
  PyObject *result = PyObject_VectorcallMethod(launchName, words, 4, nullptr);
  if (!result)
    trimCurrentException(trim);
  return result;
}

PyObject *callLauncher(PyObject *object, PyObject *const *objects,
                       size_t flaggedCount, PyObject *keywords) {
  auto *self = reinterpret_cast<LauncherObject *>(object);
  size_t count = size_t(PyVectorcall_NARGS(flaggedCount));
  // Kept, as the function is: who writes what the launch prints, or is asked
  // for an argument, may replace them.
  nb::object streamObject = nb::borrow(streamOf(self));
  if (!observed && isOfCurrentDevice(streamObject.ptr()) &&
      !(keywords && PyTuple_GET_SIZE(keywords))) {
    Arguments arguments(count);
    if (arguments.appendAll(objects, count)) {
      const auto &stream = *nb::inst_ptr<Stream>(streamObject);
      auto *dispatcher = reinterpret_cast<DispatcherObject *>(self->dispatcher);
      // Of a GPU, host memory is none of the device's.
      bool isReady =
          stream.backend == PYK_RT_BACKEND_CPU || !arguments.hasHostArray();
      nb::object found =
          nb::borrow(isReady ? find(dispatcher, arguments, stream, self->config)
                             : nullptr);
      if (found)
        return raiseUnlessNone(launchOrNull(*nb::inst_ptr<Function>(found),
                                            self, stream, arguments));
    }
  }
  return launchInPython(self, objects, count, keywords);
}

/// launcher._run(function, arguments): launches with arguments that all have a
/// code. Returns the exception that the kernel has raised, or None.
PyObject *runLauncher(PyObject *object, PyObject *const *words,
                      Py_ssize_t wordCount) {
  auto *self = reinterpret_cast<LauncherObject *>(object);
  nb::object stream = nb::borrow(streamOf(self));
  if (wordCount != 2 || !nb::isinstance<Function>(words[0]) ||
      !PyTuple_Check(words[1]) || !stream) {
    PyErr_SetString(PyExc_TypeError,
                    "_run expects a Function and a tuple, on a device");
    return nullptr;
  }
  size_t count = size_t(PyTuple_GET_SIZE(words[1]));
  Arguments arguments(count);
  if (!arguments.appendAll(&PyTuple_GET_ITEM(words[1], 0), count)) {
    PyErr_SetString(PyExc_TypeError, "_run expects arguments of usual types");
    return nullptr;
  }
  const auto &function = *nb::inst_ptr<Function>(words[0]);
  if (arguments.count() < function.signature.formal_count)
    return PyErr_Format(PyExc_TypeError,
                        "_run expects %zu arguments but got %zu",
                        function.signature.formal_count, arguments.count());
  Handle<pyk_rt_status, pyk_rt_status_free> refused(
      pyk_rt_refuse_launch(&function.signature, self->config.grid,
                           self->config.block, arguments.data()));
  if (refused.get()) {
    PyErr_SetString(PyExc_ValueError, pyk_rt_status_message(refused.get()));
    return nullptr;
  }
  return launchOrNull(function, self, *nb::inst_ptr<Stream>(stream), arguments);
}

//===----------------------------------------------------------------------===//
// Configuring
//===----------------------------------------------------------------------===//

/// Reads what `dispatcher[...]` was given; returns false for what is not usual.
bool readUsual(PyObject *key, pyk_rt_launch_config &config,
               nb::object &stream) {
  PyObject *given = nullptr;
  if (!readConfiguration(key, config, given))
    return false;
  if (!given)
    return true;
  if (Py_TYPE(given) != streamClass)
    return false;
  stream = nb::steal(PyObject_GetAttr(given, streamName));
  if (!stream.is_valid())
    PyErr_Clear();
  return stream.is_valid();
}

PyObject *makeLauncher(PyObject *dispatcher, const pyk_rt_launch_config &config,
                       PyObject *stream) {
  auto *self = PyObject_New(LauncherObject, launcherType);
  if (!self)
    return nullptr;
  self->vectorcall = callLauncher;
  self->dispatcher = Py_NewRef(dispatcher);
  self->stream = Py_XNewRef(stream);
  self->config = config;
  return reinterpret_cast<PyObject *>(self);
}

PyObject *subscript(PyObject *self, PyObject *key) {
  pyk_rt_launch_config config;
  nb::object stream;
  if (!reinterpret_cast<DispatcherObject *>(self)->usesPython &&
      readUsual(key, config, stream))
    return makeLauncher(self, config, stream.ptr());
  PyObject *words[] = {self, key};
  PyObject *result =
      PyObject_VectorcallMethod(configureName, words, 2, nullptr);
  if (!result)
    trimCurrentException(trim);
  return result;
}

//===----------------------------------------------------------------------===//
// The types
//===----------------------------------------------------------------------===//

PyObject *newDispatcher(PyTypeObject *type, PyObject *, PyObject *) {
  PyObject *object = type->tp_alloc(type, 0);
  if (object)
    reinterpret_cast<DispatcherObject *>(object)->specializations =
        new std::vector<Specialization>;
  return object;
}

void deleteDispatcher(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  delete reinterpret_cast<DispatcherObject *>(object)->specializations;
  type->tp_free(object);
  Py_DECREF(type);
}

/// dispatcher._add(function, arguments, block): launches with arguments of
/// these types and such blocks, or any for None, on the function's device are
/// launches of `function`, unless one that was added before takes them.
PyObject *addSpecialization(PyObject *object, PyObject *const *words,
                            Py_ssize_t wordCount) {
  std::optional<std::array<int64_t, 3>> block;
  if (wordCount != 3 || !nb::isinstance<Function>(words[0]) ||
      !PyTuple_Check(words[1]) || !nb::try_cast(nb::handle(words[2]), block)) {
    PyErr_SetString(PyExc_TypeError,
                    "_add expects a Function, a tuple and a shape or None");
    return nullptr;
  }
  size_t count = size_t(PyTuple_GET_SIZE(words[1]));
  Arguments arguments(count);
  if (!arguments.appendAll(&PyTuple_GET_ITEM(words[1], 0), count)) {
    PyErr_SetString(PyExc_TypeError, "_add expects arguments of usual types");
    return nullptr;
  }
  auto &all = *reinterpret_cast<DispatcherObject *>(object)->specializations;
  const auto *function = nb::inst_ptr<Function>(words[0]);
  // Unusual launches come here each time.
  for (Specialization &entry : all)
    if (entry.fits(arguments, function->backend, function->device)) {
      auto isIt = [&](const Variant &variant) {
        return variant.function.is(nb::handle(words[0])) &&
               variant.block == block;
      };
      if (std::none_of(entry.variants.begin(), entry.variants.end(), isIt))
        entry.variants.push_back({nb::borrow(words[0]), block});
      Py_RETURN_NONE;
    }
  const uint64_t *codes = arguments.codes();
  all.insert(all.begin(), {{codes, codes + arguments.codeCount()},
                           {{nb::borrow(words[0]), block}},
                           function->backend,
                           function->device});
  Py_RETURN_NONE;
}

/// dispatcher._count(): how many specializations a launch may have to search.
PyObject *countSpecializations(PyObject *object, PyObject *) {
  return PyLong_FromSize_t(
      reinterpret_cast<DispatcherObject *>(object)->specializations->size());
}

/// dispatcher._forget(): the functions of all devices are gone.
PyObject *forgetSpecializations(PyObject *object, PyObject *) {
  // Destroyed last: that may run any code.
  std::vector<Specialization> old;
  old.swap(*reinterpret_cast<DispatcherObject *>(object)->specializations);
  Py_RETURN_NONE;
}

/// dispatcher._use_python(): subscription always calls `_configure`.
PyObject *usePython(PyObject *object, PyObject *) {
  reinterpret_cast<DispatcherObject *>(object)->usesPython = true;
  Py_RETURN_NONE;
}

/// dispatcher._launcher(grid, block, stream, shared_bytes): what subscription
/// gives, from checked values; `stream` is a Stream or None.
PyObject *launcherMethod(PyObject *object, PyObject *const *words,
                         Py_ssize_t wordCount) {
  pyk_rt_launch_config config = {};
  config.struct_bytes = sizeof(config);
  bool isRight = wordCount == 4 && readExtents(words[0], config.grid) &&
                 readExtents(words[1], config.block) &&
                 (words[2] == Py_None || nb::isinstance<Stream>(words[2]));
  if (!isRight) {
    PyErr_SetString(PyExc_TypeError, "_launcher expects checked values");
    return nullptr;
  }
  config.dynamic_shared_bytes = PyLong_AsLongLong(words[3]);
  if (PyErr_Occurred())
    return nullptr;
  return makeLauncher(object, config, words[2] == Py_None ? nullptr : words[2]);
}

void deleteLauncher(PyObject *object) {
  auto *self = reinterpret_cast<LauncherObject *>(object);
  PyTypeObject *type = Py_TYPE(object);
  Py_DECREF(self->dispatcher);
  Py_XDECREF(self->stream);
  PyObject_Free(object);
  Py_DECREF(type);
}

PyObject *getDispatcher(PyObject *object, void *) {
  return Py_NewRef(reinterpret_cast<LauncherObject *>(object)->dispatcher);
}

PyObject *getStream(PyObject *object, void *) {
  PyObject *stream = reinterpret_cast<LauncherObject *>(object)->stream;
  return Py_NewRef(stream ? stream : Py_None);
}

PyObject *getSharedBytes(PyObject *object, void *) {
  return PyLong_FromLongLong(
      reinterpret_cast<LauncherObject *>(object)->config.dynamic_shared_bytes);
}

template <int64_t (pyk_rt_launch_config::*extents)[3]>
PyObject *getExtents(PyObject *object, void *) {
  const auto &values =
      reinterpret_cast<LauncherObject *>(object)->config.*extents;
  return Py_BuildValue("(LLL)", (long long)values[0], (long long)values[1],
                       (long long)values[2]);
}

PyMethodDef dispatcherMethods[] = {
    {"_add", _PyCFunction_CAST(addSpecialization), METH_FASTCALL, nullptr},
    {"_count", countSpecializations, METH_NOARGS, nullptr},
    {"_forget", forgetSpecializations, METH_NOARGS, nullptr},
    {"_launcher", _PyCFunction_CAST(launcherMethod), METH_FASTCALL, nullptr},
    {"_use_python", usePython, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot dispatcherSlots[] = {
    {Py_tp_new, reinterpret_cast<void *>(newDispatcher)},
    {Py_tp_dealloc, reinterpret_cast<void *>(deleteDispatcher)},
    {Py_tp_methods, dispatcherMethods},
    {Py_mp_subscript, reinterpret_cast<void *>(subscript)},
    {0, nullptr},
};

PyType_Spec dispatcherSpec = {"pyk._core.Dispatcher", sizeof(DispatcherObject),
                              0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                              dispatcherSlots};

PyMethodDef launcherMethods[] = {
    {"_run", _PyCFunction_CAST(runLauncher), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyMemberDef launcherMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(LauncherObject, vectorcall),
     READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyGetSetDef launcherAttributes[] = {
    {"dispatcher", getDispatcher, nullptr, nullptr, nullptr},
    {"stream", getStream, nullptr, nullptr, nullptr},
    {"griddim", getExtents<&pyk_rt_launch_config::grid>, nullptr, nullptr,
     nullptr},
    {"blockdim", getExtents<&pyk_rt_launch_config::block>, nullptr, nullptr,
     nullptr},
    {"sharedmem", getSharedBytes, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot launcherSlots[] = {
    {Py_tp_dealloc, reinterpret_cast<void *>(deleteLauncher)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_methods, launcherMethods},
    {Py_tp_members, launcherMembers},
    {Py_tp_getset, launcherAttributes},
    {0, nullptr},
};

PyType_Spec launcherSpec = {"pyk._core.Launcher", sizeof(LauncherObject), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                                Py_TPFLAGS_DISALLOW_INSTANTIATION,
                            launcherSlots};

PyTypeObject *addType(nb::module_ &module, const char *name,
                      PyType_Spec &spec) {
  PyObject *type = PyType_FromSpec(&spec);
  if (!type || PyModule_AddObjectRef(module.ptr(), name, type) < 0)
    throw nb::python_error();
  return reinterpret_cast<PyTypeObject *>(type);
}

/// Whether a signal's handler has raised, as Ctrl-C's does; the exception stays
/// set until the launch has ended.
int checkSignals() {
  WithGil with;
  if (!with)
    return 0;
  return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
}

} // namespace

void pyk::python::bindLaunch(nb::module_ &module) {
  dispatcherType = addType(module, "Dispatcher", dispatcherSpec);
  launcherType = addType(module, "Launcher", launcherSpec);
  configureName = PyUnicode_InternFromString("_configure");
  launchName = PyUnicode_InternFromString("_launch");
  streamName = PyUnicode_InternFromString("_stream");
  module.def(
      "initialize",
      [](nb::handle deviceArray, nb::handle stream, nb::handle trimmer) {
        initializeArguments(deviceArray);
        streamClass = reinterpret_cast<PyTypeObject *>(
            nb::object(nb::borrow(stream)).release().ptr());
        trim = nb::object(nb::borrow(trimmer)).release().ptr();
      },
      "device_array"_a, "stream"_a, nb::arg("trim").none());
  module.def(
      "select_stream",
      [](nb::handle stream, nb::handle device) {
        nb::object old = nb::steal(selectedStream);
        selectedStream = nb::object(nb::borrow(stream)).release().ptr();
        selectedGeneration = generation;
        setDeviceOfArrays(device.is_none() ? nullptr : device.ptr());
      },
      "stream"_a, nb::arg("device").none());
  module.def("forget_streams", [] { ++generation; });
  module.def("observe_launches", [](bool on) { observed = on; }, "on"_a);
  module.def("hide_output", hideOutput, "on"_a);
  pyk_rt_set_interrupt_check(checkSignals);
}
