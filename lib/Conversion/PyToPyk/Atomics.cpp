// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of cuda.atomic: the element is found as by any other access.

#include "IntrinsicLowering.h"
#include "Scalars.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The type of the element that an operation works on.
static Type getElementType(LoweredCall &call) {
  return cast<ArrayType>(call.arguments[0].type).getElementType();
}

/// What the argument `keyword` of the call says; `otherwise` if there is none.
template <typename Word>
static Word getWord(LoweredCall &call, StringRef keyword,
                    std::optional<Word> (*read)(StringRef), Word otherwise) {
  ArrayAttr keywords = call.op.getKeywords().value_or(ArrayAttr());
  if (!keywords)
    return otherwise;
  size_t first = call.arguments.size() - keywords.size();
  for (auto [position, name] : llvm::enumerate(keywords))
    if (cast<StringAttr>(name).getValue() == keyword) {
      auto type = cast<StaticType>(call.arguments[first + position].type);
      return *read(cast<StringAttr>(type.getValue()).getValue());
    }
  return otherwise;
}

static Order getOrder(LoweredCall &call) {
  return getWord(call, "order", symbolizeOrder, Order::Relaxed);
}

static Scope getScope(LoweredCall &call) {
  return getWord(call, "scope", symbolizeScope, Scope::Device);
}

static Binding makeUpdate(LoweredCall &call, bool isNegated) {
  Type element = getElementType(call);
  SmallVector<Value> indices = getElementIndices(call, call.arguments[1]);
  Value value = call.convert(2, element);
  if (isNegated && isa<FloatType>(element))
    value = arith::NegFOp::create(call.builder, call.loc, value);
  else if (isNegated)
    value = arith::SubIOp::create(
        call.builder, call.loc,
        makeInteger(call.builder, 0, value.getType(), call.loc), value);
  auto kind = call.row.getSetting<AtomicKindAttr>("kind", call.context);
  return {element,
          {pyk::AtomicOp::create(call.builder, call.loc, value.getType(),
                                 kind.getValue(),
                                 /*is_unsigned=*/element.isUnsignedInteger(),
                                 getOrder(call), getScope(call), value,
                                 call.arguments[0].parts.front(), indices)}};
}

static Binding lowerAtomic(LoweredCall &call) {
  return makeUpdate(call, /*isNegated=*/false);
}

static Binding lowerAtomicSub(LoweredCall &call) {
  return makeUpdate(call, /*isNegated=*/true);
}

/// Compares the element at `index` with the argument at `expected`, and
/// replaces it by the next one.
static Binding makeExchange(LoweredCall &call, const Binding &index,
                            size_t expected) {
  Type element = getElementType(call);
  SmallVector<Value> indices = getElementIndices(call, index);
  Value value = call.convert(expected + 1, element);
  return {element,
          {pyk::AtomicCasOp::create(call.builder, call.loc, value.getType(),
                                    getOrder(call), getScope(call),
                                    call.convert(expected, element), value,
                                    call.arguments[0].parts.front(), indices)}};
}

static Binding lowerAtomicCas(LoweredCall &call) {
  return makeExchange(call, call.arguments[1], 2);
}

static Binding lowerAtomicFirstCas(LoweredCall &call) {
  Type number = IntegerType::get(call.context, 64, IntegerType::Signed);
  Value first =
      makeInteger(call.builder, 0, call.builder.getI64Type(), call.loc);
  return makeExchange(call, Binding{number, {first}}, 1);
}

void py::addAtomicLowering(LoweringRules &rules) {
  using intrinsics::LoweringRule;
  rules.add(LoweringRule::Atomic, lowerAtomic);
  rules.add(LoweringRule::AtomicSub, lowerAtomicSub);
  rules.add(LoweringRule::AtomicCas, lowerAtomicCas);
  rules.add(LoweringRule::AtomicFirstCas, lowerAtomicFirstCas);
}
