// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls for libdevice's functions what Libdevice.td says, or puts formulas in
// their place, also for vectors. Functions of libm
// are called under their own names, so that LLVM folds and simplifies them as
// it does in C, and are declared free of side effects: nothing reads errno.

#include "BindToHost.h"
#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pyk;

/// Formulas in one function at most. Some take a hundred instructions, and a
/// thousand lines with one each take seconds to compile.
static constexpr int64_t kMostFormulas = 64;

static Type *getType(LLVMContext &context, char letter) {
  switch (letter) {
  case 'h':
    return Type::getInt16Ty(context);
  case 'i':
    return Type::getInt32Ty(context);
  case 'l':
    return Type::getInt64Ty(context);
  case 'f':
    return Type::getFloatTy(context);
  case 'd':
    return Type::getDoubleTy(context);
  default:
    return Type::getVoidTy(context);
  }
}

static FunctionType *getType(LLVMContext &context, StringRef signature) {
  SmallVector<Type *> parameters;
  for (char letter : signature.drop_front())
    parameters.push_back(isUpper(letter) ? PointerType::get(context, 0)
                                         : getType(context, letter));
  return FunctionType::get(getType(context, signature.front()), parameters,
                           false);
}

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

static std::string print(const Type &type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
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

/// PTX's min or max: a NaN loses against a number, and -0 is below +0.
/// `llvm.minimumnum` says the same, but LLVM 22 lowers it wrongly for x86 where
/// it knows that one operand is no NaN. `llvm.minnum` leaves zeros open: equal
/// numbers differ in nothing but the sign, which is combined here.
static Value *createMinMax(IRBuilder<> &builder, bool isMax, Value *a,
                           Value *b) {
  Value *result = builder.CreateBinaryIntrinsic(
      isMax ? Intrinsic::maxnum : Intrinsic::minnum, a, b);
  Type *bits = a->getType()->getWithNewType(
      builder.getIntNTy(a->getType()->getScalarSizeInBits()));
  Value *aBits = builder.CreateBitCast(a, bits);
  Value *bBits = builder.CreateBitCast(b, bits);
  Value *equal =
      isMax ? builder.CreateAnd(aBits, bBits) : builder.CreateOr(aBits, bBits);
  return builder.CreateSelect(builder.CreateFCmpOEQ(a, b),
                              builder.CreateBitCast(equal, a->getType()),
                              result);
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
    return function && function->host.hasFormula;
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
  FunctionType *type = getType(call.getContext(), function->type);
  const LibdeviceHost &host = function->host;
  bool hasFormula = host.hasFormula && formulas != Formulas::None;
  FunctionType *expected = hasFormula || host.function.empty()
                               ? getTypeLike(type, call.getType())
                               : type;
  if (expected != call.getFunctionType())
    return createStringError("expects '" + name + "' of type " +
                             print(*expected) + " but got " +
                             print(*call.getFunctionType()));
  if (hasFormula) {
    FunctionCallee callee = declare(*call.getModule(), host.function, type);
    return formulas == Formulas::Called ? callFormula(call, callee)
                                        : computeFormula(call, callee);
  }

  IRBuilder<> builder(&call);
  if (isa<FPMathOperator>(call))
    builder.setFastMathFlags(call.getFastMathFlags());
  SmallVector<Value *> arguments(call.args());
  if (host.isBitcast)
    return builder.CreateBitCast(arguments[0], call.getType());
  if (host.classMask) {
    Value *test = builder.createIsFPClass(arguments[0], host.classMask);
    return builder.CreateZExt(test, call.getType());
  }
  // Without formulas. LLVM 22 takes the result of calling fmod for a number if
  // the dividend is no infinity, but that may be NaN.
  if (host.function == "fmod" || host.function == "fmodf")
    return builder.CreateFRem(arguments[0], arguments[1]);
  if (!host.function.empty())
    return builder.CreateCall(declare(*call.getModule(), host.function, type),
                              arguments);
  if (host.intrinsic == Intrinsic::minimumnum ||
      host.intrinsic == Intrinsic::maximumnum)
    return createMinMax(builder, host.intrinsic == Intrinsic::maximumnum,
                        arguments[0], arguments[1]);
  return builder.CreateIntrinsic(host.intrinsic, {call.getType()}, arguments);
}
