// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of what loops run over.

#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

static Type getInt64(MLIRContext *context) {
  return IntegerType::get(context, 64, IntegerType::Signed);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

SmallVector<Type> RangeType::getParts() const {
  return SmallVector<Type>(3, getElementType());
}

ArrayRef<StringRef> RangeType::getClasses() const {
  static constexpr StringRef kClasses[] = {"range"};
  return kClasses;
}

Type RangeType::getYielded() const { return getElementType(); }

Type RangeType::unifyWith(Type other) const {
  auto range = dyn_cast<RangeType>(other);
  if (!range)
    return {};
  // Signed and unsigned elements meet in a float, but are counted as int64.
  auto element =
      dyn_cast<IntegerType>(unify(getElementType(), range.getElementType()));
  return get(getContext(),
             element ? element : cast<IntegerType>(getInt64(getContext())));
}

void RangeType::writeDescription(llvm::raw_ostream &os) const {
  os << "range of " << describe(getElementType());
}

//===----------------------------------------------------------------------===//
// Python's zip, enumerate and iter
//===----------------------------------------------------------------------===//

SmallVector<Type> ZipType::getParts() const {
  return SmallVector<Type>(getSources());
}

Type ZipType::getYielded() const {
  return TupleType::get(getContext(),
                        llvm::map_to_vector(getSources(), getElementOf));
}

void ZipType::writeDescription(llvm::raw_ostream &os) const { os << "zip"; }

SmallVector<Type> EnumerateType::getParts() const {
  return {getSource(), IntegerType::get(getContext(), 64)};
}

Type EnumerateType::getYielded() const {
  return TupleType::get(getContext(),
                        {getInt64(getContext()), getElementOf(getSource())});
}

void EnumerateType::writeDescription(llvm::raw_ostream &os) const {
  os << "enumerate";
}

SmallVector<Type> IteratorType::getParts() const {
  // Its position is in memory, which copies share.
  return {getSource(),
          ArrayType::get(getContext(), {1}, IntegerType::get(getContext(), 64),
                         Layout::C, Space::Local)};
}

Type IteratorType::getYielded() const { return getElementOf(getSource()); }

void IteratorType::writeDescription(llvm::raw_ostream &os) const {
  os << "iterator over " << describe(getSource());
}

//===----------------------------------------------------------------------===//
// NumPy's ndindex, nditer and flat
//===----------------------------------------------------------------------===//

SmallVector<Type> NdIndexType::getParts() const {
  return SmallVector<Type>(getRank(), IntegerType::get(getContext(), 64));
}

Type NdIndexType::getYielded() const {
  return TupleType::get(getContext(),
                        SmallVector<Type>(getRank(), getInt64(getContext())));
}

void NdIndexType::writeDescription(llvm::raw_ostream &os) const {
  os << "numpy.ndindex";
}

SmallVector<Type> NdIterType::getParts() const {
  return SmallVector<Type>(getArrays());
}

Type NdIterType::getYielded() const {
  SmallVector<Type> views;
  for (Type array : getArrays())
    views.push_back(cast<ArrayType>(array).withShape({}, Layout::C));
  return views.size() == 1 ? views[0] : TupleType::get(getContext(), views);
}

void NdIterType::writeDescription(llvm::raw_ostream &os) const {
  os << "numpy.nditer";
}

SmallVector<Type> FlatType::getParts() const { return {getArray()}; }

Type FlatType::getYielded() const {
  return cast<ArrayType>(getArray()).getElement();
}

void FlatType::writeDescription(llvm::raw_ostream &os) const {
  os << "'flat' of " << describe(getArray());
}
