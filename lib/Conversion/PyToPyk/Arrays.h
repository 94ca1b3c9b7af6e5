// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of arrays, and what is stored into them.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_ARRAYS_H
#define PYK_LIB_CONVERSION_PYTOPYK_ARRAYS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// An extent and the number of elements, as numbers of `width` bits.
mlir::Value getDim(mlir::OpBuilder &builder, mlir::Value array,
                   int64_t dimension, mlir::Location loc, unsigned width = 64);
mlir::Value getSize(mlir::OpBuilder &builder, mlir::Value array,
                    mlir::Location loc, unsigned width = 64);

/// Whether `value` is an array that `a op= x` has computed in: it is stored.
bool isComputedInplace(mlir::Value value);

/// Lowers what reads arrays and what stores into them.
class ArrayLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  Binding evaluate(SliceOp op);
  void lower(SetSubscriptOp op);
  /// The numbers of the element that `index` selects.
  llvm::SmallVector<mlir::Value> getElementIndices(const Binding &array,
                                                   const Binding &index,
                                                   mlir::StringRef name,
                                                   mlir::Location loc);
  /// The element that `index` selects, or a view. `name` is what messages call
  /// `array`; so it is below.
  Binding getIndexed(const Binding &array, const Binding &index,
                     mlir::StringRef name, mlir::Location loc);
  /// What iteration over `array` yields: an element, or a view of a row.
  Binding getRow(const Binding &array, mlir::Value position,
                 mlir::Location loc);
  /// The number that `index` is in `dimension`, counted from the end if it is
  /// negative, and checked if that is asked for.
  mlir::Value getIndex(const Binding &index, mlir::Value array,
                       int64_t dimension, mlir::StringRef name,
                       mlir::Location loc);
  /// `array`, which has no gaps, in the shape of `type`, whose open dimensions
  /// have `extents`.
  mlir::Value reshape(mlir::Value array, ArrayType type,
                      llvm::ArrayRef<mlir::Value> extents, mlir::Location loc);
  /// Whether two arrays of one type have the same elements, in the same order.
  mlir::Value areOneArray(mlir::Value a, mlir::Value b, mlir::Location loc);
  /// Stores `value` in all elements of `target`, or what `combine` makes of
  /// each and of it.
  void store(const Binding &value, mlir::Value target, mlir::Type element,
             mlir::Location loc,
             llvm::function_ref<Binding(const Binding &, const Binding &)>
                 combine = {});
  /// Computes in the array of `a op= x`, and yields it.
  Binding computeInplace(BinaryOp op);
  /// Stores `value` as an `element` at `indices`: a number, text, a vector or a
  /// record.
  void storeElement(const Binding &value, mlir::Value array,
                    mlir::ValueRange indices, mlir::Type element,
                    mlir::Location loc);
  /// The element at `indices`; of records, where it is.
  Binding load(const Binding &array, mlir::ValueRange indices,
               mlir::Location loc);

private:
  struct Selection;
  mlir::Value boundStep(mlir::Value step, mlir::Value extent,
                        mlir::Location loc);
  Selection select(const Binding &array, const Binding &index,
                   mlir::StringRef name, mlir::Location loc);
  void storeAt(const Binding &value, const Binding &array, const Binding &index,
               mlir::StringRef name, mlir::Location loc);
  void scatter(const Binding &value, const Binding &array, const Binding &index,
               unsigned selector, mlir::StringRef name, mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_ARRAYS_H
