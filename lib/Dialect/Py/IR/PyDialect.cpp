// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the dialect's parts; its ops need little code, because what they
// mean is decided by type inference.

#include "pyk/Dialect/Py/IR/PyDialect.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Support/Regions.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk::py;

#include "pyk/Dialect/Py/IR/PyDialect.cpp.inc"
#include "pyk/Dialect/Py/IR/PyEnums.cpp.inc"
#include "pyk/Dialect/Py/IR/PyTypeInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "pyk/Dialect/Py/IR/PyAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "pyk/Dialect/Py/IR/PyTypes.cpp.inc"
#define GET_OP_CLASSES
#include "pyk/Dialect/Py/IR/PyOps.cpp.inc"

void PyDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Py/IR/PyOps.cpp.inc"
      >();
}

void PyDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pyk/Dialect/Py/IR/PyAttributes.cpp.inc"
      >();
}

void PyDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "pyk/Dialect/Py/IR/PyTypes.cpp.inc"
      >();
}

LogicalResult
DeviceArrayAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        uint64_t address, ArrayType type,
                        ArrayRef<int64_t> strides) {
  // device_array_c1
  if (type.getSpace() != Space::Global || !type.hasStaticShape())
    return emitError() << "expects an array of static shape in global memory "
                          "but got "
                       << type;
  // device_array_c2
  size_t expected = type.getLayout() == Layout::Any ? type.getRank() : 0;
  if (strides.size() != expected)
    return emitError() << "expects " << expected << " strides for " << type
                       << " but got " << strides.size();
  return success();
}

// stored_array_c1
LogicalResult
StoredArrayAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        DenseElementsAttr bytes, Type type) {
  if (!ArrayType::isElement(type))
    return emitError() << "expects a type of elements but got " << type;
  ShapedType given = bytes.getType();
  int64_t size = ArrayType::getBytes(type);
  if (given.getRank() == 0 || given.getShape().back() != size ||
      !given.getElementType().isSignlessInteger(8))
    return emitError() << "expects " << size << " bytes for each " << type
                       << " but got " << given;
  return success();
}

pyk::ArrayType StoredArrayAttr::getArrayType() const {
  return ArrayType::get(getContext(),
                        getBytes().getType().getShape().drop_back(), getType(),
                        Layout::C, Space::Constant);
}

// stored_c1
LogicalResult StoredAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 IntegerAttr value, Type type) {
  auto stored = dyn_cast<StoredTypeInterface>(type);
  if (!stored || stored.getStored() != value.getType())
    return emitError() << "expects a type that is stored as " << value.getType()
                       << " but got " << type;
  return success();
}

FlatSymbolRefAttr pyk::py::getTarget(Operation *op) {
  return llvm::TypeSwitch<Operation *, FlatSymbolRefAttr>(op)
      .Case<CallOp, CompareOp>(
          [](auto caller) { return caller.getTargetAttr(); })
      .Default(FlatSymbolRefAttr());
}

bool FuncOp::isEntry() { return getKernel() || kExport.isOn(*this); }

LogicalResult FuncOp::verify() {
  // func_c1
  if (getArguments() && getArguments()->size() != getParameters().size())
    return emitOpError("expects ")
           << getParameters().size() << " argument types but got "
           << getArguments()->size();
  // func_c2
  if (ArrayAttr types = getArgumentsAttr())
    for (Attribute type : types)
      if (!isPythonType(cast<TypeAttr>(type).getValue()))
        return emitOpError("expects types of the py dialect as arguments but "
                           "got ")
               << type;
  // func_c3
  if (getDefaults() && getDefaults()->size() != getParameters().size())
    return emitOpError("expects ")
           << getParameters().size() << " defaults but got "
           << getDefaults()->size();
  // func_c4
  auto captures = static_cast<int64_t>(getCaptures());
  if (captures < 0 || getNamedCount() < 0)
    return emitOpError("expects parameters for ")
           << captures << " captures but got " << getParameters().size();
  // func_c5
  if (isEntry() && !getArguments())
    return emitOpError("expects argument types, being ")
           << (getKernel() ? "a kernel" : "exported");
  if (getKernel() && kExport.isOn(*this))
    return emitOpError("expects a kernel or an exported function but got both");
  // func_c6
  if (auto code = kForeign.get(*this);
      code &&
      (!getResult() || code.getPointees().size() != getParameters().size()))
    return emitOpError("expects a result, and pointees for all parameters, of "
                       "code of another language");
  return success();
}

// func_c7
LogicalResult FuncOp::verifyRegions() { return verifyInModules(*this); }

LogicalResult pyk::py::verifyInFunction(Operation *op) {
  if (op->getParentOfType<FuncOp>())
    return success();
  return op->emitOpError("requires an enclosing py.func");
}

/// Checks break_c1 and continue_c1.
static LogicalResult verifyLoopExit(Operation *exit) {
  Region *region = exit->getParentRegion();
  for (; Operation *parent = region->getParentOp();
       region = region->getParentRegion()) {
    Region *body = nullptr, *orelse = nullptr;
    if (auto loop = dyn_cast<ForOp>(parent)) {
      body = &loop.getBody();
      orelse = &loop.getOrelse();
    } else if (auto loop = dyn_cast<WhileOp>(parent)) {
      body = &loop.getBody();
      orelse = &loop.getOrelse();
    }
    if (region == body)
      return success();
    if (region != orelse && !isa<IfOp>(parent))
      break;
  }
  return exit->emitOpError("requires an enclosing loop, py.for or the body of "
                           "py.while, with only py.if between");
}

// while_c1
LogicalResult WhileOp::verifyRegions() {
  auto ends = [](Region &region) {
    Block &block = region.front();
    return !block.empty() && isa<YieldOp>(block.back());
  };
  if (!ends(getCondition()) || ends(getBody()))
    return emitOpError("requires py.yield at the end of its condition, and "
                       "none in its body");
  return success();
}

// for_c1
LogicalResult ForOp::verifyRegions() {
  bool hasElse = !getOrelse().empty();
  if (getBody().getNumArguments() != 1 ||
      (hasElse && getOrelse().getNumArguments() != 0))
    return emitOpError("requires one argument of its body, the element, and "
                       "none of its else");
  // for_c2
  Type iterable = getIterable().getType();
  auto tuple = dyn_cast<TupleType>(iterable);
  if (getItem() && !isa<ObjectType>(iterable) && (!tuple || tuple.size() != 1))
    return emitOpError(
               "expects a tuple of one item, being for that item alone, "
               "but got ")
           << iterable;
  return success();
}

// unpack_c1
LogicalResult UnpackOp::verify() {
  std::optional<uint64_t> starred = getStarred();
  if (!starred || *starred < getNumResults())
    return success();
  return emitOpError("expects the position of one of ")
         << getNumResults() << " results as 'starred' but got "
         << static_cast<int64_t>(*starred);
}

LogicalResult BreakOp::verify() { return verifyLoopExit(*this); }
LogicalResult ContinueOp::verify() { return verifyLoopExit(*this); }
