// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses are wanted of one lane alone. So elements of vectors that were
// computed from numbers and constants are computed beside them, as numbers.

#include "UnrolledValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// How many ops back a number is computed beside the vector that has it.
static constexpr unsigned kMaxDepth = 12;

const Values &UnrolledValues::get(Value value) const {
  auto known = values.find(value);
  assert(known != values.end() && "a value is made before it is used");
  return known->second;
}

void UnrolledValues::set(Value value, Values instances) {
  if (Operation *last = builder.getInsertionBlock()->empty() ||
                                builder.getInsertionPoint() ==
                                    builder.getInsertionBlock()->begin()
                            ? nullptr
                            : &*std::prev(builder.getInsertionPoint()))
    lastOps[value] = last;
  values[value] = std::move(instances);
}

Value UnrolledValues::getInstance(Value value, int64_t row,
                                  int64_t strip) const {
  const Values &all = get(value);
  if (!isCompact(value.getType()))
    return all.front();
  Dimensions size = getDimensions(value.getType());
  return all[(size[0] == 1 ? 0 : row) * size[1] + (size[1] == 1 ? 0 : strip)];
}

Value UnrolledValues::getElement(Value value, Dimensions position,
                                 unsigned depth) {
  if (!isCompact(value.getType()))
    return get(value).front();
  Dimensions size = getDimensions(value.getType());
  for (auto [at, dimension] : llvm::zip(position, size))
    at = dimension == 1 ? 0 : at;
  if (size[2] == 1)
    return getInstance(value, position[0], position[1]);
  if (auto wide = value.getDefiningOp<vector::BroadcastOp>())
    return getElement(wide.getSource(), position, depth);
  int64_t number =
      (position[0] * size[1] + position[1]) * size[2] + position[2];
  auto key = std::pair(value, number);
  if (Value known = elements.lookup(key))
    return known;
  Value instance = getInstance(value, position[0], position[1]);
  OpBuilder::InsertionGuard guard(builder);
  if (Operation *last = lastOps.lookup(value))
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointAfterValue(instance);
  Value element;
  Operation *op = value.getDefiningOp();
  if (auto made = dyn_cast_if_present<arith::ConstantOp>(op)) {
    auto constant = cast<DenseElementsAttr>(made.getValue());
    auto attribute = *std::next(constant.value_begin<Attribute>(), number);
    element = arith::ConstantOp::create(builder, value.getLoc(),
                                        cast<TypedAttr>(attribute));
  } else if (op && depth < kMaxDepth && op->getDialect() &&
             isa<arith::ArithDialect>(op->getDialect()) && isPure(op) &&
             op->getNumResults() == 1) {
    // The operands first: they are written elsewhere.
    Values operands;
    for (Value operand : op->getOperands())
      operands.push_back(getElement(operand, position, depth + 1));
    element = mlir::clone(builder, op, getElementTypeOrSelf(value.getType()),
                          operands)
                  ->getResult(0);
  } else {
    element = extract(builder, instance, position[2]);
  }
  return elements[key] = element;
}

IRMapping UnrolledValues::getCaptured(Region &region) const {
  IRMapping captured;
  region.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!region.isAncestor(operand.getParentRegion()))
        captured.map(operand, get(operand).front());
  });
  return captured;
}

/// Whether all threads have the same number in `vector`.
static bool isUniform(Value vector) {
  if (auto wide = vector.getDefiningOp<vector::BroadcastOp>())
    return !isa<VectorType>(wide.getSourceType());
  return matchPattern(vector, m_Constant<SplatElementsAttr>(nullptr));
}

bool pyk::simd::areConsecutive(Value vector) {
  while (auto sum = vector.getDefiningOp<arith::AddIOp>()) {
    if (isUniform(sum.getLhs()))
      vector = sum.getRhs();
    else if (isUniform(sum.getRhs()))
      vector = sum.getLhs();
    else
      return false;
  }
  DenseIntElementsAttr numbers;
  if (!matchPattern(vector, m_Constant(&numbers)))
    return false;
  APInt next = *numbers.begin();
  return llvm::all_of(numbers,
                      [&](const APInt &number) { return number == next++; });
}
