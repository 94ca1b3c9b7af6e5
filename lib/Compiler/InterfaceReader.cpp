// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads arguments from stages py and pyk, parameters from stage gpu, and
// failures from the last stage of MLIR.

#include "InterfaceReader.h"
#include "Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/IR/PykOps.h"

using namespace mlir;
using namespace pyk;

void InterfaceReader::readArguments(ModuleOp module) {
  auto mayBeKernel = [&](StringRef name) {
    return kernel.empty() || name == kernel;
  };
  for (auto function : module.getOps<py::FuncOp>())
    if (function.isEntry() && mayBeKernel(function.getSymName()))
      interface.argumentTypes = getArgumentTypes(function);
  for (auto function : module.getOps<pyk::FuncOp>())
    if (function.getKernel() && mayBeKernel(function.getSymName()))
      interface.argumentTypes = getArgumentTypes(function);
  for (auto [position, type] : llvm::enumerate(interface.argumentTypes))
    if (type.kind != ArgumentType::Kind::None)
      argumentMap.push_back(position);
}

/// Bytes of the value of a kernel's parameter.
static unsigned getBytes(Type type) {
  if (auto number = dyn_cast<ComplexType>(type))
    return 2 * getBytes(number.getElementType());
  return type.isIntOrFloat()
             ? unsigned(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8))
             : unsigned(sizeof(void *));
}

LogicalResult InterfaceReader::readParameters(ModuleOp module, bool wasRead,
                                              bool isLaunched) {
  SmallVector<gpu::GPUFuncOp> kernels;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    for (auto function : gpuModule.getOps<gpu::GPUFuncOp>())
      if (function.isKernel())
        kernels.push_back(function);
    for (auto function : gpuModule.getOps<func::FuncOp>())
      if (function->hasAttr(PykDialect::kExportAttrName))
        interface.name = function.getName().str();
  }
  // What is not launched has no interface but its own.
  if (kernels.empty() && !interface.name.empty() && !isLaunched)
    return success();
  if (kernels.size() != 1)
    return module.emitError("expects one gpu.func that is a kernel but got ")
           << kernels.size();
  gpu::GPUFuncOp entry = kernels.front();
  // Earlier stages chose the kernel, whose name may have changed since.
  if (wasRead && !kernel.empty() && entry.getName() != kernel)
    return module.emitError("expects a kernel named '")
           << kernel << "' but got only '" << entry.getName() << "'";
  auto abi = entry->getAttrOfType<AbiAttr>(PykDialect::kAbiAttrName);
  if (!abi)
    return entry.emitOpError("requires the attribute '")
           << PykDialect::kAbiAttrName << "'";
  interface.name = entry.getName().str();
  interface.prints =
      module.walk([](pyk::PrintOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  auto types = getArgumentTypes(entry, abi);
  if (failed(types))
    return failure();
  // What an earlier stage said is more precise.
  if (interface.argumentTypes.empty())
    interface.argumentTypes = std::move(*types);
  for (auto [parameter, type] :
       llvm::zip_equal(abi.getParameters(), entry.getArgumentTypes())) {
    unsigned argument = parameter.getArgument();
    if (!argumentMap.empty())
      argument = argumentMap[argument];
    interface.parameters.push_back({parameter.getKind(), argument,
                                    parameter.getDimension(), getBytes(type)});
  }
  return success();
}

void InterfaceReader::readFailures(ModuleOp module) {
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    auto failures =
        gpuModule->getAttrOfType<ArrayAttr>(PykDialect::kFailuresAttrName);
    if (!failures)
      continue;
    for (auto failure : failures.getAsRange<FailureAttr>())
      interface.failures.push_back(
          {failure.getError().str(), failure.getMessage().str(),
           failure.getFunction().str(), failure.getFile().str(),
           failure.getLine(), failure.getException()});
  }
}
