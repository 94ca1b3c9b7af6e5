// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a warp do together: all but the active mask is an
// exchange of a value by each lane, of which each lane computes what it wants.

#include "BindToHost.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pyk;

/// How many lanes a warp has.
static constexpr unsigned kLanes = 32;

namespace {

/// Computes the value of one call.
class WarpCall {
public:
  WarpCall(CallInst &call, ThreadContext &thread)
      : call(call), thread(thread), b(&call) {}

  /// Gives `value` to the lanes of the call's mask, its first argument; yields
  /// where what each of them gave is.
  Value *exchange(Value *value);

  Value *computeShuffle();
  Value *computeVote();
  Value *computeMatch(bool wantsAll);
  Value *computeActiveMask();

private:
  /// As exchange, but yields a vector.
  Value *exchangeAll(Value *value);
  /// The bits of those elements of `values` that are not 0.
  Value *getLanes(Value *values);

  CallInst &call;
  ThreadContext &thread;
  IRBuilder<> b;
};

} // namespace

Value *WarpCall::exchange(Value *value) {
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  FunctionCallee function = call.getModule()->getOrInsertFunction(
      "pyk_rt_exchange", b.getVoidTy(), b.getPtrTy(), i32, i64, b.getPtrTy());
  cast<Function>(function.getCallee())->addFnAttr(Attribute::NoUnwind);
  Value *values = thread.getEntryBuilder().CreateAlloca(
      llvm::ArrayType::get(i64, kLanes), nullptr, "lanes");
  b.CreateCall(function, {thread.getBlock(), call.getArgOperand(0),
                          b.CreateZExt(value, i64), values});
  return values;
}

Value *WarpCall::exchangeAll(Value *value) {
  return b.CreateAlignedLoad(FixedVectorType::get(b.getInt64Ty(), kLanes),
                             exchange(value), Align(8));
}

Value *WarpCall::getLanes(Value *values) {
  return b.CreateBitCast(
      b.CreateICmpNE(values, Constant::getNullValue(values->getType())),
      b.getInt32Ty());
}

/// PTX's definition of `shfl.sync`.
Value *WarpCall::computeShuffle() {
  Value *lane =
      thread.getEntryBuilder().CreateAnd(thread.getLinearThread(), 31, "lane");
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  Value *values = exchange(b.CreateBitCast(call.getArgOperand(1), i32));

  // A segment is a part of the warp; lanes beyond its end give nothing.
  Value *offset = b.CreateAnd(call.getArgOperand(2), 31);
  Value *clamp = call.getArgOperand(3);
  Value *segment = b.CreateAnd(b.CreateLShr(clamp, 8), 31);
  Value *inside = b.CreateNot(segment);
  Value *first = b.CreateAnd(lane, segment);
  Value *end = b.CreateOr(first, b.CreateAnd(b.CreateAnd(clamp, 31), inside));
  Value *from = nullptr;
  bool isUp = false;
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_shfl_sync_idx_i32:
  case Intrinsic::nvvm_shfl_sync_idx_f32:
    from = b.CreateOr(first, b.CreateAnd(offset, inside));
    break;
  case Intrinsic::nvvm_shfl_sync_up_i32:
  case Intrinsic::nvvm_shfl_sync_up_f32:
    isUp = true;
    from = b.CreateSub(lane, offset);
    break;
  case Intrinsic::nvvm_shfl_sync_down_i32:
  case Intrinsic::nvvm_shfl_sync_down_f32:
    from = b.CreateAdd(lane, offset);
    break;
  default:
    from = b.CreateXor(lane, offset);
    break;
  }
  Value *isInside =
      isUp ? b.CreateICmpSGE(from, end) : b.CreateICmpSLE(from, end);
  from = b.CreateSelect(isInside, from, lane);
  Value *slot = b.CreateInBoundsGEP(i64, values, b.CreateZExt(from, i64));
  return b.CreateBitCast(b.CreateTrunc(b.CreateLoad(i64, slot), i32),
                         call.getType());
}

/// PTX's definition of `vote.sync`. A lane that has ended gives 0, so one that
/// has come says so in another bit.
Value *WarpCall::computeVote() {
  Value *predicate = b.CreateZExt(call.getArgOperand(1), b.getInt64Ty());
  Value *values = exchangeAll(b.CreateOr(predicate, 2));
  Value *there = getLanes(values);
  auto *one = ConstantInt::get(values->getType(), 1);
  Value *yes = getLanes(b.CreateAnd(values, one));
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_vote_all_sync:
    return b.CreateICmpEQ(yes, there);
  case Intrinsic::nvvm_vote_any_sync:
    return b.CreateICmpNE(yes, b.getInt32(0));
  case Intrinsic::nvvm_vote_uni_sync:
    return b.CreateOr(b.CreateICmpEQ(yes, there),
                      b.CreateICmpEQ(yes, b.getInt32(0)));
  default:
    return yes;
  }
}

/// PTX's definition of `match.sync`. Values take all bits, so that who is there
/// is asked before.
Value *WarpCall::computeMatch(bool wantsAll) {
  Value *there = getLanes(exchangeAll(b.getInt64(1)));
  Value *own = b.CreateZExt(call.getArgOperand(1), b.getInt64Ty());
  Value *values = exchangeAll(own);
  Value *isSame = b.CreateICmpEQ(values, b.CreateVectorSplat(kLanes, own));
  Value *same = b.CreateAnd(b.CreateBitCast(isSame, b.getInt32Ty()), there);
  if (!wantsAll)
    return same;
  Value *isAll = b.CreateICmpEQ(same, there);
  Value *lanes = b.CreateSelect(isAll, there, b.getInt32(0));
  Value *both = b.CreateInsertValue(PoisonValue::get(call.getType()), lanes, 0);
  return b.CreateInsertValue(both, isAll, 1);
}

/// Numbers the calls of the module, so that the runtime knows who has come to
/// the same one; in a function the first call has the least number.
Value *WarpCall::computeActiveMask() {
  Type *i32 = b.getInt32Ty();
  FunctionCallee callee = call.getModule()->getOrInsertFunction(
      "pyk_rt_active_mask", i32, b.getPtrTy(), i32);
  auto *function = cast<Function>(callee.getCallee());
  function->addFnAttr(Attribute::NoUnwind);
  Value *site = b.getInt32(function->getNumUses());
  return b.CreateCall(callee, {thread.getBlock(), site});
}

Value *pyk::meetWarp(CallInst &call, ThreadContext &thread) {
  IRBuilder<> builder(&call);
  return WarpCall(call, thread).exchange(builder.getInt64(0));
}

Value *pyk::computeOfWarp(CallInst &call, ThreadContext &thread) {
  WarpCall warp(call, thread);
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_shfl_sync_idx_i32:
  case Intrinsic::nvvm_shfl_sync_idx_f32:
  case Intrinsic::nvvm_shfl_sync_up_i32:
  case Intrinsic::nvvm_shfl_sync_up_f32:
  case Intrinsic::nvvm_shfl_sync_down_i32:
  case Intrinsic::nvvm_shfl_sync_down_f32:
  case Intrinsic::nvvm_shfl_sync_bfly_i32:
  case Intrinsic::nvvm_shfl_sync_bfly_f32:
    return warp.computeShuffle();
  case Intrinsic::nvvm_vote_all_sync:
  case Intrinsic::nvvm_vote_any_sync:
  case Intrinsic::nvvm_vote_uni_sync:
  case Intrinsic::nvvm_vote_ballot_sync:
    return warp.computeVote();
  case Intrinsic::nvvm_match_any_sync_i32:
  case Intrinsic::nvvm_match_any_sync_i64:
    return warp.computeMatch(/*wantsAll=*/false);
  case Intrinsic::nvvm_match_all_sync_i32p:
  case Intrinsic::nvvm_match_all_sync_i64p:
    return warp.computeMatch(/*wantsAll=*/true);
  case Intrinsic::nvvm_activemask:
    return warp.computeActiveMask();
  default:
    return nullptr;
  }
}
