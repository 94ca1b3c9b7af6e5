// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores past the caches, of results that are too large for them
// (rationale/streaming-stores.md).

#include "BindToHost.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;
using namespace pyk;

/// A line of the cache: memory takes whole ones.
static constexpr uint64_t kLineBytes = 64;

//===----------------------------------------------------------------------===//
// Which stores
//===----------------------------------------------------------------------===//

/// Whether `function`, or one that it calls, orders what several threads see.
static bool ordersMemory(Function &function) {
  return any_of(getReached(&function), [](Function *reached) {
    return any_of(instructions(*reached), [](Instruction &instruction) {
      return instruction.isAtomic() || isa<FenceInst>(instruction);
    });
  });
}

/// The bytes of a vector that `store` writes; 0 of anything else.
static uint64_t getVectorBytes(const StoreInst &store) {
  auto *type = dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
  if (!type || !store.isSimple())
    return 0;
  uint64_t bytes = type->getPrimitiveSizeInBits() / 8;
  return bytes % kLineBytes == 0 || bytes * 2 == kLineBytes ? bytes : 0;
}

namespace {

/// The vectors that are stored to arrays which are only written, by array.
using StoresOfArrays = DenseMap<const StoreInst *, const Argument *>;

/// Stores of vectors to one array between which nothing else uses its memory.
using Group = SmallVector<StoreInst *>;

} // namespace

/// Adds the stores of vectors to the memory of `array`, if all that is done
/// with it are stores.
static void collectStores(Argument &array, StoresOfArrays &all) {
  SmallVector<StoreInst *> stores;
  bool isOnlyWritten = forEachUseOfMemory(array, [&](Use &use) {
    if (auto *store = dyn_cast<StoreInst>(use.getUser())) {
      if (getVectorBytes(*store) != 0)
        stores.push_back(store);
      return use.getOperandNo() == 1;
    }
    auto *call = dyn_cast<IntrinsicInst>(use.getUser());
    return call && call->getIntrinsicID() == Intrinsic::masked_store &&
           use.getOperandNo() == 1;
  });
  if (isOnlyWritten)
    for (StoreInst *store : stores)
      all[store] = &array;
}

/// Whether `instruction` may use memory of `array`, to which it does not store
/// vectors.
static bool mayClash(const Instruction &instruction, const Argument *array) {
  auto *load = dyn_cast<LoadInst>(&instruction);
  if (!load || !load->isSimple() || !array)
    return instruction.mayReadOrWriteMemory();
  return !array->hasNoAliasAttr() &&
         !isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand()));
}

static std::vector<Group> group(Function &function,
                                const StoresOfArrays &stores) {
  std::vector<Group> groups;
  for (BasicBlock &block : function) {
    Group open;
    auto close = [&] {
      // Halves of lines are stored in pairs.
      if (!open.empty() &&
          (getVectorBytes(*open.front()) >= kLineBytes || open.size() % 2 == 0))
        groups.push_back(open);
      open.clear();
    };
    for (Instruction &instruction : block) {
      auto *store = dyn_cast<StoreInst>(&instruction);
      const Argument *array = store ? stores.lookup(store) : nullptr;
      if (!array) {
        if (mayClash(instruction,
                     open.empty() ? nullptr : stores.lookup(open.front())))
          close();
        continue;
      }
      if (!open.empty() &&
          (stores.lookup(open.front()) != array ||
           getVectorBytes(*open.front()) != getVectorBytes(*store)))
        close();
      open.push_back(store);
    }
    close();
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// The change
//===----------------------------------------------------------------------===//

/// Whether `stores` write whole lines, one after the other.
static Value *areWholeLines(const Group &stores, IRBuilder<> &b) {
  Type *i64 = b.getInt64Ty();
  Value *bits = b.getInt64(0);
  uint64_t bytes = getVectorBytes(*stores.front());
  Value *first = nullptr;
  for (auto [i, store] : enumerate(stores)) {
    Value *address = b.CreatePtrToInt(store->getPointerOperand(), i64);
    if (bytes < kLineBytes && i % 2 == 1)
      address = b.CreateXor(address, b.CreateAdd(first, b.getInt64(bytes)));
    else
      first = address;
    // Of the second half, any bit that differs counts.
    if (bytes >= kLineBytes || i % 2 == 0)
      address = b.CreateAnd(address, kLineBytes - 1);
    bits = b.CreateOr(bits, address);
  }
  return b.CreateIsNull(bits);
}

/// Lets `stores` go past the caches if `isLarge`.
static void stream(const Group &stores, Value *isLarge) {
  StoreInst *last = stores.back();
  LLVMContext &context = last->getContext();
  BasicBlock *before = last->getParent();
  BasicBlock *after = before->splitBasicBlock(last);
  auto addBlock = [&](const Twine &name) {
    return BasicBlock::Create(context, name, before->getParent(), after);
  };
  BasicBlock *check = addBlock("stream.check"), *past = addBlock("stream"),
             *plain = addBlock("store");
  before->getTerminator()->eraseFromParent();
  IRBuilder<> b(before);
  b.CreateCondBr(isLarge, check, plain);
  b.SetInsertPoint(check);
  b.CreateCondBr(areWholeLines(stores, b), past, plain);
  b.SetInsertPoint(past);
  MDNode *hint = MDNode::get(context, ConstantAsMetadata::get(b.getInt32(1)));
  for (StoreInst *store : stores) {
    auto alignment = Align(std::min(getVectorBytes(*store), kLineBytes));
    b.CreateAlignedStore(store->getValueOperand(), store->getPointerOperand(),
                         alignment)
        ->setMetadata(LLVMContext::MD_nontemporal, hint);
  }
  b.CreateBr(after);
  b.SetInsertPoint(plain);
  Instruction *end = b.CreateBr(after);
  for (StoreInst *store : stores)
    store->moveBefore(end->getIterator());
}

namespace {

/// How often code runs in a function, as far as constants say it.
class Iterations {
public:
  explicit Iterations(Function &function)
      : dominators(function), loops(dominators), assumptions(function),
        names(function.getParent()->getTargetTriple()), library(names),
        evolution(function, library, assumptions, dominators, loops) {}

  uint64_t count(const BasicBlock &block) {
    uint64_t iterations = 1;
    for (const Loop *loop = loops.getLoopFor(&block); loop;
         loop = loop->getParentLoop()) {
      unsigned trips = evolution.getSmallConstantTripCount(loop);
      // The last one only finds that there are no more.
      if (trips > 1 && loop->getExitingBlock() == loop->getHeader() &&
          loop->getLoopLatch() != loop->getHeader())
        --trips;
      iterations =
          SaturatingMultiply<uint64_t>(iterations, std::max(1U, trips));
    }
    return iterations;
  }

private:
  DominatorTree dominators;
  LoopInfo loops;
  AssumptionCache assumptions;
  TargetLibraryInfoImpl names;
  TargetLibraryInfo library;
  ScalarEvolution evolution;
};

} // namespace

/// By array, how many bytes of it a thread of `function` writes at least, of
/// which a block has `threads`.
static DenseMap<const Argument *, uint64_t>
countBytes(Function &function, ArrayRef<Group> groups,
           const StoresOfArrays &stores, uint64_t threads) {
  DenseMap<const Argument *, uint64_t> bytes;
  Iterations iterations(function);
  for (const Group &group : groups)
    bytes[stores.lookup(group.front())] +=
        iterations.count(*group.front()->getParent()) * group.size() *
        getVectorBytes(*group.front());
  for (auto &[array, count] : bytes)
    count /= threads;
  return bytes;
}

bool pyk::addStreamingStores(Function &function, uint64_t threads) {
  // Others keep their order without a fence, or have no such stores.
  if (!function.getParent()->getTargetTriple().isX86() || threads == 0 ||
      ordersMemory(function))
    return false;
  StoresOfArrays stores;
  for (Argument &array : function.args())
    if (array.getType()->isPointerTy())
      collectStores(array, stores);
  std::vector<Group> groups = group(function, stores);
  if (groups.empty())
    return false;
  auto bytes = countBytes(function, groups, stores, threads);
  ThreadContext context(function);
  Value *kept = context.getBytesKept();
  IRBuilder<> &b = context.getEntryBuilder();
  SmallVector<Value *> areLarge;
  for (const Group &group : groups) {
    // A thread of a row of blocks, which are not known, writes an element.
    StoreInst *first = group.front();
    uint64_t element =
        first->getValueOperand()->getType()->getScalarSizeInBits() / 8;
    uint64_t written = std::max(element, bytes[stores.lookup(first)]);
    areLarge.push_back(b.CreateICmpULT(
        kept, b.getInt32(uint32_t(std::min<uint64_t>(written, UINT32_MAX)))));
  }
  for (auto [group, isLarge] : zip_equal(groups, areLarge))
    stream(group, isLarge);
  return true;
}

void pyk::endStreamingStores(IRBuilder<> &builder) {
  builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::x86_sse_sfence, {});
}
