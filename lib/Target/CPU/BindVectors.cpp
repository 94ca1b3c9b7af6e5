// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on vectors for which LLVM's back end for x86 takes the lanes out
// and does one after the other, though it has vectors for what they are made
// of. Here they are written as that. Scalars are left alone: the result of a
// lane is the same.

#include "BindToHost.h"
#include "VectorDivision.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;
using namespace pyk;

/// `element`, or a vector of as many as `value` has.
static Type *like(Value *value, Type *element) {
  return value->getType()->getWithNewType(element);
}

/// `value` truncated to an integer of `type`, for lanes that fit.
static Value *convertToInteger(IRBuilder<> &b, Value *value, Type *type,
                               bool isSigned, bool hasConversions) {
  unsigned bits = type->getScalarSizeInBits();
  if (bits == 64)
    return convertToWide(b, value, isSigned, hasConversions);
  if (bits == 32)
    return isSigned ? b.CreateFPToSI(value, type) : b.CreateFPToUI(value, type);
  return b.CreateTrunc(b.CreateFPToSI(value, like(value, b.getInt32Ty())),
                       type);
}

/// Expands a conversion that yields the nearest number of the integer type for
/// values out of range, and 0 for NaN. The least integer must be exact in the
/// floating-point type, which excludes f16: stage nvvm widens that first. The
/// greatest integer may be inexact; results of larger values are replaced by
/// it.
static Value *saturate(IntrinsicInst &call, bool hasConversions) {
  bool isSigned = call.getIntrinsicID() == Intrinsic::fptosi_sat;
  IRBuilder<> b(&call);
  Value *x = call.getArgOperand(0);
  Type *type = call.getType(), *real = x->getType();
  unsigned bits = type->getScalarSizeInBits();
  APInt least = isSigned ? APInt::getSignedMinValue(bits) : APInt(bits, 0);
  APInt most =
      isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  APFloat low(real->getScalarType()->getFltSemantics());
  APFloat high = low;
  [[maybe_unused]] APFloat::opStatus status =
      low.convertFromAPInt(least, isSigned, APFloat::rmTowardZero);
  assert(status == APFloat::opOK && "the type is too narrow");
  bool isExact =
      high.convertFromAPInt(most, isSigned, APFloat::rmTowardPositive) ==
      APFloat::opOK;
  Constant *lowest = ConstantFP::get(real, low);
  Constant *highest = ConstantFP::get(real, high);
  // NaN becomes the least, which is 0 of unsigned numbers.
  Value *clamped = b.CreateSelect(b.CreateFCmpOGT(x, lowest), x, lowest);
  if (isExact)
    clamped =
        b.CreateSelect(b.CreateFCmpOLT(clamped, highest), clamped, highest);
  Value *result = convertToInteger(b, clamped, type, isSigned, hasConversions);
  if (!isExact)
    result = b.CreateSelect(b.CreateFCmpOGE(clamped, highest),
                            ConstantInt::get(type, most), result);
  if (isSigned)
    result = b.CreateSelect(b.CreateFCmpUNO(x, x), Constant::getNullValue(type),
                            result);
  return result;
}

/// What gives an f16 of f16, exactly or, as the root, rounded once: f32 has
/// more than twice the digits.
static Value *computeInFloat(IntrinsicInst &call) {
  IRBuilder<> b(&call);
  Value *operand = call.getArgOperand(0);
  Value *wide = b.CreateFPExt(operand, like(operand, b.getFloatTy()));
  return b.CreateFPTrunc(b.CreateUnaryIntrinsic(call.getIntrinsicID(), wide),
                         call.getType());
}

/// What `instruction` yields; null if LLVM has vectors for it.
static Value *expand(Instruction &instruction, bool hasConversions,
                     bool hasHalves) {
  if (!instruction.getType()->isVectorTy())
    return nullptr;
  if (instruction.isIntDivRem())
    return expandDivision(cast<BinaryOperator>(instruction), hasConversions);
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return nullptr;
  switch (call->getIntrinsicID()) {
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return saturate(*call, hasConversions);
  case Intrinsic::ceil:
  case Intrinsic::floor:
  case Intrinsic::nearbyint:
  case Intrinsic::rint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::sqrt:
  case Intrinsic::trunc:
    return !hasHalves && call->getType()->getScalarType()->isHalfTy()
               ? computeInFloat(*call)
               : nullptr;
  default:
    return nullptr;
  }
}

void pyk::bindVectors(Module &module, const TargetMachine &machine) {
  bool hasConversions =
      !machine.getTargetTriple().isX86() ||
      machine.getMCSubtargetInfo()->checkFeatures("+avx512dq,+avx512vl");
  bool hasHalves = hasHalfArithmetic(machine);
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (Value *value = expand(instruction, hasConversions, hasHalves)) {
        instruction.replaceAllUsesWith(value);
        instruction.eraseFromParent();
      }
}
