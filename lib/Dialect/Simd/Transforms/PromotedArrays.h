// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays in registers.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_PROMOTEDARRAYS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_PROMOTEDARRAYS_H

#include "UnrolledValues.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

namespace pyk::simd {

/// Whether vectors of `lanes` elements can stand for `array`, in registers: all
/// its accesses are at indices that constants name.
bool isPromotable(AllocOp array, int64_t lanes);

/// The lanes of one instance of an access, and where each is in its array.
struct LaneElements {
  /// By lane the index of the element; none if the lane reads or writes none.
  llvm::SmallVector<std::optional<int64_t>> indices;
};

/// The shared arrays of a kernel that vectors stand for, and what is done with
/// them.
class PromotedArrays {
public:
  PromotedArrays(mlir::OpBuilder &builder, UnrolledValues &values)
      : builder(builder), values(values) {}

  /// Keeps shared arrays of `kernel` in vectors of `lanes` where it can.
  void promoteAll(mlir::Block &kernel, int64_t lanes);

  /// Does `op` if it is about a promoted array; returns whether it is.
  bool visit(mlir::Operation *op);

  /// To be called where another block begins, or goes on behind others.
  void forgetLines();

private:
  /// An array in vectors, which are variables.
  struct Promoted {
    int64_t lanes;
    mlir::VectorType line;
    Values lines;
    /// What the lines hold, where the block that is written says it; null else.
    Values held;
  };

  void promote(AllocOp array, int64_t lanes);
  mlir::Value readLine(Promoted &array, int64_t line, mlir::Location loc);
  void writeLine(Promoted &array, int64_t line, mlir::Value value,
                 mlir::Location loc);
  mlir::Value readElement(Promoted &array, int64_t element, mlir::Location loc);
  void writeElement(Promoted &array, int64_t element, mlir::Value value,
                    mlir::Value on, mlir::Location loc);
  mlir::Value readLanes(Promoted &array, const LaneElements &elements,
                        mlir::Location loc);
  void writeLanes(Promoted &array, const LaneElements &elements,
                  mlir::Value value, mlir::Value on, mlir::Location loc);
  bool visitLoad(LoadOp op);
  bool visitStore(StoreOp op);

  mlir::OpBuilder &builder;
  UnrolledValues &values;
  llvm::DenseMap<mlir::Value, Promoted> promoted;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_PROMOTEDARRAYS_H
