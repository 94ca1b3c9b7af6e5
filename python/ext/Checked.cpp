// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch of a kernel that checks: it gets a record, waits, and reads it.
// What makes an exception of the record gets it as a Failure.

#include "Core.h"

#include <nanobind/stl/optional.h>

#include <optional>
#include <string>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;
using namespace pyk::python;

nb::object pyk::python::launchChecked(const Function &function,
                                      const Stream &stream,
                                      const pyk_rt_launch_config &config,
                                      void **values, uint64_t &record) {
  pyk_rt_failure failure = {};
  pyk_rt_stream *handle = stream.handle.get();
  auto read = [&] {
    return pyk_rt_stream_copy_to_host(handle, &failure, record, sizeof(failure),
                                      /*wait=*/1);
  };
  run([&] {
    pyk_rt_device *device = nullptr;
    pyk_rt_buffer *buffer = nullptr;
    pyk_rt_status *status =
        pyk_rt_device_get(function.backend, function.device, &device);
    if (!status)
      status = pyk_rt_buffer_allocate(device, PYK_RT_MEMORY_DEVICE,
                                      sizeof(failure), handle, &buffer);
    if (!status) {
      record = pyk_rt_buffer_device_address(buffer);
      status = pyk_rt_stream_copy_to_device(handle, record, &failure,
                                            sizeof(failure), /*wait=*/1);
    }
    if (!status) {
      status =
          pyk_rt_stream_launch(handle, function.handle.get(), &config, values);
      if (!status)
        status = read();
      if (status && pyk_rt_status_code(status) == PYK_RT_LAUNCH_FAILED) {
        // Others may have waited in vain for a thread that has failed.
        pyk_rt_status_free(read());
        if (failure.code != 0)
          pyk_rt_status_free(std::exchange(status, nullptr));
      }
    }
    if (buffer)
      pyk_rt_buffer_release(buffer);
    if (device)
      pyk_rt_device_release(device);
    return status;
  });
  if (failure.code != 0)
    return function.describe(failure);
  passWarnings();
  return {};
}

/// `text` as UTF-8, which surrogates may be in, as those of a file's name.
static nb::bytes encode(const nb::str &text) {
  PyObject *bytes =
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass");
  if (!bytes)
    throw nb::python_error();
  return nb::steal<nb::bytes>(bytes);
}

static nb::object describe(const pyk_rt_failure &failure,
                           const nb::str &function, const nb::str &file,
                           int32_t line, const std::optional<nb::str> &message,
                           bool speaksOfValues) {
  nb::bytes functionBytes = encode(function), fileBytes = encode(file);
  nb::bytes messageBytes = encode(message.value_or(nb::str("")));
  pyk_rt_failure_source source = {sizeof(source),
                                  functionBytes.c_str(),
                                  fileBytes.c_str(),
                                  line,
                                  message ? messageBytes.c_str() : nullptr,
                                  messageBytes.size(),
                                  speaksOfValues};
  std::string text(pyk_rt_describe_failure(&failure, &source, nullptr, 0), 0);
  pyk_rt_describe_failure(&failure, &source, text.data(), text.size());
  PyObject *decoded = PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()),
                                           "surrogatepass");
  if (!decoded)
    throw nb::python_error();
  return nb::steal(decoded);
}

void pyk::python::bindChecked(nb::module_ &module) {
  nb::class_<pyk_rt_failure>(module, "Failure")
      .def_ro("code", &pyk_rt_failure::code)
      .def("describe", describe, "function"_a, "file"_a, "line"_a,
           "message"_a.none(), nb::kw_only(), "speaks_of_values"_a);
}
