// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Kernel. A launch turns Python objects into PykArguments without
// copying arrays: anything with the buffer protocol is passed by address, and
// held until the kernel has run. NumPy's scalars have that protocol too, so
// their width needs no further look. Few arguments cost no allocation.

#include "Core.h"

#include <nanobind/stl/array.h>

#include <array>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;
using namespace pyk::python;

static_assert(sizeof(Py_ssize_t) == sizeof(int64_t),
              "shapes and strides are passed as they lie in a Py_buffer");

namespace {

/// Arguments of one launch and what keeps them alive.
class Arguments {
public:
  explicit Arguments(size_t count) {
    if (count <= inlineSlots.size())
      return;
    heapSlots.resize(count);
    slots = heapSlots.data();
    heapArguments.resize(count);
    arguments = heapArguments.data();
  }
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  ~Arguments() {
    for (size_t i = 0; i < size; ++i)
      if (slots[i].view.obj)
        PyBuffer_Release(&slots[i].view);
  }

  /// Appends one argument; throws for an object that cannot be one.
  void append(PyObject *object) {
    Slot &slot = slots[size];
    PykArgument &argument = arguments[size];
    slot.view.obj = nullptr;
    argument = {&slot.bits, nullptr, nullptr};
    if (PyBool_Check(object)) {
      slot.bits = object == Py_True;
    } else if (PyFloat_Check(object)) {
      double value = PyFloat_AS_DOUBLE(object);
      memcpy(&slot.bits, &value, sizeof(value));
    } else if (PyLong_Check(object)) {
      slot.bits = bitsOf(object);
    } else if (object == Py_None) {
      argument.data = nullptr;
    } else {
      if (PyObject_GetBuffer(object, &slot.view, PyBUF_STRIDES))
        throw nb::python_error();
      argument.data = slot.view.buf;
      if (slot.view.ndim > 0) {
        argument.shape = reinterpret_cast<const int64_t *>(slot.view.shape);
        argument.strides = reinterpret_cast<const int64_t *>(slot.view.strides);
      }
    }
    ++size;
  }

  const PykArgument *data() const { return arguments; }
  size_t count() const { return size; }

private:
  struct Slot {
    Py_buffer view;
    uint64_t bits;
  };

  /// An int of up to 64 bits, signed or unsigned, as two's complement.
  static uint64_t bitsOf(PyObject *object) {
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (value == -1 && PyErr_Occurred())
      throw nb::python_error();
    if (!overflow)
      return static_cast<uint64_t>(value);
    unsigned long long wide = PyLong_AsUnsignedLongLong(object);
    if (PyErr_Occurred())
      throw nb::python_error();
    return wide;
  }

  std::array<Slot, 16> inlineSlots;
  std::array<PykArgument, 16> inlineArguments;
  std::vector<Slot> heapSlots;
  std::vector<PykArgument> heapArguments;
  Slot *slots = inlineSlots.data();
  PykArgument *arguments = inlineArguments.data();
  size_t size = 0;
};

} // namespace

using Dimensions = std::array<int32_t, 3>;

static void launch(const Kernel &kernel, const Dimensions &grid,
                   const Dimensions &block, int32_t sharedBytes,
                   nb::sequence args) {
  nb::object fast = nb::steal(
      PySequence_Fast(args.ptr(), "launch expects a sequence of arguments"));
  if (!fast.is_valid())
    throw nb::python_error();
  size_t count = static_cast<size_t>(PySequence_Fast_GET_SIZE(fast.ptr()));
  Arguments arguments(count);
  for (size_t i = 0; i < count; ++i)
    arguments.append(
        PySequence_Fast_GET_ITEM(fast.ptr(), static_cast<Py_ssize_t>(i)));

  PykLaunchConfig config = {
      {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, sharedBytes};
  PykError *error = nullptr;
  {
    nb::gil_scoped_release release;
    error = pyk_kernel_launch(kernel.get(), &config, arguments.data(),
                              arguments.count());
  }
  if (error) {
    // The interrupt check has left the exception that asks to stop.
    if (PyErr_Occurred()) {
      pyk_error_destroy(error);
      throw nb::python_error();
    }
    throwError(error);
  }
}

/// Whether a signal's handler has raised, as Ctrl-C's does; the exception stays
/// set until the launch has ended.
static int checkSignals() {
  nb::gil_scoped_acquire acquire;
  return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
}

/// Binds a property that is a string of the C interface.
template <PykStringRef (*get)(const PykKernel *)>
static void bindText(nb::class_<Kernel> &kernel, const char *name) {
  kernel.def_prop_ro(name, [](const Kernel &self) {
    PykStringRef text = get(self.get());
    return nb::str(text.data ? text.data : "", text.size);
  });
}

void pyk::python::bindLaunch(nb::module_ &module) {
  nb::class_<Kernel> kernel(module, "Kernel");
  bindText<pyk_kernel_emitted>(kernel, "emitted");
  bindText<pyk_kernel_manifest>(kernel, "manifest");
  bindText<pyk_kernel_reproduce>(kernel, "reproduce");
  bindText<pyk_kernel_times>(kernel, "times");
  kernel.def("launch", &launch, "grid"_a, "block"_a, "shared_bytes"_a,
             "args"_a);
  pyk_set_interrupt_check(checkSignals);
}
