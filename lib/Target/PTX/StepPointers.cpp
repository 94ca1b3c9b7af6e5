// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that loops step by what only the launch knows.
//
// The machine adds a product of two numbers of 32 bits to a pointer in one
// instruction, where a sum of 64 bits takes two, and holds the product in one
// register less. ptxas uses it where PTX has the product as `mul.wide`, but
// LLVM gives it the product of 64 bits, and computes an address for each of the
// accesses of an unrolled loop. So they are brought into the form that ptxas
// takes, just before LLVM makes instructions of them: one pointer for all
// accesses that lie whole steps apart, which goes from one to the next. Loops
// must have the preheaders that LoopSimplify gives them.

#include "StepPointers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <map>

using namespace llvm;

namespace {

/// A distance in bytes: a constant times a number of 32 bits.
struct Distance {
  const SCEV *number;
  int64_t factor;
  bool isSigned;
};

/// An address that a chain has in each iteration, and the accesses at constant
/// offsets from it.
struct Link {
  const SCEVAddRecExpr *address;
  // From the link before; none of the first one.
  Distance distance;
  SmallVector<std::pair<Use *, int64_t>> accesses;
};

using Chain = SmallVector<Link>;

class PointerStepper {
public:
  PointerStepper(Loop &loop, ScalarEvolution &evolution, DominatorTree &tree)
      : loop(loop), evolution(evolution), tree(tree),
        expander(evolution, "step") {}

  bool run();

private:
  std::optional<Distance> getDistance(const SCEV *bytes);
  const SCEV *widen(Value *number, bool isSigned);
  const SCEV *getAddress(Value *pointer);
  void collect(Use &pointer);
  bool append(Chain &chain, const SCEVAddRecExpr *address, Use &pointer);
  std::optional<Distance> getRest(const Chain &chain);
  void rewrite(const Chain &chain);
  Value *getStep(const Distance &distance);
  bool stepByProducts();

  Loop &loop;
  ScalarEvolution &evolution;
  DominatorTree &tree;
  SCEVExpander expander;
  SmallVector<Chain> chains;
  std::map<std::tuple<const SCEV *, int64_t, bool>, Value *> steps;
};

} // namespace

/// `bytes` as a product that the machine can add to a pointer.
std::optional<Distance> PointerStepper::getDistance(const SCEV *bytes) {
  if (isa<SCEVCouldNotCompute>(bytes) || isa<SCEVConstant>(bytes) ||
      !bytes->getType()->isIntegerTy(64) ||
      !evolution.isLoopInvariant(bytes, &loop))
    return std::nullopt;
  int64_t factor = 1;
  const SCEV *number = bytes;
  if (auto *product = dyn_cast<SCEVMulExpr>(bytes))
    if (auto *constant = dyn_cast<SCEVConstant>(product->getOperand(0))) {
      factor = constant->getAPInt().getSExtValue();
      SmallVector<const SCEV *> others(drop_begin(product->operands()));
      number = evolution.getMulExpr(others);
    }
  bool isUnsigned =
      factor > 0 && evolution.getUnsignedRangeMax(number).isIntN(32);
  if (!isInt<32>(factor) ||
      (!isUnsigned && evolution.getSignedRange(number).getMinSignedBits() > 32))
    return std::nullopt;
  Type *type = Type::getInt32Ty(bytes->getType()->getContext());
  number = evolution.getTruncateExpr(number, type);
  if (!expander.isSafeToExpandAt(number,
                                 loop.getLoopPreheader()->getTerminator()))
    return std::nullopt;
  return Distance{number, factor, !isUnsigned};
}

/// Adds an access to the chain where it is a constant away from a link or a
/// distance behind the last.
bool PointerStepper::append(Chain &chain, const SCEVAddRecExpr *address,
                            Use &pointer) {
  if (chain.front().address->getStepRecurrence(evolution) !=
          address->getStepRecurrence(evolution) ||
      chain.front().address->getType() != address->getType())
    return false;
  for (Link &link : reverse(chain)) {
    auto *offset =
        dyn_cast<SCEVConstant>(evolution.getMinusSCEV(address, link.address));
    if (offset && offset->getAPInt().isSignedIntN(24)) {
      link.accesses.emplace_back(&pointer, offset->getAPInt().getSExtValue());
      return true;
    }
  }
  auto distance =
      getDistance(evolution.getMinusSCEV(address, chain.back().address));
  if (!distance)
    return false;
  chain.push_back({address, *distance, {{&pointer, 0}}});
  return true;
}

/// `number`, of 32 bits, in 64. Sums and products that do not wrap are those of
/// what they are made of, which SCEV believes only where it proves it.
const SCEV *PointerStepper::widen(Value *number, bool isSigned) {
  auto *op = dyn_cast<BinaryOperator>(number);
  auto *flags = dyn_cast<OverflowingBinaryOperator>(number);
  auto *disjoint = dyn_cast<PossiblyDisjointInst>(number);
  bool isExact = (flags && (isSigned ? flags->hasNoSignedWrap()
                                     : flags->hasNoUnsignedWrap())) ||
                 (disjoint && disjoint->isDisjoint() && !isSigned);
  if (isExact) {
    const SCEV *left = widen(op->getOperand(0), isSigned);
    const SCEV *right = widen(op->getOperand(1), isSigned);
    if (op->getOpcode() == Instruction::Add || disjoint)
      return evolution.getAddExpr(left, right);
    if (op->getOpcode() == Instruction::Mul)
      return evolution.getMulExpr(left, right);
  }
  Type *type = Type::getInt64Ty(number->getContext());
  const SCEV *narrow = evolution.getSCEV(number);
  return isSigned ? evolution.getSignExtendExpr(narrow, type)
                  : evolution.getZeroExtendExpr(narrow, type);
}

/// The address that `pointer` is. SCEV's own lies no distance behind another
/// where a sum of 32 bits begins it.
const SCEV *PointerStepper::getAddress(Value *pointer) {
  auto *element = dyn_cast<GetElementPtrInst>(pointer);
  if (!element || element->getNumIndices() != 1)
    return evolution.getSCEV(pointer);
  auto *index = dyn_cast<CastInst>(element->idx_begin()->get());
  if (!isa_and_nonnull<ZExtInst, SExtInst>(index) ||
      !index->getDestTy()->isIntegerTy(64) ||
      !index->getSrcTy()->isIntegerTy(32))
    return evolution.getSCEV(pointer);
  const SCEV *number = widen(index->getOperand(0), isa<SExtInst>(index));
  TypeSize size = loop.getHeader()->getDataLayout().getTypeAllocSize(
      element->getSourceElementType());
  return evolution.getAddExpr(
      evolution.getSCEV(element->getPointerOperand()),
      evolution.getMulExpr(number,
                           evolution.getConstant(number->getType(), size)));
}

void PointerStepper::collect(Use &pointer) {
  if (loop.isLoopInvariant(pointer))
    return;
  auto *address = dyn_cast<SCEVAddRecExpr>(getAddress(pointer));
  if (!address || address->getLoop() != &loop || !address->isAffine() ||
      !getDistance(address->getStepRecurrence(evolution)) ||
      !expander.isSafeToExpandAt(address->getStart(),
                                 loop.getLoopPreheader()->getTerminator()))
    return;
  for (Chain &chain : chains)
    if (append(chain, address, pointer))
      return;
  chains.push_back({{address, {}, {{&pointer, 0}}}});
}

/// From the last link to the first of the next iteration.
std::optional<Distance> PointerStepper::getRest(const Chain &chain) {
  const SCEV *step = chain.front().address->getStepRecurrence(evolution);
  return getDistance(evolution.getMinusSCEV(
      step,
      evolution.getMinusSCEV(chain.back().address, chain.front().address)));
}

/// The distance in bytes. LLVM has no operation that stays this product.
Value *PointerStepper::getStep(const Distance &distance) {
  Value *&step = steps[{distance.number, distance.factor, distance.isSigned}];
  if (step)
    return step;
  Instruction *end = loop.getLoopPreheader()->getTerminator();
  IRBuilder<> b(end);
  Value *number = expander.expandCodeFor(distance.number, b.getInt32Ty(), end);
  std::string text =
      ((distance.isSigned ? "mul.wide.s32 $0, $1, " : "mul.wide.u32 $0, $1, ") +
       Twine(distance.factor) + ";")
          .str();
  auto *type = FunctionType::get(b.getInt64Ty(), {b.getInt32Ty()}, false);
  auto *call = b.CreateCall(
      InlineAsm::get(type, text, "=l,r", /*hasSideEffects=*/false), {number});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return step = call;
}

void PointerStepper::rewrite(const Chain &chain) {
  auto rest = getRest(chain);
  auto whole = getDistance(chain.front().address->getStepRecurrence(evolution));
  BasicBlock *preheader = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  Type *type = chain.front().address->getType();
  Value *start = expander.expandCodeFor(chain.front().address->getStart(), type,
                                        preheader->getTerminator());
  IRBuilder<> b(&loop.getHeader()->front());
  PHINode *pointer = b.CreatePHI(type, 2);
  pointer->addIncoming(start, preheader);
  Value *current = pointer;
  for (const Link &link : chain) {
    auto *first = cast<Instruction>(link.accesses.front().first->getUser());
    if (&link != &chain.front()) {
      b.SetInsertPoint(first);
      current = b.CreatePtrAdd(current, getStep(link.distance));
    }
    for (auto [access, offset] : link.accesses) {
      b.SetInsertPoint(cast<Instruction>(access->getUser()));
      access->set(offset ? b.CreatePtrAdd(current, b.getInt64(offset))
                         : current);
    }
  }
  b.SetInsertPoint(latch->getTerminator());
  pointer->addIncoming(rest ? b.CreatePtrAdd(current, getStep(*rest))
                            : b.CreatePtrAdd(pointer, getStep(*whole)),
                       latch);
}

/// The operand of an access that is its address.
static Use *getPointer(Instruction &access) {
  if (auto *load = dyn_cast<LoadInst>(&access))
    return &load->getOperandUse(LoadInst::getPointerOperandIndex());
  if (auto *store = dyn_cast<StoreInst>(&access))
    return &store->getOperandUse(StoreInst::getPointerOperandIndex());
  return nullptr;
}

/// Makes a product of what is added to a pointer that no chain steps: one that
/// is made anew in each iteration.
bool PointerStepper::stepByProducts() {
  const DataLayout &layout = loop.getHeader()->getDataLayout();
  bool changed = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : make_early_inc_range(*block)) {
      auto *behind = dyn_cast<GetElementPtrInst>(&instruction);
      if (!behind || behind->getNumIndices() != 1 ||
          behind->getType()->isVectorTy() ||
          loop.isLoopInvariant(behind->getPointerOperand()))
        continue;
      const SCEV *number = evolution.getSCEV(*behind->idx_begin());
      TypeSize size = layout.getTypeAllocSize(behind->getSourceElementType());
      if (!number->getType()->isIntegerTy(64))
        continue;
      auto distance = getDistance(evolution.getMulExpr(
          number, evolution.getConstant(number->getType(), size)));
      if (!distance)
        continue;
      IRBuilder<> b(behind);
      Value *current =
          b.CreatePtrAdd(behind->getPointerOperand(), getStep(*distance));
      behind->replaceAllUsesWith(current);
      behind->eraseFromParent();
      changed = true;
    }
  return changed;
}

bool PointerStepper::run() {
  // The blocks that each iteration passes, in order.
  SmallVector<BasicBlock *> blocks;
  for (auto *node = tree.getNode(loop.getLoopLatch());;
       node = node->getIDom()) {
    blocks.push_back(node->getBlock());
    if (node->getBlock() == loop.getHeader())
      break;
  }
  SmallVector<WeakTrackingVH> replaced;
  for (BasicBlock *block : reverse(blocks))
    for (Instruction &access : *block)
      if (Use *pointer = getPointer(access)) {
        if (isa<Instruction>(pointer->get()))
          replaced.emplace_back(pointer->get());
        collect(*pointer);
      }
  for (const Chain &chain : chains)
    rewrite(chain);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  DeleteDeadPHIs(loop.getHeader());
  return stepByProducts() || !chains.empty();
}

PreservedAnalyses
pyk::StepPointersPass::run(Function &function,
                           FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopPreheader() && loop->getLoopLatch())
      changed |= PointerStepper(*loop, evolution, tree).run();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
