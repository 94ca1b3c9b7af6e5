// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids that the threads of a launch have launched. They run when the launch's
// own blocks have ended: nobody but the host can wait for them, so nothing
// tells whether they began before.

#ifndef PYK_RUNTIME_LIB_CPU_CHILDLAUNCHES_H
#define PYK_RUNTIME_LIB_CPU_CHILDLAUNCHES_H

#include "pyk/runtime/ABI.h"
#include "pyk/runtime/CpuLaunch.h"
#include "pyk/runtime/Limits.h"
#include "pyk/runtime/Status.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace pyk::runtime {

struct Launch;

/// One grid that is to run, with what it needs of the thread that launched it.
class ChildLaunch {
public:
  /// Copies what `arguments` points at.
  ChildLaunch(const pyk_rt_kernel &kernel, const LaunchShape &shape,
              void *const *arguments, uint64_t block, int64_t stream);

  const pyk_rt_kernel &getKernel() const { return *kernel; }
  const LaunchShape &getShape() const { return shape; }
  /// As a launch takes them; they live as long as this object does.
  void *const *getArguments() const { return addresses.data(); }
  /// The number of the block that launched it.
  uint64_t getBlock() const { return block; }
  /// What it follows the block's other launches on.
  int64_t getStream() const { return stream; }

private:
  const pyk_rt_kernel *kernel;
  LaunchShape shape;
  uint64_t block;
  int64_t stream;
  std::vector<char> values;
  std::vector<void *> addresses;
};

/// Those of one launch; `add` may be called by all of its OS threads.
class ChildLaunches {
public:
  /// For a launch of the given depth below the host's, of which `root` are:
  /// those that wait are counted there. Called before any other.
  void follow(ChildLaunches &root, int64_t depthOfLaunch) {
    depth = depthOfLaunch + 1;
    waiting = &root.own;
  }

  /// How deep the grids are that the launch launches; 1 for the host's.
  int64_t getDepth() const { return depth; }

  /// Counts one more grid that waits to begin; false if too many do.
  bool reserve() {
    return waiting->fetch_add(1, std::memory_order_relaxed) <
           LaunchLimits::waitingLaunches;
  }

  /// One of them begins.
  void begin() { waiting->fetch_sub(1, std::memory_order_relaxed); }

  /// Adds one for which there was room.
  void add(ChildLaunch child) {
    std::lock_guard<std::mutex> lock(mutex);
    children.push_back(std::move(child));
  }

  /// A number that no stream of the launch has, and not 0.
  int64_t makeStream() {
    std::lock_guard<std::mutex> lock(mutex);
    return ++streams;
  }

  /// Whether there are none; when the launch's blocks have ended.
  bool empty() const { return children.empty(); }

  /// All, those of one block after another, in the order of the blocks. None is
  /// left.
  std::vector<ChildLaunch> take();

private:
  std::mutex mutex;
  std::vector<ChildLaunch> children;
  int64_t streams = 0;
  int64_t depth = 1;
  /// Of all launches of one by the host; `own` is that one's.
  std::atomic<int64_t> own{0};
  std::atomic<int64_t> *waiting = &own;
};

/// Runs what `root`, whose blocks have ended, has launched, and all that this
/// launches in turn. Fails as the first of them that fails.
Status runChildren(Launch &root);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_CHILDLAUNCHES_H
