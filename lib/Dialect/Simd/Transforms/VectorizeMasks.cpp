// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of tiles and masks. Whether all threads are in a mask, or any, is
// asked of the first or last thread where values grow from one to the next.

#include "Vectorizer.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Vectorizer::get(Value value) const {
  Value mapped = values.lookup(value);
  assert(mapped && "a value is made before it is used");
  return mapped;
}

void Vectorizer::set(Value value, Value mapped) {
  values[value] = mapped;
  made[mapped] = shapes.getShape(value);
}

bool Vectorizer::isUniform(Value value) const {
  return isScalar(getOwn(value));
}

Dimensions Vectorizer::getOwn(Value value) const {
  return getDimensions(get(value).getType());
}

Dimensions Vectorizer::getExpected(Value value) const {
  return tile.getDimensions(shapes.getShape(value));
}

Value Vectorizer::stretch(Value mapped, Dimensions dimensions) {
  Type type = getTypeWith(mapped.getType(), dimensions);
  if (mapped.getType() == type)
    return mapped;
  if (!isWithin(getDimensions(mapped.getType()), dimensions)) {
    failure = "its values depend on threads in more ways than was found";
    return ub::PoisonOp::create(builder, mapped.getLoc(), type);
  }
  Value wide = makeStretched(builder, mapped, dimensions);
  if (auto known = made.find(mapped); known != made.end()) {
    LaneShape shape = known->second;
    made[wide] = shape;
  }
  return wide;
}

Value Vectorizer::stretch(Value mapped, Type type) {
  return stretch(mapped, getDimensions(type));
}

Value Vectorizer::makeConstant(bool value, Dimensions dimensions) {
  Type type = getTypeWith(builder.getI1Type(), dimensions);
  auto attribute =
      isa<VectorType>(type)
          ? TypedAttr(DenseElementsAttr::get(cast<VectorType>(type), value))
          : TypedAttr(builder.getBoolAttr(value));
  return arith::ConstantOp::create(builder, builder.getUnknownLoc(), attribute);
}

/// The results of `op`, as constants if its operands are: places of threads in
/// a tile that is the block. Floats are left to the machine, whose results have
/// the bits of the reference.
SmallVector<Value> Vectorizer::foldConstants(Operation *op) {
  SmallVector<Value> results(op->getResults());
  if (!llvm::all_of(op->getResultTypes(), [](Type type) {
        return getElementTypeOrSelf(type).isIntOrIndex();
      }))
    return results;
  bool isConstant = op->getNumOperands() != 0 &&
                    llvm::all_of(op->getOperands(), [](Value operand) {
                      return matchPattern(operand, m_Constant());
                    });
  SmallVector<Value> folded;
  // One that is changed in place has no others.
  if (!isConstant || failed(builder.tryFold(op, folded)) || folded.empty())
    return results;
  op->erase();
  return folded;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Those of `a` for which `b` holds, too. Of threads that are not in `a`, `b`
/// may be poison: what they compute means nothing.
Value Vectorizer::makeAnd(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  Dimensions both =
      join(getDimensions(a.getType()), getDimensions(b.getType()));
  Value left = stretch(a, both), right = stretch(b, both);
  return builder.createOrFold<arith::SelectOp>(b.getLoc(), left, right,
                                               makeConstant(false, both));
}

Value Vectorizer::makeNot(Value mask) {
  Value all = makeConstant(true, getDimensions(mask.getType()));
  return builder.createOrFold<arith::XOrIOp>(mask.getLoc(), mask, all);
}

/// Whether `value` is a constant of i1 that is `expected` everywhere.
static bool isConstantMask(Value value, bool expected) {
  APInt number;
  return getElementTypeOrSelf(value.getType()).isInteger(1) &&
         matchPattern(value, m_ConstantInt(&number)) &&
         number.isOne() == expected;
}

Value Vectorizer::makeSelect(Value condition, Value ifTrue, Value ifFalse) {
  Dimensions all =
      join(getDimensions(ifTrue.getType()), getDimensions(ifFalse.getType()));
  Dimensions decided = getDimensions(condition.getType());
  all = join(all, decided);
  if (!isScalar(decided))
    condition = stretch(condition, all);
  Value left = stretch(ifTrue, all), right = stretch(ifFalse, all);
  auto select = arith::SelectOp::create(builder, condition.getLoc(), condition,
                                        left, right);
  return foldConstants(select).front();
}

/// `mask` for values with `dimensions`: whether some thread that has the value
/// is in it. Null if it is one for all threads, since control comes nowhere
/// without.
Value Vectorizer::reduceMask(Value mask, Dimensions dimensions) {
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

Value Vectorizer::getMask(Dimensions dimensions) {
  Value reduced = reduceMask(mask, dimensions);
  return reduced ? stretch(reduced, dimensions) : Value();
}

/// `compare` at the place where it is least likely to hold, for all, or most
/// likely, for any; null if that place is not known.
Value Vectorizer::compareCorner(arith::CmpIOp compare, bool forAll) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::eq || predicate == Predicate::ne)
    return {};
  bool wantsLess = llvm::is_contained(
      {Predicate::slt, Predicate::sle, Predicate::ult, Predicate::ule},
      predicate);
  auto getShape = [&](Value value) {
    // Of stretched ones, too.
    auto known = made.find(value);
    if (known != made.end())
      return known->second;
    return isa<VectorType>(value.getType()) ? LaneShape::getVarying()
                                            : LaneShape();
  };
  LaneShape difference = getShape(compare.getLhs());
  LaneShape other = getShape(compare.getRhs());
  if (difference.mayWrap() || other.mayWrap())
    return {};
  difference.add(other, /*subtract=*/true);
  std::optional<Dimensions> corner =
      tile.getCorner(difference, /*greatest=*/wantsLess == forAll);
  if (!corner)
    return {};
  auto getAt = [&](Value value) -> Value {
    Dimensions size = getDimensions(value.getType());
    if (isScalar(size))
      return value;
    SmallVector<int64_t> place;
    for (auto [dimension, at] : llvm::zip(size, *corner))
      place.push_back(dimension == 1 ? 0 : at);
    return extractOfParts(builder, value.getLoc(), value, place);
  };
  Value left = getAt(compare.getLhs()), right = getAt(compare.getRhs());
  return arith::CmpIOp::create(builder, compare.getLoc(), predicate, left,
                               right);
}

/// Whether some thread is in `mask`. If `onlyAtCorners` is set, null where more
/// than two threads would have to be asked.
Value Vectorizer::makeAny(Value mask, bool onlyAtCorners) {
  if (!isa<VectorType>(mask.getType()))
    return mask;
  if (auto known = getConstantElements<bool>(mask))
    return makeConstant(llvm::is_contained(*known, true), {1, 1, 1});
  Location loc = mask.getLoc();
  if (auto wide = mask.getDefiningOp<vector::BroadcastOp>())
    return makeAny(wide.getSource(), onlyAtCorners);
  if (auto either = mask.getDefiningOp<arith::SelectOp>();
      either && isConstantMask(either.getTrueValue(), true)) {
    Value left = makeAny(either.getCondition(), onlyAtCorners);
    Value right = makeAny(either.getFalseValue(), onlyAtCorners);
    if (!left || !right)
      return {};
    return arith::SelectOp::create(builder, loc, left,
                                   makeConstant(true, {1, 1, 1}), right);
  }
  if (auto either = mask.getDefiningOp<arith::OrIOp>()) {
    Value left = makeAny(either.getLhs(), onlyAtCorners),
          right = makeAny(either.getRhs(), onlyAtCorners);
    if (!left || !right)
      return {};
    return arith::OrIOp::create(builder, loc, left, right);
  }
  if (auto negated = mask.getDefiningOp<arith::XOrIOp>();
      negated && isConstantMask(negated.getRhs(), true)) {
    Value all = makeAll(negated.getLhs(), onlyAtCorners);
    return all ? makeNot(all) : Value();
  }
  if (auto compare = mask.getDefiningOp<arith::CmpIOp>())
    if (Value at = compareCorner(compare, /*forAll=*/false))
      return at;
  if (onlyAtCorners)
    return {};
  return AnyOp::create(builder, loc, builder.getI1Type(), mask);
}

/// As makeAny, for all threads.
Value Vectorizer::makeAll(Value mask, bool onlyAtCorners) {
  if (!isa<VectorType>(mask.getType()))
    return mask;
  if (auto known = getConstantElements<bool>(mask))
    return makeConstant(!llvm::is_contained(*known, false), {1, 1, 1});
  Location loc = mask.getLoc();
  if (auto wide = mask.getDefiningOp<vector::BroadcastOp>())
    return makeAll(wide.getSource(), onlyAtCorners);
  if (auto both = mask.getDefiningOp<arith::SelectOp>();
      both && isConstantMask(both.getFalseValue(), false)) {
    Value left = makeAll(both.getCondition(), onlyAtCorners);
    Value right = makeAll(both.getTrueValue(), onlyAtCorners);
    if (!left || !right)
      return {};
    return arith::SelectOp::create(builder, loc, left, right,
                                   makeConstant(false, {1, 1, 1}));
  }
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    Value left = makeAll(both.getLhs(), onlyAtCorners),
          right = makeAll(both.getRhs(), onlyAtCorners);
    if (!left || !right)
      return {};
    return arith::AndIOp::create(builder, loc, left, right);
  }
  if (auto negated = mask.getDefiningOp<arith::XOrIOp>();
      negated && isConstantMask(negated.getRhs(), true)) {
    Value any = makeAny(negated.getLhs(), onlyAtCorners);
    return any ? makeNot(any) : Value();
  }
  if (auto compare = mask.getDefiningOp<arith::CmpIOp>())
    if (Value at = compareCorner(compare, /*forAll=*/true))
      return at;
  if (onlyAtCorners)
    return {};
  return AllOp::create(builder, loc, builder.getI1Type(), mask);
}
