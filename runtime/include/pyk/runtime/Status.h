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
#include <memory>
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
  /// The system gave no other resource, such as an OS thread or a driver.
  Unavailable,
  /// What was asked for by name or number does not exist.
  NotFound,
  /// This device or driver cannot do it.
  Unsupported,
  /// The bytes that were to be loaded are no code for this device.
  InvalidImage,
  /// A kernel that was launched did not run to its end.
  LaunchFailed,
  /// An earlier failure has made the device unusable; the status names it.
  DeviceLost,
  /// The driver failed in a way that none of the others describes.
  DriverFailed,
  /// A kernel accessed memory that is not the program's.
  IllegalAddress,
  /// The program asked to stop.
  Cancelled,
};

/// Returns the name of `code` as written in the enumeration; never null.
PYK_RUNTIME_EXPORT const char *statusCodeName(StatusCode code);

/// A call of a library below the runtime, and what it returned.
struct NativeFailure {
  /// The function as its documentation calls it, such as "cuMemAlloc".
  std::string call;
  /// What it returned, as a number: 2.
  int32_t code = 0;
  /// What it returned, as a name: "CUDA_ERROR_OUT_OF_MEMORY".
  std::string name;
};

/// The outcome of an operation: success, or a failure with its message. A value
/// that never changes; copies share the message. May be used by any thread as a
/// `std::string` may.
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

  /// The same, because of a native call; `native` stays with the failure, for
  /// programs.
  PYK_RUNTIME_EXPORT static Status
  failure(StatusCode code, std::string_view doing, std::string_view problem,
          std::string_view remedy, NativeFailure native);

  /// Whether the operation succeeded.
  bool ok() const { return !reason; }

  /// `Ok`, or the kind of the failure.
  StatusCode code() const { return reason ? reason->code : StatusCode::Ok; }

  /// What happened, for people; empty on success. Lives as long as any copy of
  /// this object.
  PYK_RUNTIME_EXPORT const std::string &message() const;

  /// The native call that failed; null if it was none. Lives as long as any
  /// copy of this object.
  const NativeFailure *native() const {
    return reason && reason->native ? &*reason->native : nullptr;
  }

private:
  struct Failure {
    StatusCode code;
    std::string message;
    std::optional<NativeFailure> native;
  };

  static Status make(StatusCode code, std::string_view doing,
                     std::string_view problem, std::string_view remedy,
                     std::optional<NativeFailure> native);

  /// Null on success, which so costs nothing to return.
  std::shared_ptr<const Failure> reason;
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
