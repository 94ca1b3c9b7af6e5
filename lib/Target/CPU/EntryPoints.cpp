// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the runtime calls. A kernel whose threads do not wait runs
// in a loop over a range of threads, which both entries call: the kernel is
// compiled once, inside the loop, where LLVM optimizes across threads.

#include "BindToHost.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pyk;

namespace {

/// Makes the entries of one kernel.
class EntryPoints {
public:
  explicit EntryPoints(Function &kernel)
      : kernel(kernel), module(*kernel.getParent()),
        context(module.getContext()), builder(context) {}

  void addThreadEntry(Function *loop);
  void addBlockEntry(Function *loop);
  Function *addLoop();

private:
  Function *addFunction(StringRef name, GlobalValue::LinkageTypes linkage,
                        ArrayRef<Type *> parameters, ArrayRef<StringRef> names);
  void copyAttributes(unsigned number, Argument &to);
  void loadArguments(Value *pointers, SmallVectorImpl<Value *> &arguments);

  Function &kernel;
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
Function *EntryPoints::addFunction(StringRef name,
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
  static constexpr uint64_t limits[] = {1024, 1024, 64};
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
      range.addRangeAttr(
          ConstantRange(APInt(32, isEnd), APInt(32, limits[d] + isEnd)));
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

void EntryPoints::addThreadEntry(Function *loop) {
  Type *i32 = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  Function *entry = addFunction(threadEntryName, GlobalValue::ExternalLinkage,
                                {pointer, i32, i32, i32, pointer},
                                {"block", "x", "y", "z", "arguments"});
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
}

void EntryPoints::addBlockEntry(Function *loop) {
  Type *pointer = builder.getPtrTy();
  Function *entry = addFunction(blockEntryName, GlobalValue::ExternalLinkage,
                                {pointer, pointer}, {"block", "arguments"});
  SmallVector<Value *> arguments = {entry->getArg(0)};
  for (unsigned d = 0; d < 3; ++d) {
    Value *address = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), entry->getArg(0),
        offsetof(pyk_rt_block, block_dim) + 4 * d);
    arguments.push_back(builder.getInt32(0));
    arguments.push_back(builder.CreateLoad(builder.getInt32Ty(), address));
  }
  loadArguments(entry->getArg(1), arguments);
  builder.CreateCall(loop, arguments);
  builder.CreateRetVoid();
}

Error pyk::addEntryPoints(Function &kernel, bool waits) {
  for (Argument &parameter : drop_begin(kernel.args(), hiddenParameterCount)) {
    Type *type = parameter.getType();
    if (parameter.hasByValAttr() || !type->isSized())
      return createStringError(
          "expects kernel parameters that are numbers or pointers but got "
          "parameter " +
          Twine(parameter.getArgNo() - hiddenParameterCount) + " of '" +
          kernel.getName() + "' by reference");
  }
  kernel.removeFnAttr(Attribute::NoInline);
  kernel.addFnAttr(Attribute::AlwaysInline);
  EntryPoints entries(kernel);
  Function *loop = waits ? nullptr : entries.addLoop();
  entries.addThreadEntry(loop);
  if (loop)
    entries.addBlockEntry(loop);
  return Error::success();
}
