// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bad accesses of kernels: the launch fails and says where, and the process and
// later launches are none the worse.

#include "TestSupport.h"

#include "pyk/runtime/CpuLaunch.h"

#include <csignal>
#include <string>
#include <vector>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

/// How many OS threads a launch has.
class MemoryFaultTest : public testing::TestWithParam<int32_t> {
protected:
  void SetUp() override {
    if (underAddressSanitizer || underThreadSanitizer)
      GTEST_SKIP() << "sanitizers report bad accesses themselves";
  }

  ScopedThreadCount count{GetParam()};
};

/// An address in no mapping, and how messages write it.
constexpr uintptr_t nowhere = 0x1230;

int32_t *nowhereIf(bool condition, int32_t *otherwise) {
  return condition ? reinterpret_cast<int32_t *>(nowhere) : otherwise;
}

pyk_rt_kernel storingLoops() {
  return loopKernel([](pyk_rt_block *block, void *const *arguments) {
    bool isBad = block->block_id[0] == 7 && block->block_id[1] == 2;
    *nowhereIf(isBad, argument<int32_t *>(arguments, 0)) = 1;
  });
}

pyk_rt_kernel storingFibers() {
  return fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                        void *const *arguments) {
    pyk_rt_barrier(block);
    bool isBad = block->block_id[0] == 7 && block->block_id[1] == 2 && x == 33;
    *nowhereIf(isBad, argument<int32_t *>(arguments, 0) + x) = 1;
    pyk_rt_barrier(block);
  });
}

/// Calls itself until the stack ends, given a zero.
[[gnu::noinline]] int32_t recurse(volatile int32_t *memory) {
  int32_t before = *memory;
  return before < 0 ? 0 : recurse(memory) * 3 + before;
}

Status launch(const pyk_rt_kernel &kernel, int32_t *memory) {
  void *arguments[] = {static_cast<void *>(&memory)};
  return launchOnCpu(kernel, {{20, 3, 1}, {64, 1, 1}, 0}, arguments);
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Workers, MemoryFaultTest, testing::Values(1, 2, 5),
                         [](const testing::TestParamInfo<int32_t> &info) {
                           return std::to_string(info.param);
                         });

TEST_P(MemoryFaultTest, LoopSaysWhichBlock) {
  std::vector<int32_t> memory(64);
  Status status = launch(storingLoops(), memory.data());
  EXPECT_EQ(status.code(), StatusCode::IllegalAddress);
  EXPECT_EQ(
      status.message(),
      "running kernel 'hand' on the CPU: a thread of block (7, 2, 0) accessed "
      "memory at address 0x1230, which is not the program's; check the "
      "kernel's indices against the shapes of its arrays");
}

TEST_P(MemoryFaultTest, FiberSaysWhichThread) {
  std::vector<int32_t> memory(64);
  Status status = launch(storingFibers(), memory.data());
  EXPECT_EQ(status.code(), StatusCode::IllegalAddress);
  EXPECT_EQ(
      status.message(),
      "running kernel 'hand' on the CPU: thread (33, 0, 0) of block (7, 2, 0) "
      "accessed memory at address 0x1230, which is not the program's; "
      "check the kernel's indices against the shapes of its arrays");
}

TEST_P(MemoryFaultTest, EndOfStackIsNoBadIndex) {
  auto loops = loopKernel([](pyk_rt_block *, void *const *arguments) {
    recurse(argument<int32_t *>(arguments, 0));
  });
  auto fibers = fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                               void *const *arguments) {
    pyk_rt_barrier(block);
    recurse(argument<int32_t *>(arguments, 0));
  });
  for (const pyk_rt_kernel &kernel : {loops, fibers}) {
    std::vector<int32_t> memory(64);
    Status status = launch(kernel, memory.data());
    EXPECT_EQ(status.code(), StatusCode::IllegalAddress);
    EXPECT_NE(status.message().find(
                  "ran out of stack; check that recursion ends, and after few "
                  "calls"),
              std::string::npos)
        << status.message();
  }
}

TEST_P(MemoryFaultTest, LaterLaunchesRun) {
  auto counting = fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                                 void *const *arguments) {
    pyk_rt_barrier(block);
    __atomic_fetch_add(argument<int32_t *>(arguments, 0), 1, __ATOMIC_RELAXED);
  });
  std::vector<int32_t> memory(64);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(
        launch(i % 2 ? storingFibers() : storingLoops(), memory.data()).code(),
        StatusCode::IllegalAddress);
    int32_t counter = 0;
    expectLaunch(counting, shapeOf(10, 100), &counter);
    EXPECT_EQ(counter, 1000);
  }
}

TEST_P(MemoryFaultTest, FaultOutsideKernelsGoesToThePreviousHandler) {
  // A child of its own: the handler of this process is installed already.
  EXPECT_TRUE(holdsInChild([] {
    expectLaunch(loopKernel([](pyk_rt_block *, void *const *) {}),
                 shapeOf(1, 1));
    struct sigaction ours = {};
    sigaction(SIGSEGV, nullptr, &ours);
    pid_t child = fork();
    if (child == 0) {
      *reinterpret_cast<volatile int32_t *>(nowhere) = 1;
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return ours.sa_sigaction != nullptr && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGSEGV;
  }));
}

// The check is code of the program, out of which a jump would take its locks.
TEST_P(MemoryFaultTest, FaultOfTheInterruptCheckEndsTheProcess) {
  for (bool isFiber : {false, true}) {
    pid_t child = fork();
    if (child == 0) {
      setInterruptCheck([] {
        *reinterpret_cast<volatile int32_t *>(nowhere) = 1;
        return true;
      });
      pyk_rt_kernel loops = loopKernel([](pyk_rt_block *, void *const *) {
        for (volatile bool goesOn = true; goesOn;) {
        }
      });
      pyk_rt_kernel fibers = fiberKernel(
          [](pyk_rt_block *, int32_t, int32_t, int32_t, void *const *) {
            for (volatile bool goesOn = true; goesOn;) {
            }
          });
      (void)launchOnCpu(isFiber ? fibers : loops, shapeOf(1, 1), nullptr);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << isFiber;
    EXPECT_EQ(WTERMSIG(status), SIGSEGV) << isFiber;
  }
}
