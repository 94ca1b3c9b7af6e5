// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations in which elements change places or become one: what the CPU's
// vectorizer writes of shuffles of a warp, of accesses with a stride and of
// transposed tiles, and what LLVM's makes of loops that sum up.

#include "BackEndElements.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"

#include <numeric>
#include <random>

using namespace llvm;
using namespace pyk;
using namespace pyk::test;
using pyk::test::Operation;

/// A shuffle of two vectors: element i of the result is the one at `places[i]`
/// in both.
static Operation makeShuffle(const Twine &name, Element element,
                             std::vector<int> places) {
  Operation operation{(name + " " + getName(element)).str(), element, element,
                      2};
  operation.resultLanes = places.size();
  operation.keepsNaNs = true;
  operation.emit = [places](IRBuilder<> &b, ArrayRef<Value *> x) {
    return b.CreateShuffleVector(x[0], x[1], places);
  };
  operation.evaluate = [places](ArrayRef<Lanes> x) {
    Lanes both = x[0], result;
    both.append(x[1]);
    for (int place : places)
      result.push_back(both[place]);
    return result;
  };
  return operation;
}

static void addShuffles(Element element, int lanes,
                        std::vector<Operation> &all) {
  auto add = [&](const Twine &name, function_ref<int(int)> getPlace) {
    std::vector<int> places;
    for (int lane = 0; lane < lanes; ++lane)
      places.push_back(getPlace(lane));
    all.push_back(makeShuffle(name, element, places));
  };
  add("reverse", [&](int lane) { return lanes - 1 - lane; });
  for (int by = 1; by < lanes; by *= 2) {
    add("exchange by " + Twine(by), [&](int lane) { return lane ^ by; });
    add("slide by " + Twine(by), [&](int lane) { return lane + by; });
    add("shift up by " + Twine(by),
        [&](int lane) { return lane < by ? lane : lane - by; });
    add("interleave by " + Twine(by), [&](int lane) {
      return lane / (2 * by) * by + lane % by + (lane & by ? lanes : 0);
    });
    add("alternate by " + Twine(by),
        [&](int lane) { return lane & by ? lanes + (lane ^ by) : lane; });
  }
  for (int step : {2, 3, 4})
    add("every element " + Twine(step),
        [&](int lane) { return step * lane % (2 * lanes); });
  for (int lane : {0, 1, lanes - 1})
    add("broadcast element " + Twine(lane), [&](int) { return lane; });
  std::mt19937 random(lanes);
  for (int number = 0; number < 4; ++number)
    add("any " + Twine(number),
        [&](int) { return static_cast<int>(random() % (2 * lanes)); });
}

/// Elements that are extracted, changed as numbers and inserted again.
static Operation makeInsertion(Element element, unsigned lanes) {
  Operation operation{("extract and insert " + getName(element)).str(), element,
                      element, 2};
  operation.keepsNaNs = true;
  operation.emit = [=](IRBuilder<> &b, ArrayRef<Value *> x) {
    Value *result = x[1];
    for (unsigned lane = 0; lane < lanes; lane += 2)
      result = b.CreateInsertElement(
          result, b.CreateExtractElement(x[0], uint64_t(lanes - 1 - lane)),
          uint64_t(lane));
    return result;
  };
  operation.evaluate = [=](ArrayRef<Lanes> x) {
    Lanes result = x[1];
    for (unsigned lane = 0; lane < lanes; lane += 2)
      result[lane] = x[0][lanes - 1 - lane];
    return result;
  };
  return operation;
}

static void addReductions(Element element, std::vector<Operation> &all) {
  auto add = [&](const char *name, Intrinsic::ID intrinsic,
                 std::function<uint64_t(uint64_t, uint64_t)> combine) {
    Operation operation{(name + (" " + getName(element))).str(), element,
                        element, 1, /*resultLanes=*/1};
    operation.emit = [=](IRBuilder<> &b, ArrayRef<Value *> x) {
      return b.CreateIntrinsic(intrinsic, {x[0]->getType()}, x);
    };
    operation.evaluate = [=](ArrayRef<Lanes> x) {
      uint64_t first = x[0].front();
      uint64_t result =
          std::accumulate(x[0].begin() + 1, x[0].end(), first, combine);
      return Lanes{truncate(element, result)};
    };
    all.push_back(std::move(operation));
  };
  auto less = [element](uint64_t a, uint64_t b) {
    return toSigned(element, a) < toSigned(element, b);
  };
  using Bits = uint64_t;
  add("reduce add", Intrinsic::vector_reduce_add,
      [](Bits a, Bits b) { return a + b; });
  add("reduce mul", Intrinsic::vector_reduce_mul,
      [](Bits a, Bits b) { return a * b; });
  add("reduce and", Intrinsic::vector_reduce_and,
      [](Bits a, Bits b) { return a & b; });
  add("reduce or", Intrinsic::vector_reduce_or,
      [](Bits a, Bits b) { return a | b; });
  add("reduce xor", Intrinsic::vector_reduce_xor,
      [](Bits a, Bits b) { return a ^ b; });
  add("reduce smin", Intrinsic::vector_reduce_smin,
      [=](Bits a, Bits b) { return less(a, b) ? a : b; });
  add("reduce smax", Intrinsic::vector_reduce_smax,
      [=](Bits a, Bits b) { return less(a, b) ? b : a; });
  add("reduce umin", Intrinsic::vector_reduce_umin,
      [](Bits a, Bits b) { return std::min(a, b); });
  add("reduce umax", Intrinsic::vector_reduce_umax,
      [](Bits a, Bits b) { return std::max(a, b); });
}

/// The sum of floats in their order.
static Operation makeOrderedSum(Element element) {
  Operation operation{("sum up " + getName(element)).str(), element, element, 1,
                      /*resultLanes=*/1};
  operation.emit = [](IRBuilder<> &b, ArrayRef<Value *> x) {
    Type *type = x[0]->getType()->getScalarType();
    return b.CreateFAddReduce(ConstantFP::getNegativeZero(type), x[0]);
  };
  operation.evaluate = [=](ArrayRef<Lanes> x) {
    APFloat sum = toFloat(element, x[0].front());
    for (uint64_t next : ArrayRef(x[0]).drop_front())
      sum.add(toFloat(element, next), APFloat::rmNearestTiesToEven);
    return Lanes{toBits(sum)};
  };
  return operation;
}

/// What a mask says as a whole: its bits as a number, which is `to`.
static Operation makeBallot(unsigned lanes) {
  Element to = lanes <= 8    ? Element::I8
               : lanes == 16 ? Element::I16
                             : Element::I32;
  Operation operation{"bits of a mask", Element::Bool, to, 1,
                      /*resultLanes=*/1};
  operation.emit = [=](IRBuilder<> &b, ArrayRef<Value *> x) {
    return b.CreateZExt(b.CreateBitCast(x[0], b.getIntNTy(lanes)),
                        getType(b.getContext(), to));
  };
  operation.evaluate = [](ArrayRef<Lanes> x) {
    uint64_t bits = 0;
    for (auto [lane, bit] : enumerate(x[0]))
      bits |= bit << lane;
    return Lanes{bits};
  };
  return operation;
}

/// The lower half of the lanes, others 0, computed by a bitwise `and` as the
/// unroller does for masks, while it waits on the stack: no register survives
/// what comes between.
static Operation makeSpilledHalf(Element element, unsigned lanes) {
  Operation operation{("spill half of " + getName(element)).str(), element,
                      element, 1};
  operation.emit = [=](IRBuilder<> &b, ArrayRef<Value *> x) -> Value * {
    SmallVector<Constant *> kept;
    Type *type = x[0]->getType()->getScalarType();
    for (unsigned lane = 0; lane < lanes; ++lane)
      kept.push_back(lane < lanes / 2 ? Constant::getAllOnesValue(type)
                                      : Constant::getNullValue(type));
    Value *half = b.CreateAnd(b.CreateFreeze(x[0]), ConstantVector::get(kept));
    std::string clobbers;
    for (unsigned number = 0; number < 16; ++number)
      clobbers += "~{xmm" + std::to_string(number) + "},";
    for (unsigned number = 0; number < 8; ++number)
      clobbers += "~{k" + std::to_string(number) + "},";
    auto *none = FunctionType::get(b.getVoidTy(), /*isVarArg=*/false);
    b.CreateCall(InlineAsm::get(none, "", StringRef(clobbers).drop_back(),
                                /*hasSideEffects=*/true));
    return half;
  };
  operation.evaluate = [=](ArrayRef<Lanes> x) {
    Lanes result = x[0];
    for (unsigned lane = lanes / 2; lane < lanes; ++lane)
      result[lane] = 0;
    return result;
  };
  return operation;
}

std::vector<Operation> test::getExchanges(unsigned lanes) {
  std::vector<Operation> all;
  for (Element element :
       {Element::Bool, Element::I8, Element::I16, Element::I32, Element::I64,
        Element::Half, Element::Float, Element::Double}) {
    addShuffles(element, static_cast<int>(lanes), all);
    all.push_back(makeInsertion(element, lanes));
  }
  for (Element element : kIntegers)
    addReductions(element, all);
  for (Element element : {Element::Float, Element::Double})
    all.push_back(makeOrderedSum(element));
  all.push_back(makeBallot(lanes));
#ifdef __x86_64__
  for (Element element : {Element::Bool, Element::I8, Element::I32})
    all.push_back(makeSpilledHalf(element, lanes));
#endif
  return all;
}
