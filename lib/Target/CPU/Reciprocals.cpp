// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only those of whole vectors: each comes to eight instructions.

#include "Reciprocals.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pyk;

static constexpr unsigned kLanes = 16;

/// All classes of `vfpclassps` but that of normal numbers.
static constexpr uint32_t kNotNormal = 0xbf;

static bool isReciprocal(Instruction &instruction) {
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  return type && type->getNumElements() == kLanes &&
         type->getElementType()->isFloatTy() &&
         match(&instruction, m_FDiv(m_FPOne(), m_Value()));
}

/// Two steps of Newton's from the processor's own estimate. The division stays
/// for vectors with an element that it alone is known to round correctly.
static void multiply(Instruction &division) {
  Value *x = division.getOperand(1);
  Type *type = division.getType();
  IRBuilder<> builder(&division);
  Value *one = ConstantFP::get(type, 1.0);
  Value *negated = builder.CreateFNeg(x);
  auto multiplyAdd = [&](Value *a, Value *b, Value *c) {
    return builder.CreateIntrinsic(Intrinsic::fma, {type}, {a, b, c});
  };
  Value *estimate = builder.CreateIntrinsic(
      Intrinsic::x86_avx512_rcp14_ps_512,
      {x, Constant::getNullValue(type), builder.getInt16(-1)});
  Value *residue = multiplyAdd(negated, estimate, one);
  Value *first = multiplyAdd(estimate, residue, estimate);
  residue = multiplyAdd(negated, first, one);
  Value *second = multiplyAdd(first, residue, first);
  Value *isTie = builder.CreateFCmpUEQ(residue, ConstantFP::get(type, kTie));
  Value *isNotNormal =
      builder.CreateIntrinsic(Intrinsic::x86_avx512_fpclass_ps_512,
                              {second, builder.getInt32(kNotNormal)});
  Value *isRare = builder.CreateOrReduce(builder.CreateOr(isTie, isNotNormal));
  BasicBlock *before = division.getParent();
  Instruction *rare = SplitBlockAndInsertIfThen(
      isRare, division.getIterator(), /*Unreachable=*/false,
      MDBuilder(division.getContext()).createUnlikelyBranchWeights());
  BasicBlock *after = division.getParent();
  division.moveBefore(rare->getIterator());
  builder.SetInsertPoint(after, after->begin());
  PHINode *result = builder.CreatePHI(type, 2);
  division.replaceAllUsesWith(result);
  result->addIncoming(second, before);
  result->addIncoming(&division, division.getParent());
}

void pyk::multiplyReciprocals(Function &function) {
  SmallVector<Instruction *> divisions;
  for (Instruction &instruction : instructions(function))
    if (isReciprocal(instruction))
      divisions.push_back(&instruction);
  for (Instruction *division : divisions)
    multiply(*division);
}
