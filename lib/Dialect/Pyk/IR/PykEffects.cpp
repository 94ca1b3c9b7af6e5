// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The effects of accesses: on the memory that the type of the array names.

#include "pyk/Dialect/Pyk/IR/PykEffects.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;
using SideEffects::Resource;

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// The memory that an array of space `space` may be in.
static SmallVector<Resource *, 3> getMemory(Space space) {
  switch (space) {
  case Space::Global:
    return {GlobalMemory::get()};
  case Space::Shared:
    return {SharedMemory::get()};
  case Space::Local:
    return {LocalMemory::get()};
  case Space::Constant:
    return {ConstantMemory::get()};
  case Space::Generic:
    return {GlobalMemory::get(), SharedMemory::get(), LocalMemory::get()};
  }
  llvm_unreachable("a space");
}

/// Adds an effect of type `Effect` on the memory of the array `operand`.
template <typename Effect>
static void addEffect(OpOperand &operand, Effects &effects) {
  auto type = cast<ArrayType>(operand.get().getType());
  for (Resource *memory : getMemory(type.getSpace()))
    effects.emplace_back(Effect::get(), &operand, memory);
}

/// Adds those of a read of the array `operand`. A volatile one also counts as a
/// write: it may neither be dropped nor be one with another.
static void addRead(OpOperand &operand, bool isVolatile, Effects &effects) {
  addEffect<MemoryEffects::Read>(operand, effects);
  if (isVolatile)
    addEffect<MemoryEffects::Write>(operand, effects);
}

void LoadOp::getEffects(Effects &effects) {
  addRead(getArrayMutable(), getIsVolatile(), effects);
}

void StoreOp::getEffects(Effects &effects) {
  addEffect<MemoryEffects::Write>(getArrayMutable(), effects);
}

/// Adds those of an operation on an element of the array `operand`. One that
/// orders other accesses is as a fence.
static void addUpdate(OpOperand &operand, Order order, Effects &effects) {
  addEffect<MemoryEffects::Read>(operand, effects);
  addEffect<MemoryEffects::Write>(operand, effects);
  if (order == Order::Relaxed)
    return;
  for (Resource *memory : getMemory(Space::Generic)) {
    effects.emplace_back(MemoryEffects::Read::get(), memory);
    effects.emplace_back(MemoryEffects::Write::get(), memory);
  }
}

void AtomicOp::getEffects(Effects &effects) {
  addUpdate(getArrayMutable(), getOrder(), effects);
}

void AtomicCasOp::getEffects(Effects &effects) {
  addUpdate(getArrayMutable(), getOrder(), effects);
}

void CopyRecordOp::getEffects(Effects &effects) {
  addRead(getSourceMutable(), getIsVolatile(), effects);
  addEffect<MemoryEffects::Write>(getTargetMutable(), effects);
}
