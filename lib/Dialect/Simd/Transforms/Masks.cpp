// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether all threads are in a mask, or any, is asked of the first or last
// thread where values grow from one to the next.

#include "Masks.h"
#include "LaneMath.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

Value Masks::makeAnd(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  Dimensions both =
      join(getDimensions(a.getType()), getDimensions(b.getType()));
  Value left = values.stretch(a, both), right = values.stretch(b, both);
  return builder.createOrFold<arith::SelectOp>(
      b.getLoc(), left, right, makeConstant(builder, false, both));
}

/// `mask` for values with `dimensions`: whether some thread that has the value
/// is in it. Null if it is one for all threads, since control comes nowhere
/// without.
static Value reduce(OpBuilder &builder, Value mask, Dimensions dimensions) {
  if (!mask)
    return {};
  Dimensions own = getDimensions(mask.getType()), kept = own;
  for (auto [mine, wanted] : llvm::zip(kept, dimensions))
    mine = std::min(mine, wanted);
  if (isScalar(kept))
    return {};
  if (kept == own)
    return mask;
  return AnyOp::create(builder, mask.getLoc(),
                       getTypeWith(mask.getType(), kept), mask);
}

Value Masks::get(Dimensions dimensions) {
  Value reduced = reduce(builder, mask, dimensions);
  return reduced ? values.stretch(reduced, dimensions) : Value();
}

Dimensions Masks::joinWith(Dimensions dimensions) const {
  return mask ? join(dimensions, getDimensions(mask.getType())) : dimensions;
}

/// `compare` at the position where it is least likely to hold, for all, or most
/// likely, for any; null if that position is not known.
Value Masks::compareCorner(arith::CmpIOp compare, bool forAll) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::eq || predicate == Predicate::ne)
    return {};
  bool wantsLess = llvm::is_contained(
      {Predicate::slt, Predicate::sle, Predicate::ult, Predicate::ule},
      predicate);
  LaneShape difference = values.getShapeOf(compare.getLhs());
  LaneShape other = values.getShapeOf(compare.getRhs());
  if (difference.mayWrap() || other.mayWrap())
    return {};
  difference.add(other, /*subtract=*/true);
  std::optional<Dimensions> corner =
      values.getTile().getCorner(difference, /*greatest=*/wantsLess == forAll);
  if (!corner)
    return {};
  auto getAt = [&](Value value) -> Value {
    Dimensions size = getDimensions(value.getType());
    if (isScalar(size))
      return value;
    SmallVector<int64_t> position;
    for (auto [dimension, at] : llvm::zip(size, *corner))
      position.push_back(dimension == 1 ? 0 : at);
    return extractOfParts(builder, value.getLoc(), value, position);
  };
  Value left = getAt(compare.getLhs()), right = getAt(compare.getRhs());
  return arith::CmpIOp::create(builder, compare.getLoc(), predicate, left,
                               right);
}

/// Whether `value` is a constant of i1 that is `expected` everywhere.
static bool isConstantMask(Value value, bool expected) {
  APInt number;
  return getElementTypeOrSelf(value.getType()).isInteger(1) &&
         matchPattern(value, m_ConstantInt(&number)) &&
         number.isOne() == expected;
}

Value Masks::makeAny(Value asked, bool onlyAtCorners) {
  if (!isa<VectorType>(asked.getType()))
    return asked;
  if (auto known = getConstantElements<bool>(asked))
    return makeConstant(builder, llvm::is_contained(*known, true), {1, 1, 1});
  Location loc = asked.getLoc();
  if (auto wide = asked.getDefiningOp<vector::BroadcastOp>())
    return makeAny(wide.getSource(), onlyAtCorners);
  if (auto either = asked.getDefiningOp<arith::SelectOp>();
      either && isConstantMask(either.getTrueValue(), true)) {
    Value left = makeAny(either.getCondition(), onlyAtCorners);
    Value right = makeAny(either.getFalseValue(), onlyAtCorners);
    if (!left || !right)
      return {};
    return arith::SelectOp::create(
        builder, loc, left, makeConstant(builder, true, {1, 1, 1}), right);
  }
  if (auto either = asked.getDefiningOp<arith::OrIOp>()) {
    Value left = makeAny(either.getLhs(), onlyAtCorners),
          right = makeAny(either.getRhs(), onlyAtCorners);
    if (!left || !right)
      return {};
    return arith::OrIOp::create(builder, loc, left, right);
  }
  if (auto negated = asked.getDefiningOp<arith::XOrIOp>();
      negated && isConstantMask(negated.getRhs(), true)) {
    Value all = makeAll(negated.getLhs(), onlyAtCorners);
    return all ? makeNot(builder, all) : Value();
  }
  if (auto compare = asked.getDefiningOp<arith::CmpIOp>())
    if (Value at = compareCorner(compare, /*forAll=*/false))
      return at;
  if (onlyAtCorners)
    return {};
  return AnyOp::create(builder, loc, builder.getI1Type(), asked);
}

Value Masks::makeAll(Value asked, bool onlyAtCorners) {
  if (!isa<VectorType>(asked.getType()))
    return asked;
  if (auto known = getConstantElements<bool>(asked))
    return makeConstant(builder, !llvm::is_contained(*known, false), {1, 1, 1});
  Location loc = asked.getLoc();
  if (auto wide = asked.getDefiningOp<vector::BroadcastOp>())
    return makeAll(wide.getSource(), onlyAtCorners);
  if (auto both = asked.getDefiningOp<arith::SelectOp>();
      both && isConstantMask(both.getFalseValue(), false)) {
    Value left = makeAll(both.getCondition(), onlyAtCorners);
    Value right = makeAll(both.getTrueValue(), onlyAtCorners);
    if (!left || !right)
      return {};
    return arith::SelectOp::create(builder, loc, left, right,
                                   makeConstant(builder, false, {1, 1, 1}));
  }
  if (auto both = asked.getDefiningOp<arith::AndIOp>()) {
    Value left = makeAll(both.getLhs(), onlyAtCorners),
          right = makeAll(both.getRhs(), onlyAtCorners);
    if (!left || !right)
      return {};
    return arith::AndIOp::create(builder, loc, left, right);
  }
  if (auto negated = asked.getDefiningOp<arith::XOrIOp>();
      negated && isConstantMask(negated.getRhs(), true)) {
    Value any = makeAny(negated.getLhs(), onlyAtCorners);
    return any ? makeNot(builder, any) : Value();
  }
  if (auto compare = asked.getDefiningOp<arith::CmpIOp>())
    if (Value at = compareCorner(compare, /*forAll=*/true))
      return at;
  if (onlyAtCorners)
    return {};
  return AllOp::create(builder, loc, builder.getI1Type(), asked);
}

Value Masks::keepOld(Value active, Value value, Value old, Value result) {
  Value reduced = reduce(builder, active,
                         values.getTile().getVaryingDimensions(
                             values.getShapes().getShape(result)));
  return reduced ? values.makeSelect(reduced, value, old)
                 : values.stretch(value, getDimensions(old.getType()));
}
