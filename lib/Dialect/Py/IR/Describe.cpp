// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types in the words of Python's users, for messages.

#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
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
      .Case([&](PythonTypeInterface other) { other.writeDescription(os); })
      .Default([&](Type other) { os << other; });
  // Nobody reads a type that long to its end.
  if (text.size() > kMaxDescription)
    text.replace(kMaxDescription, std::string::npos, "...");
  return text;
}
