// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `bar.sync` is `barrier.sync.aligned`. The PTX ISA leaves open what it does
// when threads of one warp come to it on different paths, as programs may let
// them: both arms of a branch may have a barrier. `barrier.sync` is for any
// threads.
//
// A block of code is reached on different paths if a branch whose condition
// threads differ in decides whether it is: if it lies between such a branch and
// the first block that all ways from it lead to. In functions other than
// kernels the caller may have branched.

#include "Barriers.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace {

/// LLVM's sources of divergence, except intrinsics with one result for a block:
/// LLVM counts the calls of all intrinsics.
class DivergenceInBlock : public TargetTransformInfoImplBase {
public:
  DivergenceInBlock(TargetTransformInfo target, const DataLayout &layout)
      : TargetTransformInfoImplBase(layout), target(std::move(target)) {}

  bool hasBranchDivergence(const Function *function) const override {
    return true;
  }
  InstructionUniformity
  getInstructionUniformity(const Value *value) const override;

private:
  TargetTransformInfo target;
};

} // namespace

InstructionUniformity
DivergenceInBlock::getInstructionUniformity(const Value *value) const {
  auto *call = dyn_cast<IntrinsicInst>(value);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
    return InstructionUniformity::AlwaysUniform;
  default:
    break;
  }
  // Functions of numbers, whatever the target.
  if (call && call->doesNotAccessMemory() && !call->isConvergent() &&
      !call->getCalledFunction()->getName().starts_with("llvm.nvvm."))
    return InstructionUniformity::Default;
  return target.getInstructionUniformity(value);
}

/// The same barrier without `.aligned`; not_intrinsic if `id` is no aligned
/// one.
static Intrinsic::ID getRelaxed(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    return Intrinsic::nvvm_barrier_cta_sync_all;
  case Intrinsic::nvvm_barrier_cta_sync_aligned_count:
    return Intrinsic::nvvm_barrier_cta_sync_count;
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
    return Intrinsic::nvvm_barrier_cta_red_popc_all;
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
    return Intrinsic::nvvm_barrier_cta_red_and_all;
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
    return Intrinsic::nvvm_barrier_cta_red_or_all;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// The aligned barriers of a function.
static SmallVector<IntrinsicInst *> getAlignedBarriers(Function &function) {
  SmallVector<IntrinsicInst *> barriers;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && getRelaxed(call->getIntrinsicID()))
      barriers.push_back(call);
  return barriers;
}

/// The blocks of a kernel that threads of one warp may reach on different
/// paths.
static SmallPtrSet<BasicBlock *, 16>
getDivergentBlocks(Function &kernel, FunctionAnalysisManager &analyses) {
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(kernel);
  auto &postDominators = analyses.getResult<PostDominatorTreeAnalysis>(kernel);
  SmallPtrSet<BasicBlock *, 16> found;
  for (BasicBlock &block : kernel) {
    if (!uniformity.hasDivergentTerminator(block))
      continue;
    auto *node = postDominators.getNode(&block);
    // Null where there is none, as before an endless loop.
    BasicBlock *end =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    SmallPtrSet<BasicBlock *, 16> seen;
    SmallVector<BasicBlock *> left(successors(&block));
    while (!left.empty()) {
      BasicBlock *next = left.pop_back_val();
      if (next == end || !seen.insert(next).second)
        continue;
      found.insert(next);
      llvm::append_range(left, successors(next));
    }
  }
  return found;
}

void pyk::relaxBarriers(Module &module, TargetMachine &machine) {
  FunctionAnalysisManager analyses;
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([&] {
    return TargetIRAnalysis([&](const Function &function) {
      return TargetTransformInfo(std::make_unique<DivergenceInBlock>(
          machine.getTargetTransformInfo(function), function.getDataLayout()));
    });
  });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return PostDominatorTreeAnalysis(); });
  analyses.registerPass([] { return CycleAnalysis(); });
  analyses.registerPass([] { return UniformityInfoAnalysis(); });
  for (Function &function : module) {
    SmallVector<IntrinsicInst *> barriers = getAlignedBarriers(function);
    if (barriers.empty())
      continue;
    bool isKernel = function.getCallingConv() == CallingConv::PTX_Kernel;
    SmallPtrSet<BasicBlock *, 16> divergent;
    if (isKernel)
      divergent = getDivergentBlocks(function, analyses);
    for (IntrinsicInst *barrier : barriers)
      if (!isKernel || divergent.contains(barrier->getParent()))
        barrier->setCalledFunction(Intrinsic::getOrInsertDeclaration(
            &module, getRelaxed(barrier->getIntrinsicID())));
  }
}
