// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry: judges the launch, decides who runs it, and keeps the process's
// one pool of workers, which begins with the first launch that needs it and is
// begun anew in a child process.

#include "pyk/runtime/CpuLaunch.h"

#include "../WorkCheck.h"
#include "BlockScheduler.h"
#include "KernelThreads.h"
#include "ThreadPool.h"

#include <pthread.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

using namespace pyk::runtime;

namespace {

constexpr std::string_view launching = "launching a kernel on the CPU";
constexpr int64_t mostCpuThreads = 1024;

/// Up to this many threads in all, a launch is not worth waking anybody.
constexpr uint64_t threadsOfSmallLaunch = 256;

//===----------------------------------------------------------------------===//
// What is accepted
//===----------------------------------------------------------------------===//

Status invalid(std::string problem, std::string_view remedy) {
  return Status::failure(StatusCode::InvalidArgument, launching, problem,
                         remedy);
}

Status checkKernel(const pyk_rt_kernel &kernel) {
  if (kernel.abi_version != PYK_RT_ABI_VERSION)
    return invalid("the kernel was compiled for version " +
                       std::to_string(kernel.abi_version) +
                       " of the runtime's ABI, and this is version " +
                       std::to_string(PYK_RT_ABI_VERSION),
                   "compile the kernel again with this version of PyK");
  if (!kernel.thread && !kernel.blocks)
    return invalid("the kernel has no code",
                   "pass a kernel whose `thread` or `blocks` is set");
  if (kernel.local_bytes > uint64_t(LaunchLimits::localBytesPerThread))
    return invalid("the kernel needs " + std::to_string(kernel.local_bytes) +
                       " bytes of local memory per thread, more than CUDA's "
                       "limit of " +
                       std::to_string(LaunchLimits::localBytesPerThread),
                   "use smaller local arrays in the kernel");
  return Status();
}

constexpr ShapeLimits shapeLimits = {
    {LaunchLimits::gridX, LaunchLimits::gridYZ, LaunchLimits::gridYZ},
    {LaunchLimits::blockXY, LaunchLimits::blockXY, LaunchLimits::blockZ},
    LaunchLimits::threadsPerBlock,
    "CUDA's"};

} // namespace

/// The blocks that a worker has begun stay its own.
Status pyk::runtime::checkResident(const LaunchShape &shape) {
  Result<int32_t> workers = cpuThreadCount();
  if (!workers.ok())
    return workers.status();
  int64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  int64_t limit =
      workers.value() * (LaunchLimits::residentThreadsPerWorker / threads);
  int64_t most = limit;
  for (int64_t dimension : shape.grid)
    most /= dimension;
  if (most >= 1)
    return Status();
  return invalid("a grid that waits for all of its blocks has more than the " +
                     std::to_string(limit) + " blocks of " +
                     std::to_string(threads) +
                     " threads that have room at a time",
                 "launch fewer blocks, and let each thread do more");
}

namespace {

/// Also works out the bytes of shared memory of a block.
Status check(const pyk_rt_kernel &kernel, const LaunchShape &shape,
             int64_t &sharedBytes) {
  if (Status status = checkKernel(kernel); !status.ok())
    return status;
  if (Status status = checkShape(launching, shape, shapeLimits); !status.ok())
    return status;
  int64_t threads = int64_t(shape.block[0]) * shape.block[1] * shape.block[2];
  if (kernel.max_threads != 0 && threads > kernel.max_threads)
    return invalid("a block has " + std::to_string(threads) +
                       " threads, more than the " +
                       std::to_string(kernel.max_threads) +
                       " of the kernel's launch bounds",
                   "use smaller blocks and more of them, or compile with "
                   "larger launch bounds (launch_bounds)");
  if (kernel.waits_for_grid)
    if (Status status = checkResident(shape); !status.ok())
      return status;
  return checkSharedBytes(
      launching, kernel.static_shared_bytes, shape.dynamicSharedBytes,
      LaunchLimits::sharedBytesPerBlock, "CUDA's", sharedBytes);
}

Result<int32_t> threadsFromEnvironment() {
  const char *text = std::getenv("PYK_CPU_THREADS");
  if (!text) {
    int64_t available = std::thread::hardware_concurrency();
    return int32_t(std::min(std::max<int64_t>(available, 1), mostCpuThreads));
  }
  bool digits = *text && std::strspn(text, "0123456789") == std::strlen(text);
  errno = 0;
  long count = digits ? std::strtol(text, nullptr, 10) : 0;
  if (errno != 0 || count < 1 || count > mostCpuThreads)
    return Status::failure(StatusCode::InvalidArgument,
                           "reading the environment variable PYK_CPU_THREADS",
                           "'" + std::string(text) +
                               "' is not an integer from 1 to " +
                               std::to_string(mostCpuThreads),
                           "set it to the number of OS threads on which "
                           "kernels may run, or unset it");
  return int32_t(count);
}

//===----------------------------------------------------------------------===//
// The process's workers
//===----------------------------------------------------------------------===//

/// How many OS threads launches use, and those beside the caller. Never
/// destroyed: a thread may launch while the process exits.
class Workers {
public:
  static Workers &get() {
    static Workers *workers = [] {
      auto *created = new Workers;
      pthread_atfork([] { get().mutex.lock(); }, [] { get().mutex.unlock(); },
                     [] { get().afterForkInChild(); });
      return created;
    }();
    return *workers;
  }

  Result<int32_t> threadCount() {
    if (int32_t known = count.load(std::memory_order_relaxed))
      return known;
    std::lock_guard<std::mutex> lock(mutex);
    return threadCountLocked();
  }

  /// The pool, started if there is none; shared, so that it outlives a change
  /// of the count during a launch.
  Result<std::shared_ptr<ThreadPool>> threadPool() {
    std::lock_guard<std::mutex> lock(mutex);
    if (pool)
      return pool;
    Result<int32_t> threads = threadCountLocked();
    if (!threads.ok())
      return threads.status();
    Result<std::shared_ptr<ThreadPool>> created =
        ThreadPool::create(threads.value() - 1);
    if (created.ok())
      pool = created.value();
    return created;
  }

  void setThreadCount(int32_t newCount) {
    std::shared_ptr<ThreadPool> old;
    std::lock_guard<std::mutex> lock(mutex);
    // Joins after the lock is gone, or when the last launch on it ends.
    old.swap(pool);
    count.store(newCount, std::memory_order_relaxed);
  }

private:
  Result<int32_t> threadCountLocked() {
    if (int32_t known = count.load(std::memory_order_relaxed))
      return known;
    Result<int32_t> found = threadsFromEnvironment();
    if (found.ok())
      count.store(found.value(), std::memory_order_relaxed);
    return found;
  }

  /// The parent's threads do not exist here, so that their pool can neither
  /// run anything nor be joined.
  void afterForkInChild() {
    if (pool)
      abandoned = new std::shared_ptr<ThreadPool>(std::move(pool));
    pool = nullptr;
    mutex.unlock();
  }

  std::mutex mutex;
  /// 0 until it is known.
  std::atomic<int32_t> count{0};
  std::shared_ptr<ThreadPool> pool;
  std::shared_ptr<ThreadPool> *abandoned = nullptr;
};

void runLaunch(void *launch) {
  BlockScheduler::ofThisThread().run(*static_cast<Launch *>(launch));
}

} // namespace

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

Status pyk::runtime::launchOnCpu(const pyk_rt_kernel &kernel,
                                 const LaunchShape &shape,
                                 void *const *arguments) {
  return launchOnCpu(kernel, shape, arguments, /*stop=*/nullptr);
}

Status pyk::runtime::launchOnCpu(const pyk_rt_kernel &kernel,
                                 const LaunchShape &shape,
                                 void *const *arguments,
                                 const std::atomic<bool> *stop) {
  Launch launch;
  launch.stop = stop;
  int64_t sharedBytes;
  if (Status status = check(kernel, shape, sharedBytes); !status.ok())
    return status;
  launch.sharedBytes = size_t(sharedBytes);
  Result<int32_t> workers = Workers::get().threadCount();
  if (!workers.ok())
    return workers.status();
  BlockScheduler &ownScheduler = BlockScheduler::ofThisThread();
  if (ownScheduler.isRunning())
    return Status::failure(StatusCode::FailedPrecondition, launching,
                           "the calling thread is inside a kernel",
                           "launch from host code");

  launch.kernel = &kernel;
  launch.launcher = &ownScheduler;
  launch.arguments = arguments;
  launch.threads = 1;
  launch.blocks = 1;
  for (int i = 0; i < 3; ++i) {
    launch.grid[i] = int32_t(shape.grid[i]);
    launch.block[i] = int32_t(shape.block[i]);
    launch.threads *= uint32_t(shape.block[i]);
    launch.blocks *= uint64_t(shape.grid[i]);
  }
  launch.dynamicSharedBytes = int32_t(shape.dynamicSharedBytes);
  // Neighbouring blocks on one worker share caches. Blocks that may wait for
  // each other are taken singly: none may lie behind one that waits for it.
  launch.chunk = 1;
  if (kernel.blocks)
    launch.chunk =
        std::max<uint64_t>(1, launch.blocks / (8 * uint64_t(workers.value())));

  if (workers.value() == 1 || launch.blocks == 1 ||
      launch.blocks <= threadsOfSmallLaunch / launch.threads) {
    ownScheduler.run(launch);
    return launch.finish();
  }
  Result<std::shared_ptr<ThreadPool>> pool = Workers::get().threadPool();
  if (!pool.ok())
    return pool.status();
  uint64_t chunks = (launch.blocks - 1) / launch.chunk + 1;
  pool.value()->run(
      int32_t(std::min<uint64_t>(chunks, uint64_t(workers.value())) - 1),
      runLaunch, &launch, [](void *waiting) {
        auto &launch = *static_cast<Launch *>(waiting);
        launch.pollInterrupt();
        if (!launch.isToEnd())
          return true;
        KernelThreads::get().interrupt();
        return false;
      });
  return launch.finish();
}

Status pyk::runtime::checkCpuLaunch(const pyk_rt_kernel &kernel,
                                    const LaunchShape &shape) {
  int64_t sharedBytes;
  return check(kernel, shape, sharedBytes);
}

Result<int32_t> pyk::runtime::cpuThreadCount() {
  return Workers::get().threadCount();
}

Status pyk::runtime::setCpuThreadCount(int32_t count) {
  if (count < 0 || count > mostCpuThreads)
    return Status::failure(
        StatusCode::InvalidArgument, "setting the number of CPU threads",
        std::to_string(count) + " is not an integer from 0 to " +
            std::to_string(mostCpuThreads),
        "pass the number of OS threads on which kernels may "
        "run, or 0 for the default");
  Workers::get().setThreadCount(count);
  return Status();
}
