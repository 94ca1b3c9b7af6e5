// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry: judges the launch, decides who runs it, and keeps the process's
// one pool of workers, which begins with the first launch that needs it and is
// begun anew in a child process.

#include "pyk/runtime/CpuLaunch.h"

#include "../WorkCheck.h"
#include "BlockScheduler.h"
#include "CpuObjects.h"
#include "FiberPool.h"
#include "KernelThreads.h"
#include "ThreadPool.h"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

using namespace pyk::runtime;

namespace {

constexpr int64_t mostCpuThreads = 1024;

/// Up to this many threads in all, a launch is not worth waking anybody.
constexpr uint64_t threadsOfSmallLaunch = 256;

//===----------------------------------------------------------------------===//
// What is accepted
//===----------------------------------------------------------------------===//

Status checkKernel(std::string_view doing, const pyk_rt_kernel &kernel) {
  auto invalid = [&](std::string problem, std::string_view remedy) {
    return Status::failure(StatusCode::InvalidArgument, doing, problem, remedy);
  };
  if (kernel.abi_version != PYK_RT_ABI_VERSION)
    return invalid("the kernel was compiled for version " +
                       std::to_string(kernel.abi_version) +
                       " of the runtime's ABI, and this is version " +
                       std::to_string(PYK_RT_ABI_VERSION),
                   "compile the kernel again with this version of PyK");
  if (!kernel.thread && !kernel.blocks)
    return invalid("the kernel has no code",
                   "pass a kernel whose `thread` or `blocks` is set");
  // What runs blocks as a whole has the arrays of all threads.
  if (kernel.thread && !kernel.thread_runs_block &&
      kernel.local_bytes > uint64_t(LaunchLimits::localBytesPerThread))
    return invalid("the kernel needs " + std::to_string(kernel.local_bytes) +
                       " bytes of local memory per thread, more than CUDA's "
                       "limit of " +
                       std::to_string(LaunchLimits::localBytesPerThread),
                   "use smaller local arrays in the kernel");
  return Status();
}

constexpr ShapeLimits shapeLimits = {
    {LaunchLimits::grid[0], LaunchLimits::grid[1], LaunchLimits::grid[2]},
    {LaunchLimits::block[0], LaunchLimits::block[1], LaunchLimits::block[2]},
    LaunchLimits::threadsPerBlock,
    "CUDA's"};

} // namespace

/// The blocks that a worker has begun stay its own.
Status pyk::runtime::checkResident(std::string_view doing,
                                   const pyk_rt_kernel &kernel,
                                   const LaunchShape &shape) {
  Result<int32_t> workers = cpuThreadCount();
  if (!workers.ok())
    return workers.status();
  int64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  int64_t limit = workers.value() * (LaunchLimits::residentThreadsPerWorker /
                                     countFibers(kernel, threads));
  int64_t most = limit;
  for (int64_t dimension : shape.grid)
    most /= dimension;
  if (most >= 1)
    return Status();
  return Status::failure(
      StatusCode::InvalidArgument, doing,
      "a grid that waits for all of its blocks has more than the " +
          std::to_string(limit) + " blocks of " + std::to_string(threads) +
          " threads that have room at a time",
      "launch fewer blocks, and let each thread do more");
}

namespace {

/// Fails with OutOfMemory unless there is room for all blocks of a grid that
/// waits for them: what their fibers use at least, and their shared memory.
Status checkMemoryOfGrid(std::string_view doing, const pyk_rt_kernel &kernel,
                         const LaunchShape &shape, int64_t sharedBytes) {
  int64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  uint64_t blockBytes =
      uint64_t(countFibers(kernel, threads)) * FiberPool::leastBytesUsed() +
      uint64_t(sharedBytes);
  auto fits = [&](uint64_t blocks) {
    for (int64_t dimension : shape.grid)
      blocks /= uint64_t(dimension);
    return blocks >= 1;
  };
  // So little is not worth asking the system at each launch.
  constexpr uint64_t alwaysThere = uint64_t(64) << 20;
  if (fits(alwaysThere / blockBytes))
    return Status();
  uint64_t most = CpuDevice::freeBytes() / blockBytes;
  if (fits(most))
    return Status();
  return Status::failure(
      StatusCode::OutOfMemory, doing,
      "a grid waits for all of its blocks, and there is memory for " +
          std::to_string(most) + " of " + std::to_string(threads) +
          " threads at most",
      "launch fewer blocks, and let each thread do more");
}

/// Also works out the bytes of shared memory of a block.
Status check(std::string_view doing, const pyk_rt_kernel &kernel,
             const LaunchShape &shape, int64_t &sharedBytes) {
  if (Status status = checkKernel(doing, kernel); !status.ok())
    return status;
  if (Status status = checkShape(doing, shape, shapeLimits); !status.ok())
    return status;
  int64_t threads = int64_t(shape.block[0]) * shape.block[1] * shape.block[2];
  if (kernel.max_threads != 0 && threads > kernel.max_threads)
    return Status::failure(
        StatusCode::InvalidArgument, doing,
        "a block has " + std::to_string(threads) + " threads, more than the " +
            std::to_string(kernel.max_threads) +
            " of the kernel's launch bounds",
        "use smaller blocks and more of them, or compile with "
        "larger launch bounds (launch_bounds)");
  if (Status status = checkSharedBytes(
          doing, kernel.static_shared_bytes, shape.dynamicSharedBytes,
          LaunchLimits::sharedBytesPerBlock, "CUDA's", sharedBytes);
      !status.ok())
    return status;
  return kernel.waits_for_grid
             ? checkMemoryOfGrid(doing, kernel, shape, sharedBytes)
             : Status();
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

/// Launches that run together.
struct Wave {
  Launch *const *launches;
  size_t count;
};

/// What each OS thread does: it helps with one launch after the other.
void runWave(void *context) {
  const auto &wave = *static_cast<const Wave *>(context);
  BlockScheduler &own = BlockScheduler::ofThisThread();
  for (size_t i = 0; i < wave.count; ++i) {
    own.run(*wave.launches[i]);
    if (wave.launches[i]->hasFailed())
      return;
  }
}

/// Whether the program does not ask to stop.
bool isToGoOn(void *context) {
  const auto &wave = *static_cast<const Wave *>(context);
  bool isToEnd = false;
  // One asks for all.
  wave.launches[0]->pollInterrupt();
  for (size_t i = 0; i < wave.count; ++i)
    isToEnd |= wave.launches[i]->isToEnd();
  if (!isToEnd)
    return true;
  for (size_t i = 0; i < wave.count; ++i)
    wave.launches[i]->cancel();
  KernelThreads::get().interrupt();
  return false;
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
  if (Status status =
          prepareLaunch(launch, launchingOnCpu, kernel, shape, arguments);
      !status.ok())
    return status;
  if (launch.launcher->isRunning())
    return Status::failure(StatusCode::FailedPrecondition, launchingOnCpu,
                           "the calling thread is inside a kernel",
                           "launch from host code");
  Launch *all[] = {&launch};
  if (Status status = runTogether(all, 1); !status.ok())
    return status;
  Status status = launch.finish();
  if (status.ok() && !launch.children.empty())
    return runChildren(launch);
  return status;
}

/// Bytes of an array that caches are expected to keep from one launch to the
/// next. The last cache of a server serves many processors, of which a virtual
/// machine may have two: it is told the size of all.
static uint64_t keptBytes(int32_t workers) {
  constexpr uint64_t ofWorker = uint64_t(8) << 20;
  uint64_t bytes = uint64_t(workers) * ofWorker;
#ifdef _SC_LEVEL3_CACHE_SIZE
  static const long lastCache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (lastCache > 0)
    bytes = std::min(bytes, uint64_t(lastCache));
#endif
  return bytes;
}

Status pyk::runtime::prepareLaunch(Launch &launch, std::string_view doing,
                                   const pyk_rt_kernel &kernel,
                                   const LaunchShape &shape,
                                   void *const *arguments) {
  int64_t sharedBytes;
  if (Status status = check(doing, kernel, shape, sharedBytes); !status.ok())
    return status;
  Result<int32_t> workers = Workers::get().threadCount();
  if (!workers.ok())
    return workers.status();
  launch.sharedBytes = size_t(sharedBytes);
  launch.kernel = &kernel;
  launch.launcher = &BlockScheduler::ofThisThread();
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
  launch.fibers = uint32_t(countFibers(kernel, launch.threads));
  launch.bytesKept = uint32_t(std::min<uint64_t>(
      UINT32_MAX, keptBytes(workers.value()) / launch.blocks / launch.threads));
  // Neighbouring blocks on one worker share caches. Blocks that may wait for
  // each other are taken singly: none may lie behind one that waits for it.
  launch.chunk = 1;
  if (kernel.blocks)
    launch.chunk =
        std::max<uint64_t>(1, launch.blocks / (8 * uint64_t(workers.value())));
  launch.claims.divide(launch.blocks,
                       launch.chunk == 1 ? 1 : uint64_t(workers.value()));
  return Status();
}

Status pyk::runtime::runTogether(Launch *const *launches, size_t count) {
  Result<int32_t> workers = Workers::get().threadCount();
  if (!workers.ok())
    return workers.status();
  Wave wave = {launches, count};
  uint64_t blocks = 0, threads = 0, chunks = 0;
  for (size_t i = 0; i < count; ++i) {
    const Launch &launch = *launches[i];
    blocks += launch.blocks;
    chunks += (launch.blocks - 1) / launch.chunk + 1;
    threads += launch.blocks <= threadsOfSmallLaunch
                   ? launch.blocks * launch.threads
                   : threadsOfSmallLaunch + 1;
  }
  if (workers.value() == 1 || blocks == 1 || threads <= threadsOfSmallLaunch) {
    runWave(&wave);
    return Status();
  }
  Result<std::shared_ptr<ThreadPool>> pool = Workers::get().threadPool();
  if (!pool.ok())
    return pool.status();
  pool.value()->run(
      int32_t(std::min<uint64_t>(chunks, uint64_t(workers.value())) - 1),
      runWave, &wave, isToGoOn);
  return Status();
}

Status pyk::runtime::checkCpuLaunch(std::string_view doing,
                                    const pyk_rt_kernel &kernel,
                                    const LaunchShape &shape) {
  int64_t sharedBytes;
  return check(doing, kernel, shape, sharedBytes);
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
