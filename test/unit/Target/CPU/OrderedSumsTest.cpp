// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that add floats in their order become vectors all the same.

#include "CpuMachine.h"
#include "Support.h"

using namespace pyk;
using namespace pyk::test;

// The sum waits for each element; what is computed of them does not.
TEST(OrderedSumsTest, DoNotKeepTheRestFromVectors) {
  ParsedModule parsed = parse(R"(
define float @sum(ptr noalias %x, ptr noalias %out, i64 %n) {
entry:
  br label %iteration
iteration:
  %i = phi i64 [0, %entry], [%next, %iteration]
  %total = phi float [0.0, %entry], [%more, %iteration]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %a = fmul float %v, %v
  %b = fadd float %a, 3.0
  %c = fmul float %b, %v
  %d = fadd float %c, 5.0
  %e = fmul float %d, %v
  %f = fadd float %e, 7.0
  %g = fmul float %f, %v
  %h = fadd float %g, 9.0
  %q = getelementptr float, ptr %out, i64 %i
  store float %h, ptr %q
  %more = fadd float %total, %h
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %iteration, label %end
end:
  ret float %more
}
)");
  auto machine = getCpuMachine("native");
  ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
  llvm::Module &module = *parsed.module;
  llvm::TargetMachine &codeMaker = getTargetMachine(**machine, 3);
  module.setTargetTriple(codeMaker.getTargetTriple());
  module.setDataLayout(codeMaker.createDataLayout());
  optimizeForCpu(module, **machine, 3, /*hasVectors=*/false);
  std::string text;
  llvm::raw_string_ostream(text) << module;
  EXPECT_NE(text.find(" x float>"), std::string::npos) << text;
}
