// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of cuda that access an element. It is found as by any other access.

#include "Arrays.h"
#include "Checks.h"
#include "IntrinsicLowering.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The type that an index of type `type` is converted to.
static Type getIndexType(Type type) {
  MLIRContext *context = type.getContext();
  if (auto tuple = dyn_cast<TupleType>(type))
    return TupleType::get(context,
                          llvm::map_to_vector(tuple.getTypes(), getIndexType));
  bool isConverted = isa<FloatType>(type) || isBool(type);
  return isConverted ? IntegerType::get(context, 64, IntegerType::Signed)
                     : type;
}

SmallVector<Value> py::getElementIndices(LoweredCall &call, Binding index) {
  FunctionLowering &lowering = call.lowering;
  index = lowering.convert(index, getIndexType(index.type), call.loc);
  return lowering.arrays().getElementIndices(
      call.arguments[0], index,
      lowering.checks().describeArray(call.op.getInputs()[0]), call.loc);
}

static CacheHintAttr getHint(LoweredCall &call) {
  return call.row.getSetting<CacheHintAttr>("cache", call.context);
}

static Binding lowerHintedLoad(LoweredCall &call) {
  Value array = call.arguments[0].parts.front();
  CacheHintAttr hint = getHint(call);
  bool isVolatile = hint.getValue() == CacheHint::Volatile;
  return {call.type,
          {pyk::LoadOp::create(
              call.builder, call.loc, array,
              getElementIndices(call, call.arguments[1]),
              isVolatile ? call.builder.getUnitAttr() : UnitAttr(), hint)}};
}

static Binding lowerHintedStore(LoweredCall &call) {
  SmallVector<Value> indices = getElementIndices(call, call.arguments[1]);
  Value value =
      call.convert(2, cast<ArrayType>(call.arguments[0].type).getElementType());
  pyk::StoreOp::create(call.builder, call.loc, value,
                       call.arguments[0].parts.front(), indices, getHint(call));
  return {call.type, {}};
}

void py::addAccessLowering(LoweringRules &rules) {
  using intrinsics::LoweringRule;
  rules.add(LoweringRule::HintedLoad, lowerHintedLoad);
  rules.add(LoweringRule::HintedStore, lowerHintedStore);
}
