// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that the stand-in knows. One lock guards it; kernels, host functions and
// callbacks run without it.

#ifndef PYK_TEST_LIB_STANDINDRIVER_STATE_H
#define PYK_TEST_LIB_STANDINDRIVER_STATE_H

#include "StandIn.h"

#include "PtxMachine/Machine.h"

#include "DriverTypes.h"
#include "Streams.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace standin {

namespace driver = pyk::runtime::driver;

enum class Kind { Context, Stream, Event, Module, Function, Pool, Linker };

/// A module that is loaded.
struct Module {
  std::unique_ptr<ptxmachine::Program> program;
  /// Addresses of its variables, by name.
  std::map<std::string, driver::CuAddress> variables;
};

/// What is behind a handle.
struct Object {
  Kind kind;
  /// The context that it lives in; itself for a context.
  uintptr_t context = 0;
  int device = 0;
  unsigned flags = 0;
  /// Of a context: how often it is retained, and what lost it.
  int retained = 0;
  driver::CuResult lost = driver::Success;
  /// Of a stream.
  std::shared_ptr<Stream> stream;
  /// Of an event: the work that it stands for; `alone` if it waits for streams
  /// that keep no order.
  std::shared_ptr<Task> recorded;
  bool alone = false;
  /// Of a module; of a function, with its index and settings.
  std::shared_ptr<Module> code;
  const ptxmachine::Code *kernel = nullptr;
  int maxDynamicShared = 48 * 1024;
  uintptr_t module = 0;
  /// Of a linker: the PTX that it has been given, whether it has the device
  /// runtime, and where its log goes.
  std::string text;
  bool hasDeviceRuntime = false;
  char *log = nullptr;
};

enum class Source { Device, Pool, Managed, Host, Registered, Variable };

/// Memory, by its device address.
struct Allocation {
  Source source;
  size_t bytes;
  char *host;
  bool ownsHost;
  uintptr_t context;
  uintptr_t module = 0;
  bool isReadOnly = false;
  /// Whether cuMemFreeAsync was called for it; its task frees the memory.
  bool isFreed = false;
};

struct Failure {
  std::string call;
  int occurrence;
  driver::CuResult result;
};

/// The stand-in. Every member function expects the lock to be held.
struct State {
  static State &get();

  /// Records a call; returns what a request wants it to return.
  driver::CuResult begin(const char *call);

  /// The same for a call that needs a context, which must be alive.
  driver::CuResult beginInContext(const char *call, bool waits = false);

  /// The object of that kind in the current context; null, and a misuse, if
  /// there is none.
  Object *find(Kind kind, const void *handle, const char *call);

  /// Whether `stream` is one of those always there or alive.
  bool isStream(const void *stream, const char *call);

  /// The stream of a handle for which isStream holds.
  std::shared_ptr<Stream> getStream(const void *handle);
  std::shared_ptr<Stream> addStream(bool isDefault, bool isAlone);
  /// The unfinished tasks that a call which waits for `stream` waits for.
  std::vector<std::shared_ptr<Task>> getTasksOf(const Stream &stream) const;
  /// Forgets a stream when its tasks have finished.
  void dropStream(std::unique_lock<std::recursive_mutex> &lock,
                  const std::shared_ptr<Stream> &stream);

  /// Queues work in a stream, behind what CUDA puts before it and `before`. No
  /// work marks a place, as events do. Unless streams are asynchronous it is
  /// done when this returns; `lock` is released meanwhile.
  std::shared_ptr<Task> enqueue(std::unique_lock<std::recursive_mutex> &lock,
                                const std::shared_ptr<Stream> &stream,
                                std::function<void(driver::CuResult)> work,
                                std::vector<std::shared_ptr<Task>> before = {});

  /// The unfinished tasks that must finish before a task queued in `stream`
  /// now.
  std::vector<std::shared_ptr<Task>> getTasksBefore(const Stream &stream) const;

  /// Wait for tasks, for all tasks of a stream, and for those of all streams;
  /// `lock` is released meanwhile.
  void wait(std::unique_lock<std::recursive_mutex> &lock,
            const std::vector<std::shared_ptr<Task>> &tasks, bool isAlone);
  void waitForStream(std::unique_lock<std::recursive_mutex> &lock,
                     const void *handle);
  void waitForAll(std::unique_lock<std::recursive_mutex> &lock);

  /// Ends all work, and kernels that run.
  void stop(std::unique_lock<std::recursive_mutex> &lock);

  /// Notes that work of a context has failed. The next call that waits reports
  /// it; what is queued in the context is dropped.
  void failWork(driver::CuResult result, uintptr_t context);
  /// What has failed in a context, or lost it.
  driver::CuResult getFailure(uintptr_t context) const;

  /// Whether work does not end, on streams that keep no order or on others.
  bool isBusy(bool alone) const { return busy == 1 || (busy == 2 && alone); }

  uintptr_t add(Object object);
  driver::CuResult allocate(Source source, size_t bytes,
                            driver::CuAddress &address);
  /// Whether memory of one of `sources` begins at `address`; a misuse if not.
  bool canRelease(driver::CuAddress address,
                  std::initializer_list<Source> sources, const char *call);
  driver::CuResult release(driver::CuAddress address,
                           std::initializer_list<Source> sources,
                           const char *call);

  /// Host memory behind `bytes` bytes at `address`; null if not all are there.
  /// For work that is queued, memory that is freed after it is.
  char *translate(driver::CuAddress address, size_t bytes,
                  bool isQueued = false);

  /// Ends a context when its work has ended; what is left in it is a misuse if
  /// `checked`. `lock` is released meanwhile.
  void endContext(std::unique_lock<std::recursive_mutex> &lock,
                  uintptr_t context, bool checked);

  void loseContext(driver::CuResult result);

  /// What a call that has waited for work returns: what lost the current
  /// context, which work that failed does now.
  driver::CuResult getLost();

  /// All memory that kernels may reach.
  std::vector<ptxmachine::Region> getRegions() const;

  void misuse(const std::string &what);
  void readEnvironment();
  /// Takes one of the settings of PYK_STANDIN.
  void set(const std::string &name, const std::string &value);
  uint64_t used() const;

  std::recursive_mutex mutex;
  /// Held while a kernel runs.
  std::mutex running;
  /// Whether one does, and whether it has to end.
  bool isRunning = false;
  std::atomic<bool> stops = false;
  int devices = 1;
  int version = 13000;
  uint64_t memory = uint64_t(1) << 30;
  bool initialized = false;
  std::set<std::string> hidden;
  std::vector<Failure> failures;
  /// Work that has failed and has not been reported, by its context; 0: that of
  /// the next call which waits.
  std::map<uintptr_t, driver::CuResult> workFailures;
  /// What does not end, as standin_set_busy says.
  int busy = 0;
  /// Told when that changes, and whenever work is queued or done.
  std::condition_variable_any changed;
  std::vector<std::shared_ptr<Stream>> streams;
  std::vector<std::string> calls;
  std::map<std::string, int> counts;
  std::string misuses;
  std::map<uintptr_t, Object> objects;
  std::map<int, uintptr_t> primary;
  std::map<driver::CuAddress, Allocation> memories;
  /// Memory that was freed while a kernel ran, and is kept until it has ended.
  std::vector<char *> freedLater;
  std::map<std::string, void (*)(const standin_launch *)> kernels;
  /// How kernels run, how much did, and the instructions of all modules.
  ptxmachine::Settings machine;
  /// What kernels have allocated.
  ptxmachine::Heap heap;
  ptxmachine::Counts executed;
  /// Launches since the reset: each has a schedule of its own.
  uint64_t launched = 0;
  std::set<std::string> opcodes;
  /// Whether the program goes on while streams do their work.
  bool isAsync = false;
  /// Whether launches execute their kernels.
  bool executes = true;
  /// Kernels reach the memory of the process, as some GPUs do.
  bool reachesHost = false;
  /// Where counts and instructions are added when the process ends.
  std::string record;
  /// What the last module was loaded with.
  std::map<int32_t, uintptr_t> jitOptions;
};

/// Contexts that are current on this thread, the last one first in use.
extern thread_local std::vector<uintptr_t> currentContexts;

/// Whether `result` loses a context.
bool isSticky(driver::CuResult result);

} // namespace standin

#endif // PYK_TEST_LIB_STANDINDRIVER_STATE_H
