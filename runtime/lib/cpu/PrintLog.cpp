// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are written as in C's own locale, whatever the program's is. Text
// goes through the C library's standard output, so that it keeps its place
// among what the program prints there, or is kept for a host language whose
// programs print elsewhere, as Python's do in a notebook.

#include "PrintLog.h"

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace pyk::runtime;

/// Text that is kept at most.
static constexpr size_t bytesKept = size_t(1) << 20;

namespace {

/// What is kept of all launches. Never destroyed: a launch may end while the
/// process does.
struct Kept {
  static Kept &get() {
    static auto *kept = new Kept;
    return *kept;
  }

  std::mutex mutex;
  bool isKeeping = false;
  std::string text;
  /// Whether there is any text, for callers that ask often.
  std::atomic<bool> hasAny{false};
};

} // namespace

/// Writes to C's standard output by one call: it locks, so that no other
/// thread's text comes between. If the stream is closed, nobody can be told, as
/// with the driver's own printing.
static void writeToStandardOutput(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void pyk::runtime::keepPrinted(bool kept) {
  Kept &all = Kept::get();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.isKeeping = kept;
  if (kept || all.text.empty())
    return;
  writeToStandardOutput(all.text);
  all.text.clear();
  all.hasAny = false;
}

std::string pyk::runtime::takePrinted() {
  Kept &all = Kept::get();
  if (!all.hasAny.load(std::memory_order_relaxed))
    return {};
  std::lock_guard<std::mutex> lock(all.mutex);
  all.hasAny = false;
  return std::exchange(all.text, {});
}

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
  Kept &kept = Kept::get();
  std::lock_guard<std::mutex> lock(kept.mutex);
  if (!kept.isKeeping)
    return writeToStandardOutput(text);
  kept.text += text;
  kept.hasAny = true;
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
