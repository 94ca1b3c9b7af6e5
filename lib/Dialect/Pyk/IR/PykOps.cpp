// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Syntax and verification of functions, memory ops and printing. Loops and
// exits are in PykControlOps.cpp, folds in PykFolds.cpp, ranges in
// PykRanges.cpp.

#include "pyk/Dialect/Pyk/IR/PykOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Libdevice/Libdevice.h"
#include "pyk/Support/Regions.h"

using namespace mlir;
using namespace pyk;

#include "pyk/Dialect/Pyk/IR/PykInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

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
  if (auto number = dyn_cast<ComplexType>(type))
    return isa<Float32Type, Float64Type>(number.getElementType());
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
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

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

LogicalResult LibdeviceOp::verify() {
  // libdevice_c1
  const LibdeviceFunction *function = lookupLibdevice(getFunction());
  if (!function)
    return emitOpError("expects a function of libdevice but got '")
           << getFunction() << "'";
  // libdevice_c2
  auto own =
      FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
  if (function->findOverload(own))
    return success();
  InFlightDiagnostic error = emitOpError("expects type ");
  llvm::interleave(
      function->overloads,
      [&](const LibdeviceOverload &overload) {
        error << overload.getOpType(getContext());
      },
      [&] { error << " or "; });
  return error << " but got " << own;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Checks the alignment of an array that a kernel owns.
template <typename Op>
static LogicalResult verifyAlignment(Op op) {
  int64_t alignment = op.getAlignment();
  if (alignment >= kOwnedAlignment && alignment <= kMaxAlignment &&
      llvm::isPowerOf2_64(alignment))
    return success();
  return op.emitOpError("expects an alignment of a power of two from ")
         << kOwnedAlignment << " to " << kMaxAlignment << " but got "
         << alignment;
}

LogicalResult AllocOp::verify() {
  ArrayType type = getResult().getType();
  // alloc_c1
  if (type.getLayout() != Layout::C ||
      (type.getSpace() != Space::Shared && type.getSpace() != Space::Local))
    return emitOpError("expects an array of layout c in shared or local memory "
                       "but got ")
           << type;
  // alloc_c2
  return verifyAlignment(*this);
}

LogicalResult DynamicSharedOp::verify() {
  ArrayType type = getResult().getType();
  // dynamic_shared_c1
  if (type.getRank() != 1 || type.hasStaticShape() ||
      type.getLayout() != Layout::C || type.getSpace() != Space::Shared)
    return emitOpError("expects one dynamic dimension, layout c and shared "
                       "memory but got ")
           << type;
  // dynamic_shared_c2
  return verifyAlignment(*this);
}

LogicalResult DeviceArrayOp::verify() {
  ArrayType type = getResult().getType();
  // device_array_c1
  if (type.getSpace() != Space::Global)
    return emitOpError("expects an array in global memory but got ") << type;
  // device_array_c2
  size_t strides = type.getLayout() == Layout::Any ? type.getRank() : 0;
  if (getStrides().size() != strides)
    return emitOpError("expects ") << strides << " strides for " << type
                                   << " but got " << getStrides().size();
  return success();
}

LogicalResult ConstantArrayOp::verify() {
  ArrayType type = getResult().getType();
  ShapedType value = getValue().getShapedType();
  // constant_array_c1
  SmallVector<int64_t> shape(type.getShape());
  Type element = type.getElementType();
  if (type.getRecord()) {
    shape.push_back(type.getElementBytes());
    element = IntegerType::get(getContext(), 8);
  }
  if (type.getLayout() != Layout::C || type.getSpace() != Space::Constant ||
      ArrayRef(shape) != value.getShape() || element != value.getElementType())
    return emitOpError("expects an array of layout c in constant memory with "
                       "the shape and elements of ")
           << value << " but got " << type;
  // constant_array_c2
  if (value.getNumElements() > kMaxConstantElements)
    return emitOpError("expects at most ")
           << kMaxConstantElements << " elements but got "
           << value.getNumElements();
  return success();
}

LogicalResult FromPointerOp::verify() {
  ArrayType type = getResult().getType();
  // from_pointer_c1
  size_t dynamic = llvm::count_if(type.getShape(), ShapedType::isDynamic);
  if (getExtents().size() != dynamic)
    return emitOpError("expects ") << dynamic << " extents for " << type
                                   << " but got " << getExtents().size();
  // from_pointer_c2
  size_t strides = type.getLayout() == Layout::Any ? type.getRank() : 0;
  if (getStrides().size() != strides)
    return emitOpError("expects ") << strides << " strides for " << type
                                   << " but got " << getStrides().size();
  return success();
}

/// Checks dim_c1 and stride_c1.
static LogicalResult verifyDimension(Operation *op, ArrayType type,
                                     int64_t dimension) {
  if (dimension < 0 || dimension >= type.getRank())
    return op->emitOpError("expects a dimension less than ")
           << type.getRank() << " but got " << dimension;
  return success();
}

LogicalResult DimOp::verify() {
  return verifyDimension(*this, getArray().getType(), getDimension());
}

LogicalResult StrideOp::verify() {
  return verifyDimension(*this, getArray().getType(), getDimension());
}

/// Checks what all accesses have in common.
static LogicalResult verifyAccess(AccessOpInterface access) {
  // load_c2, store_c2, atomic_c2, atomic_cas_c2
  ArrayType type = access.getArray().getType();
  int64_t given = access.getIndices().size();
  if (given != type.getRank())
    return access->emitOpError("expects ")
           << type.getRank() << " indices for a " << type.getRank()
           << "-dimensional array but got " << given;
  // load_c3, store_c4
  if (type.getRecord())
    return access->emitOpError("expects an array of numbers but got ") << type;
  return success();
}

/// Checks that `access` may write: store_c3, atomic_c3, atomic_cas_c3.
static LogicalResult verifyWrite(AccessOpInterface access) {
  if (access.getArray().getType().isReadOnly())
    return access->emitOpError("expects an array that can be written but got ")
           << access.getArray().getType();
  return verifyAccess(access);
}

LogicalResult LoadOp::verify() { return verifyAccess(*this); }

LogicalResult StoreOp::verify() { return verifyWrite(*this); }

LogicalResult AtomicOp::verify() {
  // atomic_c1
  if (isa<FloatType>(getResult().getType()) &&
      llvm::is_contained({AtomicKind::And, AtomicKind::Or, AtomicKind::Xor,
                          AtomicKind::Inc, AtomicKind::Dec},
                         getKind()))
    return emitOpError("expects integers for '")
           << stringifyAtomicKind(getKind()) << "' but got "
           << getResult().getType();
  return verifyWrite(*this);
}

/// Its operands' types see to atomic_cas_c1.
LogicalResult AtomicCasOp::verify() { return verifyWrite(*this); }

//===----------------------------------------------------------------------===//
// What the host is told
//===----------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  // print_c1
  auto isWanted = [](StringRef directive, Type type) {
    if (directive == "lld" || directive == "llu")
      return type.isInteger(64);
    return directive.ends_with("f") ? type.isF64() : type.isInteger(1);
  };
  ValueRange rest = getValues();
  StringRef format = getFormat();
  for (size_t at; (at = format.find('%')) != StringRef::npos;) {
    format = format.drop_front(at + 1);
    if (format.consume_front("%"))
      continue;
    StringRef directive;
    for (StringRef known : {"lld", "llu", "f", "+f", "s"})
      if (format.starts_with(known))
        directive = known;
    if (directive.empty())
      return emitOpError("expects %lld, %llu, %f, %+f, %s or %% but got '%")
             << format.take_front(1) << "'";
    format = format.drop_front(directive.size());
    if (rest.empty())
      return emitOpError("expects a value for each directive");
    if (!isWanted(directive, rest.front().getType()))
      return emitOpError("cannot write ")
             << rest.front().getType() << " as '%" << directive << "'";
    rest = rest.drop_front();
  }
  if (!rest.empty())
    return emitOpError("expects a directive for each value");
  // print_c2
  if (getValues().size() > kMaxPrintedValues)
    return emitOpError("expects at most ")
           << kMaxPrintedValues << " values but got " << getValues().size();
  if (getFormat().contains('\0'))
    return emitOpError("expects text without null characters");
  return success();
}

LogicalResult CheckOp::verify() {
  // check_c1
  size_t most = getFailure() ? kMaxFailureValues : 0;
  if (getValues().size() > most)
    return emitOpError("expects at most ")
           << most << " values but got " << getValues().size();
  return success();
}

LogicalResult CheckOp::canonicalize(CheckOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}
