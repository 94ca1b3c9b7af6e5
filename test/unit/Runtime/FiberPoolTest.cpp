// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards of stacks on a Linux without MADV_GUARD_INSTALL, before 6.13: the
// functions that the runtime calls for them are this file's. That needs a
// program with the runtime's own code.

#include "Sanitizers.h"
#include "TestSupport.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

// Sanitizers have functions of their own.
#if !PYK_HAS_SANITIZER

namespace {

/// MADV_GUARD_INSTALL, which older headers lack.
constexpr int guardInstall = 102;

/// Whether the system is one that does not know it.
std::atomic<bool> isOld{false};

/// How many times memory was made inaccessible.
std::atomic<int> protections{0};

/// Makes the system an older one for a scope.
struct OldSystem {
  OldSystem() {
    protections = 0;
    isOld = true;
  }
  ~OldSystem() { isOld = false; }
};

void waitOnce(pyk_rt_block *block, int32_t, int32_t, int32_t, void *const *) {
  pyk_rt_barrier(block);
}

} // namespace

extern "C" int madvise(void *address, size_t bytes, int advice) noexcept {
  if (isOld && advice == guardInstall) {
    errno = EINVAL;
    return -1;
  }
  return int(syscall(SYS_madvise, address, bytes, advice));
}

extern "C" int mprotect(void *address, size_t bytes, int access) noexcept {
  if (access == PROT_NONE)
    ++protections;
  return int(syscall(SYS_mprotect, address, bytes, access));
}

// A process may have some 24 thousand of these. Those of stacks that were given
// back count no more.
TEST(FiberPoolTest, GuardsOfStacksGivenBackAreFreeAgain) {
  constexpr int launches = 30, threads = 1024;
  // Stacks as large as it needs are not kept for the next launch.
  pyk_rt_kernel kernel = fiberKernel(waitOnce, 0, 100 * 1024);
  OldSystem old;
  for (int i = 0; i < launches; ++i)
    expectLaunch(kernel, shapeOf(1, threads));
  EXPECT_EQ(protections, launches * threads);
}

#endif
