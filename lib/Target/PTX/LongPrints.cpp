// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a call of vprintf that has more than 32 values into several, and lets
// all prints of the module take a lock.
//
// The lock is a word that threads set by compare-and-swap in a loop. A thread
// prints within that loop, not behind it: threads of a warp may wait for each
// other where they leave the loop, and the one that has the lock must not. An
// instruction that the optimizer cannot look into says whether the thread is
// done; otherwise the optimizer would move the print out of the loop.

#include "LongPrints.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

/// The values that `vprintf` takes beside its format.
static constexpr unsigned kMostValues = 32;
static constexpr unsigned kValueBytes = 8;
/// How long a thread waits before it looks at the lock again.
static constexpr unsigned kNanoseconds = 100;

/// The parts of a format, each of which wants no more values than can be
/// printed at once.
static SmallVector<std::string> splitFormat(StringRef format) {
  SmallVector<std::string> parts(1);
  unsigned values = 0;
  while (!format.empty()) {
    size_t length = std::min(format.find('%'), format.size());
    parts.back() += format.take_front(length);
    format = format.drop_front(length);
    if (format.empty())
      break;
    // A directive ends with its letter.
    size_t end = format.find_first_not_of("0123456789.+-# hlzjt", 1);
    StringRef directive = format.take_front(end + 1);
    format = format.drop_front(directive.size());
    if (directive != "%%" && values++ == kMostValues) {
      parts.emplace_back();
      values = 1;
    }
    parts.back() += directive;
  }
  return parts;
}

namespace {

/// Prints of one module.
class PrintSplitter {
public:
  explicit PrintSplitter(Module &module)
      : module(module), b(module.getContext()) {}

  /// Replaces a call of `vprintf` by one for each part of its format.
  void split(CallInst &call, ArrayRef<std::string> parts);

private:
  Value *getText(StringRef text);
  Value *getOpaque(unsigned value);
  void waitForLock(CallInst &call);

  Module &module;
  IRBuilder<> b;
  GlobalVariable *lock = nullptr;
};

} // namespace

/// The address of `text`, which ends with a null character, for `vprintf`.
Value *PrintSplitter::getText(StringRef text) {
  Constant *value = ConstantDataArray::getString(module.getContext(), text);
  auto *global = new GlobalVariable(
      module, value->getType(), /*isConstant=*/true,
      GlobalValue::InternalLinkage, value, "pyk_text", nullptr,
      GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  return b.CreateAddrSpaceCast(global, b.getPtrTy());
}

/// `value` as one of which nothing is known.
Value *PrintSplitter::getOpaque(unsigned value) {
  auto *type = FunctionType::get(b.getInt32Ty(), {b.getInt32Ty()}, false);
  return b.CreateCall(InlineAsm::get(type, "mov.b32 $0, $1;", "=r,r",
                                     /*hasSideEffects=*/true),
                      {b.getInt32(value)});
}

/// Puts `call` where this thread alone has the lock.
void PrintSplitter::waitForLock(CallInst &call) {
  if (!lock)
    lock = new GlobalVariable(module, b.getInt32Ty(), /*isConstant=*/false,
                              GlobalValue::InternalLinkage, b.getInt32(0),
                              "pyk_print_lock", nullptr,
                              GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  SyncScope::ID device = module.getContext().getOrInsertSyncScopeID("device");
  BasicBlock *before = call.getParent();
  BasicBlock *printing = before->splitBasicBlock(&call, "print");
  BasicBlock *next = printing->splitBasicBlock(call.getNextNode(), "print.met");
  BasicBlock *after = next->splitBasicBlock(&next->front(), "print.end");
  Function *function = before->getParent();
  auto add = [&](const Twine &name) {
    return BasicBlock::Create(module.getContext(), name, function, printing);
  };
  BasicBlock *loop = add("print.try"), *waiting = add("print.wait");
  before->getTerminator()->setSuccessor(0, loop);

  b.SetInsertPoint(loop);
  Value *old = b.CreateAtomicCmpXchg(lock, b.getInt32(0), b.getInt32(1),
                                     Align(4), AtomicOrdering::Acquire,
                                     AtomicOrdering::Monotonic, device);
  b.CreateCondBr(b.CreateExtractValue(old, 1), printing, waiting);

  b.SetInsertPoint(waiting);
  b.CreateIntrinsic(b.getVoidTy(), Intrinsic::nvvm_nanosleep,
                    {b.getInt32(kNanoseconds)});
  Value *isOpen = getOpaque(0);
  b.CreateBr(next);

  b.SetInsertPoint(printing->getTerminator());
  StoreInst *release = b.CreateAlignedStore(b.getInt32(0), lock, Align(4));
  release->setAtomic(AtomicOrdering::Release, device);
  Value *isDone = getOpaque(1);

  next->getTerminator()->eraseFromParent();
  b.SetInsertPoint(next);
  PHINode *done = b.CreatePHI(b.getInt32Ty(), 2);
  done->addIncoming(isOpen, waiting);
  done->addIncoming(isDone, printing);
  b.CreateCondBr(b.CreateIsNotNull(done), after, loop);
}

void PrintSplitter::split(CallInst &call, ArrayRef<std::string> parts) {
  waitForLock(call);
  b.SetInsertPoint(&call);
  b.SetCurrentDebugLocation(call.getDebugLoc());
  if (parts.size() == 1)
    return;
  Value *values = call.getArgOperand(1);
  for (const std::string &part : parts) {
    b.CreateCall(call.getCalledFunction(), {getText(part), values});
    values = b.CreateConstGEP1_64(b.getInt8Ty(), values,
                                  uint64_t(kMostValues) * kValueBytes);
  }
  // Nobody asks how many values were printed.
  call.replaceAllUsesWith(PoisonValue::get(call.getType()));
  call.eraseFromParent();
}

void pyk::splitLongPrints(Module &module) {
  Function *print = module.getFunction("vprintf");
  if (!print)
    return;
  SmallVector<std::pair<CallInst *, SmallVector<std::string>>> prints;
  bool isLong = false;
  for (User *user : print->users()) {
    auto *call = dyn_cast<CallInst>(user);
    StringRef format;
    if (!call || !getConstantStringInfo(call->getArgOperand(0), format))
      continue;
    prints.emplace_back(call, splitFormat(format));
    isLong |= prints.back().second.size() > 1;
  }
  if (!isLong)
    return;
  PrintSplitter splitter(module);
  for (auto &[call, parts] : prints)
    splitter.split(*call, parts);
}
