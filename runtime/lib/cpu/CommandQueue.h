// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of one CPU stream: commands in order, and the OS thread that runs
// them beside the host. The thread begins with the first command and ends when
// the stream is gone and nothing is left to do.

#ifndef PYK_RUNTIME_LIB_CPU_COMMANDQUEUE_H
#define PYK_RUNTIME_LIB_CPU_COMMANDQUEUE_H

#include "../InterruptPoll.h"
#include "WaitPoint.h"

#include "pyk/runtime/Module.h"
#include "pyk/runtime/Status.h"
#include "pyk/runtime/Stream.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace pyk::runtime {

class CommandQueue;

/// The queues of one device. All members may be called by any thread.
class CpuWork {
public:
  CpuWork() = default;
  CpuWork(const CpuWork &) = delete;
  CpuWork &operator=(const CpuWork &) = delete;

  /// Whether no queue has anything to do; costs one load if so.
  bool idle();

  /// Adds a queue.
  void add(const std::shared_ptr<CommandQueue> &queue);

  /// The queue whose address is `handle`; null if there is none.
  std::shared_ptr<CommandQueue> find(uint64_t handle);

  /// Waits for what is queued now: of all queues, or of those that keep order
  /// with the default stream. Fails with FailedPrecondition if called by a
  /// thread that runs commands. If the program asks to stop, cancels what it
  /// waits for, and fails with Cancelled.
  Status drain(std::string_view doing, bool all);

  /// The same for everything; returns the first failure that nobody has seen
  /// yet.
  Status synchronize(std::string_view doing);

  /// The failure of a queue that keeps order with the default stream, if nobody
  /// has seen it yet; it stays unseen. Costs one load if there is none.
  Status unseenFailure();

  /// Drops `memory` once everything that is queued now has ended; does not
  /// wait for it.
  void dropAfterWork(std::shared_ptr<void> memory);

private:
  friend class CommandQueue;

  std::vector<std::shared_ptr<CommandQueue>> current();
  /// Begins anew in a child process; the caller holds the mutex of all devices.
  void forgetParent();

  /// Commands that are queued or run, of all queues.
  std::atomic<int64_t> pending{0};
  /// Queues whose failure nobody has seen.
  std::atomic<int64_t> failed{0};
  /// Guarded by the mutex of all devices, which fork() respects.
  std::vector<std::weak_ptr<CommandQueue>> queues;
  /// Which process, counted by forks, `pending` and `queues` speak of.
  uint32_t process = 0;
};

/// An ordered queue. Held by its stream and by its OS thread. All members may
/// be called by any thread; in a child process, queues of the parent are dead.
class CommandQueue : public std::enable_shared_from_this<CommandQueue> {
public:
  /// What a command does, told whether the queue has failed before.
  using Action = std::function<Status(const Status &earlier)>;

  enum class CommandKind : uint8_t {
    /// Uses memory; dropped after a failure.
    Work,
    /// Runs after a failure, too, and takes no time.
    Note,
    /// As Note, but may wait for anything: left to the queue's own thread.
    Wait
  };

  CommandQueue(std::shared_ptr<CpuWork> work, StreamOrder order);
  CommandQueue(const CommandQueue &) = delete;
  CommandQueue &operator=(const CommandQueue &) = delete;
  ~CommandQueue();

  /// How it stands to the default stream.
  StreamOrder order() const { return streamOrder; }

  /// Queues `action`. Fails with Unavailable if no OS thread can be started,
  /// with OutOfMemory, and with FailedPrecondition in a child process.
  Status submit(std::string_view doing, Action action, CommandKind kind);

  /// Queues a launch of a kernel that was judged right; its arguments are
  /// copied. `owner` keeps the code alive. Allocates nothing once warm.
  Status submitLaunch(std::string_view doing, std::shared_ptr<void> owner,
                      const HostKernel &kernel, const LaunchShape &shape,
                      void *const *arguments);

  /// Whether nothing is queued and nothing runs.
  bool idle() const { return completed.load() == submitted.load(); }

  /// The number of commands so far; `waitFor` waits until so many are done, or
  /// until the program asks `poll` to stop: then it returns false. Who asks
  /// helps; not to be called by threads that run commands.
  uint64_t ticket() const { return submitted.load(); }
  bool waitFor(uint64_t ticket, InterruptPoll &poll);
  void waitFor(uint64_t ticket);

  /// Runs commands, of the first `ticket`, that the queue's own thread has not
  /// begun: who waits for them has nothing else to do, and is awake. Returns
  /// false if the program asked to stop, which ended one early.
  bool help(uint64_t ticket) noexcept;

  /// Ends the first `ticket` commands early: launches and copies that run, as
  /// soon as they can; those that have not begun are not. Returns when they use
  /// no memory any more, though a callback may still run.
  void cancel(uint64_t ticket);

  /// What a wait fails with that was cancelled.
  static Status cancelled(std::string_view doing);

  /// The first failure since the last call.
  Status takeFailure();

  /// The same, which the next call of `takeFailure` returns too.
  Status peekFailure();

  /// Lets the OS thread end when nothing is left.
  void close();

  /// Whether the queue was made by this process, and not before a fork().
  bool isOfThisProcess() const;

  /// Whether the calling thread is that of a queue, which runs commands.
  static bool isInsideCommand();

  /// Fails with FailedPrecondition if the calling thread would wait for itself:
  /// in a callback, or interrupted in a command of this queue that it helps
  /// with.
  Status checkWait(std::string_view doing) const;

  /// Whether the command that the calling thread runs is to end; false on
  /// threads that run none.
  static bool isToEnd();

private:
  /// A command, kept for the next one when it is done.
  struct Command {
    Action action;
    CommandKind kind = CommandKind::Work;
    /// A launch, if `kernel` is not null.
    const pyk_rt_kernel *kernel = nullptr;
    std::shared_ptr<void> owner;
    LaunchShape shape;
    std::vector<char> argumentBytes;
    std::vector<void *> arguments;
    std::unique_ptr<Command> next;
  };

  Status checkProcess(std::string_view doing) const;
  /// Starts the OS thread that runs commands; the caller holds `mutex`.
  Status start(std::string_view doing);
  std::unique_ptr<Command> takeSpare();
  Status append(std::string_view doing, std::unique_ptr<Command> command);
  void run();
  std::unique_ptr<Command> take(Status &earlier);
  Status perform(Command &command, const Status &earlier);
  void end(std::unique_ptr<Command> command, Status status);

  const std::shared_ptr<CpuWork> work;
  const StreamOrder streamOrder;
  const uint32_t process;

  std::mutex mutex;
  std::unique_ptr<Command> first, spare;
  Command *last = nullptr;
  Status failure;
  /// Whether there is an OS thread that runs commands.
  bool running = false;
  /// How many commands, from the first, are to end early.
  uint64_t cancelledCommands = 0;
  /// Whether the command that runs is one of them.
  std::atomic<bool> stop{false};
  /// Whether a command runs.
  std::atomic<bool> busy{false};
  /// Whether a command runs that uses memory.
  std::atomic<bool> usesMemory{false};

  std::atomic<uint64_t> submitted{0}, completed{0};
  std::atomic<bool> closed{false};
  WaitPoint moreWork, lessWork;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_COMMANDQUEUE_H
