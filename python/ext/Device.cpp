// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes Device and Buffer: the runtime's, in Python's terms. Addresses
// are ints; memory that Python code can reach is handed out as a memoryview by
// pyk.cuda, which knows its shape.

#include "Core.h"
#include "pyk/runtime/Limits.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <string>

namespace nb = nanobind;
using namespace nb::literals;
using namespace pyk::python;

static int32_t deviceCount(int32_t backend) {
  int32_t count = 0;
  run([&] { return pyk_rt_backend_device_count(backend, &count); });
  return count;
}

static Device makeDevice(int32_t backend, int32_t index) {
  pyk_rt_device *device = nullptr;
  run([&] { return pyk_rt_device_get(backend, index, &device); });
  return Device(device);
}

static int64_t attribute(const Device &self, const std::string &name) {
  int64_t value = 0;
  run([&] {
    return pyk_rt_device_attribute(self.get(), name.c_str(), &value);
  });
  return value;
}

static std::pair<uint64_t, uint64_t> memoryInfo(const Device &self) {
  uint64_t free = 0, total = 0;
  run([&] { return pyk_rt_device_memory_info(self.get(), &free, &total); });
  return {free, total};
}

static void setProfiling(const Device &self, bool on) {
  run([&] { return pyk_rt_device_set_profiling(self.get(), on); });
}

static uint64_t context(const Device &self) {
  uint64_t handle = 0;
  run([&] { return pyk_rt_device_context(self.get(), &handle); });
  return handle;
}

static Buffer allocate(const Device &self, size_t bytes, int32_t memory) {
  pyk_rt_buffer *buffer = nullptr;
  // In the order of the default stream: see rationale/python-layer.md.
  run([&] {
    return pyk_rt_buffer_allocate(self.get(), memory, bytes, nullptr, &buffer);
  });
  return Buffer(buffer);
}

static Buffer registerMemory(const Device &self, uint64_t address, size_t bytes,
                             int32_t memory) {
  pyk_rt_buffer *buffer = nullptr;
  auto *host = reinterpret_cast<void *>(static_cast<uintptr_t>(address));
  run([&] {
    return pyk_rt_buffer_register(self.get(), memory, host, bytes, &buffer);
  });
  return Buffer(buffer);
}

/// Address, shape, strides in bytes, dtype as NumPy writes it or `bfloat16`,
/// and an owner of a tensor that another library hands out.
static nb::tuple importDlpack(nb::ndarray<> tensor) {
  if (tensor.dtype().lanes != 1 || tensor.dtype().bits % 8 != 0)
    throw nb::value_error("its elements are not whole bytes, one by one");
  if (!tensor.data() && tensor.size() != 0)
    throw nb::value_error("it has no memory");
  nb::list shape, strides;
  size_t bytes = tensor.itemsize();
  for (size_t i = 0; i < tensor.ndim(); ++i) {
    shape.append(tensor.shape(i));
    strides.append(tensor.stride(i) * int64_t(bytes));
  }
  auto code = static_cast<nb::dlpack::dtype_code>(tensor.dtype().code);
  char kind = code == nb::dlpack::dtype_code::Int       ? 'i'
              : code == nb::dlpack::dtype_code::UInt    ? 'u'
              : code == nb::dlpack::dtype_code::Float   ? 'f'
              : code == nb::dlpack::dtype_code::Complex ? 'c'
              : code == nb::dlpack::dtype_code::Bool    ? 'b'
                                                        : 'V';
  std::string dtype = "<" + std::string(1, kind) + std::to_string(bytes);
  if (code == nb::dlpack::dtype_code::Bfloat && bytes == 2)
    dtype = "bfloat16";
  nb::capsule owner(new nb::ndarray<>(tensor), [](void *held) noexcept {
    delete static_cast<nb::ndarray<> *>(held);
  });
  return nb::make_tuple(reinterpret_cast<uintptr_t>(tensor.data()),
                        nb::tuple(shape), nb::tuple(strides), dtype, owner);
}

void pyk::python::bindDevice(nb::module_ &module) {
  module.def("limits", [] {
    nb::dict limits;
    limits["threads_per_block"] = pyk::runtime::LaunchLimits::threadsPerBlock;
    limits["narrow"] = PYK_RT_NARROW_LIMIT;
    return limits;
  });
  module.def("device_count", &deviceCount, "backend"_a);
  module.def("import_dlpack", &importDlpack, "tensor"_a);

  nb::class_<Device>(module, "Device")
      .def_static("get", &makeDevice, "backend"_a, "index"_a)
      .def_prop_ro(
          "backend",
          [](const Device &self) { return pyk_rt_device_backend(self.get()); })
      .def_prop_ro(
          "index",
          [](const Device &self) { return pyk_rt_device_index(self.get()); })
      .def_prop_ro(
          "name",
          [](const Device &self) { return pyk_rt_device_name(self.get()); })
      .def_prop_ro(
          "uuid",
          [](const Device &self) { return pyk_rt_device_uuid(self.get()); })
      .def("attribute", &attribute, "name"_a)
      .def("memory_info", &memoryInfo)
      .def("set_profiling", &setProfiling)
      .def("context", &context)
      .def("synchronize",
           [](const Device &self) {
             runAndWarn([&] { return pyk_rt_device_synchronize(self.get()); });
           })
      .def("reset",
           [](const Device &self) {
             run([&] { return pyk_rt_device_reset(self.get()); });
           })
      .def("allocate", &allocate, "bytes"_a, "memory"_a)
      .def("register", &registerMemory, "address"_a, "bytes"_a, "memory"_a);

  nb::class_<Buffer>(module, "Buffer")
      .def_prop_ro("device_address",
                   [](const Buffer &self) {
                     return pyk_rt_buffer_device_address(self.get());
                   })
      .def_prop_ro("host_address",
                   [](const Buffer &self) {
                     return reinterpret_cast<uintptr_t>(
                         pyk_rt_buffer_host_address(self.get()));
                   })
      .def_prop_ro("bytes", [](const Buffer &self) {
        return pyk_rt_buffer_bytes(self.get());
      });
}
