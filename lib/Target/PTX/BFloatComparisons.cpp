// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 22 writes `setp.lt.ftz.bf16` where denormals of f32 are flushed, which
// PTX does not have. Kernels compare floats, but LLVM's optimization leaves out
// what extends both sides; so this runs behind it.

#include "BFloatComparisons.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

void pyk::widenBFloatComparisons(Module &module) {
  for (Function &function : module) {
    if (function.getFnAttribute("denormal-fp-math-f32").getValueAsString() !=
        "preserve-sign")
      continue;
    for (Instruction &instruction : instructions(function)) {
      auto *comparison = dyn_cast<FCmpInst>(&instruction);
      if (!comparison || !comparison->getOperand(0)->getType()->isBFloatTy())
        continue;
      IRBuilder<> builder(comparison);
      for (Use &operand : comparison->operands())
        operand.set(builder.CreateFPExt(operand.get(), builder.getFloatTy()));
    }
  }
}
