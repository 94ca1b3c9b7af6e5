// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads arguments from stages py and pyk, parameters from stage gpu, and
// failures from the last stage of MLIR.

#include "InterfaceReader.h"
#include "Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"

using namespace mlir;
using namespace pyk;

void InterfaceReader::readArguments(ModuleOp module) {
  auto counts = [&](auto function) {
    return function.getKernel() && !kChild.isOn(function) &&
           (kernel.empty() || function.getSymName() == kernel);
  };
  for (auto function : module.getOps<py::FuncOp>())
    if (counts(function))
      arguments.push_back(getArgumentTypes(function));
  for (auto function : module.getOps<pyk::FuncOp>())
    if (counts(function))
      arguments.push_back(getArgumentTypes(function));
}

/// Bytes of the value of a kernel's parameter.
static unsigned getBytes(Type type) {
  if (auto number = dyn_cast<ComplexType>(type))
    return 2 * getBytes(number.getElementType());
  return type.isIntOrFloat()
             ? unsigned(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8))
             : unsigned(sizeof(void *));
}

/// Alignment of the value of a kernel's parameter.
static unsigned getAlignment(Type type) {
  if (auto number = dyn_cast<ComplexType>(type))
    return getBytes(number.getElementType());
  return getBytes(type);
}

/// What `entry` calls, and itself; with `launched`, also what it launches.
static SetVector<Operation *>
findReached(gpu::GPUFuncOp entry, const SymbolTable &symbols, bool launched) {
  SetVector<Operation *> reached;
  reached.insert(entry);
  for (size_t next = 0; next < reached.size(); ++next)
    reached[next]->walk([&](Operation *op) {
      StringRef name;
      if (auto call = dyn_cast<func::CallOp>(op))
        name = call.getCallee();
      else if (auto launch = dyn_cast<LaunchOp>(op); launch && launched)
        name = launch.getKernel();
      if (Operation *function = symbols.lookup(name))
        reached.insert(function);
    });
  return reached;
}

/// Adds what `value`, a parameter in stage gpu, says of its argument.
static void addFormal(const pyk_rt_parameter &parameter, BlockArgument value,
                      std::vector<pyk_rt_formal> &formals) {
  auto kind = ParameterKind(parameter.kind);
  if (kind != ParameterKind::Data && kind != ParameterKind::Scalar)
    return;
  pyk_rt_formal &formal = formals[parameter.argument];
  formal.facts = uint32_t(getFacts(value));
  formal.bytes = parameter.bytes;
  if (kind == ParameterKind::Scalar)
    return;
  for (Operation *user : value.getUsers())
    if (auto array = dyn_cast<FromPointerOp>(user)) {
      ArrayType type = array.getType();
      formal.rank = std::max(formal.rank, int32_t(type.getRank()));
      formal.bytes = type.getElementBytes();
    }
}

/// What launches of `entry` add to the dynamic shared memory.
static std::vector<pyk_rt_size_term> getSharedSizes(gpu::GPUFuncOp entry) {
  std::vector<pyk_rt_size_term> result;
  if (auto terms = kSharedSizes.get(entry))
    for (auto term : terms.getAsRange<SizeTermAttr>())
      result.push_back({int32_t(term.getKind()), term.getArgument(),
                        term.getDimension(), term.getLine(), term.getValue()});
  return result;
}

/// What launches of `entry` prove.
static std::vector<pyk_rt_bound_term> getBounds(gpu::GPUFuncOp entry) {
  std::vector<pyk_rt_bound_term> result;
  if (auto terms = kBounds.get(entry))
    for (auto term : terms.getAsRange<BoundTermAttr>())
      result.push_back({int32_t(term.getKind()), term.getFirst(),
                        term.getSecond(), term.getThird(), term.getValue()});
  return result;
}

/// The argument that `term` is about; null if it is about none.
static uint32_t *getArgument(pyk_rt_bound_term &term) {
  switch (pyk_rt_bound_kind(term.kind)) {
  case PYK_RT_BOUND_SCALAR:
  case PYK_RT_BOUND_EXTENT:
  case PYK_RT_BOUND_STRIDE:
    return &term.first;
  case PYK_RT_BOUND_INSIDE:
    return &term.second;
  default:
    return nullptr;
  }
}

FailureOr<KernelInterface>
InterfaceReader::readKernel(gpu::GPUFuncOp entry, gpu::GPUModuleOp module,
                            const std::vector<ArgumentType> *known) {
  auto abi = kAbi.get(entry);
  if (!abi)
    return entry.emitOpError("requires the attribute '") << kAbi.name << "'";
  KernelInterface result;
  result.name = entry.getName().str();
  if (auto bounds = kLaunchBounds.get(entry))
    result.launchBounds = bounds.asArrayRef().vec();
  result.hasSmallGrid = kSmallGrid.isOn(entry);
  if (auto block = kBlockShape.get(entry))
    llvm::copy(block.asArrayRef(), result.block);
  SymbolTable symbols(module);
  for (Operation *function : findReached(entry, symbols, /*launched=*/true))
    function->walk([&](Operation *op) {
      result.prints |= isa<PrintOp>(op);
      result.launches |= isa<LaunchOp>(op);
    });
  for (Operation *function : findReached(entry, symbols, /*launched=*/false))
    function->walk([&](Operation *op) {
      result.usesDynamicShared |= isa<DynamicSharedOp>(op);
      result.isCooperative |= isa<GridBarrierOp, GridGroupOp>(op);
      if (auto call = dyn_cast<ForeignCallOp>(op))
        result.isCooperative |= call.getCode().getCooperative();
    });
  auto types = getArgumentTypes(entry, abi);
  if (failed(types))
    return failure();
  // What an earlier stage said is more precise.
  if (known)
    result.argumentTypes = *known;
  else
    result.argumentTypes = std::move(*types);
  // Python argument of each argument of the pyk.func: those of type None have
  // no representation.
  SmallVector<unsigned> positions;
  for (auto [position, type] : llvm::enumerate(result.argumentTypes))
    if (type.kind != ArgumentType::Kind::None)
      positions.push_back(position);
  for (auto [parameter, type] :
       llvm::zip_equal(abi.getParameters(), entry.getArgumentTypes())) {
    unsigned argument = parameter.getArgument();
    if (known && parameter.getKind() != ParameterKind::Failure) {
      // Text takes several parameters, and no launch passes it.
      if (argument >= positions.size())
        return entry.emitOpError("expects arguments that launches can pass");
      argument = positions[argument];
    }
    result.parameters.push_back({int32_t(parameter.getKind()), argument,
                                 parameter.getDimension(), getBytes(type),
                                 getAlignment(type)});
  }
  result.sharedSizes = getSharedSizes(entry);
  for (pyk_rt_size_term &term : result.sharedSizes)
    if (known && term.argument < positions.size())
      term.argument = positions[term.argument];
  result.bounds = getBounds(entry);
  for (pyk_rt_bound_term &term : result.bounds)
    if (uint32_t *argument = getArgument(term); argument && known)
      *argument = positions[*argument];
  result.formals.resize(result.argumentTypes.size(), {0, -1, 0});
  for (auto [parameter, value] :
       llvm::zip(result.parameters, entry.getArguments()))
    addFormal(parameter, value, result.formals);
  return result;
}

LogicalResult InterfaceReader::readParameters(ModuleOp module,
                                              bool isLaunched) {
  interface.kernels.clear();
  interface.exports.clear();
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    for (auto function : gpuModule.getOps<func::FuncOp>())
      if (kExport.isOn(function))
        interface.exports.push_back(function.getName().str());
    for (auto function : gpuModule.getOps<gpu::GPUFuncOp>()) {
      if (!function.isKernel() || kChild.isOn(function))
        continue;
      size_t index = interface.kernels.size();
      auto read =
          readKernel(function, gpuModule,
                     index < arguments.size() ? &arguments[index] : nullptr);
      if (failed(read))
        return failure();
      interface.kernels.push_back(std::move(*read));
    }
  }
  // What is not launched has no interface but its name.
  if (interface.kernels.empty() && (interface.exports.empty() || isLaunched))
    return module.emitError("expects a gpu.func that is a kernel but got none");
  return success();
}

void InterfaceReader::forgetBlockShapes() {
  for (KernelInterface &kernel : interface.kernels)
    std::fill(std::begin(kernel.block), std::end(kernel.block), 0);
}

void InterfaceReader::readFailures(ModuleOp module) {
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    auto failures = kFailures.get(gpuModule);
    if (!failures)
      continue;
    for (auto failure : failures.getAsRange<FailureAttr>())
      interface.failures.push_back(
          {failure.getError().str(), failure.getMessage().str(),
           failure.getFunction().str(), failure.getFile().str(),
           failure.getLine(), failure.getException()});
  }
}
