// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The signal is SIGURG: its default is to be ignored, debuggers let it pass,
// and hardly any program uses it. A thread of the runtime, the watcher, sends
// it to OS threads whose launch has run for an interval without asking; it
// sleeps when there are no launches. ThreadSanitizer, which delays signals,
// goes without: a launch then asks between blocks only.

#include "../InterruptPoll.h"
#include "BlockScheduler.h"
#include "SwitchNotes.h"

#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace pyk::runtime;

namespace {

constexpr int interruptSignal = SIGURG;

/// After so many looks at nothing the watcher sleeps until a launch wakes it.
constexpr int mostIdleLooks = 80;

/// What was installed before us.
struct sigaction previous;

/// That of the calling OS thread, for a child process.
thread_local KernelThread *ownThread = nullptr;

} // namespace

KernelThreads &KernelThreads::get() {
  static auto *threads = new KernelThreads;
  return *threads;
}

KernelThreads::KernelThreads() {
  pthread_atfork([] { get().mutex.lock(); }, [] { get().mutex.unlock(); },
                 afterForkInChild);
}

/// Other OS threads of the parent do not exist here.
void KernelThreads::afterForkInChild() {
  KernelThreads &all = get();
  new (&all.awake) std::condition_variable;
  all.hasWatcher = false;
  all.watcherSleeps.store(true);
  all.threads.clear();
  if (ownThread) {
    ownThread->osThread = pthread_self();
    all.threads.push_back(ownThread);
  }
  all.mutex.unlock();
}

void KernelThreads::add(KernelThread &thread) {
  thread.osThread = pthread_self();
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, interruptSignal);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  std::lock_guard<std::mutex> lock(mutex);
  ownThread = &thread;
  threads.push_back(&thread);
}

void KernelThreads::remove(KernelThread &thread) {
  std::lock_guard<std::mutex> lock(mutex);
  ownThread = nullptr;
  for (KernelThread *&entry : threads)
    if (entry == &thread) {
      entry = threads.back();
      threads.pop_back();
      return;
    }
}

//===----------------------------------------------------------------------===//
// The signal
//===----------------------------------------------------------------------===//

void KernelThreads::handle(int signal, siginfo_t *info, void *context) {
  int savedError = errno;
  bool isOurs = info->si_code == SI_TKILL && info->si_pid == getpid();
  if (isOurs)
    BlockScheduler::interruptThisThread();
  else if (previous.sa_flags & SA_SIGINFO)
    previous.sa_sigaction(signal, info, context);
  else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    previous.sa_handler(signal);
  errno = savedError;
}

void KernelThreads::installHandler() {
  struct sigaction current = {};
  sigaction(interruptSignal, nullptr, &current);
  if (current.sa_flags & SA_SIGINFO && current.sa_sigaction == handle)
    return;
  previous = current;
  struct sigaction action = {};
  action.sa_sigaction = handle;
  // On the stack of the kernel, which the handler may switch away from; not
  // deferred, because a jump out of it does not restore the mask of signals.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(interruptSignal, &action, nullptr);
}

void KernelThreads::interrupt() {
  if (PYK_TSAN)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  installHandler();
  for (KernelThread *thread : threads)
    if (thread->isRunning.load())
      pthread_kill(thread->osThread, interruptSignal);
}

//===----------------------------------------------------------------------===//
// The watcher
//===----------------------------------------------------------------------===//

void KernelThreads::wakeWatcher() {
  if (PYK_TSAN)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (!watcherSleeps.load())
    return;
  if (!hasWatcher) {
    try {
      std::thread([this] { watch(); }).detach();
    } catch (const std::system_error &) {
      // Launches still ask between blocks.
      return;
    }
    hasWatcher = true;
  }
  watcherSleeps.store(false);
  awake.notify_one();
}

void KernelThreads::watch() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock<std::mutex> lock(mutex);
  int idleLooks = 0;
  for (;;) {
    bool isIdle = true;
    for (KernelThread *thread : threads) {
      uint64_t now = thread->asking.load();
      if (now % 2 == 1) {
        isIdle = false;
        if (now == thread->seen) {
          installHandler();
          pthread_kill(thread->osThread, interruptSignal);
        }
      }
      thread->seen = now;
    }
    idleLooks = isIdle ? idleLooks + 1 : 0;
    if (idleLooks < mostIdleLooks) {
      awake.wait_for(lock, interruptPollInterval);
      continue;
    }
    idleLooks = 0;
    watcherSleeps.store(true);
    // One that began before it could see this has not called.
    bool isAsked = false;
    for (KernelThread *thread : threads)
      isAsked |= thread->asking.load() % 2 == 1;
    if (isAsked)
      watcherSleeps.store(false);
    awake.wait(lock, [this] { return !watcherSleeps.load(); });
  }
}
