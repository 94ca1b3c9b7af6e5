// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a block gets: its indices, its order of threads, its shared memory, its
// stacks. Barriers are in BarrierTest.cpp, waiting for memory in SpinTest.cpp.

#include "TestSupport.h"

#include <cstring>
#include <vector>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

/// Counts a visit of the block in a three-dimensional grid.
void countBlock(pyk_rt_block *block, void *const *arguments) {
  const int32_t *id = block->block_id, *grid = block->grid_dim;
  int32_t index = (id[2] * grid[1] + id[1]) * grid[0] + id[0];
  ++argument<int32_t *>(arguments, 0)[index];
}

} // namespace

TEST(BlockSchedulerTest, LoopKernelRunsEveryBlockOnce) {
  std::vector<int32_t> visits(7 * 11 * 13);
  expectLaunch(loopKernel<countBlock>(), {{7, 11, 13}, {32, 1, 1}, 0},
               visits.data());
  EXPECT_EQ(visits, std::vector<int32_t>(7 * 11 * 13, 1));
}

TEST(BlockSchedulerTest, LoopKernelOfAMillionBlocksRunsEachOnce) {
  std::vector<int32_t> visits(1'000'003);
  expectLaunch(loopKernel<countBlock>(), shapeOf(1'000'003, 1), visits.data());
  EXPECT_EQ(visits, std::vector<int32_t>(1'000'003, 1));
}

TEST(BlockSchedulerTest, FiberKernelRunsEveryThreadOfEveryBlockOnce) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t y,
                               int32_t z, void *const *arguments) {
    const int32_t *id = block->block_id, *grid = block->grid_dim;
    const int32_t *dim = block->block_dim;
    int32_t index = (id[2] * grid[1] + id[1]) * grid[0] + id[0];
    index = index * dim[0] * dim[1] * dim[2] + (z * dim[1] + y) * dim[0] + x;
    if (index % 3 == 0)
      pyk_rt_barrier(block);
    ++argument<int32_t *>(arguments, 0)[index];
  });
  std::vector<int32_t> visits(5 * 4 * 3 * 6 * 5 * 4);
  expectLaunch(kernel, {{5, 4, 3}, {6, 5, 4}, 0}, visits.data());
  EXPECT_EQ(visits, std::vector<int32_t>(visits.size(), 1));
}

TEST(BlockSchedulerTest, ThreadsRunInTheOrderXYZAfterEachBarrier) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t y,
                               int32_t z, void *const *arguments) {
    auto *order = argument<int32_t *>(arguments, 0);
    auto *count = argument<int32_t *>(arguments, 1);
    for (int round = 0; round < 3; ++round) {
      order[(*count)++] = (z * 3 + y) * 4 + x;
      pyk_rt_barrier(block);
    }
  });
  std::vector<int32_t> order(72), expected(72);
  for (int32_t i = 0; i < 72; ++i)
    expected[i] = i % 24;
  int32_t count = 0;
  expectLaunch(kernel, {{1, 1, 1}, {4, 3, 2}, 0}, order.data(), &count);
  EXPECT_EQ(order, expected);
}

TEST(BlockSchedulerTest, BlockKnowsItsLaunch) {
  auto kernel = fiberKernel(
      [](pyk_rt_block *block, int32_t, int32_t, int32_t,
         void *const *arguments) {
        auto *copies = argument<pyk_rt_block *>(arguments, 0);
        copies[block->block_id[0]] = *block;
        // Alignment holds at every block's own memory.
        copies[block->block_id[0]].shared = nullptr;
        if (reinterpret_cast<uintptr_t>(block->shared) % 128 == 0)
          copies[block->block_id[0]].shared = block->shared;
      },
      100);
  std::vector<pyk_rt_block> copies(4);
  expectLaunch(kernel, {{4, 1, 1}, {2, 3, 4}, 52}, copies.data());
  for (int32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(copies[i].block_id[0], i);
    EXPECT_EQ(copies[i].grid_dim[0], 4);
    EXPECT_EQ(copies[i].block_dim[0], 2);
    EXPECT_EQ(copies[i].block_dim[1], 3);
    EXPECT_EQ(copies[i].block_dim[2], 4);
    EXPECT_EQ(copies[i].dynamic_shared_bytes, 52);
    EXPECT_NE(copies[i].shared, nullptr);
  }
}

TEST(BlockSchedulerTest, DynamicSharedMemoryFollowsStaticAtSixteenBytes) {
  // 100 bytes static end at 112. All of it is written, so that an arena that
  // is too small shows under a sanitizer.
  auto kernel = fiberKernel(
      [](pyk_rt_block *block, int32_t x, int32_t, int32_t,
         void *const *arguments) {
        char *dynamicShared = block->shared + 112;
        if (x == 0) {
          std::memset(block->shared, 1, 112);
          std::memset(dynamicShared, 2, block->dynamic_shared_bytes);
        }
        pyk_rt_barrier(block);
        argument<int32_t *>(arguments, 0)[x] =
            block->shared[99] * 10 +
            dynamicShared[block->dynamic_shared_bytes - 1 - x];
      },
      100);
  std::vector<int32_t> seen(32);
  expectLaunch(kernel, shapeOf(1, 32, 1000), seen.data());
  EXPECT_EQ(seen, std::vector<int32_t>(32, 12));
}

TEST(BlockSchedulerTest, LargestSharedMemoryCanBeUsed) {
  auto kernel = loopKernel([](pyk_rt_block *block, void *const *) {
    std::memset(block->shared, 7, 227 * 1024);
  });
  expectLaunch(kernel, shapeOf(3, 1, 227 * 1024));
}

TEST(BlockSchedulerTest, SharedMemoryIsSeparateForBlocksThatAreOpenTogether) {
  // Each block marks its memory, then waits until all blocks have.
  ScopedThreadCount two(2);
  auto kernel = fiberKernel(
      [](pyk_rt_block *block, int32_t x, int32_t, int32_t,
         void *const *arguments) {
        auto *marked = argument<int32_t *>(arguments, 0);
        auto *wrong = argument<int32_t *>(arguments, 1);
        auto *mine = reinterpret_cast<int32_t *>(block->shared);
        mine[x] = block->block_id[0];
        pyk_rt_barrier(block);
        if (x == 0)
          __atomic_fetch_add(marked, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(marked, __ATOMIC_SEQ_CST) < block->grid_dim[0])
          pyk_rt_yield(block);
        if (mine[x] != block->block_id[0])
          __atomic_fetch_add(wrong, 1, __ATOMIC_SEQ_CST);
      },
      64 * 4);
  int32_t marked = 0, wrong = 0;
  expectLaunch(kernel, shapeOf(16, 64), &marked, &wrong);
  EXPECT_EQ(marked, 16);
  EXPECT_EQ(wrong, 0);
}

TEST(BlockSchedulerTest, StackHoldsTheLocalArraysThatTheKernelDeclares) {
  constexpr uint64_t bytes = 400 * 1024;
  auto kernel = fiberKernel(
      [](pyk_rt_block *block, int32_t x, int32_t, int32_t,
         void *const *arguments) {
        volatile char local[bytes];
        for (uint64_t i = 0; i < bytes; i += 512)
          local[i] = char(x);
        pyk_rt_barrier(block);
        int32_t wrong = 0;
        for (uint64_t i = 0; i < bytes; i += 512)
          wrong += local[i] != char(x);
        argument<int32_t *>(arguments, 0)[x] = wrong;
      },
      0, bytes);
  std::vector<int32_t> wrong(64, -1);
  expectLaunch(kernel, shapeOf(1, 64), wrong.data());
  EXPECT_EQ(wrong, std::vector<int32_t>(64, 0));
}

TEST(BlockSchedulerTest, KernelsWithOtherStacksAlternate) {
  pyk_rt_thread_fn count = [](pyk_rt_block *block, int32_t, int32_t, int32_t,
                              void *const *arguments) {
    pyk_rt_barrier(block);
    ++*argument<int32_t *>(arguments, 0);
  };
  int32_t threads = 0;
  for (uint64_t localBytes : {0, 500000, 0, 100, 200000, 100000, 0})
    expectLaunch(fiberKernel(count, 0, localBytes), shapeOf(1, 100), &threads);
  EXPECT_EQ(threads, 700);
}

// Two blocks that wait let two more begin. The first of these fails, so that
// the other must not.
TEST(BlockSchedulerTest, NoBlockBeginsAfterAFailure) {
  ScopedThreadCount one(1);
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                               void *const *arguments) {
    ++*argument<int32_t *>(arguments, 0);
    // No thread is in a mask of none.
    uint64_t values[32];
    if (block->block_id[0] == 2)
      pyk_rt_exchange(block, 0, 0, values);
    for (;;)
      pyk_rt_yield(block);
  });
  int32_t begun = 0, *address = &begun;
  void *arguments[] = {static_cast<void *>(&address)};
  Status status = launchOnCpu(kernel, shapeOf(10, 1), arguments);
  EXPECT_EQ(status.code(), StatusCode::LaunchFailed);
  EXPECT_EQ(begun, 3);
}

TEST(BlockSchedulerTest, RaggedEndOfTheGridIsLeftAlone) {
  // One guard element behind the last one shows a thread too many.
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    int32_t n = argument<int32_t>(arguments, 1);
    int32_t i = block->block_id[0] * block->block_dim[0] + x;
    if (i >= n)
      return;
    pyk_rt_barrier(block);
    argument<int32_t *>(arguments, 0)[i] = i;
  });
  for (int32_t n : {1, 63, 64, 65, 1000}) {
    std::vector<int32_t> values(size_t(n) + 1, -1);
    expectLaunch(kernel, shapeOf((n + 63) / 64, 64), values.data(), n);
    for (int32_t i = 0; i < n; ++i)
      EXPECT_EQ(values[i], i);
    EXPECT_EQ(values[n], -1);
  }
}
