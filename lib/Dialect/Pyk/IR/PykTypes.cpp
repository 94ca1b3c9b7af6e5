// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays and records: syntax, verification and what follows from parameters.

#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;

#include "pyk/Dialect/Pyk/IR/PykTypeInterfaces.cpp.inc"
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

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

Type RecordType::parse(AsmParser &parser) {
  SmallVector<FieldAttr> fields;
  int64_t size, alignment = 1;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  while (failed(parser.parseOptionalKeyword("size"))) {
    fields.push_back(FieldAttr::parseBare(parser));
    if (!fields.back() || parser.parseComma())
      return {};
  }
  if (parser.parseInteger(size))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("align") || parser.parseInteger(alignment)))
    return {};
  if (parser.parseGreater())
    return {};
  return RecordType::getChecked([&] { return parser.emitError(loc); },
                                parser.getContext(), fields, size, alignment);
}

void RecordType::print(AsmPrinter &printer) const {
  printer << '<';
  for (FieldAttr field : getFields()) {
    field.printBare(printer);
    printer << ", ";
  }
  printer << "size " << getSize();
  if (getAlignment() != 1)
    printer << ", align " << getAlignment();
  printer << '>';
}

LogicalResult RecordType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<FieldAttr> fields, int64_t size,
                                 int64_t alignment) {
  if (size < 1)
    return emitError() << "expects a size of 1 or more but got " << size;
  llvm::SmallDenseSet<StringRef> names;
  for (FieldAttr field : fields) {
    // record_c1
    if (!isa<NoneType>(field.getType()) &&
        !ArrayType::isElement(field.getType()))
      return emitError()
             << "expects fields of numbers, records or none but got " << field;
    // record_c2
    int64_t bytes = isa<NoneType>(field.getType())
                        ? 0
                        : ArrayType::getBytes(field.getType());
    bool overflows = false;
    for (int64_t extent : field.getShape())
      overflows |= extent < 0 || llvm::MulOverflow(bytes, extent, bytes);
    if (overflows || field.getOffset() < 0 || field.getOffset() > size ||
        bytes > size - field.getOffset())
      return emitError() << "expects fields within " << size
                         << " bytes but got " << field;
    // record_c3
    if (!names.insert(field.getName()).second)
      return emitError() << "expects fields of different names but got two of '"
                         << field.getName() << "'";
  }
  // record_c4
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment) || size % alignment != 0)
    return emitError()
           << "expects an alignment of a power of two that divides the size, "
           << size << ", but got " << alignment;
  return success();
}

std::optional<unsigned> RecordType::find(StringRef name) const {
  for (auto [position, field] : llvm::enumerate(getFields()))
    if (field.getName() == name)
      return position;
  return std::nullopt;
}

RecordType RecordType::mapTypes(llvm::function_ref<Type(Type)> convert) const {
  auto fields = llvm::map_to_vector(getFields(), [&](FieldAttr field) {
    return FieldAttr::get(getContext(), field.getName(), field.getOffset(),
                          field.getShape(), convert(field.getType()));
  });
  return RecordType::get(getContext(), fields, getSize(), getAlignment());
}

//===----------------------------------------------------------------------===//
// Arrays: syntax and verification
//===----------------------------------------------------------------------===//

/// Parses what follows the layout of an array.
static ParseResult parseRest(AsmParser &parser, Space &space, bool &readonly,
                             std::optional<int64_t> &alignment) {
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("readonly"))) {
      readonly = true;
      continue;
    }
    if (succeeded(parser.parseOptionalKeyword("align"))) {
      if (parser.parseInteger(alignment.emplace()))
        return failure();
      continue;
    }
    if (parseKeyword(
            parser, space, symbolizeSpace,
            "readonly, align or a space of global, shared, local, constant or "
            "generic"))
      return failure();
  }
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
  bool readonly = false;
  std::optional<int64_t> alignment;
  if (parseRest(parser, space, readonly, alignment) || parser.parseGreater())
    return {};
  // What is no element has no alignment, and is refused.
  if (!alignment)
    alignment = isElement(elementType) ? getNaturalAlignment(elementType) : 1;
  return ArrayType::getChecked([&] { return parser.emitError(loc); },
                               parser.getContext(), shape, elementType, layout,
                               space, readonly, *alignment);
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
  if (getAlignment() != getNaturalAlignment(getElementType()))
    printer << ", align " << getAlignment();
  printer << '>';
}

/// The most that an address can be known to be a multiple of.
static int64_t getMostAlignment(Type elementType, size_t rank, Layout layout) {
  int64_t natural = ArrayType::getNaturalAlignment(elementType);
  bool areNeighbours = rank != 0 && layout != Layout::Any;
  return areNeighbours ? natural : std::max(natural, kLaunchAlignment);
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> shape, Type elementType,
                                Layout layout, Space space, bool readonly,
                                int64_t alignment) {
  // array_c1
  if (!isElement(elementType))
    return emitError() << "expects elements that are integers of 1, 8, 16, 32 "
                          "or 64 bits, floats of 16, 32 or 64 bits, complex "
                          "with parts of 32 or 64 bits or records but got "
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
  // array_c4
  int64_t most = getMostAlignment(elementType, shape.size(), layout);
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment) || alignment > most)
    return emitError() << "expects an alignment of a power of two up to "
                       << most << " but got " << alignment;
  return success();
}

bool pyk::isFloatElement(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

bool pyk::isComplexElement(Type type) {
  auto number = dyn_cast<ComplexType>(type);
  return number && isa<Float32Type, Float64Type>(number.getElementType());
}

//===----------------------------------------------------------------------===//
// Arrays: what follows from the parameters
//===----------------------------------------------------------------------===//

/// The largest power of two that is a factor of `number`, which is not 0.
static int64_t getPowerOf2In(int64_t number) { return number & -number; }

bool ArrayType::isElement(Type type) {
  if (auto other = dyn_cast<StoredTypeInterface>(type))
    return isElement(other.getStored());
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isFloatElement(type) || isComplexElement(type) ||
         isa<RecordType>(type);
}

int64_t ArrayType::getBytes(Type type) {
  if (auto other = dyn_cast<StoredTypeInterface>(type))
    return getBytes(other.getStored());
  if (auto record = dyn_cast<RecordType>(type))
    return record.getSize();
  if (auto number = dyn_cast<ComplexType>(type))
    return 2 * getBytes(number.getElementType());
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

int64_t ArrayType::getNaturalAlignment(Type type) {
  if (auto other = dyn_cast<StoredTypeInterface>(type))
    return getNaturalAlignment(other.getStored());
  if (auto number = dyn_cast<ComplexType>(type))
    return getNaturalAlignment(number.getElementType());
  auto record = dyn_cast<RecordType>(type);
  if (!record)
    return getBytes(type);
  int64_t alignment = 1;
  for (FieldAttr field : record.getFields())
    if (!isa<NoneType>(field.getType()))
      alignment = std::max(alignment, getNaturalAlignment(field.getType()));
  return std::max(std::min(alignment, getPowerOf2In(record.getSize())),
                  record.getAlignment());
}

Type ArrayType::getElement() const {
  return getRecord() ? Type(getElementView()) : getElementType();
}

bool ArrayType::hasStaticShape() const {
  return llvm::none_of(getShape(), ShapedType::isDynamic);
}

bool ArrayType::isPointer() const {
  return getRank() == 1 && getLayout() == Layout::C &&
         getShape().front() == kPointerExtent;
}

int64_t ArrayType::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : getShape())
    count *= extent;
  return count;
}

int64_t ArrayType::getElementBytes() const {
  return getBytes(getElementType());
}

ArrayType ArrayType::withElementType(Type elementType) const {
  return ArrayType::get(getContext(), getShape(), elementType, getLayout(),
                        getSpace(), getReadonly(), getAlignment());
}

ArrayType ArrayType::withShape(ArrayRef<int64_t> shape, Layout layout) const {
  int64_t most = getMostAlignment(getElementType(), shape.size(), layout);
  return ArrayType::get(getContext(), shape, getElementType(), layout,
                        getSpace(), getReadonly(),
                        std::min(getAlignment(), most));
}

ArrayType ArrayType::withAlignment(int64_t alignment) const {
  return ArrayType::get(getContext(), getShape(), getElementType(), getLayout(),
                        getSpace(), getReadonly(), alignment);
}

SmallVector<FieldAttr> ArrayType::getFields() const {
  if (RecordType record = getRecord())
    return SmallVector<FieldAttr>(record.getFields());
  auto number = dyn_cast<ComplexType>(getElementType());
  if (!number)
    return {};
  Type part = number.getElementType();
  return {FieldAttr::get(getContext(), "real", 0, {}, part),
          FieldAttr::get(getContext(), "imag", getBytes(part), {}, part)};
}

ArrayType ArrayType::getFieldType(unsigned position) const {
  FieldAttr field = getFields()[position];
  SmallVector<int64_t> shape(getShape());
  llvm::append_range(shape, field.getShape());
  int64_t most = getNaturalAlignment(field.getType());
  if (RecordType record = getRecord())
    most = std::max(most, record.getAlignment());
  int64_t alignment = std::min(getAlignment(), most);
  if (field.getOffset() != 0)
    alignment = std::min(alignment, getPowerOf2In(field.getOffset()));
  return ArrayType::get(getContext(), shape, field.getType(),
                        getRank() == 0 ? Layout::C : Layout::Any, getSpace(),
                        getReadonly(), alignment);
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
                        readonly,
                        std::min(getAlignment(), other.getAlignment()));
}
