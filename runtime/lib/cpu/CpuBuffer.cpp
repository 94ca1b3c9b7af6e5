// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the CPU device: host memory, aligned as CUDA's, so that code which
// relies on that alignment runs on both.

#include "CpuObjects.h"

#include <cstdlib>
#include <string>

using namespace pyk::runtime;

/// CUDA aligns what it allocates to this many bytes.
static constexpr size_t alignment = 256;

Result<std::unique_ptr<Buffer>>
CpuBuffer::allocate(const CpuOwner &owner, MemoryKind kind, size_t bytes) {
  std::shared_ptr<void> memory;
  if (bytes > 0) {
    // The system promises memory that it does not have, and ends the process
    // that believes it.
    void *address = nullptr;
    if (bytes <= CpuDevice::physicalBytes())
      address = std::aligned_alloc(alignment, (bytes + alignment - 1) /
                                                  alignment * alignment);
    if (!address)
      return Status::failure(
          StatusCode::OutOfMemory,
          "allocating " + std::to_string(bytes) + " bytes of " +
              memoryKindName(kind) + " on " + owner.device->label(),
          "the system has no such memory", "free arrays or use smaller ones");
    memory.reset(address, std::free);
  }
  void *address = memory.get();
  return std::unique_ptr<Buffer>(
      new CpuBuffer(owner, kind, address, bytes, std::move(memory)));
}

CpuBuffer::~CpuBuffer() {
  owner.device->work().dropAfterWork(std::move(memory));
}
