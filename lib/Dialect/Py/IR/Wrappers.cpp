// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes are nominal: two namedtuples with the same fields are two types.

#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Type py::unwrapOnce(Type type) {
  return llvm::TypeSwitch<Type, Type>(type)
      .Case([](NamedTupleType tuple) { return tuple.getItems(); })
      .Case([](EnumType member) {
        return member.getInteger() ? member.getValue() : Type();
      })
      .Case([](OptionalType optional) { return optional.getValue(); })
      .Default(Type());
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
  bool isAllowed =
      isNumberOrTime(value) || isa<ArrayType, CharsType, EnumType, Float8Type,
                                   StaticType, ShortVectorType>(value);
  if (TupleType tuple = getTuple(value))
    isAllowed = llvm::all_of(tuple.getTypes(), makeOptional);
  return isAllowed ? OptionalType::get(value.getContext(), value) : Type();
}

Type py::unifyWrapped(Type a, Type b) {
  if (isa<NoneType>(a) || isa<NoneType>(b))
    return makeOptional(isa<NoneType>(a) ? b : a);
  auto optionalA = dyn_cast<OptionalType>(a);
  auto optionalB = dyn_cast<OptionalType>(b);
  if (optionalA || optionalB) {
    Type value = unify(optionalA ? optionalA.getValue() : a,
                       optionalB ? optionalB.getValue() : b);
    return value ? makeOptional(value) : value;
  }
  auto namedA = dyn_cast<NamedTupleType>(a);
  auto namedB = dyn_cast<NamedTupleType>(b);
  if (namedA && namedB && namedA.getName() == namedB.getName() &&
      namedA.getFields() == namedB.getFields()) {
    Type items = unify(namedA.getItems(), namedB.getItems());
    return items
               ? NamedTupleType::get(a.getContext(), namedA.getName(),
                                     namedA.getFields(), cast<TupleType>(items))
               : items;
  }
  if (Type joined = joinTexts(a, b))
    return joined;
  // Integers of different enumerations are just integers, and so are texts.
  auto getOwn = [](Type type) {
    auto member = dyn_cast<EnumType>(type);
    return member && member.getInteger() ? member.getValue() : type;
  };
  Type ownA = getOwn(a), ownB = getOwn(b);
  return isScalar(ownA) && isScalar(ownB) ? unify(ownA, ownB)
                                          : unifyTexts(ownA, ownB);
}

StringRef py::getShortName(StringRef name) {
  return name.drop_front(name.rfind('.') + 1);
}
