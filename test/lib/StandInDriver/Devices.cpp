// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stand-in's errors, devices and contexts, and how it hands out functions.

#include "Entry.h"

#include <dlfcn.h>

#include <cstring>
#include <map>

using namespace standin;
using namespace pyk::runtime::driver;

namespace {

struct ErrorText {
  const char *name, *text;
};

const ErrorText *errorText(CuResult error) {
  static const std::map<int32_t, ErrorText> texts = {
      {0, {"CUDA_SUCCESS", "no error"}},
      {1, {"CUDA_ERROR_INVALID_VALUE", "invalid argument"}},
      {2, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
      {3, {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"}},
      {4, {"CUDA_ERROR_DEINITIALIZED", "driver shutting down"}},
      {100, {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}},
      {101, {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
      {200, {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"}},
      {201, {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}},
      {209, {"CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available"}},
      {218, {"CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"}},
      {400, {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}},
      {500, {"CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
      {600, {"CUDA_ERROR_NOT_READY", "device not ready"}},
      {700,
       {"CUDA_ERROR_ILLEGAL_ADDRESS",
        "an illegal memory access was encountered"}},
      {701,
       {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
        "too many resources requested for launch"}},
      {709, {"CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"}},
      {719, {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"}},
      {720,
       {"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
        "too many blocks in cooperative launch"}},
      {801, {"CUDA_ERROR_NOT_SUPPORTED", "operation not supported"}},
      {803,
       {"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
        "system has unsupported display driver / cuda driver combination"}},
      {999, {"CUDA_ERROR_UNKNOWN", "unknown error"}}};
  auto found = texts.find(int32_t(error));
  return found == texts.end() ? nullptr : &found->second;
}

bool isDevice(const State &state, CuDevice device) {
  return device >= 0 && device < state.devices;
}

} // namespace

extern "C" {

STANDIN_API CuResult cuGetErrorName(CuResult error, const char **name) {
  const ErrorText *found = errorText(error);
  *name = found ? found->name : nullptr;
  return found ? Success : InvalidValue;
}

STANDIN_API CuResult cuGetErrorString(CuResult error, const char **text) {
  const ErrorText *found = errorText(error);
  *text = found ? found->text : nullptr;
  return found ? Success : InvalidValue;
}

STANDIN_API CuResult cuInit(unsigned) {
  STANDIN_BEGIN(cuInit);
  if (state.devices == 0)
    return NoDevice;
  state.initialized = true;
  return Success;
}

STANDIN_API CuResult cuDriverGetVersion(int *version) {
  STANDIN_BEGIN(cuDriverGetVersion);
  *version = state.version;
  return Success;
}

STANDIN_API CuResult cuDeviceGetCount(int *count) {
  STANDIN_BEGIN(cuDeviceGetCount);
  *count = state.devices;
  return Success;
}

STANDIN_API CuResult cuDeviceGet(CuDevice *device, int ordinal) {
  STANDIN_BEGIN(cuDeviceGet);
  if (!isDevice(state, ordinal))
    return InvalidDevice;
  *device = ordinal;
  return Success;
}

STANDIN_API CuResult cuDeviceGetName(char *name, int length, CuDevice device) {
  STANDIN_BEGIN(cuDeviceGetName);
  if (!isDevice(state, device))
    return InvalidDevice;
  std::string text = "Stand-in GPU " + std::to_string(device);
  std::strncpy(name, text.c_str(), size_t(length));
  return Success;
}

STANDIN_API CuResult cuDeviceGetUuid(CuUuid *uuid, CuDevice device) {
  STANDIN_BEGIN(cuDeviceGetUuid);
  if (!isDevice(state, device))
    return InvalidDevice;
  for (int i = 0; i < 16; ++i)
    uuid->bytes[i] = char(16 * device + i);
  return Success;
}

STANDIN_API CuResult cuDeviceGetAttribute(int *value, int32_t attribute,
                                          CuDevice device) {
  STANDIN_BEGIN(cuDeviceGetAttribute);
  if (!isDevice(state, device))
    return InvalidDevice;
  // The compute capability.
  if (attribute == 75 || attribute == 76) {
    int capability = int(state.machine.capability);
    *value = attribute == 75 ? capability / 10 : capability % 10;
    return Success;
  }
  // By CUDA's numbers; those of a small GPU of compute capability 9.0.
  static const std::map<int32_t, int> values = {
      {1, 1024},   {2, 1024},     {3, 1024},     {4, 64},    {5, 2147483647},
      {6, 65535},  {7, 65535},    {8, 49152},    {9, 65536}, {10, 32},
      {12, 65536}, {13, 1980000}, {16, 4},       {17, 0},    {18, 0},
      {19, 1},     {20, 0},       {31, 1},       {32, 1},    {33, 1},
      {34, 0},     {35, 0},       {36, 2619000}, {37, 5120}, {38, 1 << 25},
      {39, 2048},  {40, 3},       {41, 1},       {50, 0},    {81, 233472},
      {82, 65536}, {83, 1},       {84, 0},       {88, 0},    {89, 1},
      {95, 1},     {97, 232448},  {99, 1},       {106, 32},  {111, 1024},
      {115, 1},    {120, 1}};
  auto found = values.find(attribute);
  if (attribute < 1 || attribute > 150)
    return InvalidValue;
  *value = found == values.end() ? 0 : found->second;
  return Success;
}

STANDIN_API CuResult cuDevicePrimaryCtxRetain(CuContext *context,
                                              CuDevice device) {
  STANDIN_BEGIN(cuDevicePrimaryCtxRetain);
  if (!isDevice(state, device))
    return InvalidDevice;
  auto [entry, isNew] = state.primary.try_emplace(device, 0);
  if (isNew) {
    Object made = {};
    made.kind = Kind::Context;
    made.device = device;
    entry->second = state.add(made);
  }
  ++state.objects[entry->second].retained;
  *context = reinterpret_cast<CuContext>(entry->second);
  return Success;
}

STANDIN_API CuResult cuDevicePrimaryCtxRelease_v2(CuDevice device) {
  STANDIN_BEGIN(cuDevicePrimaryCtxRelease);
  auto found = state.primary.find(device);
  if (found == state.primary.end()) {
    state.misuse("cuDevicePrimaryCtxRelease of a context that is not retained");
    return InvalidContext;
  }
  uintptr_t context = found->second;
  if (--state.objects[context].retained == 0) {
    state.primary.erase(found);
    state.endContext(lock, context, /*checked=*/true);
  }
  return Success;
}

STANDIN_API CuResult cuDevicePrimaryCtxReset_v2(CuDevice device) {
  STANDIN_BEGIN(cuDevicePrimaryCtxReset);
  if (!isDevice(state, device))
    return InvalidDevice;
  if (auto found = state.primary.find(device); found != state.primary.end()) {
    uintptr_t context = found->second;
    state.primary.erase(found);
    state.endContext(lock, context, /*checked=*/false);
  }
  return Success;
}

STANDIN_API CuResult cuCtxGetCurrent(CuContext *context) {
  STANDIN_BEGIN(cuCtxGetCurrent);
  *context = currentContexts.empty()
                 ? nullptr
                 : reinterpret_cast<CuContext>(currentContexts.back());
  return Success;
}

STANDIN_API CuResult cuCtxSetCurrent(CuContext context) {
  STANDIN_BEGIN(cuCtxSetCurrent);
  auto handle = reinterpret_cast<uintptr_t>(context);
  if (handle && !state.objects.count(handle))
    return InvalidContext;
  if (!currentContexts.empty())
    currentContexts.pop_back();
  if (handle)
    currentContexts.push_back(handle);
  return Success;
}

STANDIN_API CuResult cuCtxPushCurrent_v2(CuContext context) {
  STANDIN_BEGIN(cuCtxPushCurrent);
  auto handle = reinterpret_cast<uintptr_t>(context);
  if (!state.objects.count(handle))
    return InvalidContext;
  currentContexts.push_back(handle);
  return Success;
}

STANDIN_API CuResult cuCtxPopCurrent_v2(CuContext *context) {
  STANDIN_BEGIN(cuCtxPopCurrent);
  if (currentContexts.empty())
    return InvalidContext;
  if (context)
    *context = reinterpret_cast<CuContext>(currentContexts.back());
  currentContexts.pop_back();
  return Success;
}

STANDIN_API CuResult cuCtxSynchronize() {
  STANDIN_BEGIN_WAITING(cuCtxSynchronize);
  state.waitForAll(lock);
  return state.getLost();
}

STANDIN_API CuResult cuProfilerStart() {
  STANDIN_BEGIN_IN_CONTEXT(cuProfilerStart);
  return Success;
}

STANDIN_API CuResult cuProfilerStop() {
  STANDIN_BEGIN_IN_CONTEXT(cuProfilerStop);
  return Success;
}

#ifndef PYK_STANDIN_OLD
STANDIN_API CuResult cuGetProcAddress_v2(const char *symbol, void **function,
                                         int version, uint64_t flags,
                                         int32_t *status) {
  State &state = State::get();
  std::lock_guard<std::recursive_mutex> lock(state.mutex);
  *function = nullptr;
  if (flags > 2)
    return InvalidValue;
  if (state.hidden.count(symbol)) {
    *status = 1;
    return NotFound;
  }
  if (version > state.version) {
    *status = 2;
    return NotFound;
  }
  // The forms that the runtime asks for, by their names in the library.
  std::string second = std::string(symbol) + "_v2";
  Dl_info self;
  if (!dladdr(reinterpret_cast<void *>(&cuInit), &self))
    return NotFound;
  void *library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (!library)
    return NotFound;
  *function = dlsym(library, second.c_str());
  if (!*function)
    *function = dlsym(library, symbol);
  dlclose(library);
  *status = *function ? 0 : 1;
  return *function ? Success : NotFound;
}
#endif

} // extern "C"
