// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: streams, what is queued on them, and events.

#include "RuntimeHandles.h"

#include <cstring>

using namespace pyk::runtime;

static Completion completionOf(int32_t wait) {
  return wait ? Completion::Done : Completion::Queued;
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
