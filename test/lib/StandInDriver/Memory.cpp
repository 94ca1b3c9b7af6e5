// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stand-in's memory, pools, copies and fills.

#include "Entry.h"

#include <cstring>

using namespace standin;
using namespace pyk::runtime::driver;

namespace {

CuResult registerHost(State &state, void *host, size_t bytes, Source source) {
  if (!host || bytes == 0)
    return InvalidValue;
  CuAddress address;
  // Reserves an address; the memory behind it is the caller's.
  if (CuResult result = state.allocate(Source::Host, bytes, address);
      result != Success)
    return result;
  Allocation &made = state.memories[address];
  if (source == Source::Registered) {
    std::free(made.host);
    made.host = static_cast<char *>(host);
    made.ownsHost = false;
    made.source = source;
  }
  return Success;
}

CuAddress addressOfHost(State &state, const void *host, Source source) {
  for (const auto &[address, allocation] : state.memories)
    if (allocation.host == host && allocation.source == source)
      return address;
  return 0;
}

/// Whether the driver knows that host memory, so that copies of it may go on
/// while the program does.
bool isPinned(const State &state, const void *host, size_t bytes) {
  const auto *first = static_cast<const char *>(host);
  for (const auto &[address, allocation] : state.memories)
    if (allocation.source >= Source::Managed &&
        allocation.source <= Source::Registered && first >= allocation.host &&
        first + bytes <= allocation.host + allocation.bytes)
      return true;
  return false;
}

/// One side of a copy: memory of the host, or of a device.
struct Place {
  char *host = nullptr;
  CuAddress address = 0;
  size_t pitch = 0;
};

/// Rows that are copied.
struct Rows {
  Place to, from;
  size_t bytes = 0, count = 1;

  size_t getBytes(const Place &place) const {
    return count == 0 ? 0 : (count - 1) * place.pitch + bytes;
  }
};

/// The memory of one side of a copy; null, and a misuse, if it is not there.
/// What was freed is there for work that was queued before.
char *find(State &state, const char *name, const Rows &rows, const Place &place,
           bool isQueued) {
  char *found = place.host ? place.host
                           : state.translate(place.address,
                                             rows.getBytes(place), isQueued);
  if (!found && rows.getBytes(place) != 0)
    state.misuse(std::string(name) + " was given memory that is not there");
  return found;
}

/// Queues a copy; one of memory of the host that is not pinned is done when
/// this returns. Nothing is done if one of the memories is not there.
CuResult copy(State &state, std::unique_lock<std::recursive_mutex> &lock,
              const char *name, const Rows &rows, CuStream handle) {
  bool waits = false, isEmpty = rows.count == 0 || rows.bytes == 0;
  for (const Place &place : {rows.to, rows.from}) {
    if (!find(state, name, rows, place, /*isQueued=*/false) && !isEmpty)
      return InvalidValue;
    waits |= place.host && !isPinned(state, place.host, rows.getBytes(place));
  }
  std::shared_ptr<Stream> stream = state.getStream(handle);
  auto task = state.enqueue(lock, stream, [&state, name, rows](CuResult lost) {
    // Held: another stream may free memory.
    std::lock_guard<std::recursive_mutex> held(state.mutex);
    if (lost != Success)
      return;
    char *to = find(state, name, rows, rows.to, /*isQueued=*/true);
    const char *from = find(state, name, rows, rows.from, /*isQueued=*/true);
    if (to && from)
      for (size_t row = 0; row < rows.count; ++row)
        std::memmove(to + row * rows.to.pitch, from + row * rows.from.pitch,
                     rows.bytes);
  });
  if (!waits)
    return Success;
  state.wait(lock, {task}, stream->isAlone);
  return state.getLost();
}

template <typename Element>
CuResult fill(State &state, std::unique_lock<std::recursive_mutex> &lock,
              const char *name, CuAddress to, Element value, size_t count,
              CuStream stream) {
  char *host = state.translate(to, count * sizeof(Element));
  if (!host || to % sizeof(Element) != 0) {
    state.misuse(std::string(name) + " was given memory that is not there");
    return InvalidValue;
  }
  state.enqueue(lock, state.getStream(stream), [=, &state](CuResult lost) {
    // Held: another stream may free memory.
    std::lock_guard<std::recursive_mutex> held(state.mutex);
    char *there =
        state.translate(to, count * sizeof(Element), /*isQueued=*/true);
    if (!there)
      state.misuse(std::string(name) + " was given memory that is not there");
    if (there && lost == Success)
      for (size_t i = 0; i < count; ++i)
        std::memcpy(there + i * sizeof(Element), &value, sizeof(Element));
  });
  return Success;
}

} // namespace

extern "C" {

STANDIN_API CuResult cuMemGetInfo_v2(size_t *freeBytes, size_t *totalBytes) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemGetInfo);
  *totalBytes = state.memory;
  *freeBytes = state.memory - state.used();
  return Success;
}

STANDIN_API CuResult cuMemAlloc_v2(CuAddress *address, size_t bytes) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemAlloc);
  return state.allocate(Source::Device, bytes, *address);
}

STANDIN_API CuResult cuMemFree_v2(CuAddress address) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemFree);
  state.waitForAll(lock);
  return state.release(address, {Source::Device, Source::Managed}, "cuMemFree");
}

STANDIN_API CuResult cuMemAllocManaged(CuAddress *address, size_t bytes,
                                       unsigned flags) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemAllocManaged);
  if (flags != 1 && flags != 2)
    return InvalidValue;
  return state.allocate(Source::Managed, bytes, *address);
}

STANDIN_API CuResult cuMemHostAlloc(void **host, size_t bytes, unsigned flags) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemHostAlloc);
  if (flags > 7)
    return InvalidValue;
  CuAddress address;
  if (CuResult result = state.allocate(Source::Host, bytes, address);
      result != Success)
    return result;
  *host = state.memories[address].host;
  return Success;
}

STANDIN_API CuResult cuMemFreeHost(void *host) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemFreeHost);
  state.waitForAll(lock);
  return state.release(addressOfHost(state, host, Source::Host), {Source::Host},
                       "cuMemFreeHost");
}

STANDIN_API CuResult cuMemHostGetDevicePointer_v2(CuAddress *address,
                                                  void *host, unsigned flags) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemHostGetDevicePointer);
  *address = addressOfHost(state, host, Source::Host);
  if (!*address)
    *address = addressOfHost(state, host, Source::Registered);
  return *address && flags == 0 ? Success : InvalidValue;
}

STANDIN_API CuResult cuMemHostRegister_v2(void *host, size_t bytes,
                                          unsigned flags) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemHostRegister);
  if (flags > 15)
    return InvalidValue;
  return registerHost(state, host, bytes, Source::Registered);
}

STANDIN_API CuResult cuMemHostUnregister(void *host) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemHostUnregister);
  state.waitForAll(lock);
  return state.release(addressOfHost(state, host, Source::Registered),
                       {Source::Registered}, "cuMemHostUnregister");
}

#ifndef PYK_STANDIN_OLD
STANDIN_API CuResult cuMemPoolCreate(CuMemoryPool *pool,
                                     const CuPoolProperties *properties) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemPoolCreate);
  if (properties->allocType != allocationPinned ||
      properties->locationType != locationDevice)
    return InvalidValue;
  Object made = {};
  made.kind = Kind::Pool;
  *pool = reinterpret_cast<CuMemoryPool>(state.add(made));
  return Success;
}

STANDIN_API CuResult cuMemPoolDestroy(CuMemoryPool pool) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemPoolDestroy);
  if (!state.find(Kind::Pool, pool, "cuMemPoolDestroy"))
    return InvalidValue;
  state.objects.erase(reinterpret_cast<uintptr_t>(pool));
  return Success;
}

STANDIN_API CuResult cuMemPoolSetAttribute(CuMemoryPool pool, int32_t attribute,
                                           void *) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemPoolSetAttribute);
  if (!state.find(Kind::Pool, pool, "cuMemPoolSetAttribute") ||
      attribute != poolReleaseThreshold)
    return InvalidValue;
  return Success;
}

STANDIN_API CuResult cuMemPoolGetAttribute(CuMemoryPool pool, int32_t attribute,
                                           void *value) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemPoolGetAttribute);
  if (!state.find(Kind::Pool, pool, "cuMemPoolGetAttribute") ||
      (attribute != poolReservedBytes && attribute != poolUsedBytes))
    return InvalidValue;
  uint64_t bytes = 0;
  for (const auto &[address, allocation] : state.memories)
    if (allocation.source == Source::Pool)
      bytes += allocation.bytes;
  *static_cast<uint64_t *>(value) = bytes;
  return Success;
}

STANDIN_API CuResult cuMemPoolTrimTo(CuMemoryPool pool, size_t) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemPoolTrimTo);
  return state.find(Kind::Pool, pool, "cuMemPoolTrimTo") ? Success
                                                         : InvalidValue;
}

STANDIN_API CuResult cuMemAllocFromPoolAsync(CuAddress *address, size_t bytes,
                                             CuMemoryPool pool,
                                             CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemAllocFromPoolAsync);
  STANDIN_CHECK_STREAM(cuMemAllocFromPoolAsync, stream);
  if (!state.find(Kind::Pool, pool, "cuMemAllocFromPoolAsync"))
    return InvalidValue;
  return state.allocate(Source::Pool, bytes, *address);
}

STANDIN_API CuResult cuMemFreeAsync(CuAddress address, CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemFreeAsync);
  STANDIN_CHECK_STREAM(cuMemFreeAsync, stream);
  if (!state.canRelease(address, {Source::Pool}, "cuMemFreeAsync"))
    return InvalidValue;
  state.memories[address].isFreed = true;
  state.enqueue(lock, state.getStream(stream), [&state, address](CuResult) {
    std::lock_guard<std::recursive_mutex> held(state.mutex);
    auto freed = state.memories.find(address);
    // Its context may have ended.
    if (freed == state.memories.end())
      return;
    // A program that is wrong may run a kernel that uses it.
    if (state.isRunning)
      state.freedLater.push_back(freed->second.host);
    else
      std::free(freed->second.host);
    state.memories.erase(freed);
  });
  return Success;
}
#endif

STANDIN_API CuResult cuMemcpyHtoDAsync_v2(CuAddress to, const void *from,
                                          size_t bytes, CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemcpyHtoDAsync);
  STANDIN_CHECK_STREAM(cuMemcpyHtoDAsync, stream);
  auto *host = static_cast<char *>(const_cast<void *>(from));
  return copy(state, lock, "cuMemcpyHtoDAsync",
              {{nullptr, to}, {host, 0}, bytes}, stream);
}

STANDIN_API CuResult cuMemcpyDtoHAsync_v2(void *to, CuAddress from,
                                          size_t bytes, CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemcpyDtoHAsync);
  STANDIN_CHECK_STREAM(cuMemcpyDtoHAsync, stream);
  return copy(state, lock, "cuMemcpyDtoHAsync",
              {{static_cast<char *>(to), 0}, {nullptr, from}, bytes}, stream);
}

STANDIN_API CuResult cuMemcpyDtoDAsync_v2(CuAddress to, CuAddress from,
                                          size_t bytes, CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemcpyDtoDAsync);
  STANDIN_CHECK_STREAM(cuMemcpyDtoDAsync, stream);
  return copy(state, lock, "cuMemcpyDtoDAsync",
              {{nullptr, to}, {nullptr, from}, bytes}, stream);
}

STANDIN_API CuResult cuMemcpy2DAsync_v2(const CuCopyRows *rows,
                                        CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemcpy2DAsync);
  STANDIN_CHECK_STREAM(cuMemcpy2DAsync, stream);
  Rows copied;
  copied.to.pitch = rows->dstPitch;
  copied.from.pitch = rows->srcPitch;
  copied.bytes = rows->widthInBytes;
  copied.count = rows->height;
  if (rows->dstMemoryType == memoryTypeHost)
    copied.to.host = static_cast<char *>(rows->dstHost);
  else
    copied.to.address = rows->dstDevice;
  if (rows->srcMemoryType == memoryTypeHost)
    copied.from.host = static_cast<char *>(const_cast<void *>(rows->srcHost));
  else
    copied.from.address = rows->srcDevice;
  return copy(state, lock, "cuMemcpy2DAsync", copied, stream);
}

STANDIN_API CuResult cuMemsetD8Async(CuAddress to, unsigned char value,
                                     size_t count, CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemsetD8Async);
  STANDIN_CHECK_STREAM(cuMemsetD8Async, stream);
  return fill(state, lock, "cuMemsetD8Async", to, value, count, stream);
}

STANDIN_API CuResult cuMemsetD16Async(CuAddress to, unsigned short value,
                                      size_t count, CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemsetD16Async);
  STANDIN_CHECK_STREAM(cuMemsetD16Async, stream);
  return fill(state, lock, "cuMemsetD16Async", to, value, count, stream);
}

STANDIN_API CuResult cuMemsetD32Async(CuAddress to, unsigned value,
                                      size_t count, CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuMemsetD32Async);
  STANDIN_CHECK_STREAM(cuMemsetD32Async, stream);
  return fill(state, lock, "cuMemsetD32Async", to, value, count, stream);
}

} // extern "C"
