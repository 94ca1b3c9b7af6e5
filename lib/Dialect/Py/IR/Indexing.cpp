// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba looks at the index alone, never at extents: a slice without a step in
// the outermost place keeps an array contiguous, and nothing else does but
// integers in front of it. What is contiguous for a deeper reason still has
// layout `any`.

#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

SmallVector<Axis> Indexed::getAxisList() const {
  return llvm::map_to_vector(
      axes, [](const IndexedAxis &indexed) { return indexed.axis; });
}

SmallVector<Type> py::getIndexItems(Type index) {
  if (auto tuple = dyn_cast<TupleType>(index))
    return SmallVector<Type>(tuple.getTypes());
  return {index};
}

bool py::isEllipsis(Type type) {
  auto known = dyn_cast<StaticType>(type);
  return known && isa<EllipsisAttr>(known.getValue());
}

bool py::isIndexItem(Type type) {
  return isInteger(type) || isa<SliceType, NoneType>(type) || isEllipsis(type);
}

int64_t py::countNamed(ArrayRef<Type> items) {
  return llvm::count_if(items, [](Type item) {
    return !isa<NoneType>(item) && !isEllipsis(item);
  });
}

std::optional<unsigned> py::findArrayItem(Type index, ArrayType array) {
  SmallVector<Type> items = getIndexItems(index);
  std::optional<unsigned> found;
  for (auto [position, item] : llvm::enumerate(items)) {
    auto selector = dyn_cast<ArrayType>(item);
    if (!selector && isIndexItem(item))
      continue;
    if (found || !selector || selector.getRank() != 1 ||
        !isa<IntegerType>(selector.getElementType()))
      return std::nullopt;
    found = position;
  }
  bool fits = countNamed(items) <= array.getRank() && !array.getRecord();
  return fits ? found : std::nullopt;
}

static Axis getAxis(Type item) {
  if (isa<NoneType>(item))
    return Axis::New;
  auto slice = dyn_cast<SliceType>(item);
  if (!slice)
    return Axis::Index;
  if (!isa<NoneType>(slice.getStep()))
    return Axis::Strided;
  bool isWhole =
      isa<NoneType>(slice.getLower()) && isa<NoneType>(slice.getUpper());
  return isWhole ? Axis::Whole : Axis::Part;
}

/// True if `outer`, from the dimension with the largest stride on, leaves what
/// is contiguous so.
static bool keepsContiguity(ArrayRef<Type> outer) {
  for (auto [position, item] : llvm::enumerate(outer)) {
    Axis axis = getAxis(item);
    bool isLast = position + 1 == outer.size();
    bool keeps = axis == Axis::Index ||
                 (isLast && (axis == Axis::Whole || axis == Axis::Part));
    if (!keeps)
      return false;
  }
  return true;
}

/// The layout of a view by `left` and `right` of an ellipsis.
static Layout getLayout(ArrayType array, SmallVector<Type> left,
                        SmallVector<Type> right) {
  bool namesAll = countNamed(left) + countNamed(right) == array.getRank();
  bool isC = array.getLayout() == Layout::C;
  if (array.getLayout() == Layout::Any)
    return Layout::Any;
  // Where every dimension is named, the place of the ellipsis does not matter.
  SmallVector<Type> &outer = isC ? left : right, &inner = isC ? right : left;
  if (namesAll) {
    llvm::append_range(left, right);
    outer = SmallVector<Type>(left);
    inner.clear();
  }
  if (!isC)
    std::reverse(outer.begin(), outer.end());
  return inner.empty() && keepsContiguity(outer) ? array.getLayout()
                                                 : Layout::Any;
}

Indexed py::indexArray(ArrayType array, ArrayRef<Type> items) {
  Indexed indexed;
  SmallVector<Type> left, right;
  int64_t unnamed = array.getRank() - countNamed(items);
  auto addWhole = [&] {
    indexed.axes.append(unnamed, {Axis::Whole, std::nullopt});
    unnamed = 0;
  };
  bool hasEllipsis = false;
  for (auto [position, item] : llvm::enumerate(items)) {
    if (isEllipsis(item)) {
      hasEllipsis = true;
      addWhole();
      continue;
    }
    (hasEllipsis ? right : left).push_back(item);
    indexed.axes.push_back({getAxis(item), static_cast<unsigned>(position)});
  }
  addWhole();
  SmallVector<Axis> axes = indexed.getAxisList();
  if (llvm::all_of(axes, [](Axis axis) { return axis == Axis::Index; }))
    indexed.result = array.getElement();
  else
    indexed.result =
        ViewOp::getViewType(array, axes, getLayout(array, left, right));
  return indexed;
}

std::optional<unsigned> py::getAttributeField(ArrayType array, StringRef name) {
  RecordType record = array.getRecord();
  if (!record || (!array.isRecord() && lookupMember(array, name)))
    return std::nullopt;
  return record.find(name);
}

Type py::getFieldValue(ArrayType records, unsigned position) {
  ArrayType field = records.getFieldType(position);
  return field.getRank() == 0 ? field.getElement() : Type(field);
}

Type py::getIterated(ArrayType array) {
  if (array.getRank() == 1)
    return array.getElement();
  return array.withShape(array.getShape().drop_front(), Layout::Any);
}

Type py::getElementOf(Type iterable) {
  if (auto array = dyn_cast<ArrayType>(iterable)) {
    bool isIterable = array.getRank() != 0 && !array.isPointer();
    return isIterable ? getIterated(array) : Type();
  }
  if (auto tuple = dyn_cast<TupleType>(iterable))
    return getCommonItem(tuple);
  auto other = dyn_cast<PythonTypeInterface>(iterable);
  return other ? other.getYielded() : Type();
}
