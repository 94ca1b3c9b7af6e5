// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lays shared arrays out in the block's shared memory, in the order of the
// module, and replaces each by its address. Every array has bytes of its own:
// nothing is said about which are alive at a time.

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
  convertUsersOfConstantsToInstructions({&array});
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

Expected<uint64_t> pyk::bindSharedMemory(Module &module,
                                         const SharedMemory &shared) {
  const DataLayout &layout = module.getDataLayout();
  DenseMap<Function *, std::unique_ptr<ThreadContext>> contexts;
  uint64_t bytes = 0;
  for (GlobalVariable *array : shared.staticArrays) {
    Align alignment = array->getAlign().value_or(
        layout.getABITypeAlign(array->getValueType()));
    bytes = addPadding(bytes, alignment);
    if (Error error = replaceByOffset(*array, bytes, alignment, contexts))
      return error;
    bytes += layout.getTypeAllocSize(array->getValueType());
  }
  if (shared.dynamicArray) {
    Align alignment = std::max(shared.dynamicArray->getAlign().valueOrOne(),
                               dynamicAlignment);
    uint64_t offset = addPadding(bytes, alignment);
    // The runtime knows of no larger alignment behind what counts as static.
    if (alignment > dynamicAlignment)
      bytes = offset;
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
