// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores of a value into all elements of an array.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_SLICESTORES_H
#define PYK_LIB_CONVERSION_PYTOPYK_SLICESTORES_H

#include "FunctionLowering.h"

namespace pyk::py {

/// One such store. The elements of an array are read as if all were read before
/// the first is written, unless that takes a copy of the array.
class SliceStore : public LoweringPart {
public:
  using Combination =
      llvm::function_ref<Binding(const Binding &, const Binding &)>;

  /// Stores `value`, broadcast to the shape of `target`, whose elements are of
  /// type `element`, or what `combine` makes of each element and of `value`.
  SliceStore(FunctionLowering &lowering, const Binding &value,
             mlir::Value target, mlir::Type element, Combination combine,
             mlir::Location loc);

  void run();

private:
  using Indices = llvm::ArrayRef<mlir::Value>;

  bool mayOverlap();
  void checkShapes();
  void storeInOrder();
  void storeOverlapping();
  void storeSorted();
  void storeReversed();
  Binding compute(Indices indices);
  void write(const Binding &stored, Indices indices);
  void loop(Indices extents, llvm::function_ref<void(Indices)> body);

  mlir::Value getExtent(int64_t dimension);
  mlir::Value getStride(int64_t dimension);
  mlir::Value getSourceStride(int64_t dimension);
  mlir::Value makeSameStrides();
  mlir::Value makeNested();
  mlir::Value makeContains(mlir::Value offset);
  mlir::Value makeDisjoint();
  void checkOverlap(mlir::Value overlap, mlir::Value isNested,
                    mlir::Value isInOrder);
  mlir::Value makeAligned();
  void sortDimensions();
  void branch(mlir::Value condition, llvm::function_ref<void()> first,
              llvm::function_ref<void()> second);

  mlir::Value number(int64_t value);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b);
  mlir::Value choose(mlir::Value condition, mlir::Value a, mlir::Value b);
  template <typename Op>
  mlir::Value make(mlir::Value a, mlir::Value b) {
    return builder.createOrFold<Op>(loc, a, b);
  }

  Binding value;
  mlir::Value target;
  mlir::Type element;
  Combination combine;
  mlir::Location loc;
  /// The array that is stored; null for a number.
  mlir::Value source;
  int64_t rank;
  /// Leading dimensions that `source` does not have.
  int64_t missing = 0;
  /// Where an extent of `source` is 1 and stands for all of the target's; null
  /// for dimensions that it does not have.
  llvm::SmallVector<mlir::Value> isBroadcast;
  /// Bytes from the first element of the target to that of the source.
  mlir::Value distance;
  /// The dimensions by stride, the largest first: their numbers, extents and
  /// strides, of which those of one element or less are 0.
  llvm::SmallVector<mlir::Value> numbers, extents, strides;
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_SLICESTORES_H
