// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the threads of one task on processors of their own. A system wakes a
// thread where its waker runs, and takes milliseconds to part them: short
// launches would be over by then, without help.

#ifndef PYK_RUNTIME_LIB_CPU_PROCESSORCLAIMS_H
#define PYK_RUNTIME_LIB_CPU_PROCESSORCLAIMS_H

#include <array>
#include <atomic>
#include <cstdint>

namespace pyk::runtime {

/// Which processors have a thread of the task. Any number of threads use it.
class ProcessorClaims {
public:
  /// Starts anew: only the calling thread has one, that which it runs on.
  void begin();

  /// Claims the processor that the calling thread runs on. If another has, and
  /// there are free ones that it may run on, moves it to one of these. It may
  /// run wherever it could before.
  void settle();

private:
  /// Processors beyond these are not told apart; nobody moves on them.
  static constexpr int limit = 1024;
  static constexpr int bits = 64;

  /// False if another thread has it.
  bool claim(int processor);

  std::array<std::atomic<uint64_t>, limit / bits> taken{};
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_PROCESSORCLAIMS_H
