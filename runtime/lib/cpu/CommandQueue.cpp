// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands are nodes of a list that are used again, so that a warm launch
// allocates nothing. Two counters say how far the queue has come; whoever waits
// for it waits for a number, so that work which comes later does not hold it
// up.

#include "CommandQueue.h"

#include "BlockScheduler.h"
#include "KernelThreads.h"
#include "Launch.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

using namespace pyk::runtime;

namespace {

/// Guards the lists of queues of all devices; locked around fork(), so that a
/// child finds them whole.
struct ForkState {
  std::mutex mutex;
  std::atomic<uint32_t> process{0};
};

ForkState &forkState() {
  static ForkState *state = [] {
    auto *created = new ForkState;
    pthread_atfork([] { forkState().mutex.lock(); },
                   [] { forkState().mutex.unlock(); },
                   [] {
                     forkState().process.fetch_add(1);
                     forkState().mutex.unlock();
                   });
    return created;
  }();
  return *state;
}

/// A command that the calling thread runs.
struct RunningCommand {
  RunningCommand(const CommandQueue &queue, const std::atomic<bool> &stop)
      : queue(queue), stop(stop), outer(std::exchange(innermost, this)) {}
  RunningCommand(const RunningCommand &) = delete;
  RunningCommand &operator=(const RunningCommand &) = delete;
  ~RunningCommand() { innermost = outer; }

  const CommandQueue &queue;
  const std::atomic<bool> &stop;
  /// What was interrupted for this one; null if nothing was.
  const RunningCommand *const outer;

  static thread_local const RunningCommand *innermost;
};

thread_local const RunningCommand *RunningCommand::innermost = nullptr;

/// Whether the calling thread is that of a queue.
thread_local bool isOfQueue = false;

} // namespace

//===----------------------------------------------------------------------===//
// The queues of a device
//===----------------------------------------------------------------------===//

void CpuWork::add(const std::shared_ptr<CommandQueue> &queue) {
  (void)current();
  std::lock_guard<std::mutex> lock(forkState().mutex);
  queues.push_back(queue);
}

/// The parent's threads do not exist here: what they had to do is not ours.
void CpuWork::forgetParent() {
  uint32_t now = forkState().process.load();
  if (process == now)
    return;
  process = now;
  queues.clear();
  pending.store(0);
}

bool CpuWork::idle() {
  if (pending.load() == 0)
    return true;
  std::lock_guard<std::mutex> lock(forkState().mutex);
  forgetParent();
  return pending.load() == 0;
}

std::vector<std::shared_ptr<CommandQueue>> CpuWork::current() {
  std::vector<std::shared_ptr<CommandQueue>> found;
  std::lock_guard<std::mutex> lock(forkState().mutex);
  forgetParent();
  queues.erase(
      std::remove_if(queues.begin(), queues.end(),
                     [](const auto &queue) { return queue.expired(); }),
      queues.end());
  for (const std::weak_ptr<CommandQueue> &queue : queues)
    if (std::shared_ptr<CommandQueue> alive = queue.lock())
      found.push_back(std::move(alive));
  return found;
}

std::shared_ptr<CommandQueue> CpuWork::find(uint64_t handle) {
  for (const std::shared_ptr<CommandQueue> &queue : current())
    if (reinterpret_cast<uintptr_t>(queue.get()) == handle)
      return queue;
  return nullptr;
}

static Status inCallback(std::string_view doing) {
  return Status::failure(StatusCode::FailedPrecondition, doing,
                         "the calling thread runs a stream's callback, which "
                         "cannot wait for streams",
                         "do it after the stream is synchronized");
}

Status CpuWork::drain(std::string_view doing, bool all) {
  if (idle())
    return Status();
  if (CommandQueue::isInsideCommand())
    return inCallback(doing);
  std::vector<std::pair<std::shared_ptr<CommandQueue>, uint64_t>> awaited;
  for (const std::shared_ptr<CommandQueue> &queue : current()) {
    if (!all && queue->order() != StreamOrder::WithDefault)
      continue;
    if (Status status = queue->checkWait(doing); !status.ok())
      return status;
    awaited.emplace_back(queue, queue->ticket());
  }
  InterruptPoll poll;
  for (const auto &[queue, ticket] : awaited) {
    if (queue->waitFor(ticket, poll))
      continue;
    for (const auto &[other, itsTicket] : awaited)
      other->cancel(itsTicket);
    return CommandQueue::cancelled(doing);
  }
  return Status();
}

Status CpuWork::synchronize(std::string_view doing) {
  if (Status status = drain(doing, /*all=*/true); !status.ok())
    return status;
  Status first;
  for (const std::shared_ptr<CommandQueue> &queue : current())
    if (Status status = queue->takeFailure(); first.ok())
      first = status;
  return first;
}

Status CpuWork::unseenFailure() {
  if (failed.load() == 0)
    return Status();
  for (const std::shared_ptr<CommandQueue> &queue : current())
    if (queue->order() == StreamOrder::WithDefault)
      if (Status status = queue->peekFailure(); !status.ok())
        return status;
  return Status();
}

void CpuWork::dropAfterWork(std::shared_ptr<void> memory) {
  if (idle() || !memory)
    return;
  for (const std::shared_ptr<CommandQueue> &queue : current()) {
    if (queue->idle())
      continue;
    Status status = queue->submit(
        "freeing a buffer", [memory](const Status &) { return Status(); },
        CommandQueue::CommandKind::Note);
    // Without a place in the queue, the memory must wait for its turn here.
    if (!status.ok() && !CommandQueue::isInsideCommand())
      queue->waitFor(queue->ticket());
  }
}

//===----------------------------------------------------------------------===//
// One queue
//===----------------------------------------------------------------------===//

CommandQueue::CommandQueue(std::shared_ptr<CpuWork> work, StreamOrder order)
    : work(std::move(work)), streamOrder(order),
      process(forkState().process.load()) {}

CommandQueue::~CommandQueue() {
  if (!failure.ok())
    work->failed.fetch_sub(1);
  // Long lists must not be destroyed by recursion.
  while (spare)
    spare = std::move(spare->next);
}

bool CommandQueue::isInsideCommand() { return isOfQueue; }

bool CommandQueue::isToEnd() {
  const RunningCommand *running = RunningCommand::innermost;
  return running && running->stop.load();
}

Status CommandQueue::checkWait(std::string_view doing) const {
  if (isInsideCommand())
    return inCallback(doing);
  for (const RunningCommand *running = RunningCommand::innermost; running;
       running = running->outer)
    if (&running->queue == this)
      return Status::failure(
          StatusCode::FailedPrecondition, doing,
          "the calling thread was interrupted in work of the stream, which "
          "cannot end before",
          "do it after the stream is synchronized");
  return Status();
}

Status CommandQueue::cancelled(std::string_view doing) {
  return Status::failure(StatusCode::Cancelled, doing,
                         "the program asked to stop",
                         "queue the work again to have it done");
}

bool CommandQueue::isOfThisProcess() const {
  return process == forkState().process.load();
}

Status CommandQueue::checkProcess(std::string_view doing) const {
  if (isOfThisProcess())
    return Status();
  return Status::failure(StatusCode::FailedPrecondition, doing,
                         "the stream was made before the process forked",
                         "make a stream in the child process");
}

Status CommandQueue::start(std::string_view doing) {
  try {
    std::thread([self = shared_from_this()] { self->run(); }).detach();
  } catch (const std::system_error &error) {
    return Status::failure(StatusCode::Unavailable, doing,
                           std::string("the system refused a thread for the "
                                       "stream (") +
                               error.what() + ")",
                           "use fewer streams");
  }
  running = true;
  return Status();
}

std::unique_ptr<CommandQueue::Command> CommandQueue::takeSpare() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (spare) {
      std::unique_ptr<Command> taken = std::move(spare);
      spare = std::move(taken->next);
      return taken;
    }
  }
  return std::make_unique<Command>();
}

Status CommandQueue::append(std::string_view doing,
                            std::unique_ptr<Command> command) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!running)
      if (Status status = start(doing); !status.ok())
        return status;
    Command *appended = command.get();
    (last ? last->next : first) = std::move(command);
    last = appended;
    work->pending.fetch_add(1);
    submitted.fetch_add(1);
  }
  moreWork.wake(1);
  return Status();
}

static Status noMemory(std::string_view doing) {
  return Status::failure(StatusCode::OutOfMemory, doing,
                         "the system gave no memory for the stream's queue",
                         "free memory");
}

Status CommandQueue::submit(std::string_view doing, Action action,
                            CommandKind kind) {
  if (Status status = checkProcess(doing); !status.ok())
    return status;
  try {
    std::unique_ptr<Command> command = takeSpare();
    command->action = std::move(action);
    command->kind = kind;
    return append(doing, std::move(command));
  } catch (const std::bad_alloc &) {
    return noMemory(doing);
  }
}

Status CommandQueue::submitLaunch(std::string_view doing,
                                  std::shared_ptr<void> owner,
                                  const HostKernel &kernel,
                                  const LaunchShape &shape,
                                  void *const *arguments) {
  if (Status status = checkProcess(doing); !status.ok())
    return status;
  try {
    std::unique_ptr<Command> command = takeSpare();
    // Each value at a multiple of 16 bytes, which suffices for any parameter.
    size_t bytes = 0;
    for (uint32_t size : kernel.parameterBytes)
      bytes += (size_t(size) + 15) / 16 * 16;
    command->argumentBytes.resize(bytes + 15);
    command->arguments.resize(kernel.parameterBytes.size());
    auto base = reinterpret_cast<uintptr_t>(command->argumentBytes.data());
    char *value = command->argumentBytes.data() + (16 - base % 16) % 16;
    for (size_t i = 0; i < kernel.parameterBytes.size(); ++i) {
      std::memcpy(value, arguments[i], kernel.parameterBytes[i]);
      command->arguments[i] = value;
      value += (size_t(kernel.parameterBytes[i]) + 15) / 16 * 16;
    }
    command->kernel = kernel.kernel;
    command->owner = std::move(owner);
    command->shape = shape;
    command->kind = CommandKind::Work;
    return append(doing, std::move(command));
  } catch (const std::bad_alloc &) {
    return noMemory(doing);
  }
}

void CommandQueue::waitFor(uint64_t ticket) {
  if (!isOfThisProcess())
    return;
  lessWork.wait([&] { return completed.load() >= ticket; });
}

bool CommandQueue::waitFor(uint64_t ticket, InterruptPoll &poll) {
  if (!isOfThisProcess())
    return true;
  bool stops = !help(ticket);
  lessWork.wait([&] { return stops || completed.load() >= ticket; },
                [&] { stops = poll.asksToStop(); });
  return !stops;
}

void CommandQueue::cancel(uint64_t ticket) {
  if (!isOfThisProcess())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    cancelledCommands = std::max(cancelledCommands, ticket);
    if (completed.load() < cancelledCommands)
      stop.store(true);
  }
  KernelThreads &kernels = KernelThreads::get();
  kernels.interrupt();
  lessWork.wait(
      [&] { return completed.load() >= ticket || !usesMemory.load(); },
      [&] { kernels.interrupt(); }, KernelThreads::retryInterval);
}

Status CommandQueue::takeFailure() {
  std::lock_guard<std::mutex> lock(mutex);
  Status taken;
  std::swap(taken, failure);
  if (!taken.ok())
    work->failed.fetch_sub(1);
  return taken;
}

Status CommandQueue::peekFailure() {
  std::lock_guard<std::mutex> lock(mutex);
  return failure;
}

void CommandQueue::close() {
  if (!isOfThisProcess())
    return;
  closed.store(true);
  moreWork.wake(1);
}

/// Takes the first command, which nobody runs; the caller holds `mutex`. Sets
/// `earlier` to why the queue has failed.
std::unique_ptr<CommandQueue::Command> CommandQueue::take(Status &earlier) {
  busy.store(true);
  std::unique_ptr<Command> command = std::move(first);
  first = std::move(command->next);
  if (!first)
    last = nullptr;
  earlier = failure;
  stop.store(completed.load() < cancelledCommands);
  if (stop.load() && earlier.ok())
    earlier = cancelled("running what a stream has queued");
  usesMemory.store(command->kind == CommandKind::Work && earlier.ok());
  return command;
}

Status CommandQueue::perform(Command &command, const Status &earlier) {
  if (!earlier.ok() && command.kind == CommandKind::Work)
    return Status();
  Status status = command.kernel ? launchOnCpu(*command.kernel, command.shape,
                                               command.arguments.data(), &stop)
                                 : command.action(earlier);
  // Whoever has cancelled it knows.
  return status.code() == StatusCode::Cancelled && stop.load() ? Status()
                                                               : status;
}

/// `command`, which `take` took, has ended with `status`.
void CommandQueue::end(std::unique_ptr<Command> command, Status status) {
  // What the command kept alive goes before anybody is told that it is done.
  command->action = nullptr;
  command->kernel = nullptr;
  command->owner = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (failure.ok() && !status.ok()) {
      failure = std::move(status);
      work->failed.fetch_add(1);
    }
    command->next = std::move(spare);
    spare = std::move(command);
  }
  usesMemory.store(false);
  work->pending.fetch_sub(1);
  completed.fetch_add(1);
  busy.store(false);
  lessWork.wakeAll();
}

bool CommandQueue::help(uint64_t ticket) noexcept {
  // What interrupts a kernel may wait, but not launch.
  if (!isOfThisProcess() || completed.load() >= ticket ||
      BlockScheduler::ofThisThread().isRunning())
    return true;
  bool goesOn = true;
  while (goesOn) {
    Status earlier;
    std::unique_ptr<Command> command;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!first || busy.load() || first->kind == CommandKind::Wait ||
          completed.load() >= ticket)
        break;
      command = take(earlier);
    }
    Status status;
    {
      RunningCommand running(*this, stop);
      status = perform(*command, earlier);
    }
    // Here, as on no thread of a queue, the program is asked. What it no longer
    // waits for must not begin before the caller cancels it.
    if (status.code() == StatusCode::Cancelled) {
      goesOn = false;
      status = Status();
      std::lock_guard<std::mutex> lock(mutex);
      cancelledCommands = std::max(cancelledCommands, ticket);
    }
    end(std::move(command), std::move(status));
  }
  // The queue's thread may have slept while a command ran here.
  if (!idle() || closed.load())
    moreWork.wake(1);
  return goesOn;
}

void CommandQueue::run() {
  isOfQueue = true;
  RunningCommand own(*this, stop);
  InterruptPoll::silenceThisThread();
  for (;;) {
    moreWork.wait(
        [this] { return !busy.load() && (!idle() || closed.load()); });
    std::unique_ptr<Command> command;
    Status earlier;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (busy.load())
        continue;
      if (!first) {
        // Another one, who waits, may have done what there was.
        if (!closed.load())
          continue;
        // A stream made of the handle may bring more: then there is another.
        running = false;
        return;
      }
      command = take(earlier);
    }
    Status status = perform(*command, earlier);
    end(std::move(command), std::move(status));
  }
}
