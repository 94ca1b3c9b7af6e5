// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of vectors in memory is that of CUDA's headers.

#include "pyk/Dialect/Py/IR/Vectors.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

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
