// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's X86 back end merges a truncation into the masked store of its result.
// If the mask is a constant that has one lane, it then stores that lane of the
// value before the truncation, in its full width: a store of an i8 overwrites
// the three bytes behind it. The mask may become a constant as late as during
// instruction selection, so no check of masks in the IR is enough. A fence
// between the truncation and the store keeps the two apart, at no instruction.

#include "MaskedStores.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pyk;

/// The fence is defined for floats alone.
static constexpr unsigned kFloatBits = 32;

static bool storesIntegers(const IntrinsicInst &call) {
  return call.getIntrinsicID() == Intrinsic::masked_store &&
         call.getArgOperand(0)->getType()->isIntOrIntVectorTy();
}

/// `value`, a vector, with undefined elements behind its own: `count` in all.
static Value *resize(IRBuilder<> &builder, Value *value, unsigned count) {
  SmallVector<int> lanes(count, PoisonMaskElem);
  auto *type = cast<FixedVectorType>(value->getType());
  for (unsigned lane = 0; lane < std::min(count, type->getNumElements());
       ++lane)
    lanes[lane] = static_cast<int>(lane);
  return builder.CreateShuffleVector(value, lanes);
}

/// `value`, a vector of integers, behind a fence.
static Value *fence(IRBuilder<> &builder, Value *value) {
  auto *type = cast<FixedVectorType>(value->getType());
  const unsigned count = type->getNumElements(),
                 bits = type->getScalarSizeInBits();
  unsigned padded = count;
  while (padded * bits % kFloatBits != 0)
    ++padded;
  if (padded != count)
    value = resize(builder, value, padded);
  Type *integers = value->getType();
  Type *floats =
      FixedVectorType::get(builder.getFloatTy(), padded * bits / kFloatBits);
  value = builder.CreateBitCast(value, floats);
  value = builder.CreateArithmeticFence(value, floats);
  value = builder.CreateBitCast(value, integers);
  return padded == count ? value : resize(builder, value, count);
}

void pyk::separateTruncations(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *store = dyn_cast<IntrinsicInst>(&instruction);
      if (!store || !storesIntegers(*store))
        continue;
      IRBuilder<> builder(store);
      store->setArgOperand(0, fence(builder, store->getArgOperand(0)));
    }
}
