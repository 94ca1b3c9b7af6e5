// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with work before it is given to a device: the same rules and
// words for every backend.

#ifndef PYK_RUNTIME_LIB_WORKCHECK_H
#define PYK_RUNTIME_LIB_WORKCHECK_H

#include "pyk/runtime/CpuLaunch.h"
#include "pyk/runtime/Device.h"
#include "pyk/runtime/Status.h"
#include "pyk/runtime/Stream.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace pyk::runtime {

/// The largest shape that a device launches. A value.
struct ShapeLimits {
  int64_t grid[3];
  int64_t block[3];
  int64_t threadsPerBlock;
  /// Whose limits they are, as a message says it: "CUDA's".
  const char *whose;
};

/// Fails with InvalidArgument if `shape` has a dimension of less than 1 or more
/// than its limit, or too many threads in a block.
Status checkShape(std::string_view doing, const LaunchShape &shape,
                  const ShapeLimits &limits);

/// Works out the bytes of shared memory of a block. Fails with InvalidArgument
/// if they exceed `limit`.
Status checkSharedBytes(std::string_view doing, int64_t staticBytes,
                        int64_t dynamicBytes, int64_t limit, const char *whose,
                        int64_t &sharedBytes);

/// Fails with InvalidArgument if `used` is not `device`; `what` is "kernel",
/// "stream" or "event".
Status checkSameDevice(std::string_view doing, const char *what,
                       const Device &used, const Device &device);

/// Fails with InvalidArgument if a copy of `bytes` bytes has no address.
Status checkCopy(std::string_view doing, uint64_t to, uint64_t from,
                 size_t bytes);

/// Fails with InvalidArgument if rows overlap or have no address.
Status checkRows(std::string_view doing, const CopyRows &copy);

/// Fails with InvalidArgument if elements have another size than 1, 2 or 4
/// bytes or `to` is not aligned to it.
Status checkFill(std::string_view doing, DeviceAddress to, int32_t elementBytes,
                 size_t count);

/// Fails with InvalidArgument if `kind` cannot be registered, or there is no
/// memory to register.
Status checkRegistration(std::string_view doing, MemoryKind kind,
                         const void *host, size_t bytes);

/// Fails with InvalidArgument if `percent` is not from -1 to 100.
Status checkCarveout(std::string_view doing, int32_t percent);

/// The failure of asking for the time of an event, because of `problem`.
Status noTime(std::string_view doing, const char *problem);

/// The failure of an object that was made before its device was reset.
Status deadObject(std::string_view doing, const Device &device);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_WORKCHECK_H
