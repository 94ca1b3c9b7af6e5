// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of all attributes: on which ops they may stand, and which values they
// may have. What a value says about its op is checked after that.

#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <typename AttributeT>
static bool is(Attribute value) {
  return isa<AttributeT>(value);
}

/// Whether `value` is a list of attributes of one kind.
template <typename Item>
static bool isListOf(Attribute value) {
  auto list = dyn_cast<ArrayAttr>(value);
  return list && llvm::all_of(list, llvm::IsaPred<Item>);
}

static bool isLaunchBounds(Attribute value) {
  auto bounds = dyn_cast<DenseI32ArrayAttr>(value);
  return bounds && !bounds.empty() && bounds.size() <= 3 &&
         llvm::all_of(bounds.asArrayRef(),
                      [](int32_t bound) { return bound >= 1; });
}

static bool isBlockShape(Attribute value) {
  auto shape = dyn_cast<DenseI32ArrayAttr>(value);
  if (!shape || shape.size() != 3)
    return false;
  int64_t threads = 1;
  for (int32_t extent : shape.asArrayRef()) {
    if (extent < 1 || extent > runtime::LaunchLimits::threadsPerBlock)
      return false;
    threads *= extent;
  }
  return threads <= runtime::LaunchLimits::threadsPerBlock;
}

/// Most lanes of a vector: a warp is one vector or several.
static constexpr int64_t kMostLanes = 32;

static bool isCountOfLanes(int64_t count) {
  return count >= 1 && count <= kMostLanes && llvm::isPowerOf2_64(count);
}

static bool isTile(Attribute value) {
  auto tile = dyn_cast<DenseI64ArrayAttr>(value);
  return tile && tile.size() == 3 &&
         llvm::all_of(tile.asArrayRef(),
                      [](int64_t size) {
                        return size >= 1 &&
                               size <= runtime::LaunchLimits::threadsPerBlock;
                      }) &&
         isCountOfLanes(tile[2]);
}

/// Whether `value` is an integer of `bits` from `least` to `most`.
static bool isNumber(Attribute value, unsigned bits, int64_t least,
                     int64_t most) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getType().isSignlessInteger(bits) &&
         number.getInt() >= least && number.getInt() <= most;
}

static bool isRun(Attribute value) {
  return isNumber(value, 64, 2, runtime::LaunchLimits::grid[0]);
}

static bool isLaneAxis(Attribute value) { return isNumber(value, 32, 1, 2); }

static bool isLanes(Attribute value) {
  return isNumber(value, 32, 1, kMostLanes) &&
         isCountOfLanes(cast<IntegerAttr>(value).getInt());
}

static bool isVariable(Attribute value) {
  auto parts = dyn_cast<DictionaryAttr>(value);
  return parts && parts.getAs<StringAttr>("name") &&
         parts.getAs<LLVM::DITypeAttr>("type") &&
         (!parts.get("argument") || parts.getAs<IntegerAttr>("argument"));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static bool isFunction(Operation *op) { return isa<FunctionOpInterface>(op); }

/// Functions of stage py have no interface: their arguments have no types.
static bool isAnyFunction(Operation *op) {
  return isFunction(op) || op->getName().getStringRef() == "py.func";
}

static bool isGPUModule(Operation *op) { return isa<gpu::GPUModuleOp>(op); }

static bool isModule(Operation *op) {
  return isa<ModuleOp, gpu::GPUModuleOp>(op);
}

static bool isSlot(Operation *op) { return isa<LLVM::AllocaOp>(op); }

static bool isAny(Operation *) { return true; }

namespace {

/// What is known of an attribute.
struct Row {
  StringRef name;
  bool (*isPlace)(Operation *);
  /// The ops that `isPlace` holds for, in words.
  StringRef place;
  bool (*isValue)(Attribute);
  /// The values that `isValue` holds for, in words.
  StringRef value;
};

} // namespace

static constexpr StringLiteral kBlockShapeWords =
    "three i32 from 1 on, of 1024 threads at most";
static constexpr StringLiteral kTileWords =
    "three i64 from 1 to 1024, the last of them a power of 2 up to 32";

static const Row *findRow(StringRef name) {
  static const Row rows[] = {
      {kAbi.name, isFunction, "a function", is<AbiAttr>, "a #pyk.abi"},
      {kFailures.name, isGPUModule, "a gpu.module", isListOf<FailureAttr>,
       "a list of #pyk.failure"},
      {kLaunchBounds.name, isAnyFunction, "a function", isLaunchBounds,
       "one to three i32 above 0"},
      {kFlushDenormals.name, isAnyFunction, "a function", is<UnitAttr>,
       "a unit attribute"},
      {kReproducible.name, isAnyFunction, "a function", is<UnitAttr>,
       "a unit attribute"},
      {kChild.name, isAnyFunction, "a function", is<UnitAttr>,
       "a unit attribute"},
      {kFacts.name, isFunction, "a function", isListOf<FactsAttr>,
       "a list of #pyk.facts"},
      {kSmallGrid.name, isFunction, "a function", is<UnitAttr>,
       "a unit attribute"},
      {kGuarded.name, isFunction, "a function", is<UnitAttr>,
       "a unit attribute"},
      {kBounds.name, isFunction, "a function", isListOf<BoundTermAttr>,
       "a list of #pyk.bound_term"},
      {kBlockShape.name, isFunction, "a function", isBlockShape,
       kBlockShapeWords},
      {kSharedSizes.name, isFunction, "a function", isListOf<SizeTermAttr>,
       "a list of #pyk.size_term"},
      {kExport.name, isAnyFunction, "a function", is<ExportAttr>,
       "a #pyk.export"},
      {kForeign.name, isAnyFunction, "a function", is<ForeignAttr>,
       "a #pyk.foreign"},
      {kVariable.name, isSlot, "an llvm.alloca", isVariable,
       "a dictionary of a name, a type for debuggers and perhaps the number of "
       "an argument"},
      {kChip.name, isModule, "a module", is<StringAttr>, "text"},
      {kTile.name, isFunction, "a function", isTile, kTileWords},
      {kRun.name, isFunction, "a function", isRun, "an i64 above 1"},
      {kLaneAxis.name, isFunction, "a function", isLaneAxis, "an i32, 1 or 2"},
      {kVectorLanes.name, isFunction, "a function", isLanes,
       "an i32 that is a power of 2 up to 32"},
      // Marks by which passes of stage simd know what they wrote.
      {"simd.parts", isAny, "", is<UnitAttr>, "a unit attribute"},
      {"simd.of_parts", isAny, "", is<UnitAttr>, "a unit attribute"},
  };
  const Row *row =
      llvm::find_if(rows, [&](const Row &row) { return row.name == name; });
  return row == std::end(rows) ? nullptr : row;
}

//===----------------------------------------------------------------------===//
// Values and their ops
//===----------------------------------------------------------------------===//

/// Most dimensions of an array.
static constexpr unsigned kMostDimensions = 32;

/// Whether every launch passes an integer in this range: an extent of an array,
/// or an integer that facts say to be small.
static bool isRangeOfLaunches(Attribute attribute) {
  auto range = dyn_cast<LLVM::ConstantRangeAttr>(attribute);
  if (!range)
    return false;
  APInt lower = range.getLower(), upper = range.getUpper();
  return lower.isZero() && upper.getBitWidth() <= 64 &&
         llvm::is_contained({kNarrowLimit, kSmallLimit, kExtentLimit},
                            int64_t(upper.getZExtValue()));
}

/// Checks that the parameters of `op`, a kernel from stage gpu on, are those
/// which `abi` tells launches of.
static LogicalResult verifyAbi(Operation *op, AbiAttr abi) {
  auto function = cast<FunctionOpInterface>(op);
  const size_t count = abi.getParameters().size();
  llvm::DenseSet<Attribute> seen;
  if (count != function.getNumArguments())
    return op->emitOpError("expects ")
           << count << " arguments as in its attribute '" << kAbi.name
           << "' but got " << function.getNumArguments();
  for (auto [index, parameter, type] :
       llvm::enumerate(abi.getParameters(), function.getArgumentTypes())) {
    ParameterKind kind = parameter.getKind();
    bool isOfMemory = kind == ParameterKind::MemoryFirst ||
                      kind == ParameterKind::MemoryCount;
    unsigned dimension = parameter.getDimension();
    // Of memory it is the bytes of a step.
    if (isOfMemory && (dimension == 0 || dimension > INT32_MAX))
      return op->emitOpError("expects steps of 1 byte or more but got ")
             << parameter;
    // Each argument has one parameter at least.
    if (parameter.getArgument() >= count ||
        (!isOfMemory && dimension >= kMostDimensions))
      return op->emitOpError("expects parameters of its ")
             << count << " arguments at most, of rank 32 at most, but got "
             << parameter;
    bool isAddress =
        kind == ParameterKind::Data || kind == ParameterKind::Failure;
    if (kind != ParameterKind::Scalar &&
        (isAddress ? !isa<LLVM::LLVMPointerType>(type)
                   : !type.isSignlessInteger()))
      return op->emitOpError("expects ")
             << (isAddress ? "a pointer" : "an integer") << " for " << parameter
             << " but got " << type;
    if (!seen.insert(parameter).second)
      return op->emitOpError("expects each parameter once but got ")
             << parameter << " again";
    Attribute range =
        function.getArgAttr(index, LLVM::LLVMDialect::getRangeAttrName());
    if (range && !isRangeOfLaunches(range))
      return op->emitOpError("expects a range from 0 to ")
             << kNarrowLimit << ", " << kSmallLimit << " or " << kExtentLimit
             << " for " << parameter << " but got " << range;
  }
  return success();
}

/// Checks that a vector of each size fits `tile`: a pass may have divided rows
/// and strips.
static LogicalResult verifyTile(Operation *op, DenseI64ArrayAttr tile) {
  if (!isa<gpu::GPUFuncOp>(op))
    return success();
  auto fits = [&](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector || vector.getRank() != 3)
      return true;
    ArrayRef<int64_t> shape = vector.getShape();
    return tile[0] % shape[0] == 0 && tile[1] % shape[1] == 0 &&
           (shape[2] == 1 || shape[2] == tile[2]);
  };
  Type other;
  op->walk([&](Operation *inner) {
    for (Type type : inner->getResultTypes())
      if (!fits(type)) {
        other = type;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  if (other)
    return op->emitOpError("expects vectors of tiles as in its attribute '")
           << kTile.name << "', " << tile << ", but got " << other;
  return success();
}

/// Terms of a `bounds` that are named by others: by `first`, `second` and
/// `third`.
static unsigned countTerms(BoundTermKind kind) {
  switch (kind) {
  case BoundTermKind::Constant:
  case BoundTermKind::Scalar:
  case BoundTermKind::Extent:
  case BoundTermKind::Stride:
  case BoundTermKind::BlockDim:
  case BoundTermKind::GridDim:
  case BoundTermKind::Thread:
  case BoundTermKind::Block:
  case BoundTermKind::Any:
    return 0;
  case BoundTermKind::Signed:
  case BoundTermKind::Unsigned:
  case BoundTermKind::Inside:
  case BoundTermKind::Within:
    return 1;
  case BoundTermKind::Counter:
    return 3;
  default:
    return 2;
  }
}

/// Checks that each term is made of earlier ones, in bits that there are.
static LogicalResult verifyBounds(Operation *op, ArrayAttr terms) {
  const unsigned arguments = cast<FunctionOpInterface>(op).getNumArguments();
  for (auto [position, attribute] : llvm::enumerate(terms)) {
    auto term = cast<BoundTermAttr>(attribute);
    BoundTermKind kind = term.getKind();
    const unsigned named[] = {term.getFirst(), term.getSecond(),
                              term.getThird()};
    bool isAxis =
        llvm::is_contained({BoundTermKind::BlockDim, BoundTermKind::GridDim,
                            BoundTermKind::Thread, BoundTermKind::Block},
                           kind);
    bool isDimension =
        kind == BoundTermKind::Extent || kind == BoundTermKind::Stride;
    // Each argument of a launch has one parameter at least.
    bool hasArgument =
        isDimension || kind == BoundTermKind::Scalar
            ? term.getFirst() < arguments
            : kind != BoundTermKind::Inside || term.getSecond() < arguments;
    int64_t value = term.getValue();
    bool hasValue =
        kind == BoundTermKind::Scalar ? value >= 1 && value <= 8
        : kind == BoundTermKind::Inside
            ? value >= 1
            : !llvm::is_contained({BoundTermKind::Any, BoundTermKind::Signed,
                                   BoundTermKind::Unsigned},
                                  kind) ||
                  (value >= 1 && value <= 64);
    bool isFromEarlier = true;
    for (unsigned other : ArrayRef(named).take_front(countTerms(kind)))
      isFromEarlier &= other < position;
    if (!isFromEarlier || (isAxis && term.getFirst() > 2) ||
        (isDimension && term.getSecond() >= kMostDimensions) || !hasArgument ||
        !hasValue)
      return op->emitOpError("expects '")
             << kBounds.name
             << "' to be made of earlier terms and arguments but got " << term
             << " as term " << position;
  }
  return success();
}

/// Checks that each of the `terms` finds its operands on the stack.
static LogicalResult verifySharedSizes(Operation *op, ArrayAttr terms) {
  const unsigned arguments = cast<FunctionOpInterface>(op).getNumArguments();
  size_t depth = 0;
  for (auto term : terms.getAsRange<SizeTermAttr>()) {
    size_t taken = 2, given = 1;
    bool isValue = true;
    switch (term.getKind()) {
    case SizeTermKind::Constant:
      taken = 0;
      break;
    case SizeTermKind::Signed:
    case SizeTermKind::Unsigned:
      taken = 0;
      isValue = term.getArgument() < arguments && term.getValue() >= 1 &&
                term.getValue() <= 8;
      break;
    case SizeTermKind::Extent:
      taken = 0;
      isValue = term.getArgument() < arguments &&
                term.getDimension() < kMostDimensions;
      break;
    case SizeTermKind::Block:
      taken = 0;
      isValue = term.getDimension() <= 2;
      break;
    case SizeTermKind::Length:
      taken = 1;
      break;
    case SizeTermKind::Place:
      taken = 1;
      given = 0;
      isValue = term.getValue() >= 1 && term.getValue() <= kMaxAlignment;
      break;
    default:
      break;
    }
    if (depth < taken || !isValue)
      return op->emitOpError("expects '")
             << kSharedSizes.name
             << "' to find its operands on the stack but got " << term
             << " where that has " << depth << " numbers";
    depth += given - taken;
  }
  return success();
}

LogicalResult pyk::verifyOpAttribute(Operation *op, NamedAttribute attribute) {
  StringAttr name = attribute.getName();
  const Row *row = findRow(name);
  if (!row)
    return op->emitOpError("expects an attribute that its dialect knows but "
                           "got '")
           << name.getValue() << "'";
  // MLIR verifies attributes of dialects first. A function must have its type
  // before its arguments can be counted.
  if (isa<FunctionOpInterface>(op) &&
      failed(op->getName().verifyInvariants(op)))
    return failure();
  if (!row->isPlace(op))
    return op->emitOpError("cannot have the attribute '")
           << row->name << "', which belongs to " << row->place;
  if (!row->isValue(attribute.getValue()))
    return op->emitOpError("expects '") << row->name << "' to be " << row->value
                                        << " but got " << attribute.getValue();
  if (name == kAbi.name)
    return verifyAbi(op, kAbi.get(op));
  if (name == kTile.name)
    return verifyTile(op, kTile.get(op));
  if (name == kBounds.name)
    return verifyBounds(op, kBounds.get(op));
  if (name == kSharedSizes.name)
    return verifySharedSizes(op, kSharedSizes.get(op));
  if (name == kRun.name && !kTile.isOn(op))
    return op->emitOpError("requires the attribute '")
           << kTile.name << "' beside '" << kRun.name << "'";
  return success();
}

StringAttr pyk::findAttributeOfVectors(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName().getValue().starts_with("simd."))
      return attribute.getName();
  return {};
}
