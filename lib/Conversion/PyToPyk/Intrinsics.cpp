// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics: what Intrinsics.td says that each becomes. Rules for many kinds
// of intrinsics are here, those of one kind in files of their own.

#include "IntrinsicLowering.h"
#include "Scalars.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// What rules are given
//===----------------------------------------------------------------------===//

LoweredCall::LoweredCall(FunctionLowering &lowering, CallOp op,
                         const Intrinsic &row, ArrayRef<Binding> arguments)
    : lowering(lowering), op(op), row(row), arguments(arguments),
      builder(lowering.getBuilder()), context(op.getContext()),
      loc(op.getLoc()), type(op.getType()) {}

FunctionType LoweredCall::getSignature() {
  return cast<FunctionType>(*op.getSignature());
}

Value LoweredCall::convert(size_t position, Type to) {
  const Binding &argument = arguments[position];
  return lowering.convert(argument.parts.front(), argument.type, to, loc);
}

SmallVector<Value> LoweredCall::getOperands() {
  SmallVector<Value> operands;
  for (auto [argument, type] :
       llvm::zip_equal(arguments, getSignature().getInputs()))
    llvm::append_range(operands, lowering.convert(argument, type, loc).parts);
  return operands;
}

Operation *LoweredCall::makeOp(ValueRange operands, TypeRange results) {
  OperationState state(loc, row.op, operands, results,
                       row.getSettings(context));
  Operation *made = builder.create(state);
  auto arithmetic = dyn_cast<arith::ArithFastMathInterface>(made);
  if (!arithmetic || results.empty())
    return made;
  arith::FastMathFlags flags = lowering.getApproximation(results.front());
  if (flags != arith::FastMathFlags::none)
    made->setAttr(arithmetic.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(context, flags));
  return made;
}

Binding LoweredCall::yield(ValueRange values) {
  ArrayRef<Type> results = getSignature().getResults();
  Type own = results.empty()       ? Type(NoneType::get(context))
             : results.size() == 1 ? results[0]
                                   : TupleType::get(context, results);
  return lowering.convert(Binding{own, llvm::to_vector<1>(values)}, type, loc);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static Binding lowerToOp(LoweredCall &call) {
  SmallVector<Type> results = getPartTypes(call.getSignature().getResults());
  return call.yield(call.makeOp(call.getOperands(), results)->getResults());
}

static Binding lowerConverted(LoweredCall &call) {
  return call.yield(call.getOperands());
}

static Binding lowerSame(LoweredCall &call) { return call.arguments[0]; }

static Binding lowerNothing(LoweredCall &call) { return {call.type, {}}; }

/// What has no value of its own, and what is its object, as attributes.
static Binding readNothing(LoweredAttribute &read) { return {read.type, {}}; }

static Binding readSame(LoweredAttribute &read) {
  return {read.type, read.object.parts};
}

static Binding lowerScaled(LoweredCall &call) {
  auto factor = call.row.getSetting<FloatAttr>("factor", call.context);
  SmallVector<Value> operands = call.getOperands();
  Value scale = makeFloat(call.builder, factor.getValueAsDouble(),
                          operands[0].getType(), call.loc);
  return call.yield(arith::MulFOp::create(call.builder, call.loc, operands[0],
                                          scale, call.lowering.getFlags())
                        .getResult());
}

static Binding lowerGrid(LoweredCall &call) {
  SmallVector<Type> parts;
  appendPartTypes(call.type, parts);
  Binding result{call.type, {}};
  for (auto [dimension, part] : llvm::enumerate(parts)) {
    Operation *made = call.makeOp({}, part);
    made->setAttr(
        "dimension",
        DimensionAttr::get(call.context, static_cast<Dimension>(dimension)));
    result.parts.push_back(made->getResult(0));
  }
  return result;
}

static Binding lowerGridGroup(LoweredCall &call) {
  call.makeOp({}, {});
  return {call.type, {}};
}

/// Yields what CUDA's function does where nothing goes wrong.
static Binding lowerGridSync(LoweredCall &call) {
  call.makeOp({}, {});
  Value done = arith::ConstantIntOp::create(call.builder, call.loc, 0, 32);
  return call.yield(done);
}

/// The argument `shape` of a call that allocates.
static const Binding &getShape(LoweredCall &call) {
  ArrayAttr keywords = call.op.getKeywords().value_or(ArrayAttr());
  size_t count = keywords ? keywords.size() : 0;
  for (size_t i = 0; i < count; ++i)
    if (cast<StringAttr>(keywords[i]) == call.row.parameters[0])
      return call.arguments[call.arguments.size() - count + i];
  return call.arguments.front();
}

static Binding lowerAlloc(LoweredCall &call) {
  SmallVector<Type, 1> parts;
  appendPartTypes(call.type, parts);
  auto array = cast<ArrayType>(parts.front());
  int64_t alignment =
      std::max(call.op.getAlignment().value_or(1), uint64_t(kOwnedAlignment));
  if (array.hasStaticShape())
    return {call.type,
            {pyk::AllocOp::create(call.builder, call.loc, array, alignment)}};
  if (call.op.getSignature()) {
    Binding extents = call.lowering.convert(
        getShape(call), call.getSignature().getInput(0), call.loc);
    return {call.type,
            {pyk::LaunchSharedOp::create(call.builder, call.loc, array,
                                         extents.parts, alignment)}};
  }
  return {
      call.type,
      {pyk::DynamicSharedOp::create(call.builder, call.loc, array, alignment)}};
}

const LoweringRules &LoweringRules::get() {
  static const LoweringRules rules = [] {
    using intrinsics::LoweringRule;
    LoweringRules rules;
    rules.add(LoweringRule::Op, lowerToOp);
    rules.add(LoweringRule::Converted, lowerConverted);
    rules.add(LoweringRule::Same, lowerSame);
    rules.add(LoweringRule::Nothing, lowerNothing);
    rules.add(LoweringRule::Nothing, readNothing);
    rules.add(LoweringRule::Same, readSame);
    rules.add(LoweringRule::Scaled, lowerScaled);
    rules.add(LoweringRule::Grid, lowerGrid);
    rules.add(LoweringRule::GridGroup, lowerGridGroup);
    rules.add(LoweringRule::GridSync, lowerGridSync);
    rules.add(LoweringRule::Alloc, lowerAlloc);
    addNumberLowering(rules);
    addComplexLowering(rules);
    addIterationLowering(rules);
    addAccessLowering(rules);
    addAtomicLowering(rules);
    addPrintLowering(rules);
    addArrayLowering(rules);
    addMemberLowering(rules);
    addVectorLowering(rules);
    return rules;
  }();
  return rules;
}

Binding py::evaluateIntrinsic(FunctionLowering &lowering, CallOp op,
                              const Intrinsic &intrinsic,
                              ArrayRef<Binding> arguments) {
  LoweredCall call(lowering, op, intrinsic, arguments);
  return LoweringRules::get()[intrinsic.lowering](call);
}

Binding py::evaluateAttribute(FunctionLowering &lowering, AttributeOp op,
                              const Intrinsic &row, const Binding &object) {
  Location loc = op.getLoc();
  // The object may be known better than inference says.
  if (!row.isValue)
    return {MethodType::get(op.getContext(), object.type, row.getMember()),
            object.parts};
  LoweredAttribute read{
      lowering,        row, object,      lowering.getBuilder(),
      op.getContext(), loc, op.getType()};
  return LoweringRules::get().ofAttribute(row.lowering)(read);
}

Value py::makeIndexValue(OpBuilder &builder, const Intrinsic &intrinsic,
                         Location loc) {
  OperationState state(loc, intrinsic.op, ValueRange(),
                       TypeRange(builder.getI32Type()),
                       intrinsic.getSettings(builder.getContext()));
  return builder.create(state)->getResult(0);
}
