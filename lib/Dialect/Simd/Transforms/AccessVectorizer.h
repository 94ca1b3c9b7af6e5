// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where accesses to memory are, and how vectors make them.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_ACCESSVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_ACCESSVECTORIZER_H

#include "OpVectorizer.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

namespace pyk::simd {

/// Where an access is, if the element differs by thread: an array that does
/// not, and an offset.
struct Address {
  mlir::Value array;
  /// Null if the element is the same for all.
  mlir::Value offset;
  /// Whether each thread has an array of its own.
  bool isLocal = false;
};

/// None if the array is one of a kind that vectors do not take.
std::optional<Address> findAddress(mlir::Value array,
                                   const LaneShapeAnalysis &shapes);

/// By how much offsets of neighbours in the memory of `array` differ.
int64_t getUnit(mlir::Value array);

/// By how many elements of `array` neighbouring lanes are apart, whose offsets
/// have this shape: 1 if they are neighbours, 0 if that is too much for them to
/// be loaded together, or not known.
int64_t getStep(const Tile &tile, const LaneShape &offset, mlir::Value array);

/// How many rows of `tile` are moved together because neighbouring rows are
/// neighbours in the memory of `array`, by offsets of this shape; 0 if they are
/// not, or too few.
int64_t getRowsTogether(const Tile &tile, const LaneShape &offset,
                        mlir::Value array);

/// The array that `element` is an element of, if that is local; else null.
AllocOp getLocalArray(mlir::Value element);

/// Writes loads and stores of elements that threads choose.
class AccessVectorizer {
public:
  /// Others, `ops` writes.
  AccessVectorizer(LaneValues &values, Masks &masks, OpVectorizer &ops,
                   mlir::OpBuilder &builder)
      : values(values), masks(masks), ops(ops), builder(builder) {}

  void visit(pyk::LoadOp op);
  void visit(pyk::StoreOp op);
  void visit(ElementOp op);
  void visitLocalArray(AllocOp op);

private:
  mlir::Value makeLocalOffset(mlir::Value offset);

  LaneValues &values;
  Masks &masks;
  OpVectorizer &ops;
  mlir::OpBuilder &builder;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_ACCESSVECTORIZER_H
