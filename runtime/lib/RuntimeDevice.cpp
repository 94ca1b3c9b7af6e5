// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: devices and their memory.

#include "RuntimeHandles.h"

using namespace pyk::runtime;

static Status checkBackend(int32_t backend) {
  if (backend == PYK_RT_BACKEND_CPU || backend == PYK_RT_BACKEND_CUDA)
    return Status();
  return invalid("choosing a backend", "its number", backend,
                 "pass PYK_RT_BACKEND_CPU or PYK_RT_BACKEND_CUDA");
}

static Status checkMemory(int32_t memory) {
  if (memory >= PYK_RT_MEMORY_DEVICE && memory <= PYK_RT_MEMORY_MANAGED)
    return Status();
  return invalid("getting memory", "its kind", memory,
                 "pass a value of pyk_rt_memory");
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

pyk_rt_status *pyk_rt_backend_device_count(int32_t backend, int32_t *count) {
  return guarded([&] {
    if (Status status = checkBackend(backend); !status.ok())
      return status;
    return set(Registry::ofProcess().deviceCount(Backend(backend)), count);
  });
}

pyk_rt_status *pyk_rt_backend_driver_version(int32_t backend,
                                             int32_t *version) {
  return guarded([&] {
    if (Status status = checkBackend(backend); !status.ok())
      return status;
    return set(Registry::ofProcess().driverVersion(Backend(backend)), version);
  });
}

pyk_rt_status *pyk_rt_device_get(int32_t backend, int32_t index,
                                 pyk_rt_device **device) {
  return guarded([&] {
    if (Status status = checkBackend(backend); !status.ok())
      return status;
    return give(Registry::ofProcess().device(Backend(backend), index), device);
  });
}

void pyk_rt_device_release(pyk_rt_device *device) { delete device; }

int32_t pyk_rt_device_backend(const pyk_rt_device *device) {
  return int32_t(device->device->backend());
}

int32_t pyk_rt_device_index(const pyk_rt_device *device) {
  return device->device->index();
}

const char *pyk_rt_device_name(const pyk_rt_device *device) {
  return device->device->name().c_str();
}

const char *pyk_rt_device_uuid(const pyk_rt_device *device) {
  return device->device->uuid().c_str();
}

pyk_rt_status *pyk_rt_device_attribute(pyk_rt_device *device, const char *name,
                                       int64_t *value) {
  return guarded([&] {
    Result<DeviceAttribute> attribute = deviceAttributeNamed(name);
    if (!attribute.ok())
      return attribute.status();
    return set(device->device->attribute(attribute.value()), value);
  });
}

const char *pyk_rt_device_attribute_name(int32_t index) {
  return deviceAttributeAt(index).name;
}

pyk_rt_status *pyk_rt_device_memory_info(pyk_rt_device *device,
                                         uint64_t *free_bytes,
                                         uint64_t *total_bytes) {
  return guarded([&] {
    Result<MemoryInfo> info = device->device->memoryInfo();
    if (info.ok()) {
      *free_bytes = info.value().freeBytes;
      *total_bytes = info.value().totalBytes;
    }
    return info.status();
  });
}

pyk_rt_status *pyk_rt_device_set_profiling(pyk_rt_device *device, int32_t on) {
  return guarded([&] { return device->device->setProfiling(on != 0); });
}

pyk_rt_status *pyk_rt_device_synchronize(pyk_rt_device *device) {
  return guarded([&] { return device->device->synchronize(); });
}

pyk_rt_status *pyk_rt_device_reset(pyk_rt_device *device) {
  return guarded([&] { return device->device->reset(); });
}

void pyk_rt_device_hold_until_done(pyk_rt_device *device, void *held,
                                   void (*release)(void *held)) {
  device->device->holdUntilDone(std::shared_ptr<void>(held, release));
}

pyk_rt_status *pyk_rt_device_context(pyk_rt_device *device, uint64_t *context) {
  return guarded([&] { return set(device->device->context(), context); });
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

pyk_rt_status *pyk_rt_buffer_allocate(pyk_rt_device *device, int32_t memory,
                                      size_t bytes, pyk_rt_stream *stream,
                                      pyk_rt_buffer **buffer) {
  return guarded([&] {
    if (Status status = checkMemory(memory); !status.ok())
      return status;
    return give(
        device->device->allocate(MemoryKind(memory), bytes,
                                 stream ? stream->stream.get() : nullptr),
        buffer);
  });
}

pyk_rt_status *pyk_rt_buffer_register(pyk_rt_device *device, int32_t memory,
                                      void *host, size_t bytes,
                                      pyk_rt_buffer **buffer) {
  return guarded([&] {
    if (Status status = checkMemory(memory); !status.ok())
      return status;
    return give(device->device->registerHost(MemoryKind(memory), host, bytes),
                buffer);
  });
}

uint64_t pyk_rt_buffer_device_address(const pyk_rt_buffer *buffer) {
  return buffer->buffer->deviceAddress();
}

void *pyk_rt_buffer_host_address(const pyk_rt_buffer *buffer) {
  return buffer->buffer->hostAddress();
}

size_t pyk_rt_buffer_bytes(const pyk_rt_buffer *buffer) {
  return buffer->buffer->bytes();
}

void pyk_rt_buffer_release(pyk_rt_buffer *buffer) { delete buffer; }
