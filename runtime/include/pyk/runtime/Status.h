// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How every fallible function of the runtime reports: no function of it prints,
// throws or ends the process. A failure says what was being done, what went
// wrong and what to do about it.

#ifndef PYK_RUNTIME_STATUS_H
#define PYK_RUNTIME_STATUS_H

#include "pyk/runtime/Export.h"

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pyk::runtime {

/// What kind of failure it is; for programs. People read the message.
enum class StatusCode : uint8_t {
  /// Nothing failed.
  Ok,
  /// The caller passed, or the user set, a value that is not accepted.
  InvalidArgument,
  /// The call is not allowed at this place or time.
  FailedPrecondition,
  /// The system gave no memory.
  OutOfMemory,
  /// The system gave no other resource, such as an OS thread.
  Unavailable,
  /// A kernel accessed memory that is not the program's.
  IllegalAddress,
  /// The program asked to stop.
  Cancelled,
};

/// Returns the name of `code` as written in the enumeration; never null.
PYK_RUNTIME_EXPORT const char *statusCodeName(StatusCode code);

/// The outcome of an operation: success, or a failure with its message. A value
/// without hidden state: copies are independent, and it may be used by any
/// thread as a `std::string` may.
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;

  /// A failure of kind `code`, which is not `Ok`. The message becomes
  /// "<doing>: <problem>; <remedy>". `doing` is a phrase such as "launching a
  /// kernel", `problem` names the values found and accepted, `remedy` is an
  /// instruction. None of them ends in a full stop.
  PYK_RUNTIME_EXPORT static Status failure(StatusCode code,
                                           std::string_view doing,
                                           std::string_view problem,
                                           std::string_view remedy);

  /// Whether the operation succeeded.
  bool ok() const { return statusCode == StatusCode::Ok; }

  /// `Ok`, or the kind of the failure.
  StatusCode code() const { return statusCode; }

  /// What happened, for people; empty on success. Owned by this object.
  const std::string &message() const { return text; }

private:
  Status(StatusCode code, std::string message)
      : statusCode(code), text(std::move(message)) {}

  StatusCode statusCode = StatusCode::Ok;
  std::string text;
};

/// A `T`, or the reason why there is none. Owns the value.
template <typename T>
class [[nodiscard]] Result {
public:
  /// A success that holds `value`.
  Result(T value) : held(std::move(value)) {}

  /// A failure; `failure.ok()` is false.
  Result(Status failure) : reason(std::move(failure)) {
    assert(!reason.ok() && "a success needs a value");
  }

  /// Whether there is a value.
  bool ok() const { return held.has_value(); }

  /// Success, or why there is no value. Owned by this object.
  const Status &status() const { return reason; }

  /// The value; only if `ok()`. Owned by this object.
  T &value() {
    assert(ok() && "a failure has no value");
    return *held;
  }

  /// The value; only if `ok()`. Owned by this object.
  const T &value() const {
    assert(ok() && "a failure has no value");
    return *held;
  }

private:
  std::optional<T> held;
  Status reason;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_STATUS_H
