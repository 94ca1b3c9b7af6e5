// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the table of libdevice's functions from the C types in Libdevice.def.

#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <vector>

using namespace pyk;

namespace {

template <typename T>
struct Letter {};
template <>
struct Letter<void> {
  static constexpr char value = 'v';
};
template <>
struct Letter<short> {
  static constexpr char value = 'h';
};
template <>
struct Letter<int> {
  static constexpr char value = 'i';
};
template <>
struct Letter<long long> {
  static constexpr char value = 'l';
};
template <>
struct Letter<float> {
  static constexpr char value = 'f';
};
template <>
struct Letter<double> {
  static constexpr char value = 'd';
};
template <typename T>
struct Letter<T *> {
  static constexpr char value = Letter<T>::value - 'a' + 'A';
};

template <typename F>
struct Signature;
template <typename R, typename... Args>
struct Signature<R(Args...)> {
  static constexpr char text[] = {Letter<R>::value, Letter<Args>::value...,
                                  '\0'};
};

} // namespace

static LibdeviceFunction makeFunction(llvm::StringRef name,
                                      llvm::StringRef type) {
  LibdeviceFunction function{name, "", "", type.str()};
  if (type.front() != 'v')
    function.results += type.front();
  for (char letter : type.drop_front()) {
    if (llvm::isUpper(letter))
      function.results += llvm::toLower(letter);
    else
      function.parameters += letter;
  }
  return function;
}

llvm::ArrayRef<LibdeviceFunction> pyk::getLibdevice() {
#define LIBDEVICE_CALL(NAME, HOST, ...)                                        \
  makeFunction(#NAME, Signature<__VA_ARGS__>::text),
#define LIBDEVICE_INTRINSIC LIBDEVICE_CALL
#define LIBDEVICE_CLASS LIBDEVICE_CALL
  static const std::vector<LibdeviceFunction> table = {
#include "pyk/Libdevice/Libdevice.def"
  };
  return table;
}

mlir::Type
pyk::getLibdeviceType(char letter, mlir::MLIRContext *context,
                      mlir::IntegerType::SignednessSemantics signedness) {
  auto integer = [&](unsigned width) {
    return mlir::IntegerType::get(context, width, signedness);
  };
  switch (letter) {
  case 'h':
    return integer(16);
  case 'i':
    return integer(32);
  case 'l':
    return integer(64);
  case 'f':
    return mlir::Float32Type::get(context);
  default:
    return mlir::Float64Type::get(context);
  }
}

const LibdeviceFunction *pyk::lookupLibdevice(llvm::StringRef name) {
  llvm::ArrayRef<LibdeviceFunction> rows = getLibdevice();
  const LibdeviceFunction *row = llvm::lower_bound(
      rows, name,
      [](const LibdeviceFunction &function, llvm::StringRef wanted) {
        return function.name < wanted;
      });
  return row != rows.end() && row->name == name ? row : nullptr;
}
