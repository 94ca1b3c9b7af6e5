// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stages of MLIR say of how kernels are launched. Each stage knows a
// part of it, which later ones lose.

#ifndef PYK_LIB_COMPILER_INTERFACEREADER_H
#define PYK_LIB_COMPILER_INTERFACEREADER_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "pyk/Compiler/KernelInterface.h"

namespace pyk {

/// Reads the interface of a module on its way through the stages, which keep
/// the order of its kernels.
class InterfaceReader {
public:
  /// `kernel` names the only kernel that counts; else empty.
  InterfaceReader(llvm::StringRef kernel, ModuleInterface &interface)
      : kernel(kernel), interface(interface) {}

  /// The types of the arguments, as far as a module in stage py or pyk has
  /// them.
  void readArguments(mlir::ModuleOp module);

  /// Name, parameters and, if no earlier stage had them, types of arguments of
  /// each kernel of a module in stage gpu. `isLaunched`: there must be a
  /// kernel, and not only functions for other languages.
  mlir::LogicalResult readParameters(mlir::ModuleOp module, bool isLaunched);

  /// Says of all kernels that they take blocks of any shape.
  void forgetBlockShapes();

  /// How threads may fail, from a module in the last stage of MLIR.
  void readFailures(mlir::ModuleOp module);

private:
  mlir::FailureOr<KernelInterface>
  readKernel(mlir::gpu::GPUFuncOp entry, mlir::gpu::GPUModuleOp module,
             const std::vector<ArgumentType> *known);

  llvm::StringRef kernel;
  ModuleInterface &interface;
  /// Types of the arguments of each kernel in stage py or pyk.
  std::vector<std::vector<ArgumentType>> arguments;
};

} // namespace pyk

#endif // PYK_LIB_COMPILER_INTERFACEREADER_H
