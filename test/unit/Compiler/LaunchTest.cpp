// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches through the C++ interface that cannot be.

#include "pyk/Compiler/Compiler.h"
#include "gtest/gtest.h"

using namespace pyk;

static std::unique_ptr<CompiledKernel> compileStore(const char *target) {
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
  runtime::Status status = compileStore("cuda")->launch({}, {});
  EXPECT_EQ(status.message(),
            "launching 'store' on the CPU: it was compiled for 'cuda'; compile "
            "it for the CPU");
}

TEST(LaunchTest, NumberOfArgumentsIsChecked) {
  float x = 1;
  KernelArgument argument = {&x};
  runtime::Status status = compileStore("cpu")->launch({}, argument);
  EXPECT_EQ(status.message(),
            "launching 'store': expects 2 arguments but got 1; pass one for "
            "each parameter of the kernel");
}

TEST(LaunchTest, LaunchStoresAndTellsItsParameters) {
  auto kernel = compileStore("cpu");
  float values[3] = {}, x = 2.5;
  int64_t shape[] = {3}, strides[] = {4};
  KernelArgument arguments[] = {{values, shape, strides}, {&x}};
  runtime::LaunchShape launch;
  launch.block[0] = 3;
  runtime::Status status = kernel->launch(launch, arguments);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(values[2], 2.5f);
  EXPECT_EQ(kernel->getParameters().back().kind, ParameterKind::Scalar);
  EXPECT_EQ(kernel->getParameters().back().bytes, 4u);
  EXPECT_EQ(kernel->getParameters().front().bytes, 8u);
}
