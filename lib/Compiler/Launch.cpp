// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the arguments of a launch to the parameters of the compiled kernel.

#include "pyk/Compiler/Compiler.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/runtime/Failure.h"
#include "pyk/runtime/LaunchCheck.h"
#include "llvm/Support/Path.h"

using namespace pyk;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

// What the two sides of the launch call alike.
static_assert(PYK_RT_PARAMETER_DATA == int(ParameterKind::Data) &&
              PYK_RT_PARAMETER_EXTENT == int(ParameterKind::Extent) &&
              PYK_RT_PARAMETER_STRIDE == int(ParameterKind::Stride) &&
              PYK_RT_PARAMETER_SCALAR == int(ParameterKind::Scalar) &&
              PYK_RT_PARAMETER_FAILURE == int(ParameterKind::Failure) &&
              PYK_RT_PARAMETER_MEMORY_FIRST ==
                  int(ParameterKind::MemoryFirst) &&
              PYK_RT_PARAMETER_MEMORY_COUNT == int(ParameterKind::MemoryCount));
static_assert(PYK_RT_FACT_SMALL == int(LaunchFact::Small) &&
              PYK_RT_FACT_DISJOINT == int(LaunchFact::Disjoint) &&
              PYK_RT_FACT_WRITTEN == int(LaunchFact::Written) &&
              PYK_RT_FACT_NARROW == int(LaunchFact::Narrow) &&
              PYK_RT_FACT_ALIGNED == int(LaunchFact::Aligned) &&
              PYK_RT_FACT_UNIT == int(LaunchFact::Unit));

static_assert(PYK_RT_BOUND_CONSTANT == int(BoundTermKind::Constant) &&
              PYK_RT_BOUND_GRID_DIM == int(BoundTermKind::GridDim) &&
              PYK_RT_BOUND_ANY == int(BoundTermKind::Any) &&
              PYK_RT_BOUND_ADD == int(BoundTermKind::Add) &&
              PYK_RT_BOUND_MAX == int(BoundTermKind::Max) &&
              PYK_RT_BOUND_SHR == int(BoundTermKind::Shr) &&
              PYK_RT_BOUND_UNSIGNED == int(BoundTermKind::Unsigned) &&
              PYK_RT_BOUND_CUT_BELOW == int(BoundTermKind::CutBelow) &&
              PYK_RT_BOUND_COUNTER == int(BoundTermKind::Counter) &&
              PYK_RT_BOUND_STABLE == int(BoundTermKind::Stable) &&
              PYK_RT_BOUND_INSIDE == int(BoundTermKind::Inside) &&
              PYK_RT_BOUND_DIFFERENCE == int(BoundTermKind::Difference) &&
              PYK_RT_BOUND_FLOOR_REM == int(BoundTermKind::FloorRem) &&
              PYK_RT_BOUND_WITHIN == int(BoundTermKind::Within));
static_assert(PYK_RT_SIZE_CONSTANT == int(SizeTermKind::Constant) &&
              PYK_RT_SIZE_SIGNED == int(SizeTermKind::Signed) &&
              PYK_RT_SIZE_UNSIGNED == int(SizeTermKind::Unsigned) &&
              PYK_RT_SIZE_EXTENT == int(SizeTermKind::Extent) &&
              PYK_RT_SIZE_BLOCK == int(SizeTermKind::Block) &&
              PYK_RT_SIZE_ADD == int(SizeTermKind::Add) &&
              PYK_RT_SIZE_SUB == int(SizeTermKind::Sub) &&
              PYK_RT_SIZE_MUL == int(SizeTermKind::Mul) &&
              PYK_RT_SIZE_FLOOR_DIV == int(SizeTermKind::FloorDiv) &&
              PYK_RT_SIZE_FLOOR_MOD == int(SizeTermKind::FloorMod) &&
              PYK_RT_SIZE_MIN == int(SizeTermKind::Min) &&
              PYK_RT_SIZE_MAX == int(SizeTermKind::Max) &&
              PYK_RT_SIZE_LENGTH == int(SizeTermKind::Length) &&
              PYK_RT_SIZE_PLACE == int(SizeTermKind::Place));

/// What `failure` of `record` was, in the words of Numba.
static std::string describe(const KernelFailure &failure,
                            const pyk_rt_failure &record) {
  runtime::FailureSource source = {failure.function, failure.file,
                                   int32_t(failure.line), std::nullopt,
                                   /*speaksOfValues=*/true};
  if (!failure.message.empty())
    source.message = failure.message;
  return failure.error + ": " + runtime::describeFailure(record, source);
}

const KernelInterface &CompiledKernel::get() const {
  return module->interface.kernels[index];
}

pyk_rt_signature CompiledKernel::getSignature() const {
  const KernelInterface &kernel = get();
  return {kernel.formals.data(),
          kernel.formals.size(),
          kernel.parameters.data(),
          kernel.parameters.size(),
          kernel.hasSmallGrid ? uint32_t(PYK_RT_FACT_SMALL) : 0,
          kernel.sharedSizes.data(),
          kernel.sharedSizes.size(),
          {kernel.block[0], kernel.block[1], kernel.block[2]},
          kernel.bounds.data(),
          kernel.bounds.size()};
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
  const TargetBackend *target = module->getTarget();
  const pyk_rt_kernel *entry = getHostEntry();
  if (!entry && target && target->launchesOnHost())
    return Status::failure(StatusCode::FailedPrecondition,
                           "launching '" + name + "' on the CPU",
                           "it was compiled for other processors than this one",
                           "compile it without option cpu-level");
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
  pyk_rt_signature signature = getSignature();
  SmallVector<pyk_rt_argument, 16> given;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    given.push_back(
        {argument.data, argument.shape, argument.strides, {}, nullptr, 0});
    // The values of scalars are copied: a kernel may take their bytes alone.
    for (const pyk_rt_parameter &parameter : get().parameters)
      if (parameter.kind == PYK_RT_PARAMETER_SCALAR &&
          parameter.argument == index)
        std::memcpy(given.back().scalar, argument.data, parameter.bytes);
  }
  if (Status status =
          runtime::checkLaunch("launching '" + name + "'", signature,
                               shape.grid, shape.block, given.data());
      !status.ok())
    return status;
  runtime::LaunchShape whole = shape;
  if (Status status = runtime::addSharedBytes(
          "launching '" + name + "'", signature, shape.block, given.data(),
          whole.dynamicSharedBytes);
      !status.ok())
    return status;
  SmallVector<uint64_t, 32> slots(signature.parameter_count);
  SmallVector<void *, 32> values(signature.parameter_count);
  pyk_rt_bind_arguments(&signature, given.data(), slots.data(), values.data());
  pyk_rt_failure record = {};
  if (!slots.empty() &&
      get().parameters.back().kind == PYK_RT_PARAMETER_FAILURE)
    slots.back() = reinterpret_cast<uintptr_t>(&record);
  Status status = runtime::launchOnCpu(*entry, whole, values.data());
  if (!status.ok() || record.code == 0)
    return status;
  return Status::failure(
      StatusCode::LaunchFailed, "running '" + name + "'",
      describe(module->getFailures()[record.code - 1], record),
      "see what led there, or compile without checks");
}
