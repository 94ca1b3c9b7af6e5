// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls for libdevice's functions what Libdevice.td says, or puts formulas in
// their place, also for vectors. Functions of libm are called under their own
// names, so that LLVM folds and simplifies them as it does in C, and are
// declared free of side effects: nothing reads errno.

#include "../Math/Formulas.h"
#include "BindToHost.h"
#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pyk;

/// Formulas in one function at most. Some take a hundred instructions, and a
/// thousand lines with one each take seconds to compile.
static constexpr int64_t kMostFormulas = 64;

/// The same for vectors of as many lanes as `like` has; that of numbers if it
/// is no vector.
static FunctionType *getTypeLike(FunctionType *type, Type *like) {
  auto *vector = dyn_cast<FixedVectorType>(like);
  if (!vector)
    return type;
  auto widen = [&](Type *number) -> Type * {
    return FixedVectorType::get(number, vector->getNumElements());
  };
  return FunctionType::get(widen(type->getReturnType()),
                           map_to_vector(type->params(), widen), false);
}

/// Writes to memory only through its pointers, if it has any.
static FunctionCallee declare(Module &module, StringRef name,
                              FunctionType *type) {
  FunctionCallee callee = module.getOrInsertFunction(name, type);
  auto *function = cast<Function>(callee.getCallee());
  bool hasPointer =
      any_of(type->params(), [](Type *one) { return one->isPointerTy(); });
  function->setMemoryEffects(hasPointer ? MemoryEffects::argMemOnly()
                                        : MemoryEffects::none());
  for (Attribute::AttrKind kind :
       {Attribute::NoCallback, Attribute::NoFree, Attribute::NoSync,
        Attribute::NoUnwind, Attribute::WillReturn})
    function->addFnAttr(kind);
  // C's convention: who is called may rely on the upper bits of a register.
  for (Argument &argument : function->args())
    if (argument.getType()->isIntegerTy(16))
      argument.addAttr(Attribute::SExt);
  return callee;
}

/// What Libdevice.td says of the function that `call` calls; null if it is none
/// of libdevice.
static const LibdeviceOverload *lookup(const CallInst &call) {
  auto *callee = dyn_cast<Function>(call.getCalledOperand());
  StringRef name = callee ? callee->getName() : "";
  return name.consume_front(kLibdevicePrefix)
             ? lookupLibdeviceSymbol(name.split(kLibdeviceLanes).first)
             : nullptr;
}

Formulas pyk::chooseFormulas(ArrayRef<CallInst *> calls) {
  int64_t count = count_if(calls, [](const CallInst *call) {
    const LibdeviceOverload *function = lookup(*call);
    return function && function->host.hasFormula && !function->host.isLong;
  });
  return count > kMostFormulas ? Formulas::Called : Formulas::Inlined;
}

Expected<Value *> pyk::callHostMath(CallInst &call, Formulas formulas) {
  StringRef name = call.getCalledFunction()->getName();
  const LibdeviceOverload *function = lookup(call);
  if (!function)
    return createStringError(
        "cannot run '" + name +
        "' on the CPU: there is no function of the host for it");
  FunctionType *type = getFunctionType(*function, call.getContext());
  const LibdeviceHost &host = function->host;
  bool hasFormula = host.hasFormula && formulas != Formulas::None;
  FunctionType *expected = hasFormula || host.function.empty()
                               ? getTypeLike(type, call.getType())
                               : type;
  if (Error error = expectType(call, *expected))
    return error;
  if (hasFormula)
    return formulas == Formulas::Called || host.isLong
               ? callFormula(call, host.function, FormulaCalls::Stay)
               : computeFormula(call, host.function);
  if (Value *result = computeInstruction(call, host))
    return result;

  IRBuilder<> builder(&call);
  if (isa<FPMathOperator>(call))
    builder.setFastMathFlags(call.getFastMathFlags());
  SmallVector<Value *> arguments(call.args());
  // Without formulas. LLVM 22 takes the result of calling fmod for a number if
  // the dividend is no infinity, but that may be NaN.
  if (host.function == "fmod" || host.function == "fmodf")
    return builder.CreateFRem(arguments[0], arguments[1]);
  return builder.CreateCall(declare(*call.getModule(), host.function, type),
                            arguments);
}
