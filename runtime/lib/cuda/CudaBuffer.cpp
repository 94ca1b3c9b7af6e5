// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a GPU. Device memory comes from the context's pool, in the order of
// a stream, where the driver can do that and the stream lives as long as the
// memory; otherwise from cuMemAlloc. What the driver would wait for all work to
// free, as all but the first, is freed later if there is work.

#include "CudaObjects.h"

using namespace pyk::runtime;
using namespace pyk::runtime::driver;

static CuStream nativeOf(const CudaStreamHandle &handle) {
  return handle.stream;
}

/// What is kept for later, or freed then, may be what others lack now.
static Status freeWhatIsKept(CudaContext &context) {
  constexpr const char *doing = "giving back memory that is kept for later";
  const Driver &functions = context.functions();
  if (Status status = context.synchronize(doing);
      !status.ok() || !context.pool())
    return status;
  return context.call(doing, functions.cuMemPoolTrimTo, context.pool(),
                      size_t(0));
}

Result<std::unique_ptr<Buffer>>
CudaBuffer::allocate(const CudaOwner &owner, MemoryKind kind, size_t bytes,
                     std::shared_ptr<CudaStreamHandle> stream) {
  if (bytes == 0)
    return std::unique_ptr<Buffer>(
        new CudaBuffer(owner, kind, 0, nullptr, 0, Source::None, nullptr));
  CudaContext &context = *owner.context;
  const Driver &functions = context.functions();
  auto doing = [&] {
    return "allocating " + std::to_string(bytes) + " bytes of " +
           memoryKindName(kind);
  };
  CuAddress address = 0;
  void *host = nullptr;
  Source source = Source::Device;
  bool pooled = kind == MemoryKind::Device && context.pool() &&
                stream->origin != CudaStreamHandle::Origin::External;

  context.collect();
  auto attempt = [&]() -> Status {
    switch (kind) {
    case MemoryKind::Device:
      if (pooled)
        return context.call(doing, functions.cuMemAllocFromPoolAsync, &address,
                            bytes, context.pool(), nativeOf(*stream));
      return context.call(doing, functions.cuMemAlloc, &address, bytes);
    case MemoryKind::Managed:
      return context.call(doing, functions.cuMemAllocManaged, &address, bytes,
                          attachGlobal);
    case MemoryKind::Pinned:
    case MemoryKind::Mapped:
      return context.call(doing, functions.cuMemHostAlloc, &host, bytes,
                          kind == MemoryKind::Mapped
                              ? hostPortable | hostDeviceMap
                              : hostPortable);
    }
    return Status();
  };
  Status status = attempt();
  if (status.code() == StatusCode::OutOfMemory) {
    if (Status trimmed = freeWhatIsKept(context); !trimmed.ok())
      return trimmed;
    status = attempt();
  }
  if (!status.ok())
    return status;

  if (pooled)
    source = Source::Pool;
  else if (kind == MemoryKind::Managed)
    host = reinterpret_cast<void *>(static_cast<uintptr_t>(address));
  else if (kind != MemoryKind::Device)
    source = Source::Host;
  if (kind == MemoryKind::Mapped) {
    status = context.call(doing, functions.cuMemHostGetDevicePointer, &address,
                          host, 0u);
    if (!status.ok()) {
      context.release("freeing memory", functions.cuMemFreeHost, host);
      return status;
    }
  }
  return std::unique_ptr<Buffer>(
      new CudaBuffer(owner, kind, address, host, bytes, source,
                     pooled ? std::move(stream) : nullptr));
}

Result<std::unique_ptr<Buffer>> CudaBuffer::registered(const CudaOwner &owner,
                                                       MemoryKind kind,
                                                       void *host,
                                                       size_t bytes) {
  CudaContext &context = *owner.context;
  const Driver &functions = context.functions();
  auto doing = [&] {
    return "registering " + std::to_string(bytes) + " bytes of the host as " +
           memoryKindName(kind);
  };
  bool mapped = kind == MemoryKind::Mapped;
  // CU_MEMHOSTREGISTER_... has the numbers of CU_MEMHOSTALLOC_... .
  if (Status status =
          context.call(doing, functions.cuMemHostRegister, host, bytes,
                       mapped ? hostPortable | hostDeviceMap : hostPortable);
      !status.ok())
    return status;
  CuAddress address = 0;
  if (mapped) {
    if (Status status = context.call(doing, functions.cuMemHostGetDevicePointer,
                                     &address, host, 0u);
        !status.ok()) {
      context.release("unregistering memory", functions.cuMemHostUnregister,
                      host);
      return status;
    }
  }
  return std::unique_ptr<Buffer>(new CudaBuffer(
      owner, kind, address, host, bytes, Source::Registered, nullptr));
}

CudaBuffer::~CudaBuffer() {
  constexpr const char *doing = "freeing memory";
  CudaContext &context = *owner.context;
  const Driver &functions = context.functions();
  switch (source) {
  case Source::None:
    break;
  case Source::Pool:
    context.release(doing, functions.cuMemFreeAsync, deviceAddress(),
                    nativeOf(*stream));
    break;
  case Source::Device:
    context.releaseWhenIdle(doing, functions.cuMemFree, deviceAddress());
    break;
  case Source::Host:
    context.releaseWhenIdle(doing, functions.cuMemFreeHost, hostAddress());
    break;
  case Source::Registered:
    context.releaseWhenIdle("unregistering memory",
                            functions.cuMemHostUnregister, hostAddress());
    break;
  }
}
