// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that joins the three parts of a failure's message, so that all
// of them read alike.

#include "pyk/runtime/Status.h"

using namespace pyk::runtime;

const char *pyk::runtime::statusCodeName(StatusCode code) {
  switch (code) {
  case StatusCode::Ok:
    return "Ok";
  case StatusCode::InvalidArgument:
    return "InvalidArgument";
  case StatusCode::FailedPrecondition:
    return "FailedPrecondition";
  case StatusCode::OutOfMemory:
    return "OutOfMemory";
  case StatusCode::Unavailable:
    return "Unavailable";
  case StatusCode::NotFound:
    return "NotFound";
  case StatusCode::Unsupported:
    return "Unsupported";
  case StatusCode::InvalidImage:
    return "InvalidImage";
  case StatusCode::LaunchFailed:
    return "LaunchFailed";
  case StatusCode::DeviceLost:
    return "DeviceLost";
  case StatusCode::DriverFailed:
    return "DriverFailed";
  case StatusCode::IllegalAddress:
    return "IllegalAddress";
  case StatusCode::Cancelled:
    return "Cancelled";
  }
  return "unknown status code";
}

Status Status::make(StatusCode code, std::string_view doing,
                    std::string_view problem, std::string_view remedy,
                    std::optional<NativeFailure> native) {
  assert(code != StatusCode::Ok && "a failure has a failure's code");
  std::string message;
  message.reserve(doing.size() + problem.size() + remedy.size() + 4);
  message.append(doing).append(": ").append(problem);
  message.append("; ").append(remedy);
  Status status;
  status.reason = std::make_shared<const Failure>(
      Failure{code, std::move(message), std::move(native)});
  return status;
}

Status Status::failure(StatusCode code, std::string_view doing,
                       std::string_view problem, std::string_view remedy) {
  return make(code, doing, problem, remedy, std::nullopt);
}

Status Status::failure(StatusCode code, std::string_view doing,
                       std::string_view problem, std::string_view remedy,
                       NativeFailure native) {
  return make(code, doing, problem, remedy, std::move(native));
}

const std::string &Status::message() const {
  static const std::string none;
  return reason ? reason->message : none;
}
