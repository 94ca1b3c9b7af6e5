// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the CPU device: host memory, aligned as CUDA's, so that code which
// relies on that alignment runs on both.

#include "CpuObjects.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

using namespace pyk::runtime;

/// CUDA aligns what it allocates to this many bytes.
static constexpr size_t alignment = 256;

/// From this size on the C library maps memory anew for each allocation.
static constexpr size_t guardedBytes = size_t(32) << 20;

static size_t roundUp(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// From this size on, as NumPy does, pages of 2 MiB are asked for: a kernel
/// that goes through it at long steps, or at random, finds their places in
/// time.
static constexpr size_t hugeBytes = size_t(4) << 20;

/// Lets the system take large pages for `bytes` at `memory`, which may be part
/// of others'. Without them it is as good as any other.
static void adviseLargePages(void *memory, size_t bytes) {
  if (bytes < hugeBytes)
    return;
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  auto address = reinterpret_cast<uintptr_t>(memory);
  size_t unused = roundUp(address, page) - address;
  (void)madvise(static_cast<char *>(memory) + unused, bytes - unused,
                MADV_HUGEPAGE);
}

/// Memory behind whose end, up to the alignment, no access succeeds: a kernel
/// that runs over it is told. Null if there is none.
static std::shared_ptr<void> mapGuarded(size_t bytes) {
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  size_t mapped = roundUp(bytes, page) + page;
  void *base = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return nullptr;
  adviseLargePages(base, mapped);
  char *end = static_cast<char *>(base) + mapped - page;
  // If it fails, the memory is as good as any other.
  (void)mprotect(end, page, PROT_NONE);
  return std::shared_ptr<void>(end - roundUp(bytes, alignment),
                               [=](void *) { munmap(base, mapped); });
}

/// Zeros behind smaller memory, as a GPU has in practice: programs read one
/// element too many.
static constexpr size_t paddingBytes = 512;

/// Memory of zeros.
static std::shared_ptr<void> allocateHost(size_t bytes) {
  if (bytes >= guardedBytes)
    return mapGuarded(bytes);
  void *base = std::calloc(bytes + paddingBytes + alignment, 1);
  if (!base)
    return nullptr;
  adviseLargePages(base, bytes);
  auto address = reinterpret_cast<uintptr_t>(base);
  size_t unused = roundUp(address, alignment) - address;
  return std::shared_ptr<void>(static_cast<char *>(base) + unused,
                               [=](void *) { std::free(base); });
}

Result<std::unique_ptr<Buffer>>
CpuBuffer::allocate(const CpuOwner &owner, MemoryKind kind, size_t bytes) {
  std::shared_ptr<void> memory;
  if (bytes > 0) {
    // The system promises memory that it does not have, and ends the process
    // that believes it.
    if (bytes <= CpuDevice::physicalBytes())
      memory = allocateHost(bytes);
    if (!memory)
      return Status::failure(
          StatusCode::OutOfMemory,
          "allocating " + std::to_string(bytes) + " bytes of " +
              memoryKindName(kind) + " on " + owner.device->label(),
          "the system has no such memory", "free arrays or use smaller ones");
  }
  void *address = memory.get();
  return std::unique_ptr<Buffer>(
      new CpuBuffer(owner, kind, address, bytes, std::move(memory)));
}

CpuBuffer::~CpuBuffer() {
  owner.device->work().dropAfterWork(std::move(memory));
}
