// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions: syntax, verification of kernels and calls.

#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykFuncOps.cpp.inc"

void PykDialect::registerFuncOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykFuncOps.cpp.inc"
      >();
}

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

/// True if host and device agree on the form of a value of `type`.
static bool canBePassedByLaunch(Type type) {
  if (auto array = dyn_cast<ArrayType>(type))
    return array.getSpace() == Space::Global;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isFloatElement(type) || isComplexElement(type);
}

LogicalResult FuncOp::verify() {
  // func_c1
  if (getKernel() && getFunctionType().getNumResults() != 0)
    return emitOpError("expects a kernel without results but got ")
           << getFunctionType().getNumResults();
  // func_c2
  for (auto [position, type] : llvm::enumerate(getFunctionType().getInputs()))
    if (getKernel() && !canBePassedByLaunch(type))
      return emitOpError("expects argument ")
             << position
             << " of a kernel to be an array in global memory, a scalar of up "
                "to 64 bits or a complex number of two but got "
             << type;
  // func_c3
  if (getKernel() && isExternal())
    return emitOpError("requires a body, being a kernel");
  return success();
}

// func_c4
LogicalResult FuncOp::verifyRegions() { return verifyInModules(*this); }

LogicalResult CallOp::verify() {
  // call_c4
  if (isa<FuncOp>(getOperation()->getParentOfType<FunctionOpInterface>()))
    return success();
  return emitOpError("requires an enclosing pyk.func");
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // call_c1
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("requires a pyk.func named ") << getCalleeAttr();
  if (callee.getKernel())
    return emitOpError("requires a device function but ")
           << getCalleeAttr() << " is a kernel";
  // call_c2
  if (TypeRange(callee.getArgumentTypes()) != TypeRange(getOperandTypes()))
    return emitOpError("expects operands of types (")
           << callee.getArgumentTypes() << ") but got (" << getOperandTypes()
           << ")";
  if (TypeRange(callee.getResultTypes()) != TypeRange(getResultTypes()))
    return emitOpError("expects results of types (")
           << callee.getResultTypes() << ") but got (" << getResultTypes()
           << ")";
  // call_c3
  if (callee.isExternal())
    return emitOpError("requires a body of ") << getCalleeAttr();
  return success();
}

LogicalResult LaunchOp::verify() {
  if (getGrid().size() == 3 && getBlock().size() == 3)
    return success();
  return emitOpError(
             "expects three extents of the grid and of a block but got ")
         << getGrid().size() << " and " << getBlock().size();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // launch_c1
  Operation *kernel = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!kernel || !kChild.isOn(kernel))
    return emitOpError("requires a kernel named ")
           << getKernelAttr() << " with the attribute '" << kChild.name << "'";
  // launch_c2
  auto function = dyn_cast<FuncOp>(kernel);
  if (function &&
      TypeRange(function.getArgumentTypes()) != TypeRange(getArguments()))
    return emitOpError("expects arguments of types (")
           << function.getArgumentTypes() << ") but got ("
           << getArguments().getTypes() << ")";
  return success();
}

LogicalResult ForeignCallOp::verify() {
  // foreign_call_c2
  auto isNumber = [](Type type) { return type.isIntOrFloat(); };
  bool isKnown = getOperands().size() == getCode().getPointees().size() &&
                 getResults().size() <= 1 &&
                 llvm::all_of(getResultTypes(), isNumber) &&
                 llvm::all_of(getOperandTypes(), [&](Type type) {
                   return isNumber(type) || isa<ArrayType>(type);
                 });
  if (isKnown)
    return success();
  return emitOpError("expects numbers and arrays, ")
         << getCode().getPointees().size()
         << " of them, and one number as its result at most";
}

LogicalResult ForeignCallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!getHostAttr())
    return success();
  // foreign_call_c1
  Operation *host = symbols.lookupNearestSymbolFrom(*this, getHostAttr());
  auto function = dyn_cast_if_present<FuncOp>(host);
  if (!host || (function && function.getKernel()))
    return emitOpError("requires a device function named ") << getHostAttr();
  return success();
}
