// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's cvt.rzi saturates by itself, but LLVM expands its saturating intrinsics
// into comparisons and selects around it. NaN is the exception: a source of 64
// bits, or a result of 64, need a select to make it 0. Results of less than 32
// bits are those of 32, limited, which is cheaper than to limit the float.
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

/// `number`, in 32 bits, in the range of an integer of `bits`, and as one.
static Value *limit(Value *number, unsigned bits, bool isSigned,
                    IRBuilder<> &builder) {
  unsigned wide = number->getType()->getScalarSizeInBits();
  if (bits == wide)
    return number;
  auto bound = [&](const APInt &narrow) {
    return builder.getInt(isSigned ? narrow.sext(wide) : narrow.zext(wide));
  };
  if (isSigned)
    number = builder.CreateBinaryIntrinsic(
        Intrinsic::smax, number, bound(APInt::getSignedMinValue(bits)));
  number = builder.CreateBinaryIntrinsic(
      isSigned ? Intrinsic::smin : Intrinsic::umin, number,
      bound(isSigned ? APInt::getSignedMaxValue(bits)
                     : APInt::getMaxValue(bits)));
  return builder.CreateTrunc(number, builder.getIntNTy(bits));
}

static void useInstruction(IntrinsicInst &call, bool isSigned) {
  IRBuilder<> builder(&call);
  Value *source = call.getArgOperand(0);
  bool fromDouble = source->getType()->isDoubleTy();
  if (!fromDouble && !source->getType()->isFloatTy())
    return;
  unsigned bits = call.getType()->getScalarSizeInBits();
  Intrinsic::ID conversion =
      getConversion(fromDouble, std::max(bits, 32U), isSigned);
  if (conversion == Intrinsic::not_intrinsic)
    return;
  Value *result = builder.CreateIntrinsic(conversion, {}, {source});
  if (fromDouble || bits == 64) {
    Value *isNumber = builder.CreateFCmpORD(source, source);
    result = builder.CreateSelect(isNumber, result,
                                  ConstantInt::get(result->getType(), 0));
  }
  call.replaceAllUsesWith(limit(result, bits, isSigned, builder));
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
