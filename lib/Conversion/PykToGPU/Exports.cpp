// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function around the one that Python knows, so that the forms of C are in
// one place: LLVM inlines the other.

#include "Exports.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace pyk;

void pyk::addExportedFunction(FuncOp function, ExportAttr exported,
                              StringRef name, StringRef body,
                              OpBuilder &builder) {
  ImplicitLocOpBuilder b(function.getLoc(), builder);
  bool isNumba = exported.getConvention() == Convention::Numba;
  auto getMemoryType = [&](Type type) {
    return type.isInteger(1) ? Type(b.getI8Type()) : type;
  };
  SmallVector<Type> inputs, results;
  if (isNumba) {
    inputs.push_back(LLVM::LLVMPointerType::get(b.getContext()));
    results.push_back(b.getI32Type());
  }
  llvm::append_range(
      inputs, llvm::map_range(function.getArgumentTypes(), getMemoryType));
  if (!isNumba)
    llvm::append_range(
        results, llvm::map_range(function.getResultTypes(), getMemoryType));
  auto entry =
      func::FuncOp::create(b, name, b.getFunctionType(inputs, results));
  entry->setAttr(PykDialect::kExportAttrName, exported);
  if (!isNumba && function.getResAttrsAttr())
    entry.setResAttrsAttr(function.getResAttrsAttr());
  Block *block = entry.addEntryBlock();
  b.setInsertionPointToStart(block);
  SmallVector<Value> arguments;
  for (auto [parameter, type] :
       llvm::zip_equal(block->getArguments().drop_front(isNumba ? 1 : 0),
                       function.getArgumentTypes())) {
    Value value = parameter;
    if (type.isInteger(1)) {
      Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
      value = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero);
    }
    arguments.push_back(value);
  }
  SmallVector<Value> values =
      func::CallOp::create(b, body, function.getResultTypes(), arguments)
          ->getResults();
  if (isNumba) {
    for (Value value : values) {
      auto place = ArrayType::get(b.getContext(), {1}, value.getType(),
                                  Layout::C, Space::Generic);
      Value result = FromPointerOp::create(b, place, block->getArgument(0),
                                           ValueRange(), ValueRange());
      Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
      StoreOp::create(b, value, result, zero);
    }
    values = {arith::ConstantOp::create(b, b.getI32IntegerAttr(0))};
  } else {
    for (Value &value : values)
      if (value.getType().isInteger(1))
        value = arith::ExtUIOp::create(b, b.getI8Type(), value);
  }
  ReturnOp::create(b, values);
}
