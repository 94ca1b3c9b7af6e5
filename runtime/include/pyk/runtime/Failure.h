// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the record of a thread that has failed (ABI.h) means, in the words that
// all who launch say it with.

#ifndef PYK_RUNTIME_FAILURE_H
#define PYK_RUNTIME_FAILURE_H

#include "pyk/runtime/ABI.h"
#include "pyk/runtime/Export.h"

#include <optional>
#include <string>
#include <string_view>

namespace pyk::runtime {

/// Where a program fails, and what it says then.
struct FailureSource {
  std::string_view function, file;
  int32_t line;
  std::optional<std::string_view> message;
  /// Whether {0} and {1} in the message stand for the values of the record.
  bool speaksOfValues;
};

/// "In function 'f', file f.py, line 3, tid=[0, 0, 1] ctaid=[0, 0, 0]: " and
/// the message: the thread and its block as Numba tells of them, from z to x.
PYK_RUNTIME_EXPORT std::string describeFailure(const pyk_rt_failure &failure,
                                               const FailureSource &source);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_FAILURE_H
