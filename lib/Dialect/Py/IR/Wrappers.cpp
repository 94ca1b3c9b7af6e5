// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What types of Python have around others.

#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Type py::unwrapOnce(Type type) {
  auto other = dyn_cast<PythonTypeInterface>(type);
  return other ? other.getInner() : Type();
}

Type py::unwrapAll(Type type) {
  while (Type inner = unwrapOnce(type))
    type = inner;
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return type;
  return TupleType::get(type.getContext(),
                        llvm::map_to_vector(tuple.getTypes(), unwrapAll));
}

Type py::getUnwrapped(Type type) {
  Type inner = unwrapOnce(type);
  return inner ? inner : unwrapAll(type);
}

TupleType py::getTuple(Type type) {
  if (auto named = dyn_cast_if_present<NamedTupleType>(type))
    return named.getItems();
  return dyn_cast_if_present<TupleType>(type);
}

Type py::makeOptional(Type value) {
  if (isa<NoneType, OptionalType>(value))
    return value;
  auto other = dyn_cast<PythonTypeInterface>(value);
  bool isAllowed =
      other ? other.canBeOptional() : isScalar(value) || isa<ArrayType>(value);
  if (TupleType tuple = getTuple(value))
    isAllowed = llvm::all_of(tuple.getTypes(), makeOptional);
  return isAllowed ? OptionalType::get(value.getContext(), value) : Type();
}

StringRef py::getShortName(StringRef name) {
  return name.drop_front(name.rfind('.') + 1);
}
