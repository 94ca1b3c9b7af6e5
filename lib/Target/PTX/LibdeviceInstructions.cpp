// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libdevice that are an instruction of the GPU or a few, for PTX
// that is made without libdevice.

#include "Libdevice.h"
#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace {
using Builder = IRBuilderBase;
using Values = ArrayRef<Value *>;
using Compute = Value *(*)(Builder &, Values);
} // namespace

/// The intrinsic that flushes denormals and does the same otherwise, if there
/// is one and libdevice would flush them here; else `intrinsic`.
static Intrinsic::ID getFlushing(Builder &b, Intrinsic::ID intrinsic) {
  if (!b.GetInsertBlock()->getModule()->getModuleFlag(pyk::kFlushFlag))
    return intrinsic;
  StringRef name = Intrinsic::getBaseName(intrinsic);
  StringRef type = name.consume_back(".f") ? ".f" : "";
  Intrinsic::ID flushing =
      Intrinsic::lookupIntrinsicID((name + ".ftz" + type).str());
  return flushing == Intrinsic::not_intrinsic ? intrinsic : flushing;
}

static Value *create(Builder &b, Intrinsic::ID intrinsic, Values arguments,
                     ArrayRef<Type *> types = {}) {
  return b.CreateIntrinsic(getFlushing(b, intrinsic), types, arguments);
}

/// x - y.
template <Intrinsic::ID intrinsic>
static Value *subtract(Builder &b, Values x) {
  Value *arguments[] = {x[0], b.CreateFNeg(x[1])};
  return create(b, intrinsic, arguments);
}

template <Intrinsic::ID intrinsic>
static Value *call(Builder &b, Values x) {
  return create(b, intrinsic, x);
}

static Value *getAbs(Builder &b, Values x) {
  return b.CreateBinaryIntrinsic(Intrinsic::abs, x[0], b.getFalse());
}

/// The number of zeros in front, as an i32.
static Value *countZeros(Builder &b, Values x) {
  Value *zeros = b.CreateBinaryIntrinsic(Intrinsic::ctlz, x[0], b.getFalse());
  return b.CreateTrunc(zeros, b.getInt32Ty());
}

/// The place of the last bit, from 1; 0 of 0.
static Value *findFirst(Builder &b, Values x) {
  Value *zeros = b.CreateBinaryIntrinsic(Intrinsic::cttz, x[0], b.getFalse());
  Value *place =
      b.CreateAdd(b.CreateTrunc(zeros, b.getInt32Ty()), b.getInt32(1));
  return b.CreateSelect(
      b.CreateICmpEQ(x[0], ConstantInt::get(x[0]->getType(), 0)), b.getInt32(0),
      place);
}

static Value *countOnes(Builder &b, Values x) {
  return b.CreateTrunc(b.CreateUnaryIntrinsic(Intrinsic::ctpop, x[0]),
                       b.getInt32Ty());
}

/// The mean, rounded down or up, of numbers with a sign or without.
template <bool isUp, bool isSigned>
static Value *getMean(Builder &b, Values x) {
  Value *differs = b.CreateXor(x[0], x[1]);
  Value *half = isSigned ? b.CreateAShr(differs, 1) : b.CreateLShr(differs, 1);
  return isUp ? b.CreateSub(b.CreateOr(x[0], x[1]), half)
              : b.CreateAdd(b.CreateAnd(x[0], x[1]), half);
}

static Value *getSignBit(Builder &b, Values x) {
  unsigned width = x[0]->getType()->getScalarSizeInBits();
  Value *bits = b.CreateBitCast(x[0], b.getIntNTy(width));
  return b.CreateZExtOrTrunc(b.CreateLShr(bits, width - 1), b.getInt32Ty());
}

static Value *widenHalf(Builder &b, Values x) {
  return b.CreateFPExt(b.CreateBitCast(x[0], b.getHalfTy()), b.getFloatTy());
}

static Value *joinWords(Builder &b, Values x) {
  return create(b, Intrinsic::nvvm_lohi_i2d, Values({x[1], x[0]}));
}

/// Of each selector three bits count; the fourth would repeat a sign.
static Value *selectBytes(Builder &b, Values x) {
  return create(b, Intrinsic::nvvm_prmt,
                {x[0], x[1], b.CreateAnd(x[2], 0x7777)});
}

/// To the nearest whole number, and of two the one farther from 0.
template <Intrinsic::ID convert>
static Value *roundAway(Builder &b, Values x) {
  return create(b, convert, {b.CreateUnaryIntrinsic(Intrinsic::round, x[0])});
}

/// The exponent of x, as an i32 or of the type of x, as the other arguments
/// are: what it is of 0, of an infinity and of NaN.
static Value *getExponent(Builder &b, Value *x, Value *ofZero, Value *ofInf,
                          Value *ofNaN) {
  Type *type = x->getType();
  bool isWide = type->isDoubleTy();
  Value *size = b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  // Numbers with fewer bits than others become some.
  Value *isTiny = b.CreateFCmpOLT(
      size, ConstantFP::get(type, isWide ? 0x1p-1022 : 0x1p-126));
  Value *scaled =
      b.CreateFMul(size, ConstantFP::get(type, isWide ? 0x1p54 : 0x1p24));
  Value *bits = b.CreateBitCast(b.CreateSelect(isTiny, scaled, size),
                                b.getIntNTy(isWide ? 64 : 32));
  Value *exponent =
      b.CreateZExtOrTrunc(b.CreateLShr(bits, isWide ? 52 : 23), b.getInt32Ty());
  exponent = b.CreateSub(exponent, b.getInt32(isWide ? 1023 : 127));
  exponent = b.CreateSelect(
      isTiny, b.CreateSub(exponent, b.getInt32(isWide ? 54 : 24)), exponent);
  if (ofZero->getType()->isFloatingPointTy())
    exponent = b.CreateSIToFP(exponent, type);
  Constant *zero = ConstantFP::get(type, 0);
  Value *result = b.CreateSelect(b.CreateFCmpOEQ(x, zero), ofZero, exponent);
  Value *isInf = b.CreateFCmpOEQ(size, ConstantFP::getInfinity(type));
  result = b.CreateSelect(isInf, ofInf, result);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), ofNaN, result);
}

static Value *getIlogb(Builder &b, Values x) {
  Value *least = b.getInt32(INT32_MIN);
  return getExponent(b, x[0], least, b.getInt32(INT32_MAX), least);
}

static Value *getLogb(Builder &b, Values x) {
  Type *type = x[0]->getType();
  return getExponent(b, x[0], ConstantFP::getInfinity(type, /*Negative=*/true),
                     ConstantFP::getInfinity(type), ConstantFP::getQNaN(type));
}

/// Of float32, rounded once: float64 has more than twice the digits.
static Value *getInverseRoot(Builder &b, Values x) {
  Value *wide = b.CreateFPExt(x[0], b.getDoubleTy());
  Value *root = b.CreateUnaryIntrinsic(Intrinsic::sqrt, wide);
  Value *one = ConstantFP::get(b.getDoubleTy(), 1);
  return b.CreateFPTrunc(b.CreateFDiv(one, root), b.getFloatTy());
}

//===----------------------------------------------------------------------===//
// Approximations
//===----------------------------------------------------------------------===//

// These are libdevice's numbers, so that results are those with a toolkit.
static constexpr float log2OfE = 0x1.715476p+0f, log2Of10 = 0x1.a934fp+1f,
                       logOf2 = 0x1.62e43p-1f, log10Of2 = 0x1.344136p-2f;

static Value *scale(Builder &b, Value *x, float factor) {
  return b.CreateFMul(x, ConstantFP::get(x->getType(), factor));
}

static Value *approximateExp2(Builder &b, Values x) {
  return create(b, Intrinsic::nvvm_ex2_approx, x, x[0]->getType());
}

static Value *approximateLog2(Builder &b, Value *x) {
  return create(b, Intrinsic::nvvm_lg2_approx_f, x);
}

static Value *approximateExp(Builder &b, Values x) {
  return approximateExp2(b, scale(b, x[0], log2OfE));
}

static Value *approximateExp10(Builder &b, Values x) {
  return approximateExp2(b, scale(b, x[0], log2Of10));
}

static Value *approximateLog(Builder &b, Values x) {
  return scale(b, approximateLog2(b, x[0]), logOf2);
}

static Value *approximateLog10(Builder &b, Values x) {
  return scale(b, approximateLog2(b, x[0]), log10Of2);
}

static Value *approximatePow(Builder &b, Values x) {
  return approximateExp2(b, b.CreateFMul(x[1], approximateLog2(b, x[0])));
}

static Value *approximateTan(Builder &b, Values x) {
  return create(b, Intrinsic::nvvm_div_approx_f,
                {create(b, Intrinsic::nvvm_sin_approx_f, x),
                 create(b, Intrinsic::nvvm_cos_approx_f, x)});
}

static Value *approximateTanh(Builder &b, Values x) {
  FastMathFlags flags;
  flags.setApproxFunc();
  return b.CreateUnaryIntrinsic(Intrinsic::tanh, x[0], flags);
}

static Compute getApproximation(StringRef symbol, bool isFast) {
  // Libdevice approximates these in all kernels; here other kernels than those
  // of `fastmath` get the bits of the CPU.
  if (isFast && symbol == "exp2f")
    return approximateExp2;
  if (isFast && symbol == "rsqrtf")
    return call<Intrinsic::nvvm_rsqrt_approx_f>;
  return StringSwitch<Compute>(symbol)
      .Case("fast_cosf", call<Intrinsic::nvvm_cos_approx_f>)
      .Case("fast_exp10f", approximateExp10)
      .Case("fast_expf", approximateExp)
      .Case("fast_fdividef", call<Intrinsic::nvvm_div_approx_f>)
      .Case("fast_log10f", approximateLog10)
      .Case("fast_log2f", call<Intrinsic::nvvm_lg2_approx_f>)
      .Case("fast_logf", approximateLog)
      .Case("fast_powf", approximatePow)
      .Case("fast_sinf", call<Intrinsic::nvvm_sin_approx_f>)
      .Case("fast_tanf", approximateTan)
      .Case("fast_tanhf", approximateTanh)
      .Default(nullptr);
}

Value *pyk::approximateLibdevice(CallInst &call, const LibdeviceOverload &row) {
  bool isFast = call.getModule()->getModuleFlag(kFlushFlag);
  Compute compute = getApproximation(row.symbol, isFast);
  if (!compute)
    return nullptr;
  IRBuilder<> b(&call);
  return compute(b, SmallVector<Value *>(call.args()));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Compute getCompute(StringRef symbol) {
  return StringSwitch<Compute>(symbol)
      .Cases({"abs", "llabs"}, getAbs)
      .Cases({"clz", "clzll"}, countZeros)
      .Cases({"ffs", "ffsll"}, findFirst)
      .Case("popcll", countOnes)
      .Case("mulhi", call<Intrinsic::nvvm_mulhi_i>)
      .Case("mul64hi", call<Intrinsic::nvvm_mulhi_ll>)
      .Case("umulhi", call<Intrinsic::nvvm_mulhi_ui>)
      .Case("umul64hi", call<Intrinsic::nvvm_mulhi_ull>)
      .Case("hadd", getMean<false, true>)
      .Case("uhadd", getMean<false, false>)
      .Case("rhadd", getMean<true, true>)
      .Case("urhadd", getMean<true, false>)
      .Case("byte_perm", selectBytes)
      .Cases({"signbitd", "signbitf"}, getSignBit)
      .Cases({"ilogb", "ilogbf"}, getIlogb)
      .Cases({"logb", "logbf"}, getLogb)
      .Case("frsqrt_rn", getInverseRoot)
      .Case("half2float", widenHalf)
      .Case("hiloint2double", joinWords)
      .Case("llrint", call<Intrinsic::nvvm_d2ll_rn>)
      .Case("llrintf", call<Intrinsic::nvvm_f2ll_rn>)
      .Case("llround", roundAway<Intrinsic::nvvm_d2ll_rz>)
      .Case("llroundf", roundAway<Intrinsic::nvvm_f2ll_rz>)
      .Case("fsub_rd", subtract<Intrinsic::nvvm_add_rm_f>)
      .Case("fsub_rn", subtract<Intrinsic::nvvm_add_rn_f>)
      .Case("fsub_ru", subtract<Intrinsic::nvvm_add_rp_f>)
      .Case("fsub_rz", subtract<Intrinsic::nvvm_add_rz_f>)
      .Default(nullptr);
}

Value *pyk::computeLibdeviceInstruction(CallInst &call,
                                        const LibdeviceOverload &row) {
  IRBuilder<> b(&call);
  SmallVector<Value *> arguments(call.args());
  if (row.nvvm != Intrinsic::not_intrinsic)
    return create(b, row.nvvm, arguments);
  Compute compute = getCompute(row.symbol);
  return compute ? compute(b, arguments) : nullptr;
}
