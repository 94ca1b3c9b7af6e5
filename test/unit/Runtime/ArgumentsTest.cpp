// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of a launch's arguments, at the limits, and the parameters that are
// made of them.

#include "pyk/runtime/LaunchCheck.h"
#include "pyk/runtime/Runtime.h"

#include "gtest/gtest.h"

#include <array>

using namespace pyk::runtime;

namespace {

constexpr int64_t kSmall = PYK_RT_SMALL_LIMIT;
constexpr int64_t kGrid[] = {1, 1, 1}, kBlock[] = {32, 4, 1};

/// Checks one argument alone.
uint32_t check(const pyk_rt_formal &formal, const pyk_rt_argument &argument) {
  pyk_rt_signature signature = {&formal, 1, nullptr, 0,       0,
                                nullptr, 0, {},      nullptr, 0};
  return pyk_rt_check_launch(&signature, kGrid, kBlock, &argument);
}

uint32_t checkScalar(uint32_t bytes, uint64_t value,
                     uint32_t facts = PYK_RT_FACT_SMALL) {
  return check({facts, -1, bytes},
               {nullptr, nullptr, nullptr, {value, 0}, nullptr, 0});
}

uint32_t checkArray(std::array<int64_t, 2> shape,
                    std::array<int64_t, 2> strides,
                    uint32_t facts = PYK_RT_FACT_SMALL) {
  return check({facts, 2, 4},
               {nullptr, shape.data(), strides.data(), {}, nullptr, 0});
}

} // namespace

TEST(ArgumentsTest, SmallIntegers) {
  EXPECT_EQ(checkScalar(8, 0), 0u);
  EXPECT_EQ(checkScalar(8, kSmall - 1), 0u);
  EXPECT_EQ(checkScalar(8, kSmall), PYK_RT_ASSUME_SCALARS);
  EXPECT_EQ(checkScalar(8, uint64_t(-1)), PYK_RT_ASSUME_SCALARS);
  EXPECT_EQ(checkScalar(8, uint64_t(1) << 32), PYK_RT_ASSUME_SCALARS);
  EXPECT_EQ(checkScalar(8, uint64_t(-1), 0), 0u);
  // What stands behind four bytes is none of the number.
  EXPECT_EQ(checkScalar(4, (uint64_t(1) << 32) + 5), 0u);
  EXPECT_EQ(checkScalar(4, uint32_t(-5)), PYK_RT_ASSUME_SCALARS);
}

TEST(ArgumentsTest, SmallArrays) {
  constexpr int64_t most = kSmall / 4 - 1;
  EXPECT_EQ(checkArray({1, most}, {4 * most, 4}), 0u);
  EXPECT_EQ(checkArray({1, most + 1}, {4, 4}), PYK_RT_ASSUME_SIZES);
  // As many bytes backwards.
  EXPECT_EQ(checkArray({1, most}, {4, -4}), 0u);
  EXPECT_EQ(checkArray({1, most + 1}, {4, -4}), PYK_RT_ASSUME_SIZES);
  // Elements count though they are all one.
  EXPECT_EQ(checkArray({1, kSmall - 1}, {0, 0}), 0u);
  EXPECT_EQ(checkArray({1, kSmall}, {0, 0}), PYK_RT_ASSUME_SIZES);
  EXPECT_EQ(checkArray({1 << 15, 1 << 16}, {0, 0}), PYK_RT_ASSUME_SIZES);
  // Extents do so although there is no element.
  EXPECT_EQ(checkArray({0, kSmall - 1}, {0, 4}), PYK_RT_ASSUME_SIZES);
  EXPECT_EQ(checkArray({0, 7}, {1 << 20, 4}), 0u);
  EXPECT_EQ(checkArray({0, kSmall}, {0, 0}), PYK_RT_ASSUME_SIZES);
  // Far strides of few elements.
  EXPECT_EQ(checkArray({2, 1}, {kSmall - 5, 4}), 0u);
  EXPECT_EQ(checkArray({2, 1}, {kSmall - 4, 4}), PYK_RT_ASSUME_SIZES);
  EXPECT_EQ(checkArray({2, 1}, {INT64_MIN, 4}), PYK_RT_ASSUME_SIZES);
}

TEST(ArgumentsTest, NarrowArrays) {
  constexpr int64_t narrow = PYK_RT_NARROW_LIMIT;
  constexpr uint32_t facts = PYK_RT_FACT_NARROW;
  EXPECT_EQ(checkArray({1, narrow - 1}, {8, 8}, facts), 0u);
  EXPECT_EQ(checkArray({1, narrow}, {8, 8}, facts), PYK_RT_ASSUME_EXTENTS);
  EXPECT_EQ(checkArray({1 << 15, (1 << 16) - 3}, {0, 0}, facts), 0u);
  EXPECT_EQ(checkArray({1 << 15, (1 << 16) - 2}, {0, 0}, facts),
            PYK_RT_ASSUME_EXTENTS);
  // Without elements extents count, their products do not.
  EXPECT_EQ(checkArray({narrow - 1, 0}, {0, 0}, facts), 0u);
  EXPECT_EQ(checkArray({0, narrow}, {0, 0}, facts), PYK_RT_ASSUME_EXTENTS);
  EXPECT_EQ(checkArray({1, -1}, {0, 0}, facts), PYK_RT_ASSUME_EXTENTS);
  // A product that 64 bits would not hold.
  int64_t shape[] = {1 << 30, 1 << 30, 1 << 30, 0}, strides[4] = {};
  EXPECT_EQ(check({facts, 4, 4}, {nullptr, shape, strides, {}, nullptr, 0}),
            0u);
  EXPECT_EQ(check({facts, 3, 4}, {nullptr, shape, strides, {}, nullptr, 0}),
            PYK_RT_ASSUME_EXTENTS);
}

TEST(ArgumentsTest, ExtentsOfAllArrays) {
  EXPECT_EQ(checkArray({PYK_RT_EXTENT_LIMIT - 1, 1}, {0, 0}, 0), 0u);
  EXPECT_EQ(checkArray({PYK_RT_EXTENT_LIMIT, 1}, {0, 0}, 0),
            PYK_RT_ASSUME_EXTENTS);
  EXPECT_EQ(checkArray({1, -1}, {0, 0}, 0), PYK_RT_ASSUME_EXTENTS);
  EXPECT_EQ(checkArray({1, -1}, {0, 0}),
            PYK_RT_ASSUME_EXTENTS | PYK_RT_ASSUME_SIZES);
}

TEST(ArgumentsTest, ArraysThatShareMemory) {
  constexpr uint32_t own = PYK_RT_FACT_DISJOINT;
  constexpr uint32_t written = PYK_RT_FACT_DISJOINT | PYK_RT_FACT_WRITTEN;
  int32_t memory[16];
  auto share = [&](uint32_t one, int first, int64_t count, int64_t stride,
                   uint32_t other, int second) {
    const int64_t shapes[] = {count, 4}, strides[] = {4 * stride, 4};
    pyk_rt_formal formals[] = {{one, 1, 4}, {other, 1, 4}};
    pyk_rt_argument arguments[] = {
        {memory + first, &shapes[0], &strides[0], {}, nullptr, 0},
        {memory + second, &shapes[1], &strides[1], {}, nullptr, 0}};
    pyk_rt_signature signature = {formals, 2, nullptr, 0,       0,
                                  nullptr, 0, {},      nullptr, 0};
    uint32_t failing =
        pyk_rt_check_launch(&signature, kGrid, kBlock, arguments);
    EXPECT_EQ(failing & ~uint32_t(PYK_RT_ASSUME_DISJOINT), 0u);
    return failing != 0;
  };
  EXPECT_TRUE(share(written, 0, 5, 1, own, 4));
  EXPECT_TRUE(share(own, 0, 5, 1, written, 4));
  EXPECT_TRUE(share(written, 0, 5, 1, written, 4));
  EXPECT_TRUE(share(own, 0, 5, 1, PYK_RT_FACT_WRITTEN, 4));
  EXPECT_TRUE(share(own, 5, 2, 1, PYK_RT_FACT_WRITTEN, 4));
  // The kernel writes to neither, or takes nothing for granted.
  EXPECT_FALSE(share(own, 0, 5, 1, own, 4));
  EXPECT_FALSE(share(PYK_RT_FACT_WRITTEN, 0, 5, 1, PYK_RT_FACT_WRITTEN, 4));
  // One ends where the other begins.
  EXPECT_FALSE(share(written, 0, 4, 1, own, 4));
  EXPECT_FALSE(share(written, 8, 4, 1, own, 4));
  EXPECT_TRUE(share(written, 7, 4, 1, own, 4));
  // Backwards.
  EXPECT_FALSE(share(written, 3, 4, -1, own, 4));
  EXPECT_TRUE(share(written, 8, 2, -1, own, 4));
  EXPECT_FALSE(share(written, 9, 2, -1, own, 4));
  // Without elements.
  EXPECT_FALSE(share(written, 5, 0, 1, own, 4));
}

TEST(ArgumentsTest, AlignedArrays) {
  alignas(16) char memory[64];
  const int64_t shape[] = {4}, strides[] = {4};
  pyk_rt_formal formals[] = {{PYK_RT_FACT_ALIGNED, 1, 4}, {0, 1, 4}};
  pyk_rt_argument arguments[] = {{memory, shape, strides, {}, nullptr, 0},
                                 {memory + 4, shape, strides, {}, nullptr, 0}};
  pyk_rt_signature signature = {formals, 2, nullptr, 0,       0,
                                nullptr, 0, {},      nullptr, 0};
  auto check = [&] {
    return pyk_rt_check_launch(&signature, kGrid, kBlock, arguments);
  };
  EXPECT_EQ(check(), 0u);
  arguments[0].data = memory + 48;
  EXPECT_EQ(check(), 0u);
  arguments[0].data = memory + 8;
  EXPECT_EQ(check(), PYK_RT_ASSUME_ALIGNED);
  EXPECT_EQ(
      checkLaunch("launching 'k'", signature, kGrid, kBlock, arguments)
          .message(),
      "launching 'k': argument 0 begins at an address that is no multiple of "
      "16, but the kernel is for arrays that do; pass a copy, or compile for "
      "any address");
  // One that is not aligned counts among others that are, and with others.
  formals[1].facts = PYK_RT_FACT_ALIGNED | PYK_RT_FACT_SMALL;
  arguments[0].data = memory;
  EXPECT_EQ(check(), PYK_RT_ASSUME_ALIGNED);
  const int64_t large[] = {PYK_RT_SMALL_LIMIT};
  arguments[1].shape = large;
  EXPECT_EQ(check(), PYK_RT_ASSUME_ALIGNED | PYK_RT_ASSUME_SIZES);
}

TEST(ArgumentsTest, GapsInRows) {
  char memory[96];
  const int64_t shape[] = {2, 3}, dense[] = {48, 4}, gaps[] = {48, 8},
                backward[] = {48, -4}, column[] = {4, 48};
  pyk_rt_formal formals[] = {{PYK_RT_FACT_UNIT, 2, 4}, {0, 2, 4}};
  pyk_rt_argument arguments[] = {{memory, shape, dense, {}, nullptr, 0},
                                 {memory, shape, gaps, {}, nullptr, 0}};
  pyk_rt_signature signature = {formals, 2, nullptr, 0,       0,
                                nullptr, 0, {},      nullptr, 0};
  auto check = [&](const int64_t *strides) {
    arguments[0].strides = strides;
    return pyk_rt_check_launch(&signature, kGrid, kBlock, arguments);
  };
  EXPECT_EQ(check(dense), 0u);
  for (const int64_t *strides : {gaps, backward, column})
    EXPECT_EQ(check(strides), PYK_RT_ASSUME_STRIDES);
  EXPECT_EQ(
      checkLaunch("launching 'k'", signature, kGrid, kBlock, arguments)
          .message(),
      "launching 'k': argument 0 has gaps between the elements of its last "
      "dimension, but the kernel is for arrays that have none; pass a copy, or "
      "compile for any strides");
}

TEST(ArgumentsTest, ManyArrays) {
  std::array<int32_t, 40> memory;
  std::array<pyk_rt_formal, 40> formals;
  std::array<pyk_rt_argument, 40> arguments;
  const int64_t shape[] = {1}, strides[] = {4};
  for (size_t i = 0; i < 40; ++i) {
    formals[i] = {PYK_RT_FACT_DISJOINT, 1, 4};
    arguments[i] = {&memory[i], shape, strides, {}, nullptr, 0};
  }
  pyk_rt_signature signature = {formals.data(), 40, nullptr, 0,       0,
                                nullptr,        0,  {},      nullptr, 0};
  formals[39].facts |= PYK_RT_FACT_WRITTEN;
  EXPECT_EQ(pyk_rt_check_launch(&signature, kGrid, kBlock, arguments.data()),
            0u);
  arguments[3].data = &memory[39];
  EXPECT_EQ(pyk_rt_check_launch(&signature, kGrid, kBlock, arguments.data()),
            PYK_RT_ASSUME_DISJOINT);
}

TEST(ArgumentsTest, RefusalsNameTheArgument) {
  const int64_t shape[] = {kSmall, 1}, strides[] = {4, 4};
  pyk_rt_formal formals[] = {{PYK_RT_FACT_SMALL, -1, 8},
                             {PYK_RT_FACT_SMALL, 2, 4}};
  pyk_rt_argument arguments[] = {
      {nullptr, nullptr, nullptr, {1, 0}, nullptr, 0},
      {nullptr, shape, strides, {}, nullptr, 0}};
  pyk_rt_signature signature = {formals, 2, nullptr, 0,       0,
                                nullptr, 0, {},      nullptr, 0};
  auto getMessage = [&] {
    Status status =
        checkLaunch("launching 'k'", signature, kGrid, kBlock, arguments);
    EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
    return status.message();
  };
  EXPECT_EQ(
      getMessage(),
      "launching 'k': argument 1 has 2**31 elements or bytes, or more, "
      "but the kernel is for smaller arrays; pass a part of it, or compile "
      "for any size");
  arguments[0].scalar[0] = uint64_t(-1);
  EXPECT_EQ(getMessage(),
            "launching 'k': argument 0 is negative, or 2**31 or more, but the "
            "kernel is for numbers between; compile for any number");
  pyk_rt_status *refused =
      pyk_rt_refuse_launch(&signature, kGrid, kBlock, arguments);
  EXPECT_EQ(pyk_rt_status_code(refused), PYK_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(pyk_rt_status_message(refused),
               "launching a kernel: argument 0 is negative, or 2**31 or more, "
               "but the kernel is for numbers between; compile for any number");
  pyk_rt_status_free(refused);

  int32_t memory[4];
  const int64_t four[] = {4}, next[] = {4};
  formals[0] = {PYK_RT_FACT_DISJOINT | PYK_RT_FACT_WRITTEN, 1, 4};
  formals[1] = {PYK_RT_FACT_DISJOINT, 1, 4};
  arguments[0] = arguments[1] = {memory, four, next, {}, nullptr, 0};
  EXPECT_EQ(
      getMessage(),
      "launching 'k': two arguments share memory, but the kernel is for "
      "arrays that do not; pass a copy of one, or compile for any arrays");
  arguments[1].data = memory + 4;
  EXPECT_EQ(pyk_rt_refuse_launch(&signature, kGrid, kBlock, arguments),
            nullptr);
}

TEST(ArgumentsTest, RefusalsNameTheDimension) {
  const int64_t shape[] = {3, PYK_RT_EXTENT_LIMIT}, strides[] = {4, 4};
  const int64_t narrow[] = {PYK_RT_NARROW_LIMIT, 1};
  pyk_rt_formal formals[] = {{0, 2, 4}, {0, 2, 4}};
  pyk_rt_argument arguments[] = {{nullptr, strides, strides, {}, nullptr, 0},
                                 {nullptr, shape, strides, {}, nullptr, 0}};
  pyk_rt_signature signature = {formals, 2, nullptr, 0,       0,
                                nullptr, 0, {},      nullptr, 0};
  auto getMessage = [&] {
    return checkLaunch("launching 'k'", signature, kGrid, kBlock, arguments)
        .message();
  };
  EXPECT_EQ(getMessage(),
            "launching 'k': argument 1 has 281474976710656 elements along "
            "dimension 1; pass arrays of less than 2**48 elements along each "
            "dimension");
  formals[1].facts = PYK_RT_FACT_NARROW;
  arguments[1].shape = narrow;
  EXPECT_EQ(getMessage(),
            "launching 'k': argument 1 has 2**31 - 2**16 elements or more, but "
            "a kernel of narrow typing counts them in 32 bits; pass a part of "
            "it, or use typing='numba'");
}

TEST(ArgumentsTest, ShapesOfBlocks) {
  pyk_rt_signature signature = {nullptr, 0, nullptr,    0,       0,
                                nullptr, 0, {32, 4, 1}, nullptr, 0};
  EXPECT_EQ(pyk_rt_check_launch(&signature, kGrid, kBlock, nullptr), 0u);
  for (int axis = 0; axis < 3; ++axis) {
    int64_t block[] = {32, 4, 1};
    ++block[axis];
    EXPECT_EQ(pyk_rt_check_launch(&signature, kGrid, block, nullptr),
              PYK_RT_ASSUME_BLOCK);
  }
  const int64_t other[] = {64, 2, 1};
  EXPECT_EQ(
      checkLaunch("launching 'k'", signature, kGrid, other, nullptr).message(),
      "launching 'k': blocks have 64 x 2 x 1 threads, but the kernel is "
      "for blocks of 32 x 4 x 1; launch such blocks, or compile for any");
  signature.block[0] = 0;
  EXPECT_EQ(pyk_rt_check_launch(&signature, kGrid, other, nullptr), 0u);
}

TEST(ArgumentsTest, SmallGrids) {
  pyk_rt_signature signature = {nullptr, 0, nullptr, 0,       PYK_RT_FACT_SMALL,
                                nullptr, 0, {},      nullptr, 0};
  for (int axis = 0; axis < 3; ++axis) {
    int64_t grid[] = {7, 8, 9};
    grid[axis] = PYK_RT_SMALL_GRID_LIMIT - 1;
    EXPECT_EQ(pyk_rt_check_launch(&signature, grid, kBlock, nullptr), 0u);
    ++grid[axis];
    EXPECT_EQ(pyk_rt_check_launch(&signature, grid, kBlock, nullptr),
              PYK_RT_ASSUME_SIZES);
    EXPECT_EQ(checkLaunch("launching 'k'", signature, grid, kBlock, nullptr)
                  .message(),
              "launching 'k': the grid has 2**21 blocks or more along an axis, "
              "but the kernel is for smaller ones; launch fewer blocks, or "
              "compile for any sizes");
    signature.facts = 0;
    EXPECT_EQ(pyk_rt_check_launch(&signature, grid, kBlock, nullptr), 0u);
    signature.facts = PYK_RT_FACT_SMALL;
  }
}

TEST(ArgumentsTest, ParametersAreParts) {
  int32_t memory[6];
  const int64_t shape[] = {2, 3}, strides[] = {12, -4};
  const pyk_rt_argument arguments[] = {
      {nullptr, nullptr, nullptr, {0x4045000000000000, 7}, nullptr, 0},
      {memory, shape, strides, {}, nullptr, 0}};
  const pyk_rt_parameter parameters[] = {
      {PYK_RT_PARAMETER_DATA, 1, 0, 8, 8},
      {PYK_RT_PARAMETER_EXTENT, 1, 1, 8, 8},
      {PYK_RT_PARAMETER_STRIDE, 1, 1, 8, 8},
      {PYK_RT_PARAMETER_SCALAR, 0, 0, 16, 8},
      {PYK_RT_PARAMETER_FAILURE, 0, 0, 8, 8}};
  const pyk_rt_formal formals[2] = {};
  pyk_rt_signature signature = {formals, 2, parameters, 5,       0,
                                nullptr, 0, {},         nullptr, 0};
  uint64_t slots[5];
  void *values[5];
  pyk_rt_bind_arguments(&signature, arguments, slots, values);
  EXPECT_EQ(*static_cast<int32_t **>(values[0]), memory);
  EXPECT_EQ(*static_cast<int64_t *>(values[1]), 3);
  EXPECT_EQ(*static_cast<int64_t *>(values[2]), -4);
  EXPECT_EQ(*static_cast<double *>(values[3]), 42.0);
  EXPECT_EQ(static_cast<uint64_t *>(values[3])[1], 7u);
  EXPECT_EQ(values[4], &slots[4]);
  EXPECT_EQ(slots[4], 0u);
}
