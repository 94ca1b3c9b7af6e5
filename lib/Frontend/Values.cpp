// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile-time objects of an `ast` buffer. Numbers come as text, so that every
// 64-bit integer and every bit of a float survives.

#include "Values.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyAttributes.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "llvm/Support/Base64.h"

using namespace mlir;
using namespace pyk::py;
namespace json = llvm::json;

static Attribute malformed(Location loc, const Twine &what) {
  emitError(loc) << "malformed ast buffer: " << what;
  return {};
}

/// The type that `text` spells; null if it spells none.
static Type parseTypeOrNull(StringRef text, MLIRContext *context) {
  // The parser's own message would be about a place within the text.
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  return text.empty() ? Type() : parseType(text, context);
}

/// The type that a dtype's name means, which of a record or of text is its
/// type; null for one that kernels do not have.
static Type getDtypeOrOwn(StringRef name, MLIRContext *context) {
  if (name.starts_with("!")) {
    Type type = parseTypeOrNull(name, context);
    return type && pyk::ArrayType::isElement(type) ? type : Type();
  }
  return pyk::py::getDtype(name, context);
}

/// More digits than any 64-bit integer has.
static constexpr size_t kMaxDigits = 40;

/// A Python int: int64 if it fits, else uint64, else an object that only a
/// use makes an error.
static Attribute importInt(StringRef text, MLIRContext *context, Location loc) {
  APInt value;
  bool negative = text.consume_front("-");
  if (text.size() > kMaxDigits && llvm::all_of(text, llvm::isDigit))
    return ObjectAttr::get(context, "int of more than 64 bits");
  if (text.empty() || text.getAsInteger(10, value))
    return malformed(loc, "expects an integer but got '" + text + "'");
  value = value.zext(std::max(value.getBitWidth() + 1, 66u));
  if (negative)
    value.negate();
  bool isSigned = value.isSignedIntN(64);
  if (!isSigned && !value.isIntN(64))
    return ObjectAttr::get(context, "int of more than 64 bits");
  Type type = IntegerType::get(
      context, 64, isSigned ? IntegerType::Signed : IntegerType::Unsigned);
  return IntAttr::get(context, IntegerAttr::get(type, value.trunc(64)));
}

/// A float written by `float.hex()`, or inf, -inf, nan.
static FailureOr<APFloat> parseFloat(StringRef text) {
  const llvm::fltSemantics &semantics = APFloat::IEEEdouble();
  if (text == "inf" || text == "-inf")
    return APFloat::getInf(semantics, text.front() == '-');
  if (text == "nan")
    return APFloat::getNaN(semantics);
  APFloat value(semantics);
  auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (auto error = status.takeError()) {
    llvm::consumeError(std::move(error));
    return failure();
  }
  return value;
}

/// A complex number of type `type`, whose parts are written as floats are.
static Attribute importComplex(const json::Object &value, ComplexType type,
                               Location loc) {
  SmallVector<double, 2> parts;
  for (StringRef key : {"re", "im"}) {
    StringRef text = value.getString(key).value_or("");
    FailureOr<APFloat> part = parseFloat(text);
    if (failed(part))
      return malformed(loc, "expects a float as '" + key + "' but got '" +
                                text + "'");
    parts.push_back(part->convertToDouble());
  }
  return complex::NumberAttr::get(type, parts[0], parts[1]);
}

/// A NumPy scalar.
static Attribute importScalar(const json::Object &value, Location loc) {
  MLIRContext *context = loc.getContext();
  StringRef name = value.getString("dtype").value_or("");
  Type type = getDtypeOrOwn(name, context);
  auto other = dyn_cast_if_present<pyk::StoredTypeInterface>(type);
  Type stored = other ? other.getStored() : type;
  if (!stored || isa<pyk::RecordType>(stored))
    return ObjectAttr::get(context, name);
  if (type.isInteger(1))
    return BoolAttr::get(context, value.getBoolean("v").value_or(false));
  if (auto number = dyn_cast<ComplexType>(type))
    return importComplex(value, number, loc);
  StringRef text = value.getString("v").value_or("");
  if (isa<FloatType>(type)) {
    FailureOr<APFloat> number = parseFloat(text);
    if (failed(number))
      return malformed(loc, "expects a float but got '" + text + "'");
    bool losesInfo;
    number->convert(cast<FloatType>(type).getFloatSemantics(),
                    APFloat::rmNearestTiesToEven, &losesInfo);
    return FloatAttr::get(type, *number);
  }
  auto integer = dyn_cast_if_present<IntAttr>(importInt(text, context, loc));
  if (!integer)
    return malformed(loc, "expects an integer but got '" + text + "'");
  APInt bits =
      integer.getValue().getValue().trunc(stored.getIntOrFloatBitWidth());
  auto result = IntegerAttr::get(stored, bits);
  return other ? Attribute(StoredAttr::get(context, result, type)) : result;
}

/// Most dimensions that arrays of kernels have.
static constexpr size_t kMaxRank = 32;

/// A NumPy array, frozen.
static Attribute importArray(const json::Object &value, Location loc) {
  MLIRContext *context = loc.getContext();
  StringRef name = value.getString("dtype").value_or("");
  Type type = getDtypeOrOwn(name, context);
  if (!type)
    return ObjectAttr::get(context, ("array of " + name).str());
  SmallVector<int64_t> shape;
  int64_t count = 1;
  if (const json::Array *extents = value.getArray("shape"))
    for (const json::Value &extent : *extents) {
      shape.push_back(extent.getAsInteger().value_or(-1));
      if (shape.back() < 0 || llvm::MulOverflow(count, shape.back(), count))
        return malformed(loc, "expects extents in 'shape'");
    }
  if (shape.size() > kMaxRank)
    return malformed(loc, "expects at most " + Twine(kMaxRank) +
                              " extents in 'shape'");
  std::vector<char> data;
  if (auto error =
          llvm::decodeBase64(value.getString("data").value_or(""), data)) {
    llvm::consumeError(std::move(error));
    return malformed(loc, "expects base64 as 'data'");
  }
  int64_t bytes = pyk::ArrayType::getBytes(type);
  if (static_cast<int64_t>(data.size()) != count * bytes)
    return malformed(loc, "expects " + Twine(count * bytes) +
                              " bytes as 'data' but got " + Twine(data.size()));
  if (isa<pyk::RecordType, pyk::StoredTypeInterface>(type)) {
    shape.push_back(bytes);
    auto tensor = RankedTensorType::get(shape, IntegerType::get(context, 8));
    return StoredArrayAttr::get(
        context, DenseElementsAttr::getFromRawBuffer(tensor, data), type);
  }
  auto tensor = RankedTensorType::get(shape, type);
  if (type.isInteger(1))
    return DenseElementsAttr::get(
        tensor, llvm::to_vector(llvm::map_range(
                    data, [](char byte) { return byte != 0; })));
  return DenseElementsAttr::getFromRawBuffer(tensor, data);
}

/// An array on a device, where it lies.
static Attribute importDeviceArray(const json::Object &value, Location loc) {
  MLIRContext *context = loc.getContext();
  StringRef text = value.getString("type").value_or("");
  auto type =
      dyn_cast_if_present<pyk::ArrayType>(parseTypeOrNull(text, context));
  uint64_t address;
  StringRef number = value.getString("address").value_or("");
  SmallVector<int64_t> strides;
  if (const json::Array *entries = value.getArray("strides"))
    for (const json::Value &entry : *entries)
      strides.push_back(entry.getAsInteger().value_or(0));
  if (!type || !isPythonType(type) || number.getAsInteger(10, address))
    return malformed(loc, "expects the type of an array and an address but got "
                          "'" +
                              text + "' and '" + number + "'");
  // Those of others follow from the extents.
  if (type.getLayout() != pyk::Layout::Any)
    strides.clear();
  return DeviceArrayAttr::getChecked(
      [&] { return emitError(loc) << "malformed ast buffer: "; }, context,
      address, type, ArrayRef(strides));
}

/// The values under `key`; `null` is a unit.
static ArrayAttr importItems(const json::Object &value, StringRef key,
                             Builder &builder, Location loc) {
  SmallVector<Attribute> items;
  if (const json::Array *entries = value.getArray(key))
    for (const json::Value &entry : *entries) {
      const json::Object *item = entry.getAsObject();
      if (!item && entry.kind() != json::Value::Null) {
        malformed(loc, "expects values in '" + key + "'");
        return {};
      }
      items.push_back(item ? pyk::importValue(*item, builder, loc)
                           : builder.getUnitAttr());
      if (!items.back())
        return {};
    }
  return builder.getArrayAttr(items);
}

/// An instance of a namedtuple, or its class.
static Attribute importNamedTuple(const json::Object &value, StringRef kind,
                                  Builder &builder, Location loc) {
  StringRef key = kind == "namedtuple" ? "items" : "defaults";
  ArrayAttr items = importItems(value, key, builder, loc);
  if (!items)
    return {};
  SmallVector<StringRef> fields;
  if (const json::Array *names = value.getArray("fields"))
    for (const json::Value &field : *names)
      fields.push_back(field.getAsString().value_or(""));
  if (fields.size() != items.size())
    return malformed(loc, "expects as many 'fields' as '" + key + "'");
  StringRef name = value.getString("name").value_or("");
  MLIRContext *context = builder.getContext();
  ArrayAttr names = builder.getStrArrayAttr(fields);
  if (kind == "namedtuple")
    return NamedTupleAttr::get(context, name, names, items);
  return NamedTupleClassAttr::get(context, name, names, items);
}

/// A member of an enumeration.
static Attribute importMember(const json::Object &value, Builder &builder,
                              Location loc) {
  const json::Object *own = value.getObject("value");
  if (!own)
    return malformed(loc, "expects a value as 'value'");
  Attribute number = pyk::importValue(*own, builder, loc);
  if (!number)
    return {};
  if (!isa<IntAttr, BoolAttr, IntegerAttr, FloatAttr, complex::NumberAttr,
           ArrayAttr, StringAttr, BytesAttr>(number))
    return malformed(loc, "expects a number, text or a tuple as 'value'");
  return EnumMemberAttr::get(builder.getContext(),
                             value.getString("name").value_or(""), number,
                             value.getBoolean("integer").value_or(false));
}

Attribute pyk::importValue(const json::Object &value, Builder &builder,
                           Location loc) {
  MLIRContext *context = builder.getContext();
  std::optional<StringRef> kind = value.getString("t");
  if (!kind)
    return malformed(loc, "expects a string as 't'");
  StringRef text = value.getString("v").value_or("");
  StringRef name = value.getString("name").value_or("");
  if (*kind == "none")
    return NoneAttr::get(context);
  if (*kind == "bool")
    return builder.getBoolAttr(value.getBoolean("v").value_or(false));
  if (*kind == "int")
    return importInt(text, context, loc);
  if (*kind == "float") {
    FailureOr<APFloat> number = parseFloat(text);
    if (failed(number))
      return malformed(loc, "expects a float but got '" + text + "'");
    return FloatAttr::get(builder.getF64Type(), *number);
  }
  if (*kind == "complex")
    return importComplex(value, ComplexType::get(builder.getF64Type()), loc);
  if (*kind == "str")
    return builder.getStringAttr(text);
  if (*kind == "bytes") {
    std::vector<char> data;
    if (auto error = llvm::decodeBase64(text, data)) {
      llvm::consumeError(std::move(error));
      return malformed(loc, "expects base64 as 'v'");
    }
    return BytesAttr::get(context, StringRef(data.data(), data.size()));
  }
  if (*kind == "scalar")
    return importScalar(value, loc);
  if (*kind == "array")
    return importArray(value, loc);
  if (*kind == "device_array")
    return importDeviceArray(value, loc);
  if (*kind == "tuple")
    return importItems(value, "items", builder, loc);
  if (*kind == "namedtuple" || *kind == "namedtuple_class")
    return importNamedTuple(value, *kind, builder, loc);
  if (*kind == "enum")
    return importMember(value, builder, loc);
  if (*kind == "dtype") {
    Type type = getDtypeOrOwn(name, context);
    if (!type && name.starts_with("!"))
      return malformed(loc,
                       "expects a type of elements but got '" + name + "'");
    return type ? Attribute(TypeAttr::get(type))
                : ObjectAttr::get(context, ("dtype " + name).str());
  }
  if (*kind == "function")
    return FlatSymbolRefAttr::get(context, value.getString("id").value_or(""));
  if (*kind == "intrinsic")
    return IntrinsicAttr::get(context, name);
  if (*kind == "module")
    return ModuleAttr::get(context, name);
  if (*kind == "unresolved")
    return UnresolvedAttr::get(context, name);
  if (*kind == "ellipsis")
    return EllipsisAttr::get(context);
  if (*kind == "object")
    return ObjectAttr::get(context, value.getString("type").value_or("object"));
  return malformed(loc, "does not know the value '" + *kind + "'");
}
