// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that outlive the interpreter. A daemon thread may wait for a stream
// while the main thread ends the program. CPython up to 3.13 ends a thread that
// asks for the GIL then by unwinding it, and 3.14 lets it sleep; we always do
// the latter.

#include "Core.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>

using namespace pyk::python;

/// The thread that ends the interpreter; 0 while none does.
static std::atomic<pid_t> endingThread{0};

static bool isFinalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

bool pyk::python::isInterpreterEnding() { return endingThread != 0; }

bool pyk::python::mustLeaveGil() {
  pid_t ending = endingThread;
  return ending != 0 && ending != gettid();
}

void pyk::python::setInterpreterEnding() {
  endingThread = gettid();
  // One that has asked a moment ago has the GIL by then.
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void pyk::python::restoreThread(PyThreadState *state) {
  // Between the functions of atexit and the end, the program may still join
  // this thread: after a while it goes on.
  for (int turn = 0; mustLeaveGil() && turn != 100; ++turn) {
    while (isFinalizing())
      pause();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  PyEval_RestoreThread(state);
}
