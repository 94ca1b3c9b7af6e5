// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of Python as values.

#include "Constants.h"
#include "ComplexNumbers.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// What kernels know of an array of `type`, which `make` makes of its part.
static Binding makeArray(ArrayType type,
                         llvm::function_ref<Value(ArrayType)> make) {
  SmallVector<Type, 1> parts;
  appendPartTypes(type, parts);
  return {type, {make(cast<ArrayType>(parts.front()))}};
}

/// `elements` as an array of type `own` has them: of records their bytes, in
/// one more dimension.
static DenseElementsAttr getElements(DenseElementsAttr elements,
                                     ArrayType own) {
  if (own.getRecord())
    return elements;
  auto tensor = RankedTensorType::get(own.getShape(), own.getElementType());
  if (elements.getType() == tensor)
    return elements;
  ArrayRef<char> data = elements.getRawData();
  bool isOfBytes = elements.getType().getRank() != tensor.getRank();
  if (!isOfBytes || !elements.isSplat())
    return DenseElementsAttr::getFromRawBuffer(tensor, data);
  // Bytes that are all equal are kept as one.
  SmallVector<char> all(elements.getNumElements(), data.front());
  return DenseElementsAttr::getFromRawBuffer(tensor, all);
}

Binding py::makeConstant(OpBuilder &builder, Attribute value, Location loc) {
  auto makeTyped = [&](Type type, TypedAttr typed) -> Binding {
    return {type, {arith::ConstantOp::create(builder, loc, typed)}};
  };
  auto signless = [&](IntegerAttr integer) {
    return builder.getIntegerAttr(
        IntegerType::get(builder.getContext(),
                         integer.getValue().getBitWidth()),
        integer.getValue());
  };
  if (auto integer = dyn_cast<IntAttr>(value))
    return makeTyped(integer.getValue().getType(),
                     signless(integer.getValue()));
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return makeTyped(integer.getType(), signless(integer));
  if (auto real = dyn_cast<FloatAttr>(value))
    return makeTyped(real.getType(), real);
  if (auto number = dyn_cast<mlir::complex::NumberAttr>(value))
    return {number.getType(), {makeComplexConstant(builder, number, loc)}};
  if (auto stored = dyn_cast<StoredAttr>(value))
    return {stored.getType(),
            makeConstant(builder, stored.getValue(), loc).parts};
  if (isa<NoneAttr>(value))
    return {NoneType::get(builder.getContext()), {}};
  if (auto named = dyn_cast<NamedTupleAttr>(value)) {
    Binding items = makeConstant(builder, named.getItems(), loc);
    items.type =
        NamedTupleType::get(builder.getContext(), named.getName(),
                            named.getFields(), cast<TupleType>(items.type));
    return items;
  }
  if (auto member = dyn_cast<EnumMemberAttr>(value)) {
    Binding result = makeConstant(builder, member.getValue(), loc);
    result.type = EnumType::get(builder.getContext(), member.getName(),
                                result.type, member.getInteger());
    return result;
  }
  if (auto items = dyn_cast<ArrayAttr>(value)) {
    Binding result;
    SmallVector<Type> types;
    for (Attribute item : items) {
      Binding part = makeConstant(builder, item, loc);
      types.push_back(part.type);
      llvm::append_range(result.parts, part.parts);
    }
    result.type = TupleType::get(builder.getContext(), types);
    return result;
  }
  if (auto array = dyn_cast<DeviceArrayAttr>(value))
    return makeArray(array.getType(), [&](ArrayType own) {
      return pyk::DeviceArrayOp::create(builder, loc, own, array.getAddress(),
                                        array.getStrides());
    });
  auto makeTable = [&](DenseElementsAttr elements, ArrayType type) {
    return makeArray(type, [&](ArrayType own) {
      return pyk::ConstantArrayOp::create(builder, loc, own,
                                          getElements(elements, own));
    });
  };
  if (auto stored = dyn_cast<StoredArrayAttr>(value))
    return makeTable(stored.getBytes(), stored.getArrayType());
  if (auto array = dyn_cast<DenseElementsAttr>(value))
    return makeTable(array, ArrayType::get(builder.getContext(),
                                           array.getType().getShape(),
                                           array.getElementType(), Layout::C,
                                           Space::Constant));
  return {StaticType::get(builder.getContext(), value), {}};
}
