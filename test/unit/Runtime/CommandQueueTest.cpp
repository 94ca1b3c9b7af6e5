// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue of a CPU stream, as far as no stream shows it: what a stream queues
// does not fail after a failure.

#include "cpu/CommandQueue.h"

#include "gtest/gtest.h"

#include <memory>
#include <string>

using namespace pyk::runtime;

namespace {

/// A command that fails, for the reason `problem`.
CommandQueue::Action failFor(const std::string &problem) {
  return [problem](const Status &) {
    return Status::failure(StatusCode::LaunchFailed, "testing", problem,
                           "go on");
  };
}

class CommandQueueTest : public testing::Test {
protected:
  void SetUp() override { work->add(queue); }
  void TearDown() override { queue->close(); }

  /// Queues commands that run after a failure, too, and waits for them.
  void run(std::initializer_list<CommandQueue::Action> actions) {
    for (const CommandQueue::Action &action : actions)
      EXPECT_TRUE(
          queue->submit("testing", action, CommandQueue::CommandKind::Note)
              .ok());
    queue->waitFor(queue->ticket());
  }

  const std::shared_ptr<CpuWork> work = std::make_shared<CpuWork>();
  const std::shared_ptr<CommandQueue> queue =
      std::make_shared<CommandQueue>(work, StreamOrder::WithDefault);
};

} // namespace

// Later ones may be what the first has led to.
TEST_F(CommandQueueTest, TheFirstFailureIsTold) {
  const char *first = "testing: the first; go on";
  std::string heard;
  run({failFor("the first"), failFor("the second"), [&](const Status &earlier) {
         heard = earlier.message();
         return Status();
       }});
  EXPECT_EQ(heard, first);
  EXPECT_EQ(queue->peekFailure().message(), first);
  EXPECT_EQ(work->unseenFailure().message(), first);
  EXPECT_EQ(queue->takeFailure().message(), first);
}

// Who has seen it has seen all: what is queued then may fail anew.
TEST_F(CommandQueueTest, AFailureIsToldOnce) {
  run({failFor("the first"), failFor("the second")});
  EXPECT_FALSE(queue->takeFailure().ok());
  EXPECT_TRUE(queue->takeFailure().ok());
  EXPECT_TRUE(work->unseenFailure().ok());
  run({failFor("the third")});
  EXPECT_EQ(work->synchronize("testing").message(),
            "testing: the third; go on");
  EXPECT_TRUE(work->unseenFailure().ok());
}
