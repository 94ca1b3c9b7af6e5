// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions and comparisons of bfloat, its fma and its atomic addition, in
// integers, float and double. x86 has a conversion from float on some machines,
// which takes subnormals for zeros; elsewhere LLVM calls a function, which
// would be in the way of vectors. So it does for the fma of half and for its
// conversion from double, which go by way of float and double, too.

#include "BindToHost.h"
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;
using namespace pyk;

/// `element`, or a vector of as many as `value` has.
static Type *like(Value *value, Type *element) {
  return value->getType()->getWithNewType(element);
}

/// The same of the integer `number`.
static Constant *like(Value *value, uint64_t number) {
  return ConstantInt::get(value->getType(), number);
}

/// `value`, of bfloats, as floats.
static Value *widen(IRBuilder<> &b, Value *value) {
  Value *bits =
      b.CreateZExt(b.CreateBitCast(value, like(value, b.getInt16Ty())),
                   like(value, b.getInt32Ty()));
  return b.CreateBitCast(b.CreateShl(bits, 16), like(value, b.getFloatTy()));
}

/// `value`, of floats, as the nearest bfloats, half to even. A NaN stays one,
/// also where none of its digits would.
static Value *round(IRBuilder<> &b, Value *value) {
  Value *bits = b.CreateBitCast(value, like(value, b.getInt32Ty()));
  Value *isOdd = b.CreateAnd(b.CreateLShr(bits, 16), 1);
  Value *nearest = b.CreateAdd(bits, b.CreateAdd(isOdd, like(bits, 0x7fff)));
  Value *quiet = b.CreateOr(bits, 0x400000);
  Value *result = b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, nearest);
  return b.CreateBitCast(
      b.CreateTrunc(b.CreateLShr(result, 16), like(value, b.getInt16Ty())),
      like(value, b.getBFloatTy()));
}

/// `nearest`, the float or double next to a number that is `rest` more: if its
/// last digit is 0 and `rest` is not, the neighbour on the side of the number,
/// whose last digit is 1. Rounded again, to at least two digits less, this
/// gives what the number does.
static Value *roundToOdd(IRBuilder<> &b, Value *nearest, Value *rest) {
  auto getBits = [&](Value *value) {
    unsigned width = value->getType()->getScalarSizeInBits();
    return b.CreateBitCast(value, like(value, b.getIntNTy(width)));
  };
  Value *bits = getBits(nearest), *restBits = getBits(rest);
  Type *type = bits->getType();
  unsigned width = type->getScalarSizeInBits();
  if (unsigned more = restBits->getType()->getScalarSizeInBits() - width)
    restBits = b.CreateTrunc(b.CreateLShr(restBits, more), type);
  // 1 away from zero and -1 towards it: signs and magnitudes are apart.
  Value *step =
      b.CreateOr(b.CreateAShr(b.CreateXor(bits, restBits), width - 1), 1);
  Constant *zero = Constant::getNullValue(type);
  Value *isEven = b.CreateICmpEQ(b.CreateAnd(bits, 1), zero);
  Value *isOff = b.CreateFCmpONE(rest, ConstantFP::getZero(rest->getType()));
  Value *odd =
      b.CreateAdd(bits, b.CreateSelect(b.CreateAnd(isEven, isOff), step, zero));
  return b.CreateBitCast(odd, nearest->getType());
}

/// `value`, a double, as a float that rounds to the same bfloat or half.
static Value *narrowToOdd(IRBuilder<> &b, Value *value) {
  Value *nearest = b.CreateFPTrunc(value, like(value, b.getFloatTy()));
  Value *rest = b.CreateFSub(value, b.CreateFPExt(nearest, value->getType()));
  return roundToOdd(b, nearest, rest);
}

/// `value`, of bfloats or halves, as floats.
static Value *widenAny(IRBuilder<> &b, Value *value) {
  return value->getType()->getScalarType()->isBFloatTy()
             ? widen(b, value)
             : b.CreateFPExt(value, like(value, b.getFloatTy()));
}

/// `value`, of doubles, as the nearest numbers of `type`, bfloat or half.
static Value *roundDouble(IRBuilder<> &b, Value *value, Type *type) {
  Value *narrow = narrowToOdd(b, value);
  return type->getScalarType()->isBFloatTy() ? round(b, narrow)
                                             : b.CreateFPTrunc(narrow, type);
}

/// x * y + z of bfloats or halves, rounded once. The product of halves is exact
/// in float, with its 24 digits and exponents of -48 to 32; that of bfloats has
/// exponents for which it takes double. What the sum loses decides only where
/// it lies on an end of a digit of theirs.
static Value *multiplyAdd(IRBuilder<> &b, Value *x, Value *y, Value *z) {
  bool isHalf = x->getType()->getScalarType()->isHalfTy();
  auto extend = [&](Value *value) {
    Value *wide = widenAny(b, value);
    return isHalf ? wide : b.CreateFPExt(wide, like(value, b.getDoubleTy()));
  };
  Value *product = b.CreateFMul(extend(x), extend(y)), *addend = extend(z);
  Value *sum = b.CreateFAdd(product, addend);
  // What the sum lacks, exactly.
  Value *other = b.CreateFSub(sum, product);
  Value *lost = b.CreateFAdd(b.CreateFSub(product, b.CreateFSub(sum, other)),
                             b.CreateFSub(addend, other));
  Value *odd = roundToOdd(b, sum, lost);
  return isHalf ? b.CreateFPTrunc(odd, x->getType())
                : roundDouble(b, odd, x->getType());
}

bool pyk::hasHalfArithmetic(const TargetMachine &machine) {
  return machine.getMCSubtargetInfo()->checkFeatures(
      machine.getTargetTriple().isX86() ? "+avx512fp16" : "+fullfp16");
}

/// What `instruction` yields; null if it is left as it is.
static Value *bind(Instruction &instruction, bool hasHalves) {
  IRBuilder<> b(&instruction);
  Type *type = instruction.getType();
  auto *cast = dyn_cast<CastInst>(&instruction);
  bool isHalf = type->getScalarType()->isHalfTy() && !hasHalves;
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
      call && call->getIntrinsicID() == Intrinsic::fma &&
      (isHalf || type->getScalarType()->isBFloatTy()))
    return multiplyAdd(b, call->getArgOperand(0), call->getArgOperand(1),
                       call->getArgOperand(2));
  if (isHalf && isa<FPTruncInst>(instruction) &&
      cast->getSrcTy()->getScalarType()->isDoubleTy())
    return roundDouble(b, cast->getOperand(0), type);
  if (isa<FPExtInst>(instruction) &&
      cast->getSrcTy()->getScalarType()->isBFloatTy())
    return b.CreateFPExt(widen(b, cast->getOperand(0)), type);
  if (auto *comparison = dyn_cast<FCmpInst>(&instruction);
      comparison &&
      comparison->getOperand(0)->getType()->getScalarType()->isBFloatTy())
    return b.CreateFCmp(comparison->getPredicate(),
                        widen(b, comparison->getOperand(0)),
                        widen(b, comparison->getOperand(1)));
  if (!type->getScalarType()->isBFloatTy())
    return nullptr;
  // That of an atomic addition, which a float holds to more than twice the
  // digits: rounded twice it is as rounded once.
  if (instruction.getOpcode() == Instruction::FAdd)
    return round(b, b.CreateFAdd(widen(b, instruction.getOperand(0)),
                                 widen(b, instruction.getOperand(1))));
  if (isa<FPTruncInst>(instruction)) {
    Value *value = cast->getOperand(0);
    bool isDouble = cast->getSrcTy()->getScalarType()->isDoubleTy();
    return round(b, isDouble ? narrowToOdd(b, value) : value);
  }
  // An integer that a float holds.
  if (isa<SIToFPInst, UIToFPInst>(instruction))
    return round(b, b.CreateCast(cast->getOpcode(), cast->getOperand(0),
                                 like(cast->getOperand(0), b.getFloatTy())));
  return nullptr;
}

/// A comparison of the bits of bfloats, which replaces them.
static void compareAndSwap(IRBuilderBase &b, Value *address, Value *expected,
                           Value *value, Align alignment,
                           AtomicOrdering ordering, SyncScope::ID scope,
                           Value *&isDone, Value *&found, Instruction *) {
  auto getBits = [&](Value *number) {
    return b.CreateBitCast(number, b.getInt16Ty());
  };
  Value *pair = b.CreateAtomicCmpXchg(
      address, getBits(expected), getBits(value), alignment, ordering,
      AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
  isDone = b.CreateExtractValue(pair, 1);
  found = b.CreateBitCast(b.CreateExtractValue(pair, 0), b.getBFloatTy());
}

/// Makes loops of the atomic additions in `function`.
static void expandAdditions(Function &function) {
  SmallVector<AtomicRMWInst *> additions;
  for (Instruction &instruction : instructions(function))
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction);
        update && update->getOperation() == AtomicRMWInst::FAdd &&
        update->getType()->isBFloatTy())
      additions.push_back(update);
  for (AtomicRMWInst *addition : additions)
    expandAtomicRMWToCmpXchg(addition, compareAndSwap);
}

void pyk::bindShortFloats(Module &module, const TargetMachine &machine) {
  bool hasHalves = hasHalfArithmetic(machine);
  for (Function &function : module)
    expandAdditions(function);
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (Value *value = bind(instruction, hasHalves)) {
        instruction.replaceAllUsesWith(value);
        instruction.eraseFromParent();
      }
}
