// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a cooperative launch two special registers hold the address of a workspace
// that the driver keeps for the grid: its size, and a word for barriers. So
// neither the kernel's parameters nor the runtime need one, grids that run side
// by side do not meet, and libcudadevrt, which a program would have to link, is
// not needed: programs of CUDA C++ have this code in themselves, so that it is
// an interface that drivers keep to.
//
// The first thread of each block adds to the word. The first block adds what
// the others leave to 2^31, so that the top bit changes when the last one has
// come, and all bits below are 0 again, as the next barrier of whatever grid
// wants it. Nothing is to be set to a value before.

#include "GridBarrier.h"
#include "pyk/Support/GridBarrier.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Offset of the word in the workspace.
static constexpr uint64_t kWordOffset = 4;

namespace {

class BarrierWriter {
public:
  explicit BarrierWriter(Function &function)
      : function(function), b(function.getContext()) {}

  void write();

private:
  BasicBlock *addBlock(StringRef name) {
    return BasicBlock::Create(b.getContext(), name, &function);
  }
  Value *read(Intrinsic::ID sreg) {
    return b.CreateIntrinsic(b.getInt32Ty(), sreg, {});
  }
  /// Whether all three coordinates are 0.
  Value *isFirst(Intrinsic::ID x, Intrinsic::ID y, Intrinsic::ID z) {
    return b.CreateIsNull(b.CreateOr(b.CreateOr(read(x), read(y)), read(z)));
  }
  Value *findWord();
  Value *makeShare();
  void meetBlock() {
    b.CreateIntrinsic(b.getVoidTy(),
                      Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                      {b.getInt32(0)});
  }

  Function &function;
  IRBuilder<> b;
};

} // namespace

/// The address of the word.
Value *BarrierWriter::findWord() {
  Type *i64 = b.getInt64Ty();
  Value *high = b.CreateZExt(read(Intrinsic::nvvm_read_ptx_sreg_envreg1), i64);
  Value *low = b.CreateZExt(read(Intrinsic::nvvm_read_ptx_sreg_envreg2), i64);
  Value *address = b.CreateOr(b.CreateShl(high, 32), low);
  return b.CreateIntToPtr(b.CreateAdd(address, b.getInt64(kWordOffset)),
                          b.getPtrTy());
}

/// What the block adds to the word.
Value *BarrierWriter::makeShare() {
  Value *blocks =
      b.CreateMul(b.CreateMul(read(Intrinsic::nvvm_read_ptx_sreg_nctaid_x),
                              read(Intrinsic::nvvm_read_ptx_sreg_nctaid_y)),
                  read(Intrinsic::nvvm_read_ptx_sreg_nctaid_z));
  Value *rest = b.CreateSub(b.getInt32(0x80000001), blocks);
  return b.CreateSelect(isFirst(Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                Intrinsic::nvvm_read_ptx_sreg_ctaid_z),
                        rest, b.getInt32(1));
}

void BarrierWriter::write() {
  BasicBlock *entry = addBlock(""), *arrive = addBlock("arrive"),
             *wait = addBlock("wait"), *leave = addBlock("leave");
  SyncScope::ID device = b.getContext().getOrInsertSyncScopeID("device");

  b.SetInsertPoint(entry);
  meetBlock();
  b.CreateCondBr(isFirst(Intrinsic::nvvm_read_ptx_sreg_tid_x,
                         Intrinsic::nvvm_read_ptx_sreg_tid_y,
                         Intrinsic::nvvm_read_ptx_sreg_tid_z),
                 arrive, leave);

  // What the block wrote, which has met, is visible before it has come.
  b.SetInsertPoint(arrive);
  Value *word = findWord();
  Value *old = b.CreateAtomicRMW(AtomicRMWInst::Add, word, makeShare(),
                                 Align(4), AtomicOrdering::Release, device);
  b.CreateBr(wait);

  b.SetInsertPoint(wait);
  LoadInst *now = b.CreateAlignedLoad(b.getInt32Ty(), word, Align(4));
  now->setAtomic(AtomicOrdering::Acquire, device);
  Value *hasChanged = b.CreateICmpSLT(b.CreateXor(old, now), b.getInt32(0));
  b.CreateCondBr(hasChanged, leave, wait);

  b.SetInsertPoint(leave);
  meetBlock();
  b.CreateRetVoid();
}

void pyk::defineGridBarrier(Module &module) {
  Function *function = module.getFunction(kGridBarrierName);
  if (!function || !function->isDeclaration())
    return;
  function->setLinkage(GlobalValue::InternalLinkage);
  // With debug information it has that of a declaration.
  function->setSubprogram(nullptr);
  BarrierWriter(*function).write();
}
