// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of integers against all numbers in them, and what launches prove of
// accesses.

#include "pyk/runtime/Interval.h"
#include "pyk/runtime/LaunchCheck.h"
#include "pyk/runtime/Runtime.h"

#include "gtest/gtest.h"

#include <functional>
#include <vector>

using namespace pyk::runtime;

namespace {

constexpr int64_t kLeast = Interval::least, kMost = Interval::most;

/// Checks a kind of term against `op` on all numbers of many small ranges; a
/// range that `isDefined` excludes has no result for some.
void expectHolds(
    int32_t kind, const std::function<int64_t(int64_t, int64_t)> &op,
    const std::function<bool(int64_t)> &isDefined = [](int64_t) {
      return true;
    }) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b = a; b <= a + 7; b += 3)
      for (int64_t c = -9; c <= 9; ++c)
        for (int64_t d = c; d <= c + 5; d += 2) {
          Interval result = combine(kind, {a, b}, {c, d}, 64);
          for (int64_t x = a; x <= b; ++x)
            for (int64_t y = c; y <= d; ++y) {
              if (!isDefined(y))
                continue;
              int64_t number = op(x, y);
              ASSERT_TRUE(result.lo <= number && number <= result.hi)
                  << kind << ": " << x << ", " << y << " of [" << a << ", " << b
                  << "], [" << c << ", " << d << "]";
            }
        }
}

void expectIs(const Interval &found, int64_t lo, int64_t hi) {
  EXPECT_EQ(found.lo, lo);
  EXPECT_EQ(found.hi, hi);
}

} // namespace

TEST(IntervalTest, EachResultIsInTheRange) {
  auto isNotZero = [](int64_t y) { return y != 0; };
  auto isShift = [](int64_t y) { return y >= 0; };
  expectHolds(PYK_RT_BOUND_ADD, std::plus<>());
  expectHolds(PYK_RT_BOUND_SUB, std::minus<>());
  expectHolds(PYK_RT_BOUND_MUL, std::multiplies<>());
  expectHolds(PYK_RT_BOUND_DIV, std::divides<>(), isNotZero);
  expectHolds(PYK_RT_BOUND_REM, std::modulus<>(), isNotZero);
  expectHolds(
      PYK_RT_BOUND_FLOOR_REM,
      [](int64_t x, int64_t y) { return (x % y + y) % y; }, isNotZero);
  expectHolds(PYK_RT_BOUND_MIN,
              [](int64_t x, int64_t y) { return std::min(x, y); });
  expectHolds(PYK_RT_BOUND_MAX,
              [](int64_t x, int64_t y) { return std::max(x, y); });
  expectHolds(PYK_RT_BOUND_AND, std::bit_and<>());
  expectHolds(PYK_RT_BOUND_OR, std::bit_or<>());
  expectHolds(PYK_RT_BOUND_OR, std::bit_xor<>());
  expectHolds(
      PYK_RT_BOUND_SHL, [](int64_t x, int64_t y) { return x * (1 << y); },
      isShift);
  expectHolds(
      PYK_RT_BOUND_SHR, [](int64_t x, int64_t y) { return x >> y; }, isShift);
}

TEST(IntervalTest, WhatLeaves64BitsMayBeAnything) {
  auto isAll = [](int32_t kind, Interval a, Interval b) {
    expectIs(combine(kind, a, b, 64), kLeast, kMost);
  };
  isAll(PYK_RT_BOUND_ADD, {0, kMost}, {0, 1});
  isAll(PYK_RT_BOUND_ADD, {kLeast, 0}, {-1, 0});
  isAll(PYK_RT_BOUND_SUB, {kLeast, 0}, {0, 1});
  isAll(PYK_RT_BOUND_SUB, {0, 0}, {kLeast, 0});
  isAll(PYK_RT_BOUND_MUL, {0, kMost}, {0, 2});
  isAll(PYK_RT_BOUND_MUL, {kLeast, 0}, {-1, 0});
  isAll(PYK_RT_BOUND_SHL, {1, 1}, {0, 63});
  isAll(PYK_RT_BOUND_SHL, {2, 2}, {0, 62});
  isAll(PYK_RT_BOUND_SHR, {2, 2}, {-1, 62});
  isAll(PYK_RT_BOUND_DIFFERENCE, {kMost, kMost}, {-5, -5});
  // The one quotient that does not fit.
  isAll(PYK_RT_BOUND_DIV, {kLeast, 0}, {-1, 1});
}

TEST(IntervalTest, Widths) {
  auto wrap = [](int32_t kind, int64_t lo, int64_t hi, int64_t bits) {
    return combine(kind, {lo, hi}, {0, 0}, bits);
  };
  expectIs(wrap(PYK_RT_BOUND_SIGNED, -5, 7, 32), -5, 7);
  expectIs(wrap(PYK_RT_BOUND_SIGNED, 0, int64_t(1) << 31, 32), INT32_MIN,
           INT32_MAX);
  expectIs(wrap(PYK_RT_BOUND_SIGNED, -129, 0, 8), -128, 127);
  expectIs(wrap(PYK_RT_BOUND_UNSIGNED, 0, UINT32_MAX, 32), 0, UINT32_MAX);
  expectIs(wrap(PYK_RT_BOUND_UNSIGNED, -1, 3, 32), 0, UINT32_MAX);
  expectIs(wrap(PYK_RT_BOUND_UNSIGNED, 3, 5, 64), 3, 5);
  expectIs(wrap(PYK_RT_BOUND_UNSIGNED, -1, 5, 64), kLeast, kMost);
  expectIs(Interval::ofBits(64), kLeast, kMost);
}

TEST(IntervalTest, WithoutASign) {
  auto combineUnsigned = [](int32_t kind, Interval a, Interval b) {
    return combine(kind, a, b, PYK_RT_BOUND_NO_SIGN);
  };
  for (int32_t kind : {PYK_RT_BOUND_DIV, PYK_RT_BOUND_REM, PYK_RT_BOUND_SHR,
                       PYK_RT_BOUND_MIN, PYK_RT_BOUND_MAX}) {
    expectIs(combineUnsigned(kind, {-1, 5}, {1, 1}), kLeast, kMost);
    expectIs(combineUnsigned(kind, {1, 5}, {-1, 1}), kLeast, kMost);
  }
  expectIs(combineUnsigned(PYK_RT_BOUND_SHR, {8, 16}, {1, 2}), 2, 8);
  expectIs(combine(PYK_RT_BOUND_DIFFERENCE, {0, 9}, {0, 9}, 2), 2, 9);
}

TEST(IntervalTest, Counters) {
  auto count = [](Interval first, Interval end, Interval step) {
    return countFrom(first, end, step);
  };
  expectIs(count({0, 0}, {10, 10}, {1, 1}), 0, 9);
  expectIs(count({0, 0}, {10, 10}, {4, 4}), 0, 8);
  expectIs(count({1, 1}, {10, 10}, {3, 3}), 1, 7);
  expectIs(count({-3, 2}, {5, 10}, {4, 4}), -3, 9);
  expectIs(count({0, 0}, {10, 10}, {0, 1}), kLeast, kMost);
  EXPECT_TRUE(count({5, 5}, {5, 5}, {1, 1}).isEmpty());
  expectIs(count({kLeast, kLeast}, {kMost, kMost}, {1, 1}), kLeast, kMost - 1);
}

TEST(IntervalTest, Cuts) {
  expectIs(cutAbove({0, 9}, {2, 5}, -1), 0, 4);
  expectIs(cutBelow({0, 9}, {2, 5}, 1), 3, 9);
  EXPECT_TRUE(cutAbove({0, 9}, {-7, -5}, 0).isEmpty());
  // Where a bound cannot be told, nothing is cut.
  expectIs(cutAbove({0, 9}, Interval::none(), 0), 0, 9);
  expectIs(cutAbove({0, 9}, {kLeast, kLeast}, -1), 0, 9);
  expectIs(cutBelow({0, 9}, {kMost, kMost}, 1), 0, 9);
}

namespace {

/// A launch with one array of four-byte elements, and a number.
struct BoundsTest : testing::Test {
  using Term = pyk_rt_bound_term;

  uint32_t check(const std::vector<Term> &terms) {
    signature.bounds = terms.data();
    signature.bound_count = terms.size();
    return pyk_rt_check_launch(&signature, grid, block, arguments);
  }

  int32_t memory[32];
  int64_t shape[1] = {16}, strides[1] = {4};
  int64_t grid[3] = {2, 1, 1}, block[3] = {8, 1, 1};
  pyk_rt_formal formals[2] = {{0, 1, 4}, {0, -1, 8}};
  pyk_rt_argument arguments[2] = {
      {memory + 8, shape, strides, {}, nullptr, 0},
      {nullptr, nullptr, nullptr, {0, 0}, nullptr, 0}};
  pyk_rt_signature signature = {formals, 2, nullptr, 0,       0,
                                nullptr, 0, {},      nullptr, 0};

  /// x[blockIdx.x * blockDim.x + threadIdx.x + n].
  const std::vector<Term> ofGrid = {
      {PYK_RT_BOUND_BLOCK, 0, 0, 0, 0}, {PYK_RT_BOUND_BLOCK_DIM, 0, 0, 0, 0},
      {PYK_RT_BOUND_MUL, 0, 1, 0, 0},   {PYK_RT_BOUND_THREAD, 0, 0, 0, 0},
      {PYK_RT_BOUND_ADD, 2, 3, 0, 0},   {PYK_RT_BOUND_SCALAR, 1, 0, 0, 8},
      {PYK_RT_BOUND_ADD, 4, 5, 0, 0},   {PYK_RT_BOUND_INSIDE, 6, 0, 0, 4}};
};

} // namespace

TEST_F(BoundsTest, GridsThatFitAndGridsThatDoNot) {
  EXPECT_EQ(check(ofGrid), 0u);
  arguments[1].scalar[0] = 1;
  EXPECT_EQ(check(ofGrid), PYK_RT_ASSUME_INSIDE);
  arguments[1].scalar[0] = uint64_t(-1);
  EXPECT_EQ(check(ofGrid), PYK_RT_ASSUME_INSIDE);
  arguments[1].scalar[0] = 0;
  grid[0] = 3;
  EXPECT_EQ(check(ofGrid), PYK_RT_ASSUME_INSIDE);
  EXPECT_EQ(
      checkLaunch("launching 'k'", signature, grid, block, arguments).message(),
      "launching 'k': threads may leave the memory of an array, but the "
      "kernel is for launches that do not; compile for any, with checks");
  grid[0] = 2;
  block[0] = 9;
  EXPECT_EQ(check(ofGrid), PYK_RT_ASSUME_INSIDE);
}

TEST_F(BoundsTest, MemoryIsMoreThanTheArray) {
  arguments[0].memory = memory;
  arguments[0].memory_bytes = sizeof(memory);
  for (int64_t n : {-8, 0, 8}) {
    arguments[1].scalar[0] = uint64_t(n);
    EXPECT_EQ(check(ofGrid), 0u) << n;
  }
  for (int64_t n : {-9, 9}) {
    arguments[1].scalar[0] = uint64_t(n);
    EXPECT_EQ(check(ofGrid), PYK_RT_ASSUME_INSIDE) << n;
  }
  // One byte is missing.
  arguments[0].memory_bytes -= 1;
  arguments[1].scalar[0] = 8;
  EXPECT_EQ(check(ofGrid), PYK_RT_ASSUME_INSIDE);
  // Memory that the array is not in says nothing.
  arguments[0].memory = memory + 10;
  arguments[1].scalar[0] = 0;
  EXPECT_EQ(check(ofGrid), 0u);
}

TEST_F(BoundsTest, WhatNeverRunsIsInside) {
  // x[n] where n is above 5 and below 3.
  const std::vector<Term> terms = {{PYK_RT_BOUND_SCALAR, 1, 0, 0, 8},
                                   {PYK_RT_BOUND_CONSTANT, 0, 0, 0, 3},
                                   {PYK_RT_BOUND_CUT_ABOVE, 0, 1, 0, -1},
                                   {PYK_RT_BOUND_CONSTANT, 0, 0, 0, 1000},
                                   {PYK_RT_BOUND_WHEN, 3, 2, 0, 0},
                                   {PYK_RT_BOUND_WITHIN, 4, 0, 0, 16}};
  arguments[1].scalar[0] = 5;
  EXPECT_EQ(check(terms), 0u);
  arguments[1].scalar[0] = 2;
  EXPECT_EQ(check(terms), PYK_RT_ASSUME_INSIDE);
  // Of nothing and something, something is left.
  arguments[1].scalar[0] = 5;
  EXPECT_EQ(check({{PYK_RT_BOUND_CONSTANT, 0, 0, 0, 1},
                   {PYK_RT_BOUND_CONSTANT, 0, 0, 0, 0},
                   {PYK_RT_BOUND_CUT_ABOVE, 0, 1, 0, 0},
                   {PYK_RT_BOUND_CONSTANT, 0, 0, 0, 99},
                   {PYK_RT_BOUND_EITHER, 2, 3, 0, 0},
                   {PYK_RT_BOUND_WITHIN, 4, 0, 0, 16}}),
            PYK_RT_ASSUME_INSIDE);
}

TEST_F(BoundsTest, GuessesThatDoNotHoldSayNothing) {
  // k = 0; x[k]; k = k + n, of which it is guessed that k stays at 0 or above.
  const std::vector<Term> terms = {{PYK_RT_BOUND_CONSTANT, 0, 0, 0, 0},
                                   {PYK_RT_BOUND_ANY, 0, 0, 0, 64},
                                   {PYK_RT_BOUND_CUT_BELOW, 1, 0, 0, 0},
                                   {PYK_RT_BOUND_CONSTANT, 0, 0, 0, 15},
                                   {PYK_RT_BOUND_CUT_ABOVE, 2, 3, 0, 0},
                                   {PYK_RT_BOUND_SCALAR, 1, 0, 0, 8},
                                   {PYK_RT_BOUND_ADD, 4, 5, 0, 0},
                                   {PYK_RT_BOUND_STABLE, 2, 6, 0, 0},
                                   {PYK_RT_BOUND_CUT_ABOVE, 7, 3, 0, 0},
                                   {PYK_RT_BOUND_INSIDE, 8, 0, 0, 4}};
  arguments[1].scalar[0] = 3;
  EXPECT_EQ(check(terms), 0u);
  arguments[1].scalar[0] = uint64_t(-3);
  EXPECT_EQ(check(terms), PYK_RT_ASSUME_INSIDE);
}

TEST_F(BoundsTest, OtherNumbersOfALaunch) {
  auto is = [&](Term term, int64_t expected) {
    return check({term,
                  {PYK_RT_BOUND_CONSTANT, 0, 0, 0, expected},
                  {PYK_RT_BOUND_SUB, 0, 1, 0, 0},
                  {PYK_RT_BOUND_WITHIN, 2, 0, 0, 1}}) == 0;
  };
  grid[1] = 5;
  block[2] = 7;
  EXPECT_TRUE(is({PYK_RT_BOUND_GRID_DIM, 1, 0, 0, 0}, 5));
  EXPECT_TRUE(is({PYK_RT_BOUND_BLOCK_DIM, 2, 0, 0, 0}, 7));
  EXPECT_TRUE(is({PYK_RT_BOUND_EXTENT, 0, 0, 0, 0}, 16));
  EXPECT_TRUE(is({PYK_RT_BOUND_STRIDE, 0, 0, 0, 0}, 4));
  EXPECT_FALSE(is({PYK_RT_BOUND_THREAD, 2, 0, 0, 0}, 0));
  arguments[1].scalar[0] = 0xfff0fffe;
  EXPECT_TRUE(is({PYK_RT_BOUND_SCALAR, 1, 0, 0, 1}, -2));
  EXPECT_TRUE(is({PYK_RT_BOUND_SCALAR, 1, 0, 0, 2}, -2));
  EXPECT_TRUE(is({PYK_RT_BOUND_SCALAR, 1, 0, 0, 4}, -983042));
  EXPECT_TRUE(is({PYK_RT_BOUND_SCALAR, 1, 0, 0, 8}, 0xfff0fffe));
}

TEST_F(BoundsTest, ManyTerms) {
  std::vector<Term> terms(1000, Term{PYK_RT_BOUND_CONSTANT, 0, 0, 0, 16});
  EXPECT_EQ(check(terms), 0u);
  terms.push_back({PYK_RT_BOUND_INSIDE, 999, 0, 0, 4});
  EXPECT_EQ(check(terms), PYK_RT_ASSUME_INSIDE);
}

TEST_F(BoundsTest, OtherFailuresComeFirst) {
  signature.facts = PYK_RT_FACT_SMALL;
  grid[0] = PYK_RT_SMALL_GRID_LIMIT;
  EXPECT_EQ(check(ofGrid), PYK_RT_ASSUME_SIZES);
}

TEST_F(BoundsTest, ParametersOfMemory) {
  const pyk_rt_parameter parameters[] = {
      {PYK_RT_PARAMETER_MEMORY_FIRST, 0, 4, 8, 8},
      {PYK_RT_PARAMETER_MEMORY_COUNT, 0, 4, 8, 8},
      {PYK_RT_PARAMETER_MEMORY_FIRST, 0, 1, 8, 8},
      {PYK_RT_PARAMETER_MEMORY_COUNT, 0, 1, 8, 8}};
  signature.parameters = parameters;
  signature.parameter_count = 4;
  auto bind = [&] {
    std::vector<uint64_t> slots(4);
    void *values[4];
    pyk_rt_bind_arguments(&signature, arguments, slots.data(), values);
    return std::vector<int64_t>(slots.begin(), slots.end());
  };
  using Numbers = std::vector<int64_t>;
  EXPECT_EQ(bind(), (Numbers{0, 16, 0, 61}));
  arguments[0].memory = memory;
  arguments[0].memory_bytes = sizeof(memory);
  EXPECT_EQ(bind(), (Numbers{-8, 32, -32, 125}));
  // Three bytes more are no element; two in front are none either.
  arguments[0].memory = reinterpret_cast<char *>(memory) + 2;
  arguments[0].memory_bytes = sizeof(memory) - 3;
  EXPECT_EQ(bind(), (Numbers{-7, 30, -30, 122}));
  // The array begins where memory ends.
  arguments[0].memory = memory;
  arguments[0].memory_bytes = 32;
  EXPECT_EQ(bind(), (Numbers{-8, 8, -32, 29}));
  // Two bytes of it are no element.
  arguments[0].memory_bytes = 34;
  EXPECT_EQ(bind(), (Numbers{-8, 8, -32, 31}));
  arguments[0].memory_bytes = 32;
  // Without elements there is nothing, unless the owner is known.
  shape[0] = 0;
  EXPECT_EQ(bind(), (Numbers{-8, 8, -32, 29}));
  arguments[0].memory = nullptr;
  EXPECT_EQ(bind(), (Numbers{0, 0, 0, 0}));
  // Backwards.
  shape[0] = 4;
  strides[0] = -8;
  EXPECT_EQ(bind(), (Numbers{-6, 7, -24, 25}));
}
