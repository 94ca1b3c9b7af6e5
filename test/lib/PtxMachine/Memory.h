// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's memory as kernels reach it: what is allocated, and nothing else.

#ifndef PYK_TEST_LIB_PTXMACHINE_MEMORY_H
#define PYK_TEST_LIB_PTXMACHINE_MEMORY_H

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ptxmachine {

/// Generic addresses of shared memory and of a thread's own begin here.
constexpr uint64_t kSharedWindow = 0x5d00000000000000;
constexpr uint64_t kLocalWindow = 0x5e00000000000000;
constexpr uint64_t kWindowBytes = uint64_t(1) << 40;
/// Addresses of functions, which hold nothing.
constexpr uint64_t kFunctionWindow = 0x5f00000000000000;
/// What kernels allocate, above all that the driver does.
constexpr uint64_t kHeapWindow = 0x5a80000000000000;

/// A live allocation.
struct Region {
  uint64_t address = 0;
  uint64_t bytes = 0;
  char *host = nullptr;
  bool isReadOnly = false;
  /// Whether nothing lies behind it: elsewhere memory comes in whole words.
  bool isExact = false;
};

/// What kernels allocate with malloc.
class Heap {
public:
  /// The address of new memory, full of garbage; 0 if it would be too much.
  uint64_t allocate(uint64_t bytes);
  /// Whether there was such an allocation.
  bool release(uint64_t address);
  void addTo(std::vector<Region> &regions) const;

private:
  std::map<uint64_t, std::pair<uint64_t, std::unique_ptr<char[]>>> allocations;
  uint64_t next = kHeapWindow, used = 0;
};

/// The global memory of a launch.
class Memory {
public:
  /// `reachesHost`: addresses of no region are the process's own.
  Memory(std::vector<Region> regions, Heap &heap, bool reachesHost);

  /// Host memory behind `bytes` bytes; null if not all of them are there.
  /// Atomics of 16 bits work on the word around them, and three bytes are read
  /// as four, so that the last word of a region is all there.
  char *find(uint64_t address, uint64_t bytes, bool isWrite);

  uint64_t allocate(uint64_t bytes);
  bool release(uint64_t address);

private:
  const Region *lookUp(uint64_t address) const;
  void sort();

  std::vector<Region> regions;
  Heap &heap;
  bool reachesHost;
  Region last = {};
};

/// Fills memory with what nobody wrote; the same bytes each time.
void poison(char *memory, uint64_t bytes);

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_MEMORY_H
