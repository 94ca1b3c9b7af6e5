// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The array type: syntax, verification and what follows from its parameters.

#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;

#define GET_TYPEDEF_CLASSES
#include "pyk/Dialect/Pyk/IR/PykTypes.cpp.inc"

void PykDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "pyk/Dialect/Pyk/IR/PykTypes.cpp.inc"
      >();
}

/// Parses an enumeration's keyword.
template <typename Enum>
static ParseResult parseKeyword(AsmParser &parser, Enum &value,
                                std::optional<Enum> (*symbolize)(StringRef),
                                StringRef expected) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Enum> parsed = symbolize(keyword);
  if (!parsed)
    return parser.emitError(loc)
           << "expects " << expected << " but got '" << keyword << "'";
  value = *parsed;
  return success();
}

Type ArrayType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  Layout layout;
  Space space = Space::Global;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parseKeyword(parser, layout, symbolizeLayout, "a layout of c, f or any"))
    return {};
  bool readonly = false, hasMore = succeeded(parser.parseOptionalComma());
  if (hasMore && failed(parser.parseOptionalKeyword("readonly"))) {
    if (parseKeyword(
            parser, space, symbolizeSpace,
            "readonly or a space of global, shared, local, constant or "
            "generic"))
      return {};
    hasMore = succeeded(parser.parseOptionalComma());
    readonly = hasMore;
    if (hasMore && parser.parseKeyword("readonly"))
      return {};
  } else {
    readonly = hasMore;
  }
  if (parser.parseGreater())
    return {};
  return ArrayType::getChecked([&] { return parser.emitError(loc); },
                               parser.getContext(), shape, elementType, layout,
                               space, readonly);
}

void ArrayType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getShape()) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
    printer << 'x';
  }
  printer << getElementType() << ", " << stringifyLayout(getLayout());
  if (getSpace() != Space::Global)
    printer << ", " << stringifySpace(getSpace());
  if (getReadonly())
    printer << ", readonly";
  printer << '>';
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> shape, Type elementType,
                                Layout layout, Space space, bool readonly) {
  // array_c1
  bool isKnownInteger = isa<IntegerType>(elementType) &&
                        llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                                           elementType.getIntOrFloatBitWidth());
  if (!isKnownInteger &&
      !isa<Float16Type, Float32Type, Float64Type>(elementType))
    return emitError() << "expects elements that are integers of 1, 8, 16, 32 "
                          "or 64 bits or floats of 16, 32 or 64 bits but got "
                       << elementType;
  // array_c2
  if (shape.size() > 32)
    return emitError() << "expects at most 32 dimensions but got "
                       << shape.size();
  // array_c3
  if (readonly && space != Space::Global && space != Space::Generic)
    return emitError()
           << "expects a readonly array in global or generic memory "
              "but got "
           << stringifySpace(space);
  return success();
}

bool ArrayType::hasStaticShape() const {
  return llvm::none_of(getShape(), ShapedType::isDynamic);
}

int64_t ArrayType::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : getShape())
    count *= extent;
  return count;
}

int64_t ArrayType::getElementBytes() const {
  return llvm::divideCeil(getElementType().getIntOrFloatBitWidth(), 8);
}

ArrayType ArrayType::withElementType(Type elementType) const {
  return ArrayType::get(getContext(), getShape(), elementType, getLayout(),
                        getSpace(), getReadonly());
}

ArrayType ArrayType::withShape(ArrayRef<int64_t> shape, Layout layout) const {
  return ArrayType::get(getContext(), shape, getElementType(), layout,
                        getSpace(), getReadonly());
}

ArrayType ArrayType::unifyWith(ArrayType other) const {
  if (*this == other)
    return other;
  if (getElementType() != other.getElementType() ||
      getRank() != other.getRank())
    return {};
  SmallVector<int64_t> shape(getShape());
  for (auto [extent, otherExtent] : llvm::zip(shape, other.getShape()))
    extent = extent == otherExtent ? extent : kDynamic;
  Layout layout = getLayout() == other.getLayout() ? getLayout() : Layout::Any;
  Space space = getSpace() == other.getSpace() ? getSpace() : Space::Generic;
  bool readonly =
      space != Space::Constant && (isReadOnly() || other.isReadOnly());
  return ArrayType::get(getContext(), shape, getElementType(), layout, space,
                        readonly);
}
