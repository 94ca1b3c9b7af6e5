// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of interrupts share: a check that says what the test wants, and
// kernels that never end.

#ifndef PYK_TEST_UNIT_RUNTIME_INTERRUPTSUPPORT_H
#define PYK_TEST_UNIT_RUNTIME_INTERRUPTSUPPORT_H

#include "TestSupport.h"

#include <atomic>
#include <thread>

namespace pyk::runtime::test {

/// How often the check was asked, what it answers, and who asked last.
inline std::atomic<int> questions{0};
inline std::atomic<bool> asksToStop{false};
inline std::atomic<std::thread::id> askedThread;

class InterruptTestBase : public testing::Test {
protected:
  void SetUp() override {
    questions = 0;
    asksToStop = false;
    setInterruptCheck([] {
      ++questions;
      askedThread = std::this_thread::get_id();
      return asksToStop.load();
    });
  }
  void TearDown() override { setInterruptCheck(nullptr); }
};

/// Its threads wait for a flag that nobody sets.
inline pyk_rt_kernel waitingForever() {
  return fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                        void *const *arguments) {
    auto *flag = argument<int32_t *>(arguments, 0);
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
      pyk_rt_yield(block);
  });
}

/// The same at barriers.
inline pyk_rt_kernel meetingForever() {
  return fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                        void *const *arguments) {
    auto *flag = argument<int32_t *>(arguments, 0);
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
      pyk_rt_barrier(block);
  });
}

/// The same without telling the runtime, as one loop over the block.
inline pyk_rt_kernel spinningForever() {
  return loopKernel([](pyk_rt_block *, void *const *arguments) {
    auto *flag = argument<int32_t *>(arguments, 0);
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {
    }
  });
}

/// The same on fibers, after a barrier.
inline pyk_rt_kernel spinningOnAFiber() {
  return fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                        void *const *arguments) {
    auto *flag = argument<int32_t *>(arguments, 0);
    pyk_rt_barrier(block);
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {
    }
  });
}

/// ThreadSanitizer delays signals until a thread calls the system.
#define PYK_SKIP_WITHOUT_SIGNALS()                                             \
  if (underThreadSanitizer)                                                    \
  GTEST_SKIP() << "under ThreadSanitizer a kernel runs to its end"

} // namespace pyk::runtime::test

#endif // PYK_TEST_UNIT_RUNTIME_INTERRUPTSUPPORT_H
