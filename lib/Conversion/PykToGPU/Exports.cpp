// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function around the one that Python knows, so that the forms of C are in
// one place: LLVM inlines the other.

#include "Exports.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pyk;

FailureOr<SmallVector<Export>> pyk::takeExports(
    ArrayRef<FuncOp> functions,
    llvm::function_ref<std::string(StringRef,
                                   llvm::function_ref<bool(StringRef)>)>
        makeName) {
  llvm::StringSet<> names;
  auto isTaken = [&](StringRef name) { return names.contains(name); };
  SmallVector<Export> exports;
  for (FuncOp function : functions) {
    auto attribute = kExport.take(function);
    if (!attribute)
      continue;
    std::string name = attribute.getName().empty()
                           ? makeName(function.getSymName(), isTaken)
                           : attribute.getName().str();
    if (!names.insert(name).second)
      return function.emitError("expects different names of exported functions "
                                "but got two named '")
             << name << "'";
    exports.push_back({function, attribute, std::move(name)});
  }
  return exports;
}

void pyk::addExportedFunction(const Export &entry, StringRef body,
                              OpBuilder &builder) {
  FuncOp function = entry.function;
  ExportAttr exported = entry.attribute;
  StringRef name = entry.name;
  ImplicitLocOpBuilder b(function.getLoc(), builder);
  bool isNumba = exported.getConvention() == Convention::Numba;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto getMemoryType = [&](Type type) {
    if (isa<ArrayType>(type))
      return Type(pointer);
    return type.isInteger(1) ? Type(b.getI8Type()) : type;
  };
  SmallVector<Type> inputs, results;
  if (isNumba) {
    inputs.push_back(pointer);
    results.push_back(b.getI32Type());
  }
  llvm::append_range(
      inputs, llvm::map_range(function.getArgumentTypes(), getMemoryType));
  if (!isNumba)
    llvm::append_range(
        results, llvm::map_range(function.getResultTypes(), getMemoryType));
  auto caller =
      func::FuncOp::create(b, name, b.getFunctionType(inputs, results));
  kExport.set(caller, exported);
  if (UnitAttr flushes = kFlushDenormals.get(function))
    kFlushDenormals.set(caller, flushes);
  if (UnitAttr same = kReproducible.get(function))
    kReproducible.set(caller, same);
  if (!isNumba && function.getResAttrsAttr())
    caller.setResAttrsAttr(function.getResAttrsAttr());
  Block *block = caller.addEntryBlock();
  b.setInsertionPointToStart(block);
  SmallVector<Value> arguments;
  for (auto [parameter, type] :
       llvm::zip_equal(block->getArguments().drop_front(isNumba ? 1 : 0),
                       function.getArgumentTypes())) {
    Value value = parameter;
    if (type.isInteger(1)) {
      Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
      value = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero);
    } else if (auto array = dyn_cast<ArrayType>(type)) {
      value =
          FromPointerOp::create(b, array, value, ValueRange(), ValueRange());
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
