// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lays shared arrays out in the block's shared memory, in the order of the
// module, and replaces each by its address. Every array of a kernel has bytes
// of its own: nothing is said about which are alive at a time. An array has one
// place for all kernels that reach it, since they share functions.

#include "BindToHost.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace pyk;

/// What ABI.h promises of a block's shared memory, and of the dynamic part.
static constexpr uint64_t sharedAlignment = 128;
static constexpr Align dynamicAlignment = Align::Constant<16>();

/// The first of `bytes` at which an array of `alignment` can lie. Of more than
/// the memory has itself, the address is found while the kernel runs, so the
/// array needs as many bytes more.
static uint64_t addPadding(uint64_t bytes, Align alignment) {
  if (alignment.value() <= sharedAlignment)
    return alignTo(bytes, alignment);
  return alignTo(bytes, sharedAlignment) + alignment.value() - sharedAlignment;
}

/// Replaces `array` in each function by the last address of its alignment up to
/// `offset` in the block's shared memory.
static Error replaceByOffset(
    GlobalVariable &array, uint64_t offset, Align alignment,
    DenseMap<Function *, std::unique_ptr<ThreadContext>> &contexts) {
  DenseMap<Function *, Value *> addresses;
  for (Use &use : make_early_inc_range(array.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      return createStringError("requires constants without addresses, but one "
                               "holds that of '" +
                               array.getName() + "'");
    Function *function = user->getFunction();
    auto &context = contexts[function];
    if (!context)
      context = std::make_unique<ThreadContext>(*function);
    Value *&address = addresses[function];
    if (!address) {
      Value *base = context->getShared();
      IRBuilder<> &builder = context->getEntryBuilder();
      address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base,
                                                   offset, array.getName());
      if (alignment.value() > sharedAlignment)
        address = builder.CreateIntrinsic(
            Intrinsic::ptrmask, {address->getType(), builder.getInt64Ty()},
            {address, builder.getInt64(-alignment.value())});
    }
    use.set(address);
  }
  return Error::success();
}

/// The kernels, by number, that use `array`.
static SmallVector<unsigned> getKernelsOf(GlobalVariable &array,
                                          ArrayRef<Reached> kernels) {
  convertUsersOfConstantsToInstructions({&array});
  SmallVector<unsigned> result;
  for (auto [number, reached] : enumerate(kernels))
    if (any_of(array.users(), [&reached = reached](User *user) {
          auto *instruction = dyn_cast<Instruction>(user);
          return instruction && reached.contains(instruction->getFunction());
        }))
      result.push_back(unsigned(number));
  return result;
}

Expected<SmallVector<uint64_t>>
pyk::bindSharedMemory(Module &module, const SharedGlobals &shared,
                      ArrayRef<Reached> kernels) {
  const DataLayout &layout = module.getDataLayout();
  DenseMap<Function *, std::unique_ptr<ThreadContext>> contexts;
  // Where each kernel's arrays end so far.
  SmallVector<uint64_t> bytes(kernels.size());
  auto getEnd = [&](ArrayRef<unsigned> users) {
    uint64_t end = 0;
    for (unsigned kernel : users)
      end = std::max(end, bytes[kernel]);
    return end;
  };
  for (GlobalVariable *array : shared.staticArrays) {
    SmallVector<unsigned> users = getKernelsOf(*array, kernels);
    Align alignment = array->getAlign().value_or(
        layout.getABITypeAlign(array->getValueType()));
    uint64_t offset = addPadding(getEnd(users), alignment);
    if (Error error = replaceByOffset(*array, offset, alignment, contexts))
      return error;
    for (unsigned kernel : users)
      bytes[kernel] = offset + layout.getTypeAllocSize(array->getValueType());
  }
  if (shared.dynamicArray) {
    SmallVector<unsigned> users = getKernelsOf(*shared.dynamicArray, kernels);
    Align alignment = std::max(shared.dynamicArray->getAlign().valueOrOne(),
                               dynamicAlignment);
    uint64_t end = getEnd(users);
    uint64_t offset = addPadding(end, alignment);
    // The runtime knows of no larger alignment behind what counts as static.
    for (unsigned kernel : users)
      bytes[kernel] = alignment > dynamicAlignment ? offset : end;
    if (Error error =
            replaceByOffset(*shared.dynamicArray, offset, alignment, contexts))
      return error;
  }
  for (GlobalVariable *array : shared.staticArrays)
    array->eraseFromParent();
  if (shared.dynamicArray)
    shared.dynamicArray->eraseFromParent();
  return bytes;
}
