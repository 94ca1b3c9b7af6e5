// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of a GPU. That an event has no time is found out here, because the
// driver's answer to it is "invalid handle".

#include "CudaObjects.h"
#include "CudaWait.h"

using namespace pyk::runtime;
using namespace pyk::runtime::driver;

static constexpr const char *takingTime = "taking the time between events";

CudaEvent::~CudaEvent() {
  owner.context->release("destroying an event",
                         owner.context->functions().cuEventDestroy, event);
}

Status CudaEvent::record(Stream &stream) {
  constexpr const char *doing = "recording an event";
  if (Status status =
          checkSameDevice(doing, "stream", stream.device(), device());
      !status.ok())
    return status;
  const CudaStreamHandle &on =
      *static_cast<CudaStream &>(stream).sharedHandle();
  if (Status status = on.context->check(doing); !status.ok())
    return status;
  if (Status status = owner.context->call(
          doing, owner.context->functions().cuEventRecord, event, on.stream);
      !status.ok())
    return status;
  recorded.store(true);
  return Status();
}

Result<bool> CudaEvent::query() {
  return owner.context->ask("asking for an event",
                            owner.context->functions().cuEventQuery, event);
}

Status CudaEvent::synchronize() {
  constexpr const char *doing = "waiting for an event";
  CudaContext &context = *owner.context;
  CudaWait wait(context, doing);
  if (Status status = wait.forEvent(event); !status.ok())
    return status;
  return context.call(doing, context.functions().cuEventSynchronize, event);
}

Status CudaEvent::checkTime() {
  if (Status status = owner.context->check(takingTime); !status.ok())
    return status;
  if (timing == EventTiming::None)
    return noTime(takingTime, "an event takes no time");
  if (!recorded.load())
    return noTime(takingTime, "an event was never recorded");
  return Status();
}

Result<double> CudaEvent::millisecondsUntil(Event &end) {
  if (Status status =
          checkSameDevice(takingTime, "event", end.device(), device());
      !status.ok())
    return status;
  auto &other = static_cast<CudaEvent &>(end);
  for (CudaEvent *event : {this, &other})
    if (Status status = event->checkTime(); !status.ok())
      return status;
  float milliseconds = 0;
  Result<bool> ready = owner.context->ask(
      takingTime, owner.context->functions().cuEventElapsedTime, &milliseconds,
      event, other.event);
  if (!ready.ok())
    return ready.status();
  if (!ready.value())
    return noTime(takingTime, "an event has not happened yet");
  return double(milliseconds);
}
