// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: each handle is a struct around the C++ object, each function
// one call of it. C++ exceptions stop here; what the standard library throws is
// a lack of memory.

#include "pyk/runtime/Runtime.h"

#include "pyk/runtime/Registry.h"

#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

using namespace pyk::runtime;

struct pyk_rt_status {
  Status status;
};
struct pyk_rt_device {
  std::shared_ptr<Device> device;
};
struct pyk_rt_buffer {
  std::unique_ptr<Buffer> buffer;
};
struct pyk_rt_stream {
  std::unique_ptr<Stream> stream;
};
struct pyk_rt_event {
  std::unique_ptr<Event> event;
};
struct pyk_rt_module {
  std::unique_ptr<Module> module;
};
struct pyk_rt_function {
  std::unique_ptr<Kernel> kernel;
};

static_assert(int(StatusCode::DriverFailed) == PYK_RT_DRIVER_FAILED &&
              int(StatusCode::Cancelled) == PYK_RT_CANCELLED &&
              int(StatusCode::OutOfMemory) == PYK_RT_OUT_OF_MEMORY);

namespace {

/// The status of having no memory for a status. Never freed.
pyk_rt_status *noMemory() {
  static auto *status = new pyk_rt_status{
      Status::failure(StatusCode::OutOfMemory, "calling the runtime",
                      "the system gave no memory", "free memory")};
  return status;
}

/// What C gets for `status`.
pyk_rt_status *handOut(Status status) {
  if (status.ok())
    return nullptr;
  auto *made = new (std::nothrow) pyk_rt_status{std::move(status)};
  return made ? made : noMemory();
}

/// Runs `body`, which returns a Status, where no exception may pass.
template <typename Body>
pyk_rt_status *guarded(Body body) {
  try {
    return handOut(body());
  } catch (const std::bad_alloc &) {
    return noMemory();
  } catch (const std::exception &error) {
    // No test: nothing throws but for a lack of memory.
    return handOut(Status::failure(StatusCode::Unavailable,
                                   "calling the runtime", error.what(),
                                   "report this as a defect of PyK"));
  }
}

/// Hands `result`'s object out as a `Handle`.
template <typename Handle, typename T>
Status give(Result<T> result, Handle **out) {
  if (!result.ok())
    return result.status();
  *out = new Handle{std::move(result.value())};
  return Status();
}

/// Hands `result`'s value out.
template <typename T, typename Out>
Status set(Result<T> result, Out *out) {
  if (result.ok())
    *out = Out(result.value());
  return result.status();
}

Status invalid(std::string_view doing, std::string_view what, int64_t value,
               std::string_view remedy) {
  return Status::failure(StatusCode::InvalidArgument, doing,
                         std::string(what) + " is " + std::to_string(value),
                         remedy);
}

Status checkBackend(int32_t backend) {
  if (backend == PYK_RT_BACKEND_CPU || backend == PYK_RT_BACKEND_CUDA)
    return Status();
  return invalid("choosing a backend", "its number", backend,
                 "pass PYK_RT_BACKEND_CPU or PYK_RT_BACKEND_CUDA");
}

Status checkMemory(int32_t memory) {
  if (memory >= PYK_RT_MEMORY_DEVICE && memory <= PYK_RT_MEMORY_MANAGED)
    return Status();
  return invalid("getting memory", "its kind", memory,
                 "pass a value of pyk_rt_memory");
}

/// Fails unless the caller knows at least the members of the first version.
Status checkSize(std::string_view doing, size_t given, size_t first) {
  if (given >= first)
    return Status();
  return Status::failure(StatusCode::InvalidArgument, doing,
                         "struct_bytes is " + std::to_string(given) +
                             ", less than " + std::to_string(first),
                         "set it to the structure's size");
}

Completion completionOf(int32_t wait) {
  return wait ? Completion::Done : Completion::Queued;
}

} // namespace

int32_t pyk_rt_interface_version() { return PYK_RT_INTERFACE_VERSION; }

//===----------------------------------------------------------------------===//
// Statuses
//===----------------------------------------------------------------------===//

int32_t pyk_rt_status_code(const pyk_rt_status *status) {
  return status ? int32_t(status->status.code()) : int32_t(PYK_RT_OK);
}

const char *pyk_rt_status_message(const pyk_rt_status *status) {
  return status ? status->status.message().c_str() : "";
}

const char *pyk_rt_status_native_call(const pyk_rt_status *status) {
  return status && status->status.native()
             ? status->status.native()->call.c_str()
             : "";
}

int32_t pyk_rt_status_native_code(const pyk_rt_status *status) {
  return status && status->status.native() ? status->status.native()->code : 0;
}

const char *pyk_rt_status_native_name(const pyk_rt_status *status) {
  return status && status->status.native()
             ? status->status.native()->name.c_str()
             : "";
}

void pyk_rt_status_free(pyk_rt_status *status) {
  if (status != noMemory())
    delete status;
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

//===----------------------------------------------------------------------===//
// Modules and functions
//===----------------------------------------------------------------------===//

pyk_rt_status *pyk_rt_module_load_image(pyk_rt_device *device, const char *name,
                                        const void *image, size_t image_bytes,
                                        const pyk_rt_image_options *options,
                                        pyk_rt_module **module) {
  return guarded([&] {
    DeviceImage described;
    described.name = name;
    described.code = {static_cast<const char *>(image), image_bytes};
    if (options) {
      if (Status status = checkSize("loading a module", options->struct_bytes,
                                    sizeof(pyk_rt_image_options));
          !status.ok())
        return status;
      described.maxRegisters = options->max_registers;
      described.optimizationLevel = options->optimization_level;
      described.lineInfo = options->line_info != 0;
    }
    return give(device->device->loadImage(described), module);
  });
}

pyk_rt_status *pyk_rt_module_load_host(pyk_rt_device *device,
                                       const pyk_rt_host_kernel *kernels,
                                       size_t count, void *owner,
                                       void (*release_owner)(void *owner),
                                       pyk_rt_module **module) {
  return guarded([&] {
    HostImage image;
    // First of all, so that the owner is released whatever comes.
    if (release_owner)
      image.owner = std::shared_ptr<void>(owner, release_owner);
    for (size_t i = 0; i < count; ++i)
      image.kernels.push_back(
          {kernels[i].name,
           kernels[i].kernel,
           {kernels[i].parameter_bytes,
            kernels[i].parameter_bytes + kernels[i].parameter_count}});
    return give(device->device->loadHost(std::move(image)), module);
  });
}

void pyk_rt_module_release(pyk_rt_module *module) { delete module; }

pyk_rt_status *pyk_rt_module_function(pyk_rt_module *module, const char *name,
                                      pyk_rt_function **function) {
  return guarded([&] { return give(module->module->kernel(name), function); });
}

pyk_rt_status *pyk_rt_module_symbol(pyk_rt_module *module, const char *name,
                                    uint64_t *address, size_t *bytes) {
  return guarded([&] {
    Result<ModuleSymbol> symbol = module->module->symbol(name);
    if (symbol.ok()) {
      *address = symbol.value().address;
      *bytes = symbol.value().bytes;
    }
    return symbol.status();
  });
}

void pyk_rt_function_release(pyk_rt_function *function) { delete function; }

pyk_rt_status *pyk_rt_function_get_info(pyk_rt_function *function,
                                        pyk_rt_function_info *info) {
  return guarded([&] {
    if (Status status =
            checkSize("asking what a kernel needs", info->struct_bytes,
                      sizeof(pyk_rt_function_info));
        !status.ok())
      return status;
    Result<KernelInfo> found = function->kernel->info();
    if (!found.ok())
      return found.status();
    const KernelInfo &needs = found.value();
    *info = {info->struct_bytes,         needs.registersPerThread,
             needs.maxThreadsPerBlock,   needs.staticSharedBytes,
             needs.localBytesPerThread,  needs.constantBytes,
             needs.maxDynamicSharedBytes};
    return Status();
  });
}

pyk_rt_status *pyk_rt_function_set_max_dynamic_shared(pyk_rt_function *function,
                                                      int64_t bytes) {
  return guarded([&] { return function->kernel->setMaxDynamicShared(bytes); });
}

pyk_rt_status *pyk_rt_function_set_carveout(pyk_rt_function *function,
                                            int32_t percent) {
  return guarded([&] { return function->kernel->setCarveout(percent); });
}

pyk_rt_status *pyk_rt_function_set_cache(pyk_rt_function *function,
                                         int32_t preference) {
  return guarded([&] {
    if (preference < PYK_RT_CACHE_DEFAULT || preference > PYK_RT_CACHE_EQUAL)
      return invalid("setting a kernel's cache preference", "its number",
                     preference, "pass a value of pyk_rt_cache");
    return function->kernel->setCache(CachePreference(preference));
  });
}

pyk_rt_status *pyk_rt_function_active_blocks(pyk_rt_function *function,
                                             int32_t block_threads,
                                             size_t dynamic_shared_bytes,
                                             int32_t *blocks) {
  return guarded([&] {
    return set(
        function->kernel->activeBlocks(block_threads, dynamic_shared_bytes),
        blocks);
  });
}

pyk_rt_status *pyk_rt_function_best_block(pyk_rt_function *function,
                                          size_t dynamic_shared_bytes,
                                          int32_t limit, int32_t *min_grid,
                                          int32_t *block_threads) {
  return guarded([&] {
    Result<BestBlock> best =
        function->kernel->bestBlock(dynamic_shared_bytes, limit);
    if (best.ok()) {
      *min_grid = best.value().minGrid;
      *block_threads = best.value().blockThreads;
    }
    return best.status();
  });
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

pyk_rt_status *pyk_rt_stream_create(pyk_rt_device *device, int32_t non_blocking,
                                    pyk_rt_stream **stream) {
  return guarded([&] {
    StreamOrder order =
        non_blocking ? StreamOrder::Alone : StreamOrder::WithDefault;
    return give(device->device->createStream(order), stream);
  });
}

pyk_rt_status *pyk_rt_stream_default(pyk_rt_device *device, int32_t which,
                                     pyk_rt_stream **stream) {
  return guarded([&] {
    if (which < PYK_RT_STREAM_DEFAULT || which > PYK_RT_STREAM_PER_THREAD)
      return invalid("choosing a default stream", "its number", which,
                     "pass a value of pyk_rt_default_stream");
    return give(device->device->defaultStream(DefaultStream(which)), stream);
  });
}

pyk_rt_status *pyk_rt_stream_external(pyk_rt_device *device, uint64_t handle,
                                      pyk_rt_stream **stream) {
  return guarded(
      [&] { return give(device->device->externalStream(handle), stream); });
}

void pyk_rt_stream_release(pyk_rt_stream *stream) { delete stream; }

uint64_t pyk_rt_stream_handle(const pyk_rt_stream *stream) {
  return stream->stream->handle();
}

pyk_rt_status *pyk_rt_stream_launch(pyk_rt_stream *stream,
                                    pyk_rt_function *function,
                                    const pyk_rt_launch_config *config,
                                    void *const *arguments) {
  return guarded([&] {
    if (config->struct_bytes < sizeof(pyk_rt_launch_config))
      return checkSize("launching a kernel", config->struct_bytes,
                       sizeof(pyk_rt_launch_config));
    LaunchConfig launch;
    std::memcpy(launch.grid, config->grid, sizeof(launch.grid));
    std::memcpy(launch.block, config->block, sizeof(launch.block));
    launch.dynamicSharedBytes = config->dynamic_shared_bytes;
    launch.cooperative = config->cooperative != 0;
    return stream->stream->launch(*function->kernel, launch, arguments);
  });
}

pyk_rt_status *pyk_rt_stream_copy_to_device(pyk_rt_stream *stream, uint64_t to,
                                            const void *from, size_t bytes,
                                            int32_t wait) {
  return guarded([&] {
    return stream->stream->copyToDevice(to, from, bytes, completionOf(wait));
  });
}

pyk_rt_status *pyk_rt_stream_copy_to_host(pyk_rt_stream *stream, void *to,
                                          uint64_t from, size_t bytes,
                                          int32_t wait) {
  return guarded([&] {
    return stream->stream->copyToHost(to, from, bytes, completionOf(wait));
  });
}

pyk_rt_status *pyk_rt_stream_copy_on_device(pyk_rt_stream *stream, uint64_t to,
                                            uint64_t from, size_t bytes) {
  return guarded([&] { return stream->stream->copyOnDevice(to, from, bytes); });
}

pyk_rt_status *pyk_rt_stream_copy_rows(pyk_rt_stream *stream,
                                       const pyk_rt_copy_2d *copy,
                                       int32_t wait) {
  return guarded([&] {
    constexpr std::string_view doing = "copying rows";
    if (Status status =
            checkSize(doing, copy->struct_bytes, sizeof(pyk_rt_copy_2d));
        !status.ok())
      return status;
    if (copy->direction < PYK_RT_TO_DEVICE ||
        copy->direction > PYK_RT_ON_DEVICE)
      return invalid(doing, "their direction", copy->direction,
                     "pass a value of pyk_rt_direction");
    return stream->stream->copyRows(
        {CopyDirection(copy->direction), copy->to, copy->from, copy->to_pitch,
         copy->from_pitch, copy->row_bytes, copy->rows},
        completionOf(wait));
  });
}

pyk_rt_status *pyk_rt_stream_fill(pyk_rt_stream *stream, uint64_t to,
                                  uint32_t value, int32_t element_bytes,
                                  size_t count) {
  return guarded(
      [&] { return stream->stream->fill(to, value, element_bytes, count); });
}

pyk_rt_status *pyk_rt_stream_wait_event(pyk_rt_stream *stream,
                                        pyk_rt_event *event) {
  return guarded([&] { return stream->stream->wait(*event->event); });
}

pyk_rt_status *pyk_rt_stream_add_callback(
    pyk_rt_stream *stream,
    void (*callback)(const pyk_rt_status *status, void *context),
    void *context) {
  return guarded([&] {
    return stream->stream->addCallback(
        [callback, context](const Status &status) {
          pyk_rt_status handle{status};
          callback(status.ok() ? nullptr : &handle, context);
        });
  });
}

pyk_rt_status *pyk_rt_stream_query(pyk_rt_stream *stream, int32_t *done) {
  return guarded([&] { return set(stream->stream->query(), done); });
}

pyk_rt_status *pyk_rt_stream_synchronize(pyk_rt_stream *stream) {
  return guarded([&] { return stream->stream->synchronize(); });
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

pyk_rt_status *pyk_rt_event_create(pyk_rt_device *device, int32_t timing,
                                   pyk_rt_event **event) {
  return guarded([&] {
    EventTiming kind = timing ? EventTiming::Taken : EventTiming::None;
    return give(device->device->createEvent(kind), event);
  });
}

void pyk_rt_event_release(pyk_rt_event *event) { delete event; }

uint64_t pyk_rt_event_handle(const pyk_rt_event *event) {
  return event->event->handle();
}

pyk_rt_status *pyk_rt_event_record(pyk_rt_event *event, pyk_rt_stream *stream) {
  return guarded([&] { return event->event->record(*stream->stream); });
}

pyk_rt_status *pyk_rt_event_query(pyk_rt_event *event, int32_t *done) {
  return guarded([&] { return set(event->event->query(), done); });
}

pyk_rt_status *pyk_rt_event_synchronize(pyk_rt_event *event) {
  return guarded([&] { return event->event->synchronize(); });
}

pyk_rt_status *pyk_rt_event_elapsed(pyk_rt_event *start, pyk_rt_event *end,
                                    double *milliseconds) {
  return guarded([&] {
    return set(start->event->millisecondsUntil(*end->event), milliseconds);
  });
}
