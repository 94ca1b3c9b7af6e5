// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types in the words of Python's users, for messages.

#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Longest description of a type.
static constexpr size_t kMaxDescription = 200;

std::string py::describe(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::TypeSwitch<Type>(type)
      .Case([&](IntegerType integer) {
        if (isBool(integer))
          os << "bool";
        else
          os << (integer.isUnsigned() ? "uint" : "int") << integer.getWidth();
      })
      .Case([&](BFloat16Type) { os << "bfloat16"; })
      .Case([&](FloatType real) { os << "float" << real.getWidth(); })
      .Case([&](ComplexType number) {
        os << "complex" << 2 * number.getElementType().getIntOrFloatBitWidth();
      })
      .Case([&](TimeType time) {
        os << stringifyTimeKind(time.getKind()) << "64";
        if (time.getUnit() != TimeUnit::Generic)
          os << '[' << stringifyTimeUnit(time.getUnit()) << ']';
      })
      .Case([&](CharsType chars) {
        os << stringifyCharsKind(chars.getKind()) << '[' << chars.getLength()
           << ']';
      })
      .Case([&](ShortVectorType vector) {
        os << describe(vector.getBase()) << 'x' << vector.getLength();
      })
      .Case([&](Float8Type real) {
        os << "fp8_" << stringifyFloat8Format(real.getFormat());
      })
      .Case([&](NoneType) { os << "None"; })
      .Case([&](RecordType record) {
        os << "Record(";
        llvm::interleaveComma(record.getFields(), os, [&](FieldAttr field) {
          os << field.getName() << ": ";
          for (int64_t extent : field.getShape())
            os << extent << 'x';
          os << (isa<NoneType>(field.getType()) ? "..."
                                                : describe(field.getType()));
        });
        os << ')';
      })
      .Case([&](ArrayType array) {
        os << (array.getReadonly() ? "readonly " : "");
        if (array.isRecord()) {
          os << describe(array.getElementType());
          return;
        }
        if (array.isPointer()) {
          os << describe(array.getElementType()) << '*';
          return;
        }
        bool isUnaligned =
            array.getAlignment() <
            ArrayType::getNaturalAlignment(array.getElementType());
        os << (isUnaligned ? "unaligned " : "") << "array("
           << describe(array.getElementType()) << ", " << array.getRank()
           << "d, "
           << (array.getLayout() == Layout::C   ? 'C'
               : array.getLayout() == Layout::F ? 'F'
                                                : 'A')
           << ')';
      })
      .Case([&](TupleType tuple) {
        os << "tuple(";
        llvm::interleaveComma(tuple.getTypes(), os,
                              [&](Type item) { os << describe(item); });
        os << ')';
      })
      .Case([&](NamedTupleType tuple) {
        os << getShortName(tuple.getName()) << '(';
        llvm::interleaveComma(
            llvm::zip_equal(tuple.getFields().getAsRange<StringAttr>(),
                            tuple.getItems().getTypes()),
            os, [&](auto field) {
              os << std::get<0>(field).getValue() << ": "
                 << describe(std::get<1>(field));
            });
        os << ')';
      })
      .Case([&](EnumType member) {
        os << "member of " << getShortName(member.getName());
      })
      .Case([&](OptionalType optional) {
        os << describe(optional.getValue()) << " or None";
      })
      .Case([&](RangeType range) {
        os << "range of " << describe(range.getElementType());
      })
      .Case([&](SliceType slice) {
        os << "slice(" << describe(slice.getLower()) << ", "
           << describe(slice.getUpper()) << ", " << describe(slice.getStep())
           << ")";
      })
      .Case([&](ClosureType closure) {
        os << "function " << closure.getFunction().getValue();
      })
      .Case([&](ConfiguredKernelType configured) {
        os << "kernel " << configured.getKernel().getValue()
           << " with a grid and a block";
      })
      .Case([&](ZipType) { os << "zip"; })
      .Case([&](EnumerateType) { os << "enumerate"; })
      .Case([&](IteratorType iterator) {
        os << "iterator over " << describe(iterator.getSource());
      })
      .Case([&](NdIndexType) { os << "numpy.ndindex"; })
      .Case([&](NdIterType) { os << "numpy.nditer"; })
      .Case([&](FlatType flat) {
        os << "'flat' of " << describe(flat.getArray());
      })
      .Case([&](MethodType method) {
        os << "method '" << method.getName() << "' of "
           << describe(method.getObject());
      })
      .Case([&](StaticType known) {
        Attribute value = known.getValue();
        if (auto intrinsic = dyn_cast<IntrinsicAttr>(value))
          os << intrinsic.getName(); // cuda.threadIdx is no function
        else if (auto function = dyn_cast<FlatSymbolRefAttr>(value))
          os << "function " << function.getValue();
        else if (auto dtype = dyn_cast<TypeAttr>(value))
          os << "dtype " << describe(dtype.getValue());
        else if (auto module = dyn_cast<ModuleAttr>(value))
          os << "module " << module.getName();
        else if (isa<StringAttr, BytesAttr>(value))
          os << (isa<StringAttr>(value) ? "str" : "bytes");
        else if (auto named = dyn_cast<NamedTupleClassAttr>(value))
          os << "class " << getShortName(named.getName());
        else if (isa<EllipsisAttr>(value))
          os << "ellipsis";
        else if (auto object = dyn_cast<ObjectAttr>(value))
          os << object.getName();
        else
          os << "constant array";
      })
      .Default([&](Type other) { os << other; });
  // Nobody reads a type that long to its end.
  if (text.size() > kMaxDescription)
    text.replace(kMaxDescription, std::string::npos, "...");
  return text;
}
