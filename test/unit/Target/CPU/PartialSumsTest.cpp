// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions that a worker collects: which, and what becomes of them.

#include "BindToHost.h"
#include "Support.h"
#include "llvm/IR/InstIterator.h"

#include <numeric>

using namespace pyk;
using namespace pyk::test;

/// A kernel of a block, with some additions to the elements of %sums.
static std::string makeKernel(llvm::StringRef additions,
                              llvm::StringRef attributes = "noalias") {
  return ("define ptx_kernel void @k(ptr addrspace(1) " + attributes +
          " %sums, ptr addrspace(1) %other, i32 %n) #0 {\n"
          "  %place = getelementptr i32, ptr addrspace(1) %sums, i32 %n\n" +
          additions +
          "\n  ret void\n}\n"
          "attributes #0 = { \"simd.tile\" }\n")
      .str();
}

static constexpr llvm::StringLiteral kAdd =
    "  %old = atomicrmw add ptr addrspace(1) %place, i32 1 "
    "syncscope(\"device\") monotonic\n";

/// How many additions of the kernel are marked.
static int64_t countMarked(llvm::StringRef text) {
  ParsedModule module = parse(text);
  markPartialSums(module);
  return llvm::count_if(llvm::instructions(*module.module->getFunction("k")),
                        [](const llvm::Instruction &instruction) {
                          return instruction.hasMetadata("pyk.partial_sum");
                        });
}

TEST(PartialSumsTest, MarksAdditionsThatNobodySees) {
  EXPECT_EQ(countMarked(makeKernel(kAdd)), 1);
  EXPECT_EQ(countMarked(makeKernel(
                "  %f = atomicrmw fadd ptr addrspace(1) %place, double 1.0 "
                "syncscope(\"block\") monotonic\n" +
                kAdd.str())),
            2);
}

TEST(PartialSumsTest, LeavesOthersAlone) {
  std::string add = kAdd.str();
  // Another array may be the same.
  EXPECT_EQ(countMarked(makeKernel(kAdd, "")), 0);
  // It is used otherwise, too.
  EXPECT_EQ(countMarked(
                makeKernel(add + "  %x = load i32, ptr addrspace(1) %place\n")),
            0);
  EXPECT_EQ(
      countMarked(makeKernel(add + "  store i32 0, ptr addrspace(1) %sums\n")),
      0);
  EXPECT_EQ(countMarked(makeKernel(
                add + "  store ptr addrspace(1) %place, ptr addrspace(1) "
                      "%other\n")),
            0);
  // Somebody asks what was there.
  EXPECT_EQ(countMarked(makeKernel(
                add + "  store i32 %old, ptr addrspace(1) %other\n")),
            0);
  // There is an order, or the host looks on.
  EXPECT_EQ(countMarked(makeKernel(add + "  fence seq_cst\n")), 0);
  EXPECT_EQ(countMarked(makeKernel(
                add + "  %y = atomicrmw xchg ptr addrspace(1) %other, i32 1 "
                      "syncscope(\"device\") acquire\n")),
            0);
  EXPECT_EQ(countMarked(makeKernel(
                "  %old = atomicrmw add ptr addrspace(1) %place, i32 1 "
                "monotonic\n")),
            0);
  // No sum, or of numbers that tables do not hold.
  EXPECT_EQ(countMarked(makeKernel(
                "  %old = atomicrmw max ptr addrspace(1) %place, i32 1 "
                "syncscope(\"device\") monotonic\n")),
            0);
  EXPECT_EQ(countMarked(makeKernel(
                "  %old = atomicrmw fadd ptr addrspace(1) %place, half 1.0 "
                "syncscope(\"device\") monotonic\n")),
            0);
}

// More elements than places, so that some are added at once; from each block
// several ranges, whose workers add at the same time.
TEST(PartialSumsTest, AddsUpWhatBlocksAdd) {
  auto kernel = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) noalias %sums,
                          ptr addrspace(1) noalias %reals) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %iteration
iteration:
  %i = phi i32 [0, %entry], [%next, %iteration]
  %p = getelementptr i32, ptr addrspace(1) %sums, i32 %i
  %old = atomicrmw add ptr addrspace(1) %p, i32 %b syncscope("device") monotonic
  %again = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") monotonic
  %k = and i32 %i, 7
  %q = getelementptr double, ptr addrspace(1) %reals, i32 %k
  %f = atomicrmw fadd ptr addrspace(1) %q, double 0.5 syncscope("device") monotonic
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %iteration, label %end
end:
  ret void
}
attributes #0 = { "simd.tile" }
)");
  constexpr int kBlocks = 300;
  std::vector<int32_t> sums(1000, 5);
  std::vector<double> reals(8, 1.0);
  auto *sumsData = sums.data();
  auto *realsData = reals.data();
  runtime::LaunchShape shape = {{kBlocks, 1, 1}, {1, 1, 1}, 0};
  launchOn(*kernel, shape,
           {static_cast<void *>(&sumsData), static_cast<void *>(&realsData)});
  for (int32_t sum : sums)
    EXPECT_EQ(sum, 5 + kBlocks * (kBlocks - 1) / 2 + kBlocks);
  for (double real : reals)
    EXPECT_EQ(real, 1.0 + 0.5 * kBlocks * 1000 / 8);
}

// The first instruction is an addition, of one type, and another type follows.
TEST(PartialSumsTest, BeginsWithAnAddition) {
  auto kernel = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) noalias %sums,
                          ptr addrspace(1) noalias %reals) #0 {
  %old = atomicrmw add ptr addrspace(1) %sums, i32 2 syncscope("device") monotonic
  %f = atomicrmw fadd ptr addrspace(1) %reals, double 0.5 syncscope("device") monotonic
  ret void
}
attributes #0 = { "simd.tile" }
)");
  int32_t sum = 1;
  double real = 1;
  int32_t *sumData = &sum;
  double *realData = &real;
  runtime::LaunchShape shape = {{10, 1, 1}, {1, 1, 1}, 0};
  launchOn(*kernel, shape,
           {static_cast<void *>(&sumData), static_cast<void *>(&realData)});
  EXPECT_EQ(sum, 21);
  EXPECT_EQ(real, 6.0);
}
