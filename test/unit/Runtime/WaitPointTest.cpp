// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for each other, without the queues and pools that let them:
// whoever changes something and wakes is heard.

#include "cpu/WaitPoint.h"

#include "gtest/gtest.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace pyk::runtime;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A call that came between the last look of a sleeper and its sleep would be
// heard by nobody: it must not return before the sleeper sleeps.
TEST(WaitPointTest, WhoIsAboutToSleepIsWoken) {
  WaitPoint point;
  std::atomic<bool> looks{false}, changed{false}, woke{false};
  std::thread waker([&] {
    while (!looks)
      std::this_thread::yield();
    changed = true;
    point.wakeAll();
    woke = true;
  });
  bool asked = false, wokeBefore = false;
  point.wait(
      [&] {
        bool holds = changed;
        // The first look after a question is that of who is about to sleep.
        if (asked && !looks) {
          looks = true;
          auto end = Clock::now() + milliseconds(50);
          while (!woke && Clock::now() < end)
            std::this_thread::sleep_for(milliseconds(1));
          wokeBefore = woke;
        }
        return holds;
      },
      [&] { asked = true; }, milliseconds(1));
  waker.join();
  EXPECT_FALSE(wokeBefore);
}

// One call is for as many as there are.
TEST(WaitPointTest, AllSleepersAreWoken) {
  WaitPoint point;
  std::atomic<bool> opened{false};
  std::atomic<int> through{0};
  std::thread waiters[4];
  for (std::thread &waiter : waiters)
    waiter = std::thread([&] {
      point.wait([&] { return opened.load(); });
      ++through;
    });
  // Long enough that those who can sleep do.
  std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(through, 0);
  opened = true;
  point.wakeAll();
  for (std::thread &waiter : waiters)
    waiter.join();
  EXPECT_EQ(through, 4);
}
