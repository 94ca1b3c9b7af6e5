// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One helper is kept, because a new thread would begin with cold memory;
// another begins if that one is busy with what nobody waits for any more. Only
// the main thread of the process, to which Python delivers signals, needs one.
// When the process ends while a helper compiles, it ends at once: the
// destructors of static objects must not run beside the compiler.

#include "CompileThread.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace nb = nanobind;
using namespace pyk::python;

namespace {

constexpr std::chrono::milliseconds signalInterval{25};

CompileOutput compileOrThrow(const CompileInput &input) {
  auto orNull = [](const Text &text) { return text ? text->c_str() : nullptr; };
  PykCompileOptions options = {};
  options.source = {input.source.data(), input.source.size()};
  options.source_name = orNull(input.sourceName);
  options.target = orNull(input.target);
  options.emit = orNull(input.emit);
  options.dump_stages = orNull(input.dumpStages);
  options.explain = input.explain;
  std::vector<PykCompileOption> given;
  given.reserve(input.options.size());
  for (const auto &[name, value] : input.options)
    given.push_back({name.c_str(), value.c_str()});
  options.options = given.data();
  options.num_options = given.size();
  CompileOutput output;
  output.module = pyk_compile(&options, &output.error);
  return output;
}

/// Compiles; without an output if memory runs out. The compiler is built
/// without exceptions, so what it held by then is lost, but the process goes
/// on.
CompileOutput compileNow(const CompileInput &input) {
  try {
    return compileOrThrow(input);
  } catch (const std::bad_alloc &) {
    return {};
  }
}

/// One thread that compiles. Never destroyed: it may outlive all else.
class Helper {
public:
  /// Starts it; false if the system refuses.
  bool start() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stackBytes());
    pthread_t thread;
    int failure = pthread_create(
        &thread, &attributes,
        [](void *self) -> void * {
          static_cast<Helper *>(self)->run();
          return nullptr;
        },
        this);
    pthread_attr_destroy(&attributes);
    return failure == 0;
  }

  void give(CompileInput newInput) {
    std::lock_guard<std::mutex> lock(mutex);
    input = std::move(newInput);
    state = State::Given;
    changed.notify_all();
  }

  /// Waits for a short time; returns whether there is an output.
  bool isDone() {
    std::unique_lock<std::mutex> lock(mutex);
    return changed.wait_for(lock, signalInterval,
                            [this] { return state == State::Done; });
  }

  CompileOutput take() {
    std::lock_guard<std::mutex> lock(mutex);
    state = State::Idle;
    return std::exchange(output, {});
  }

  /// Nobody will take the output; the thread ends when it is there.
  void abandon() {
    std::lock_guard<std::mutex> lock(mutex);
    isAbandoned = true;
    if (state == State::Done)
      drop();
    else
      ++running();
    changed.notify_all();
  }

  /// The thread, which does nothing, ends.
  void retire() {
    std::lock_guard<std::mutex> lock(mutex);
    isAbandoned = true;
    changed.notify_all();
  }

  /// How many compile what nobody waits for.
  static std::atomic<int> &running() {
    static auto *count = new std::atomic<int>{0};
    return *count;
  }

private:
  enum class State { Idle, Given, Done };

  /// As much as the main thread has, which the compiler's limits are made for.
  static size_t stackBytes() {
    constexpr size_t least = size_t(8) << 20, most = size_t(256) << 20;
    rlimit limit = {};
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
      return least;
    return std::clamp<size_t>(limit.rlim_cur, least, most);
  }

  void drop() {
    pyk_module_destroy(output.module);
    pyk_error_destroy(output.error);
    output = {};
  }

  void run() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock,
                   [this] { return state == State::Given || isAbandoned; });
      if (state != State::Given)
        return;
      lock.unlock();
      CompileOutput made = compileNow(input);
      lock.lock();
      output = made;
      state = State::Done;
      if (isAbandoned) {
        drop();
        --running();
        return;
      }
      changed.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  State state = State::Idle;
  bool isAbandoned = false;
  CompileInput input;
  CompileOutput output;
};

/// The one that is kept, and the process whose it is; used with the GIL.
Helper *kept = nullptr;
pid_t processOfKept = 0;

/// Ends the process as it would end, but for destructors.
void endAtOnce(int status, void *) {
  if (Helper::running() == 0)
    return;
  std::fflush(nullptr);
  _exit(status);
}

/// A helper that does nothing; null if there can be none.
Helper *takeHelper() {
  pid_t process = getpid();
  Helper *taken =
      processOfKept == process ? std::exchange(kept, nullptr) : nullptr;
  if (taken)
    return taken;
  auto *made = new Helper;
  if (made->start())
    return made;
  delete made;
  return nullptr;
}

} // namespace

CompileOutput pyk::python::compileInterruptibly(CompileInput input) {
  Helper *helper = gettid() == getpid() ? takeHelper() : nullptr;
  if (!helper) {
    WithoutGil without;
    return compileNow(input);
  }
  helper->give(std::move(input));
  for (;;) {
    PyThreadState *state = PyEval_SaveThread();
    bool isDone = helper->isDone();
    restoreThread(state);
    if (isDone)
      break;
    if (PyErr_CheckSignals() == 0)
      continue;
    static int registered = on_exit(endAtOnce, nullptr);
    (void)registered;
    helper->abandon();
    throw nb::python_error();
  }
  CompileOutput output = helper->take();
  // A signal's handler may have compiled, too, and left one.
  if (kept && processOfKept == getpid())
    helper->retire();
  else
    kept = helper;
  processOfKept = getpid();
  return output;
}
