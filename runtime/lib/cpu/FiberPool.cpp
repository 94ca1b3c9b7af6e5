// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks come in slabs of address space. Below each lies a guard page, so that
// an overflow ends the process instead of changing another thread's variables.
// Tops of stacks are staggered: if all had the same offset in their page, the
// frames of a whole block would compete for a few sets of the first cache.

#include "FiberPool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <string>

using namespace pyk::runtime;

namespace {

constexpr size_t smallestStack = 64 * 1024;
/// Stacks above this size are not kept between launches.
constexpr size_t largestKeptStack = 256 * 1024;
/// Nor are more fibers than this: two blocks of the largest size.
constexpr size_t mostKeptFibers = 2048;
constexpr size_t stacksPerSlab = 32;

/// Each protected page splits a mapping in two, and Linux allows a process
/// about 65530 mappings. Beyond this many, stacks go without a guard.
constexpr int64_t mostProtectedPages = 24 * 1024;
std::atomic<int64_t> protectedPages{0};

/// The steps by which tops of stacks differ. Boost.Context aligns the top to
/// 256 bytes, so that smaller steps have no effect.
constexpr size_t staggerBytes = 256;
constexpr size_t staggerSteps = 16;
/// Room for a Fiber above its stack: a cache line.
constexpr size_t fiberBytes = 64;

size_t pageBytes() {
  static const size_t bytes = size_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

size_t roundUpToPowerOfTwo(size_t value) {
  size_t power = 1;
  while (power < value)
    power *= 2;
  return power;
}

/// Boost.Context wants to free the stack of a fiber that ends; ours never end.
struct KeepStack {
  void deallocate(boost::context::stack_context &) noexcept {}
};

/// Makes the page at `page` inaccessible, where possible. Returns whether that
/// counts towards `protectedPages`.
bool guard(char *page) {
#ifndef MADV_GUARD_INSTALL
  constexpr int MADV_GUARD_INSTALL = 102;
#endif
  // Linux 6.13 and later: does not split the mapping.
  if (madvise(page, pageBytes(), MADV_GUARD_INSTALL) == 0)
    return false;
  if (protectedPages.fetch_add(1) < mostProtectedPages &&
      mprotect(page, pageBytes(), PROT_NONE) == 0)
    return true;
  protectedPages.fetch_sub(1);
  return false;
}

} // namespace

size_t FiberPool::leastBytesUsed() { return 2 * pageBytes(); }

size_t FiberPool::setStackBytes(size_t bytes) {
  bytes = roundUpToPowerOfTwo(std::max(bytes, smallestStack));
  if (bytes > stackBytes) {
    reset();
    stackBytes = bytes;
  }
  return stackBytes;
}

Status FiberPool::reserve(size_t count) {
  while (idleCount + (mapped - made) < count)
    if (Status status = mapSlab(); !status.ok())
      return status;
  return Status();
}

Status FiberPool::mapSlab() {
  size_t bytes = stacksPerSlab * stackBytes;
  makeRoomForOne(slabs);
  void *base =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (base == MAP_FAILED)
    return Status::failure(
        StatusCode::OutOfMemory, "launching a kernel on the CPU",
        "the system gave no address space for stacks of " +
            std::to_string(stackBytes) + " bytes for each thread of a block",
        "launch smaller blocks, or use less local memory in the kernel");
  // Huge pages would make each small stack cost megabytes.
  madvise(base, bytes, MADV_NOHUGEPAGE);
  Slab slab = {static_cast<char *>(base), bytes, 0};
  for (size_t i = 0; i < stacksPerSlab; ++i)
    slab.protectedPages += guard(slab.base + i * stackBytes);
  slabs.push_back(slab);
  mapped += stacksPerSlab;
  return Status();
}

bool FiberPool::isGuarded(uintptr_t address, uintptr_t stackPointer) const {
  for (const Slab &slab : slabs) {
    auto base = uintptr_t(slab.base);
    if (stackPointer < base || stackPointer >= base + slab.bytes)
      continue;
    uintptr_t low = stackPointer - (stackPointer - base) % stackBytes;
    return address >= low && address < low + pageBytes();
  }
  return false;
}

Fiber *FiberPool::take() {
  if (!idle)
    return make();
  Fiber *fiber = idle;
  idle = fiber->nextIdle;
  --idleCount;
  return fiber;
}

/// Where the fiber of the `number`-th stack is or will be.
Fiber *FiberPool::fiberAt(size_t number) const {
  static_assert(sizeof(Fiber) <= fiberBytes && staggerBytes % fiberBytes == 0);
  char *low = slabs[number / stacksPerSlab].base +
              (number % stacksPerSlab) * stackBytes;
  size_t stagger = (number % staggerSteps) * staggerBytes;
  return reinterpret_cast<Fiber *>(low + stackBytes - stagger - fiberBytes);
}

Fiber *FiberPool::make() {
  auto *fiber = new (fiberAt(made)) Fiber;
  char *low = slabs[made / stacksPerSlab].base +
              (made % stacksPerSlab) * stackBytes + pageBytes();
  ++made;

  boost::context::stack_context stack;
  stack.sp = fiber;
  stack.size = size_t(reinterpret_cast<char *>(fiber) - low);
  // The constructor switches to the fiber and back.
  fiber->notes.beginMaking(low, stack.size);
  fiber->context = boost::context::fiber(
      std::allocator_arg,
      boost::context::preallocated(stack.sp, stack.size, stack), KeepStack(),
      [fiber, entry = entry](boost::context::fiber &&from) {
        return entry(fiber, std::move(from));
      });
  fiber->notes.endMaking();
  return fiber;
}

void FiberPool::reset() {
  // The objects on the stacks, among them the Fibers, end with their memory.
  for (size_t number = 0; number < made; ++number)
    fiberAt(number)->notes.endFiber();
  for (Slab &slab : slabs) {
    SwitchNotes::clear(slab.base, slab.bytes);
    munmap(slab.base, slab.bytes);
    protectedPages.fetch_sub(slab.protectedPages);
  }
  slabs.clear();
  idle = nullptr;
  idleCount = mapped = made = 0;
  stackBytes = 0;
}

bool FiberPool::trim() {
  if (stackBytes <= largestKeptStack && made <= mostKeptFibers)
    return false;
  reset();
  return true;
}
