// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls for libdevice's functions what HostMath.def says. Functions of libm are
// called under their own names, so that LLVM folds and simplifies them as it
// does in C, and are declared free of side effects: nothing reads errno.

#include "BindToHost.h"
#include "HostMath.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pyk;

static Type *getType(LLVMContext &context, char letter) {
  switch (letter) {
  case 'i':
    return Type::getInt32Ty(context);
  case 'l':
    return Type::getInt64Ty(context);
  case 'f':
    return Type::getFloatTy(context);
  case 'd':
    return Type::getDoubleTy(context);
  case 'p':
    return PointerType::get(context, 0);
  default:
    return Type::getVoidTy(context);
  }
}

static FunctionType *getType(LLVMContext &context, StringRef signature) {
  SmallVector<Type *> parameters;
  for (char letter : signature.drop_front())
    parameters.push_back(getType(context, letter));
  return FunctionType::get(getType(context, signature.front()), parameters,
                           false);
}

static std::string print(const Type &type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

/// Writes to memory only through its pointers, if it has any.
static FunctionCallee declare(Module &module, const HostMath &math,
                              FunctionType *type) {
  FunctionCallee callee = module.getOrInsertFunction(math.host, type);
  auto *function = cast<Function>(callee.getCallee());
  bool hasPointer = math.signature.contains('p');
  function->setMemoryEffects(hasPointer ? MemoryEffects::argMemOnly()
                                        : MemoryEffects::none());
  for (Attribute::AttrKind kind :
       {Attribute::NoCallback, Attribute::NoFree, Attribute::NoSync,
        Attribute::NoUnwind, Attribute::WillReturn})
    function->addFnAttr(kind);
  return callee;
}

Expected<Value *> pyk::callHostMath(CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  const HostMath *math = findHostMath(name);
  if (!math)
    return createStringError(
        "cannot run '" + name +
        "' on the CPU: there is no function of the host for it");
  FunctionType *type = getType(call.getContext(), math->signature);
  if (type != call.getFunctionType())
    return createStringError("expects '" + name + "' of type " + print(*type) +
                             " but got " + print(*call.getFunctionType()));

  IRBuilder<> builder(&call);
  if (isa<FPMathOperator>(call))
    builder.setFastMathFlags(call.getFastMathFlags());
  SmallVector<Value *> arguments(call.args());
  if (math->classMask) {
    Value *test = builder.createIsFPClass(arguments[0], math->classMask);
    return builder.CreateZExt(test, call.getType());
  }
  if (math->address)
    return builder.CreateCall(declare(*call.getModule(), *math, type),
                              arguments);
  return builder.CreateIntrinsic(math->intrinsic, {call.getType()}, arguments);
}
