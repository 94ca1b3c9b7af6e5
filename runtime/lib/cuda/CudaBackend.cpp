// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a library's name to devices.

#include "CudaBackend.h"

#include "CudaObjects.h"

using namespace pyk::runtime;

Result<CudaBackend> pyk::runtime::openCuda(const std::string &library) {
  Result<std::shared_ptr<const Driver>> driver = Driver::load(library);
  if (!driver.ok())
    return driver.status();
  CudaBackend backend = {driver.value()->version(), {}};
  for (int32_t i = 0; i < driver.value()->deviceCount(); ++i) {
    Result<std::shared_ptr<Device>> device =
        CudaDevice::create(driver.value(), i);
    if (!device.ok())
      return device.status();
    backend.devices.push_back(std::move(device.value()));
  }
  return backend;
}
