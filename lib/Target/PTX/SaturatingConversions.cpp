// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's cvt.rzi saturates by itself, but LLVM expands its saturating intrinsics
// into comparisons and selects around it. NaN is the exception: a source of 64
// bits, or a result of 64, need a select to make it 0.
//
// This runs after optimization, which knows the intrinsics and not these.

#include "SaturatingConversions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The intrinsic that converts, rounding to zero; none for other widths.
static Intrinsic::ID getConversion(bool fromDouble, unsigned toBits,
                                   bool isSigned) {
  if (toBits == 32) {
    if (fromDouble)
      return isSigned ? Intrinsic::nvvm_d2i_rz : Intrinsic::nvvm_d2ui_rz;
    return isSigned ? Intrinsic::nvvm_f2i_rz : Intrinsic::nvvm_f2ui_rz;
  }
  if (toBits == 64) {
    if (fromDouble)
      return isSigned ? Intrinsic::nvvm_d2ll_rz : Intrinsic::nvvm_d2ull_rz;
    return isSigned ? Intrinsic::nvvm_f2ll_rz : Intrinsic::nvvm_f2ull_rz;
  }
  return Intrinsic::not_intrinsic;
}

static void useInstruction(IntrinsicInst &call, bool isSigned) {
  IRBuilder<> builder(&call);
  Value *source = call.getArgOperand(0);
  bool fromDouble = source->getType()->isDoubleTy();
  if (!fromDouble && !source->getType()->isFloatTy())
    return;
  unsigned bits = call.getType()->getScalarSizeInBits();
  Intrinsic::ID conversion = getConversion(fromDouble, bits, isSigned);
  if (conversion == Intrinsic::not_intrinsic)
    return;
  Value *result = builder.CreateIntrinsic(conversion, {}, {source});
  if (fromDouble || bits == 64) {
    Value *isNumber = builder.CreateFCmpORD(source, source);
    result = builder.CreateSelect(isNumber, result,
                                  ConstantInt::get(call.getType(), 0));
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void pyk::useSaturatingInstructions(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
        Intrinsic::ID id = call->getIntrinsicID();
        if (id == Intrinsic::fptosi_sat || id == Intrinsic::fptoui_sat)
          useInstruction(*call, id == Intrinsic::fptosi_sat);
      }
}
