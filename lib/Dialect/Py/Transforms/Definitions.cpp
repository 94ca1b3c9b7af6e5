// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts: how they are made, and how they unify.

#include "Definitions.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Fact py::makeConstant(Attribute value) {
  MLIRContext *context = value.getContext();
  Fact fact;
  if (auto integer = dyn_cast<IntAttr>(value)) {
    fact.type = integer.getValue().getType();
    fact.constant = value;
    fact.isLiteral = true;
  } else if (isa<BoolAttr>(value)) {
    fact.type = IntegerType::get(context, 1);
    fact.constant = value;
    fact.isLiteral = true;
  } else if (isa<NoneAttr>(value)) {
    fact.type = NoneType::get(context);
  } else if (auto tuple = dyn_cast<ArrayAttr>(value)) {
    SmallVector<Type> types;
    SmallVector<Attribute> items;
    for (Attribute item : tuple) {
      Fact known = makeConstant(item);
      types.push_back(known.type);
      items.push_back(known.constant ? known.constant : UnitAttr::get(context));
    }
    fact.type = TupleType::get(context, types);
    fact.constant = makeTupleConstant(context, items);
    fact.isLiteral = fact.constant != nullptr;
  } else if (auto named = dyn_cast<NamedTupleAttr>(value)) {
    fact = makeConstant(named.getItems());
    fact.type = NamedTupleType::get(context, named.getName(), named.getFields(),
                                    cast<TupleType>(fact.type));
  } else if (auto member = dyn_cast<EnumMemberAttr>(value)) {
    // Its value is known, but to Numba it is no literal.
    fact = makeConstant(member.getValue());
    fact.type = EnumType::get(context, member.getName(), fact.type,
                              member.getInteger());
    fact.isLiteral = false;
  } else if (isa<FloatAttr, IntegerAttr, complex::NumberAttr>(value)) {
    // A NumPy scalar keeps its type and is no literal; nor are floats and
    // complex numbers.
    fact.type = cast<TypedAttr>(value).getType();
  } else if (auto array = dyn_cast<DenseElementsAttr>(value)) {
    fact.type =
        ArrayType::get(context, array.getType().getShape(),
                       array.getElementType(), Layout::C, Space::Constant);
  } else if (auto array = dyn_cast<DeviceArrayAttr>(value)) {
    fact.type = array.getType();
  } else if (auto stored = dyn_cast<StoredAttr>(value)) {
    fact.type = stored.getType();
  } else if (auto stored = dyn_cast<StoredArrayAttr>(value)) {
    fact.type = stored.getArrayType();
  } else {
    fact.type = StaticType::get(context, value);
  }
  return fact;
}

Attribute py::makeTupleConstant(MLIRContext *context,
                                ArrayRef<Attribute> items) {
  return llvm::all_of(items, llvm::IsaPred<UnitAttr>)
             ? Attribute()
             : ArrayAttr::get(context, items);
}

Fact py::makeTuple(MLIRContext *context, ArrayRef<Fact> items) {
  SmallVector<Type> types;
  SmallVector<Attribute> constants;
  Fact result;
  result.isLiteral = true;
  for (const Fact &item : items) {
    types.push_back(item.type);
    constants.push_back(item.constant ? item.constant : UnitAttr::get(context));
    result.isLiteral &= !item.constant || item.isLiteral;
  }
  result.type = TupleType::get(context, types);
  result.constant = makeTupleConstant(context, constants);
  result.isLiteral &= result.constant != nullptr;
  return result;
}

Fact py::getTupleItem(const Fact &tuple, unsigned position) {
  Fact item = makeTyped(getTuple(tuple.type).getType(position));
  auto items = dyn_cast_if_present<ArrayAttr>(tuple.constant);
  if (items && !isa<UnitAttr>(items[position])) {
    item.constant = items[position];
    item.isLiteral = tuple.isLiteral;
  }
  return item;
}

/// What two values known while compiling have in common; null for nothing.
static Attribute meetConstants(Attribute a, Attribute b) {
  if (a == b)
    return a;
  auto left = dyn_cast_if_present<ArrayAttr>(a);
  auto right = dyn_cast_if_present<ArrayAttr>(b);
  if (!left || !right || left.size() != right.size())
    return {};
  SmallVector<Attribute> items;
  for (auto [x, y] : llvm::zip(left, right)) {
    Attribute item = meetConstants(x, y);
    items.push_back(item ? item : UnitAttr::get(x.getContext()));
  }
  return makeTupleConstant(a.getContext(), items);
}

Fact py::unify(const Fact &a, const Fact &b) {
  if (!a.type || !b.type)
    return a.type ? a : b;
  Fact result = makeTyped(unify(a.type, b.type));
  if (a.type == b.type) {
    result.constant = meetConstants(a.constant, b.constant);
    result.isLiteral = result.constant && a.isLiteral && b.isLiteral;
  }
  return result;
}
