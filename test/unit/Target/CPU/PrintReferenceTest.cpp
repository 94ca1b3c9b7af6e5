// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of stage `reference`.

#include "Support.h"

using namespace pyk;
using namespace pyk::test;

static constexpr const char text[] = R"(
@tile = internal addrspace(3) global [4 x float] undef, align 16
declare float @__nv_sinf(float)
declare float @__nv_floorf(float)
define ptx_kernel void @k(ptr addrspace(1) %out) "target-cpu"="sm_90" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = sitofp i32 %t to float
  %s = call float @__nv_sinf(float %f)
  %g = call float @__nv_floorf(float %s)
  store float %g, ptr addrspace(3) @tile
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
)";

TEST(PrintReferenceTest, NothingOfTheGpuIsLeft) {
  auto printed = printReference(parse(text), llvm::StringRef("k"));
  ASSERT_TRUE(bool(printed)) << llvm::toString(printed.takeError());
  for (const char *word : {"nvvm", "__nv_", "addrspace", "nvptx", "sm_90"})
    EXPECT_EQ(printed->find(word), std::string::npos) << word;
  for (const char *word :
       {"define internal void @pyk.k(ptr noalias", "@pyk_cpu_thread",
        "call float @sinf(float %f)", "call float @llvm.floor.f32(float %s)",
        "call void @pyk_rt_barrier(ptr %block)", "!invariant.load"})
    EXPECT_NE(printed->find(word), std::string::npos) << word;
  EXPECT_EQ(printed->find("@pyk_cpu_block"), std::string::npos);
}

TEST(PrintReferenceTest, ItIsDeterministic) {
  auto first = printReference(parse(text), llvm::StringRef("k"));
  auto second = printReference(parse(text), llvm::StringRef("k"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
}

TEST(PrintReferenceTest, FailsAsCompilingDoes) {
  auto printed = printReference(parse(text), llvm::StringRef("other"));
  ASSERT_FALSE(bool(printed));
  EXPECT_EQ(llvm::toString(printed.takeError()),
            "expects a kernel 'other' but got only 'k'");
}
