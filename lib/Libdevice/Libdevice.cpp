// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of libdevice's functions, which is generated, and the searches in
// it.

#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace pyk;

namespace table {
#include "pyk/Libdevice/Functions.inc"
} // namespace table

llvm::ArrayRef<LibdeviceFunction> pyk::getLibdevice() {
  return table::kFunctions;
}

llvm::ArrayRef<const LibdeviceOverload *> pyk::getLibdeviceOverloads() {
  return table::kOverloads;
}

static mlir::Type getType(char letter, mlir::MLIRContext *context) {
  switch (letter) {
  case 'h':
    return mlir::IntegerType::get(context, 16);
  case 'i':
    return mlir::IntegerType::get(context, 32);
  case 'l':
    return mlir::IntegerType::get(context, 64);
  case 'f':
    return mlir::Float32Type::get(context);
  default:
    return mlir::Float64Type::get(context);
  }
}

mlir::FunctionType
LibdeviceOverload::getOpType(mlir::MLIRContext *context) const {
  auto types = [&](llvm::StringRef letters) {
    return llvm::map_to_vector(
        letters, [&](char letter) { return ::getType(letter, context); });
  };
  return mlir::FunctionType::get(context, types(parameters), types(results));
}

const LibdeviceOverload *
LibdeviceFunction::findOverload(mlir::FunctionType opType) const {
  for (const LibdeviceOverload &overload : overloads)
    if (overload.getOpType(opType.getContext()) == opType)
      return &overload;
  return nullptr;
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

const LibdeviceOverload *pyk::lookupLibdeviceSymbol(llvm::StringRef symbol) {
  llvm::ArrayRef<const LibdeviceOverload *> rows = getLibdeviceOverloads();
  const LibdeviceOverload *const *row = llvm::lower_bound(
      rows, symbol,
      [](const LibdeviceOverload *overload, llvm::StringRef wanted) {
        return overload->symbol < wanted;
      });
  return row != rows.end() && (*row)->symbol == symbol ? *row : nullptr;
}
