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
  case StatusCode::IllegalAddress:
    return "IllegalAddress";
  case StatusCode::Cancelled:
    return "Cancelled";
  }
  return "unknown status code";
}

Status Status::failure(StatusCode code, std::string_view doing,
                       std::string_view problem, std::string_view remedy) {
  assert(code != StatusCode::Ok && "a failure has a failure's code");
  std::string message;
  message.reserve(doing.size() + problem.size() + remedy.size() + 4);
  message.append(doing).append(": ").append(problem);
  message.append("; ").append(remedy);
  return Status(code, std::move(message));
}
