// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba's rules for array[index], as measured on numba-cuda 0.30.4: what
// becomes of each dimension, and the layout of what is left; which fields of
// records attributes are; and what iteration yields.

#ifndef PYK_DIALECT_PY_IR_INDEXING_H
#define PYK_DIALECT_PY_IR_INDEXING_H

#include "pyk/Dialect/Pyk/IR/PykTypes.h"

namespace pyk::py {

/// One axis of a view and the item of the index that gives it; none for a
/// dimension that the index does not name.
struct IndexedAxis {
  Axis axis;
  std::optional<unsigned> item;
};

/// What an index selects of an array.
struct Indexed {
  llvm::SmallVector<IndexedAxis> axes;
  /// The element, or the view.
  mlir::Type result;

  bool isElement() const { return !llvm::isa<ArrayType>(result); }
  llvm::SmallVector<Axis> getAxisList() const;
};

/// The items of an index of type `index`: those of a tuple, or itself.
llvm::SmallVector<mlir::Type> getIndexItems(mlir::Type index);

/// True for the type of `...`.
bool isEllipsis(mlir::Type type);

/// True for what may be an item of an array's index: an integer, a slice, `...`
/// and None.
bool isIndexItem(mlir::Type type);

/// The item of `index`, the type of an index of `array`, that is an array: of
/// numbers of elements, or of bools which say of each whether it is meant.
/// Nothing if there is none, or if it cannot stand there.
std::optional<unsigned> findArrayItem(mlir::Type index, ArrayType array);

/// How many dimensions `items` name.
int64_t countNamed(mlir::ArrayRef<mlir::Type> items);

/// What `items` select of `array`. They are items of an index, name no more
/// dimensions than there are, and `...` is among them at most once.
Indexed indexArray(ArrayType array, mlir::ArrayRef<mlir::Type> items);

/// The field that the attribute `name` is: of one record before anything else,
/// of an array what is no attribute of arrays.
std::optional<unsigned> getAttributeField(ArrayType array,
                                          llvm::StringRef name);

/// What the field at `position` of `records` is: of one record a number or a
/// record, unless it is an array itself; else an array of them.
mlir::Type getFieldValue(ArrayType records, unsigned position);

/// The rows that iteration over `array` yields; elements if it has one
/// dimension.
mlir::Type getIterated(ArrayType array);

/// What iteration over a value of type `iterable` yields; null if there is
/// none.
mlir::Type getElementOf(mlir::Type iterable);

} // namespace pyk::py

#endif // PYK_DIALECT_PY_IR_INDEXING_H
