// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which blocks a worker takes: those of its own part first.

#include "cpu/BlockClaims.h"

#include "gtest/gtest.h"

#include <utility>
#include <vector>

using namespace pyk::runtime;

/// What a worker that begins with `part` takes, `count` blocks at a time.
static std::vector<std::pair<uint64_t, uint64_t>>
claimAll(BlockClaims &claims, uint64_t part, uint64_t count) {
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  uint64_t begin, end;
  while (claims.claim(begin, end, count, part))
    ranges.emplace_back(begin, end);
  return ranges;
}

TEST(BlockClaimsTest, OwnPartComesFirst) {
  using Ranges = std::vector<std::pair<uint64_t, uint64_t>>;
  for (const auto &[worker, expected] : {
           std::pair<uint64_t, Ranges>{
               0, {{0, 2}, {2, 4}, {4, 6}, {6, 7}, {7, 9}, {9, 10}}},
           {1, {{4, 6}, {6, 7}, {7, 9}, {9, 10}, {0, 2}, {2, 4}}},
           // There are more workers than parts.
           {5, {{7, 9}, {9, 10}, {0, 2}, {2, 4}, {4, 6}, {6, 7}}},
       }) {
    BlockClaims claims;
    claims.divide(10, 3);
    EXPECT_EQ(claimAll(claims, worker, 2), expected) << worker;
  }
}

TEST(BlockClaimsTest, OthersHelp) {
  BlockClaims claims;
  claims.divide(8, 2);
  uint64_t begin, end, own = 1, other = 0;
  ASSERT_TRUE(claims.claim(begin, end, 1, own));
  EXPECT_EQ(begin, 4U);
  for (uint64_t expected : {0, 1, 2, 3, 5, 6, 7}) {
    ASSERT_TRUE(claims.claim(begin, end, 1, other));
    EXPECT_EQ(begin, expected);
    EXPECT_EQ(end, expected + 1);
  }
  EXPECT_FALSE(claims.claim(begin, end, 1, other));
  EXPECT_FALSE(claims.claim(begin, end, 1, own));
}

TEST(BlockClaimsTest, EachBlockOnce) {
  for (uint64_t blocks : {1, 2, 5, 16, 17, 1000})
    for (uint64_t parts : {1, 2, 3, 16, 100})
      for (uint64_t count : {1, 3, 64, 5000}) {
        BlockClaims claims;
        claims.divide(blocks, parts);
        std::vector<int> seen(blocks);
        for (auto [begin, end] : claimAll(claims, 7, count))
          for (uint64_t block = begin; block < end; ++block)
            ++seen.at(block);
        EXPECT_EQ(seen, std::vector<int>(blocks, 1)) << blocks << " " << parts;
      }
}
