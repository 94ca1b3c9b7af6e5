// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are written as in C's own locale, whatever the program's is. Text
// goes through the C library's standard output, so that it keeps its place
// among what the program prints there.

#include "PrintLog.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace pyk::runtime;

/// Text that is kept at most.
static constexpr size_t bytesKept = size_t(1) << 20;

void PrintLog::add(uint64_t block, const std::string &text) {
  std::lock_guard<std::mutex> lock(mutex);
  bytes += text.size();
  texts[block] += text;
  if (bytes >= bytesKept)
    flush();
}

void PrintLog::flush() {
  std::string text;
  text.reserve(bytes);
  for (const auto &entry : texts)
    text += entry.second;
  texts.clear();
  bytes = 0;
  // One call: it locks, so that no other thread's text comes between. There is
  // nobody to tell if the stream is closed, as with the driver's own printing.
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

template <typename T>
static T read(const void *values, int32_t position) {
  T value;
  static_assert(sizeof(T) == 8);
  std::memcpy(static_cast<void *>(&value),
              static_cast<const char *>(values) + size_t(position) * 8,
              sizeof(T));
  return value;
}

/// Appends a number in the form that `form` names, if any.
template <typename T, typename... Form>
static void append(std::string &text, T number, Form... form) {
  // The longest double has 309 digits before the point.
  char digits[330];
  text.append(
      digits,
      std::to_chars(digits, digits + sizeof(digits), number, form...).ptr);
}

std::string pyk::runtime::formatPrinted(const char *format, const void *values,
                                        int32_t &count) {
  std::string text;
  count = 0;
  while (const char *next = std::strchr(format, '%')) {
    text.append(format, next);
    format = next + 1;
    auto consume = [&](const char *directive) {
      size_t length = std::strlen(directive);
      if (std::strncmp(format, directive, length) != 0)
        return false;
      format += length;
      return true;
    };
    if (consume("lld")) {
      append(text, read<int64_t>(values, count++));
    } else if (consume("llu")) {
      append(text, read<uint64_t>(values, count++));
    } else if (bool isSigned = consume("+f"); isSigned || consume("f")) {
      double number = read<double>(values, count++);
      if (isSigned && (std::isnan(number) || !std::signbit(number)))
        text += '+';
      if (std::isnan(number))
        text += "nan";
      else
        append(text, number, std::chars_format::fixed, 6);
    } else if (consume("s")) {
      text += read<const char *>(values, count++);
    } else {
      text += '%';
      consume("%");
    }
  }
  return text += format;
}
