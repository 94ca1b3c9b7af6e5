// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the reference cannot run is refused with a message that names it.

#include "Support.h"

using namespace pyk;
using namespace pyk::test;

static std::string bodyError(const std::string &declarations,
                             const std::string &body) {
  return compileError(declarations +
                      "\ndefine ptx_kernel void @k(ptr addrspace(1) %p, i32 "
                      "%n) {\n" +
                      body + "\nret void\n}\n");
}

TEST(ErrorsTest, KernelThatIsNotThere) {
  const char *text = R"(
define ptx_kernel void @first() { ret void }
define ptx_kernel void @second() { ret void }
declare void @declared()
)";
  EXPECT_EQ(compileError(text, "third"),
            "expects a kernel 'third' but got only 'first', 'second'");
  EXPECT_EQ(compileError(text, ""),
            "expects a kernel '' but got only 'first', 'second'");
  EXPECT_EQ(compileError(text, "declared"),
            "expects a kernel 'declared' but got only 'first', 'second'");
  EXPECT_EQ(compileError("", "k"),
            "expects a kernel 'k' but got a module without kernels");
}

TEST(ErrorsTest, MoreSharedMemoryThanAnAddressHolds) {
  EXPECT_EQ(
      compileError(R"(
@big = internal addrspace(3) global [5000000000 x i8] undef, align 16
define ptx_kernel void @k() {
  store i8 1, ptr addrspace(3) @big
  ret void
}
)"),
      "expects less than 4 GiB of shared arrays but got 5000000000 bytes");
}

TEST(ErrorsTest, UnknownLibdeviceFunction) {
  EXPECT_EQ(bodyError("declare float @__nv_frobnicate(float)",
                      "%x = call float @__nv_frobnicate(float 1.0)"),
            "cannot run '__nv_frobnicate' on the CPU: there is no function of "
            "the host for it");
}

TEST(ErrorsTest, LibdeviceFunctionOfAnotherType) {
  EXPECT_EQ(bodyError("declare double @__nv_sinf(double)",
                      "%x = call double @__nv_sinf(double 1.0)"),
            "expects '__nv_sinf' of type float (float) but got double "
            "(double)");
}

TEST(ErrorsTest, UnboundIntrinsic) {
  EXPECT_EQ(bodyError("declare i32 @llvm.nvvm.read.ptx.sreg.smid()",
                      "%x = call i32 @llvm.nvvm.read.ptx.sreg.smid()"),
            "cannot run 'llvm.nvvm.read.ptx.sreg.smid' on the CPU: only the "
            "GPU has it");
  EXPECT_EQ(bodyError("declare i32 @llvm.nvvm.redux.sync.add(i32, i32)",
                      "%x = call i32 @llvm.nvvm.redux.sync.add(i32 -1, i32 1)"),
            "cannot run 'llvm.nvvm.redux.sync.add' on the CPU: only the GPU "
            "has it");
}

TEST(ErrorsTest, IntrinsicOnSharedMemoryOnly) {
  EXPECT_EQ(
      bodyError("@b = internal addrspace(3) global i64 undef\n"
                "declare void @llvm.nvvm.mbarrier.init.shared(ptr "
                "addrspace(3), i32)",
                "call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) "
                "@b, i32 1)"),
      "cannot run 'llvm.nvvm.mbarrier.init.shared' on the CPU: only the GPU "
      "has it");
}

TEST(ErrorsTest, UnknownAssembly) {
  EXPECT_EQ(bodyError("", "%x = call i32 asm \"mov.u32 $0, %smid;\", \"=r\"()"),
            "cannot run 'mov.u32 $0, %smid;' on the CPU: only the GPU has it");
}

TEST(ErrorsTest, BarrierOtherThanZero) {
  EXPECT_EQ(
      bodyError("", "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)"),
      "expects barrier 0 but got another in 'pyk.k'");
}

TEST(ErrorsTest, FunctionWithoutBody) {
  EXPECT_EQ(bodyError("declare void @elsewhere()", "call void @elsewhere()"),
            "expects 'elsewhere' to be defined but got a declaration");
}

TEST(ErrorsTest, CallOfAPointer) {
  EXPECT_EQ(bodyError("", "%f = inttoptr i32 %n to ptr\ncall void %f()"),
            "requires direct calls, but 'pyk.k' calls a pointer");
}

TEST(ErrorsTest, AddressesInConstants) {
  EXPECT_EQ(bodyError("@a = internal addrspace(4) constant i32 1\n"
                      "@table = internal addrspace(4) constant [1 x ptr] [ptr "
                      "addrspacecast (ptr addrspace(4) @a to ptr)]",
                      "%x = load ptr, ptr addrspace(4) @table"),
            "requires constants without addresses, but 'table' holds one");
  EXPECT_EQ(bodyError("@s = internal addrspace(3) global i32 undef\n"
                      "@t = internal addrspace(4) constant ptr addrspace(3) @s",
                      "%x = load ptr addrspace(3), ptr addrspace(4) @t"),
            "requires constants without addresses, but one holds that of 's'");
}

TEST(ErrorsTest, ParameterByReference) {
  EXPECT_EQ(compileError("define ptx_kernel void @k(ptr byval([2 x i32]) %p) { "
                         "ret void }"),
            "expects kernel parameters that are numbers or pointers but got "
            "parameter 0 of 'pyk.k' by reference");
}

TEST(ErrorsTest, OptimizationLevelOutOfRange) {
  CpuOptions options;
  options.optimizationLevel = 4;
  auto kernel = compileForCpu(parse("define ptx_kernel void @k() { ret void }"),
                              llvm::StringRef("k"), options);
  ASSERT_FALSE(bool(kernel));
  EXPECT_EQ(llvm::toString(kernel.takeError()),
            "expects an optimization level of 0 to 3 but got 4");
}

// LLVM makes a call of its own accord: refused by name, not when it is run.
TEST(ErrorsTest, SymbolThatTheHostLibraryLacks) {
  EXPECT_EQ(bodyError("", "%w = sext i32 %n to i128\n"
                          "%f = sitofp i128 %w to fp128\n"
                          "store fp128 %f, ptr addrspace(1) %p"),
            "cannot run code that calls '__floatsitf' on the CPU: it is not in "
            "PyK's host library");
}

TEST(ErrorsTest, DataAlignedToMoreThanAPage) {
  EXPECT_EQ(
      bodyError("@table = internal addrspace(4) constant [4 x i32] [i32 1, i32 "
                "2, i32 3, i32 5], align 131072",
                "%i = and i32 %n, 3\n"
                "%from = getelementptr i32, ptr addrspace(4) @table, i32 %i\n"
                "%v = load i32, ptr addrspace(4) %from\n"
                "store i32 %v, ptr addrspace(1) %p"),
      "expects code whose data is aligned to a page at most but got 131072 "
      "bytes");
}

// Nobody knows it before the image is loaded.
TEST(ErrorsTest, DistanceToTheRuntime) {
  EXPECT_EQ(bodyError("declare void @pyk_rt_barrier(ptr)\n"
                      "@far = internal constant i64 sub (\n"
                      "  i64 ptrtoint (ptr @pyk_rt_barrier to i64),\n"
                      "  i64 ptrtoint (ptr @far to i64))",
                      "%distance = load volatile i64, ptr @far"),
            "expects the runtime's functions to be reached by their addresses "
            "but got a distance to 'pyk_rt_barrier'");
}

TEST(ErrorsTest, CompilingGoesOnAfterAnError) {
  compileError("", "k");
  EXPECT_TRUE(compile("define ptx_kernel void @k() { ret void }"));
}
