// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR text to a finished launch, for the tests of the CPU target.

#ifndef PYK_TEST_UNIT_TARGET_CPU_SUPPORT_H
#define PYK_TEST_UNIT_TARGET_CPU_SUPPORT_H

#include "pyk/Target/CPU.h"
#include "pyk/runtime/CpuImage.h"
#include "pyk/runtime/CpuLaunch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace pyk::test {

/// A module with the context that it lives in.
struct ParsedModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;

  operator llvm::Module &() const { return *module; }
};

/// Parses `text` after NVPTX's triple, data layout and the declarations of the
/// intrinsics that tests use. A text that does not parse fails the test.
ParsedModule parse(llvm::StringRef text);

/// A kernel in this process.
class CpuKernel {
public:
  explicit CpuKernel(runtime::HostImage image) : image(std::move(image)) {}

  const pyk_rt_kernel &getEntry() const {
    return *image.kernels.front().kernel;
  }

private:
  const runtime::HostImage image;
};

/// Compiles function `k` of `text` and loads it; null, and a failure of the
/// test, on error.
std::unique_ptr<CpuKernel> compile(llvm::StringRef text,
                                   const CpuOptions &options = {});

/// The message with which function `kernel` of `text` is refused; empty, and a
/// failure of the test, if it is not.
std::string compileError(llvm::StringRef text, llvm::StringRef kernel = "k");

/// Launches `kernel` on the values at `arguments` and fails the test if that is
/// refused.
void launchOn(const CpuKernel &kernel, const runtime::LaunchShape &shape,
              std::initializer_list<void *> arguments);

/// The same with the values themselves.
template <typename... Args>
void launch(const CpuKernel &kernel, const runtime::LaunchShape &shape,
            Args &...arguments) {
  launchOn(kernel, shape, {static_cast<void *>(&arguments)...});
}

/// Runs thread `x` of a block of `threads` through the thread entry, without
/// the runtime: for kernels that neither wait nor use shared memory.
template <typename... Args>
void runThread(const CpuKernel &kernel, int32_t threads, int32_t x,
               Args &...arguments) {
  void *pointers[] = {static_cast<void *>(&arguments)...};
  pyk_rt_block block = {{0, 0, 0}, {threads, 1, 1}, {1, 1, 1}, 0,
                        nullptr,   nullptr,         0};
  kernel.getEntry().thread(&block, x, 0, 0, pointers);
}

/// A launch of `blocks` times `threads` in one dimension.
runtime::LaunchShape shapeOf(int64_t blocks, int64_t threads,
                             int64_t dynamicSharedBytes = 0);

} // namespace pyk::test

#endif // PYK_TEST_UNIT_TARGET_CPU_SUPPORT_H
