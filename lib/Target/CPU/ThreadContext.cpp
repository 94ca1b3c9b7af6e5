// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of the block's description. They are invariant and may be done before
// they are needed, so that LLVM moves them out of the loop over a block's
// threads, where they are what tells it that addresses are consecutive.

#include "BindToHost.h"
#include "llvm/IR/MDBuilder.h"

#include <cstddef>

using namespace llvm;
using namespace pyk;
using runtime::LaunchLimits;

unsigned pyk::getAxis(const Function &function, unsigned dimension) {
  auto other = static_cast<unsigned>(
      function.getFnAttributeAsParsedInteger(laneAxisAttrName, 0));
  if (dimension == 0)
    return other;
  return dimension == other ? 0 : dimension;
}

ThreadContext::ThreadContext(Function &function)
    : axes({getAxis(function, 0), getAxis(function, 1), getAxis(function, 2)}),
      block(function.getArg(0)),
      thread({function.getArg(1), function.getArg(2), function.getArg(3)}),
      builder(&function.getEntryBlock(), function.getEntryBlock().begin()) {}

Value *ThreadContext::getThread(unsigned dimension) const {
  return thread[dimension];
}

Value *ThreadContext::load(Type *type, unsigned offset, const Twine &name,
                           uint64_t low, uint64_t high) {
  Value *&value = fields[offset];
  if (value)
    return value;
  LLVMContext &context = block->getContext();
  Value *address =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offset);
  LoadInst *field = builder.CreateLoad(type, address, name);
  MDNode *none = MDNode::get(context, {});
  field->setMetadata(LLVMContext::MD_invariant_load, none);
  field->setMetadata(LLVMContext::MD_noundef, none);
  if (type->isIntegerTy())
    field->setMetadata(
        LLVMContext::MD_range,
        MDBuilder(context).createRange(APInt(32, low), APInt(32, high)));
  return value = field;
}

static const char dimensionNames[] = {'x', 'y', 'z'};

Value *ThreadContext::getBlockId(unsigned dimension) {
  dimension = axes[dimension];
  return load(builder.getInt32Ty(),
              offsetof(pyk_rt_block, block_id) + 4 * dimension,
              Twine("ctaid.") + Twine(dimensionNames[dimension]), 0,
              LaunchLimits::grid[dimension]);
}

Value *ThreadContext::getBlockDim(unsigned dimension) {
  dimension = axes[dimension];
  return load(builder.getInt32Ty(),
              offsetof(pyk_rt_block, block_dim) + 4 * dimension,
              Twine("ntid.") + Twine(dimensionNames[dimension]), 1,
              LaunchLimits::block[dimension] + 1);
}

Value *ThreadContext::getGridDim(unsigned dimension) {
  dimension = axes[dimension];
  return load(builder.getInt32Ty(),
              offsetof(pyk_rt_block, grid_dim) + 4 * dimension,
              Twine("nctaid.") + Twine(dimensionNames[dimension]), 1,
              LaunchLimits::grid[dimension] + 1);
}

Value *ThreadContext::getDynamicSharedBytes() {
  return load(builder.getInt32Ty(),
              offsetof(pyk_rt_block, dynamic_shared_bytes), "dynamic_smem_size",
              0, 0x7fffffff);
}

Value *ThreadContext::getShared() {
  return load(builder.getPtrTy(), offsetof(pyk_rt_block, shared), "shared", 0,
              0);
}

Value *ThreadContext::getSums() {
  return load(builder.getPtrTy(), offsetof(pyk_rt_block, sums), "sums", 0, 0);
}

Value *ThreadContext::getBytesKept() {
  return load(builder.getInt32Ty(), offsetof(pyk_rt_block, bytes_kept),
              "bytes_kept", 0, 0);
}

Value *ThreadContext::getLinearThread() {
  if (linear)
    return linear;
  Value *plane = builder.CreateNUWMul(thread[2], getBlockDim(1));
  Value *row = builder.CreateNUWAdd(plane, thread[1]);
  Value *start = builder.CreateNUWMul(row, getBlockDim(0));
  return linear = builder.CreateNUWAdd(start, thread[0], "thread");
}

Value *ThreadContext::enterBlock(Value *x, Instruction &position) {
  // What was read is the index of the first one.
  auto *first = cast<LoadInst>(getBlockId(0));
  first->setMetadata(LLVMContext::MD_invariant_load, nullptr);
  IRBuilder<> atPosition(&position);
  return atPosition.CreateStore(
      x, atPosition.CreateConstInBoundsGEP1_64(
             atPosition.getInt8Ty(), block,
             offsetof(pyk_rt_block, block_id) + 4 * axes[0]));
}
