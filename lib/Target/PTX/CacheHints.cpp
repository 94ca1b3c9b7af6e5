// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM has no intrinsics for PTX's cache operators, so it is assembly. This
// runs after optimization, which could not move assembly as it can calls.

#include "CacheHints.h"
#include "pyk/Support/HintedAccess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace pyk;

/// What a register of `bits` is called in constraints. Those of 8 bits are part
/// of one of 16.
static StringRef getConstraint(unsigned bits) {
  return bits == 64 ? "l" : bits == 32 ? "r" : "h";
}

static void write(CallInst &call, const HintedAccess &access) {
  IRBuilder<> b(&call);
  Value *address = call.getArgOperand(0);
  Type *type =
      access.isLoad ? call.getType() : call.getArgOperand(1)->getType();
  unsigned bits = type->getIntegerBitWidth();
  Type *number = b.getIntNTy(std::max(bits, 16u));
  bool isGlobal = address->getType()->getPointerAddressSpace() ==
                  NVPTXAS::ADDRESS_SPACE_GLOBAL;
  std::string instruction =
      ((isGlobal ? ".global." : ".") + access.hint + ".b" + Twine(bits) + " ")
          .str();
  StringRef constraint = getConstraint(bits);
  if (!access.isLoad) {
    auto *function = FunctionType::get(
        b.getVoidTy(), {address->getType(), number}, /*isVarArg=*/false);
    b.CreateCall(InlineAsm::get(function, "st" + instruction + "[$0], $1;",
                                ("l," + constraint + ",~{memory}").str(),
                                /*hasSideEffects=*/true),
                 {address, b.CreateZExt(call.getArgOperand(1), number)});
  } else {
    auto *function =
        FunctionType::get(number, address->getType(), /*isVarArg=*/false);
    Value *value =
        b.CreateCall(InlineAsm::get(function, "ld" + instruction + "$0, [$1];",
                                    ("=" + constraint + ",l,~{memory}").str(),
                                    /*hasSideEffects=*/true),
                     address);
    call.replaceAllUsesWith(b.CreateTrunc(value, type));
  }
  call.eraseFromParent();
}

void pyk::bindCacheHints(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    auto access = parseHintedAccess(function.getName());
    if (!access)
      continue;
    for (User *user : make_early_inc_range(function.users()))
      write(*cast<CallInst>(user), *access);
    function.eraseFromParent();
  }
}
