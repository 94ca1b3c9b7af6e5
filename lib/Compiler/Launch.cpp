// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the arguments of a launch to the parameters of the compiled kernel.

#include "pyk/Compiler/Compiler.h"

using namespace pyk;
using llvm::ArrayRef;
using llvm::SmallVector;

runtime::Status
CompiledKernel::launch(const runtime::LaunchShape &shape,
                       ArrayRef<KernelArgument> arguments) const {
  using runtime::Status;
  using runtime::StatusCode;
  if (!cpu)
    return Status::failure(
        StatusCode::FailedPrecondition, "launching '" + name + "' on the CPU",
        "the kernel was compiled for CUDA", "compile it for the CPU");
  if (arguments.size() != getNumArguments())
    return Status::failure(
        StatusCode::InvalidArgument, "launching '" + name + "'",
        "expects " + std::to_string(getNumArguments()) + " arguments but got " +
            std::to_string(arguments.size()),
        "pass one for each parameter of the kernel");
  // Each parameter is the address of its value: a scalar's own, or a slot here.
  SmallVector<uint64_t, 32> slots(parameters.size());
  SmallVector<void *, 32> values(parameters.size());
  for (auto [parameter, slot, value] : llvm::zip(parameters, slots, values)) {
    const KernelArgument &argument = arguments[parameter.argument];
    value = &slot;
    switch (parameter.kind) {
    case ParameterKind::Data:
      slot = reinterpret_cast<uintptr_t>(argument.data);
      break;
    case ParameterKind::Extent:
      slot = argument.shape[parameter.dimension];
      break;
    case ParameterKind::Stride:
      slot = argument.strides[parameter.dimension];
      break;
    case ParameterKind::Scalar:
      value = argument.data;
      break;
    }
  }
  return runtime::launchOnCpu(cpu->getEntry(), shape, values.data());
}
