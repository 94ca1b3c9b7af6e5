// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that arrays of stage gpu are part of, as values.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_GUARDEDMEMORY_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_GUARDEDMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

namespace pyk {

/// Offsets, as `pyk.element` counts them, at which there is a whole element in
/// memory: `count` of them, from `first` on. Null if no access can be wrong.
struct Offsets {
  mlir::Value first, count;
  explicit operator bool() const { return count != nullptr; }
};

/// Addresses of memory, from `begin` up to `end`, as i64.
struct AddressRange {
  mlir::Value begin, end;
};

/// An argument of a launch that is an array.
struct ArrayArgument {
  unsigned number;
  /// The parameter that is its address.
  mlir::BlockArgument data;
};

/// Bytes by which offsets of `pyk.element` from an array of `type` count.
int64_t getStep(ArrayType type);

/// The argument that `root` stands for, if it is one of a kernel's.
std::optional<ArrayArgument> getArrayArgument(mlir::Value root);

/// The arrays that `array` is a view of: allocations, arguments.
llvm::SetVector<mlir::Value> getRoots(mlir::Value array);

/// Adds parameters and values for the memory of arrays where they are asked
/// for.
class GuardedMemory {
public:
  explicit GuardedMemory(mlir::gpu::GPUModuleOp module) : module(module) {}

  /// The offsets from `array`, which is `root` or a view of it, at which there
  /// are elements; ops go to the place of `b` if it is a view.
  Offsets getOffsets(mlir::Value array, mlir::Value root,
                     mlir::ImplicitLocOpBuilder &b);

  /// The address of `array`, made at the place of `b` but for what all elements
  /// of another array share.
  mlir::Value getAddress(mlir::Value array, mlir::ImplicitLocOpBuilder &b);

  /// The memory of `root`; none if nothing is known of it.
  std::optional<AddressRange> getAddresses(mlir::Value root);

  /// Lets the callers of functions pass the memory of their arrays.
  void extendCalls();

private:
  Offsets getParameters(const ArrayArgument &argument, ArrayType type);
  std::optional<AddressRange> getOfFunction(mlir::BlockArgument array);

  mlir::gpu::GPUModuleOp module;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Offsets> parameters;
  llvm::MapVector<mlir::Value, AddressRange> addresses;
  /// Arguments of functions whose memory is passed, in the order of the
  /// arguments that were added.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<unsigned>> passed;
};

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_GUARDEDMEMORY_H
