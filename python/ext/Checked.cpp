// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch of a kernel that checks: it gets a record, waits, and reads it.

#include "Core.h"

#include <utility>

namespace nb = nanobind;
using namespace pyk::python;

void pyk::python::launchChecked(const Function &function, const Stream &stream,
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
  if (failure.code == 0)
    return passWarnings();
  auto place = [](const int32_t (&index)[3]) {
    return nb::make_tuple(index[0], index[1], index[2]);
  };
  raise(function.describe(
      failure.code, place(failure.thread_id), place(failure.block_id),
      nb::make_tuple(failure.values[0], failure.values[1])));
}
