// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward progress: threads that wait for memory which another thread of the
// launch changes, with fewer OS threads than there are waiters. A failure here
// is a test that never ends.

#include "TestSupport.h"

#include <string>
#include <vector>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

int32_t load(const int32_t *address) {
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}

void store(int32_t *address, int32_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELEASE);
}

int32_t add(int32_t *address, int32_t value) {
  return __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
}

/// How many OS threads a launch has.
class SpinTest : public testing::TestWithParam<int32_t> {
protected:
  ScopedThreadCount count{GetParam()};
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Workers, SpinTest, testing::Values(1, 2, 5),
                         [](const testing::TestParamInfo<int32_t> &info) {
                           return std::to_string(info.param);
                         });

TEST_P(SpinTest, FirstThreadWaitsForTheLastOfItsBlock) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    auto *token = argument<int32_t *>(arguments, 0) + block->block_id[0];
    // Handed from the last thread to the first, against the order of running.
    while (load(token) != block->block_dim[0] - 1 - x)
      pyk_rt_yield(block);
    store(token, block->block_dim[0] - x);
  });
  std::vector<int32_t> tokens(4);
  expectLaunch(kernel, shapeOf(4, 200), tokens.data());
  EXPECT_EQ(tokens, std::vector<int32_t>(4, 200));
}

TEST_P(SpinTest, LockOfABlockIsPassedAround) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                               void *const *arguments) {
    auto *lock = argument<int32_t *>(arguments, 0);
    auto *counter = argument<int32_t *>(arguments, 1);
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
      pyk_rt_yield(block);
    int32_t seen = *counter;
    for (int i = 0; i < 3; ++i)
      pyk_rt_yield(block);
    *counter = seen + 1;
    store(lock, 0);
  });
  int32_t lock = 0, counter = 0;
  expectLaunch(kernel, shapeOf(4, 32), &lock, &counter);
  EXPECT_EQ(counter, 128);
}

TEST_P(SpinTest, FirstBlockWaitsForTheLast) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    auto *token = argument<int32_t *>(arguments, 0);
    int32_t turn = block->grid_dim[0] - 1 - block->block_id[0];
    pyk_rt_barrier(block);
    while (load(token) < turn)
      pyk_rt_yield(block);
    pyk_rt_barrier(block);
    if (x == 0)
      store(token, turn + 1);
  });
  int32_t token = 0;
  expectLaunch(kernel, shapeOf(60, 33), &token);
  EXPECT_EQ(token, 60);
}

TEST_P(SpinTest, OneThreadOfEachBlockWaitsForAllBlocks) {
  // A barrier across the grid, ten times, with the others of the block at
  // pyk_rt_barrier meanwhile.
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    auto *arrived = argument<int32_t *>(arguments, 0);
    auto *wrong = argument<int32_t *>(arguments, 1);
    for (int32_t round = 1; round <= 10; ++round) {
      pyk_rt_barrier(block);
      if (x == 0) {
        add(arrived, 1);
        while (load(arrived) < round * block->grid_dim[0])
          pyk_rt_yield(block);
      }
      pyk_rt_barrier(block);
      if (load(arrived) < round * block->grid_dim[0])
        add(wrong, 1);
    }
  });
  // All that one worker can have open; ThreadSanitizer knows 8128 stacks.
  int64_t blocks = underThreadSanitizer ? 16 : 64;
  int32_t arrived = 0, wrong = 0;
  expectLaunch(kernel, shapeOf(blocks, 256), &arrived, &wrong);
  EXPECT_EQ(arrived, 10 * blocks);
  EXPECT_EQ(wrong, 0);
}

TEST_P(SpinTest, BarrierInTheWaitingLoopDoesNotKeepOthersOut) {
  // The loop has a barrier, so that every round of the block gets somewhere.
  auto kernel = fiberKernel(
      [](pyk_rt_block *block, int32_t x, int32_t, int32_t,
         void *const *arguments) {
        auto *flag = argument<int32_t *>(arguments, 0);
        auto *done = reinterpret_cast<int32_t *>(block->shared);
        if (block->block_id[0] == block->grid_dim[0] - 1)
          store(flag, 1);
        do {
          pyk_rt_barrier(block);
          if (x == 0)
            *done = load(flag);
          pyk_rt_barrier(block);
        } while (!*done);
      },
      4);
  int32_t flag = 0;
  expectLaunch(kernel, shapeOf(9, 8), &flag);
  EXPECT_EQ(flag, 1);
}

TEST_P(SpinTest, SumsArePassedFromBlockToBlock) {
  // The look-back of a single-pass scan.
  auto kernel = fiberKernel(
      [](pyk_rt_block *block, int32_t x, int32_t, int32_t,
         void *const *arguments) {
        auto *sums = argument<int32_t *>(arguments, 0);
        int32_t self = block->block_id[0];
        auto *partial = reinterpret_cast<int32_t *>(block->shared);
        partial[x] = 1;
        pyk_rt_barrier(block);
        if (x != 0)
          return;
        int32_t sum = 0;
        for (int32_t i = 0; i < block->block_dim[0]; ++i)
          sum += partial[i];
        if (self > 0) {
          while (load(sums + self - 1) == 0)
            pyk_rt_yield(block);
          sum += load(sums + self - 1);
        }
        store(sums + self, sum);
      },
      4 * 64);
  std::vector<int32_t> sums(500);
  expectLaunch(kernel, shapeOf(500, 64), sums.data());
  for (int32_t i = 0; i < 500; ++i)
    EXPECT_EQ(sums[i], 64 * (i + 1));
}
