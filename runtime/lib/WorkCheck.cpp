// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words in which work is refused. A value that is out of range is named
// with its limit; nothing here depends on a backend.

#include "WorkCheck.h"

using namespace pyk::runtime;

static Status invalid(std::string_view doing, const std::string &problem,
                      std::string_view remedy) {
  return Status::failure(StatusCode::InvalidArgument, doing, problem, remedy);
}

static Status checkDimensions(std::string_view doing, const char *name,
                              const int64_t (&values)[3],
                              const int64_t (&limits)[3], const char *whose,
                              const char *remedy) {
  for (int i = 0; i < 3; ++i) {
    if (values[i] >= 1 && values[i] <= limits[i])
      continue;
    std::string problem =
        std::string(name) + "." + "xyz"[i] + " is " + std::to_string(values[i]);
    if (values[i] < 1)
      return invalid(doing, problem + ", less than 1",
                     "launch at least one block of at least one thread");
    return invalid(doing,
                   problem + ", more than " + whose + " limit of " +
                       std::to_string(limits[i]),
                   remedy);
  }
  return Status();
}

Status pyk::runtime::checkShape(std::string_view doing,
                                const LaunchShape &shape,
                                const ShapeLimits &limits) {
  if (Status status = checkDimensions(
          doing, "gridDim", shape.grid, limits.grid, limits.whose,
          "spread the blocks over more dimensions, or let each thread do more");
      !status.ok())
    return status;
  if (Status status =
          checkDimensions(doing, "blockDim", shape.block, limits.block,
                          limits.whose, "use smaller blocks and more of them");
      !status.ok())
    return status;
  int64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  if (threads > limits.threadsPerBlock)
    return invalid(doing,
                   "a block has " + std::to_string(threads) + " threads (" +
                       std::to_string(shape.block[0]) + " x " +
                       std::to_string(shape.block[1]) + " x " +
                       std::to_string(shape.block[2]) + "), more than " +
                       limits.whose + " limit of " +
                       std::to_string(limits.threadsPerBlock),
                   "use smaller blocks and more of them");
  return Status();
}

Status pyk::runtime::checkSharedBytes(std::string_view doing,
                                      int64_t staticBytes, int64_t dynamicBytes,
                                      int64_t limit, const char *whose,
                                      int64_t &sharedBytes) {
  if (dynamicBytes < 0)
    return invalid(doing,
                   "dynamic shared memory is " + std::to_string(dynamicBytes) +
                       " bytes, less than 0",
                   "pass the number of bytes that each block needs, or 0");
  staticBytes = (staticBytes + 15) / 16 * 16;
  if (staticBytes > limit || dynamicBytes > limit - staticBytes)
    return invalid(doing,
                   "shared memory per block is " + std::to_string(staticBytes) +
                       " bytes static and " + std::to_string(dynamicBytes) +
                       " bytes dynamic, more than " + whose + " limit of " +
                       std::to_string(limit) + " bytes together",
                   "use smaller shared arrays");
  sharedBytes = staticBytes + dynamicBytes;
  return Status();
}

Status pyk::runtime::checkSameDevice(std::string_view doing, const char *what,
                                     const Device &used, const Device &device) {
  if (&used == &device)
    return Status();
  return invalid(doing,
                 std::string("the ") + what + " belongs to " + used.label() +
                     ", and the work is for " + device.label(),
                 "use one of " + device.label());
}

Status pyk::runtime::checkCopy(std::string_view doing, uint64_t to,
                               uint64_t from, size_t bytes) {
  if (bytes == 0 || (to && from))
    return Status();
  return invalid(doing,
                 std::string(to ? "the source" : "the destination") + " of " +
                     std::to_string(bytes) + " bytes has no address",
                 "pass memory that is there");
}

Status pyk::runtime::checkRows(std::string_view doing, const CopyRows &copy) {
  if (copy.toPitch < copy.rowBytes || copy.fromPitch < copy.rowBytes)
    return invalid(doing,
                   "rows of " + std::to_string(copy.rowBytes) +
                       " bytes overlap at distances of " +
                       std::to_string(copy.fromPitch) + " and " +
                       std::to_string(copy.toPitch) + " bytes",
                   "pass distances of at least a row");
  return checkCopy(doing, copy.to, copy.from,
                   copy.rows ? copy.rowBytes : size_t(0));
}

Status pyk::runtime::checkFill(std::string_view doing, DeviceAddress to,
                               int32_t elementBytes, size_t count) {
  if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4)
    return invalid(doing,
                   "elements have " + std::to_string(elementBytes) + " bytes",
                   "fill with elements of 1, 2 or 4 bytes");
  if (to % uint64_t(elementBytes) != 0)
    return invalid(doing,
                   "the address is not a multiple of " +
                       std::to_string(elementBytes) + " bytes",
                   "fill with smaller elements, or from another address");
  return checkCopy(doing, to, to, count);
}

Status pyk::runtime::checkRegistration(std::string_view doing, MemoryKind kind,
                                       const void *host, size_t bytes) {
  if (kind != MemoryKind::Pinned && kind != MemoryKind::Mapped)
    return invalid(doing,
                   std::string("the host's memory cannot become ") +
                       memoryKindName(kind),
                   "register it as pinned or mapped memory");
  if (!host || bytes == 0)
    return invalid(doing, "there is no memory", "register one byte or more");
  return Status();
}

Status pyk::runtime::checkCarveout(std::string_view doing, int32_t percent) {
  if (percent >= -1 && percent <= 100)
    return Status();
  return invalid(doing, std::to_string(percent) + " is not from -1 to 100",
                 "pass percent of shared memory, or -1 for the default");
}

Status pyk::runtime::noTime(std::string_view doing, const char *problem) {
  return Status::failure(StatusCode::FailedPrecondition, doing, problem,
                         "record both events, with timing, and wait for them");
}

Status pyk::runtime::deadObject(std::string_view doing, const Device &device) {
  return Status::failure(
      StatusCode::FailedPrecondition, doing,
      device.label() + " was reset since the object was made", "make it anew");
}
