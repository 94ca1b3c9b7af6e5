// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index that is data may be negative, and then the extent is added to it.
// LLVM adds the extent or 0, in 64 bits, and by a pointer of its own where it
// can: a comparison, a select and two sums of 64 bits. The machine can add
// under a condition. A number of 32 bits below 0 and an extent below 2^31 are
// no more than a number of 32 bits, so that the address takes a comparison, a
// sum of 32 bits under its outcome, and a multiply-add as for any other index.

#include "NarrowIndices.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// A number of 32 bits, and what is added to it where it is below 0.
struct Index {
  Value *number;
  Value *isNegative;
  Value *extent;
};

} // namespace

/// `extent` in 32 bits, if it has no sign in them.
static Value *getNarrow(Value *extent) {
  if (auto *constant = dyn_cast<ConstantInt>(extent))
    return constant->getValue().isIntN(31)
               ? ConstantInt::get(Type::getInt32Ty(extent->getContext()),
                                  constant->getZExtValue())
               : nullptr;
  Value *number = extent;
  if (!extent->getType()->isIntegerTy(32) &&
      (!match(extent, m_ZExt(m_Value(number))) ||
       !number->getType()->isIntegerTy(32)))
    return nullptr;
  const DataLayout *layout = nullptr;
  if (auto *instruction = dyn_cast<Instruction>(number))
    layout = &instruction->getDataLayout();
  else if (auto *argument = dyn_cast<Argument>(number))
    layout = &argument->getParent()->getDataLayout();
  return layout && isKnownNonNegative(number, SimplifyQuery(*layout)) ? number
                                                                      : nullptr;
}

/// The arms of `select` where `number` is below 0, and where it is not; none if
/// it is no question of that.
static std::pair<Value *, Value *> getArms(SelectInst &select, Value *number) {
  Value *condition = select.getCondition();
  if (match(condition,
            m_SpecificICmp(ICmpInst::ICMP_SLT, m_Specific(number), m_Zero())))
    return {select.getTrueValue(), select.getFalseValue()};
  return {};
}

/// `wide` and `added` as an index, where their sum is one.
static std::optional<Index> getIndex(Value *wide, Value *added) {
  Value *number, *same;
  // A number without sign may have become wider before or behind the select.
  auto *select =
      dyn_cast<SelectInst>(match(added, m_ZExt(m_Value(same))) ? same : added);
  if (!select || !added->hasOneUse() || !select->hasOneUse() ||
      !match(wide, m_SExt(m_Value(number))) ||
      !number->getType()->isIntegerTy(32))
    return std::nullopt;
  auto [extent, nothing] = getArms(*select, number);
  Value *narrow = extent ? getNarrow(extent) : nullptr;
  if (!narrow || !match(nothing, m_Zero()))
    return std::nullopt;
  return Index{number, select->getCondition(), narrow};
}

/// `select` as an index, where it selects between a sum and what it is of.
static std::optional<Index> getIndex(SelectInst &select) {
  Value *number, *extent;
  if (!select.getType()->isIntegerTy(64) ||
      !match(select.getFalseValue(), m_SExt(m_Value(number))) ||
      !number->getType()->isIntegerTy(32))
    return std::nullopt;
  auto [sum, same] = getArms(select, number);
  Value *narrow = sum && match(sum, m_c_Add(m_Specific(same), m_Value(extent)))
                      ? getNarrow(extent)
                      : nullptr;
  if (!narrow)
    return std::nullopt;
  return Index{number, select.getCondition(), narrow};
}

static Value *add(IRBuilder<> &b, const Index &index) {
  Value *sum = b.CreateAdd(index.number, index.extent);
  return b.CreateSExt(b.CreateSelect(index.isNegative, sum, index.number),
                      b.getInt64Ty());
}

/// What does the same as `instruction`; null if it has no index.
static Value *rewrite(Instruction &instruction) {
  IRBuilder<> b(&instruction);
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    if (auto index = getIndex(*select))
      return add(b, *index);
  Value *left, *right;
  if (match(&instruction, m_Add(m_Value(left), m_Value(right))))
    for (auto [wide, added] : {std::pair(left, right), std::pair(right, left)})
      if (auto index = getIndex(wide, added))
        return add(b, *index);
  auto *outer = dyn_cast<GetElementPtrInst>(&instruction);
  auto *inner =
      outer ? dyn_cast<GetElementPtrInst>(outer->getPointerOperand()) : nullptr;
  if (!inner || outer->getNumIndices() != 1 || inner->getNumIndices() != 1 ||
      outer->getSourceElementType() != inner->getSourceElementType())
    return nullptr;
  left = outer->getOperand(1);
  right = inner->getOperand(1);
  for (auto [wide, added] : {std::pair(left, right), std::pair(right, left)})
    if (auto index = getIndex(wide, added))
      return b.CreateGEP(outer->getSourceElementType(),
                         inner->getPointerOperand(), add(b, *index));
  return nullptr;
}

PreservedAnalyses pyk::NarrowIndicesPass::run(Function &function,
                                              FunctionAnalysisManager &) {
  SmallVector<WeakTrackingVH> replaced;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (Value *same = rewrite(instruction)) {
      instruction.replaceAllUsesWith(same);
      replaced.push_back(&instruction);
    }
  if (replaced.empty())
    return PreservedAnalyses::all();
  RecursivelyDeleteTriviallyDeadInstructions(replaced);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
