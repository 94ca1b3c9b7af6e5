// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: rules for intrinsics on numbers.

#include "CallTyping.h"
#include "Conversions.h"
#include "IntrinsicTyping.h"
#include "Library.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Type py::getLeastReal(Type type) {
  Type narrow = Float32Type::get(type.getContext()),
       wide = Float64Type::get(type.getContext());
  return *selectOverload({{narrow}, {wide}}, type) == 0 ? narrow : wide;
}

static FailureOr<Fact> inferAbs(IntrinsicCall &call) {
  if (failed(call.expectNumbers()))
    return failure();
  Type type = call.types[0];
  if (type.isBF16())
    return makeTyped(Float32Type::get(call.context));
  return makeTyped(isBool(type) ? call.getInteger(8) : getPartType(type));
}

static FailureOr<Fact> inferMinMax(IntrinsicCall &call) {
  SmallVector<Type> &types = call.types;
  FunctionInference &inference = call.inference;
  if (types.size() == 1 && isa<ArrayType, RangeType>(types[0]))
    if (FuncOp function = getLibrary(call.op, call.row.name))
      return inference.calls().callFunction(call.op, function, call.arguments);
  // A tuple stands for its items.
  TupleType tuple = types.size() == 1 ? getTuple(types[0]) : TupleType();
  if (tuple)
    types.assign(tuple.begin(), tuple.end());
  if ((!tuple && failed(call.expectCount(2, call.row.most))) ||
      failed(call.expectReals()))
    return failure();
  if (llvm::any_of(types, isBool) && !llvm::all_of(types, isBool))
    return emitTypingError(call.op.getLoc())
           << "'" << call.name << "' cannot mix bool and other numbers";
  Type result;
  for (unsigned position : sortByWidth(types))
    result = unify(result, types[position]);
  return makeTyped(result);
}

static FailureOr<Fact> inferPow(IntrinsicCall &call) {
  if (failed(call.expectNumbers()))
    return failure();
  Typing typing = call.inference.getTyping();
  Type exponent = getOperandType(call.op.getInputs()[1], call.types[1],
                                 call.types[0], typing);
  return call.compute(
      {call.types[0], exponent},
      getBinaryType(BinaryOperator::Pow, call.types[0], exponent, typing));
}

static FailureOr<Fact> inferRound(IntrinsicCall &call) {
  if (failed(call.expectReals()))
    return failure();
  if (call.types.size() == 1)
    return makeTyped(call.getInteger(64));
  if (!isInteger(call.types[1]))
    return call.refuse(1, "an integer as number of digits");
  return makeTyped(getLeastReal(call.types[0]));
}

static FailureOr<Fact> inferLdexp(IntrinsicCall &call) {
  if (failed(call.expectReals()))
    return failure();
  if (!isInteger(call.types[1]))
    return call.refuse(1, "an integer as exponent");
  return makeTyped(getLeastReal(call.types[0]));
}

static FailureOr<Fact> inferToBool(IntrinsicCall &call) {
  call.types[0] = unwrapAll(call.types[0]);
  if (!getTuple(call.types[0]) && !isText(call.types[0]) &&
      !isa<Float8Type>(call.types[0]) && failed(call.expectNumbers()))
    return failure();
  return makeTyped(IntegerType::get(call.context, 1));
}

static FailureOr<Fact> inferToInt(IntrinsicCall &call) {
  if (isa<Float8Type>(call.types[0]))
    return makeTyped(call.getInteger(64));
  if (failed(call.expectReals()))
    return failure();
  return makeTyped(isInteger(call.types[0]) ? call.types[0]
                                            : call.getInteger(64));
}

static FailureOr<Fact> inferToFloat(IntrinsicCall &call) {
  if (isa<Float8Type>(call.types[0]))
    return makeTyped(Float32Type::get(call.context));
  if (failed(call.expectReals()))
    return failure();
  if (isBool(call.types[0]))
    return emitTypingError(call.locate(0))
           << "'" << call.name << "' cannot take bool";
  return makeTyped(isa<FloatType>(call.types[0])
                       ? call.types[0]
                       : Float64Type::get(call.context));
}

static FailureOr<Fact> inferToComplex(IntrinsicCall &call) {
  if (failed(call.types.size() == 2 ? call.expectReals()
                                    : call.expectNumbers()))
    return failure();
  bool areF32 =
      llvm::all_of(call.types, [](Type type) { return type.isF32(); });
  return makeTyped(ComplexType::get(areF32
                                        ? Type(Float32Type::get(call.context))
                                        : Float64Type::get(call.context)));
}

static FailureOr<Fact> inferIsInstance(IntrinsicCall &call) {
  std::optional<bool> is =
      isInstance(call.types[0], call.types[1], call.inference.getTyping());
  if (!is)
    return call.refuse(1, "classes of numbers, tuple or numpy.ndarray");
  return isa<OptionalType>(call.types[0])
             ? makeTyped(IntegerType::get(call.context, 1))
             : makeConstant(BoolAttr::get(call.context, *is));
}

static FailureOr<Fact> inferClassOf(IntrinsicCall &call) {
  if (failed(call.expectNumbers()))
    return failure();
  return makeConstant(TypeAttr::get(call.types[0]));
}

//===----------------------------------------------------------------------===//
// Conversions of PyK's library
//===----------------------------------------------------------------------===//

static FailureOr<Fact> inferCommon(IntrinsicCall &call) {
  if (failed(call.expectNumbers()))
    return failure();
  using intrinsics::TypingRule;
  Type type =
      getLoopType(call.types, call.row.typing == TypingRule::CommonReal);
  if (isBool(type) && call.row.typing == TypingRule::CommonNumber)
    type = call.getInteger(8);
  SmallVector<Type> types(call.types.size(), type);
  return call.compute(types, types);
}

static FailureOr<Fact> inferLike(IntrinsicCall &call) {
  if (failed(call.expectNumbers()) ||
      failed(checkConvertible(call.locate(0), call.types[0], call.types[1])))
    return failure();
  return makeTyped(call.types[1]);
}

static FailureOr<Fact> inferIsNat(IntrinsicCall &call) {
  // No test: a call of the library's function is told what that takes.
  return emitTypingError(call.op.getLoc())
         << "'" << call.name << "' expects a time";
}

void py::addNumberRules(TypingRules &rules) {
  using intrinsics::TypingRule;
  rules.add(TypingRule::Abs, inferAbs);
  rules.add(TypingRule::MinMax, inferMinMax);
  rules.add(TypingRule::Pow, inferPow);
  rules.add(TypingRule::Round, inferRound);
  rules.add(TypingRule::Ldexp, inferLdexp);
  rules.add(TypingRule::ToBool, inferToBool);
  rules.add(TypingRule::ToInt, inferToInt);
  rules.add(TypingRule::ToFloat, inferToFloat);
  rules.add(TypingRule::ToComplex, inferToComplex);
  rules.add(TypingRule::IsInstance, inferIsInstance);
  rules.add(TypingRule::ClassOf, inferClassOf);
  rules.add(TypingRule::Common, inferCommon);
  rules.add(TypingRule::CommonNumber, inferCommon);
  rules.add(TypingRule::CommonReal, inferCommon);
  rules.add(TypingRule::Like, inferLike);
  rules.add(TypingRule::IsNat, inferIsNat);
}
