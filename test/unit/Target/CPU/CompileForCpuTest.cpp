// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread reads and calls: special registers and device functions.

#include "Support.h"
#include "llvm/ADT/STLExtras.h"

#include <thread>

using namespace pyk;
using namespace pyk::test;

static constexpr const char vectorAdd[] = R"(
define ptx_kernel void @k(ptr addrspace(1) noalias readonly align 16 %a,
                          ptr addrspace(1) noalias readonly align 16 %b,
                          ptr addrspace(1) noalias align 16 %out,
                          i32 %n) #0 {
entry:
  %tid = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul nuw nsw i32 %ctaid, %ntid
  %i = add nuw nsw i32 %base, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %wide = zext nneg i32 %i to i64
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %wide
  %po = getelementptr inbounds float, ptr addrspace(1) %out, i64 %wide
  %x = load float, ptr addrspace(1) %pa, align 4
  %y = load float, ptr addrspace(1) %pb, align 4
  %sum = fadd contract float %x, %y
  store float %sum, ptr addrspace(1) %po, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { nounwind "target-cpu"="sm_90" "target-features"="+ptx80" }
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"maxntidx", i32 256}
)";

static void checkVectorAdd(const CpuKernel &kernel, int n) {
  std::vector<float> a(n), b(n), out(n + 64, -1);
  for (int i = 0; i < n; ++i) {
    a[i] = float(i);
    b[i] = float(2 * i) + 0.5f;
  }
  float *pa = a.data(), *pb = b.data(), *po = out.data();
  launch(kernel, shapeOf((n + 255) / 256, 256), pa, pb, po, n);
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(out[i], a[i] + b[i]) << "at " << i;
  for (int i = n; i < n + 64; ++i)
    ASSERT_EQ(out[i], -1) << "beyond the end, at " << i;
}

TEST(CompileForCpuTest, VectorAddOfRaggedSizes) {
  auto kernel = compile(vectorAdd);
  ASSERT_TRUE(kernel);
  EXPECT_NE(kernel->getEntry().blocks, nullptr);
  EXPECT_EQ(kernel->getEntry().static_shared_bytes, 0u);
  EXPECT_EQ(kernel->getEntry().local_bytes, 0u);
  for (int n : {1, 31, 256, 257, 1000, 4096, 100003})
    checkVectorAdd(*kernel, n);
}

TEST(CompileForCpuTest, EachOptimizationLevelRuns) {
  for (unsigned level : {0, 1, 2, 3}) {
    CpuOptions options;
    options.optimizationLevel = level;
    auto kernel = compile(vectorAdd, options);
    ASSERT_TRUE(kernel);
    checkVectorAdd(*kernel, 1000);
  }
}

TEST(CompileForCpuTest, ThreadEntryRunsOneThread) {
  auto kernel = compile(vectorAdd);
  ASSERT_TRUE(kernel);
  float a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {};
  float *pa = a, *po = out;
  int n = 8;
  runThread(*kernel, 8, 5, pa, pa, po, n);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(out[i], i == 5 ? 12 : 0);
}

// Each thread of block (x, y, z) adds its index to an element of the block. A
// range begins and ends anywhere, so it crosses the ends of rows and planes.
TEST(CompileForCpuTest, BlocksEntryRunsItsRange) {
  auto kernel = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %z.rows = mul i32 %z, 3
  %row = add i32 %z.rows, %y
  %before = mul i32 %row, 2
  %block = add i32 %before, %x
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %block
  %old = load i32, ptr addrspace(1) %p
  %with = add i32 %old, %t
  %new = add i32 %with, 1
  store i32 %new, ptr addrspace(1) %p
  ret void
}
)");
  ASSERT_TRUE(kernel);
  for (uint64_t begin = 0; begin < 12; ++begin)
    for (uint64_t end = begin + 1; end <= 12; ++end) {
      int32_t out[12] = {};
      int32_t *data = out;
      void *pointers[] = {static_cast<void *>(&data)};
      auto first = int32_t(begin);
      pyk_rt_block block = {{first % 2, first / 2 % 3, first / 6},
                            {4, 1, 1},
                            {2, 3, 2},
                            0,
                            nullptr,
                            nullptr,
                            0};
      kernel->getEntry().blocks(&block, begin, end, pointers);
      for (uint64_t i = 0; i < 12; ++i)
        ASSERT_EQ(out[i], i >= begin && i < end ? 10 : 0)
            << i << " of " << begin << " to " << end;
      // Who has a fault is the block that runs, here the last one.
      auto last = int32_t(end - 1);
      EXPECT_EQ(block.block_id[0], last % 2);
      EXPECT_EQ(block.block_id[1], last / 2 % 3);
      EXPECT_EQ(block.block_id[2], last / 6);
    }
}

TEST(CompileForCpuTest, ManyThreadsCompileAtOnce) {
  std::thread threads[4];
  for (std::thread &thread : threads)
    thread = std::thread([] {
      for (int round = 0; round < 3; ++round) {
        auto kernel = compile(vectorAdd);
        ASSERT_TRUE(kernel);
        checkVectorAdd(*kernel, 700);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// Every register is written by every thread, for a grid with three different
// extents in both levels.
TEST(CompileForCpuTest, RegistersInThreeDimensions) {
  auto kernel = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %gz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %b0 = mul i32 %bz, %gy
  %b1 = add i32 %b0, %by
  %b2 = mul i32 %b1, %gx
  %b3 = add i32 %b2, %bx
  %t0 = mul i32 %b3, %nz
  %t1 = add i32 %t0, %tz
  %t2 = mul i32 %t1, %ny
  %t3 = add i32 %t2, %ty
  %t4 = mul i32 %t3, %nx
  %t5 = add i32 %t4, %tx
  %row = mul i32 %t5, 13
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %row
  store i32 %tx, ptr addrspace(1) %p
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %ty, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %p, i32 2
  store i32 %tz, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %p, i32 3
  store i32 %nx, ptr addrspace(1) %p3
  %p4 = getelementptr i32, ptr addrspace(1) %p, i32 4
  store i32 %ny, ptr addrspace(1) %p4
  %p5 = getelementptr i32, ptr addrspace(1) %p, i32 5
  store i32 %nz, ptr addrspace(1) %p5
  %p6 = getelementptr i32, ptr addrspace(1) %p, i32 6
  store i32 %bx, ptr addrspace(1) %p6
  %p7 = getelementptr i32, ptr addrspace(1) %p, i32 7
  store i32 %by, ptr addrspace(1) %p7
  %p8 = getelementptr i32, ptr addrspace(1) %p, i32 8
  store i32 %bz, ptr addrspace(1) %p8
  %p9 = getelementptr i32, ptr addrspace(1) %p, i32 9
  store i32 %gx, ptr addrspace(1) %p9
  %p10 = getelementptr i32, ptr addrspace(1) %p, i32 10
  store i32 %gy, ptr addrspace(1) %p10
  %p11 = getelementptr i32, ptr addrspace(1) %p, i32 11
  store i32 %gz, ptr addrspace(1) %p11
  %p12 = getelementptr i32, ptr addrspace(1) %p, i32 12
  store i32 %lane, ptr addrspace(1) %p12
  ret void
}
)");
  ASSERT_TRUE(kernel);
  runtime::LaunchShape shape;
  llvm::copy(std::initializer_list<int64_t>{2, 3, 4}, shape.grid);
  llvm::copy(std::initializer_list<int64_t>{7, 5, 3}, shape.block);
  std::vector<int> out(2 * 3 * 4 * 7 * 5 * 3 * 13, -1);
  int *po = out.data();
  launch(*kernel, shape, po);
  size_t at = 0;
  for (int bz = 0; bz < 4; ++bz)
    for (int by = 0; by < 3; ++by)
      for (int bx = 0; bx < 2; ++bx)
        for (int thread = 0; thread < 7 * 5 * 3; ++thread, at += 13) {
          std::vector<int> expected = {thread % 7,  thread / 7 % 5,
                                       thread / 35, 7,
                                       5,           3,
                                       bx,          by,
                                       bz,          2,
                                       3,           4,
                                       thread % 32};
          ASSERT_EQ(std::vector<int>(&out[at], &out[at] + 13), expected);
        }
}

// The device function is named like one of C: it must not be taken for it.
TEST(CompileForCpuTest, DeviceFunctionsReadRegistersAndRecur) {
  auto kernel = compile(R"(
define internal i64 @factorial(i64 %n) {
  %base = icmp sle i64 %n, 1
  br i1 %base, label %one, label %more
one:
  ret i64 1
more:
  %less = sub i64 %n, 1
  %rest = call i64 @factorial(i64 %less)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %zero = call i32 @abs(i32 %tid)
  %wide = zext i32 %zero to i64
  %first = add i64 %n, %wide
  %product = mul i64 %first, %rest
  ret i64 %product
}
define internal i32 @abs(i32 %x) noinline memory(none) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %difference = sub i32 %x, %tid
  ret i32 %difference
}
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = zext i32 %tid to i64
  %value = call i64 @factorial(i64 %n)
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %n
  store i64 %value, ptr addrspace(1) %p
  ret void
}
)");
  ASSERT_TRUE(kernel);
  int64_t out[16] = {};
  int64_t *po = out;
  launch(*kernel, shapeOf(1, 16), po);
  int64_t factorial = 1;
  for (int i = 0; i < 16; ++i) {
    factorial *= i ? i : 1;
    EXPECT_EQ(out[i], factorial);
  }
}

// The depth is not known when compiling, and each round has an array.
TEST(CompileForCpuTest, RecursionThatStaysHasStack) {
  auto kernel = compile(R"(
define internal i32 @sum(i32 %n, ptr %from) noinline {
  %array = alloca [16 x i32], align 4
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %leaf, label %inner
leaf:
  %x = load volatile i32, ptr %from
  ret i32 %x
inner:
  %p = getelementptr i32, ptr %array, i32 3
  %y = load volatile i32, ptr %from
  %y1 = add i32 %y, %n
  store volatile i32 %y1, ptr %p
  %less = sub i32 %n, 1
  %r = call i32 @sum(i32 %less, ptr %p)
  %z = load volatile i32, ptr %p
  %both = add i32 %r, %z
  ret i32 %both
}
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %start = alloca i32
  store i32 0, ptr %start
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %s = call i32 @sum(i32 %n, ptr %start)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %s, ptr addrspace(1) %p
  ret void
}
)");
  ASSERT_TRUE(kernel);
  EXPECT_GE(kernel->getEntry().local_bytes, 256u * 1024);
  std::vector<int> out(64);
  int *po = out.data(), n = 1000;
  launch(*kernel, shapeOf(1, 64), po, n);
  int expected = 0, value = 0;
  for (int i = n; i > 0; --i) {
    value += i;
    expected += value;
  }
  expected += value;
  for (int got : out)
    EXPECT_EQ(got, expected);
}

// What the kernel does not reach may be anything.
TEST(CompileForCpuTest, UnreachableFunctionsDoNotCount) {
  auto kernel = compile(R"(
declare i32 @__nv_no_such_function(i32)
@text = internal addrspace(1) constant ptr @unused
define internal i32 @unused(i32 %x) {
  %y = call i32 @__nv_no_such_function(i32 %x)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %z = call i32 @unused(i32 %y)
  ret i32 %z
}
define ptx_kernel void @other() {
  %y = call i32 @unused(i32 3)
  ret void
}
define ptx_kernel void @k() {
  ret void
}
)");
  ASSERT_TRUE(kernel);
  EXPECT_NE(kernel->getEntry().blocks, nullptr);
  launch(*kernel, shapeOf(2, 2));
}
