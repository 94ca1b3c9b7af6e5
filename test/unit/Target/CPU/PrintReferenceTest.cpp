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
        "call float @pyk_rare.sinf(float %f)",
        "call float @llvm.floor.f32(float %s)",
        "call void @pyk_rt_barrier(ptr %block)", "!invariant.load"})
    EXPECT_NE(printed->find(word), std::string::npos) << word;
  EXPECT_EQ(printed->find("@pyk_cpu_block"), std::string::npos);
}

// LLVM converts bfloats where a host passes, chooses or collects them, by an
// instruction that some machines lack and that loses subnormals.
TEST(PrintReferenceTest, NoBFloatIsLeft) {
  auto printed = printReference(parse(R"(
@table = internal addrspace(4) constant [2 x bfloat] [bfloat 0xR0001, bfloat 2.0]
define internal { bfloat, i1 } @choose(bfloat %x, ptr addrspace(4) %p) noinline {
  %y = load bfloat, ptr addrspace(4) %p
  %is_less = fcmp olt bfloat %x, %y
  %z = select i1 %is_less, bfloat %x, bfloat %y
  %r = insertvalue { bfloat, i1 } { bfloat 0xR3f80, i1 true }, bfloat %z, 0
  ret { bfloat, i1 } %r
}
define ptx_kernel void @k(ptr addrspace(1) %out, bfloat %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [2 x bfloat], ptr addrspace(4) @table, i32 0, i32 %t
  %is_first = icmp eq i32 %t, 0
  br i1 %is_first, label %then, label %end
then:
  %pair = call { bfloat, i1 } @choose(bfloat %x, ptr addrspace(4) %p)
  %z = extractvalue { bfloat, i1 } %pair, 0
  br label %end
end:
  %r = phi bfloat [ 0xR3f81, %entry ], [ %z, %then ]
  store bfloat %r, ptr addrspace(1) %out
  ret void
}
)"),
                                llvm::StringRef("k"));
  ASSERT_TRUE(bool(printed)) << llvm::toString(printed.takeError());
  EXPECT_EQ(printed->find("bfloat"), std::string::npos) << *printed;
  for (const char *word :
       {"constant [2 x i16] [i16 1, i16 16384]", "phi i16 [ 16257, %entry ]",
        "{ i16 16256, i1 true }"})
    EXPECT_NE(printed->find(word), std::string::npos) << word << *printed;
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

// A kernel that runs a whole block has the shared memory to itself, and no
// entry for one thread.
TEST(PrintReferenceTest, WholeBlocksShareNothing) {
  auto printed = printReference(parse(R"(
@tile = internal addrspace(3) global [4 x i32] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %out) "simd.tile"="" {
  %old = atomicrmw add ptr addrspace(3) @tile, i32 1 monotonic
  %pair = cmpxchg ptr addrspace(3) @tile, i32 0, i32 %old monotonic monotonic
  %other = atomicrmw add ptr addrspace(1) %out, i32 %old monotonic
  ret void
}
)"),
                                llvm::StringRef("k"));
  ASSERT_TRUE(bool(printed)) << llvm::toString(printed.takeError());
  EXPECT_EQ(printed->find("cmpxchg"), std::string::npos);
  size_t first = printed->find("atomicrmw");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(printed->find("atomicrmw", first + 1), std::string::npos);
  EXPECT_NE(printed->find("atomicrmw add ptr %out"), std::string::npos);
  EXPECT_NE(printed->find("@pyk_cpu_blocks.k("), std::string::npos);
  EXPECT_EQ(printed->find("@pyk_cpu_thread"), std::string::npos);
}
