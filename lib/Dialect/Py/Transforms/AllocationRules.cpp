// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: arrays that a kernel allocates, those that it finds
// in constant memory, and the index of a thread in the grid.

#include "Binding.h"
#include "IntrinsicTyping.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Whether `shape` is made of ints that only the launch may know.
static bool isKnownToLaunch(const Fact &shape) {
  if (auto tuple = dyn_cast_if_present<ArrayAttr>(shape.constant);
      tuple ? llvm::all_of(tuple, llvm::IsaPred<IntAttr>)
            : bool(shape.constant))
    return false;
  if (auto tuple = dyn_cast<TupleType>(shape.type))
    return llvm::all_of(tuple.getTypes(), py::isInteger);
  return py::isInteger(shape.type);
}

/// The extents that a shape known while compiling has. Emits an error if it is
/// not known or has none.
static FailureOr<SmallVector<int64_t>>
getExtents(const Intrinsic &intrinsic, const Fact &shape, Value value) {
  SmallVector<Attribute> items{shape.constant};
  if (auto tuple = dyn_cast_if_present<ArrayAttr>(shape.constant))
    items.assign(tuple.begin(), tuple.end());
  SmallVector<int64_t> extents;
  int64_t count = 1;
  for (Attribute item : items) {
    auto extent = dyn_cast_if_present<IntAttr>(item);
    if (!extent) {
      InFlightDiagnostic error = emitTypingError(value.getLoc());
      error << "expects a constant int or a tuple of them as the shape of '"
            << intrinsic.name << "' but got " << describe(shape.type);
      error.attachNote()
          << "a literal, a global or a closure variable is constant";
      return error;
    }
    extents.push_back(extent.getValue().getValue().getSExtValue());
    if (extents.back() < 0)
      return emitTypingError(value.getLoc())
             << "expects extents of at least 0 but got " << extents.back();
    if (llvm::MulOverflow(count, extents.back(), count) || count > INT32_MAX)
      return emitTypingError(value.getLoc())
             << "expects less than 2^31 elements in '" << intrinsic.name << "'";
  }
  return extents;
}

/// The alignment that a program asks for. Emits an error if it is not known or
/// none that memory can have.
static FailureOr<int64_t> getAlignment(const Intrinsic &intrinsic,
                                       const Fact &alignment, Value value) {
  // Numba takes multiples of the size of a pointer.
  constexpr int64_t least = 8;
  auto known = dyn_cast_if_present<IntAttr>(alignment.constant);
  if (!known)
    return emitTypingError(value.getLoc())
           << "expects a constant int as the alignment of '" << intrinsic.name
           << "' but got " << describe(alignment.type);
  const APInt &bytes = known.getValue().getValue();
  if (!bytes.isPowerOf2() || bytes.ult(least) || bytes.ugt(kMaxAlignment)) {
    SmallString<24> given;
    bytes.toString(given, 10, known.getValue().getType().isSignedInteger());
    return emitTypingError(value.getLoc())
           << "expects an alignment that is a power of 2 from " << least
           << " to " << kMaxAlignment << " but got " << given;
  }
  return bytes.getSExtValue();
}

/// Writes down that launches know the extents of the array that `call` makes,
/// of the type `shape`. Returns them as its type has them.
static SmallVector<int64_t> addLaunchExtents(IntrinsicCall &call, Type shape) {
  Type wanted = call.getInteger(64);
  size_t rank = 1;
  if (auto tuple = dyn_cast<TupleType>(shape)) {
    rank = tuple.size();
    wanted = TupleType::get(call.context, SmallVector<Type>(rank, wanted));
  }
  call.inference.getAnnotations().setSignature(
      call.op, FunctionType::get(call.context, wanted, {}));
  return SmallVector<int64_t>(rank, ArrayType::kDynamic);
}

static FailureOr<Fact> inferAlloc(IntrinsicCall &call, Space space) {
  CallOp op = call.op;
  const Intrinsic &intrinsic = call.row;
  SmallVector<StringRef> names(intrinsic.parameters);
  FailureOr<Bound> bound =
      bindArguments(op, intrinsic.name, names, call.arguments, 0, std::nullopt);
  if (failed(bound))
    return failure();
  if (!bound->values[0] || !bound->values[1]) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "'" << intrinsic.name << "' needs a shape and a dtype";
    error.attachNote() << "pass both: " << intrinsic.name
                       << "(32, numba.float32)";
    return error;
  }
  const Fact &shape = bound->facts[0];
  bool isSized = space == Space::Shared && isKnownToLaunch(shape);
  FailureOr<SmallVector<int64_t>> extents = SmallVector<int64_t>();
  if (isSized)
    extents = addLaunchExtents(call, shape.type);
  else
    extents = getExtents(intrinsic, shape, bound->values[0]);
  if (failed(extents))
    return failure();
  Type dtype = bound->facts[1].type;
  Location loc = bound->values[1].getLoc();
  Type element = getNamedDtype(dtype);
  if (!element) {
    InFlightDiagnostic error = emitTypingError(loc);
    error << "expects a dtype for '" << intrinsic.name << "' but got ";
    auto known = dyn_cast<StaticType>(dtype);
    if (auto text =
            known ? dyn_cast<StringAttr>(known.getValue()) : StringAttr())
      error << "the string '" << text.getValue() << "'";
    else
      error << describe(dtype);
    error.attachNote() << "a dtype is numba.float32, numpy.int64 and the like";
    return error;
  }
  Value alignment = bound->values[2];
  if (alignment && !isa<NoneType>(bound->facts[2].type)) {
    FailureOr<int64_t> bytes =
        getAlignment(intrinsic, bound->facts[2], alignment);
    if (failed(bytes))
      return failure();
    call.inference.getAnnotations().setAlignment(op, *bytes);
  }
  // A shared array of no elements is the memory that the launch gives.
  if (space == Space::Shared && !isSized && extents->size() == 1 &&
      (*extents)[0] == 0)
    (*extents)[0] = ArrayType::kDynamic;
  return makeTyped(
      ArrayType::get(call.context, *extents, element, Layout::C, space));
}

static FailureOr<Fact> inferSharedArray(IntrinsicCall &call) {
  return inferAlloc(call, Space::Shared);
}

static FailureOr<Fact> inferLocalArray(IntrinsicCall &call) {
  return inferAlloc(call, Space::Local);
}

static FailureOr<Fact> inferConstantArray(IntrinsicCall &call) {
  auto array = dyn_cast<ArrayType>(call.types[0]);
  if (!array || array.getSpace() != Space::Constant)
    return call.refuse(0, "an array known at compile time");
  return call.arguments[0];
}

static FailureOr<Fact> inferGridIndex(IntrinsicCall &call) {
  CallOp op = call.op;
  if (failed(call.expectCount(1, 1)))
    return failure();
  if (op.getKeywords() &&
      (*op.getKeywords())[0] !=
          StringAttr::get(call.context, call.row.parameters[0]))
    return emitTypingError(call.locate(0))
           << "'" << call.name << "' has no parameter "
           << (*op.getKeywords())[0];
  auto rank = dyn_cast_if_present<IntAttr>(call.arguments[0].constant);
  int64_t value = rank ? rank.getValue().getValue().getSExtValue() : 0;
  if (value < 1 || value > 3)
    return emitTypingError(call.locate(0))
           << "'" << call.name << "' expects a constant 1, 2 or 3 but got "
           << (rank ? std::to_string(value) : describe(call.types[0]));
  Type index =
      call.getInteger(call.inference.getTyping() == Typing::Narrow ? 32 : 64);
  if (value == 1)
    return makeTyped(index);
  return makeTyped(
      TupleType::get(call.context, SmallVector<Type>(value, index)));
}

void py::addAllocationRules(TypingRules &rules) {
  using intrinsics::TypingRule;
  rules.add(TypingRule::SharedArray, inferSharedArray);
  rules.add(TypingRule::LocalArray, inferLocalArray);
  rules.add(TypingRule::ConstantArray, inferConstantArray);
  rules.add(TypingRule::GridIndex, inferGridIndex);
}
