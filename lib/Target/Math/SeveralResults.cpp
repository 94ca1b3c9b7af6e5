// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces calls of libdevice's functions that return values through pointers
// (sincos, modf and others) by calls of functions that return one value.

#include "Formulas.h"
#include "Real.h"
#include "pyk/Libdevice/Libdevice.h"
#include "llvm/IR/Module.h"

#include <limits>

using namespace llvm;
using namespace pyk;

namespace {

/// Computes what `call` does, by instructions in front of it.
class ResultSplitter {
public:
  explicit ResultSplitter(CallInst &call) : call(call), b(&call) {}

  /// The sine and the cosine, each by the function of that name.
  Value *computeSincos(StringRef sine, StringRef cosine) {
    store(apply(sine, {getReal(0)}), 1);
    store(apply(cosine, {getReal(0)}), 2);
    return nullptr;
  }

  Value *computeModf() {
    Real x = getReal(0), whole = x.trunc();
    Truth isInfinite = x.abs() == std::numeric_limits<double>::infinity();
    store(whole, 1);
    return select(isInfinite, 0.0, x - whole).withSignOf(x).value;
  }

  Value *computeFrexp() {
    Real x = getReal(0), size = x.abs();
    int64_t fraction = x.getFractionBits(), bias = x.getBias();
    // Subnormal numbers are scaled into the range of normal ones.
    Truth isTiny = size < x.constant(0x1p-126, 0x1p-1022);
    Real number = select(isTiny, x * x.constant(0x1p24, 0x1p54), x);
    Whole bits = number.asWhole();
    Whole own = (bits >> fraction) & (2 * bias + 1);
    Real mantissa =
        (bits - (own << fraction) + ((bias - 1) << fraction)).asReal();
    Whole exponent = own - (bias - 1);
    exponent = select(isTiny, exponent - (x.isWide() ? 54 : 24), exponent);
    Truth isOrdinary =
        size > 0.0 && size < std::numeric_limits<double>::infinity();
    exponent = select(isOrdinary, exponent, exponent.constant(0));
    b.CreateStore(b.CreateTrunc(exponent.value, b.getInt32Ty()),
                  call.getArgOperand(1));
    return select(isOrdinary, mantissa, x).value;
  }

  Value *computeRemquo() {
    Real x = getReal(0), y = getReal(1);
    Real size = x.abs(), step = y.abs();
    // Each difference is exact.
    Real rest = apply("fmod", {size, step * 8.0});
    Value *quotient = b.getInt32(0);
    auto count = [&](Truth condition, uint32_t more) {
      Value *larger = b.CreateAdd(quotient, b.getInt32(more));
      quotient = b.CreateSelect(condition.value, larger, quotient);
    };
    for (uint32_t more : {4, 2, 1}) {
      Real part = step * more;
      Truth isLess = rest < part, isNone = rest.isNaN();
      Truth fits = !(isLess || isNone);
      rest = select(fits, rest - part, rest);
      count(fits, more);
    }
    Real twice = rest + rest;
    Truth isOdd = {&b, b.CreateTrunc(quotient, b.getInt1Ty())};
    Truth isUp = twice > step || (twice == step && isOdd);
    count(isUp, 1);
    rest = select(isUp, rest - step, rest);
    Truth isNegative = (x.asWhole() < 0) != (y.asWhole() < 0);
    b.CreateStore(
        b.CreateSelect(isNegative.value, b.CreateNeg(quotient), quotient),
        call.getArgOperand(2));
    return select(x.asWhole() < 0, -rest, rest).value;
  }

private:
  Real getReal(unsigned i) { return {&b, call.getArgOperand(i)}; }

  void store(Real value, unsigned i) {
    b.CreateStore(value.value, call.getArgOperand(i));
  }

  /// Calls libdevice's function of that name.
  Real apply(StringRef name, ArrayRef<Real> arguments) {
    Type *type = arguments.front().value->getType();
    SmallVector<Value *> values;
    for (Real argument : arguments)
      values.push_back(argument.value);
    std::string symbol = (kLibdevicePrefix + name).str();
    if (type->isFloatTy())
      symbol += "f";
    SmallVector<Type *> types(values.size(), type);
    FunctionCallee callee = call.getModule()->getOrInsertFunction(
        symbol, FunctionType::get(type, types, false));
    return {&b, b.CreateCall(callee, values)};
  }

  CallInst &call;
  IRBuilder<> b;
};

} // namespace

/// What `call` of the function `symbol` returns; null if that is nothing.
static Value *split(CallInst &call, StringRef symbol) {
  ResultSplitter splitter(call);
  if (symbol == "fast_sincosf")
    return splitter.computeSincos("fast_sin", "fast_cos");
  if (call.getArgOperand(0)->getType()->isFloatTy())
    symbol.consume_back("f");
  if (symbol == "sincos")
    return splitter.computeSincos("sin", "cos");
  if (symbol == "sincospi")
    return splitter.computeSincos("sinpi", "cospi");
  if (symbol == "modf")
    return splitter.computeModf();
  if (symbol == "frexp")
    return splitter.computeFrexp();
  assert(symbol == "remquo" && "no other function has such a row");
  return splitter.computeRemquo();
}

Error pyk::splitResults(Module &module) {
  for (const LibdeviceOverload *row : getLibdeviceOverloads()) {
    if (!row->host.isSplit)
      continue;
    Function *callee =
        module.getFunction((kLibdevicePrefix + row->symbol).str());
    if (!callee || !callee->isDeclaration())
      continue;
    for (User *user : make_early_inc_range(callee->users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != callee)
        continue;
      if (Error error =
              expectType(*call, *getFunctionType(*row, module.getContext())))
        return error;
      Value *result = split(*call, row->symbol);
      if (result)
        call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
    if (callee->use_empty())
      callee->eraseFromParent();
  }
  return Error::success();
}
