// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's access to memory that is not the program's ends the launch, not
// the process: the signal's handler jumps out of the kernel.

#ifndef PYK_RUNTIME_LIB_CPU_MEMORYFAULT_H
#define PYK_RUNTIME_LIB_CPU_MEMORYFAULT_H

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <memory>

namespace pyk::runtime {

/// Where an OS thread goes on after a bad access of the kernel that it runs.
/// Belongs to one OS thread, which makes and destroys it.
class FaultLanding {
public:
  /// Gives the thread a stack for signals, if it has none, and installs the
  /// handler of the process, once.
  FaultLanding();
  FaultLanding(const FaultLanding &) = delete;
  FaultLanding &operator=(const FaultLanding &) = delete;
  ~FaultLanding();

  /// From now on bad accesses of the thread jump to `target`, which a call of
  /// sigsetjmp with its result 0 has just set.
  void arm() { active = this; }
  /// From now on they are again none of our business.
  void disarm() { active = nullptr; }

  /// For its life the thread is outside of its kernel: a fault there is none
  /// of our business.
  class Pause {
  public:
    Pause() : paused(active) { active = nullptr; }
    Pause(const Pause &) = delete;
    Pause &operator=(const Pause &) = delete;
    ~Pause() { active = paused; }

  private:
    FaultLanding *const paused;
  };

  /// What sigsetjmp returns after `leave`, as no fault does.
  static constexpr int leaves = 2;

  /// Jumps to `target`, from inside the kernel.
  [[noreturn]] void leave() {
    disarm();
    siglongjmp(target, leaves);
  }

  /// For sigsetjmp.
  sigjmp_buf target;

  /// Whether a breakpoint and no access led to `target`.
  bool isBreakpoint() const { return isTrap; }

  /// The address of the access after which `target` was reached.
  uintptr_t address() const { return faultAddress; }

  /// The stack pointer at that access.
  uintptr_t stack() const { return stackPointer; }

  /// Whether that address is where an OS thread gets that needs more stack
  /// than it has: below what it uses, or in what it has just made room for.
  bool isAtEndOfStack() const {
    return faultAddress >= stackPointer - 4096 &&
           faultAddress < stackPointer + 64 * 1024;
  }

private:
  static void handle(int signal, siginfo_t *info, void *context);
  static void installHandler();

  // Read by the handler: must not need a call that allocates.
  [[gnu::tls_model("initial-exec")]] static thread_local FaultLanding *active;

  uintptr_t faultAddress = 0, stackPointer = 0;
  bool isTrap = false;
  /// The stack that this thread was given; null if it had one.
  std::unique_ptr<char[]> signalStack;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_MEMORYFAULT_H
