// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: calls of intrinsics, by overloads or by the rules
// that Intrinsics.td names.

#include "IntrinsicTyping.h"
#include "Binding.h"
#include "Remedies.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// What rules are given
//===----------------------------------------------------------------------===//

IntrinsicCall::IntrinsicCall(FunctionInference &inference, CallOp op,
                             const Intrinsic &row, ArrayRef<Fact> arguments)
    : inference(inference), op(op), row(row), arguments(arguments),
      types(llvm::map_range(
          arguments, [](const Fact &argument) { return argument.type; })),
      context(op.getContext()), name(getWrittenName(row.name)),
      isMethod(isa<MethodType>(inference.get(op.getCallee()).type)) {
  if (isMethod)
    name = name.rsplit('.').second;
}

Location IntrinsicCall::locate(size_t position) {
  if (isMethod)
    return position == 0 ? op.getCallee().getLoc()
                         : op.getInputs()[position - 1].getLoc();
  bool isOneTuple = types.size() != op.getInputs().size();
  return op.getInputs()[isOneTuple ? 0 : position].getLoc();
}

LogicalResult IntrinsicCall::expectCount(size_t least, size_t most) {
  if (op.getKeywords() && row.parameters.empty())
    return emitTypingError(op.getLoc())
           << "'" << name << "' takes no keyword arguments";
  size_t count = arguments.size() - isMethod;
  if (count >= least && count <= most)
    return success();
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  error << "'" << name << "' takes ";
  if (least == 0 && most != 0)
    error << "at most ";
  else if (most != least)
    error << least << " to ";
  error << most << (most == 1 ? " argument" : " arguments") << " but " << count
        << (count == 1 ? " was given" : " were given");
  SmallVector<StringRef> names(row.parameters);
  if (row.typing == intrinsics::TypingRule::GridIndex)
    error.attachNote() << "pass how many indices you want: i = " << name
                       << "(1), or x, y = " << name << "(2)";
  else if (names.size() == most && most != 0)
    error.attachNote() << "it takes (" << llvm::join(names, ", ") << ")";
  return error;
}

LogicalResult IntrinsicCall::orderArguments() {
  if (!op.getKeywords())
    return success();
  SmallVector<StringRef> names(row.parameters);
  FailureOr<Bound> bound =
      bindArguments(op, name, names, arguments, 0, std::nullopt);
  if (failed(bound))
    return failure();
  // Those that can be left out are the last ones.
  size_t count = arguments.size();
  size_t missing = llvm::find(bound->values, Value()) - bound->values.begin();
  if (missing < count)
    return emitTypingError(op.getLoc())
           << "'" << name << "' is called without argument '" << names[missing]
           << "'";
  op.getInputsMutable().assign(ArrayRef(bound->values).take_front(count));
  op.removeKeywordsAttr();
  ordered.assign(bound->facts.begin(), bound->facts.begin() + count);
  arguments = ordered;
  llvm::transform(arguments, types.begin(),
                  [](const Fact &argument) { return argument.type; });
  return success();
}

InFlightDiagnostic IntrinsicCall::refuse(size_t position, StringRef wanted) {
  InFlightDiagnostic error = emitTypingError(locate(position));
  error << "'" << name << "' expects " << wanted << " but got "
        << describe(types[position]);
  auto array = dyn_cast<ArrayType>(types[position]);
  if (array && array.getRank() != 0 && wanted.ends_with("number"))
    error.attachNote() << kOneElement;
  return error;
}

LogicalResult IntrinsicCall::expectNumbers() {
  auto *other = llvm::find_if(types, [](Type type) { return !isScalar(type); });
  if (other == types.end())
    return success();
  InFlightDiagnostic error = refuse(other - types.begin(), "a number");
  if (isa<TimeType>(*other))
    error.attachNote() << kCountOfTime;
  return error;
}

LogicalResult IntrinsicCall::expectReals() {
  if (failed(expectNumbers()))
    return failure();
  auto *number = llvm::find_if(types, isComplex);
  if (number == types.end())
    return success();
  InFlightDiagnostic error = refuse(number - types.begin(), "a real number");
  std::string other = ("c" + name).str();
  if (lookupIntrinsic(other))
    error.attachNote() << "'" << other << "' takes complex numbers";
  else
    error.attachNote() << "take a part of it, .real or .imag, or abs(...)";
  return error;
}

Fact IntrinsicCall::compute(ArrayRef<Type> computes, ArrayRef<Type> gives) {
  inference.getAnnotations().setSignature(
      op, FunctionType::get(context, computes, gives));
  if (gives.empty())
    return makeTyped(NoneType::get(context));
  return makeTyped(gives.size() == 1 ? gives[0]
                                     : TupleType::get(context, gives));
}

//===----------------------------------------------------------------------===//
// Rules and overloads
//===----------------------------------------------------------------------===//

const TypingRules &TypingRules::get() {
  static const TypingRules rules = [] {
    TypingRules rules;
    addNumberRules(rules);
    addIterationRules(rules);
    addAccessRules(rules);
    addAtomicRules(rules);
    addWarpRules(rules);
    addAllocationRules(rules);
    addTextRules(rules);
    addVectorRules(rules);
    addArrayRules(rules);
    addMemberRules(rules);
    return rules;
  }();
  return rules;
}

static SmallVector<Type, 3> getTypes(ArrayRef<StringLiteral> names,
                                     MLIRContext *context) {
  SmallVector<Type, 3> types;
  for (StringRef name : names)
    types.push_back(getDtype(name, context));
  return types;
}

static Fact apply(const IntrinsicOverload &overload, IntrinsicCall &call) {
  return call.compute(getTypes(overload.computes, call.context),
                      getTypes(overload.gives, call.context));
}

/// Types the call by the best of the row's overloads.
static FailureOr<Fact> selectBest(IntrinsicCall &call) {
  SmallVector<SmallVector<Type, 3>> overloads;
  for (const IntrinsicOverload &overload : call.row.overloads)
    overloads.push_back(getTypes(overload.takes, call.context));
  bool takesComplex =
      !overloads[0].empty() && llvm::any_of(overloads[0], isComplex);
  if (failed(takesComplex ? call.expectNumbers() : call.expectReals()))
    return failure();
  return apply(call.row.overloads[*selectOverload(overloads, call.types)],
               call);
}

/// Types the call by the row's overload that takes the arguments as they are.
static FailureOr<Fact> findExact(IntrinsicCall &call) {
  for (const IntrinsicOverload &overload : call.row.overloads)
    if (getTypes(overload.takes, call.context) == call.types)
      return apply(overload, call);
  InFlightDiagnostic error = emitTypingError(call.op.getLoc());
  error << "'" << call.name << "' cannot take ";
  llvm::interleave(
      call.types, error, [&](Type type) { error << describe(type); }, " and ");
  return error;
}

Type py::getValueType(const Intrinsic &intrinsic, MLIRContext *context) {
  bool isNumber = intrinsic.isValue && !intrinsic.overloads.empty();
  return isNumber ? getDtype(intrinsic.overloads[0].gives[0], context) : Type();
}

FailureOr<Fact> py::inferAttribute(FunctionInference &inference, AttributeOp op,
                                   const Intrinsic &row, const Fact &object) {
  MLIRContext *context = op.getContext();
  if (auto array = dyn_cast<ArrayType>(object.type);
      array && array.isPointer()) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << describe(array) << ", a pointer, has no attribute '"
          << op.getName() << "'";
    error.attachNote() << "nobody says where it ends; give the kernel the "
                          "length, or an array";
    return error;
  }
  if (!row.isValue)
    return makeTyped(MethodType::get(context, object.type, row.getMember()));
  if (Type type = getValueType(row, context))
    return makeTyped(type);
  AttributeRead read{inference, op, row, object, context};
  return TypingRules::get().ofAttribute(row.typing)(read);
}

const Intrinsic *py::getCalledIntrinsic(CallOp op) {
  auto callee = op.getCallee().getDefiningOp<ConstantOp>();
  auto known =
      callee ? dyn_cast<IntrinsicAttr>(callee.getValue()) : IntrinsicAttr();
  return known ? lookupIntrinsic(known.getName()) : nullptr;
}

FailureOr<Fact> py::inferIntrinsic(FunctionInference &inference, CallOp op,
                                   const Intrinsic &intrinsic,
                                   ArrayRef<Fact> arguments) {
  IntrinsicCall call(inference, op, intrinsic, arguments);
  if (intrinsic.isValue)
    return emitTypingError(op.getLoc())
           << "'" << call.name << "' is a value, not a function";
  // Where there are keywords, a rule puts arguments in order.
  bool isOverloaded = !intrinsic.overloads.empty();
  if ((isOverloaded || intrinsic.parameters.empty()) &&
      failed(call.expectCount(intrinsic.least, intrinsic.most)))
    return failure();
  if (isOverloaded && failed(call.orderArguments()))
    return failure();
  if (intrinsic.typing == intrinsics::TypingRule::Overloads)
    return selectBest(call);
  if (intrinsic.typing == intrinsics::TypingRule::ExactOverloads)
    return findExact(call);
  if (!op.getKeywords())
    if (Type type = getTimeResult(intrinsic.typing, call.types)) {
      auto tuple = dyn_cast<TupleType>(type);
      SmallVector<Type> types(tuple ? tuple.getTypes() : TypeRange(type));
      bool isConverted =
          intrinsic.lowering == intrinsics::LoweringRule::Converted;
      return isConverted ? call.compute(types, types) : makeTyped(type);
    }
  return TypingRules::get()[intrinsic.typing](call);
}
