// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of the CPU: a flag and a time, set by the OS thread that comes there.

#include "../WorkCheck.h"
#include "CpuObjects.h"

using namespace pyk::runtime;

void CpuEvent::Occurrence::happen(const Status &earlier) {
  failure = earlier;
  time = std::chrono::steady_clock::now();
  happened.store(true);
  point.wakeAll();
}

Status CpuEvent::Occurrence::wait(std::string_view doing) {
  InterruptPoll poll;
  bool stops = false;
  if (!CommandQueue::isInsideCommand())
    if (std::shared_ptr<CommandQueue> recorded = queue.lock())
      stops = !recorded->help(ticket);
  point.wait([&] { return stops || happened.load(); },
             [&] { stops = CommandQueue::isToEnd() || poll.asksToStop(); });
  if (!stops)
    return Status();
  if (!CommandQueue::isInsideCommand())
    if (std::shared_ptr<CommandQueue> recorded = queue.lock())
      recorded->cancel(ticket);
  return CommandQueue::cancelled(doing);
}

std::shared_ptr<CpuEvent::Occurrence> CpuEvent::latest() {
  std::lock_guard<std::mutex> lock(mutex);
  return occurrence;
}

Status CpuEvent::record(Stream &stream) {
  constexpr std::string_view doing = "recording an event";
  if (Status status = owner.check(doing); !status.ok())
    return status;
  if (Status status =
          checkSameDevice(doing, "stream", stream.device(), device());
      !status.ok())
    return status;
  auto recorded = std::make_shared<Occurrence>();
  auto &itsStream = static_cast<CpuStream &>(stream);
  Status status = itsStream.perform(
      doing,
      [recorded](const Status &earlier) {
        recorded->happen(earlier);
        return Status();
      },
      Completion::Queued, CommandQueue::CommandKind::Note);
  if (!status.ok())
    return status;
  if (const std::shared_ptr<CommandQueue> &queue = itsStream.commands()) {
    recorded->queue = queue;
    recorded->ticket = queue->ticket();
  }
  std::lock_guard<std::mutex> lock(mutex);
  occurrence = std::move(recorded);
  return Status();
}

Result<bool> CpuEvent::query() {
  if (Status status = owner.check("asking for an event"); !status.ok())
    return status;
  std::shared_ptr<Occurrence> recorded = latest();
  if (!recorded)
    return true;
  bool happened = recorded->happened.load();
  if (happened && !recorded->failure.ok())
    return recorded->failure;
  return happened;
}

Status CpuEvent::synchronize() {
  constexpr std::string_view doing = "waiting for an event";
  if (Status status = owner.check(doing); !status.ok())
    return status;
  std::shared_ptr<Occurrence> recorded = latest();
  if (!recorded)
    return Status();
  if (recorded->happened.load())
    return recorded->failure;
  if (std::shared_ptr<CommandQueue> queue = recorded->queue.lock())
    if (Status status = queue->checkWait(doing); !status.ok())
      return status;
  if (Status status = recorded->wait(doing); !status.ok())
    return status;
  return recorded->failure;
}

Result<std::chrono::steady_clock::time_point> CpuEvent::time() {
  constexpr std::string_view doing = "taking the time between events";
  if (Status status = owner.check(doing); !status.ok())
    return status;
  std::shared_ptr<Occurrence> recorded = latest();
  const char *problem = timing == EventTiming::None ? "an event takes no time"
                        : !recorded ? "an event was never recorded"
                        : !recorded->happened.load()
                            ? "an event has not happened yet"
                            : nullptr;
  if (problem)
    return noTime(doing, problem);
  return recorded->time;
}

Result<double> CpuEvent::millisecondsUntil(Event &end) {
  if (Status status = checkSameDevice("taking the time between events", "event",
                                      end.device(), device());
      !status.ok())
    return status;
  auto begun = time();
  if (!begun.ok())
    return begun.status();
  auto ended = static_cast<CpuEvent &>(end).time();
  if (!ended.ok())
    return ended.status();
  return std::chrono::duration<double, std::milli>(ended.value() -
                                                   begun.value())
      .count();
}
