// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No address is `inbounds` and no product claims not to wrap: an index that is
// out of range means the address that it computes, as in CUDA.

#include "ArrayValue.h"

using namespace mlir;
using namespace pyk;

static int64_t countDynamic(ArrayRef<int64_t> shape) {
  return llvm::count_if(shape, ShapedType::isDynamic);
}

/// Whether the converted array is the pointer alone.
static bool isBarePointer(ArrayType type) {
  return type.getLayout() != Layout::Any && type.hasStaticShape();
}

Type pyk::getMemoryType(Type element) {
  if (auto number = dyn_cast<ComplexType>(element))
    return VectorType::get(2, number.getElementType());
  auto byte = IntegerType::get(element.getContext(), 8);
  if (auto record = dyn_cast<RecordType>(element))
    return LLVM::LLVMArrayType::get(byte, record.getSize());
  return element.isInteger(1) ? byte : element;
}

FailureOr<Value> pyk::getAddress(AccessOpInterface access, Value array) {
  if (!access.getIndices().empty())
    return access->emitOpError("cannot have indices here; run "
                               "pyk-expand-addresses before this pass");
  return array;
}

Type pyk::convertArrayType(ArrayType type) {
  MLIRContext *context = type.getContext();
  auto pointer =
      LLVM::LLVMPointerType::get(context, getAddressSpace(type.getSpace()));
  if (isBarePointer(type))
    return pointer;
  int64_t sizes = countDynamic(type.getShape());
  if (type.getLayout() == Layout::Any)
    sizes += type.getRank();
  SmallVector<Type> fields(1 + sizes, IntegerType::get(context, 64));
  fields.front() = pointer;
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

Value ArrayValue::getField(int64_t position) {
  return LLVM::ExtractValueOp::create(builder, value, position);
}

Value ArrayValue::getConstant(int64_t number) {
  return LLVM::ConstantOp::create(builder, builder.getI64Type(), number);
}

Value ArrayValue::getPointer() {
  return isBarePointer(type) ? value : getField(0);
}

Value ArrayValue::getExtent(int64_t dimension) {
  int64_t extent = type.getShape()[dimension];
  if (!ShapedType::isDynamic(extent))
    return getConstant(extent);
  return getField(1 + countDynamic(type.getShape().take_front(dimension)));
}

Value ArrayValue::getStride(int64_t dimension) {
  if (type.getLayout() == Layout::Any)
    return getField(1 + countDynamic(type.getShape()) + dimension);
  int64_t first = 0, last = dimension;
  if (type.getLayout() == Layout::C) {
    first = dimension + 1;
    last = type.getRank();
  }
  Value stride = getConstant(type.getElementBytes());
  for (; first < last; ++first)
    stride = LLVM::MulOp::create(builder, stride, getExtent(first));
  return stride;
}

Value ArrayValue::getElement(Value offset) {
  Type unit = type.getLayout() == Layout::Any
                  ? builder.getI8Type()
                  : getMemoryType(type.getElementType());
  Value pointer = getPointer();
  return LLVM::GEPOp::create(builder, pointer.getType(), unit, pointer,
                             ArrayRef<LLVM::GEPArg>(offset));
}

Value ArrayValue::advance(Value pointer, int64_t dimension, Value index) {
  Value bytes = LLVM::MulOp::create(builder, index, getStride(dimension));
  return LLVM::GEPOp::create(builder, pointer.getType(), builder.getI8Type(),
                             pointer, ArrayRef<LLVM::GEPArg>(bytes));
}

Value ArrayValue::make(ArrayType type, Value pointer, ValueRange extents,
                       ValueRange strides, ImplicitLocOpBuilder &builder) {
  if (isBarePointer(type))
    return pointer;
  SmallVector<Value> fields{pointer};
  llvm::append_range(fields, extents);
  llvm::append_range(fields, strides);
  Value array = LLVM::PoisonOp::create(builder, convertArrayType(type));
  for (auto [position, field] : llvm::enumerate(fields))
    array = LLVM::InsertValueOp::create(builder, array, field,
                                        static_cast<int64_t>(position));
  return array;
}
