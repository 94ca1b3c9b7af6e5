// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short waits spin, as the driver's do; long ones sleep for a part of the time
// that has passed, so that they see the end late by that part at most.

#include "CudaWait.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

using namespace pyk::runtime;
using namespace pyk::runtime::driver;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds spinTime{500};
constexpr std::chrono::microseconds longestSleep{1000};
/// Which part of the time that has passed a sleep may take.
constexpr int partOfTime = 16;

void pauseAfter(Clock::duration passed) {
  if (passed < spinTime)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(
        std::min<Clock::duration>(passed / partOfTime, longestSleep));
}

} // namespace

CudaWait::~CudaWait() {
  if (made)
    context.release("destroying an event", context.functions().cuEventDestroy,
                    made);
}

Status CudaWait::forEvent(CuEvent event) {
  if (!poll.asks())
    return Status();
  auto begin = Clock::now();
  for (;;) {
    Result<bool> pending =
        context.isPending(doing, context.functions().cuEventQuery, event);
    if (!pending.ok() || !pending.value())
      return pending.status();
    if (poll.asksToStop())
      return Status::failure(
          StatusCode::Cancelled, std::string(doing) + " on " + context.label(),
          "the program asked to stop",
          "wait again; what the GPU runs cannot be stopped and goes on");
    pauseAfter(Clock::now() - begin);
  }
}

Status CudaWait::makeEvent() {
  return context.call(doing, context.functions().cuEventCreate, &made,
                      unsigned(eventDisableTiming));
}

Status CudaWait::forWorkBefore(CuStream stream) {
  if (!poll.asks())
    return Status();
  if (Status status = makeEvent(); !status.ok())
    return status;
  if (Status status =
          context.call(doing, context.functions().cuEventRecord, made, stream);
      !status.ok())
    return status;
  return forEvent(made);
}

Status CudaWait::forAllWork() {
  if (!poll.asks())
    return Status();
  if (Status status = makeEvent(); !status.ok())
    return status;
  if (Status status = context.recordAll(doing, made); !status.ok())
    return status;
  return forEvent(made);
}
