// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the driver's JIT and linker are asked for, and what they say.

#ifndef PYK_RUNTIME_LIB_CUDA_JITOPTIONS_H
#define PYK_RUNTIME_LIB_CUDA_JITOPTIONS_H

#include "DriverTypes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pyk::runtime {

/// Options: numbers, and values that are pointers or integers. The first two
/// ask for a log, which stays here.
class JitOptions {
public:
  JitOptions() : log(logBytes, '\0') {
    add(driver::jitErrorLog, static_cast<void *>(log.data()));
    add(driver::jitErrorLogBytes, uintptr_t(logBytes - 1));
  }
  JitOptions(const JitOptions &) = delete;
  JitOptions &operator=(const JitOptions &) = delete;

  void add(int32_t number, void *value) {
    numbers[count] = number;
    values[count] = value;
    ++count;
  }
  void add(int32_t number, uintptr_t value) {
    add(number, reinterpret_cast<void *>(value));
  }

  /// What was said, without the end of the last line.
  std::string_view getLog() const {
    std::string_view text = std::string_view(log).substr(0, log.find('\0'));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
      text.remove_suffix(1);
    return text;
  }

  unsigned count = 0;
  int32_t numbers[8];
  void *values[8];

private:
  static constexpr size_t logBytes = 8192;
  std::string log;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CUDA_JITOPTIONS_H
