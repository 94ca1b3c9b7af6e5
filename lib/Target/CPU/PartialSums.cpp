// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions that a worker collects before it does them
// (rationale/partial-sums.md).

#include "BindToHost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

#include <cstddef>
#include <deque>

using namespace llvm;
using namespace pyk;

/// Marks additions to collect.
static constexpr StringLiteral kMark = "pyk.partial_sum";
/// Places of a table, and the bytes of each: an address and, behind it, a sum.
static constexpr uint64_t kSlots = 256, kSlotBytes = 16, kSumOffset = 8;
/// Behind them stands how often another address had the slot, and a table in
/// which that is as often is left alone from the next block on. That takes a
/// cache line.
static constexpr uint64_t kSlotsBytes = kSlots * kSlotBytes,
                          kTableBytes = kSlotsBytes + 64, kMostTaken = 512;

//===----------------------------------------------------------------------===//
// Which additions
//===----------------------------------------------------------------------===//

/// Whether `update` is an addition that may be done later. For arrays with
/// others pyk-assume-launch does not ask for `disjoint` (its `isSum`).
static bool isSum(const AtomicRMWInst &update) {
  Type *type = update.getType();
  AtomicRMWInst::BinOp kind = update.getOperation();
  bool hasType = (kind == AtomicRMWInst::Add &&
                  (type->isIntegerTy(32) || type->isIntegerTy(64))) ||
                 (kind == AtomicRMWInst::FAdd &&
                  (type->isFloatTy() || type->isDoubleTy()));
  return hasType && update.use_empty() &&
         update.getOrdering() == AtomicOrdering::Monotonic &&
         update.getSyncScopeID() != SyncScope::System;
}

/// Appends the additions to the memory of `array`; false if it is used
/// otherwise.
static bool collectSums(Argument &array,
                        SmallVectorImpl<AtomicRMWInst *> &sums) {
  return forEachUseOfMemory(array, [&](Use &use) {
    auto *update = dyn_cast<AtomicRMWInst>(use.getUser());
    if (!update || use.getOperandNo() != 0 || !isSum(*update))
      return false;
    sums.push_back(update);
    return true;
  });
}

/// Whether `function` says in which order others see what it writes.
static bool ordersMemory(Function &function) {
  return any_of(instructions(function), [](Instruction &instruction) {
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return update->getOrdering() != AtomicOrdering::Monotonic;
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return exchange->getSuccessOrdering() != AtomicOrdering::Monotonic;
    return isa<FenceInst>(instruction);
  });
}

void pyk::markPartialSums(Module &module) {
  for (Function &function : module) {
    if (!function.hasFnAttribute(blockAttrName) || ordersMemory(function))
      continue;
    for (Argument &array : function.args()) {
      SmallVector<AtomicRMWInst *> sums;
      if (!array.getType()->isPointerTy() || !array.hasNoAliasAttr() ||
          !collectSums(array, sums))
        continue;
      for (AtomicRMWInst *sum : sums)
        sum->setMetadata(kMark, MDNode::get(module.getContext(), {}));
    }
  }
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {

/// The table of sums of one type.
class Table {
public:
  /// The table at `table`, which lies beside others; `entry` is a slot at the
  /// begin of the function.
  Table(Module &module, Type *type, AtomicRMWInst::BinOp kind, Value *table,
        IRBuilder<> &entry);

  /// Adds up in the table instead of doing `sum`.
  void collect(AtomicRMWInst &sum);
  /// void empty(table): does what is left.
  Function *makeEmptier();

private:
  Function *makeFunction(StringRef name, ArrayRef<Type *> parameters);
  Value *getSum(Value *slot) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), slot, kSumOffset);
  }
  void addToMemory(Value *address, Value *sum);

  Module &module;
  Type *type;
  AtomicRMWInst::BinOp kind;
  Value *table;
  /// Where it counts slots that others have, and whether these are few.
  Value *taken, *isUseful;
  IRBuilder<> b;
};

} // namespace

Table::Table(Module &module, Type *type, AtomicRMWInst::BinOp kind,
             Value *table, IRBuilder<> &entry)
    : module(module), type(type), kind(kind), table(table),
      taken(entry.CreateConstInBoundsGEP1_64(entry.getInt8Ty(), table,
                                             kSlotsBytes)),
      isUseful(entry.CreateICmpULT(entry.CreateLoad(entry.getInt64Ty(), taken),
                                   entry.getInt64(kMostTaken))),
      b(module.getContext()) {}

Function *Table::makeFunction(StringRef name, ArrayRef<Type *> parameters) {
  std::string suffix;
  raw_string_ostream(suffix) << *type;
  auto *function = Function::Create(
      FunctionType::get(b.getVoidTy(), parameters, false),
      GlobalValue::InternalLinkage, "pyk." + name + "_" + suffix, module);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr(Attribute::NoInline);
  b.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", function));
  return function;
}

void Table::addToMemory(Value *address, Value *sum) {
  Align alignment(type->getPrimitiveSizeInBits() / 8);
  b.CreateAtomicRMW(kind, address, sum, alignment,
                    AtomicOrdering::AcquireRelease);
}

Function *Table::makeEmptier() {
  Type *pointer = b.getPtrTy(), *i64 = b.getInt64Ty();
  Function *emptier = makeFunction("empty_sums", {pointer});
  LLVMContext &context = module.getContext();
  auto *entry = b.GetInsertBlock();
  auto *iteration = BasicBlock::Create(context, "iteration", emptier);
  auto *taken = BasicBlock::Create(context, "taken", emptier);
  auto *next = BasicBlock::Create(context, "next", emptier);
  auto *end = BasicBlock::Create(context, "end", emptier);
  b.CreateBr(iteration);
  b.SetInsertPoint(iteration);
  PHINode *offset = b.CreatePHI(i64, 2);
  offset->addIncoming(b.getInt64(0), entry);
  Value *slot = b.CreateInBoundsGEP(b.getInt8Ty(), emptier->getArg(0), offset);
  Value *address = b.CreateLoad(pointer, slot);
  b.CreateCondBr(b.CreateIsNull(address), next, taken);
  b.SetInsertPoint(taken);
  addToMemory(address, b.CreateLoad(type, getSum(slot)));
  b.CreateBr(next);
  b.SetInsertPoint(next);
  Value *after = b.CreateNUWAdd(offset, b.getInt64(kSlotBytes));
  offset->addIncoming(after, next);
  b.CreateCondBr(b.CreateICmpULT(after, b.getInt64(kSlotsBytes)), iteration,
                 end);
  b.SetInsertPoint(end);
  b.CreateRetVoid();
  return emptier;
}

void Table::collect(AtomicRMWInst &sum) {
  LLVMContext &context = module.getContext();
  BasicBlock *before = sum.getParent();
  BasicBlock *after = before->splitBasicBlock(&sum);
  auto addBlock = [&](const Twine &name) {
    return BasicBlock::Create(context, name, before->getParent(), after);
  };
  BasicBlock *search = addBlock("sum.search"), *known = addBlock("sum.known"),
             *other = addBlock("sum.other"), *first = addBlock("sum.first"),
             *count = addBlock("sum.count"), *single = addBlock("sum.single");
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  Value *address = sum.getPointerOperand(), *value = sum.getValOperand();
  b.CreateCondBr(isUseful, search, single);
  b.SetInsertPoint(search);
  // Neighbours have slots beside each other.
  uint64_t bytes = type->getPrimitiveSizeInBits() / 8;
  Value *number = b.CreateUDiv(b.CreatePtrToInt(address, b.getInt64Ty()),
                               b.getInt64(bytes));
  Value *offset =
      b.CreateMul(b.CreateAnd(number, kSlots - 1), b.getInt64(kSlotBytes));
  Value *slot = b.CreateInBoundsGEP(b.getInt8Ty(), table, offset);
  Value *owner = b.CreateLoad(b.getPtrTy(), slot);
  MDNode *likely = MDBuilder(context).createLikelyBranchWeights();
  MDNode *unlikely = MDBuilder(context).createUnlikelyBranchWeights();
  b.CreateCondBr(b.CreateICmpEQ(owner, address), known, other, likely);
  b.SetInsertPoint(known);
  Value *old = b.CreateLoad(type, getSum(slot));
  Value *more = kind == AtomicRMWInst::FAdd ? b.CreateFAdd(old, value)
                                            : b.CreateAdd(old, value);
  b.CreateStore(more, getSum(slot));
  b.CreateBr(after);
  b.SetInsertPoint(other);
  b.CreateCondBr(b.CreateIsNull(owner), first, count, unlikely);
  b.SetInsertPoint(first);
  b.CreateStore(address, slot);
  b.CreateStore(value, getSum(slot));
  b.CreateBr(after);
  // An address that has a slot keeps it: if it gave it to others, atomic
  // operations would wait for the stores in between.
  b.SetInsertPoint(count);
  Value *times = b.CreateLoad(b.getInt64Ty(), taken);
  b.CreateStore(b.CreateAdd(times, b.getInt64(1)), taken);
  b.CreateBr(single);
  b.SetInsertPoint(single);
  addToMemory(address, value);
  b.CreateBr(after);
  sum.eraseFromParent();
}

PartialSums pyk::addPartialSums(Function &function) {
  PartialSums partial;
  SmallVector<AtomicRMWInst *> sums;
  for (Instruction &instruction : instructions(function))
    if (instruction.hasMetadata(kMark))
      sums.push_back(cast<AtomicRMWInst>(&instruction));
  if (sums.empty())
    return partial;
  ThreadContext context(function);
  Value *all = context.getSums();
  IRBuilder<> &b = context.getEntryBuilder();
  MapVector<Type *, SmallVector<AtomicRMWInst *>> byType;
  for (AtomicRMWInst *sum : sums)
    byType[sum->getType()].push_back(sum);
  // All of them before the first addition is replaced, which may be where they
  // are made.
  std::deque<Table> tables;
  for (auto &[type, own] : byType) {
    tables.emplace_back(
        *function.getParent(), type, own.front()->getOperation(),
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), all, partial.bytes), b);
    partial.tables.push_back({partial.bytes, tables.back().makeEmptier()});
    partial.bytes += kTableBytes;
  }
  for (auto [table, own] : zip_equal(tables, make_second_range(byType)))
    for (AtomicRMWInst *sum : own)
      table.collect(*sum);
  return partial;
}
