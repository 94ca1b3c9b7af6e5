// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk_rt_print writes, and when: whole pieces of text, block by block.

#include "TestSupport.h"

#include <atomic>
#include <cstring>
#include <limits>
#include <string>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

/// Prints `format` with the values of the argument, which all threads share.
void printOnce(pyk_rt_block *block, void *const *arguments) {
  pyk_rt_print(block, argument<const char *>(arguments, 0),
               argument<const void *>(arguments, 1));
}

void printBlock(pyk_rt_block *block, void *const *) {
  for (int64_t thread = 0; thread < block->block_dim[0]; ++thread) {
    int64_t values[] = {block->block_id[0], block->block_id[1], thread};
    pyk_rt_print(block, "%lld,%lld.%lld ", values);
  }
}

void printIndex(pyk_rt_block *block, void *const *) {
  int64_t values[] = {block->block_id[0], block->block_id[1],
                      block->block_id[2]};
  pyk_rt_print(block, "%lld,%lld,%lld ", values);
}

template <typename... Arguments>
std::string printed(const pyk_rt_kernel &kernel, const LaunchShape &shape,
                    Arguments... arguments) {
  testing::internal::CaptureStdout();
  expectLaunch(kernel, shape, arguments...);
  return testing::internal::GetCapturedStdout();
}

template <typename T>
std::string printedAs(const char *format, T value) {
  auto *values = static_cast<const void *>(&value);
  return printed(loopKernel<printOnce>(), shapeOf(1, 1), format, values);
}

} // namespace

// A number that is written wrongly is worse than none.
TEST(PrintTest, Numbers) {
  EXPECT_EQ(printedAs("%lld|", std::numeric_limits<int64_t>::min()),
            "-9223372036854775808|");
  EXPECT_EQ(printedAs("%llu|", std::numeric_limits<uint64_t>::max()),
            "18446744073709551615|");
  EXPECT_EQ(printedAs("%f|", -0.1234567), "-0.123457|");
  EXPECT_EQ(printedAs("%+f|", 0.5), "+0.500000|");
  EXPECT_EQ(printedAs("%+f|", -0.0), "-0.000000|");
  EXPECT_EQ(printedAs("%+f|", -std::numeric_limits<double>::quiet_NaN()),
            "+nan|");
  EXPECT_EQ(printedAs("%f|", 1e300).size(), size_t(301 + 7 + 1));
  EXPECT_EQ(printedAs("%f|", -std::numeric_limits<double>::max()).size(),
            size_t(1 + 309 + 7 + 1));
  EXPECT_EQ(printedAs("%f|", -std::numeric_limits<double>::infinity()),
            "-inf|");
  EXPECT_EQ(printedAs("%f|", -std::numeric_limits<double>::quiet_NaN()),
            "nan|");
}

TEST(PrintTest, TextAndPercent) {
  EXPECT_EQ(printedAs("a %s b", "x%f"), "a x%f b");
  EXPECT_EQ(printedAs("100 %% %lld %%", int64_t(7)), "100 % 7 %");
}

// Workers take blocks in any order, and what they print must not show it.
TEST(PrintTest, OrderOfBlocks) {
  ScopedThreadCount threads(4);
  LaunchShape shape = shapeOf(40, 300);
  shape.grid[1] = 2;
  std::string expected;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 40; ++x)
      for (int thread = 0; thread < 300; ++thread)
        expected += std::to_string(x) + "," + std::to_string(y) + "." +
                    std::to_string(thread) + " ";
  EXPECT_EQ(printed(loopKernel<printBlock>(), shape), expected);
}

// No two blocks of a grid share a place, whichever of its sides is the longest.
TEST(PrintTest, OrderOfBlocksInThreeDimensions) {
  const LaunchShape shapes[] = {{{2, 3, 2}, {1, 1, 1}, 0},
                                {{3, 2, 4}, {1, 1, 1}, 0}};
  for (const LaunchShape &shape : shapes) {
    std::string expected;
    for (int z = 0; z < shape.grid[2]; ++z)
      for (int y = 0; y < shape.grid[1]; ++y)
        for (int x = 0; x < shape.grid[0]; ++x)
          expected += std::to_string(x) + "," + std::to_string(y) + "," +
                      std::to_string(z) + " ";
    EXPECT_EQ(printed(loopKernel<printIndex>(), shape), expected);
  }
}

// Also after so much text that it could not be kept: the last block prints
// before the one in the middle.
TEST(PrintTest, OrderOfBlocksAfterMuchText) {
  static std::atomic<int> turn{0};
  turn = 0;
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                               void *const *arguments) {
    constexpr int turns[] = {0, 2, 1};
    while (turn != turns[block->block_id[0]])
      pyk_rt_yield(block);
    if (block->block_id[0] == 0)
      for (int line = 0; line != 2000; ++line)
        pyk_rt_print(block, argument<const char *>(arguments, 0), nullptr);
    printIndex(block, arguments);
    ++turn;
  });
  std::string line(1000, 'x');
  std::string text = printed(kernel, shapeOf(3, 1), line.c_str());
  EXPECT_EQ(text.substr(2000 * line.size()), "0,0,0 1,0,0 2,0,0 ");
}

// Memory is bounded: all of it comes, but not all at the end.
TEST(PrintTest, MuchText) {
  std::string line(1000, 'x');
  line += '\n';
  const char *format = line.c_str();
  const void *none = nullptr;
  std::string text =
      printed(loopKernel<printOnce>(), shapeOf(3000, 1), format, none);
  EXPECT_EQ(text.size(), 3000 * line.size());
}
