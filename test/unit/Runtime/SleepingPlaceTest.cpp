// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that sleeps wakes on another processor than its waker's, and may
// then run wherever it could.

#include "cpu/SleepingPlace.h"

#include "gtest/gtest.h"
#include <future>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace pyk::runtime;

namespace {

cpu_set_t getAllowed(pid_t thread = 0) {
  cpu_set_t allowed;
  EXPECT_EQ(sched_getaffinity(thread, sizeof allowed, &allowed), 0);
  return allowed;
}

bool areEqual(const cpu_set_t &a, const cpu_set_t &b) {
  return CPU_EQUAL(&a, &b);
}

/// What becomes of a thread that sleeps on the processor where it began.
struct Sleep {
  int processor = -1;
  /// Where it may run: before, when it has been told to wake elsewhere, and in
  /// the end.
  cpu_set_t before, during, after;
};

/// Lets a thread sleep that may run on one of our processors alone, or on all,
/// and tells it to wake elsewhere than on that where it sleeps, or than on one
/// where nobody is.
Sleep sleepAndWake(bool mayMove, bool isHere) {
  Sleep sleep;
  SleepingPlace place;
  std::promise<pid_t> asleep;
  std::promise<void> awake;
  std::thread thread([&] {
    if (!mayMove) {
      cpu_set_t only;
      CPU_ZERO(&only);
      CPU_SET(sched_getcpu(), &only);
      ASSERT_EQ(sched_setaffinity(0, sizeof only, &only), 0);
    }
    sleep.before = getAllowed();
    sleep.processor = sched_getcpu();
    place.enter();
    asleep.set_value(pid_t(syscall(SYS_gettid)));
    awake.get_future().wait();
    place.leave();
    sleep.after = getAllowed();
  });
  pid_t id = asleep.get_future().get();
  place.vacate(isHere ? sleep.processor : CPU_SETSIZE - 1);
  sleep.during = getAllowed(id);
  awake.set_value();
  thread.join();
  return sleep;
}

bool hasTwo() {
  cpu_set_t allowed = getAllowed();
  return CPU_COUNT(&allowed) > 1;
}

} // namespace

TEST(SleepingPlaceTest, WhoSleepsWakesElsewhere) {
  if (!hasTwo())
    GTEST_SKIP() << "needs two processors";
  Sleep sleep = sleepAndWake(/*mayMove=*/true, /*isHere=*/true);
  EXPECT_TRUE(CPU_ISSET(sleep.processor, &sleep.before));
  EXPECT_FALSE(CPU_ISSET(sleep.processor, &sleep.during));
  CPU_SET(sleep.processor, &sleep.during);
  EXPECT_TRUE(areEqual(sleep.before, sleep.during));
  EXPECT_TRUE(areEqual(sleep.before, sleep.after));
}

TEST(SleepingPlaceTest, WhoCouldNotWakeThereStays) {
  Sleep sleep = sleepAndWake(/*mayMove=*/true, /*isHere=*/false);
  EXPECT_TRUE(areEqual(sleep.before, sleep.during));
  EXPECT_TRUE(areEqual(sleep.before, sleep.after));
}

TEST(SleepingPlaceTest, WhoMayRunNowhereElseStays) {
  Sleep sleep = sleepAndWake(/*mayMove=*/false, /*isHere=*/true);
  EXPECT_TRUE(areEqual(sleep.before, sleep.during));
  EXPECT_TRUE(areEqual(sleep.before, sleep.after));
}

// One that is awake sleeps nowhere.
TEST(SleepingPlaceTest, WhoIsAwakeStays) {
  SleepingPlace place;
  cpu_set_t before = getAllowed();
  place.enter();
  place.leave();
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    place.vacate(processor);
  EXPECT_TRUE(areEqual(getAllowed(), before));
}
