// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of vectors in memory is that of CUDA's headers.

#include "pyk/Dialect/Py/IR/Vectors.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The most bytes that the address of a vector is a multiple of.
static constexpr int64_t kMostAlignment = 16;

LogicalResult
ShortVectorType::verify(function_ref<InFlightDiagnostic()> emitError, Type base,
                        unsigned length) {
  // vector_c1
  bool isNumber = isa<Float32Type, Float64Type>(base) ||
                  (py::isInteger(base) && !base.isSignlessInteger() &&
                   py::isPythonType(base));
  if (!isNumber)
    return emitError() << "expects components that are signed or unsigned "
                          "integers of 8 to 64 bits, f32 or f64 but got "
                       << base;
  // vector_c2
  if (length == 0 || length > kMaxVectorLength)
    return emitError() << "expects 1 to " << kMaxVectorLength
                       << " components but got " << length;
  return success();
}

Type ShortVectorType::getStored() const {
  int64_t bytes = ArrayType::getBytes(getBase());
  auto fields = llvm::map_to_vector(
      llvm::enumerate(ArrayRef(kComponents).take_front(getLength())),
      [&](auto component) {
        return FieldAttr::get(getContext(), component.value(),
                              int64_t(component.index()) * bytes, {},
                              getBase());
      });
  int64_t size = bytes * getLength();
  bool isWhole = llvm::isPowerOf2_32(getLength());
  return pyk::RecordType::get(getContext(), fields, size,
                              isWhole ? std::min(size, kMostAlignment) : 1);
}

SmallVector<Type> py::getComponents(Type type) {
  if (isReal(type))
    return {type};
  if (auto vector = dyn_cast<ShortVectorType>(type))
    return SmallVector<Type>(vector.getLength(), vector.getBase());
  auto array = dyn_cast<ArrayType>(type);
  if (!array || !array.isRecord())
    return {};
  SmallVector<Type> components;
  for (FieldAttr field : array.getRecord().getFields()) {
    if (!field.getShape().empty() || !isReal(field.getType()))
      return {};
    components.push_back(field.getType());
  }
  return components;
}

bool py::isRecordOf(Type type, ShortVectorType vector) {
  auto record = dyn_cast<pyk::RecordType>(type);
  return record &&
         llvm::equal(record.getFields(),
                     cast<pyk::RecordType>(vector.getStored()).getFields(),
                     [](FieldAttr own, FieldAttr wanted) {
                       return own.getName() == wanted.getName() &&
                              own.getType() == wanted.getType() &&
                              own.getShape().empty();
                     });
}

Type py::getVectorType(BinaryOperator kind, Type lhs, Type rhs) {
  auto vector = dyn_cast<ShortVectorType>(lhs);
  if (!vector)
    vector = cast<ShortVectorType>(rhs);
  Type other = vector == lhs ? rhs : lhs;
  bool hasKind =
      llvm::is_contained(
          {BinaryOperator::Add, BinaryOperator::Sub, BinaryOperator::Mul},
          kind) ||
      (kind == BinaryOperator::TrueDiv && isa<FloatType>(vector.getBase()));
  return hasKind && (other == vector || isReal(other)) ? vector : Type();
}
