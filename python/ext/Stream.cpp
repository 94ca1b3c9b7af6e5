// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes Stream and Event: the runtime's, in Python's terms. Host memory
// is given by address; whoever calls keeps it alive as long as the stream may
// read it.

#include "Core.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace nb = nanobind;
using namespace nb::literals;
using namespace pyk::python;

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

static Stream makeStream(const Device &device, pyk_rt_stream *stream) {
  return {Handle<pyk_rt_stream, pyk_rt_stream_release>(stream),
          pyk_rt_device_backend(device.get()),
          pyk_rt_device_index(device.get())};
}

static Stream createStream(const Device &device) {
  pyk_rt_stream *stream = nullptr;
  run([&] { return pyk_rt_stream_create(device.get(), 0, &stream); });
  return makeStream(device, stream);
}

static Stream defaultStream(const Device &device, int32_t which) {
  pyk_rt_stream *stream = nullptr;
  run([&] { return pyk_rt_stream_default(device.get(), which, &stream); });
  return makeStream(device, stream);
}

static Stream externalStream(const Device &device, uint64_t handle) {
  pyk_rt_stream *stream = nullptr;
  run([&] { return pyk_rt_stream_external(device.get(), handle, &stream); });
  return makeStream(device, stream);
}

static void *hostPointer(uint64_t address) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

static void copyToDevice(const Stream &self, uint64_t to, uint64_t from,
                         size_t bytes, bool wait) {
  runAndWarn([&] {
    return pyk_rt_stream_copy_to_device(self.handle.get(), to,
                                        hostPointer(from), bytes, wait);
  });
}

static void copyToHost(const Stream &self, uint64_t to, uint64_t from,
                       size_t bytes, bool wait) {
  runAndWarn([&] {
    return pyk_rt_stream_copy_to_host(self.handle.get(), hostPointer(to), from,
                                      bytes, wait);
  });
}

static void copyOnDevice(const Stream &self, uint64_t to, uint64_t from,
                         size_t bytes) {
  runAndWarn([&] {
    return pyk_rt_stream_copy_on_device(self.handle.get(), to, from, bytes);
  });
}

static void copyRows(const Stream &self, int32_t direction, uint64_t to,
                     uint64_t from, size_t toPitch, size_t fromPitch,
                     size_t rowBytes, size_t rows, bool wait) {
  pyk_rt_copy_2d copy = {sizeof(copy), direction, to,       from,
                         toPitch,      fromPitch, rowBytes, rows};
  runAndWarn(
      [&] { return pyk_rt_stream_copy_rows(self.handle.get(), &copy, wait); });
}

/// Callbacks that have not returned.
static std::atomic<int> pendingCallbacks{0};

/// Calls the Python function `context` with None or the text of the failure.
static void runCallback(const pyk_rt_status *status, void *context) {
  WithGil with;
  if (!with)
    return;
  nb::object function = nb::steal(static_cast<PyObject *>(context));
  try {
    if (status)
      function(pyk_rt_status_message(status));
    else
      function(nb::none());
  } catch (nb::python_error &error) {
    // There is nobody to raise it to.
    error.discard_as_unraisable(function);
  }
}

static void callBack(const pyk_rt_status *status, void *context) {
  // Without an interpreter there is nobody to call, and nothing to free.
  if (!isInterpreterEnding())
    runCallback(status, context);
  --pendingCallbacks;
}

/// Waits for callbacks when the interpreter is about to end, for some seconds:
/// longer than any that is well-behaved, but not for a kernel without an end.
static void finishCallbacks() {
  WithoutGil without;
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (pendingCallbacks != 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  setInterpreterEnding();
  forgetKept();
  // Text that kernels print from now on goes to C's standard output.
  pyk_rt_keep_printed(0);
}

static void addCallback(const Stream &self, nb::callable function) {
  PyObject *context = function.inc_ref().ptr();
  ++pendingCallbacks;
  pyk_rt_status *status;
  {
    WithoutGil without;
    status = pyk_rt_stream_add_callback(self.handle.get(), callBack, context);
  }
  if (status) {
    --pendingCallbacks;
    Py_DECREF(context);
  }
  throwIfFailed(status);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static Event createEvent(const Device &device, bool timing) {
  pyk_rt_event *event = nullptr;
  run([&] { return pyk_rt_event_create(device.get(), timing, &event); });
  return Event(event);
}

static bool queryEvent(const Event &self) {
  int32_t done = 0;
  run([&] { return pyk_rt_event_query(self.get(), &done); });
  return done != 0;
}

static double elapsed(const Event &self, const Event &end) {
  double milliseconds = 0;
  run([&] {
    return pyk_rt_event_elapsed(self.get(), end.get(), &milliseconds);
  });
  return milliseconds;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

void pyk::python::bindStream(nb::module_ &module) {
  nb::class_<Event>(module, "Event")
      .def_static("create", &createEvent, "device"_a, "timing"_a)
      .def_prop_ro(
          "handle",
          [](const Event &self) { return pyk_rt_event_handle(self.get()); })
      .def(
          "record",
          [](const Event &self, const Stream &stream) {
            run([&] {
              return pyk_rt_event_record(self.get(), stream.handle.get());
            });
          },
          "stream"_a)
      .def("query", &queryEvent)
      .def("synchronize",
           [](const Event &self) {
             runAndWarn([&] { return pyk_rt_event_synchronize(self.get()); });
           })
      .def("elapsed", &elapsed, "end"_a);

  module.def("finish_callbacks", &finishCallbacks);
  nb::class_<Stream>(module, "Stream")
      .def_static("create", &createStream, "device"_a)
      .def_static("default", &defaultStream, "device"_a, "which"_a)
      .def_static("external", &externalStream, "device"_a, "handle"_a)
      .def_ro("device_index", &Stream::device)
      .def_prop_ro("handle",
                   [](const Stream &self) {
                     return pyk_rt_stream_handle(self.handle.get());
                   })
      .def("copy_to_device", &copyToDevice, "to"_a, "source"_a, "bytes"_a,
           "wait"_a)
      .def("copy_to_host", &copyToHost, "to"_a, "source"_a, "bytes"_a, "wait"_a)
      .def("copy_on_device", &copyOnDevice, "to"_a, "source"_a, "bytes"_a)
      .def("copy_rows", &copyRows, "direction"_a, "to"_a, "source"_a,
           "to_pitch"_a, "source_pitch"_a, "row_bytes"_a, "rows"_a, "wait"_a)
      .def(
          "wait",
          [](const Stream &self, const Event &event) {
            run([&] {
              return pyk_rt_stream_wait_event(self.handle.get(), event.get());
            });
          },
          "event"_a)
      .def("add_callback", &addCallback, "function"_a)
      .def("synchronize", [](const Stream &self) {
        runAndWarn(
            [&] { return pyk_rt_stream_synchronize(self.handle.get()); });
      });
}
