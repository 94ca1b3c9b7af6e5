// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stages of MLIR say of how a kernel is launched. Each stage knows a
// part of it, which later ones lose.

#ifndef PYK_LIB_COMPILER_INTERFACEREADER_H
#define PYK_LIB_COMPILER_INTERFACEREADER_H

#include "mlir/IR/BuiltinOps.h"
#include "pyk/Compiler/KernelInterface.h"

namespace pyk {

/// Reads the interface of one kernel on its way through the stages.
class InterfaceReader {
public:
  /// `kernel` names the kernel where the source has several; else empty.
  InterfaceReader(llvm::StringRef kernel, KernelInterface &interface)
      : kernel(kernel), interface(interface) {}

  /// The types of the arguments, as far as a module in stage py or pyk has
  /// them.
  void readArguments(mlir::ModuleOp module);

  /// Name, parameters and, if no earlier stage had them, types of arguments of
  /// the kernel of a module in stage gpu. `wasRead`: the module was read in
  /// this stage, so that nothing has chosen the kernel yet. `isLaunched`: there
  /// must be a kernel, and not only a function for other languages.
  mlir::LogicalResult readParameters(mlir::ModuleOp module, bool wasRead,
                                     bool isLaunched);

  /// How threads may fail, from a module in the last stage of MLIR.
  void readFailures(mlir::ModuleOp module);

private:
  llvm::StringRef kernel;
  KernelInterface &interface;
  /// Python argument of each argument of the pyk.func: those of type None have
  /// no representation.
  llvm::SmallVector<unsigned> argumentMap;
};

} // namespace pyk

#endif // PYK_LIB_COMPILER_INTERFACEREADER_H
