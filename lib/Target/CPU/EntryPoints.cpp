// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the runtime calls. A kernel whose threads do not wait runs
// in a loop over a range of threads, which both entries call: the kernel is
// compiled once, inside the loop, where LLVM optimizes across threads. The
// entry for blocks goes from one to the next beside it: what it reads once is
// the arguments and the extents. A block that waits for others, and is run as a
// whole, takes the place of a thread.

#include "BindToHost.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pyk;
using runtime::LaunchLimits;

namespace {

/// Makes the entries of one kernel.
class EntryPoints {
public:
  EntryPoints(Function &kernel, StringRef name)
      : kernel(kernel), name(name), module(*kernel.getParent()),
        context(module.getContext()), builder(context) {}

  Function *addThreadEntry(Function *loop);
  Function *addBlocksEntry(Function &body, uint64_t blocksOfRun, bool streams,
                           const PartialSums &sums = {});
  Function *addLoop();

  /// Lets `entry` be compiled as it is: all work is in the loop that it calls
  /// (rationale/reference.md).
  static void leaveAsItIs(Function &entry) {
    entry.addFnAttr(Attribute::OptimizeNone);
    entry.addFnAttr(Attribute::NoInline);
  }

private:
  Function *addFunction(const Twine &name, GlobalValue::LinkageTypes linkage,
                        ArrayRef<Type *> parameters, ArrayRef<StringRef> names);
  void copyAttributes(unsigned number, Argument &to);
  Value *getField(Value *block, unsigned offset);
  Value *makeCurrent(Value *block, ArrayRef<Value *> id);
  void countAlong(ArrayRef<unsigned> order, Value *number,
                  ArrayRef<Value *> extents, MutableArrayRef<Value *> id);
  Value *makeTables(Value *block, const PartialSums &sums);
  void loadArguments(Value *pointers, SmallVectorImpl<Value *> &arguments);

  Function &kernel;
  const StringRef name;
  Module &module;
  LLVMContext &context;
  IRBuilder<> builder;
};

} // namespace

/// Gives `to` what is known of the kernel's parameter `number`.
void EntryPoints::copyAttributes(unsigned number, Argument &to) {
  AttrBuilder known(context, kernel.getAttributes().getParamAttrs(number));
  to.addAttrs(known);
}

/// Starts a function: the builder is in its entry block.
Function *EntryPoints::addFunction(const Twine &name,
                                   GlobalValue::LinkageTypes linkage,
                                   ArrayRef<Type *> parameters,
                                   ArrayRef<StringRef> names) {
  auto *function = Function::Create(
      FunctionType::get(builder.getVoidTy(), parameters, false), linkage, name,
      module);
  function->addFnAttr(Attribute::NoUnwind);
  for (auto [argument, argumentName] : zip(function->args(), names))
    argument.setName(argumentName);
  copyAttributes(0, *function->getArg(0));
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", function));
  return function;
}

/// Nothing is assumed of the alignment of values in the caller's memory.
void EntryPoints::loadArguments(Value *pointers,
                                SmallVectorImpl<Value *> &arguments) {
  for (Argument &parameter : drop_begin(kernel.args(), hiddenParameterCount)) {
    unsigned number = parameter.getArgNo() - hiddenParameterCount;
    Value *slot = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(),
                                                     pointers, number);
    Value *value = builder.CreateLoad(builder.getPtrTy(), slot);
    arguments.push_back(builder.CreateAlignedLoad(
        parameter.getType(), value, Align(1), parameter.getName()));
  }
}

/// void loop(block, x, xEnd, y, yEnd, z, zEnd, <the kernel's parameters>), each
/// end above its begin.
Function *EntryPoints::addLoop() {
  Type *i32 = builder.getInt32Ty();
  SmallVector<Type *> types = {
      builder.getPtrTy(), i32, i32, i32, i32, i32, i32};
  for (Argument &parameter : drop_begin(kernel.args(), hiddenParameterCount))
    types.push_back(parameter.getType());
  Function *loop =
      addFunction("pyk.threads", GlobalValue::InternalLinkage, types,
                  {"block", "x", "x.end", "y", "y.end", "z", "z.end"});
  loop->addFnAttr(Attribute::NoInline);
  for (Argument &parameter : drop_begin(kernel.args(), hiddenParameterCount)) {
    Argument *own = loop->getArg(parameter.getArgNo() + 3);
    own->setName(parameter.getName());
    copyAttributes(parameter.getArgNo(), *own);
  }

  // Loops from z down to x, each with its test at the end.
  PHINode *indices[3];
  BasicBlock *before = &loop->getEntryBlock();
  for (int d = 2; d >= 0; --d) {
    BasicBlock *body =
        BasicBlock::Create(context, Twine("thread.") + Twine("xyz"[d]), loop);
    builder.CreateBr(body);
    builder.SetInsertPoint(body);
    Argument *begin = loop->getArg(1 + 2 * d), *end = loop->getArg(2 + 2 * d);
    for (uint64_t isEnd : {0, 1}) {
      AttrBuilder range(context);
      range.addAttribute(Attribute::NoUndef);
      range.addRangeAttr(ConstantRange(
          APInt(32, isEnd), APInt(32, LaunchLimits::block[d] + isEnd)));
      (isEnd ? end : begin)->addAttrs(range);
    }
    indices[d] = builder.CreatePHI(i32, 2, Twine("tid.") + Twine("xyz"[d]));
    indices[d]->addIncoming(begin, before);
    before = body;
  }
  SmallVector<Value *> arguments = {loop->getArg(0), indices[0], indices[1],
                                    indices[2]};
  for (Argument &own : drop_begin(loop->args(), 7))
    arguments.push_back(&own);
  builder.CreateCall(&kernel, arguments);
  for (int d = 0; d < 3; ++d) {
    BasicBlock *latch = builder.GetInsertBlock();
    Value *next = builder.CreateAdd(indices[d], builder.getInt32(1), "",
                                    /*HasNUW=*/true, /*HasNSW=*/true);
    Value *again = builder.CreateICmpULT(next, loop->getArg(2 + 2 * d));
    BasicBlock *after =
        BasicBlock::Create(context, d == 2 ? "end" : "thread.next", loop);
    indices[d]->addIncoming(next, latch);
    builder.CreateCondBr(again, indices[d]->getParent(), after);
    builder.SetInsertPoint(after);
  }
  builder.CreateRetVoid();
  return loop;
}

Function *EntryPoints::addThreadEntry(Function *loop) {
  Type *i32 = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  Function *entry = addFunction(
      threadEntryName + "." + name, GlobalValue::ExternalLinkage,
      {pointer, i32, i32, i32, pointer}, {"block", "x", "y", "z", "arguments"});
  for (unsigned d = 1; d < hiddenParameterCount; ++d)
    copyAttributes(d, *entry->getArg(d));
  SmallVector<Value *> arguments = {entry->getArg(0)};
  for (unsigned d = 1; d < hiddenParameterCount; ++d) {
    Argument *thread = entry->getArg(d);
    arguments.push_back(thread);
    if (loop)
      arguments.push_back(builder.CreateAdd(thread, builder.getInt32(1), "",
                                            /*HasNUW=*/true, /*HasNSW=*/true));
  }
  loadArguments(entry->getArg(4), arguments);
  builder.CreateCall(loop ? loop : &kernel, arguments);
  builder.CreateRetVoid();
  return entry;
}

/// The address of a number of `block`, a pyk_rt_block.
Value *EntryPoints::getField(Value *block, unsigned offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offset);
}

/// Writes the index of the block that begins and returns the same address as
/// one of which nothing is known: bound code calls what it reads there
/// invariant, and that holds for one block.
Value *EntryPoints::makeCurrent(Value *block, ArrayRef<Value *> id) {
  for (unsigned d = 0; d < 3; ++d)
    builder.CreateStore(
        id[d], getField(block, offsetof(pyk_rt_block, block_id) + 4 * d));
  Type *pointer = builder.getPtrTy();
  auto *same = InlineAsm::get(FunctionType::get(pointer, {pointer}, false), "",
                              "=r,0,~{memory}", /*hasSideEffects=*/true);
  return builder.CreateCall(same, {block});
}

/// Finds the index `id` of block `number` in a grid of `extents`, where blocks
/// follow each other along the first axis of `order` first.
void EntryPoints::countAlong(ArrayRef<unsigned> order, Value *number,
                             ArrayRef<Value *> extents,
                             MutableArrayRef<Value *> id) {
  for (unsigned d : order) {
    Value *extent = builder.CreateZExt(extents[d], number->getType());
    id[d] = builder.CreateTrunc(builder.CreateURem(number, extent),
                                extents[d]->getType());
    number = builder.CreateUDiv(number, extent);
  }
}

/// Empty tables for `sums`, of which `block` tells; null if there are none.
Value *EntryPoints::makeTables(Value *block, const PartialSums &sums) {
  if (sums.bytes == 0)
    return nullptr;
  AllocaInst *tables = builder.CreateAlloca(
      llvm::ArrayType::get(builder.getInt8Ty(), sums.bytes), nullptr, "sums");
  tables->setAlignment(Align(64));
  builder.CreateMemSet(tables, builder.getInt8(0), sums.bytes, Align(64));
  builder.CreateStore(tables, getField(block, offsetof(pyk_rt_block, sums)));
  return tables;
}

/// void blocks(block, begin, end, arguments), `end` above `begin`. Each block
/// is a call of `body`: the kernel, if that runs a block, or the loop; and so
/// are up to `blocksOfRun` that are neighbours along its x. `streams` tells
/// whether it stores past the caches; `sums` are the tables of all of them.
Function *EntryPoints::addBlocksEntry(Function &body, uint64_t blocksOfRun,
                                      bool streams, const PartialSums &sums) {
  Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty(),
       *pointer = builder.getPtrTy();
  Function *entry = addFunction(
      blocksEntryName + "." + name, GlobalValue::ExternalLinkage,
      {pointer, i64, i64, pointer}, {"block", "begin", "end", "arguments"});
  Value *block = entry->getArg(0), *begin = entry->getArg(1);
  Value *tables = makeTables(block, sums);
  SmallVector<Value *> arguments = {block};
  for (unsigned d = 0; d < 3; ++d) {
    arguments.push_back(builder.getInt32(0));
    if (&body != &kernel)
      arguments.push_back(builder.CreateLoad(
          i32, getField(block, offsetof(pyk_rt_block, block_dim) + 4 * d)));
  }
  loadArguments(entry->getArg(3), arguments);

  // The caller has counted up to the first block, along x; others are counted.
  Value *extents[3], *first[3];
  for (unsigned d = 0; d < 3; ++d) {
    extents[d] = builder.CreateLoad(
        i32, getField(block, offsetof(pyk_rt_block, grid_dim) + 4 * d));
    first[d] = builder.CreateLoad(
        i32, getField(block, offsetof(pyk_rt_block, block_id) + 4 * d));
  }
  const unsigned order[3] = {getAxis(kernel, 0), getAxis(kernel, 1),
                             getAxis(kernel, 2)};
  if (order[0] != 0)
    countAlong(order, begin, extents, first);
  BasicBlock *iteration = BasicBlock::Create(context, "block", entry);
  BasicBlock *end = BasicBlock::Create(context, "end", entry);
  builder.CreateBr(iteration);
  builder.SetInsertPoint(iteration);
  PHINode *number = builder.CreatePHI(i64, 2, "number");
  number->addIncoming(begin, &entry->getEntryBlock());
  Value *id[3];
  for (unsigned d = 0; d < 3; ++d) {
    PHINode *index =
        builder.CreatePHI(i32, 2, Twine("ctaid.") + Twine("xyz"[d]));
    index->addIncoming(first[d], &entry->getEntryBlock());
    id[d] = index;
  }
  arguments[0] = makeCurrent(block, id);
  Value *run = builder.getInt32(1);
  if (blocksOfRun != 1) {
    // As many as are left of the range, and of the row of the grid.
    Value *left = builder.CreateSub(entry->getArg(2), number);
    Value *ofRow = builder.CreateZExt(
        builder.CreateSub(extents[order[0]], id[order[0]]), i64);
    for (Value *limit :
         {ofRow, static_cast<Value *>(builder.getInt64(blocksOfRun))})
      left = builder.CreateBinaryIntrinsic(Intrinsic::umin, left, limit);
    arguments[1] = run = builder.CreateTrunc(left, i32);
  }
  builder.CreateCall(&body, arguments);

  Value *step = run;
  for (unsigned d : order) {
    Value *next = builder.CreateAdd(id[d], step);
    Value *carry = builder.CreateICmpEQ(next, extents[d]);
    step = builder.CreateZExt(carry, i32);
    cast<PHINode>(id[d])->addIncoming(
        builder.CreateSelect(carry, builder.getInt32(0), next), iteration);
  }
  Value *next = builder.CreateNUWAdd(number, builder.CreateZExt(run, i64));
  number->addIncoming(next, iteration);
  builder.CreateCondBr(builder.CreateICmpULT(next, entry->getArg(2)), iteration,
                       end);
  builder.SetInsertPoint(end);
  for (const PartialSums::Table &table : sums.tables)
    builder.CreateCall(table.emptier,
                       {builder.CreateConstInBoundsGEP1_64(
                           builder.getInt8Ty(), tables, table.offset)});
  if (streams)
    endStreamingStores(builder);
  builder.CreateRetVoid();
  return entry;
}

Error pyk::addEntryPoints(Function &function, bool waits, BoundKernel &kernel) {
  const DataLayout &layout = function.getDataLayout();
  for (Argument &parameter :
       drop_begin(function.args(), hiddenParameterCount)) {
    Type *type = parameter.getType();
    if (parameter.hasByValAttr() || !type->isSized())
      return createStringError(
          "expects kernel parameters that are numbers or pointers but got "
          "parameter " +
          Twine(parameter.getArgNo() - hiddenParameterCount) + " of '" +
          function.getName() + "' by reference");
    kernel.parameterBytes.push_back(
        uint32_t(layout.getTypeStoreSize(type).getFixedValue()));
  }
  EntryPoints entries(function, kernel.name);
  // A frame of vectors may be larger than the page behind a stack.
  if (kernel.isOfBlock)
    function.addFnAttr("probe-stack", "inline-asm");
  if (kernel.isOfBlock && waits) {
    kernel.thread = entries.addThreadEntry(/*loop=*/nullptr);
    return Error::success();
  }
  if (kernel.isOfBlock) {
    function.addFnAttr(Attribute::NoInline);
    bool streams = addStreamingStores(function, kernel.blockThreads);
    kernel.blocks = entries.addBlocksEntry(function, kernel.blocksOfRun,
                                           streams, addPartialSums(function));
    EntryPoints::leaveAsItIs(*kernel.blocks);
    return Error::success();
  }
  function.removeFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::AlwaysInline);
  Function *loop = waits ? nullptr : entries.addLoop();
  kernel.thread = entries.addThreadEntry(loop);
  if (loop && !kernel.isReversed) {
    kernel.blocks = entries.addBlocksEntry(*loop, /*blocksOfRun=*/1,
                                           /*streams=*/false);
    EntryPoints::leaveAsItIs(*kernel.blocks);
  }
  if (loop)
    EntryPoints::leaveAsItIs(*kernel.thread);
  return Error::success();
}
