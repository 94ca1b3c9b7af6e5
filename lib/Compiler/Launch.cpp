// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the arguments of a launch to the parameters of the compiled kernel.

#include "pyk/Compiler/Compiler.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/runtime/Runtime.h"
#include "llvm/Support/Path.h"

using namespace pyk;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static_assert(PYK_RT_EXTENT_LIMIT == kExtentLimit);

/// What `failure` of `record` was, in the words of Numba.
static std::string describe(const KernelFailure &failure,
                            const pyk_rt_failure &record) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto place = [&](const int32_t (&index)[3]) {
    os << '[' << index[2] << ", " << index[1] << ", " << index[0] << ']';
  };
  os << failure.error << ": In function '" << failure.function << "', file "
     << failure.file << ", line " << failure.line << ", tid=";
  place(record.thread_id);
  os << " ctaid=";
  place(record.block_id);
  llvm::StringRef message = failure.message;
  if (!message.empty())
    os << ": ";
  // {0} and {1} stand for values, as in Python's own formatting.
  while (!message.empty()) {
    auto [before, rest] = message.split('{');
    os << before;
    message = rest;
    if (rest.empty())
      break;
    os << record.values[rest.front() == '1'];
    message = rest.split('}').second;
  }
  return text;
}

const KernelInterface &CompiledKernel::get() const {
  return module->interface.kernels[index];
}

const pyk_rt_kernel *CompiledKernel::getHostEntry() const {
  const auto &kernels = module->code.kernels;
  return kernels.empty() ? nullptr : kernels[index].hostEntry.get();
}

std::optional<CompiledKernel> CompiledModule::findKernel(StringRef name) const {
  for (unsigned index = 0; index < getNumKernels(); ++index)
    if (interface.kernels[index].name == name)
      return getKernel(index);
  return std::nullopt;
}

runtime::Status
CompiledKernel::launch(const runtime::LaunchShape &shape,
                       ArrayRef<KernelArgument> arguments) const {
  using runtime::Status;
  using runtime::StatusCode;
  const std::string &name = get().name;
  ArrayRef<KernelParameter> parameters = getParameters();
  const TargetBackend *target = module->getTarget();
  const pyk_rt_kernel *entry = getHostEntry();
  if (!entry)
    return Status::failure(
        StatusCode::FailedPrecondition, "launching '" + name + "' on the CPU",
        "it was compiled for " +
            (target ? "'" + target->getName().str() + "'" : "no target"),
        "compile it for the CPU");
  if (arguments.size() != getNumArguments())
    return Status::failure(
        StatusCode::InvalidArgument, "launching '" + name + "'",
        "expects " + std::to_string(getNumArguments()) + " arguments but got " +
            std::to_string(arguments.size()),
        "pass one for each parameter of the kernel");
  // Each parameter is the address of its value: a scalar's own, or a slot here.
  SmallVector<uint64_t, 32> slots(parameters.size());
  SmallVector<void *, 32> values(parameters.size());
  pyk_rt_failure record = {};
  for (auto [parameter, slot, value] : llvm::zip(parameters, slots, values)) {
    value = &slot;
    if (parameter.kind == ParameterKind::Failure) {
      slot = reinterpret_cast<uintptr_t>(&record);
      continue;
    }
    const KernelArgument &argument = arguments[parameter.argument];
    switch (parameter.kind) {
    case ParameterKind::Data:
      slot = reinterpret_cast<uintptr_t>(argument.data);
      break;
    case ParameterKind::Extent:
      slot = argument.shape[parameter.dimension];
      if (slot >= uint64_t(kExtentLimit))
        return Status::failure(
            StatusCode::InvalidArgument, "launching '" + name + "'",
            "argument " + std::to_string(parameter.argument) + " has " +
                std::to_string(argument.shape[parameter.dimension]) +
                " elements along dimension " +
                std::to_string(parameter.dimension),
            "pass arrays of less than 2**48 elements along each dimension");
      break;
    case ParameterKind::Stride:
      slot = argument.strides[parameter.dimension];
      break;
    case ParameterKind::Scalar:
      value = argument.data;
      break;
    case ParameterKind::Failure:
      break;
    }
  }
  Status status = runtime::launchOnCpu(*entry, shape, values.data());
  if (!status.ok() || record.code == 0)
    return status;
  return Status::failure(
      StatusCode::LaunchFailed, "running '" + name + "'",
      describe(module->getFailures()[record.code - 1], record),
      "see what led there, or compile without checks");
}
