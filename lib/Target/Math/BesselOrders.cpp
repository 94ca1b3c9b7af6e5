// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions of any order. The formulas hold for the orders 0 and 1. For
// others a function of scalars loops over the orders k with the recurrence
//
//   f(k + 1) = 2 k / x f(k) - f(k - 1)
//
// It runs upwards where that is stable: for Y, and for J up to the order x. For
// J of a larger order n, a continued fraction that is evaluated from far above
// n gives J(n + 1) / J(n). The recurrence then runs down to order 0 and yields
// multiples of J, whose factor follows from J0 or J1 (Miller's algorithm).

#include "Functions.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <limits>

using namespace llvm;
using namespace pyk;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// The values that a loop carries: an order, and the function at the previous
/// order and at this one.
struct State {
  Real order, before, now;
};

} // namespace

/// Emits a loop that replaces the state by the `next` one while the condition
/// holds, and returns the last state. The builder then inserts after the loop.
static State iterate(State start, function_ref<Truth(const State &)> holds,
                     function_ref<State(const State &)> next) {
  IRBuilderBase &b = *start.now.b;
  BasicBlock *entry = b.GetInsertBlock();
  auto makeBlock = [&](StringRef name) {
    return BasicBlock::Create(b.getContext(), name, entry->getParent());
  };
  BasicBlock *head = makeBlock("head"), *body = makeBlock("body"),
             *end = makeBlock("end");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  auto makePhi = [&](Real from) {
    PHINode *phi = b.CreatePHI(from.value->getType(), 2);
    phi->addIncoming(from.value, entry);
    return phi;
  };
  PHINode *order = makePhi(start.order), *before = makePhi(start.before),
          *now = makePhi(start.now);
  State state = {{&b, order}, {&b, before}, {&b, now}};
  b.CreateCondBr(holds(state).value, body, end);
  b.SetInsertPoint(body);
  State following = next(state);
  order->addIncoming(following.order.value, body);
  before->addIncoming(following.before.value, body);
  now->addIncoming(following.now.value, body);
  b.CreateBr(head);
  b.SetInsertPoint(end);
  return state;
}

/// The function of order `last` from those of the orders 0 and 1, or the first
/// one on the way that is infinite or NaN; that of order 1 if `last` is less.
static Real group(Real zero, Real one, Real last, Real x) {
  State state = iterate(
      {one.constant(1), zero, one},
      [&](const State &s) { return s.order < last && s.now.abs() < kInfinity; },
      [&](const State &s) {
        Real next = fma(s.order * 2.0 / x, s.now, -s.before);
        return State{s.order + 1.0, s.now, next};
      });
  return state.now;
}

/// J of order `last`, where last > x >= 0, from those of the orders 0 and 1.
static Real recurDownwards(Real zero, Real one, Real last, Real x) {
  // Near order x, J(k) is about an Airy function: 7.3 cbrt(x) orders above x,
  // J / Y is 2^-54 of what it is at x, and so is the error of the quotient.
  Real first = last + (last.sqrt() * 2.0 + 30.0).trunc();
  Real none = one.constant(0);
  State fraction = iterate(
      {select(last > 0.0, first, 0.0), none, none},
      [&](const State &s) { return s.order > last; },
      [&](const State &s) {
        Real quotient = 1.0 / (s.order * 2.0 / x - s.now);
        return State{s.order - 1.0, none, quotient};
      });
  // If J(k) is 2^1900 times J(n), the result underflows to 0.
  Real start = one.constant(0x1p-900);
  State state = iterate(
      {last, fraction.now * start, start},
      [&](const State &s) { return s.order > 0.0 && s.now.abs() < 0x1p1000; },
      [&](const State &s) {
        Real next = fma(s.order * 2.0 / x, s.now, -s.before);
        return State{s.order - 1.0, s.now, next};
      });
  // Compare with the larger one of J0 and J1, which is not near a zero.
  Truth isZero = state.before.abs() < state.now.abs();
  Real known = select(isZero, zero, one);
  Real found = select(isZero, state.now, state.before);
  return select(state.now.abs() < 0x1p1000, (known / found) * start, 0.0);
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

/// An i32 order as a number of x's type, which is float64.
static Real toReal(Real order, Real x) {
  return {x.b, x.b->CreateSIToFP(order.value, x.value->getType())};
}

/// `zero` for order 0 and `one` for order 1; fails for other orders.
static Formula choose(Real order, const Formula &zero, const Formula &one) {
  Whole number = {order.b, order.value};
  Truth isZero = number == 0;
  return {select(isZero, zero.value, one.value),
          *zero.fails || !(isZero || number == 1)};
}

Formula pyk::computeJn(Real order, Real x) {
  return choose(order, computeJ0(x), computeJ1(x));
}

Formula pyk::computeYn(Real order, Real x) {
  return choose(order, computeY0(x), computeY1(x));
}

/// A scalar formula, with `large` where it fails.
static Real complete(const Formula &formula, Real large) {
  return select(*formula.fails, large, formula.value);
}

Real pyk::computeAnyJn(Real order, Real x) {
  if (!x.isWide())
    return computeAnyJn(order, x.toWide()).toNarrow();
  Real n = toReal(order, x), size = x.abs();
  Real zero = complete(computeJ0(size), computeLargeJ0(size));
  Real one = complete(computeJ1(size), computeLargeJ1(size));
  // The loop that does not apply has no iterations.
  Truth isAbove = n > size && n > 1.0;
  Truth isBelow = size < kInfinity && !isAbove;
  Real up = group(zero, one, select(isBelow, n, 0.0), size);
  Real down = recurDownwards(zero, one, select(isAbove, n, 0.0), size);
  Real result = select(n == 0.0, zero, select(isAbove, down, up));
  Real half = n * 0.5;
  Truth isOdd = !(half.trunc() == half);
  result = select(isOdd && x.asWhole() < 0, -result, result);
  return select(n < 0.0, kNaN, result);
}

Real pyk::computeAnyYn(Real order, Real x) {
  if (!x.isWide())
    return computeAnyYn(order, x.toWide()).toNarrow();
  Real n = toReal(order, x);
  Real zero = complete(computeY0(x), computeLargeY0(x));
  Real one = complete(computeY1(x), computeLargeY1(x));
  Real up = group(zero, one, select(x < kInfinity, n, 0.0), x);
  return select(n < 0.0, kNaN, select(n == 0.0, zero, up));
}
