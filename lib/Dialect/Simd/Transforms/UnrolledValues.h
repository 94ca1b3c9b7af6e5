// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for the values of a kernel once it is unrolled.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_UNROLLEDVALUES_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_UNROLLEDVALUES_H

#include "MachineVectors.h"
#include "Tile.h"
#include "mlir/IR/IRMapping.h"

namespace pyk::simd {

/// By compact vector its instances, rows before strips: vectors of the machine,
/// or numbers where there is one lane. By other value what stands for it,
/// alone.
class UnrolledValues {
public:
  explicit UnrolledValues(mlir::OpBuilder &builder) : builder(builder) {}

  /// Lets `instances`, which have just been written, stand for `value`.
  void set(mlir::Value value, Values instances);
  /// Lets `own` alone stand for `value`.
  void map(mlir::Value value, mlir::Value own) { values[value] = {own}; }

  const Values &get(mlir::Value value) const;
  /// The instance at a position of the tile; what is no compact vector is the
  /// same at all.
  mlir::Value getInstance(mlir::Value value, int64_t row, int64_t strip) const;
  /// The element of `value` of one thread: computed as a number if it can be.
  mlir::Value getElement(mlir::Value value, Dimensions position) {
    return getElement(value, position, 0);
  }
  /// What stands for values from outside that `region` uses, none of which is
  /// a compact vector.
  mlir::IRMapping getCaptured(mlir::Region &region) const;

private:
  mlir::Value getElement(mlir::Value value, Dimensions position,
                         unsigned depth);

  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, Values> values;
  /// Behind which op the instances are, for numbers that come later.
  llvm::DenseMap<mlir::Value, mlir::Operation *> lastOps;
  /// By compact vector and the number of a thread.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> elements;
};

/// Whether the numbers of all threads in `vector`, a compact vector, follow
/// each other as the threads do.
bool areConsecutive(mlir::Value vector);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_UNROLLEDVALUES_H
