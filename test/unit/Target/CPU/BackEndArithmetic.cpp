// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparisons and choices, element by element.

#include "BackEndElements.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Intrinsics.h"

#include <cmath>

using namespace llvm;
using namespace pyk;
using namespace pyk::test;
using pyk::test::Operation;

using Emit = decltype(Operation::emit);

static Emit emitBinary(Instruction::BinaryOps opcode) {
  return [=](IRBuilder<> &b, ArrayRef<Value *> x) {
    return b.CreateBinOp(opcode, x[0], x[1]);
  };
}

static Emit emitIntrinsic(Intrinsic::ID intrinsic) {
  return [=](IRBuilder<> &b, ArrayRef<Value *> x) {
    return b.CreateIntrinsic(intrinsic, {x[0]->getType()}, x);
  };
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A shift as pyk's: by any count, the bits that are shifted out are gone.
static Emit emitShift(Instruction::BinaryOps opcode) {
  return [=](IRBuilder<> &b, ArrayRef<Value *> x) {
    Type *type = x[0]->getType();
    unsigned bits = type->getScalarSizeInBits();
    if (opcode == Instruction::AShr)
      return b.CreateAShr(
          x[0], b.CreateBinaryIntrinsic(Intrinsic::umin, x[1],
                                        ConstantInt::get(type, bits - 1)));
    Value *isLess = b.CreateICmpULT(x[1], ConstantInt::get(type, bits));
    return b.CreateSelect(isLess, b.CreateBinOp(opcode, x[0], x[1]),
                          Constant::getNullValue(type));
  };
}

/// A division of which no case is undefined: by a number from 1 on.
static Emit emitDivision(Instruction::BinaryOps opcode) {
  return [=](IRBuilder<> &b, ArrayRef<Value *> x) {
    Type *type = x[0]->getType();
    unsigned bits = type->getScalarSizeInBits();
    Value *low = b.CreateAnd(
        x[1], ConstantInt::get(type, APInt::getSignedMaxValue(bits)));
    return b.CreateBinOp(
        opcode, x[0],
        b.CreateBinOp(Instruction::Or, low, ConstantInt::get(type, 1)));
  };
}

static void addIntegers(Element element, std::vector<Operation> &all) {
  using Bits = ArrayRef<uint64_t>;
  const unsigned bits = getBits(element);
  auto add = [&](StringRef name, unsigned operands, Emit emit,
                 ElementFunction compute) {
    all.push_back(makeElementwise(
        (name + " " + getName(element)).str(), element, element, operands,
        std::move(emit), [element, compute = std::move(compute)](Bits x) {
          return truncate(element, compute(x));
        }));
  };
  auto isSigned = [element](uint64_t value) {
    return toSigned(element, value);
  };
  auto divisor = [bits](uint64_t value) {
    return int64_t((value & ((uint64_t(1) << (bits - 1)) - 1)) | 1);
  };
  add("add", 2, emitBinary(Instruction::Add),
      [](Bits x) { return x[0] + x[1]; });
  add("sub", 2, emitBinary(Instruction::Sub),
      [](Bits x) { return x[0] - x[1]; });
  add("mul", 2, emitBinary(Instruction::Mul),
      [](Bits x) { return x[0] * x[1]; });
  add("and", 2, emitBinary(Instruction::And),
      [](Bits x) { return x[0] & x[1]; });
  add("or", 2, emitBinary(Instruction::Or), [](Bits x) { return x[0] | x[1]; });
  add("xor", 2, emitBinary(Instruction::Xor),
      [](Bits x) { return x[0] ^ x[1]; });
  add("shl", 2, emitShift(Instruction::Shl),
      [=](Bits x) { return x[1] < bits ? x[0] << x[1] : 0; });
  add("lshr", 2, emitShift(Instruction::LShr),
      [=](Bits x) { return x[1] < bits ? x[0] >> x[1] : 0; });
  add("ashr", 2, emitShift(Instruction::AShr), [=](Bits x) {
    return uint64_t(isSigned(x[0]) >> std::min<uint64_t>(x[1], bits - 1));
  });
  add("sdiv", 2, emitDivision(Instruction::SDiv),
      [=](Bits x) { return uint64_t(isSigned(x[0]) / divisor(x[1])); });
  add("srem", 2, emitDivision(Instruction::SRem),
      [=](Bits x) { return uint64_t(isSigned(x[0]) % divisor(x[1])); });
  add("udiv", 2, emitDivision(Instruction::UDiv),
      [=](Bits x) { return x[0] / uint64_t(divisor(x[1])); });
  add("urem", 2, emitDivision(Instruction::URem),
      [=](Bits x) { return x[0] % uint64_t(divisor(x[1])); });
  add("smin", 2, emitIntrinsic(Intrinsic::smin),
      [=](Bits x) { return isSigned(x[0]) < isSigned(x[1]) ? x[0] : x[1]; });
  add("smax", 2, emitIntrinsic(Intrinsic::smax),
      [=](Bits x) { return isSigned(x[0]) > isSigned(x[1]) ? x[0] : x[1]; });
  add("umin", 2, emitIntrinsic(Intrinsic::umin),
      [](Bits x) { return std::min(x[0], x[1]); });
  add("umax", 2, emitIntrinsic(Intrinsic::umax),
      [](Bits x) { return std::max(x[0], x[1]); });
  add("ctpop", 1, emitIntrinsic(Intrinsic::ctpop),
      [](Bits x) { return uint64_t(llvm::popcount(x[0])); });
  auto zeros = [](Intrinsic::ID intrinsic) -> Emit {
    return [=](IRBuilder<> &b, ArrayRef<Value *> x) {
      return b.CreateBinaryIntrinsic(intrinsic, x[0], b.getFalse());
    };
  };
  add("ctlz", 1, zeros(Intrinsic::ctlz),
      [=](Bits x) { return uint64_t(llvm::countl_zero(x[0])) - (64 - bits); });
  add("cttz", 1, zeros(Intrinsic::cttz), [=](Bits x) {
    return std::min<uint64_t>(llvm::countr_zero(x[0]), bits);
  });
  add("bitreverse", 1, emitIntrinsic(Intrinsic::bitreverse), [=](Bits x) {
    uint64_t reversed = 0;
    for (unsigned bit = 0; bit < bits; ++bit)
      reversed |= (x[0] >> bit & 1) << (bits - 1 - bit);
    return reversed;
  });
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Of -0 and 0, either.
static uint64_t pickNumber(Element element, ArrayRef<uint64_t> x, bool isMax) {
  APFloat a = toFloat(element, x[0]), b = toFloat(element, x[1]);
  if (a.isNaN() || b.isNaN())
    return a.isNaN() ? x[1] : x[0];
  return (a < b) != isMax ? x[0] : x[1];
}

static void addFloats(Element element, std::vector<Operation> &all) {
  using Bits = ArrayRef<uint64_t>;
  auto add = [&](StringRef name, unsigned operands, Emit emit,
                 ElementFunction compute) {
    all.push_back(makeElementwise((name + " " + getName(element)).str(),
                                  element, element, operands, std::move(emit),
                                  std::move(compute)));
  };
  using Method = APFloat::opStatus (APFloat::*)(const APFloat &, RoundingMode);
  auto addBinary = [&](StringRef name, Instruction::BinaryOps opcode,
                       Method method) {
    add(name, 2, emitBinary(opcode), [=](Bits x) {
      APFloat value = toFloat(element, x[0]);
      (value.*method)(toFloat(element, x[1]), APFloat::rmNearestTiesToEven);
      return toBits(value);
    });
  };
  addBinary("fadd", Instruction::FAdd, &APFloat::add);
  addBinary("fsub", Instruction::FSub, &APFloat::subtract);
  addBinary("fmul", Instruction::FMul, &APFloat::multiply);
  addBinary("fdiv", Instruction::FDiv, &APFloat::divide);
  auto addRounding = [&](StringRef name, Intrinsic::ID intrinsic,
                         RoundingMode mode) {
    add(name, 1, emitIntrinsic(intrinsic), [=](Bits x) {
      APFloat value = toFloat(element, x[0]);
      value.roundToIntegral(mode);
      return toBits(value);
    });
  };
  addRounding("floor", Intrinsic::floor, APFloat::rmTowardNegative);
  addRounding("ceil", Intrinsic::ceil, APFloat::rmTowardPositive);
  addRounding("trunc", Intrinsic::trunc, APFloat::rmTowardZero);
  addRounding("roundeven", Intrinsic::roundeven, APFloat::rmNearestTiesToEven);
  const uint64_t sign = uint64_t(1) << (getBits(element) - 1);
  add("fabs", 1, emitIntrinsic(Intrinsic::fabs),
      [=](Bits x) { return x[0] & ~sign; });
  add(
      "fneg", 1,
      [](IRBuilder<> &b, ArrayRef<Value *> x) { return b.CreateFNeg(x[0]); },
      [=](Bits x) { return x[0] ^ sign; });
  add("copysign", 2, emitIntrinsic(Intrinsic::copysign),
      [=](Bits x) { return (x[0] & ~sign) | (x[1] & sign); });
  add("minnum", 2, emitIntrinsic(Intrinsic::minnum),
      [=](Bits x) { return pickNumber(element, x, /*isMax=*/false); });
  all.back().mixesZeros = true;
  add("maxnum", 2, emitIntrinsic(Intrinsic::maxnum),
      [=](Bits x) { return pickNumber(element, x, /*isMax=*/true); });
  all.back().mixesZeros = true;
  add("minimum", 2, emitIntrinsic(Intrinsic::minimum), [=](Bits x) {
    return toBits(minimum(toFloat(element, x[0]), toFloat(element, x[1])));
  });
  add("maximum", 2, emitIntrinsic(Intrinsic::maximum), [=](Bits x) {
    return toBits(maximum(toFloat(element, x[0]), toFloat(element, x[1])));
  });
  // Double holds the square root of a shorter float to more than twice its
  // digits; that of a double is the processor's own, of one number.
  add("sqrt", 1, emitIntrinsic(Intrinsic::sqrt), [=](Bits x) {
    uint64_t wide = roundTo(Element::Double, toFloat(element, x[0]));
    double root = std::sqrt(llvm::bit_cast<double>(wide));
    return roundTo(element, APFloat(root));
  });
  add("fma", 3, emitIntrinsic(Intrinsic::fma), [=](Bits x) {
    APFloat value = toFloat(element, x[0]);
    value.fusedMultiplyAdd(toFloat(element, x[1]), toFloat(element, x[2]),
                           APFloat::rmNearestTiesToEven);
    return toBits(value);
  });
}

//===----------------------------------------------------------------------===//
// Comparisons and choices
//===----------------------------------------------------------------------===//

/// Whether an ordering of two values, or that they have none, satisfies
/// `predicate`: the lowest bits of one of floats are "equal", "greater" and
/// "less", the next one "unordered".
static bool holds(CmpInst::Predicate predicate, APFloat::cmpResult result) {
  static constexpr unsigned bits[] = {4, 1, 2, 8};
  return (predicate & bits[result]) != 0;
}

static uint64_t compare(CmpInst::Predicate predicate, Element element,
                        ArrayRef<uint64_t> x) {
  if (isFloat(element))
    return holds(predicate,
                 toFloat(element, x[0]).compare(toFloat(element, x[1])));
  unsigned bits = getBits(element);
  return ICmpInst::compare(APInt(bits, x[0]), APInt(bits, x[1]), predicate);
}

static void addComparisons(Element element, std::vector<Operation> &all) {
  auto add = [&](CmpInst::Predicate predicate) {
    std::string kind =
        (CmpInst::getPredicateName(predicate) + " " + getName(element)).str();
    all.push_back(makeElementwise(
        "compare " + kind, element, Element::Bool, 2,
        [=](IRBuilder<> &b, ArrayRef<Value *> x) {
          return b.CreateCmp(predicate, x[0], x[1]);
        },
        [=](ArrayRef<uint64_t> x) { return compare(predicate, element, x); }));
    all.push_back(makeElementwise(
        "choose by " + kind, element, element, 3,
        [=](IRBuilder<> &b, ArrayRef<Value *> x) {
          return b.CreateSelect(b.CreateCmp(predicate, x[0], x[1]), x[2], x[0]);
        },
        [=](ArrayRef<uint64_t> x) {
          return compare(predicate, element, x) ? x[2] : x[0];
        }));
    all.back().keepsNaNs = true;
  };
  if (isFloat(element)) {
    for (unsigned number = CmpInst::FIRST_FCMP_PREDICATE + 1;
         number < CmpInst::LAST_FCMP_PREDICATE; ++number)
      add(static_cast<CmpInst::Predicate>(number));
    return;
  }
  for (unsigned number = CmpInst::FIRST_ICMP_PREDICATE;
       number <= CmpInst::LAST_ICMP_PREDICATE; ++number)
    add(static_cast<CmpInst::Predicate>(number));
}

static void addBools(std::vector<Operation> &all) {
  auto add = [&](const char *name, Instruction::BinaryOps opcode,
                 ElementFunction compute) {
    all.push_back(makeElementwise(name, Element::Bool, Element::Bool, 2,
                                  emitBinary(opcode), std::move(compute)));
  };
  using Bits = ArrayRef<uint64_t>;
  add("and bool", Instruction::And, [](Bits x) { return x[0] & x[1]; });
  add("or bool", Instruction::Or, [](Bits x) { return x[0] | x[1]; });
  add("xor bool", Instruction::Xor, [](Bits x) { return x[0] ^ x[1]; });
  all.push_back(makeElementwise(
      "choose bool", Element::Bool, Element::Bool, 3,
      [](IRBuilder<> &b, ArrayRef<Value *> x) {
        return b.CreateSelect(x[0], x[1], x[2]);
      },
      [](Bits x) { return x[0] ? x[1] : x[2]; }));
}

std::vector<Operation> test::getArithmetic() {
  std::vector<Operation> all;
  for (Element element : kIntegers) {
    addIntegers(element, all);
    addComparisons(element, all);
  }
  for (Element element : kFloats) {
    addFloats(element, all);
    addComparisons(element, all);
  }
  addBools(all);
  return all;
}
