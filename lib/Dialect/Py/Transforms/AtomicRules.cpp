// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: calls of cuda.atomic.

#include "IntrinsicTyping.h"
#include "StoreTyping.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// True for elements on which an update of `kind`, or an exchange, works.
static bool isAtomic(std::optional<AtomicKind> kind, Type element) {
  bool isWide = isInteger(element) && element.getIntOrFloatBitWidth() >= 32;
  if (!isWide && !isa<FloatType>(element))
    return false;
  switch (kind.value_or(AtomicKind::Exch)) {
  case AtomicKind::Inc:
  case AtomicKind::Dec:
    return element.isUnsignedInteger();
  case AtomicKind::And:
  case AtomicKind::Or:
  case AtomicKind::Xor:
    return !isa<FloatType>(element);
  default:
    return true;
  }
}

/// Checks the keyword `name`, which is given at `position`: one of the words
/// that `read` knows, of which `words` is the list.
template <typename Word>
static LogicalResult
expectWord(IntrinsicCall &call, size_t position, StringRef name,
           std::optional<Word> (*read)(StringRef), StringRef words) {
  auto type = dyn_cast<StaticType>(call.types[position]);
  auto text = type ? dyn_cast<StringAttr>(type.getValue()) : StringAttr();
  if (text && read(text.getValue()))
    return success();
  InFlightDiagnostic error = emitTypingError(call.locate(position));
  error << "'" << call.row.name << "' expects " << words << " as " << name
        << " but got ";
  if (text)
    error << "'" << text.getValue() << "'";
  else
    error << describe(call.types[position]);
  return error;
}

/// Checks the number of operands, and the keywords, which follow them.
static LogicalResult expectArguments(IntrinsicCall &call) {
  ArrayAttr keywords = call.op.getKeywords().value_or(ArrayAttr());
  size_t named = keywords ? keywords.size() : 0;
  size_t given = call.types.size() - named;
  for (size_t i = 0; i != named; ++i) {
    StringRef name = cast<StringAttr>(keywords[i]).getValue();
    if (name != "order" && name != "scope")
      return emitTypingError(call.locate(given + i))
             << "'" << call.row.name << "' has no keyword '" << name
             << "', but 'order' and 'scope'";
    LogicalResult isWord =
        name == "order"
            ? expectWord(call, given + i, name, symbolizeOrder,
                         "'relaxed', 'acquire', 'release', 'acq_rel' or "
                         "'seq_cst'")
            : expectWord(call, given + i, name, symbolizeScope,
                         "'block', 'device' or 'system'");
    if (failed(isWord))
      return failure();
  }
  if (given == call.row.least)
    return success();
  InFlightDiagnostic error = emitTypingError(call.op.getLoc());
  error << "'" << call.row.name << "' takes " << call.row.least
        << " arguments but " << given << (given == 1 ? " was" : " were")
        << " given";
  if (call.row.least == 3)
    error.attachNote() << "pass the array, the index of the element and the "
                          "value: "
                       << call.row.name << "(a, i, 1)";
  else
    error.attachNote() << "pass the array, the index of the element, the value "
                          "to compare with and the new one: "
                       << call.row.name << "(a, i, 0, 1)";
  return error;
}

/// The array of the call, checked.
static FailureOr<ArrayType> expectAtomic(IntrinsicCall &call,
                                         std::optional<AtomicKind> kind) {
  if (failed(expectArguments(call)))
    return failure();
  FailureOr<ArrayType> found = expectArray(call);
  if (failed(found))
    return failure();
  ArrayType array = *found;
  StringRef name = call.row.name;
  Location loc = call.locate(0);
  if (failed(checkWritable(loc, array)))
    return failure();
  if (!isAtomic(kind, array.getElementType())) {
    InFlightDiagnostic error = emitTypingError(loc);
    error << "'" << name << "' cannot work on " << describe(array);
    bool takesFloats = isAtomic(kind, Float64Type::get(call.context));
    bool takesSigned = isAtomic(kind, call.getInteger(64));
    error.attachNote() << "its elements must be "
                       << (takesSigned ? "integers" : "unsigned integers")
                       << " of 32 or 64 bits"
                       << (takesFloats ? " or floats" : "");
    return error;
  }
  if (array.getAlignment() < array.getElementBytes())
    return emitTypingError(loc)
           << "'" << name << "' cannot work on fields of packed records";
  return array;
}

/// Checks the numbers from the argument at `first` on; yields the element.
static FailureOr<Fact> expectOperands(IntrinsicCall &call, ArrayType array,
                                      size_t first) {
  for (size_t position = first; position < call.row.least; ++position)
    if (failed(expectNumber(call, position, array)))
      return failure();
  return makeTyped(array.getElementType());
}

/// Operations on the element that the second argument selects.
static FailureOr<Fact> inferIndexed(IntrinsicCall &call,
                                    std::optional<AtomicKind> kind) {
  FailureOr<ArrayType> array = expectAtomic(call, kind);
  if (failed(array) || failed(expectElement(call, *array)))
    return failure();
  return expectOperands(call, *array, 2);
}

static FailureOr<Fact> inferAtomic(IntrinsicCall &call) {
  return inferIndexed(
      call,
      call.row.getSetting<AtomicKindAttr>("kind", call.context).getValue());
}

static FailureOr<Fact> inferCas(IntrinsicCall &call) {
  return inferIndexed(call, std::nullopt);
}

static FailureOr<Fact> inferFirstCas(IntrinsicCall &call) {
  FailureOr<ArrayType> array = expectAtomic(call, std::nullopt);
  if (failed(array))
    return failure();
  if (array->getRank() != 1)
    return emitTypingError(call.locate(0))
           << "'" << call.row.name
           << "' expects an array of 1 dimension but got " << describe(*array);
  return expectOperands(call, *array, 1);
}

void py::addAtomicRules(TypingRules &rules) {
  using intrinsics::TypingRule;
  rules.add(TypingRule::Atomic, inferAtomic);
  rules.add(TypingRule::AtomicCas, inferCas);
  rules.add(TypingRule::AtomicFirstCas, inferFirstCas);
}
