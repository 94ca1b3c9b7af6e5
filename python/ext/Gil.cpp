// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that outlive the interpreter. A daemon thread may wait for a stream
// while the main thread ends the program. CPython up to 3.13 ends a thread that
// asks for the GIL then by unwinding it, and 3.14 lets it sleep; we always do
// the latter.

#include "Core.h"

#include <atomic>
#include <chrono>
#include <cxxabi.h>
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

/// How many threads were told that they may ask for the GIL, and wait for it.
static std::atomic<int> asking{0};

/// Whether this thread may ask for the GIL; it is counted then until
/// `--asking`.
static bool mayAsk() {
  ++asking;
  pid_t ending = endingThread;
  if (ending == 0 || ending == gettid())
    return true;
  --asking;
  return false;
}

void pyk::python::setInterpreterEnding() {
  endingThread = gettid();
  // Who holds the GIL may keep it for long, but not for ever.
  for (int turn = 0; asking != 0 && turn != 5000; ++turn)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void pyk::python::restoreThread(PyThreadState *state) {
  if (mayAsk()) {
    PyEval_RestoreThread(state);
    --asking;
    return;
  }
  // Between the functions of atexit and the end, the program may still join
  // this thread: after a while it goes on.
  for (int turn = 0; turn != 100; ++turn) {
    while (isFinalizing())
      pause();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  try {
    PyEval_RestoreThread(state);
  } catch (abi::__forced_unwind &) {
    for (;;)
      pause();
  }
}

WithGil::WithGil() : isHeld(mayAsk()) {
  if (!isHeld)
    return;
  state = PyGILState_Ensure();
  --asking;
}

WithGil::~WithGil() {
  if (isHeld)
    PyGILState_Release(state);
}
