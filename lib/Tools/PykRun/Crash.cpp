// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers that only write and exit: nothing else is safe after a signal. They
// run on a stack of their own on the main thread. Kernels' bad accesses do not
// come here: the runtime takes them first.

#include "Crash.h"
#include "llvm/Support/ErrorHandling.h"
#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace pyk::run;

static void put(const char *text) {
  // A closed standard error leaves nothing to do.
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
    return;
}

[[noreturn]] static void endWith(const char *message) {
  put("pyk-run: error: ");
  put(message);
  put("\n");
  _exit(1);
}

static void handleSignal(int) {
  endWith("the compiler crashed; this is a bug of PyK");
}

static void handleFatalError(void *, const char *reason, bool) {
  endWith(reason);
}

void pyk::run::installCrashHandlers() {
  llvm::install_fatal_error_handler(handleFatalError);
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = handleSignal;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    sigaction(signal, &action, nullptr);
}
