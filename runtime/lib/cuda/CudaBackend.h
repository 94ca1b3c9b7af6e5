// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the registry sees of CUDA: devices, or why there are none.

#ifndef PYK_RUNTIME_LIB_CUDA_CUDABACKEND_H
#define PYK_RUNTIME_LIB_CUDA_CUDABACKEND_H

#include "pyk/runtime/Device.h"
#include "pyk/runtime/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pyk::runtime {

/// A driver that works, and its devices; there may be none.
struct CudaBackend {
  int32_t driverVersion;
  std::vector<std::shared_ptr<Device>> devices;
};

/// Loads the driver from `library`, as for dlopen. Fails with Unavailable if
/// there is none, it is too old or does not start. The library stays loaded.
Result<CudaBackend> openCuda(const std::string &library);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CUDA_CUDABACKEND_H
