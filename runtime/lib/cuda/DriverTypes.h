// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types and numbers of the CUDA Driver API that the runtime uses, declared
// anew so that building needs no toolkit. test/unit/Runtime/DriverTypesTest.cpp
// compares them with cuda.h where there is one.

#ifndef PYK_RUNTIME_LIB_CUDA_DRIVERTYPES_H
#define PYK_RUNTIME_LIB_CUDA_DRIVERTYPES_H

#include <cstddef>
#include <cstdint>

namespace pyk::runtime::driver {

/// What every function of the driver returns.
enum CuResult : int32_t {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  Deinitialized = 4,
  StubLibrary = 34,
  DeviceUnavailable = 46,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  EccUncorrectable = 214,
  InvalidPtx = 218,
  NvlinkUncorrectable = 220,
  JitCompilerNotFound = 221,
  UnsupportedPtxVersion = 222,
  InvalidSource = 300,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  ContextIsDestroyed = 709,
  Assert = 710,
  HardwareStackError = 714,
  IllegalInstruction = 715,
  MisalignedAddress = 716,
  InvalidAddressSpace = 717,
  InvalidPc = 718,
  LaunchFailed = 719,
  CooperativeLaunchTooLarge = 720,
  NotSupported = 801,
};

using CuDevice = int;
using CuAddress = uint64_t;
using CuContext = struct ContextTag *;
using CuModule = struct ModuleTag *;
using CuLinkState = struct LinkStateTag *;
using CuFunction = struct FunctionTag *;
using CuStream = struct StreamTag *;
using CuEvent = struct EventTag *;
using CuMemoryPool = struct MemoryPoolTag *;
using CuStreamCallback = void (*)(CuStream stream, CuResult status, void *data);
using CuBlockToShared = size_t (*)(int blockThreads);

struct CuUuid {
  char bytes[16];
};

/// CUDA_MEMCPY2D of CUDA 3.2 and later.
struct CuCopyRows {
  size_t srcXInBytes, srcY;
  int32_t srcMemoryType;
  const void *srcHost;
  CuAddress srcDevice;
  void *srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  int32_t dstMemoryType;
  void *dstHost;
  CuAddress dstDevice;
  void *dstArray;
  size_t dstPitch;
  size_t widthInBytes, height;
};

/// CUmemPoolProps.
struct CuPoolProperties {
  int32_t allocType;
  int32_t handleTypes;
  int32_t locationType, locationId;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned char reserved[56];
};

/// CUlaunchAttribute.
struct CuLaunchAttribute {
  int32_t id;
  char pad[4];
  union {
    char bytes[64];
    int32_t cooperative;
  } value;
};

/// CUlaunchConfig.
struct CuLaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CuStream hStream;
  CuLaunchAttribute *attrs;
  unsigned numAttrs;
};

/// Values of enumerations and flags, by their names in cuda.h.
constexpr int32_t memoryTypeHost = 1;       // CU_MEMORYTYPE_HOST
constexpr int32_t memoryTypeDevice = 2;     // CU_MEMORYTYPE_DEVICE
constexpr int32_t allocationPinned = 1;     // CU_MEM_ALLOCATION_TYPE_PINNED
constexpr int32_t locationDevice = 1;       // CU_MEM_LOCATION_TYPE_DEVICE
constexpr int32_t poolReleaseThreshold = 4; // CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
constexpr int32_t poolReservedBytes = 5; // CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT
constexpr int32_t poolUsedBytes = 7;     // CU_MEMPOOL_ATTR_USED_MEM_CURRENT
constexpr int32_t launchCooperative = 2; // CU_LAUNCH_ATTRIBUTE_COOPERATIVE
constexpr unsigned hostPortable = 1;     // CU_MEMHOSTALLOC_PORTABLE
constexpr unsigned hostDeviceMap = 2;    // CU_MEMHOSTALLOC_DEVICEMAP
constexpr unsigned attachGlobal = 1;     // CU_MEM_ATTACH_GLOBAL
constexpr unsigned streamNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
constexpr unsigned eventDisableTiming = 2; // CU_EVENT_DISABLE_TIMING
constexpr int32_t jitMaxRegisters = 0;     // CU_JIT_MAX_REGISTERS
constexpr int32_t jitErrorLog = 5;         // CU_JIT_ERROR_LOG_BUFFER
constexpr int32_t jitErrorLogBytes = 6;    // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
constexpr int32_t jitOptimizationLevel = 7; // CU_JIT_OPTIMIZATION_LEVEL
constexpr int32_t jitDebugInfo = 11;        // CU_JIT_GENERATE_DEBUG_INFO
constexpr int32_t jitLineInfo = 13;         // CU_JIT_GENERATE_LINE_INFO
constexpr int32_t jitInputCubin = 0;        // CU_JIT_INPUT_CUBIN
constexpr int32_t jitInputPtx = 1;          // CU_JIT_INPUT_PTX
constexpr int32_t jitInputFatBinary = 2;    // CU_JIT_INPUT_FATBINARY
constexpr int32_t jitInputObject = 3;       // CU_JIT_INPUT_OBJECT
constexpr int32_t jitInputLibrary = 4;      // CU_JIT_INPUT_LIBRARY
constexpr int32_t functionMaxThreads =
    0; // CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
constexpr int32_t functionSharedBytes =
    1;                                    // CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
constexpr int32_t functionConstBytes = 2; // CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES
constexpr int32_t functionLocalBytes = 3; // CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
constexpr int32_t functionRegisters = 4;  // CU_FUNC_ATTRIBUTE_NUM_REGS
constexpr int32_t functionMaxDynamicShared =
    8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr int32_t functionCarveout =
    9; // CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT

} // namespace pyk::runtime::driver

#endif // PYK_RUNTIME_LIB_CUDA_DRIVERTYPES_H
