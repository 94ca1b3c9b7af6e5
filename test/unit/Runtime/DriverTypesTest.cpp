// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our own declarations of the CUDA Driver API against cuda.h, where a toolkit
// is installed: every prototype, structure and number, by the compiler. Without
// a toolkit nothing is compared, and the test says so.

#include "DriverTypes.h"

#include "gtest/gtest.h"

#if __has_include(<cuda.h>) && __has_include(<cudaTypedefs.h>)
#include <cuda.h>
#include <cudaProfilerTypedefs.h>
#include <cudaTypedefs.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

using namespace pyk::runtime::driver;

namespace {

/// Types that one register holds in the same way.
template <typename Ours, typename Theirs>
constexpr bool sameKind() {
  if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>)
    return std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
  else
    return (std::is_integral_v<Ours> || std::is_enum_v<Ours>) &&
           (std::is_integral_v<Theirs> || std::is_enum_v<Theirs>) &&
           sizeof(Ours) == sizeof(Theirs);
}

template <typename Ours, typename Theirs>
struct SamePrototype : std::false_type {};

template <typename... Ours, typename Result, typename... Theirs>
struct SamePrototype<CuResult(Ours...), Result (*)(Theirs...)> {
  static constexpr bool compare() {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs))
      return sizeof(CuResult) == sizeof(Result) &&
             (sameKind<Ours, Theirs>() && ...);
    else
      return false;
  }
  static constexpr bool value = compare();
};

// The form of each function that the table names by its version.
#define PYK_DRIVER_SYMBOL(name, exported, version, need, parameters)           \
  static_assert(                                                               \
      SamePrototype<CuResult parameters, PFN_##name##_v##version>::value,      \
      #name);
#include "DriverSymbols.def"

#define PYK_DEVICE_ATTRIBUTE(identifier, name, number)                         \
  static_assert(CU_DEVICE_ATTRIBUTE_##name == (number), #name);
#include "pyk/runtime/DeviceAttributes.def"

#define SAME_VALUE(ours, theirs)                                               \
  static_assert(int64_t(ours) == int64_t(theirs), #theirs)

SAME_VALUE(Success, CUDA_SUCCESS);
SAME_VALUE(InvalidValue, CUDA_ERROR_INVALID_VALUE);
SAME_VALUE(OutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
SAME_VALUE(NotInitialized, CUDA_ERROR_NOT_INITIALIZED);
SAME_VALUE(Deinitialized, CUDA_ERROR_DEINITIALIZED);
SAME_VALUE(StubLibrary, CUDA_ERROR_STUB_LIBRARY);
SAME_VALUE(DeviceUnavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
SAME_VALUE(NoDevice, CUDA_ERROR_NO_DEVICE);
SAME_VALUE(InvalidDevice, CUDA_ERROR_INVALID_DEVICE);
SAME_VALUE(InvalidImage, CUDA_ERROR_INVALID_IMAGE);
SAME_VALUE(InvalidContext, CUDA_ERROR_INVALID_CONTEXT);
SAME_VALUE(NoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME_VALUE(EccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
SAME_VALUE(InvalidPtx, CUDA_ERROR_INVALID_PTX);
SAME_VALUE(NvlinkUncorrectable, CUDA_ERROR_NVLINK_UNCORRECTABLE);
SAME_VALUE(JitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
SAME_VALUE(UnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME_VALUE(InvalidSource, CUDA_ERROR_INVALID_SOURCE);
SAME_VALUE(InvalidHandle, CUDA_ERROR_INVALID_HANDLE);
SAME_VALUE(NotFound, CUDA_ERROR_NOT_FOUND);
SAME_VALUE(NotReady, CUDA_ERROR_NOT_READY);
SAME_VALUE(IllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME_VALUE(LaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME_VALUE(LaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
SAME_VALUE(ContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME_VALUE(Assert, CUDA_ERROR_ASSERT);
SAME_VALUE(HardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR);
SAME_VALUE(IllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
SAME_VALUE(MisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
SAME_VALUE(InvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
SAME_VALUE(InvalidPc, CUDA_ERROR_INVALID_PC);
SAME_VALUE(LaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
SAME_VALUE(CooperativeLaunchTooLarge, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
SAME_VALUE(NotSupported, CUDA_ERROR_NOT_SUPPORTED);

SAME_VALUE(memoryTypeHost, CU_MEMORYTYPE_HOST);
SAME_VALUE(memoryTypeDevice, CU_MEMORYTYPE_DEVICE);
SAME_VALUE(allocationPinned, CU_MEM_ALLOCATION_TYPE_PINNED);
SAME_VALUE(locationDevice, CU_MEM_LOCATION_TYPE_DEVICE);
SAME_VALUE(poolReleaseThreshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
SAME_VALUE(poolReservedBytes, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
SAME_VALUE(poolUsedBytes, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
SAME_VALUE(launchCooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
SAME_VALUE(hostPortable, CU_MEMHOSTALLOC_PORTABLE);
SAME_VALUE(hostPortable, CU_MEMHOSTREGISTER_PORTABLE);
SAME_VALUE(hostDeviceMap, CU_MEMHOSTALLOC_DEVICEMAP);
SAME_VALUE(hostDeviceMap, CU_MEMHOSTREGISTER_DEVICEMAP);
SAME_VALUE(attachGlobal, CU_MEM_ATTACH_GLOBAL);
SAME_VALUE(streamNonBlocking, CU_STREAM_NON_BLOCKING);
SAME_VALUE(eventDisableTiming, CU_EVENT_DISABLE_TIMING);
SAME_VALUE(jitMaxRegisters, CU_JIT_MAX_REGISTERS);
SAME_VALUE(jitErrorLog, CU_JIT_ERROR_LOG_BUFFER);
SAME_VALUE(jitErrorLogBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME_VALUE(jitOptimizationLevel, CU_JIT_OPTIMIZATION_LEVEL);
SAME_VALUE(jitDebugInfo, CU_JIT_GENERATE_DEBUG_INFO);
SAME_VALUE(jitLineInfo, CU_JIT_GENERATE_LINE_INFO);
SAME_VALUE(jitInputCubin, CU_JIT_INPUT_CUBIN);
SAME_VALUE(jitInputPtx, CU_JIT_INPUT_PTX);
SAME_VALUE(jitInputFatBinary, CU_JIT_INPUT_FATBINARY);
SAME_VALUE(jitInputObject, CU_JIT_INPUT_OBJECT);
SAME_VALUE(jitInputLibrary, CU_JIT_INPUT_LIBRARY);
SAME_VALUE(functionMaxThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_VALUE(functionSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME_VALUE(functionConstBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME_VALUE(functionLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME_VALUE(functionRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME_VALUE(functionMaxDynamicShared,
           CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_VALUE(functionCarveout,
           CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);

#define SAME_PLACE(ours, our, theirs, their)                                   \
  static_assert(offsetof(ours, our) == offsetof(theirs, their), #their)

static_assert(sizeof(CuUuid) == sizeof(CUuuid));
static_assert(sizeof(CuCopyRows) == sizeof(CUDA_MEMCPY2D));
SAME_PLACE(CuCopyRows, srcMemoryType, CUDA_MEMCPY2D, srcMemoryType);
SAME_PLACE(CuCopyRows, srcHost, CUDA_MEMCPY2D, srcHost);
SAME_PLACE(CuCopyRows, srcDevice, CUDA_MEMCPY2D, srcDevice);
SAME_PLACE(CuCopyRows, srcPitch, CUDA_MEMCPY2D, srcPitch);
SAME_PLACE(CuCopyRows, dstMemoryType, CUDA_MEMCPY2D, dstMemoryType);
SAME_PLACE(CuCopyRows, dstHost, CUDA_MEMCPY2D, dstHost);
SAME_PLACE(CuCopyRows, dstDevice, CUDA_MEMCPY2D, dstDevice);
SAME_PLACE(CuCopyRows, dstPitch, CUDA_MEMCPY2D, dstPitch);
SAME_PLACE(CuCopyRows, widthInBytes, CUDA_MEMCPY2D, WidthInBytes);
SAME_PLACE(CuCopyRows, height, CUDA_MEMCPY2D, Height);
static_assert(sizeof(CuPoolProperties) == sizeof(CUmemPoolProps));
SAME_PLACE(CuPoolProperties, allocType, CUmemPoolProps, allocType);
SAME_PLACE(CuPoolProperties, locationType, CUmemPoolProps, location.type);
SAME_PLACE(CuPoolProperties, locationId, CUmemPoolProps, location.id);
SAME_PLACE(CuPoolProperties, maxSize, CUmemPoolProps, maxSize);
static_assert(sizeof(CuLaunchAttribute) == sizeof(CUlaunchAttribute));
SAME_PLACE(CuLaunchAttribute, value, CUlaunchAttribute, value);
static_assert(sizeof(CuLaunchConfig) == sizeof(CUlaunchConfig));
SAME_PLACE(CuLaunchConfig, sharedMemBytes, CUlaunchConfig, sharedMemBytes);
SAME_PLACE(CuLaunchConfig, hStream, CUlaunchConfig, hStream);
SAME_PLACE(CuLaunchConfig, attrs, CUlaunchConfig, attrs);
SAME_PLACE(CuLaunchConfig, numAttrs, CUlaunchConfig, numAttrs);

} // namespace

TEST(DriverTypesTest, AreThoseOfCudasHeader) { SUCCEED(); }
#else
TEST(DriverTypesTest, AreThoseOfCudasHeader) {
  GTEST_SKIP() << "there is no cuda.h to compare with";
}
#endif
