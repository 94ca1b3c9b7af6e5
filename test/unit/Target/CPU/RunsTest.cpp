// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that run several blocks at a time: which these are.

#include "Support.h"

#include <algorithm>

using namespace pyk;
using namespace pyk::test;

/// Writes for each block which one its call began with, and how many blocks
/// that was given.
static const char kText[] = R"(
declare void @pyk.enter_block(i32)

define ptx_kernel void @k(ptr addrspace(1) %firsts, ptr addrspace(1) %lengths)
    "simd.tile" "simd.run"="3" {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %length = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul i32 %y, %width
  br label %iteration
iteration:
  %i = phi i32 [0, %entry], [%next, %iteration]
  %own = add i32 %x, %i
  call void @pyk.enter_block(i32 %own)
  %number = add i32 %row, %own
  %p = getelementptr i32, ptr addrspace(1) %firsts, i32 %number
  store i32 %x, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %lengths, i32 %number
  store i32 %length, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %length
  br i1 %more, label %iteration, label %end
end:
  ret void
}
)";

// The range of blocks that is asked for, here 2 to 12 of rows of 5, and rows of
// the grid bound them.
TEST(RunsTest, StayInRowsAndRanges) {
  auto kernel = compile(kText);
  ASSERT_TRUE(kernel);
  std::vector<int32_t> firsts(15, -1), lengths(15, -1);
  auto *firstsData = firsts.data();
  auto *lengthsData = lengths.data();
  void *arguments[] = {static_cast<void *>(&firstsData),
                       static_cast<void *>(&lengthsData)};
  pyk_rt_block block = {};
  std::fill_n(block.block_dim, 3, 1);
  block.grid_dim[0] = 5;
  block.grid_dim[1] = 3;
  block.grid_dim[2] = 1;
  block.block_id[0] = 2;
  kernel->getEntry().blocks(&block, 2, 12, arguments);
  EXPECT_EQ(firsts, (std::vector<int32_t>{-1, -1, 2, 2, 2, 0, 0, 0, 3, 3, 0, 0,
                                          -1, -1, -1}));
  EXPECT_EQ(lengths, (std::vector<int32_t>{-1, -1, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2,
                                           -1, -1, -1}));
  // The last one that was entered.
  EXPECT_EQ(block.block_id[0], 1);
  EXPECT_EQ(block.block_id[1], 2);
}

TEST(RunsTest, RunAllBlocksOfALaunch) {
  auto kernel = compile(kText);
  ASSERT_TRUE(kernel);
  constexpr int kWidth = 100, kRows = 7;
  std::vector<int32_t> firsts(kWidth * kRows, -1), lengths(kWidth * kRows, -1);
  auto *firstsData = firsts.data();
  auto *lengthsData = lengths.data();
  runtime::LaunchShape shape = {{kWidth, kRows, 1}, {1, 1, 1}, 0};
  launchOn(
      *kernel, shape,
      {static_cast<void *>(&firstsData), static_cast<void *>(&lengthsData)});
  for (int number = 0; number < kWidth * kRows; ++number) {
    int x = number % kWidth;
    EXPECT_LE(firsts[number], x);
    EXPECT_LT(x, firsts[number] + lengths[number]);
    EXPECT_LE(lengths[number], 3);
  }
}
