// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches through the C++ interface that cannot be.

#include "pyk/Compiler/Compiler.h"
#include "gtest/gtest.h"

using namespace pyk;

static std::unique_ptr<CompiledModule> compileStore(const char *target) {
  CompileOptions options;
  options.target = target;
  RenderedError error;
  auto kernel = compile(R"(
pyk.func @store(%a: !pyk.array<?xf32, c>, %x: f32) attributes {kernel} {
  %i = pyk.grid x : i64
  pyk.store %x, %a[%i] : !pyk.array<?xf32, c>
  pyk.return
}
)",
                        "store.mlir", options, error);
  EXPECT_TRUE(kernel) << error.text;
  return kernel;
}

TEST(LaunchTest, KernelForCudaIsNotLaunchedOnTheCpu) {
  runtime::Status status = compileStore("cuda")->getKernel().launch({}, {});
  EXPECT_EQ(status.message(),
            "launching 'store' on the CPU: it was compiled for 'cuda'; compile "
            "it for the CPU");
}

TEST(LaunchTest, NumberOfArgumentsIsChecked) {
  float x = 1;
  KernelArgument argument = {&x};
  runtime::Status status =
      compileStore("cpu")->getKernel().launch({}, argument);
  EXPECT_EQ(status.message(),
            "launching 'store': expects 2 arguments but got 1; pass one for "
            "each parameter of the kernel");
}

TEST(LaunchTest, LaunchStoresAndTellsItsParameters) {
  auto module = compileStore("cpu");
  CompiledKernel kernel = module->getKernel();
  float values[3] = {}, x = 2.5;
  int64_t shape[] = {3}, strides[] = {4};
  KernelArgument arguments[] = {{values, shape, strides}, {&x}};
  runtime::LaunchShape launch;
  launch.block[0] = 3;
  runtime::Status status = kernel.launch(launch, arguments);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(values[2], 2.5f);
  pyk_rt_signature signature = kernel.getSignature();
  llvm::ArrayRef parameters(signature.parameters, signature.parameter_count);
  EXPECT_EQ(parameters.back().kind, PYK_RT_PARAMETER_SCALAR);
  EXPECT_EQ(parameters.back().bytes, 4u);
  EXPECT_EQ(parameters.front().bytes, 8u);
}

/// Two kernels that store or fail, each in its way.
static constexpr const char *kTwo = R"(
pyk.func @one(%a: !pyk.array<?xf32, c>, %x: f32) attributes {kernel} {
  %i = pyk.grid x : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  %inside = arith.cmpi slt, %i, %n : i64
  pyk.check %inside else #pyk.failure<"IndexError", "{0} of {1}", "one" at "a.py" : 3> (%i, %n)
  pyk.store %x, %a[%i] : !pyk.array<?xf32, c>
  pyk.return
}
pyk.func @two(%n: i64) attributes {kernel, pyk.launch_bounds = array<i32: 64>} {
  %zero = arith.constant 0 : i64
  %positive = arith.cmpi sgt, %n, %zero : i64
  pyk.check %positive else #pyk.failure<"ValueError", "", "two" at "a.py" : 9 exception 0>
  pyk.return
}
pyk.func @quiet() attributes {kernel} {
  pyk.return
}
)";

static std::unique_ptr<CompiledModule> compileTwo(const char *target,
                                                  const char *kernel) {
  CompileOptions options;
  options.target = target;
  options.kernel = kernel;
  RenderedError error;
  auto module = compile(kTwo, "two.mlir", options, error);
  EXPECT_TRUE(module) << error.text;
  return module;
}

TEST(LaunchTest, LongArraysAreRefused) {
  auto module = compileTwo("cpu", "one");
  float value = 0, x = 2.5;
  int64_t shape[] = {int64_t(1) << 48}, strides[] = {0};
  KernelArgument arguments[] = {{&value, shape, strides}, {&x}};
  runtime::Status status =
      module->getKernel().launch(runtime::LaunchShape(), arguments);
  EXPECT_EQ(status.code(), runtime::StatusCode::InvalidArgument);
  EXPECT_EQ(status.message(),
            "launching 'one': argument 0 has 281474976710656 elements along "
            "dimension 0; pass arrays of less than 2**48 elements along each "
            "dimension");
  --shape[0];
  EXPECT_TRUE(
      module->getKernel().launch(runtime::LaunchShape(), arguments).ok());
  EXPECT_EQ(value, 2.5f);
}

TEST(LaunchTest, KernelsOfAModuleAreToldApart) {
  auto module = compileTwo("cpu", "");
  ASSERT_EQ(module->getNumKernels(), 3u);
  EXPECT_EQ(module->getKernel(1).getName(), "two");
  EXPECT_FALSE(module->findKernel("three"));
  CompiledKernel one = *module->findKernel("one");
  CompiledKernel two = *module->findKernel("two");
  EXPECT_EQ(one.getNumArguments(), 2u);
  EXPECT_EQ(two.getNumArguments(), 1u);
  // Only those that may fail have a record.
  pyk_rt_signature signature = two.getSignature();
  EXPECT_EQ(signature.parameters[signature.parameter_count - 1].kind,
            PYK_RT_PARAMETER_FAILURE);
  EXPECT_EQ(module->findKernel("quiet")->getSignature().parameter_count, 0u);

  float values[3] = {}, x = 2.5;
  int64_t shape[] = {3}, strides[] = {4}, n = 1;
  KernelArgument arguments[] = {{values, shape, strides}, {&x}}, number = {&n};
  runtime::LaunchShape launch;
  launch.block[0] = 3;
  EXPECT_TRUE(one.launch(launch, arguments).ok());
  EXPECT_EQ(values[2], 2.5f);
  EXPECT_TRUE(two.launch(launch, number).ok());
  launch.block[0] = 4;
  EXPECT_EQ(one.launch(launch, arguments).message(),
            "running 'one': IndexError: In function 'one', file a.py, line 3, "
            "tid=[0, 0, 3] ctaid=[0, 0, 0]: 3 of 3; see what led there, or "
            "compile without checks");
  n = 0;
  launch.block[0] = 1;
  EXPECT_EQ(two.launch(launch, number).message(),
            "running 'two': ValueError: In function 'two', file a.py, line 9, "
            "tid=[0, 0, 0] ctaid=[0, 0, 0]; see what led there, or compile "
            "without checks");
}

TEST(LaunchTest, OnlyTheKernelThatIsNamedIsCompiled) {
  auto module = compileTwo("cuda", "two");
  ASSERT_EQ(module->getNumKernels(), 1u);
  EXPECT_EQ(module->getKernel().getName(), "two");
  EXPECT_FALSE(module->getCode().contains("one"));
}

TEST(LaunchTest, ManifestSaysAllOfEachKernel) {
  auto module = compileTwo("cuda", "");
  EXPECT_TRUE(module->getCode().contains(".entry one("));
  EXPECT_TRUE(module->getCode().contains(".entry two("));
  auto manifest = llvm::json::parse(module->getManifest());
  ASSERT_TRUE(bool(manifest));
  const llvm::json::Object &all = *manifest->getAsObject();
  EXPECT_EQ(all.getInteger("version"), 2);
  EXPECT_EQ(all.getString("target"), "cuda");
  EXPECT_EQ(all.getString("chip"), "sm_80");
  EXPECT_EQ(all.getArray("failures")->size(), 2u);
  const llvm::json::Array &kernels = *all.getArray("kernels");
  ASSERT_EQ(kernels.size(), 3u);
  const llvm::json::Object &two = *kernels[1].getAsObject();
  EXPECT_EQ(two.getString("entry"), "two");
  EXPECT_EQ(two.getBoolean("prints"), false);
  EXPECT_EQ(two.getBoolean("uses_dynamic_shared"), false);
  EXPECT_EQ((*two.getArray("launch_bounds"))[0].getAsInteger(), 64);
  const llvm::json::Object &n = *(*two.getArray("parameters"))[0].getAsObject();
  EXPECT_EQ(n.getString("kind"), "scalar");
  EXPECT_EQ(n.getInteger("bytes"), 8);
  EXPECT_EQ(n.getInteger("alignment"), 8);
}
