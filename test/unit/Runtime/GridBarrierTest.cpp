// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk_rt_grid_barrier promises among the blocks of a launch, with fewer OS
// threads than blocks.

#include "TestSupport.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

template <typename Function>
pyk_rt_kernel gridKernel(Function function) {
  pyk_rt_kernel kernel = fiberKernel(function);
  kernel.waits_for_grid = 1;
  return kernel;
}

Status launchOf(const pyk_rt_kernel &kernel, const LaunchShape &shape,
                void *data) {
  void *arguments[] = {static_cast<void *>(&data), nullptr};
  return launchOnCpu(kernel, shape, arguments);
}

/// How many OS threads a launch has.
class GridBarrierTest : public testing::TestWithParam<int32_t> {
protected:
  ScopedThreadCount count{GetParam()};
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Workers, GridBarrierTest, testing::Values(1, 2, 5),
                         [](const testing::TestParamInfo<int32_t> &info) {
                           return std::to_string(info.param);
                         });

// Each thread hands what it has to the one behind it, across blocks, so often
// that all of it has gone round.
TEST_P(GridBarrierTest, ThreadsSeeWhatOtherBlocksWrote) {
  auto kernel = gridKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                              void *const *arguments) {
    int32_t threads = block->grid_dim[0] * block->block_dim[0];
    int32_t self = block->block_id[0] * block->block_dim[0] + x;
    auto *values = argument<int32_t *>(arguments, 0);
    for (int32_t turn = 0; turn < threads; ++turn) {
      int32_t taken = values[(self + 1) % threads];
      pyk_rt_grid_barrier(block);
      values[self] = taken + 1;
      pyk_rt_grid_barrier(block);
    }
  });
  std::vector<int32_t> values(7 * 11), expected(7 * 11);
  std::iota(values.begin(), values.end(), 0);
  std::iota(expected.begin(), expected.end(), 77);
  expectLaunch(kernel, shapeOf(7, 11), values.data());
  EXPECT_EQ(values, expected);
}

TEST_P(GridBarrierTest, OtherBarriersAndTurnsStandBetween) {
  auto kernel = gridKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                              void *const *arguments) {
    auto *sums = argument<int32_t *>(arguments, 0);
    auto *wrong = argument<int32_t *>(arguments, 1);
    int32_t blocks = block->grid_dim[0], own = block->block_id[0];
    for (int32_t turn = 1; turn <= 20; ++turn) {
      // Blocks take as long as their index says.
      for (int32_t i = 0; i < own + x % 3; ++i)
        pyk_rt_yield(block);
      int32_t count = pyk_rt_barrier_count(block, 1);
      if (x == 0)
        sums[own] += count;
      pyk_rt_grid_barrier(block);
      for (int32_t i = 0; i < blocks; ++i)
        if (sums[i] != turn * block->block_dim[0])
          wrong[0] = turn;
      pyk_rt_grid_barrier(block);
    }
  });
  std::vector<int32_t> sums(9);
  int32_t wrong = 0;
  expectLaunch(kernel, shapeOf(9, 33), sums.data(), &wrong);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(sums, std::vector<int32_t>(9, 20 * 33));
}

TEST_P(GridBarrierTest, ThreadsThatHaveReturnedDoNotCount) {
  auto kernel = gridKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                              void *const *arguments) {
    auto *values = argument<int32_t *>(arguments, 0);
    int32_t own = block->block_id[0];
    if (x > 0 && x % 3 == own % 3)
      return;
    if (x == 0)
      values[own] = own;
    pyk_rt_grid_barrier(block);
    int32_t taken = values[(own + 1) % block->grid_dim[0]];
    pyk_rt_grid_barrier(block);
    values[own] = taken;
  });
  std::vector<int32_t> values(5, -1);
  expectLaunch(kernel, shapeOf(5, 40), values.data());
  EXPECT_EQ(values, (std::vector<int32_t>{1, 2, 3, 4, 0}));
}

TEST_P(GridBarrierTest, OneThatHasEndedIsWaitedForInVain) {
  auto kernel = gridKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                              void *const *arguments) {
    if (block->block_id[0] != argument<int32_t *>(arguments, 0)[0])
      pyk_rt_grid_barrier(block);
  });
  for (int32_t missing : {0, 3, 5}) {
    Status status = launchOf(kernel, shapeOf(6, 100), &missing);
    EXPECT_EQ(status.code(), StatusCode::LaunchFailed);
    EXPECT_EQ(
        status.message(),
        "running kernel 'hand' on the CPU: a block waits for the whole grid, "
        "of which other blocks have ended; let all threads of the grid "
        "call sync() as often");
  }
  int32_t none = 6;
  EXPECT_TRUE(launchOf(kernel, shapeOf(6, 100), &none).ok());
}

/// Each block counts itself before the barrier, and behind it those that find
/// too few.
pyk_rt_kernel makeCounting() {
  return gridKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                       void *const *arguments) {
    auto *counter = argument<int32_t *>(arguments, 0);
    if (x == 0)
      __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    pyk_rt_grid_barrier(block);
    if (x == 0 && *counter != block->grid_dim[0])
      __atomic_fetch_add(counter + 1, 1, __ATOMIC_RELAXED);
  });
}

// More threads than could wait for each other by memory.
TEST_P(GridBarrierTest, MoreBlocksThanAreResident) {
  if (underThreadSanitizer)
    GTEST_SKIP() << "ThreadSanitizer has no memory for so many fibers";
  auto kernel = makeCounting();
  int64_t blocks =
      GetParam() * (LaunchLimits::residentThreadsPerWorker / 1000 + 4);
  std::vector<int32_t> counters(2);
  EXPECT_TRUE(launchOf(kernel, shapeOf(blocks, 1000), counters.data()).ok());
  EXPECT_EQ(counters, (std::vector<int32_t>{int32_t(blocks), 0}));
}

TEST_P(GridBarrierTest, BlocksForWhichThereIsNoMemory) {
  auto kernel = makeCounting();
  std::vector<int32_t> counters(2);
  // 2^41 fibers, and 2^31 - 1 blocks with shared memory of 48 KiB.
  LaunchShape ofThreads = shapeOf(INT32_MAX, 1000), ofBytes = ofThreads;
  Status status = launchOf(kernel, ofThreads, counters.data());
  EXPECT_EQ(status.code(), StatusCode::OutOfMemory);
  static const std::regex message(
      "launching a kernel on the CPU: a grid waits for all of its blocks, and "
      "there is memory for ([0-9]+) of 1000 threads at most; launch fewer "
      "blocks, and let each thread do more");
  std::smatch match;
  std::string text(status.message());
  ASSERT_TRUE(std::regex_match(text, match, message)) << text;
  int64_t most = std::stoll(match[1]);
  EXPECT_GT(most, 0);
  EXPECT_EQ(counters[0], 0);

  kernel.thread_runs_block = 1;
  ofBytes.dynamicSharedBytes = 48 << 10;
  status = launchOf(kernel, ofBytes, counters.data());
  text = status.message();
  ASSERT_TRUE(std::regex_match(text, match, message)) << text;
  // A block's one fiber and its array against a thousand fibers.
  EXPECT_GT(std::stoll(match[1]), 50 * most);
  EXPECT_LT(std::stoll(match[1]), 1000 * most);
  EXPECT_EQ(counters[0], 0);
}

// One fiber does what all threads of a block have to do.
TEST_P(GridBarrierTest, BlocksThatAFiberRunsAsAWhole) {
  auto kernel = gridKernel([](pyk_rt_block *block, int32_t x, int32_t y,
                              int32_t z, void *const *arguments) {
    auto *values = argument<int32_t *>(arguments, 0);
    int32_t threads = block->block_dim[0], own = block->block_id[0] * threads;
    int32_t all = block->grid_dim[0] * threads;
    for (int32_t i = own; i < own + threads; ++i)
      values[i] = i + x + y + z;
    pyk_rt_grid_barrier(block);
    std::vector<int32_t> taken;
    for (int32_t i = own; i < own + threads; ++i)
      taken.push_back(values[(i + threads) % all]);
    pyk_rt_grid_barrier(block);
    std::copy(taken.begin(), taken.end(), values + own);
  });
  kernel.thread_runs_block = 1;
  int32_t blocks = 20 * GetParam(), threads = 1000;
  std::vector<int32_t> values, expected;
  for (int32_t i = 0; i < blocks * threads; ++i) {
    values.push_back(-1);
    expected.push_back((i + threads) % (blocks * threads));
  }
  expectLaunch(kernel, shapeOf(blocks, threads), values.data());
  EXPECT_EQ(values, expected);
}
