// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk_rt_barrier promises within one block. Each kernel writes, waits and
// reads what others wrote: a barrier that opens too early shows as a wrong
// value, one that opens too late as a test that never ends.

#include "TestSupport.h"

#include <numeric>
#include <string>
#include <vector>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

/// Sums the block's thread numbers (from 1) by a tree in shared memory, which
/// needs a barrier in a loop; the last thread writes the sum.
void sumByTree(pyk_rt_block *block, int32_t x, int32_t y, int32_t z,
               void *const *arguments) {
  const int32_t *dim = block->block_dim;
  int32_t threads = dim[0] * dim[1] * dim[2];
  int32_t self = (z * dim[1] + y) * dim[0] + x;
  auto *values = reinterpret_cast<int32_t *>(block->shared);
  values[self] = self + 1;
  pyk_rt_barrier(block);
  for (int32_t width = 1; width < threads; width *= 2) {
    int32_t other = self % (2 * width) == 0 ? self + width : threads;
    if (other < threads)
      values[self] += values[other];
    pyk_rt_barrier(block);
  }
  if (self == threads - 1)
    argument<int32_t *>(arguments, 0)[block->block_id[0]] = values[0];
}

class BarrierSizesTest : public testing::TestWithParam<std::vector<int64_t>> {};

} // namespace

TEST_P(BarrierSizesTest, TreeSumIsRight) {
  const std::vector<int64_t> &size = GetParam();
  LaunchShape shape = {{3, 1, 1}, {size[0], size[1], size[2]}, 0};
  int64_t threads = size[0] * size[1] * size[2];
  std::vector<int32_t> sums(3, -1);
  expectLaunch(fiberKernel(sumByTree, 4096), shape, sums.data());
  EXPECT_EQ(sums,
            std::vector<int32_t>(3, int32_t(threads * (threads + 1) / 2)));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, BarrierSizesTest,
    testing::Values(
        std::vector<int64_t>{1, 1, 1}, std::vector<int64_t>{31, 1, 1},
        std::vector<int64_t>{33, 1, 1}, std::vector<int64_t>{256, 1, 1},
        std::vector<int64_t>{1000, 1, 1}, std::vector<int64_t>{1024, 1, 1},
        std::vector<int64_t>{5, 7, 3}, std::vector<int64_t>{1, 1, 64},
        std::vector<int64_t>{16, 16, 4}),
    [](const testing::TestParamInfo<std::vector<int64_t>> &info) {
      return std::to_string(info.param[0]) + "x" +
             std::to_string(info.param[1]) + "x" +
             std::to_string(info.param[2]);
    });

TEST(BarrierTest, IgnoresThreadsThatReturned) {
  // Of 100 threads only each third stays; the ragged end of a grid looks so.
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    auto *values = argument<int32_t *>(arguments, 0);
    if (x % 3 != 0)
      return;
    values[x] = x;
    pyk_rt_barrier(block);
    int32_t left = x == 0 ? 99 : x - 3;
    int32_t seen = values[left];
    pyk_rt_barrier(block);
    values[x] = seen;
  });
  std::vector<int32_t> values(100, -1);
  expectLaunch(kernel, shapeOf(1, 100), values.data());
  for (int32_t x = 0; x < 100; ++x)
    EXPECT_EQ(values[x], x % 3 != 0 ? -1 : x == 0 ? 99 : x - 3) << x;
}

TEST(BarrierTest, OpensWhenTheLastRunningThreadReturns) {
  // Threads leave one round after the other; the first ones wait in vain for
  // the last one, which returns without a barrier.
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    for (int32_t i = 0; i < block->block_dim[0] - 1 - x; ++i)
      pyk_rt_barrier(block);
    auto *order = argument<int32_t *>(arguments, 0);
    auto *count = argument<int32_t *>(arguments, 1);
    order[(*count)++] = x;
  });
  std::vector<int32_t> order(50, -1), expected(50);
  std::iota(expected.rbegin(), expected.rend(), 0);
  int32_t count = 0;
  expectLaunch(kernel, shapeOf(1, 50), order.data(), &count);
  EXPECT_EQ(order, expected);
}

TEST(BarrierTest, OfDifferentBranchesIsOneBarrier) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    auto *values = argument<int32_t *>(arguments, 0);
    auto *seen = argument<int32_t *>(arguments, 1);
    values[x] = x + 1;
    if (x % 2 == 0) {
      pyk_rt_barrier(block);
      seen[x] = values[x ^ 1];
      pyk_rt_barrier(block);
    } else {
      for (int i = 0; i < 2; ++i) {
        pyk_rt_barrier(block);
        if (i == 0)
          seen[x] = values[x ^ 1];
      }
    }
    values[x] = 0;
  });
  std::vector<int32_t> values(64), seen(64);
  expectLaunch(kernel, shapeOf(1, 64), values.data(), seen.data());
  for (int32_t x = 0; x < 64; ++x)
    EXPECT_EQ(seen[x], (x ^ 1) + 1) << x;
}

TEST(BarrierTest, CountsThreadsThatYieldOnTheWay) {
  // A thread that yields has not arrived: nobody passes before it.
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    auto *arrived = argument<int32_t *>(arguments, 0);
    auto *wrong = argument<int32_t *>(arguments, 1);
    for (int32_t round = 1; round <= 20; ++round) {
      for (int32_t i = 0; i < (x * round) % 7; ++i)
        pyk_rt_yield(block);
      ++*arrived;
      pyk_rt_barrier(block);
      if (*arrived != round * block->block_dim[0])
        ++*wrong;
      pyk_rt_barrier(block);
    }
  });
  int32_t arrived = 0, wrong = 0;
  expectLaunch(kernel, shapeOf(1, 100), &arrived, &wrong);
  EXPECT_EQ(arrived, 2000);
  EXPECT_EQ(wrong, 0);
}

TEST(BarrierTest, ThreadsYieldWaitAndLeaveInAnyMixture) {
  // Pseudo-random steps: a counter per round checks that each barrier opened
  // only when all threads that were still there had come.
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    auto *alive = argument<int32_t *>(arguments, 0) + block->block_id[0];
    auto *arrived = argument<int32_t *>(arguments, 1) + block->block_id[0];
    auto *wrong = argument<int32_t *>(arguments, 2) + block->block_id[0];
    uint32_t random = uint32_t(x) * 2654435761u + uint32_t(block->block_id[0]);
    for (;;) {
      random = random * 1664525u + 1013904223u;
      for (uint32_t i = 0; i < (random >> 16) % 4; ++i)
        pyk_rt_yield(block);
      if ((random >> 24) % 8 == 0) {
        --*alive;
        return;
      }
      ++*arrived;
      pyk_rt_barrier(block);
      if (*arrived != *alive)
        ++*wrong;
      pyk_rt_barrier(block);
      *arrived = 0;
      pyk_rt_barrier(block);
    }
  });
  std::vector<int32_t> alive(40, 200), arrived(40, 0), wrong(40, 0);
  expectLaunch(kernel, shapeOf(40, 200), alive.data(), arrived.data(),
               wrong.data());
  EXPECT_EQ(alive, std::vector<int32_t>(40, 0));
  EXPECT_EQ(wrong, std::vector<int32_t>(40, 0));
}

// Thread x takes part in x + 1 rounds, and votes in those whose number and its
// own have no common bit.
TEST(BarrierTest, EachCountsItsOwnVotes) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    auto *counts = argument<int32_t *>(arguments, 0) + x * 100;
    for (int32_t round = 0; round <= x; ++round)
      counts[round] = pyk_rt_barrier_count(block, (x & round) == 0 ? 6 : 0);
  });
  std::vector<int32_t> counts(100 * 100, -1);
  expectLaunch(kernel, shapeOf(1, 100), counts.data());
  for (int32_t round = 0; round < 100; ++round) {
    int32_t expected = 0;
    for (int32_t x = round; x < 100; ++x)
      expected += (x & round) == 0;
    for (int32_t x = 0; x < 100; ++x)
      EXPECT_EQ(counts[size_t(x * 100 + round)], x < round ? -1 : expected)
          << x << ", " << round;
  }
}

// Who comes by the other function gives 0.
TEST(BarrierTest, BothKindsAreOneBarrier) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    if (x % 2)
      pyk_rt_barrier(block);
    else
      argument<int32_t *>(arguments, 0)[x] = pyk_rt_barrier_count(block, 1);
  });
  std::vector<int32_t> counts(6, -1);
  expectLaunch(kernel, shapeOf(1, 6), counts.data());
  EXPECT_EQ(counts, (std::vector<int32_t>{3, -1, 3, -1, 3, -1}));
}

TEST(BarrierTest, ManyInOneThreadOutlastItsTurn) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                               void *const *arguments) {
    auto *counts = argument<int32_t *>(arguments, 0);
    for (int i = 0; i < 200000; ++i)
      pyk_rt_barrier(block);
    ++counts[block->block_id[0]];
  });
  std::vector<int32_t> counts(5);
  expectLaunch(kernel, shapeOf(5, 2), counts.data());
  EXPECT_EQ(counts, std::vector<int32_t>(5, 2));
}
