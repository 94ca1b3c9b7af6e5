// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of the driver's loader: for now every machine is one without.

#include "CudaBackend.h"

using namespace pyk::runtime;

Result<CudaBackend> pyk::runtime::openCuda(const std::string &) {
  return Status::failure(StatusCode::Unavailable, "loading the CUDA driver",
                         "this version of PyK has no CUDA backend",
                         "use the CPU");
}
