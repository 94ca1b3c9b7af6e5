// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM makes a loop of compare-and-swaps of, and these themselves, have
// their order and scope. This runs after optimization, which knows operations
// better than PTX.

#include "Atomics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

/// The end of the instruction for integers, such as "add.u32"; empty if there
/// is none.
static std::string getOfIntegers(AtomicRMWInst::BinOp operation,
                                 unsigned bits) {
  auto with = [&](StringRef name) { return (name + Twine(bits)).str(); };
  switch (operation) {
  case AtomicRMWInst::Add:
    return with("add.u");
  case AtomicRMWInst::Xchg:
    return with("exch.b");
  case AtomicRMWInst::And:
    return with("and.b");
  case AtomicRMWInst::Or:
    return with("or.b");
  case AtomicRMWInst::Xor:
    return with("xor.b");
  case AtomicRMWInst::Max:
    return with("max.s");
  case AtomicRMWInst::Min:
    return with("min.s");
  case AtomicRMWInst::UMax:
    return with("max.u");
  case AtomicRMWInst::UMin:
    return with("min.u");
  case AtomicRMWInst::UIncWrap:
    return bits == 32 ? "inc.u32" : "";
  case AtomicRMWInst::UDecWrap:
    return bits == 32 ? "dec.u32" : "";
  default:
    return "";
  }
}

/// The end of the instruction that `update` becomes; empty if it becomes a
/// loop.
static std::string getInstruction(const AtomicRMWInst &update,
                                  bool hasBFloats) {
  const Type *type = update.getType();
  unsigned bits = type->getScalarSizeInBits();
  AtomicRMWInst::BinOp operation = update.getOperation();
  if (operation == AtomicRMWInst::FAdd) {
    if (type->isHalfTy())
      return "add.noftz.f16";
    if (type->isBFloatTy())
      return hasBFloats ? "add.noftz.bf16" : "";
    return "add.f" + utostr(bits);
  }
  bool isInteger = type->isIntegerTy() || operation == AtomicRMWInst::Xchg;
  return isInteger && bits >= 32 ? getOfIntegers(operation, bits) : "";
}

static StringRef getSpace(unsigned addressSpace) {
  switch (addressSpace) {
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return ".global";
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    return ".shared";
  default:
    return "";
  }
}

/// PTX's name of the scope of `order`; empty if it is that of the device.
template <typename Ordering>
static StringRef getScope(const Ordering &order) {
  SmallVector<StringRef> names;
  order.getContext().getSyncScopeNames(names);
  StringRef name = names[order.getSyncScopeID()];
  return StringSwitch<StringRef>(name)
      .Case("block", ".cta")
      .Case("device", "")
      .Default(".sys");
}

/// Writes a fence as nvcc does, for which older chips have an instruction, too.
static void writeFence(FenceInst &order) {
  if (order.getOrdering() != AtomicOrdering::SequentiallyConsistent)
    return;
  StringRef scope = getScope(order);
  Intrinsic::ID barrier = scope.empty()     ? Intrinsic::nvvm_membar_gl
                          : scope == ".cta" ? Intrinsic::nvvm_membar_cta
                                            : Intrinsic::nvvm_membar_sys;
  IRBuilder<>(&order).CreateIntrinsic(barrier, {});
  order.eraseFromParent();
}

/// Puts fences around `update`, which orders nothing itself any more.
static void fence(AtomicRMWInst &update) {
  AtomicOrdering order = update.getOrdering();
  IRBuilder<> builder(&update);
  if (isReleaseOrStronger(order))
    builder.CreateFence(order == AtomicOrdering::SequentiallyConsistent
                            ? order
                            : AtomicOrdering::Release,
                        update.getSyncScopeID());
  builder.SetInsertPoint(update.getNextNode());
  if (isAcquireOrStronger(order))
    builder.CreateFence(AtomicOrdering::Acquire, update.getSyncScopeID());
  update.setOrdering(AtomicOrdering::Monotonic);
}

/// Whether `pointer` is to memory that no other thread sees. LLVM makes loads
/// and stores of what is atomic there.
static bool isInLocalMemory(Value *pointer) {
  return pointer->getType()->getPointerAddressSpace() ==
             NVPTXAS::ADDRESS_SPACE_LOCAL ||
         isa<AllocaInst>(getUnderlyingObject(pointer));
}

/// Replaces `update`, whose scope is `scope`, by the `instruction` itself.
static void write(AtomicRMWInst &update, StringRef instruction,
                  StringRef scope) {
  IRBuilder<> builder(&update);
  // The registers of integers have names for all widths.
  Type *type = builder.getIntNTy(update.getType()->getScalarSizeInBits());
  StringRef letter = type->isIntegerTy(64)   ? "l"
                     : type->isIntegerTy(32) ? "r"
                                             : "h";
  std::string text =
      ("atom.relaxed" + scope + getSpace(update.getPointerAddressSpace()) +
       "." + instruction + " $0, [$1], $2;")
          .str();
  Value *address = update.getPointerOperand();
  auto *function =
      FunctionType::get(type, {address->getType(), type}, /*isVarArg=*/false);
  Value *old = builder.CreateCall(
      InlineAsm::get(function, text,
                     ("=" + letter + ",l," + letter + ",~{memory}").str(),
                     /*hasSideEffects=*/true),
      {address, builder.CreateBitCast(update.getValOperand(), type)});
  update.replaceAllUsesWith(builder.CreateBitCast(old, update.getType()));
  update.eraseFromParent();
}

void pyk::orderAtomics(Module &module, bool hasBFloats) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      if (auto *order = dyn_cast<FenceInst>(&instruction)) {
        writeFence(*order);
        continue;
      }
      auto *update = dyn_cast<AtomicRMWInst>(&instruction);
      if (!update || isInLocalMemory(update->getPointerOperand()))
        continue;
      std::string text = getInstruction(*update, hasBFloats);
      if (text.empty())
        continue;
      if (isStrongerThanMonotonic(update->getOrdering()))
        fence(*update);
      if (StringRef scope = getScope(*update); !scope.empty())
        write(*update, text, scope);
    }
}
