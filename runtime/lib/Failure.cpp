// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of failures, in C++ and as a part of the C interface.

#include "pyk/runtime/Failure.h"

#include "MessageValues.h"
#include "pyk/runtime/Runtime.h"

#include <algorithm>
#include <iterator>
#include <new>

using namespace pyk::runtime;

std::string pyk::runtime::insertValues(std::string_view message,
                                       const int64_t *values, size_t count) {
  std::string text;
  for (size_t i = 0; i < message.size(); ++i) {
    bool isPlace =
        message[i] == '{' && i + 2 < message.size() && message[i + 1] >= '0' &&
        size_t(message[i + 1] - '0') < count && message[i + 2] == '}';
    if (!isPlace) {
      text += message[i];
      continue;
    }
    text += std::to_string(values[message[i + 1] - '0']);
    i += 2;
  }
  return text;
}

static std::string fromZToX(const int32_t (&place)[3]) {
  return "[" + std::to_string(place[2]) + ", " + std::to_string(place[1]) +
         ", " + std::to_string(place[0]) + "]";
}

std::string pyk::runtime::describeFailure(const pyk_rt_failure &failure,
                                          const FailureSource &source) {
  std::string text = "In function '" + std::string(source.function) +
                     "', file " + std::string(source.file) + ", line " +
                     std::to_string(source.line) +
                     ", tid=" + fromZToX(failure.thread_id) +
                     " ctaid=" + fromZToX(failure.block_id);
  if (!source.message)
    return text;
  size_t count = source.speaksOfValues ? std::size(failure.values) : 0;
  return text + ": " + insertValues(*source.message, failure.values, count);
}

size_t pyk_rt_describe_failure(const pyk_rt_failure *failure,
                               const pyk_rt_failure_source *source, char *text,
                               size_t bytes) {
  if (source->struct_bytes < sizeof(pyk_rt_failure_source))
    return 0;
  FailureSource known = {source->function, source->file, source->line,
                         std::nullopt, source->speaks_of_values != 0};
  if (source->message)
    known.message = {source->message, source->message_bytes};
  try {
    std::string whole = describeFailure(*failure, known);
    std::copy_n(whole.data(), std::min(bytes, whole.size()), text);
    return whole.size();
  } catch (const std::bad_alloc &) {
    return 0;
  }
}
