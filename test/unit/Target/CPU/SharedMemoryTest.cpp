// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block together: shared arrays, barriers, spinning.

#include "Support.h"

#include <numeric>

using namespace pyk;
using namespace pyk::test;

// Threads beyond n leave before the first barrier, as CUDA allows.
TEST(SharedMemoryTest, ReductionWithEarlyReturnBeforeTheBarrier) {
  auto kernel = compile(R"(
@tile = internal addrspace(3) global [64 x i32] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %s = mul i32 %b, %ntid
  %i = add i32 %s, %t
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 0, ptr addrspace(3) %q
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %fill, label %exit
fill:
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(3) %q
  br label %loop
loop:
  %h = phi i32 [32, %fill], [%h2, %next]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = icmp ult i32 %t, %h
  br i1 %c, label %add, label %next
add:
  %o = add i32 %t, %h
  %r = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %o
  %y = load i32, ptr addrspace(3) %r
  %z = load i32, ptr addrspace(3) %q
  %sum = add i32 %y, %z
  store i32 %sum, ptr addrspace(3) %q
  br label %next
next:
  %h2 = lshr i32 %h, 1
  %m = icmp ne i32 %h2, 0
  br i1 %m, label %loop, label %end
end:
  %f = icmp eq i32 %t, 0
  br i1 %f, label %last, label %exit
last:
  %v = load i32, ptr addrspacecast (ptr addrspace(3) @tile to ptr)
  %d = getelementptr i32, ptr addrspace(1) %out, i32 %b
  store i32 %v, ptr addrspace(1) %d
  br label %exit
exit:
  ret void
}
)");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->getEntry().blocks, nullptr);
  EXPECT_EQ(kernel->getEntry().static_shared_bytes, 256u);
  const int n = 64 * 20 + 7;
  std::vector<int> in(n), out(21, -1);
  std::iota(in.begin(), in.end(), 1);
  int *pi = in.data(), *po = out.data(), count = n;
  launch(*kernel, shapeOf(21, 64), pi, po, count);
  for (int b = 0; b < 21; ++b) {
    int end = std::min(n, 64 * (b + 1));
    EXPECT_EQ(out[b], std::accumulate(&in[64 * b], in.data() + end, 0));
  }
}

// Each array has its own bytes at its own alignment; the dynamic one follows at
// a multiple of 16. The GPU has them at other addresses, so only their order
// and distance is looked at.
TEST(SharedMemoryTest, LayoutOfStaticAndDynamicArrays) {
  auto kernel = compile(R"(
@bytes = internal addrspace(3) global [5 x i8] undef, align 1
@doubles = internal addrspace(3) global [3 x double] undef, align 8
@aligned = internal addrspace(3) global [1 x float] undef, align 64
@pyk_dynamic_shared = external addrspace(3) global [0 x i8], align 16
define internal i32 @distance(ptr %p) noinline {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr addrspacecast (ptr addrspace(3) @bytes to ptr) to i64
  %d = sub i64 %a, %b
  %t = trunc i64 %d to i32
  ret i32 %t
}
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %a = call i32 @distance(ptr addrspacecast (ptr addrspace(3) @doubles to ptr))
  %b = call i32 @distance(ptr addrspacecast (ptr addrspace(3) @aligned to ptr))
  %c = call i32 @distance(ptr addrspacecast (ptr addrspace(3) @pyk_dynamic_shared to ptr))
  %d = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
  store i32 %a, ptr addrspace(1) %out
  %pb = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %b, ptr addrspace(1) %pb
  %pc = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %c, ptr addrspace(1) %pc
  %pd = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %d, ptr addrspace(1) %pd
  ret void
}
)");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->getEntry().static_shared_bytes, 68u);
  int out[4] = {}, *po = out;
  launch(*kernel, shapeOf(1, 1, 1000), po);
  EXPECT_EQ(std::vector<int>(out, out + 4),
            (std::vector<int>{8, 64, 80, 1000}));
}

// Reverses each block's part through dynamic shared memory.
TEST(SharedMemoryTest, DynamicArrayIsSharedByTheBlockOnly) {
  auto kernel = compile(R"(
@head = internal addrspace(3) global [3 x i32] undef, align 4
@pyk_dynamic_shared = external addrspace(3) global [0 x i8], align 16
define ptx_kernel void @k(ptr addrspace(1) %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  store volatile i32 -1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @head, i64 8)
  %p = getelementptr i32, ptr addrspace(1) %data, i32 %i
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(3) @pyk_dynamic_shared, i32 %t
  store i32 %x, ptr addrspace(3) %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = sub i32 %n, 1
  %r = sub i32 %last, %t
  %o = getelementptr i32, ptr addrspace(3) @pyk_dynamic_shared, i32 %r
  %y = load i32, ptr addrspace(3) %o
  store i32 %y, ptr addrspace(1) %p
  ret void
}
)");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->getEntry().static_shared_bytes, 12u);
  std::vector<int> data(4 * 100);
  std::iota(data.begin(), data.end(), 0);
  int *pd = data.data();
  launch(*kernel, shapeOf(4, 100, 400), pd);
  for (int i = 0; i < 400; ++i)
    EXPECT_EQ(data[i], i / 100 * 100 + 99 - i % 100);
}

// The barrier and the array are in a device function.
TEST(SharedMemoryTest, BarrierInDeviceFunction) {
  auto kernel = compile(R"(
@slot = internal addrspace(3) global i32 undef, align 4
declare void @llvm.nvvm.barrier0()
define internal i32 @broadcast(i32 %x) noinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %wait
write:
  store i32 %x, ptr addrspace(3) @slot
  br label %wait
wait:
  call void @llvm.nvvm.barrier0()
  %y = load i32, ptr addrspace(3) @slot
  ret i32 %y
}
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = add i32 %t, 42
  %y = call i32 @broadcast(i32 %x)
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y, ptr addrspace(1) %p
  ret void
}
)");
  ASSERT_TRUE(kernel);
  std::vector<int> out(96);
  int *po = out.data();
  launch(*kernel, shapeOf(1, 96), po);
  EXPECT_EQ(out, std::vector<int>(96, 42));
}

// Thread 0 waits for the last block's last thread.
TEST(SharedMemoryTest, SpinWithNanosleep) {
  auto kernel = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) %flag, ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  %first = icmp eq i32 %i, 0
  br i1 %first, label %spin, label %other
spin:
  %f = load volatile i32, ptr addrspace(1) %flag
  %set = icmp eq i32 %f, 127
  br i1 %set, label %done, label %wait
wait:
  call void @llvm.nvvm.nanosleep(i32 20)
  br label %spin
done:
  fence syncscope("device") seq_cst
  store i32 %f, ptr addrspace(1) %out
  ret void
other:
  %is = icmp eq i32 %i, 127
  br i1 %is, label %write, label %exit
write:
  store volatile i32 %i, ptr addrspace(1) %flag
  br label %exit
exit:
  ret void
}
)");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->getEntry().blocks, nullptr);
  int flag = 0, out = 0, *pf = &flag, *po = &out;
  launch(*kernel, shapeOf(4, 32), pf, po);
  EXPECT_EQ(out, 127);
}
