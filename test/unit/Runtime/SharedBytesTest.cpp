// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared memory that arrays of sizes known at the launch add to it.

#include "pyk/runtime/Arguments.h"
#include "pyk/runtime/LaunchCheck.h"
#include "gtest/gtest.h"

#include <cstring>
#include <vector>

using namespace pyk::runtime;

namespace {

using Term = pyk_rt_size_term;

constexpr int64_t kBlock[] = {32, 4, 2};

Term number(int64_t value) { return {PYK_RT_SIZE_CONSTANT, 0, 0, 0, value}; }
Term combine(pyk_rt_size_kind kind) { return {kind, 0, 0, 0, 0}; }
Term place(int64_t alignment, uint32_t line) {
  return {PYK_RT_SIZE_PLACE, 0, 0, line, alignment};
}

/// Adds what `terms` say for an array of 5 elements and the scalar `n`.
Status add(const std::vector<Term> &terms, int64_t &bytes, int64_t n = 0) {
  const int64_t shape[] = {5};
  pyk_rt_argument arguments[2] = {};
  arguments[0].shape = shape;
  std::memcpy(arguments[1].scalar, &n, sizeof(n));
  pyk_rt_signature signature = {};
  signature.shared_sizes = terms.data();
  signature.shared_size_count = terms.size();
  return addSharedBytes("launching 'k'", signature, kBlock, arguments, bytes);
}

/// The number that `terms` leave on the stack.
int64_t evaluate(std::vector<Term> terms, int64_t n = 0) {
  terms.push_back(place(16, 1));
  int64_t bytes = 0;
  Status status = add(terms, bytes, n);
  EXPECT_TRUE(status.ok()) << status.message();
  return bytes;
}

int64_t evaluate(int64_t a, int64_t b, pyk_rt_size_kind kind) {
  return evaluate({number(a), number(b), combine(kind), number(100),
                   combine(PYK_RT_SIZE_ADD)});
}

std::string getError(std::vector<Term> terms, int64_t n = 0) {
  terms.push_back(place(16, 7));
  int64_t bytes = 0;
  Status status = add(terms, bytes, n);
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_EQ(bytes, 0);
  return status.message();
}

} // namespace

TEST(SharedBytesTest, WhatALaunchKnows) {
  EXPECT_EQ(evaluate({number(12)}), 12);
  EXPECT_EQ(evaluate({{PYK_RT_SIZE_EXTENT, 0, 0, 0, 0}}), 5);
  for (uint32_t axis = 0; axis < 3; ++axis)
    EXPECT_EQ(evaluate({{PYK_RT_SIZE_BLOCK, 0, axis, 0, 0}}), kBlock[axis]);
  EXPECT_EQ(evaluate({{PYK_RT_SIZE_SIGNED, 1, 0, 0, 8}}, 77), 77);
  EXPECT_EQ(evaluate({{PYK_RT_SIZE_UNSIGNED, 1, 0, 0, 1}}, 0x1ff), 255);
  // Only the bytes of the scalar count, and its sign.
  EXPECT_EQ(evaluate({{PYK_RT_SIZE_SIGNED, 1, 0, 0, 1},
                      number(3),
                      combine(PYK_RT_SIZE_ADD)},
                     0x1ff),
            2);
  EXPECT_EQ(evaluate({{PYK_RT_SIZE_SIGNED, 1, 0, 0, 4}}, 0x7100000009), 9);
}

TEST(SharedBytesTest, ArithmeticIsPythons) {
  EXPECT_EQ(evaluate(3, 4, PYK_RT_SIZE_ADD), 107);
  EXPECT_EQ(evaluate(3, 4, PYK_RT_SIZE_SUB), 99);
  EXPECT_EQ(evaluate(-3, 4, PYK_RT_SIZE_MUL), 88);
  EXPECT_EQ(evaluate(-7, 2, PYK_RT_SIZE_FLOOR_DIV), 96);
  EXPECT_EQ(evaluate(-7, 2, PYK_RT_SIZE_FLOOR_MOD), 101);
  EXPECT_EQ(evaluate(7, -2, PYK_RT_SIZE_FLOOR_DIV), 96);
  EXPECT_EQ(evaluate(7, -2, PYK_RT_SIZE_FLOOR_MOD), 99);
  EXPECT_EQ(evaluate(6, -2, PYK_RT_SIZE_FLOOR_MOD), 100);
  EXPECT_EQ(evaluate(-3, 4, PYK_RT_SIZE_MIN), 97);
  EXPECT_EQ(evaluate(-3, 4, PYK_RT_SIZE_MAX), 104);
}

TEST(SharedBytesTest, ArraysFollowEachOtherAligned) {
  int64_t bytes = 24;
  ASSERT_TRUE(add({number(3), place(16, 1), number(5), place(256, 2), number(0),
                   place(64, 0)},
                  bytes)
                  .ok());
  EXPECT_EQ(bytes, 24 + 320);
  // The device judges what the caller asks for.
  bytes = -8;
  ASSERT_TRUE(add({number(3), place(16, 1)}, bytes).ok());
  EXPECT_EQ(bytes, -8);
  bytes = INT64_MAX - 1;
  ASSERT_TRUE(add({number(3), place(16, 1)}, bytes).ok());
  EXPECT_EQ(bytes, INT64_MAX);
  bytes = 0;
  ASSERT_TRUE(add({}, bytes).ok());
  EXPECT_EQ(bytes, 0);
}

TEST(SharedBytesTest, RefusalsNameTheArray) {
  const std::string begin = "launching 'k': the shared array of line 7 ";
  EXPECT_EQ(getError({number(-2), combine(PYK_RT_SIZE_LENGTH)}),
            begin + "has a negative extent, -2; pass numbers that give at "
                    "least 0");
  const std::string leaves =
      begin + "has a size that leaves 64 bits; pass smaller numbers";
  EXPECT_EQ(getError({number(INT64_MAX), number(1), combine(PYK_RT_SIZE_ADD)}),
            leaves);
  EXPECT_EQ(getError({number(INT64_MIN), number(1), combine(PYK_RT_SIZE_SUB)}),
            leaves);
  EXPECT_EQ(
      getError({number(int64_t(1) << 62), number(2), combine(PYK_RT_SIZE_MUL)}),
      leaves);
  EXPECT_EQ(
      getError({number(INT64_MIN), number(-1), combine(PYK_RT_SIZE_FLOOR_DIV)}),
      leaves);
  EXPECT_EQ(getError({number(1), number(0), combine(PYK_RT_SIZE_FLOOR_MOD)}),
            begin + "has a size that divides by 0; pass a divisor other than "
                    "0");
  EXPECT_EQ(getError({number(1), place(16, 6), number(300000)}),
            begin + "takes 300000 bytes of shared memory behind 16, more than "
                    "CUDA's limit of 232448 bytes together; use smaller shared "
                    "arrays");
}

// The last byte that a block has, and one more; behind what is in front.
TEST(SharedBytesTest, TheLimitOfABlock) {
  constexpr int64_t most = 232448;
  EXPECT_EQ(evaluate({number(most)}), most);
  EXPECT_NE(getError({number(most + 1)}).find(" takes 232449 bytes"),
            std::string::npos);
  int64_t bytes = 0;
  ASSERT_TRUE(
      add({number(1), place(16, 1), number(most - 16), place(16, 2)}, bytes)
          .ok());
  EXPECT_EQ(bytes, most);
  EXPECT_NE(getError({number(1), place(16, 1), number(most - 15)})
                .find("the shared array of line 7 takes 232433 bytes of shared "
                      "memory behind 16,"),
            std::string::npos);
}

TEST(SharedBytesTest, LengthsAndScalarsAtTheirEdges) {
  EXPECT_EQ(evaluate({number(0), combine(PYK_RT_SIZE_LENGTH)}), 0);
  EXPECT_EQ(evaluate({{PYK_RT_SIZE_UNSIGNED, 1, 0, 0, 2}}, 0x1ffff), 0xffff);
  auto readAndAdd = [](pyk_rt_size_kind kind, int64_t bytes, int64_t n,
                       int64_t added) {
    return evaluate(
        {{kind, 1, 0, 0, bytes}, number(added), combine(PYK_RT_SIZE_ADD)}, n);
  };
  EXPECT_EQ(readAndAdd(PYK_RT_SIZE_SIGNED, 2, 0x18000, 32770), 2);
  EXPECT_EQ(readAndAdd(PYK_RT_SIZE_SIGNED, 4, -5, 7), 2);
  EXPECT_EQ(readAndAdd(PYK_RT_SIZE_SIGNED, 8, -5, 7), 2);
  EXPECT_EQ(readAndAdd(PYK_RT_SIZE_UNSIGNED, 4, -5, 7 - (int64_t(1) << 32)), 2);
}

// It is the array that the number belongs to, not the first one or the last.
TEST(SharedBytesTest, RefusalsNameTheArrayOfTheNumber) {
  int64_t bytes = 0;
  Status status =
      add({number(4), place(16, 3), number(-1), combine(PYK_RT_SIZE_LENGTH),
           place(16, 4), number(4), place(16, 5)},
          bytes);
  EXPECT_EQ(status.message(),
            "launching 'k': the shared array of line 4 has a negative extent, "
            "-1; pass numbers that give at least 0");
}
