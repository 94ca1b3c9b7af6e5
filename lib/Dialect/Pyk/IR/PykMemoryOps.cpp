// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays: verification. Their folds are in PykViewFolds.cpp, what they have
// effects on in PykEffects.cpp.

#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "PykAccess.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"

using namespace mlir;
using namespace pyk;

/// An extent is an i64 where no type is given.
static ParseResult parseExtentType(OpAsmParser &parser, Type &type) {
  type = parser.getBuilder().getI64Type();
  return succeeded(parser.parseOptionalArrow()) ? parser.parseType(type)
                                                : ParseResult(success());
}

static void printExtentType(OpAsmPrinter &printer, DimOp, Type type) {
  if (!type.isInteger(64))
    printer << " -> " << type;
}

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.cpp.inc"

void PykDialect::registerMemoryOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.cpp.inc"
      >();
}

/// The dimensions of `type` whose extents it does not say.
static int64_t getNumDynamic(ArrayType type) {
  return llvm::count_if(type.getShape(), ShapedType::isDynamic);
}

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

LogicalResult LaunchSharedOp::verify() {
  ArrayType type = getResult().getType();
  // launch_shared_c1
  if (type.getLayout() != Layout::C || type.getSpace() != Space::Shared ||
      getNumDynamic(type) != int64_t(getExtents().size()))
    return emitOpError("expects layout c, shared memory and an extent for each "
                       "dynamic dimension but got ")
           << getExtents().size() << " of them for " << type;
  // launch_shared_c2
  return verifyAlignment(*this);
}

LogicalResult DynamicSharedOp::verify() {
  ArrayType type = getResult().getType();
  // dynamic_shared_c1
  bool isWhole = getExtents().empty();
  if ((isWhole && (type.getRank() != 1 || type.hasStaticShape())) ||
      type.getLayout() != Layout::C || type.getSpace() != Space::Shared)
    return emitOpError("expects one dynamic dimension, layout c and shared "
                       "memory but got ")
           << type;
  // dynamic_shared_c3
  if (!isWhole && getNumDynamic(type) != int64_t(getExtents().size()))
    return emitOpError("expects ")
           << getNumDynamic(type) << " extents for " << type << " but got "
           << getExtents().size();
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

/// Checks load_c4 and store_c5.
template <typename Access>
static LogicalResult verifyHint(Access op, ArrayRef<CacheHint> hints) {
  std::optional<CacheHint> hint = op.getCache();
  if (!hint)
    return success();
  if (!llvm::is_contained(hints, *hint))
    return op.emitOpError("has no hint '") << stringifyCacheHint(*hint) << "'";
  if (!op.getArray().getType().getElementType().isIntOrFloat())
    return op.emitOpError("expects integers or floats for a hint but got ")
           << op.getArray().getType();
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyHint(*this, {CacheHint::All, CacheHint::Global,
                                CacheHint::Streaming, CacheHint::LastUse,
                                CacheHint::Volatile})))
    return failure();
  return verifyAccess(*this);
}

LogicalResult StoreOp::verify() {
  if (failed(
          verifyHint(*this, {CacheHint::WriteBack, CacheHint::Global,
                             CacheHint::Streaming, CacheHint::WriteThrough})))
    return failure();
  return verifyWrite(*this);
}

// An array and a float have no range, and the analysis would not ask an op that
// has one as operand for ranges of its results. It asks for lattice values.
void DimOp::inferResultRangesFromOptional(ArrayRef<IntegerValueRange>,
                                          SetIntLatticeFn setResultRanges) {
  unsigned width = getType().getIntOrFloatBitWidth();
  int64_t limit = isSmallArray(getArray()) ? kSmallLimit : kExtentLimit;
  if (width == 32 ||
      bitEnumContainsAll(getFacts(getArray()), LaunchFact::Narrow))
    limit = kNarrowLimit;
  setResultRanges(getResult(), ConstantIntRanges::fromSigned(
                                   APInt(width, 0), APInt(width, limit - 1)));
}
