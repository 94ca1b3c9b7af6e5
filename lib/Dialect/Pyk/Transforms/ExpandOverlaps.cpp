// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays are compared by the addresses of their first and last elements. Parts
// of arguments that launches prove to share no memory do not overlap.

#include "ExpandOverlaps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

using namespace mlir;
using namespace pyk;

namespace {

/// Builds arithmetic on addresses and bytes.
struct ByteBuilder : ImplicitLocOpBuilder {
  explicit ByteBuilder(Operation *op)
      : ImplicitLocOpBuilder(op->getLoc(), op) {}

  Value number(int64_t value) {
    return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
  }
  template <typename Op>
  Value make(Value a, Value b) {
    return createOrFold<Op>(a, b);
  }
  Value isLess(Value a, Value b) {
    return arith::CmpIOp::create(*this, arith::CmpIPredicate::slt, a, b);
  }
};

} // namespace

/// The address of the first element of `array`. That of a part is a sum, which
/// vectors can compute: threads have the array in common of which they take
/// parts.
static Value makeAddress(Value array, ByteBuilder &b) {
  Operation *op = array.getDefiningOp();
  if (isa_and_present<TransposeOp, CastOp, ReshapeOp>(op))
    return makeAddress(op->getOperand(0), b);
  auto view = dyn_cast_if_present<ViewOp>(op);
  if (!view)
    return AddressOp::create(b, b.getI64Type(), array);
  Value address = makeAddress(view.getArray(), b);
  for (const ViewOp::Part &part : view.getParts())
    if (part.first) {
      Value stride = b.createOrFold<StrideOp>(b.getI64Type(), view.getArray(),
                                              part.source);
      address = b.make<arith::AddIOp>(
          address, b.make<arith::MulIOp>(part.first, stride));
    }
  return address;
}

namespace {

/// The bytes from `low` to before `high` that `array`, whose first element is
/// at `address`, extends over.
struct Span {
  Span(Value array, Value address, ByteBuilder &b);

  Value low, high, hasElements;
};

} // namespace

Span::Span(Value array, Value address, ByteBuilder &b) {
  auto type = cast<ArrayType>(array.getType());
  low = address;
  high = b.make<arith::AddIOp>(address, b.number(type.getElementBytes()));
  hasElements = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Value zero = b.number(0);
  for (int64_t dimension = 0; dimension < type.getRank(); ++dimension) {
    Value extent = b.createOrFold<DimOp>(b.getI64Type(), array, dimension);
    Value stride = b.createOrFold<StrideOp>(b.getI64Type(), array, dimension);
    Value bytes = b.make<arith::MulIOp>(
        b.make<arith::SubIOp>(extent, b.number(1)), stride);
    low = b.make<arith::AddIOp>(low, b.make<arith::MinSIOp>(bytes, zero));
    high = b.make<arith::AddIOp>(high, b.make<arith::MaxSIOp>(bytes, zero));
    hasElements = b.make<arith::AndIOp>(hasElements, b.isLess(zero, extent));
  }
}

/// Whether launches prove that both arrays share no memory, which they do if
/// the kernel writes one of them.
static bool areApart(Value first, Value second) {
  first = getWholeArray(first), second = getWholeArray(second);
  LaunchFact one = getFacts(first), other = getFacts(second);
  return first != second &&
         bitEnumContainsAll(one & other, LaunchFact::Disjoint) &&
         bitEnumContainsAll(one | other, LaunchFact::Written);
}

Value pyk::expandDistance(DistanceOp op) {
  ByteBuilder b(op);
  return b.make<arith::SubIOp>(makeAddress(op.getTo(), b),
                               makeAddress(op.getFrom(), b));
}

Value pyk::expandOverlaps(OverlapsOp op) {
  ByteBuilder b(op);
  if (areApart(op.getFirst(), op.getSecond()))
    return arith::ConstantOp::create(b, b.getBoolAttr(false));
  Span first(op.getFirst(), makeAddress(op.getFirst(), b), b);
  Span second(op.getSecond(), makeAddress(op.getSecond(), b), b);
  Value crosses = b.make<arith::AndIOp>(b.isLess(first.low, second.high),
                                        b.isLess(second.low, first.high));
  return b.make<arith::AndIOp>(
      crosses, b.make<arith::AndIOp>(first.hasElements, second.hasElements));
}
