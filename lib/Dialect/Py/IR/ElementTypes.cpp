// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of elements of arrays that are no numbers of MLIR: times, text,
// floats of 8 bits and CUDA's vectors.

#include "pyk/Support/ElementTypes.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Dialect/Py/IR/Vectors.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

Type TimeType::getStored() const {
  return IntegerType::get(getContext(), 64, IntegerType::Signed);
}

SmallVector<Type> TimeType::getParts() const { return {getStored()}; }

bool TimeType::canBeOptional() const { return true; }

void TimeType::writeDescription(llvm::raw_ostream &os) const {
  os << stringifyTimeKind(getKind()) << "64";
  if (getUnit() != TimeUnit::Generic)
    os << '[' << stringifyTimeUnit(getUnit()) << ']';
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

// chars_c1
LogicalResult CharsType::verify(function_ref<InFlightDiagnostic()> emitError,
                                CharsKind kind, unsigned length) {
  if (length == 0 || length > kMaxTextLength)
    return emitError() << "expects a length from 1 to " << kMaxTextLength
                       << " but got " << length;
  return success();
}

IntegerType CharsType::getCodeType() const {
  return IntegerType::get(getContext(), getKind() == CharsKind::Bytes ? 8 : 32,
                          IntegerType::Unsigned);
}

Type CharsType::getStored() const {
  IntegerType code = getCodeType();
  auto codes = FieldAttr::get(getContext(), "codes", 0, {getLength()}, code);
  return RecordType::get(getContext(), codes,
                         int64_t(getLength()) * code.getWidth() / 8);
}

SmallVector<Type> CharsType::getParts() const {
  return SmallVector<Type>(getLength(), getCodeType());
}

ArrayRef<StringRef> CharsType::getClasses() const {
  return getClassesOfText(getKind());
}

Type CharsType::unifyWith(Type other) const { return unifyTexts(*this, other); }

bool CharsType::canBeOptional() const { return true; }

void CharsType::writeDescription(llvm::raw_ostream &os) const {
  os << stringifyCharsKind(getKind()) << '[' << getLength() << ']';
}

//===----------------------------------------------------------------------===//
// Floats of 8 bits
//===----------------------------------------------------------------------===//

Type Float8Type::getStored() const {
  return IntegerType::get(getContext(), 8, IntegerType::Unsigned);
}

SmallVector<Type> Float8Type::getParts() const { return {getStored()}; }

bool Float8Type::canBeOptional() const { return true; }

void Float8Type::writeDescription(llvm::raw_ostream &os) const {
  std::string type =
      ("!py.float8<" + stringifyFloat8Format(getFormat()) + ">").str();
  for (const ElementType &element : ElementTypes)
    if (element.type == type)
      os << StringRef(element.name);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// The most bytes that the address of a vector is a multiple of, as in CUDA's
/// headers.
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

SmallVector<Type> ShortVectorType::getParts() const {
  return SmallVector<Type>(getLength(), getBase());
}

ArrayRef<StringRef> ShortVectorType::getClasses() const {
  static constexpr StringRef kClasses[] = {"vector"};
  return kClasses;
}

bool ShortVectorType::canBeOptional() const { return true; }

void ShortVectorType::writeDescription(llvm::raw_ostream &os) const {
  os << describe(getBase()) << 'x' << getLength();
}
