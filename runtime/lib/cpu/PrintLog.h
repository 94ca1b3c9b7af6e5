// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a launch print. It is kept until the launch has ended and
// then written block by block, so that a program prints the same each time,
// however many OS threads ran it.

#ifndef PYK_RUNTIME_LIB_CPU_PRINTLOG_H
#define PYK_RUNTIME_LIB_CPU_PRINTLOG_H

#include "pyk/runtime/Export.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace pyk::runtime {

/// The text of one launch. All members but `write` may be called by any thread.
class PrintLog {
public:
  /// Appends what a thread of the block of that number has printed. Much text
  /// is written at once, so that memory stays bounded.
  void add(uint64_t block, const std::string &text);

  /// Writes all to where prints go; only when no thread adds any more.
  void write() {
    if (!texts.empty())
      flush();
  }

private:
  void flush();

  std::mutex mutex;
  /// By blocks; of one block, in the order of its threads.
  std::map<uint64_t, std::string> texts;
  size_t bytes = 0;
};

/// Whether what is printed from now on is kept, instead of being written to C's
/// standard output. What is kept when that ends is written there.
PYK_RUNTIME_EXPORT void keepPrinted(bool kept);

/// Takes what is kept; empty if there is nothing.
PYK_RUNTIME_EXPORT std::string takePrinted();

/// `format` with `values` in place of its directives, as pyk_rt_print says;
/// `count` becomes their number.
std::string formatPrinted(const char *format, const void *values,
                          int32_t &count);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_PRINTLOG_H
