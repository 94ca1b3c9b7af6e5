// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements, and the operations that move or convert them.

#include "BackEndElements.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace pyk;
using namespace pyk::test;
using pyk::test::Operation;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool test::isFloat(Element element) { return element >= Element::Half; }

unsigned test::getBits(Element element) {
  switch (element) {
  case Element::Bool:
    return 1;
  case Element::I8:
    return 8;
  case Element::I16:
  case Element::Half:
    return 16;
  case Element::I32:
  case Element::Float:
    return 32;
  case Element::I64:
  case Element::Double:
    return 64;
  }
  llvm_unreachable("unknown element");
}

unsigned test::getBytes(Element element) {
  return std::max(getBits(element), 8U) / 8;
}

StringRef test::getName(Element element) {
  static constexpr StringRef names[] = {"bool", "i8",   "i16",   "i32",
                                        "i64",  "half", "float", "double"};
  return names[static_cast<unsigned>(element)];
}

Type *test::getType(LLVMContext &context, Element element) {
  switch (element) {
  case Element::Half:
    return Type::getHalfTy(context);
  case Element::Float:
    return Type::getFloatTy(context);
  case Element::Double:
    return Type::getDoubleTy(context);
  default:
    return IntegerType::get(context, getBits(element));
  }
}

static const fltSemantics &getSemantics(Element element) {
  switch (element) {
  case Element::Half:
    return APFloat::IEEEhalf();
  case Element::Float:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

uint64_t test::truncate(Element element, uint64_t value) {
  unsigned bits = getBits(element);
  return bits == 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

int64_t test::toSigned(Element element, uint64_t bits) {
  return SignExtend64(bits, getBits(element));
}

APFloat test::toFloat(Element element, uint64_t bits) {
  return {getSemantics(element), APInt(getBits(element), bits)};
}

uint64_t test::toBits(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

uint64_t test::roundTo(Element element, APFloat value) {
  bool isInexact;
  value.convert(getSemantics(element), APFloat::rmNearestTiesToEven,
                &isInexact);
  return toBits(value);
}

uint64_t test::makeValue(Element element, uint64_t random) {
  // Three quarters of the integers are any bits. Floats are chosen otherwise,
  // as most of those would be huge.
  uint64_t choice = random >> 56, rest = random * 0x9e3779b97f4a7c15U;
  rest ^= rest >> 29;
  if (element == Element::Bool)
    return rest & 1;
  if (!isFloat(element)) {
    uint64_t top = uint64_t(1) << (getBits(element) - 1);
    const uint64_t extremes[] = {0,       1,    ~uint64_t(0), top,
                                 top - 1, 0xff, 0x80,         rest & 0xff};
    return truncate(element, choice < 64 ? extremes[rest >> 61] : rest);
  }
  auto make = [&](double value) { return roundTo(element, APFloat(value)); };
  const uint64_t sign = uint64_t(rest & 1) << (getBits(element) - 1);
  if (choice < 80) {
    const APFloat extremes[] = {
        APFloat::getZero(getSemantics(element)),
        APFloat::getInf(getSemantics(element)),
        APFloat::getQNaN(getSemantics(element)),
        APFloat::getLargest(getSemantics(element)),
        APFloat::getSmallest(getSemantics(element)),
        APFloat::getSmallestNormalized(getSemantics(element)),
        toFloat(element, make(0.5)),
        toFloat(element, make(2147483648.0))};
    return toBits(extremes[rest >> 61]) ^ sign;
  }
  if (choice < 160)
    return make(double(int64_t(rest)) * 0x1p-48) ^ sign;
  if (choice < 200)
    return make(double(int64_t(rest >> 52)));
  uint64_t bits = truncate(element, rest);
  // A signaling NaN may become a quiet one wherever it is touched.
  return toFloat(element, bits).isSignaling() ? make(1.0) : bits;
}

bool Operation::accepts(uint64_t expected, uint64_t found) const {
  if (expected == found)
    return true;
  if (!isFloat(to))
    return false;
  APFloat a = toFloat(to, expected), b = toFloat(to, found);
  return (!keepsNaNs && a.isNaN() && b.isNaN()) ||
         (mixesZeros && a.isZero() && b.isZero());
}

Operation test::makeElementwise(std::string name, Element from, Element to,
                                unsigned operands,
                                decltype(Operation::emit) emit,
                                ElementFunction compute) {
  Operation operation{std::move(name), from, to, operands};
  operation.emit = std::move(emit);
  operation.evaluate = [compute = std::move(compute)](ArrayRef<Lanes> all) {
    Lanes result;
    SmallVector<uint64_t, 3> own(all.size());
    for (size_t lane = 0; lane < all.front().size(); ++lane) {
      for (size_t operand = 0; operand < all.size(); ++operand)
        own[operand] = all[operand][lane];
      result.push_back(compute(own));
    }
    return result;
  };
  return operation;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static std::string name(StringRef operation, Element from, Element to) {
  return (operation + " " + getName(from) + " to " + getName(to)).str();
}

/// The type of the vector or number `value` with elements `to`.
static Type *like(Value *value, Element to) {
  return value->getType()->getWithNewType(getType(value->getContext(), to));
}

static Operation makeCast(StringRef operation, Instruction::CastOps cast,
                          Element from, Element to, ElementFunction compute) {
  return makeElementwise(
      name(operation, from, to), from, to, 1,
      [=](IRBuilder<> &b, ArrayRef<Value *> values) {
        return b.CreateCast(cast, values[0], like(values[0], to));
      },
      std::move(compute));
}

static void addIntegerCasts(std::vector<Operation> &all) {
  for (Element wide : kIntegers)
    for (Element narrow :
         {Element::Bool, Element::I8, Element::I16, Element::I32}) {
      if (getBits(narrow) >= getBits(wide))
        continue;
      all.push_back(makeCast(
          "truncate", Instruction::Trunc, wide, narrow,
          [=](ArrayRef<uint64_t> x) { return truncate(narrow, x[0]); }));
      all.push_back(makeCast("extend", Instruction::ZExt, narrow, wide,
                             [](ArrayRef<uint64_t> x) { return x[0]; }));
      all.push_back(makeCast("extend signed", Instruction::SExt, narrow, wide,
                             [=](ArrayRef<uint64_t> x) {
                               return truncate(wide, toSigned(narrow, x[0]));
                             }));
      if (narrow == Element::Bool)
        all.push_back(makeElementwise(
            name("is not zero", wide, narrow), wide, narrow, 1,
            [](IRBuilder<> &b, ArrayRef<Value *> x) {
              return b.CreateIsNotNull(x[0]);
            },
            [](ArrayRef<uint64_t> x) { return uint64_t(x[0] != 0); }));
      else
        // Instructions that truncate may saturate, too.
        for (bool isSigned : {false, true})
          all.push_back(makeElementwise(
              name(isSigned ? "saturate signed" : "saturate", wide, narrow),
              wide, narrow, 1,
              [=](IRBuilder<> &b, ArrayRef<Value *> x) {
                APInt most = isSigned
                                 ? APInt::getSignedMaxValue(getBits(narrow))
                                 : APInt::getMaxValue(getBits(narrow));
                APInt least = isSigned
                                  ? APInt::getSignedMinValue(getBits(narrow))
                                  : APInt(getBits(narrow), 0);
                Type *type = x[0]->getType();
                unsigned bits = getBits(wide);
                Value *low = b.CreateBinaryIntrinsic(
                    isSigned ? Intrinsic::smin : Intrinsic::umin, x[0],
                    ConstantInt::get(type, most.zext(bits)));
                if (isSigned)
                  low = b.CreateBinaryIntrinsic(
                      Intrinsic::smax, low,
                      ConstantInt::get(type, least.sext(bits)));
                return b.CreateTrunc(low, like(x[0], narrow));
              },
              [=](ArrayRef<uint64_t> x) {
                unsigned bits = getBits(narrow);
                if (!isSigned)
                  return std::min(x[0], (uint64_t(1) << bits) - 1);
                int64_t most = (int64_t(1) << (bits - 1)) - 1;
                return truncate(
                    narrow, std::clamp(toSigned(wide, x[0]), -most - 1, most));
              }));
    }
}

static void addFloatCasts(std::vector<Operation> &all) {
  for (Element from : kFloats)
    for (Element to : kFloats)
      if (from != to)
        all.push_back(makeCast(
            "round", from < to ? Instruction::FPExt : Instruction::FPTrunc,
            from, to, [=](ArrayRef<uint64_t> x) {
              return roundTo(to, toFloat(from, x[0]));
            }));
}

/// The integer that is nearest to `value` towards 0 of those that `to` has; 0
/// for NaN.
static uint64_t saturate(const APFloat &value, Element to, bool isSigned) {
  APSInt result(getBits(to), !isSigned);
  bool isExact;
  if (value.isNaN())
    return 0;
  value.convertToInteger(result, APFloat::rmTowardZero, &isExact);
  return result.getZExtValue();
}

static void addNumberCasts(std::vector<Operation> &all) {
  for (Element integer :
       {Element::Bool, Element::I8, Element::I16, Element::I32, Element::I64})
    for (Element real : kFloats)
      for (bool isSigned : {false, true}) {
        if (isSigned && integer == Element::Bool)
          continue;
        StringRef sign = isSigned ? "signed" : "unsigned";
        all.push_back(makeCast(
            sign, isSigned ? Instruction::SIToFP : Instruction::UIToFP, integer,
            real, [=](ArrayRef<uint64_t> x) {
              APFloat value(getSemantics(real));
              value.convertFromAPInt(APInt(getBits(integer), x[0]), isSigned,
                                     APFloat::rmNearestTiesToEven);
              return toBits(value);
            }));
        if (integer == Element::Bool)
          continue;
        // As the vectorizer has it: by way of float, which has all halves.
        all.push_back(makeElementwise(
            name(sign, real, integer), real, integer, 1,
            [=](IRBuilder<> &b, ArrayRef<Value *> x) {
              Value *value =
                  real == Element::Half
                      ? b.CreateFPExt(x[0], like(x[0], Element::Float))
                      : x[0];
              return b.CreateIntrinsic(
                  isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                  {like(x[0], integer), value->getType()}, {value});
            },
            [=](ArrayRef<uint64_t> x) {
              return saturate(toFloat(real, x[0]), integer, isSigned);
            }));
      }
}

std::vector<Operation> test::getConversions() {
  std::vector<Operation> all;
  for (Element element :
       {Element::Bool, Element::I8, Element::I16, Element::I32, Element::I64,
        Element::Half, Element::Float, Element::Double}) {
    all.push_back(makeElementwise(
        name("copy", element, element), element, element, 1,
        [](IRBuilder<> &, ArrayRef<Value *> x) { return x[0]; },
        [](ArrayRef<uint64_t> x) { return x[0]; }));
    all.back().keepsNaNs = true;
  }
  addIntegerCasts(all);
  addFloatCasts(all);
  addNumberCasts(all);
  return all;
}
