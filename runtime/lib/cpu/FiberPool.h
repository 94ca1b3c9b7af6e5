// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fibers of one OS thread, each with its stack. A fiber is made once and
// then runs one kernel thread after the other, of any block and launch, so that
// a launch allocates nothing once the pool is warm. Memory is reserved as
// address space; only pages that were touched cost any.

#ifndef PYK_RUNTIME_LIB_CPU_FIBERPOOL_H
#define PYK_RUNTIME_LIB_CPU_FIBERPOOL_H

#include "SwitchNotes.h"

#include "pyk/runtime/Status.h"

#include <boost/context/fiber.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pyk::runtime {

struct OpenBlock;

/// Makes sure that the next element of `vector` needs no memory. Grows as
/// `push_back` would.
template <typename Element>
void makeRoomForOne(std::vector<Element> &vector) {
  if (vector.size() == vector.capacity())
    vector.reserve(2 * vector.size() + 1);
}

/// A stack and what runs on it. Lives at the top of its own stack, beside the
/// registers that a switch saves.
struct Fiber {
  /// Where the fiber goes on; empty while it runs.
  boost::context::fiber context;
  /// The block whose thread it runs; null while idle. Not owned.
  OpenBlock *block = nullptr;
  /// The next one in the pool's list of idle fibers. Not owned.
  Fiber *nextIdle = nullptr;
  /// Which thread of the block it runs: x, y, z.
  int32_t thread[3] = {0, 0, 0};
  /// Whether the block has it in its list of live fibers.
  bool registered = false;
  /// For sanitizers.
  SwitchNotes notes;
};

/// Fibers of one size of stack. Used by one OS thread only, to which its fibers
/// are bound.
class FiberPool {
public:
  /// What a new fiber runs: never returns; `from` is what switched to it.
  using Entry = boost::context::fiber (*)(Fiber *self,
                                          boost::context::fiber &&from);

  /// An empty pool.
  explicit FiberPool(Entry entry) : entry(entry) {}

  FiberPool(const FiberPool &) = delete;
  FiberPool &operator=(const FiberPool &) = delete;

  /// As `reset`.
  ~FiberPool() { reset(); }

  /// Bytes of its stack that each fiber uses, whatever runs on it: the page of
  /// its top and, where that is staggered or calls something, the next.
  static size_t leastBytesUsed();

  /// Makes stacks of at least `bytes` bytes the pool's size; only while no
  /// fiber is in use. Returns how many bytes they have.
  size_t setStackBytes(size_t bytes);

  /// Makes sure that the next `count` calls of `take` succeed. Fails with
  /// OutOfMemory.
  Status reserve(size_t count);

  /// How many fibers have been taken and not given back.
  size_t inUse() const { return made - idleCount; }

  /// Returns an idle fiber, whose owner remains the pool. Needs `reserve`.
  Fiber *take();

  /// Takes back a fiber that has nothing left to run. A fiber may give itself
  /// back if it then switches away without taking one.
  void give(Fiber *fiber) {
    fiber->nextIdle = idle;
    idle = fiber;
    ++idleCount;
  }

  /// Whether `address` is in the guard of the stack that holds `stackPointer`.
  /// False if that is no stack of the pool.
  bool isGuarded(uintptr_t address, uintptr_t stackPointer) const;

  /// Gives all memory back to the system. Fibers in use are abandoned: nothing
  /// on their stacks is destroyed, which compiled kernels do not need.
  void reset();

  /// Gives back all memory if the pool has grown beyond what is worth keeping
  /// between launches; only while no fiber is in use. Returns whether it had.
  bool trim();

private:
  /// Address space for some stacks.
  struct Slab {
    char *base;
    size_t bytes;
    /// How many of its pages split the mapping.
    int64_t protectedPages;
  };

  Status mapSlab();
  Fiber *make();
  Fiber *fiberAt(size_t number) const;

  Entry entry;
  std::vector<Slab> slabs;
  Fiber *idle = nullptr;
  size_t idleCount = 0;
  /// Stacks in `slabs`, and how many of them have a fiber.
  size_t mapped = 0, made = 0;
  size_t stackBytes = 0;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_FIBERPOOL_H
