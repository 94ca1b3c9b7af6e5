// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stand-in's streams and events.

#include "Entry.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

using namespace standin;
using namespace pyk::runtime::driver;

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

std::shared_ptr<Stream> State::getStream(const void *handle) {
  auto found = objects.find(reinterpret_cast<uintptr_t>(handle));
  if (found != objects.end() && found->second.kind == Kind::Stream)
    return found->second.stream;
  uintptr_t context = currentContexts.back();
  for (const std::shared_ptr<Stream> &stream : streams)
    if (stream->isDefault && stream->context == context)
      return stream;
  return addStream(/*isDefault=*/true, /*isAlone=*/false);
}

std::shared_ptr<Stream> State::addStream(bool isDefault, bool isAlone) {
  auto stream = std::make_shared<Stream>();
  stream->context = currentContexts.back();
  stream->isDefault = isDefault;
  stream->isAlone = isAlone;
  streams.push_back(stream);
  return stream;
}

std::vector<std::shared_ptr<Task>>
State::getTasksBefore(const Stream &stream) const {
  std::vector<std::shared_ptr<Task>> tasks;
  for (const std::shared_ptr<Stream> &other : streams) {
    bool isOrdered =
        other.get() == &stream ||
        (other->context == stream.context && !other->isAlone &&
         !stream.isAlone && (other->isDefault || stream.isDefault));
    if (isOrdered && other->last && !other->last->isDone)
      tasks.push_back(other->last);
  }
  return tasks;
}

std::vector<std::shared_ptr<Task>>
State::getTasksOf(const Stream &stream) const {
  // The default stream waits for streams that keep order with it.
  if (stream.isDefault)
    return getTasksBefore(stream);
  if (!stream.last || stream.last->isDone)
    return {};
  return {stream.last};
}

static bool areDone(const std::vector<std::shared_ptr<Task>> &tasks) {
  return std::all_of(tasks.begin(), tasks.end(),
                     [](const auto &task) { return task->isDone; });
}

/// Does what is in a queue, and ends when there is nothing left.
static void runStream(const std::shared_ptr<Stream> &stream) {
  State &state = State::get();
  std::unique_lock<std::recursive_mutex> lock(state.mutex);
  while (!stream->queue.empty()) {
    std::shared_ptr<Task> task = stream->queue.front();
    state.changed.wait(lock, [&] {
      return !state.isBusy(stream->isAlone) && areDone(task->after);
    });
    CuResult lost = state.getFailure(stream->context);
    lock.unlock();
    if (task->work)
      task->work(lost);
    // What it holds may call PyK's, such as a callback's data.
    task->work = nullptr;
    lock.lock();
    task->after.clear();
    task->end = std::chrono::steady_clock::now();
    task->isDone = true;
    stream->queue.pop_front();
    state.changed.notify_all();
  }
  stream->hasThread = false;
  state.changed.notify_all();
}

/// Ends kernels that still run when the process ends, before what they use
/// does.
static void stopAtExit() {
  State &state = State::get();
  std::unique_lock<std::recursive_mutex> lock(state.mutex);
  state.stops = true;
  state.changed.wait_for(lock, std::chrono::seconds(10),
                         [&] { return !state.isRunning; });
}

std::shared_ptr<Task>
State::enqueue(std::unique_lock<std::recursive_mutex> &lock,
               const std::shared_ptr<Stream> &stream,
               std::function<void(CuResult)> work,
               std::vector<std::shared_ptr<Task>> before) {
  static const int atExit = std::atexit(stopAtExit);
  (void)atExit;
  auto task = std::make_shared<Task>();
  task->work = std::move(work);
  task->after = getTasksBefore(*stream);
  task->after.insert(task->after.end(), before.begin(), before.end());
  stream->last = task;
  // What only marks a place is reached at once if all before it is done.
  if (!task->work && areDone(task->after) && !isBusy(stream->isAlone)) {
    task->after.clear();
    task->end = std::chrono::steady_clock::now();
    task->isDone = true;
    return task;
  }
  stream->queue.push_back(task);
  if (!stream->hasThread) {
    std::thread(runStream, stream).detach();
    stream->hasThread = true;
  }
  changed.notify_all();
  changed.wait(
      lock, [&] { return isAsync || task->isDone || isBusy(stream->isAlone); });
  return task;
}

void State::wait(std::unique_lock<std::recursive_mutex> &lock,
                 const std::vector<std::shared_ptr<Task>> &tasks,
                 bool isAlone) {
  changed.wait(lock, [&] { return !isBusy(isAlone) && areDone(tasks); });
}

void State::waitForStream(std::unique_lock<std::recursive_mutex> &lock,
                          const void *handle) {
  std::shared_ptr<Stream> stream = getStream(handle);
  wait(lock, getTasksOf(*stream), stream->isAlone);
}

void State::waitForAll(std::unique_lock<std::recursive_mutex> &lock) {
  std::vector<std::shared_ptr<Task>> tasks;
  for (const std::shared_ptr<Stream> &stream : streams)
    if (stream->last && !stream->last->isDone)
      tasks.push_back(stream->last);
  wait(lock, tasks, /*isAlone=*/true);
}

void State::dropStream(std::unique_lock<std::recursive_mutex> &lock,
                       const std::shared_ptr<Stream> &stream) {
  enqueue(lock, stream, [this, stream](CuResult) {
    std::lock_guard<std::recursive_mutex> held(mutex);
    streams.erase(std::remove(streams.begin(), streams.end(), stream),
                  streams.end());
  });
}

void State::stop(std::unique_lock<std::recursive_mutex> &lock) {
  busy = 0;
  stops = true;
  changed.notify_all();
  waitForAll(lock);
  stops = false;
}

extern "C" {

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

STANDIN_API CuResult cuStreamCreate(CuStream *stream, unsigned flags) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamCreate);
  if (flags > 1)
    return InvalidValue;
  Object made = {};
  made.kind = Kind::Stream;
  made.flags = flags;
  made.stream = state.addStream(/*isDefault=*/false,
                                /*isAlone=*/flags == streamNonBlocking);
  *stream = reinterpret_cast<CuStream>(state.add(made));
  return Success;
}

STANDIN_API CuResult cuStreamDestroy_v2(CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamDestroy);
  Object *ended = state.find(Kind::Stream, stream, "cuStreamDestroy");
  if (!ended)
    return InvalidHandle;
  std::shared_ptr<Stream> dropped = ended->stream;
  state.dropStream(lock, dropped);
  state.objects.erase(reinterpret_cast<uintptr_t>(stream));
  return Success;
}

STANDIN_API CuResult cuStreamGetCtx(CuStream stream, CuContext *context) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamGetCtx);
  auto found = state.objects.find(reinterpret_cast<uintptr_t>(stream));
  if (found == state.objects.end() || found->second.kind != Kind::Stream)
    return InvalidHandle;
  *context = reinterpret_cast<CuContext>(found->second.context);
  return Success;
}

STANDIN_API CuResult cuStreamSynchronize(CuStream stream) {
  STANDIN_BEGIN_WAITING(cuStreamSynchronize);
  STANDIN_CHECK_STREAM(cuStreamSynchronize, stream);
  state.waitForStream(lock, stream);
  return state.getLost();
}

STANDIN_API CuResult cuStreamQuery(CuStream stream) {
  STANDIN_BEGIN_WAITING(cuStreamQuery);
  STANDIN_CHECK_STREAM(cuStreamQuery, stream);
  std::shared_ptr<Stream> asked = state.getStream(stream);
  if (state.isBusy(asked->isAlone) || !state.getTasksOf(*asked).empty())
    return NotReady;
  return state.getLost();
}

STANDIN_API CuResult cuStreamWaitEvent(CuStream stream, CuEvent event,
                                       unsigned) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamWaitEvent);
  STANDIN_CHECK_STREAM(cuStreamWaitEvent, stream);
  Object *awaited = state.find(Kind::Event, event, "cuStreamWaitEvent");
  if (!awaited)
    return InvalidHandle;
  if (awaited->recorded)
    state.enqueue(lock, state.getStream(stream), nullptr, {awaited->recorded});
  return Success;
}

STANDIN_API CuResult cuStreamAddCallback(CuStream stream,
                                         CuStreamCallback callback, void *data,
                                         unsigned) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamAddCallback);
  STANDIN_CHECK_STREAM(cuStreamAddCallback, stream);
  state.enqueue(lock, state.getStream(stream),
                [=](CuResult status) { callback(stream, status, data); });
  return Success;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

STANDIN_API CuResult cuEventCreate(CuEvent *event, unsigned flags) {
  STANDIN_BEGIN_IN_CONTEXT(cuEventCreate);
  Object made = {};
  made.kind = Kind::Event;
  made.flags = flags;
  *event = reinterpret_cast<CuEvent>(state.add(made));
  return Success;
}

STANDIN_API CuResult cuEventDestroy_v2(CuEvent event) {
  STANDIN_BEGIN_IN_CONTEXT(cuEventDestroy);
  if (!state.find(Kind::Event, event, "cuEventDestroy"))
    return InvalidHandle;
  state.objects.erase(reinterpret_cast<uintptr_t>(event));
  return Success;
}

STANDIN_API CuResult cuEventRecord(CuEvent event, CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuEventRecord);
  STANDIN_CHECK_STREAM(cuEventRecord, stream);
  Object *recorded = state.find(Kind::Event, event, "cuEventRecord");
  if (!recorded)
    return InvalidHandle;
  std::shared_ptr<Stream> queue = state.getStream(stream);
  std::shared_ptr<Task> mark = state.enqueue(lock, queue, nullptr);
  // Another thread may have destroyed the event meanwhile.
  recorded = state.find(Kind::Event, event, "cuEventRecord");
  if (!recorded)
    return InvalidHandle;
  recorded->alone = queue->isAlone;
  recorded->recorded = mark;
  return Success;
}

#ifndef PYK_STANDIN_OLD
STANDIN_API CuResult cuCtxRecordEvent(CuContext context, CuEvent event) {
  STANDIN_BEGIN_IN_CONTEXT(cuCtxRecordEvent);
  Object *recorded = state.find(Kind::Event, event, "cuCtxRecordEvent");
  if (!recorded || recorded->context != reinterpret_cast<uintptr_t>(context))
    return InvalidHandle;
  std::vector<std::shared_ptr<Task>> all;
  for (const std::shared_ptr<Stream> &other : state.streams)
    if (other->context == recorded->context && other->last)
      all.push_back(other->last);
  // A stream of its own, which no order holds up.
  std::shared_ptr<Stream> stream =
      state.addStream(/*isDefault=*/false, /*isAlone=*/true);
  std::shared_ptr<Task> mark =
      state.enqueue(lock, stream, nullptr, std::move(all));
  state.dropStream(lock, stream);
  recorded = state.find(Kind::Event, event, "cuCtxRecordEvent");
  if (!recorded)
    return InvalidHandle;
  recorded->alone = true;
  recorded->recorded = mark;
  return Success;
}
#endif

STANDIN_API CuResult cuEventQuery(CuEvent event) {
  STANDIN_BEGIN_WAITING(cuEventQuery);
  Object *asked = state.find(Kind::Event, event, "cuEventQuery");
  if (!asked)
    return InvalidHandle;
  if (state.isBusy(asked->alone) ||
      (asked->recorded && !asked->recorded->isDone))
    return NotReady;
  return state.getLost();
}

STANDIN_API CuResult cuEventSynchronize(CuEvent event) {
  STANDIN_BEGIN_WAITING(cuEventSynchronize);
  Object *awaited = state.find(Kind::Event, event, "cuEventSynchronize");
  if (!awaited)
    return InvalidHandle;
  std::vector<std::shared_ptr<Task>> tasks;
  if (awaited->recorded)
    tasks.push_back(awaited->recorded);
  state.wait(lock, tasks, awaited->alone);
  return state.getLost();
}

STANDIN_API CuResult cuEventElapsedTime(float *milliseconds, CuEvent start,
                                        CuEvent end) {
  STANDIN_BEGIN_IN_CONTEXT(cuEventElapsedTime);
  Object *begun = state.find(Kind::Event, start, "cuEventElapsedTime");
  Object *ended = state.find(Kind::Event, end, "cuEventElapsedTime");
  if (!begun || !ended || !begun->recorded || !ended->recorded ||
      ((begun->flags | ended->flags) & eventDisableTiming))
    return InvalidHandle;
  if (!begun->recorded->isDone || !ended->recorded->isDone)
    return NotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(
                      ended->recorded->end - begun->recorded->end)
                      .count();
  return Success;
}

} // extern "C"
