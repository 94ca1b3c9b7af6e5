// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of one task run on processors of their own, where there are some.

#include "cpu/ProcessorClaims.h"

#include "gtest/gtest.h"
#include <sched.h>
#include <thread>

using namespace pyk::runtime;

namespace {

cpu_set_t getAllowed() {
  cpu_set_t allowed;
  EXPECT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  return allowed;
}

/// Lets the calling thread run on `processor` alone.
void pin(int processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  ASSERT_EQ(sched_setaffinity(0, sizeof only, &only), 0);
}

/// Two processors that threads may run on; the second is -1 if there is one.
std::pair<int, int> findTwo() {
  cpu_set_t allowed = getAllowed();
  std::pair<int, int> found = {-1, -1};
  for (int i = 0; i < CPU_SETSIZE && found.second < 0; ++i)
    if (CPU_ISSET(i, &allowed))
      (found.first < 0 ? found.first : found.second) = i;
  return found;
}

/// Calls `run` on a thread of its own.
template <typename Callback>
void onThread(Callback run) {
  std::thread(run).join();
}

} // namespace

TEST(ProcessorClaimsTest, WhoComesToATakenProcessorIsMoved) {
  auto [first, second] = findTwo();
  if (second < 0)
    GTEST_SKIP() << "needs two processors";
  onThread([&, first = first] {
    ProcessorClaims claims;
    cpu_set_t allowed = getAllowed();
    pin(first);
    claims.begin();
    onThread([&] {
      // It begins where its maker is, and may go anywhere.
      ASSERT_EQ(sched_getcpu(), first);
      ASSERT_EQ(sched_setaffinity(0, sizeof allowed, &allowed), 0);
      int moves = 0;
      // The system may have moved it before.
      for (int tries = 0; tries < 50 && moves == 0; ++tries) {
        pin(first);
        ASSERT_EQ(sched_setaffinity(0, sizeof allowed, &allowed), 0);
        claims.settle();
        moves += sched_getcpu() != first;
      }
      EXPECT_EQ(moves, 1);
      cpu_set_t now = getAllowed();
      EXPECT_TRUE(CPU_EQUAL(&now, &allowed));
    });
  });
}

// It has the processor that it was moved to, so the next one finds none.
TEST(ProcessorClaimsTest, WhoIsMovedTakesTheOtherProcessor) {
  auto [first, second] = findTwo();
  if (second < 0)
    GTEST_SKIP() << "needs two processors";
  onThread([&, first = first, second = second] {
    cpu_set_t both;
    CPU_ZERO(&both);
    CPU_SET(first, &both);
    CPU_SET(second, &both);
    int stays = 0;
    constexpr int tries = 20;
    for (int i = 0; i < tries; ++i) {
      ProcessorClaims claims;
      pin(first);
      claims.begin();
      for (bool isLast : {false, true})
        onThread([&] {
          ASSERT_EQ(sched_setaffinity(0, sizeof both, &both), 0);
          claims.settle();
          stays += isLast && sched_getcpu() == first;
        });
    }
    // The system may move some.
    EXPECT_GT(stays, tries / 2);
  });
}

TEST(ProcessorClaimsTest, WhoMayRunNowhereElseStays) {
  auto [first, second] = findTwo();
  onThread([&, first = first] {
    ProcessorClaims claims;
    pin(first);
    claims.begin();
    onThread([&] {
      claims.settle();
      EXPECT_EQ(sched_getcpu(), first);
      cpu_set_t now = getAllowed();
      EXPECT_EQ(CPU_COUNT(&now), 1);
    });
  });
}

TEST(ProcessorClaimsTest, ClaimsOfTheLastTaskAreForgotten) {
  auto [first, second] = findTwo();
  if (second < 0)
    GTEST_SKIP() << "needs two processors";
  onThread([&, first = first, second = second] {
    ProcessorClaims claims;
    pin(first);
    claims.begin();
    pin(second);
    // Only this one is taken now, so who may run on both goes to the other.
    claims.begin();
    cpu_set_t both;
    CPU_ZERO(&both);
    CPU_SET(first, &both);
    CPU_SET(second, &both);
    onThread([&] {
      int moves = 0;
      for (int tries = 0; tries < 50 && moves == 0; ++tries) {
        pin(second);
        ASSERT_EQ(sched_setaffinity(0, sizeof both, &both), 0);
        claims.settle();
        moves += sched_getcpu() == first;
      }
      EXPECT_EQ(moves, 1);
    });
  });
}
