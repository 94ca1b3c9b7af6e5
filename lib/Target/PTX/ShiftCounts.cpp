// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's shifts read 32 bits of the count and clamp it to the width. LLVM 22
// folds `n < 64 ? x << n : 0` with a 64-bit `n` into such a shift, but
// truncates `n` first: a count of 2^32 then shifts by 0. The fold compares the
// count of the shift with the number in the condition. A count clamped with
// `umin` differs from that number, and a condition on the clamped count may be
// folded, since the truncation does not change it.

#include "ShiftCounts.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Bits of a count that PTX reads.
static constexpr unsigned kCountBits = 32;

/// Whether the number that `shift` takes its count from may be more than PTX
/// reads. The program may itself have taken the low bits of it.
static bool mayLoseBits(const BinaryOperator &shift) {
  Value *count = shift.getOperand(1), *wide;
  const APInt *mask;
  while (match(count,
               m_CombineOr(m_ZExt(m_Value(wide)), m_Trunc(m_Value(wide)))) ||
         (match(count, m_And(m_Value(wide), m_LowBitMask(mask))) &&
          mask->getActiveBits() >= kCountBits))
    count = wide;
  KnownBits bits = computeKnownBits(count, shift.getDataLayout());
  return bits.countMaxActiveBits() > kCountBits;
}

/// Lets the conditions of selects between `shift` and 0, which ask whether
/// `count` is less than the width, ask for `clamped` instead: one instruction
/// then does both.
static void compareClamped(BinaryOperator &shift, Value *count,
                           Value *clamped) {
  unsigned width = shift.getType()->getScalarSizeInBits();
  for (User *user : shift.users()) {
    auto *select = dyn_cast<SelectInst>(user);
    auto *condition =
        select ? dyn_cast<ICmpInst>(select->getCondition()) : nullptr;
    if (!condition)
      continue;
    bool isLess =
        match(condition, m_SpecificICmp(ICmpInst::ICMP_ULT, m_Specific(count),
                                        m_SpecificInt(width)));
    bool isMore =
        match(condition, m_SpecificICmp(ICmpInst::ICMP_UGT, m_Specific(count),
                                        m_SpecificInt(width - 1)));
    if (!isLess && !isMore)
      continue;
    IRBuilder<> b(select);
    select->setCondition(b.CreateICmp(condition->getPredicate(), clamped,
                                      condition->getOperand(1)));
  }
}

void pyk::clampShiftCounts(Module &module) {
  SmallVector<BinaryOperator *> shifts;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *shift = dyn_cast<BinaryOperator>(&instruction);
          shift &&
          (shift->getOpcode() == Instruction::Shl ||
           shift->getOpcode() == Instruction::LShr) &&
          mayLoseBits(*shift))
        shifts.push_back(shift);
  for (BinaryOperator *shift : shifts) {
    IRBuilder<> b(shift);
    Value *count = shift->getOperand(1);
    Type *type = count->getType();
    Value *width = ConstantInt::get(type, type->getScalarSizeInBits());
    // A larger count makes poison with or without the clamp.
    Value *clamped = b.CreateBinaryIntrinsic(Intrinsic::umin, count, width);
    shift->setOperand(1, clamped);
    compareClamped(*shift, count, clamped);
  }
}
