// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler takes faults of threads that are inside a kernel, breakpoints
// that no debugger has taken among them, and hands all others on. Jumping out
// skips no destructor that matters: between the landing and the kernel lie only
// frames of the scheduler, which cleans up after it.

#include "MemoryFault.h"

#include "SwitchNotes.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iterator>
#include <mutex>
#include <new>
#include <ucontext.h>
#include <unistd.h>

using namespace pyk::runtime;

thread_local FaultLanding *FaultLanding::active = nullptr;

namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGTRAP, SIGABRT};
constexpr size_t signalCount = std::size(signals);
constexpr size_t stackBytes = 64 * 1024;

/// What was installed before, in the order of `signals`.
struct sigaction previous[signalCount];

/// Says what the commonest cause is of the end of a process that has run
/// kernels: a store behind an array has changed other memory of the program.
void sayWhatMayBeTheCause(int signal) {
  static std::atomic<bool> isSaid{false};
  if (signal == SIGTRAP || isSaid.exchange(true))
    return;
  static constexpr char text[] =
      "PyK: kernels have run in this process; if one stored outside of its "
      "arrays, that may be why it ends here: run it with --check-bounds or "
      "PYK_BOUNDSCHECK=1\n";
  ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
  (void)written;
}

/// Does what would have happened without us.
void handOn(int signal, siginfo_t *info, void *context) {
  size_t index = std::find(std::begin(signals), std::end(signals), signal) -
                 std::begin(signals);
  const struct sigaction &old = previous[index];
  if (old.sa_flags & SA_SIGINFO) {
    old.sa_sigaction(signal, info, context);
  } else if (old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN) {
    // The access is repeated on return, and then ends the process; a trap is
    // not.
    sigaction(signal, &old, nullptr);
    if (signal == SIGTRAP || signal == SIGABRT)
      raise(signal);
  } else {
    old.sa_handler(signal);
  }
}

/// Where the stack ended when the signal came.
uintptr_t getStackPointer(void *context) {
  const mcontext_t &machine = static_cast<ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  return uintptr_t(machine.gregs[REG_RSP]);
#else
  return uintptr_t(machine.sp);
#endif
}

} // namespace

void FaultLanding::handle(int signal, siginfo_t *info, void *context) {
  FaultLanding *landing = active;
  // A signal that another process sent is about no access.
  if (!landing || info->si_code <= 0) {
    if (info->si_code > 0 || info->si_pid == getpid())
      sayWhatMayBeTheCause(signal);
    handOn(signal, info, context);
    return;
  }
  active = nullptr;
  landing->isTrap = signal == SIGTRAP;
  landing->faultAddress = reinterpret_cast<uintptr_t>(info->si_addr);
  landing->stackPointer = getStackPointer(context);
  siglongjmp(landing->target, 1);
}

void FaultLanding::installHandler() {
  struct sigaction action = {};
  action.sa_sigaction = handle;
  // Not deferred: the jump does not restore the mask of signals.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (size_t i = 0; i < signalCount; ++i)
    sigaction(signals[i], &action, &previous[i]);
}

FaultLanding::FaultLanding() {
  // The sanitizers' own reports say more.
  if (PYK_ASAN || PYK_TSAN)
    return;
  stack_t current = {};
  if (sigaltstack(nullptr, &current) == 0 && current.ss_flags & SS_DISABLE) {
    signalStack.reset(new (std::nothrow) char[stackBytes]);
    stack_t own = {};
    own.ss_sp = signalStack.get();
    own.ss_size = stackBytes;
    // Without it the handler runs on the stack of the kernel.
    if (signalStack)
      sigaltstack(&own, nullptr);
  }
  static std::once_flag installed;
  std::call_once(installed, installHandler);
}

FaultLanding::~FaultLanding() {
  if (!signalStack)
    return;
  stack_t current = {};
  // Somebody else may have given the thread another one since.
  if (sigaltstack(nullptr, &current) != 0 || current.ss_sp != signalStack.get())
    return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}
