// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads of a warp give each other, and which of them run together.

#include "TestSupport.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

constexpr uint32_t kAll = 0xffffffff;

/// What each thread has got, lane by lane.
using Received = std::vector<std::array<uint64_t, 32>>;

uint64_t *getOwn(void *const *arguments, int32_t thread) {
  return (argument<std::array<uint64_t, 32> *>(arguments, 0) + thread)->data();
}

} // namespace

TEST(WarpExchangeTest, EachLaneGetsWhatAllLanesGave) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    pyk_rt_exchange(block, kAll, uint64_t(x) * 10, getOwn(arguments, x));
  });
  Received received(96);
  expectLaunch(kernel, shapeOf(1, 96), received.data());
  for (uint64_t thread = 0; thread != 96; ++thread)
    for (uint64_t lane = 0; lane != 32; ++lane)
      EXPECT_EQ(received[thread][lane], (thread / 32 * 32 + lane) * 10)
          << thread << ", " << lane;
}

// A warp is made of linear indices, whatever the shape of the block.
TEST(WarpExchangeTest, WarpsFollowLinearIndices) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t y,
                               int32_t z, void *const *arguments) {
    int32_t thread = (z * 3 + y) * 5 + x;
    pyk_rt_exchange(block, kAll, uint64_t(thread), getOwn(arguments, thread));
  });
  Received received(60);
  LaunchShape shape;
  shape.block[0] = 5;
  shape.block[1] = 3;
  shape.block[2] = 4;
  expectLaunch(kernel, shape, received.data());
  EXPECT_EQ(received[31][0], 0u);
  EXPECT_EQ(received[32][0], 32u);
  EXPECT_EQ(received[59][27], 59u);
  // Lanes that do not exist are not waited for.
  EXPECT_EQ(received[59][28], 0u);
}

TEST(WarpExchangeTest, ThreadsThatHaveEndedAreNotWaitedFor) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    if (x % 3 == 1)
      return;
    pyk_rt_exchange(block, kAll, 7, getOwn(arguments, x));
  });
  Received received(32);
  expectLaunch(kernel, shapeOf(1, 32), received.data());
  for (uint64_t lane = 0; lane != 32; ++lane) {
    EXPECT_EQ(received[0][lane], lane % 3 == 1 ? 0u : 7u) << lane;
    EXPECT_EQ(received[1][lane], 0u) << lane;
  }
}

// Two halves exchange at different times, as often as they like.
TEST(WarpExchangeTest, MasksThatAreDisjointDoNotWaitForEachOther) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    bool isLow = x < 16;
    uint32_t mask = isLow ? 0x0000ffff : 0xffff0000;
    for (int turn = 0; turn != (isLow ? 5 : 2); ++turn)
      pyk_rt_exchange(block, mask, uint64_t(x) + uint64_t(turn),
                      getOwn(arguments, x));
    // Then all of them.
    if (x == 31)
      pyk_rt_exchange(block, kAll, 100, getOwn(arguments, x));
    else
      pyk_rt_exchange(block, kAll, uint64_t(x), getOwn(arguments, x));
  });
  Received received(32);
  expectLaunch(kernel, shapeOf(1, 32), received.data());
  for (const auto &own : received) {
    EXPECT_EQ(own[3], 3u);
    EXPECT_EQ(own[31], 100u);
  }
}

// The sum over a warp by doubling distances, between barriers and in many
// blocks.
TEST(WarpExchangeTest, WorksBesideBarriersInManyBlocks) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    auto *sums = argument<uint64_t *>(arguments, 0);
    uint64_t values[32], sum = uint64_t(x) + uint64_t(block->block_id[0]);
    pyk_rt_barrier(block);
    for (uint32_t distance = 1; distance != 32; distance *= 2) {
      pyk_rt_exchange(block, kAll, sum, values);
      sum += values[(uint32_t(x) & 31) ^ distance];
    }
    pyk_rt_barrier(block);
    sums[block->block_id[0] * block->block_dim[0] + x] = sum;
  });
  std::vector<uint64_t> sums(40 * 128);
  expectLaunch(kernel, shapeOf(40, 128), sums.data());
  for (uint64_t i = 0; i != sums.size(); ++i) {
    uint64_t first = i % 128 / 32 * 32, block = i / 128;
    EXPECT_EQ(sums[i], 32 * (first + block) + 31 * 32 / 2) << i;
  }
}

// Half of the warp is at a barrier, or each lane waits for one that waits with
// another mask: nobody can go on.
TEST(WarpExchangeTest, ThreadsThatWaitInVainAreAnError) {
  auto atBarrier = fiberKernel(
      [](pyk_rt_block *block, int32_t x, int32_t, int32_t, void *const *) {
        uint64_t values[32];
        if (x < 48)
          pyk_rt_barrier(block);
        else
          pyk_rt_exchange(block, kAll, 0, values);
      });
  auto inCircle = fiberKernel(
      [](pyk_rt_block *block, int32_t x, int32_t, int32_t, void *const *) {
        uint64_t values[32];
        constexpr uint32_t masks[] = {0b011, 0b110, 0b101};
        pyk_rt_exchange(block, masks[x], 0, values);
      });
  auto getMessage = [](const pyk_rt_kernel &kernel, int64_t threads) {
    void *none = nullptr;
    Status status = launchOnCpu(kernel, shapeOf(3, threads), &none);
    EXPECT_EQ(status.code(), StatusCode::LaunchFailed);
    return std::string(status.message());
  };
  std::string message = getMessage(atBarrier, 64);
  EXPECT_EQ(
      message.find("running kernel 'hand' on the CPU: thread (48, 0, 0) of "
                   "block ("),
      0u)
      << message;
  EXPECT_NE(message.find(", 0, 0) waits for threads of its warp "
                         "that wait elsewhere; let all threads that a mask "
                         "names call the same function with it"),
            std::string::npos)
      << message;
  message = getMessage(inCircle, 3);
  EXPECT_NE(message.find("thread (0, 0, 0) of block ("), std::string::npos)
      << message;
  // The thread that others wait for ends late, in a round of its own.
  auto late = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                             void *const *arguments) {
    if (x == 31)
      for (int turn = 0; turn != 100; ++turn)
        pyk_rt_yield(block);
    else
      pyk_rt_exchange(block, kAll, 7, getOwn(arguments, x));
  });
  Received received(32);
  expectLaunch(late, shapeOf(1, 32), received.data());
  EXPECT_EQ(received[0][30], 7u);
  EXPECT_EQ(received[0][31], 0u);
}

// Thread 5 of the second warp, while others wait; and the next launch is none
// the worse.
TEST(WarpExchangeTest, AThreadOutsideOfItsMaskIsAnError) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    pyk_rt_exchange(block, x < 37 ? kAll : 0x0000ff0f, 7, getOwn(arguments, x));
  });
  Received received(64);
  void *data = received.data();
  void *arguments[] = {static_cast<void *>(&data)};
  Status status = launchOnCpu(kernel, shapeOf(1, 64), arguments);
  EXPECT_EQ(status.code(), StatusCode::LaunchFailed);
  EXPECT_EQ(
      std::string(status.message()),
      "running kernel 'hand' on the CPU: thread (37, 0, 0) of block (0, 0, "
      "0), lane 5 of its warp, is not in the mask 0xff0f that it gives; "
      "let only threads that a mask names call a function with it");
  expectLaunch(kernel, shapeOf(1, 32), received.data());
  EXPECT_EQ(received[31][0], 7u);
}

// Of threads that lie in three dimensions.
TEST(WarpExchangeTest, AThreadOutsideOfItsMaskIsNamedByItsPlace) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t y,
                               int32_t z, void *const *arguments) {
    bool isStray = x == 1 && y == 2 && z == 3;
    pyk_rt_exchange(block, isStray ? 1 : kAll, 7,
                    getOwn(arguments, (z * 4 + y) * 4 + x));
  });
  Received received(64);
  void *data = received.data();
  void *arguments[] = {static_cast<void *>(&data)};
  LaunchShape shape = shapeOf(1, 4);
  shape.block[1] = shape.block[2] = 4;
  Status status = launchOnCpu(kernel, shape, arguments);
  EXPECT_NE(status.message().find("thread (1, 2, 3) of block (0, 0, 0), lane "
                                  "25 of its warp, is not in the mask 0x1"),
            std::string::npos)
      << status.message();
}

//===----------------------------------------------------------------------===//
// Lanes that run together
//===----------------------------------------------------------------------===//

static uint32_t *getMasks(void *const *arguments) {
  return argument<uint32_t *>(arguments, 0);
}

TEST(WarpExchangeTest, LanesAtTheSameSiteAreAGroup) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    if (x % 3 == 2)
      return;
    getMasks(arguments)[x] = pyk_rt_active_mask(block, uint32_t(x % 3));
  });
  std::vector<uint32_t> masks(40);
  expectLaunch(kernel, shapeOf(1, 40), masks.data());
  for (int32_t x = 0; x != 40; ++x) {
    uint32_t expected = 0;
    for (int32_t other = x / 32 * 32; other != std::min(x / 32 * 32 + 32, 40);
         ++other)
      if (x % 3 != 2 && other % 3 == x % 3)
        expected |= uint32_t(1) << other % 32;
    EXPECT_EQ(masks[x], expected) << x;
  }
}

// Some lanes wait at a barrier of the block, some for lanes, and some do not
// come before others have waited a while.
TEST(WarpExchangeTest, LanesThatWaitElsewhereAreInNoGroup) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    uint64_t values[32];
    uint32_t mask = 0;
    if (x < 16) {
      for (int turn = 0; turn != x; ++turn)
        pyk_rt_yield(block);
      mask = pyk_rt_active_mask(block, 0);
      if (x < 8)
        pyk_rt_exchange(block, 0x00ff00ff, 0, values);
    } else if (x < 24) {
      pyk_rt_exchange(block, 0x00ff00ff, 0, values);
      mask = pyk_rt_active_mask(block, 1);
    }
    pyk_rt_barrier(block);
    getMasks(arguments)[x] = mask;
  });
  std::vector<uint32_t> masks(32);
  expectLaunch(kernel, shapeOf(1, 32), masks.data());
  for (uint32_t x = 0; x != 32; ++x)
    EXPECT_EQ(masks[x], x < 16 ? 0x0000ffffu : x < 24 ? 0x00ff0000u : 0u) << x;
}

// Those that are behind a branch wait for those in it: all come to site 1.
TEST(WarpExchangeTest, TheLeastSiteGoesOnFirst) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    for (int32_t turn = 0; turn < x; ++turn)
      getMasks(arguments)[x] = pyk_rt_active_mask(block, 0);
    getMasks(arguments)[32 + x] = pyk_rt_active_mask(block, 1);
  });
  std::vector<uint32_t> masks(64);
  expectLaunch(kernel, shapeOf(1, 32), masks.data());
  for (uint32_t x = 1; x != 32; ++x)
    EXPECT_EQ(masks[x], kAll << x) << x;
  for (uint32_t x = 0; x != 32; ++x)
    EXPECT_EQ(masks[32 + x], kAll) << x;
}

// The one waits for what the other does when it knows its group.
TEST(WarpExchangeTest, AThreadThatYieldsForEverIsNotWaitedFor) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    volatile uint32_t *masks = getMasks(arguments);
    if (x == 0)
      masks[0] = pyk_rt_active_mask(block, 0);
    else
      while (!masks[0])
        pyk_rt_yield(block);
  });
  std::vector<uint32_t> masks(1);
  expectLaunch(kernel, shapeOf(1, 2), masks.data());
  EXPECT_EQ(masks[0], 1u);
}

// As often as that happens: the other counts how long it has yielded.
TEST(WarpExchangeTest, PatienceBeginsAnewForEachGroup) {
  constexpr uint32_t most = 100000;
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    volatile uint32_t *masks = getMasks(arguments);
    if (x == 0) {
      for (uint32_t turn = 0; turn != 3; ++turn)
        masks[turn] = pyk_rt_active_mask(block, turn);
      return;
    }
    while (!masks[2] && masks[3] != most) {
      masks[3] = masks[3] + 1;
      pyk_rt_yield(block);
    }
  });
  std::vector<uint32_t> masks(4);
  expectLaunch(kernel, shapeOf(1, 2), masks.data());
  EXPECT_EQ((std::vector<uint32_t>(masks.begin(), masks.begin() + 3)),
            (std::vector<uint32_t>{1, 1, 1}));
  EXPECT_LT(masks[3], most);
}

// The one comes to the least site until the other has been to its own.
TEST(WarpExchangeTest, NoSiteIsLeftBehindForEver) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    volatile uint32_t *masks = getMasks(arguments);
    if (x == 1)
      masks[1] = pyk_rt_active_mask(block, 7);
    else
      while (!masks[1])
        masks[0] = pyk_rt_active_mask(block, 0);
  });
  std::vector<uint32_t> masks(2);
  expectLaunch(kernel, shapeOf(1, 2), masks.data());
  EXPECT_EQ(masks, (std::vector<uint32_t>{1, 2}));
}

// In many blocks, whose turns end while threads wait.
TEST(WarpExchangeTest, GroupsFormInManyBlocks) {
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t x, int32_t, int32_t,
                               void *const *arguments) {
    uint32_t wrong = 0;
    for (int turn = 0; turn != 300; ++turn)
      if (x % 2)
        wrong |= pyk_rt_active_mask(block, 0) ^ 0xaaaaaaaa;
      else
        wrong |= pyk_rt_active_mask(block, 1) ^ 0x55555555;
    getMasks(arguments)[block->block_id[0] * 64 + x] = ~wrong;
  });
  std::vector<uint32_t> right(20 * 64);
  expectLaunch(kernel, shapeOf(20, 64), right.data());
  EXPECT_EQ(std::count(right.begin(), right.end(), kAll), 20 * 64);
}
