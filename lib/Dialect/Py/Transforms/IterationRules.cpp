// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: rules for what loops run over.

#include "IntrinsicTyping.h"
#include "LoopUnrolling.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;
using intrinsics::TypingRule;

/// Whether a loop, or what one runs over, is all that takes what `op` yields.
static bool isRunOver(CallOp op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    auto call = dyn_cast<CallOp>(user);
    const Intrinsic *row = call ? getCalledIntrinsic(call) : nullptr;
    return isa<ForOp>(user) || (row && (row->typing == TypingRule::Zip ||
                                        row->typing == TypingRule::Enumerate));
  });
}

/// What `call` yields, which runs over what `source` does; an iterator if the
/// program keeps it. What a loop runs over at once needs no position.
static Fact makeKept(IntrinsicCall &call, Type source) {
  bool isKept =
      !call.inference.getFunction().getLibrary() && !isRunOver(call.op);
  return makeTyped(isKept ? IteratorType::get(call.context, source) : source);
}

/// Emits an error unless a loop can run over the argument at `position`.
static LogicalResult expectIterable(IntrinsicCall &call, size_t position) {
  if (getElementOf(call.types[position]))
    return success();
  return call.refuse(position, "a range, an array or a tuple of one type");
}

static FailureOr<Fact> inferRange(IntrinsicCall &call) {
  if (failed(call.expectReals()))
    return failure();
  SmallVector<IntegerType> candidates;
  SmallVector<SmallVector<Type, 3>> overloads;
  for (StringRef name : {"int32", "int64", "uint64"}) {
    candidates.push_back(cast<IntegerType>(getDtype(name, call.context)));
    overloads.emplace_back(call.types.size(), candidates.back());
  }
  return makeTyped(RangeType::get(
      call.context, candidates[*selectOverload(overloads, call.types)]));
}

static FailureOr<Fact> inferLen(IntrinsicCall &call) {
  Type type = call.types[0];
  if (auto tuple = dyn_cast<TupleType>(type)) {
    Fact size = makeConstant(IntAttr::get(
        call.context,
        IntegerAttr::get(getSizeType(call.inference, type), tuple.size())));
    size.isLiteral =
        call.inference.getBranches().isArgument(call.op.getInputs()[0]);
    return size;
  }
  if (auto range = dyn_cast<RangeType>(type))
    return makeTyped(range.getElementType());
  auto array = dyn_cast<ArrayType>(type);
  bool hasLength =
      array ? array.getRank() != 0 && !array.isPointer() : isa<FlatType>(type);
  if (!hasLength && !isText(type))
    return call.refuse(0, "an array or a tuple");
  return makeTyped(getSizeType(call.inference, type));
}

static FailureOr<Fact> inferNdIndex(IntrinsicCall &call) {
  auto tuple =
      call.types.size() == 1 ? dyn_cast<TupleType>(call.types[0]) : TupleType();
  ArrayRef<Type> extents = tuple ? tuple.getTypes() : ArrayRef(call.types);
  for (Type extent : extents)
    if (!isInteger(extent))
      return emitTypingError(call.op.getLoc())
             << "'" << call.name
             << "' expects integers or one tuple of them but got "
             << describe(extent);
  return makeTyped(NdIndexType::get(call.context, extents.size()));
}

static FailureOr<Fact> inferNdIter(IntrinsicCall &call) {
  auto tuple = dyn_cast<TupleType>(call.types[0]);
  SmallVector<Type> items(tuple ? tuple.getTypes() : ArrayRef(call.types));
  if (items.empty() || !llvm::all_of(items, llvm::IsaPred<ArrayType>))
    return call.refuse(0, "an array or a tuple of arrays");
  return makeTyped(NdIterType::get(call.context, items));
}

/// Whether loops are all that takes `value`, or what zip and enumerate make of
/// it.
static bool isUnrolled(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [](Operation *user) {
           auto call = dyn_cast<CallOp>(user);
           return isa<ForOp>(user) ||
                  (call && isRunOver(call) && isUnrolled(call.getResult()));
         });
}

static FailureOr<Fact> inferLiteralUnroll(IntrinsicCall &call) {
  Value argument = call.op.getInputs().front();
  if (!call.inference.unrolling().countItems(argument)) {
    InFlightDiagnostic error =
        call.refuse(0, "a tuple, or a range of constants,");
    if (getElementOf(call.types[0]))
      error.attachNote() << "a loop over it needs no literal_unroll";
    return error;
  }
  if (!isUnrolled(call.op.getResult())) {
    InFlightDiagnostic error = emitTypingError(call.op.getLoc());
    error << "'" << call.name << "' is for what a loop runs over";
    error.attachNote() << "write 'for x in literal_unroll(...)'; without a "
                          "loop, use the tuple itself";
    return error;
  }
  return call.arguments[0];
}

static FailureOr<Fact> inferIter(IntrinsicCall &call) {
  if (failed(expectIterable(call, 0)))
    return failure();
  Type type = call.types[0];
  return makeTyped(
      isa<IteratorType>(type) ? type : IteratorType::get(call.context, type));
}

static FailureOr<Fact> inferNext(IntrinsicCall &call) {
  if (auto iterator = dyn_cast<IteratorType>(call.types[0]))
    return makeTyped(getElementOf(iterator));
  InFlightDiagnostic error = call.refuse(0, "an iterator");
  if (getElementOf(call.types[0]))
    error.attachNote() << "iter(...) makes one";
  return error;
}

static FailureOr<Fact> inferZip(IntrinsicCall &call) {
  // Python's zip of nothing yields nothing.
  if (call.types.empty())
    return makeTyped(TupleType::get(call.context));
  for (size_t position = 0; position != call.types.size(); ++position)
    if (failed(expectIterable(call, position)))
      return failure();
  return makeKept(call, ZipType::get(call.context, call.types));
}

static FailureOr<Fact> inferEnumerate(IntrinsicCall &call) {
  if (failed(expectIterable(call, 0)))
    return failure();
  if (call.types.size() == 2 && !isInteger(call.types[1]))
    return call.refuse(1, "an integer to begin with");
  return makeKept(call, EnumerateType::get(call.context, call.types[0]));
}

void py::addIterationRules(TypingRules &rules) {
  rules.add(TypingRule::Range, inferRange);
  rules.add(TypingRule::Len, inferLen);
  rules.add(TypingRule::NdIndex, inferNdIndex);
  rules.add(TypingRule::NdIter, inferNdIter);
  rules.add(TypingRule::LiteralUnroll, inferLiteralUnroll);
  rules.add(TypingRule::Iter, inferIter);
  rules.add(TypingRule::Next, inferNext);
  rules.add(TypingRule::Zip, inferZip);
  rules.add(TypingRule::Enumerate, inferEnumerate);
}
