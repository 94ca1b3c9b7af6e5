// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dtypes by the names that NumPy has for them, and the comparisons of strings.

#include "pyk/Dialect/Py/IR/Static.h"
#include "mlir/AsmParser/AsmParser.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Support/ElementTypes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The type that NumPy calls `name`, `datetime64[D]` or also `M8[D]`; null if
/// that is no time.
static Type getTime(StringRef name, MLIRContext *context) {
  bool isDate = name.consume_front("datetime64") || name.consume_front("M8");
  if (!isDate && !name.consume_front("timedelta64") &&
      !name.consume_front("m8"))
    return {};
  std::optional<TimeUnit> unit = TimeUnit::Generic;
  if (name.consume_front("[") && name.consume_back("]"))
    unit = name == "generic" ? std::nullopt : symbolizeTimeUnit(name);
  else if (!name.empty())
    return {};
  return unit ? TimeType::get(context,
                              isDate ? TimeKind::Datetime : TimeKind::Timedelta,
                              *unit)
              : TimeType();
}

/// The float of so many `bits` that IEEE 754 describes.
static Type getFloat(unsigned bits, MLIRContext *context) {
  if (bits == 16)
    return Float16Type::get(context);
  return bits == 32 ? Type(Float32Type::get(context))
                    : Type(Float64Type::get(context));
}

static Type makeType(const ElementType &element, MLIRContext *context) {
  unsigned bits = 8 * element.bytes;
  if (!element.inMlDtypes.empty())
    return parseType(element.type, context);
  switch (element.kind) {
  case ElementKind::Bool:
    return IntegerType::get(context, 1);
  case ElementKind::Signed:
    return IntegerType::get(context, bits, IntegerType::Signed);
  case ElementKind::Unsigned:
    return IntegerType::get(context, bits, IntegerType::Unsigned);
  case ElementKind::Float:
    return getFloat(bits, context);
  case ElementKind::Complex:
    return ComplexType::get(getFloat(bits / 2, context));
  }
  llvm_unreachable("all kinds of element are handled");
}

Type py::getDtype(StringRef name, MLIRContext *context) {
  const ElementType *element = findElementType(name);
  return element ? makeType(*element, context) : getTime(name, context);
}

/// NumPy's name for what it also calls `text`, such as `f4`; `text` itself if
/// that is none.
static StringRef getName(StringRef text) {
  for (const ElementType &element : ElementTypes)
    if (element.inMlDtypes.empty() && text.size() > 1 &&
        text[0] == element.getLetter() &&
        text.drop_front() == std::to_string(element.bytes))
      return element.name;
  return llvm::StringSwitch<StringRef>(text)
      .Case("?", "bool")
      .Case("int", "int64")
      .Case("uint", "uint64")
      .Case("float", "float64")
      .Case("complex", "complex128")
      .Default(text);
}

Type py::getNamedDtype(Type type) {
  auto known = dyn_cast<StaticType>(type);
  if (!known)
    return {};
  if (auto dtype = dyn_cast<TypeAttr>(known.getValue()))
    return dtype.getValue();
  StringAttr text = getText(type);
  if (!text)
    return {};
  // The order of bytes that this machine has.
  StringRef name = text.getValue();
  if (!name.empty() && StringRef("=<|").contains(name.front()))
    name = name.drop_front();
  return getDtype(getName(name), type.getContext());
}

Type py::getDtypeObject(Type type) {
  auto known = dyn_cast_if_present<StaticType>(type);
  auto dtype = known ? dyn_cast<TypeAttr>(known.getValue()) : TypeAttr();
  return dtype ? dtype.getValue() : Type();
}

char py::getDtypeKind(Type type) {
  return llvm::TypeSwitch<Type, char>(type)
      .Case([](IntegerType integer) {
        return integer.isSignless() ? 'b' : integer.isSigned() ? 'i' : 'u';
      })
      .Case([](ComplexType) { return 'c'; })
      .Case([](TimeType time) {
        return time.getKind() == TimeKind::Datetime ? 'M' : 'm';
      })
      .Case([](CharsType text) {
        return text.getKind() == CharsKind::Bytes ? 'S' : 'U';
      })
      .Case<Float16Type, Float32Type, Float64Type>([](Type) { return 'f'; })
      // Of records, and of ml_dtypes, which NumPy does not know.
      .Default('V');
}

bool py::isEquality(CompareOperator kind) {
  return kind == CompareOperator::Eq || kind == CompareOperator::Ne ||
         kind == CompareOperator::Is || kind == CompareOperator::IsNot;
}

std::optional<bool> py::compareOrder(CompareOperator kind, int order) {
  switch (kind) {
  case CompareOperator::Eq:
  case CompareOperator::Is:
    return order == 0;
  case CompareOperator::Ne:
  case CompareOperator::IsNot:
    return order != 0;
  case CompareOperator::Lt:
    return order < 0;
  case CompareOperator::Le:
    return order <= 0;
  case CompareOperator::Gt:
    return order > 0;
  case CompareOperator::Ge:
    return order >= 0;
  case CompareOperator::In:
  case CompareOperator::NotIn:
    return std::nullopt;
  }
  llvm_unreachable("all comparisons are handled");
}

StringAttr py::getText(Type type) {
  auto known = dyn_cast<StaticType>(type);
  return known ? dyn_cast<StringAttr>(known.getValue()) : StringAttr();
}

std::optional<bool> py::compareText(CompareOperator kind, Type lhs, Type rhs) {
  if (!isKnownText(lhs) || getCharsKind(lhs) != getCharsKind(rhs) ||
      !isKnownText(rhs))
    return std::nullopt;
  auto getValue = [](Type type) {
    StringAttr text = getText(type);
    return text ? text.getValue()
                : cast<BytesAttr>(cast<StaticType>(type).getValue()).getName();
  };
  StringRef left = getValue(lhs), right = getValue(rhs);
  if (kind == CompareOperator::In)
    return right.contains(left);
  if (kind == CompareOperator::NotIn)
    return !right.contains(left);
  // Bytes of UTF-8 have the order of the characters.
  return compareOrder(kind, left.compare(right));
}
