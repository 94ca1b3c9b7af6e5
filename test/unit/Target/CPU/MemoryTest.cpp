// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where values live: local and constant arrays, parameters, atomics.

#include "Support.h"

using namespace pyk;
using namespace pyk::test;

// In address space 5, as NVPTX has it, and 0, as MLIR writes it.
TEST(MemoryTest, LocalArraysBelongToTheThread) {
  auto kernel = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
entry:
  %raw = alloca [32 x i32], align 16, addrspace(5)
  %local = addrspacecast ptr addrspace(5) %raw to ptr
  %other = alloca [8 x i64], align 8
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %fill
fill:
  %i = phi i32 [0, %entry], [%next, %fill]
  %p = getelementptr i32, ptr %local, i32 %i
  %v = mul i32 %i, %tid
  store i32 %v, ptr %p
  %q = and i32 %i, 7
  %po = getelementptr i64, ptr %other, i32 %q
  %w = zext i32 %i to i64
  store i64 %w, ptr %po
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 32
  br i1 %more, label %fill, label %read
read:
  %at = urem i32 %n, 32
  %pr = getelementptr i32, ptr %local, i32 %at
  %x = load i32, ptr %pr
  %at2 = urem i32 %n, 8
  %pr2 = getelementptr i64, ptr %other, i32 %at2
  %y = load i64, ptr %pr2
  %y32 = trunc i64 %y to i32
  %sum = add i32 %x, %y32
  %dst = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %sum, ptr addrspace(1) %dst
  ret void
}
)");
  ASSERT_TRUE(kernel);
  EXPECT_GE(kernel->getEntry().local_bytes, 128u);
  EXPECT_LE(kernel->getEntry().local_bytes, 1024u);
  int out[40] = {}, *po = out, n = 7;
  launch(*kernel, shapeOf(1, 40), po, n);
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(out[i], 7 * i + 31);
}

TEST(MemoryTest, ConstantArraysInEachSpace) {
  auto kernel = compile(R"(
@weights = internal addrspace(4) constant [4 x float] [float 1.0, float 2.0, float 4.0, float 8.0], align 16
@offsets = internal addrspace(1) constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]
@flat = private unnamed_addr constant [4 x i8] c"\01\02\03\04"
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %tid, 3
  %pw = getelementptr float, ptr addrspacecast (ptr addrspace(4) @weights to ptr), i32 %i
  %w = load float, ptr %pw
  %first = load float, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @weights, i64 4)
  %po = getelementptr i32, ptr addrspace(1) @offsets, i32 %i
  %o = load i32, ptr addrspace(1) %po
  %of = sitofp i32 %o to float
  %pb = getelementptr i8, ptr @flat, i32 %i
  %b = load i8, ptr %pb
  %bf = uitofp i8 %b to float
  %s0 = fadd float %w, %of
  %s1 = fadd float %s0, %bf
  %s2 = fadd float %s1, %first
  %dst = getelementptr float, ptr addrspace(1) %out, i32 %tid
  store float %s2, ptr addrspace(1) %dst
  ret void
}
)");
  ASSERT_TRUE(kernel);
  float out[8] = {}, *po = out;
  launch(*kernel, shapeOf(1, 8), po);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(out[i], float(1 << i % 4) + float(10 * (i % 4 + 1)) +
                          float(i % 4 + 1) + 2);
}

TEST(MemoryTest, ParametersOfEachKind) {
  auto kernel = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) %out, i8 %b, i16 %s, i32 %i, i64 %l,
                          half %h, float %f, double %d) {
  %b64 = sext i8 %b to i64
  %s64 = sext i16 %s to i64
  %i64 = sext i32 %i to i64
  %h64 = fpext half %h to double
  %f64 = fpext float %f to double
  %i0 = add i64 %b64, %s64
  %i1 = add i64 %i0, %i64
  %i2 = add i64 %i1, %l
  %x = sitofp i64 %i2 to double
  %x1 = fadd double %x, %h64
  %x2 = fadd double %x1, %f64
  %x3 = fadd double %x2, %d
  store double %x3, ptr addrspace(1) %out
  ret void
}
)");
  ASSERT_TRUE(kernel);
  double out = 0, d = 0.125;
  double *po = &out;
  int8_t b = -3;
  int16_t s = -1000, h = 0x3c00;
  int32_t i = 1 << 20;
  int64_t l = int64_t(1) << 40;
  float f = 0.5f;
  launch(*kernel, shapeOf(1, 1), po, b, s, i, l, h, f, d);
  EXPECT_EQ(out, -3.0 - 1000 + (1 << 20) + double(l) + 1 + 0.5 + 0.125);
}

TEST(MemoryTest, AtomicsCountEveryThread) {
  auto kernel = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) %count, ptr addrspace(1) %sum) {
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 syncscope("device") monotonic
  %add = atomicrmw fadd ptr addrspace(1) %sum, float 1.0 monotonic
  fence syncscope("device") seq_cst
  fence syncscope("block") acq_rel
  ret void
}
)");
  ASSERT_TRUE(kernel);
  int count = 0, *pc = &count;
  float sum = 0, *ps = &sum;
  launch(*kernel, shapeOf(500, 128), pc, ps);
  EXPECT_EQ(count, 64000);
  EXPECT_EQ(sum, 64000);
}
