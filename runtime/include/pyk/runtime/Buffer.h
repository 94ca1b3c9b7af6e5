// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that kernels or copies use. A buffer knows addresses and bytes, not
// elements: shapes and types are the caller's.

#ifndef PYK_RUNTIME_BUFFER_H
#define PYK_RUNTIME_BUFFER_H

#include "pyk/runtime/Export.h"

#include <cstddef>
#include <cstdint>

namespace pyk::runtime {

/// An address that kernels and copies understand: of GPU memory, or on the CPU
/// simply of memory.
using DeviceAddress = uint64_t;

/// The kinds of memory. On the CPU all are plain memory, aligned to 256 bytes.
enum class MemoryKind : int32_t {
  /// Of the device; the host cannot read a GPU's.
  Device = 0,
  /// Of the host, page-locked, so that copies run beside the host.
  Pinned = 1,
  /// The same, and kernels may use it at its device address.
  Mapped = 2,
  /// Moves between host and device by itself, at one address.
  Managed = 3,
};

/// Returns "device memory", "pinned memory" and so on; never null.
PYK_RUNTIME_EXPORT const char *memoryKindName(MemoryKind kind);

/// Owns memory. Destroying it frees device memory once the work that its stream
/// had queued by then has ended, without waiting; pinned, mapped and managed
/// memory must not be in use by then. A failure to free is kept for the next
/// `Device::synchronize`. The members never change and may be read by any
/// thread; destroyed by one.
class Buffer {
public:
  PYK_RUNTIME_EXPORT virtual ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  /// Where kernels find it; 0 without memory or if they cannot reach it
  /// (Pinned).
  DeviceAddress deviceAddress() const { return address; }

  /// Where the host finds it; null if it cannot.
  void *hostAddress() const { return host; }

  /// How many bytes it has.
  size_t bytes() const { return size; }

  /// What kind of memory it is.
  MemoryKind kind() const { return memoryKind; }

protected:
  Buffer(MemoryKind kind, DeviceAddress address, void *host, size_t bytes)
      : memoryKind(kind), address(address), host(host), size(bytes) {}

private:
  const MemoryKind memoryKind;
  const DeviceAddress address;
  void *const host;
  const size_t size;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_BUFFER_H
