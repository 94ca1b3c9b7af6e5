// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses, compiles and launches kernels that tests write as LLVM IR.

#include "Support.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace pyk;

static constexpr const char prelude[] = R"(
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.nanosleep(i32)
)";

test::ParsedModule test::parse(StringRef text) {
  auto context = std::make_unique<LLVMContext>();
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssemblyString((prelude + text).str(), diagnostic, *context);
  if (!module) {
    std::string message;
    raw_string_ostream stream(message);
    diagnostic.print("", stream, /*ShowColors=*/false);
    ADD_FAILURE() << message;
    module = std::make_unique<Module>("empty", *context);
  }
  return {std::move(context), std::move(module)};
}

std::unique_ptr<test::CpuKernel> test::compile(StringRef text,
                                               const CpuOptions &options) {
  auto image = compileForCpu(parse(text), StringRef("k"), options);
  if (!image) {
    ADD_FAILURE() << toString(image.takeError());
    return nullptr;
  }
  auto loaded = runtime::loadCpuImage(*image);
  if (loaded.ok())
    return std::make_unique<CpuKernel>(std::move(loaded.value()));
  ADD_FAILURE() << loaded.status().message();
  return nullptr;
}

std::string test::compileError(StringRef text, StringRef kernel) {
  auto compiled = compileForCpu(parse(text), kernel);
  if (!compiled)
    return toString(compiled.takeError());
  ADD_FAILURE() << "compiled";
  return "";
}

void test::launchOn(const CpuKernel &kernel, const runtime::LaunchShape &shape,
                    std::initializer_list<void *> arguments) {
  std::vector<void *> pointers(arguments);
  runtime::Status status =
      runtime::launchOnCpu(kernel.getEntry(), shape, pointers.data());
  EXPECT_TRUE(status.ok()) << status.message();
}

runtime::LaunchShape test::shapeOf(int64_t blocks, int64_t threads,
                                   int64_t dynamicSharedBytes) {
  runtime::LaunchShape shape;
  shape.grid[0] = blocks;
  shape.block[0] = threads;
  shape.dynamicSharedBytes = dynamicSharedBytes;
  return shape;
}
