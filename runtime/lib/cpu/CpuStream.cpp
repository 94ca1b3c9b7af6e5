// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of the CPU. Work on a default stream runs on its caller, because
// handing it to a thread and waiting for it costs forty times a small launch;
// a program cannot tell the difference but by time.

#include "../WorkCheck.h"
#include "CpuObjects.h"
#include "Launch.h"

#include <algorithm>
#include <cstring>

using namespace pyk::runtime;

CpuStream::~CpuStream() {
  if (owned)
    queue->close();
}

uint64_t CpuStream::handle() const {
  return queue ? uint64_t(reinterpret_cast<uintptr_t>(queue.get()))
               : uint64_t(which);
}

/// What is true of all work: the device is the one of then, and before work
/// on the legacy default stream comes that of the streams beside it, which has
/// not failed.
Status CpuStream::begin(std::string_view doing) {
  if (Status status = owner.check(doing); !status.ok())
    return status;
  if (queue || which == DefaultStream::PerThread)
    return Status();
  CpuWork &work = owner.device->work();
  if (Status status = work.drain(doing, /*all=*/false); !status.ok())
    return status;
  // What it would read or write is not what the program expects.
  return work.unseenFailure();
}

Status CpuStream::perform(std::string_view doing, CommandQueue::Action action,
                          Completion completion,
                          CommandQueue::CommandKind kind) {
  if (Status status = begin(doing); !status.ok())
    return status;
  if (!queue)
    return action(Status());
  if (Status status = queue->submit(doing, std::move(action), kind);
      !status.ok())
    return status;
  return completion == Completion::Done ? synchronize() : Status();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static constexpr std::string_view launching = "launching a kernel on the CPU";

Status CpuStream::launch(Kernel &kernel, const LaunchConfig &config,
                         void *const *arguments) {
  if (Status status =
          checkSameDevice(launching, "kernel", kernel.device(), device());
      !status.ok())
    return status;
  auto &launched = static_cast<CpuKernel &>(kernel);
  if (Status status = launched.owner.check(launching); !status.ok())
    return status;
  if (!arguments && !launched.kernel.parameterBytes.empty())
    return Status::failure(
        StatusCode::InvalidArgument, launching,
        "kernel '" + kernel.name() + "' has " +
            std::to_string(launched.kernel.parameterBytes.size()) +
            " parameters, and there are no arguments",
        "pass the address of each argument");
  if (queue || config.cooperative) {
    if (Status status =
            checkCpuLaunch(launchingOnCpu, *launched.kernel.kernel, config);
        !status.ok())
      return status;
    // Its blocks wait for each other by memory, unless the kernel waits for
    // the grid, which has been judged.
    if (config.cooperative && !launched.kernel.kernel->waits_for_grid)
      if (Status status =
              checkResident(launchingOnCpu, *launched.kernel.kernel, config);
          !status.ok())
        return status;
  }
  if (Status status = begin(launching); !status.ok())
    return status;
  if (!queue)
    return launchOnCpu(*launched.kernel.kernel, config, arguments);
  return queue->submitLaunch(launching,
                             std::const_pointer_cast<HostImage>(launched.image),
                             launched.kernel, config, arguments);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static void *hostPointer(uint64_t address) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

static uint64_t addressOf(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

/// Copies, unless that is to end: by pieces that take some milliseconds.
static Status copyBytes(std::string_view doing, uint64_t to, uint64_t from,
                        size_t bytes) {
  constexpr size_t pieceBytes = size_t(32) << 20;
  bool overlaps = to < from + bytes && from < to + bytes;
  if (bytes <= pieceBytes || overlaps) {
    // What overlaps is not cut: memmove knows at which end to begin.
    if (bytes)
      std::memmove(hostPointer(to), hostPointer(from), bytes);
    return Status();
  }
  InterruptPoll poll;
  for (size_t done = 0; done < bytes; done += pieceBytes) {
    if (CommandQueue::isToEnd() || poll.asksToStop())
      return CommandQueue::cancelled(doing);
    std::memcpy(hostPointer(to + done), hostPointer(from + done),
                std::min(pieceBytes, bytes - done));
  }
  return Status();
}

Status CpuStream::copy(std::string_view doing, uint64_t to, uint64_t from,
                       size_t bytes, Completion completion) {
  if (Status status = checkCopy(doing, to, from, bytes); !status.ok())
    return status;
  return perform(
      doing, [=](const Status &) { return copyBytes(doing, to, from, bytes); },
      completion, CommandQueue::CommandKind::Work);
}

Status CpuStream::copyToDevice(DeviceAddress to, const void *from, size_t bytes,
                               Completion completion) {
  return copy("copying to the device", to, addressOf(from), bytes, completion);
}

Status CpuStream::copyToHost(void *to, DeviceAddress from, size_t bytes,
                             Completion completion) {
  return copy("copying to the host", addressOf(to), from, bytes, completion);
}

Status CpuStream::copyOnDevice(DeviceAddress to, DeviceAddress from,
                               size_t bytes) {
  return copy("copying on the device", to, from, bytes, Completion::Queued);
}

Status CpuStream::copyRows(const CopyRows &rows, Completion completion) {
  constexpr std::string_view doing = "copying rows";
  if (Status status = checkRows(doing, rows); !status.ok())
    return status;
  return perform(
      doing,
      [rows](const Status &) {
        for (size_t i = 0; i < rows.rows && rows.rowBytes; ++i)
          std::memmove(hostPointer(rows.to + i * rows.toPitch),
                       hostPointer(rows.from + i * rows.fromPitch),
                       rows.rowBytes);
        return Status();
      },
      completion, CommandQueue::CommandKind::Work);
}

Status CpuStream::fill(DeviceAddress to, uint32_t value, int32_t elementBytes,
                       size_t count) {
  constexpr std::string_view doing = "filling memory";
  if (Status status = checkFill(doing, to, elementBytes, count); !status.ok())
    return status;
  return perform(
      doing,
      [=](const Status &) {
        if (elementBytes == 4)
          std::fill_n(static_cast<uint32_t *>(hostPointer(to)), count, value);
        else if (elementBytes == 2)
          std::fill_n(static_cast<uint16_t *>(hostPointer(to)), count,
                      uint16_t(value));
        else
          std::fill_n(static_cast<uint8_t *>(hostPointer(to)), count,
                      uint8_t(value));
        return Status();
      },
      Completion::Queued, CommandQueue::CommandKind::Work);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

Status CpuStream::wait(Event &event) {
  constexpr std::string_view doing = "letting a stream wait for an event";
  if (Status status = checkSameDevice(doing, "event", event.device(), device());
      !status.ok())
    return status;
  auto occurrence = static_cast<CpuEvent &>(event).latest();
  if (!occurrence)
    return owner.check(doing);
  return perform(
      doing, [=](const Status &) { return occurrence->wait(doing); },
      Completion::Queued, CommandQueue::CommandKind::Wait);
}

Status CpuStream::addCallback(Callback callback) {
  return perform(
      "adding a callback to a stream",
      [callback = std::move(callback)](const Status &earlier) {
        callback(earlier);
        return Status();
      },
      Completion::Queued, CommandQueue::CommandKind::Wait);
}

Result<bool> CpuStream::query() {
  constexpr std::string_view doing = "asking for a stream";
  if (Status status = owner.check(doing); !status.ok())
    return status;
  if (!queue)
    return which == DefaultStream::PerThread || owner.device->work().idle();
  if (!queue->idle())
    return false;
  if (Status status = queue->takeFailure(); !status.ok())
    return status;
  return true;
}

Status CpuStream::synchronize() {
  constexpr std::string_view doing = "waiting for a stream";
  if (Status status = begin(doing); !status.ok() || !queue)
    return status;
  if (Status status = queue->checkWait(doing); !status.ok())
    return status;
  InterruptPoll poll;
  uint64_t ticket = queue->ticket();
  if (!queue->waitFor(ticket, poll)) {
    queue->cancel(ticket);
    return CommandQueue::cancelled(doing);
  }
  return queue->takeFailure();
}
