// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds loops that wait for other threads.
//
// What decides whether a loop goes on is followed backwards within the loop, to
// the elements of arrays that it is computed from. A thread waits for an
// element that the loop itself does not write if another thread may: if the
// kernel stores to the array, or if nothing else could end the loop. How
// elements come to be read does not matter: at changing indices, in loops
// within, in device functions. A function that calls itself iterates, too:
// LLVM makes a loop of it. python-dialect-docs/rationale/lowering.md says why.

#include "Slices.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/Analysis/AccessedElements.h"
#include "pyk/Dialect/Pyk/Analysis/Barriers.h"
#include "pyk/Dialect/Pyk/Analysis/ElementOwners.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykCalls.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_MARKSPINSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// The calls of `function` that lead back to it, in its own body.
SmallVector<CallOp> getCircleCalls(FuncOp function, const CallGraph &calls,
                                   const UnderlyingObjects &objects) {
  SmallVector<CallOp> result;
  if (calls.isRecursive(function))
    function.walk([&](CallOp call) {
      FuncOp callee = objects.getCallee(call);
      if (callee == function || calls.leadsTo(callee, function))
        result.push_back(call);
    });
  return result;
}

/// True if nothing but conditions ends between `call` and the return.
bool isTailCall(CallOp call) {
  for (Operation *op = call; !isa<FuncOp>(op); op = op->getParentOp()) {
    Operation *next = op->getNextNode();
    if (isa_and_present<ReturnOp>(next))
      return true;
    if (!next || !next->hasTrait<OpTrait::IsTerminator>() ||
        !isa<StructuredFlowOpInterface>(op->getParentOp()) ||
        isLoop(op->getParentOp()))
      return false;
  }
  llvm_unreachable("a function ends in a return");
}

/// Decides for one loop, or function that calls itself, which elements it waits
/// for.
class SpinFinder {
public:
  SpinFinder(Operation *loop, ArrayRef<CallOp> circle,
             UnderlyingObjects &objects, ElementOwners &owners, Slicer &slicer)
      : loop(loop), circle(circle), objects(objects), owners(owners),
        slicer(slicer) {}

  /// The reads that must be done in each iteration; none if the loop is no
  /// spin.
  llvm::SetVector<Operation *> find();

  /// True if other threads must be let run in each iteration, because nothing
  /// else in it surely does.
  bool needsHint();

private:
  bool canRepeatAndEnd() const;
  SmallVector<Value> getEndConditions() const;
  SmallVector<Value> getNextValues(BlockArgument carried) const;
  bool isChanging(BlockArgument carried);
  bool dependsOnMemoryAlone(const Slice &exits);
  bool variesByIteration(Operation *access, Operation *site);
  bool isInCallee(Operation *op, Operation *site);
  bool isAlwaysWritten(const Read &read);
  bool isInvariantBetweenBarriers(const Read &read);
  bool isOfBlock(const Read &read);
  template <typename Meeting>
  bool meetsInEachIteration();

  Operation *loop;
  /// Of a function the calls that begin its next iteration.
  ArrayRef<CallOp> circle;
  UnderlyingObjects &objects;
  ElementOwners &owners;
  Slicer &slicer;
  SmallVector<Write> writes;
  /// Nothing but memory decides when the loop ends.
  bool waitsForMemory = false;
};

} // namespace

llvm::SetVector<Operation *> SpinFinder::find() {
  llvm::SetVector<Operation *> waits;
  if (!canRepeatAndEnd())
    return waits;
  writes = objects.getStores(loop);
  Slice exits = slicer.slice(loop, getEndConditions());
  // The stack ends what is no loop at last.
  bool isTail = llvm::all_of(circle, isTailCall);
  bool counts = isCountedLoop(loop) || !isTail;
  waitsForMemory = !isCountedLoop(loop) && dependsOnMemoryAlone(exits);
  bool meetsBlock = !exits.reads.empty() && meetsInEachIteration<BarrierOp>();
  bool meetsGrid =
      !exits.reads.empty() && meetsInEachIteration<GridBarrierOp>();
  for (const Read &read : exits.reads) {
    Space space = getReadArray(read.op).getType().getSpace();
    if (space == Space::Local || space == Space::Constant)
      continue;
    // Threads wait there, and read anew behind it what the grid, or the block,
    // has written. What nobody writes another launch may, or the host.
    if ((!waitsForMemory && meetsGrid) ||
        (space == Space::Shared && meetsBlock && isOfBlock(read)))
      continue;
    if (!waitsForMemory &&
        (!objects.isStored(read.array) || owners.isOwn(read.op) ||
         isInvariantBetweenBarriers(read)))
      continue;
    // A loop that counts ends anyway. If it looks at one element again and
    // again, it expects another thread to write there; else it is a search.
    if (counts && variesByIteration(read.op, read.site))
      continue;
    if (!isTail || !isAlwaysWritten(read))
      waits.insert(read.op);
  }
  return waits;
}

/// A loop without a way out waits for nothing, and one without a way back
/// does not wait.
bool SpinFinder::canRepeatAndEnd() const {
  auto flow = dyn_cast<StructuredFlowOpInterface>(loop);
  if (!flow || (!isCountedLoop(loop) && !flow.getConditions().empty()))
    return true;
  SmallVector<Operation *> exits = getExits(loop);
  return llvm::any_of(exits, isRepeating) && !llvm::all_of(exits, isRepeating);
}

/// What decides whether there is another iteration.
SmallVector<Value> SpinFinder::getEndConditions() const {
  if (!isa<FuncOp>(loop))
    return getExitConditions(loop);
  SmallVector<Value> conditions;
  for (CallOp call : circle)
    llvm::append_range(conditions, getConditions(call, loop));
  for (Operation *exit : getExits(loop))
    llvm::append_range(conditions, getConditions(exit, loop));
  return conditions;
}

/// What `carried` may be in the next iteration. What reaches a parameter by way
/// of other functions is not looked for.
SmallVector<Value> SpinFinder::getNextValues(BlockArgument carried) const {
  if (!isa<FuncOp>(loop))
    return getIncomingValues(carried).values;
  SmallVector<Value> values;
  for (CallOp call : circle)
    if (objects.getCallee(call) == loop)
      values.push_back(call.getOperands()[carried.getArgNumber()]);
  return values;
}

/// True if an iteration computes the next value of `carried` from the last.
bool SpinFinder::isChanging(BlockArgument carried) {
  if (auto flow = dyn_cast<StructuredFlowOpInterface>(loop);
      flow && carried == flow.getCountedValue())
    return true;
  auto resolve = [&](Value next) {
    auto argument = dyn_cast<BlockArgument>(next);
    auto whileLoop = dyn_cast<scf::WhileOp>(loop);
    if (argument && whileLoop &&
        argument.getOwner() == whileLoop.getAfterBody())
      return whileLoop.getConditionOp().getArgs()[argument.getArgNumber()];
    return next;
  };
  SmallVector<Value> nexts;
  for (Value next : getNextValues(carried))
    if (resolve(next) != carried && resolve(next) != resolve(carried))
      nexts.push_back(next);
  return slicer.slice(loop, nexts).values.contains(carried);
}

/// True if each iteration would decide as the last one did if memory were the
/// same.
bool SpinFinder::dependsOnMemoryAlone(const Slice &exits) {
  for (Value value : exits.values) {
    if (!isWithin(value, loop))
      continue;
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner()->getParentOp() == loop) {
      if (isChanging(argument))
        return false;
    } else if (Operation *op = value.getDefiningOp();
               op && !isa<AccessOpInterface, CallOp>(op) &&
               getIncomingValues(value).values.empty() && !isPure(op)) {
      return false;
    }
  }
  return llvm::none_of(exits.reads, [&](const Read &read) {
    return llvm::any_of(writes, [&](const Write &write) {
      return objects.mayBeSame(read.array, write.array);
    });
  });
}

/// True if the access is to different elements in different iterations.
bool SpinFinder::variesByIteration(Operation *access, Operation *site) {
  SmallVector<Value> start = access == site
                                 ? getElementOperands(access)
                                 : SmallVector<Value>(site->getOperands());
  return llvm::any_of(slicer.slice(loop, start).values, [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner()->getParentOp() == loop &&
           isChanging(argument);
  });
}

/// True if `write` gets on with the loop's own work. Numbers alone are waited
/// for. An atomic operation may leave everything as it was, and often does
/// until another thread has written.
static bool makesProgress(Operation *write) {
  auto atomic = dyn_cast<AtomicOp>(write);
  if (!atomic)
    return isa<StoreOp>(write);
  return llvm::is_contained({AtomicKind::Add, AtomicKind::Inc, AtomicKind::Dec},
                            atomic.getKind()) &&
         !matchPattern(atomic.getValue(), m_Zero()) &&
         !matchPattern(atomic.getValue(), m_AnyZeroFloat());
}

/// True unless `site` calls a function that `op` is not itself in.
bool SpinFinder::isInCallee(Operation *op, Operation *site) {
  auto call = dyn_cast<CallOp>(site);
  return !call || op->getParentOfType<FuncOp>() == objects.getCallee(call);
}

/// True if an iteration that another follows always writes to what `read` looks
/// at: to the very element, or to others in other iterations as it reads
/// others.
bool SpinFinder::isAlwaysWritten(const Read &read) {
  return llvm::any_of(writes, [&](const Write &write) {
    if (!makesProgress(write.op) ||
        !objects.mayBeSame(read.array, write.array) ||
        !isAlwaysReached(write.site, loop))
      return false;
    // What a function that is called calls in turn has other parameters than
    // the call in the loop.
    if (!isInCallee(read.op, read.site) || !isInCallee(write.op, write.site))
      return false;
    if (auto call = dyn_cast<CallOp>(write.site))
      if (!isAlwaysReached(write.op, objects.getCallee(call)))
        return false;
    return llvm::equal(getElementOperands(read.op),
                       getElementOperands(write.op),
                       [&](Value a, Value b) {
                         return isSameExpression(a, read.site, b, write.site);
                       }) ||
           (variesByIteration(write.op, write.site) &&
            variesByIteration(read.op, read.site));
  });
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// True if barriers keep the loop apart from all stores to an array of its
/// block: what it reads is then the same in each iteration.
bool SpinFinder::isInvariantBetweenBarriers(const Read &read) {
  auto module = loop->getParentOfType<ModuleOp>();
  bool settled = getReadArray(read.op).getType().getSpace() == Space::Shared;
  module->walk([&](Operation *op) {
    if (isa<BarrierOp>(op))
      settled = settled && isReachedByBlock(op);
    else if (Value array = getStoredArray(op))
      settled = settled &&
                (!objects.mayBeSame(array, read.array) || areApart(op, loop));
  });
  return settled;
}

template <typename Meeting>
bool SpinFinder::meetsInEachIteration() {
  return loop
      ->walk([&](Meeting barrier) {
        return isAlwaysReached(barrier, loop) ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if what the loop stores to the array that is read comes from the block
/// alone: from that array and from no memory that other blocks write.
bool SpinFinder::isOfBlock(const Read &read) {
  return llvm::all_of(writes, [&](const Write &write) {
    if (!objects.mayBeSame(read.array, write.array))
      return true;
    // What a function that is called reads is not looked for.
    if (write.op != write.site)
      return false;
    SmallVector<Value> from(write.op->getOperands());
    llvm::append_range(from, getConditions(write.op, loop));
    Slice slice = slicer.slice(loop, from);
    return llvm::all_of(slice.reads, [&](const Read &source) {
      Space space = getReadArray(source.op).getType().getSpace();
      return space == Space::Local || space == Space::Constant ||
             source.array == read.array;
    });
  });
}

bool SpinFinder::needsHint() {
  return waitsForMemory || !meetsInEachIteration<BarrierOp>();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Adds a hint on the way from each iteration of `loop` to the next.
static void addSpinHints(Operation *loop, ArrayRef<CallOp> circle) {
  OpBuilder builder(loop);
  for (CallOp call : circle) {
    builder.setInsertionPoint(call);
    SpinHintOp::create(builder, loop->getLoc());
  }
  if (isa<FuncOp>(loop))
    return;
  if (auto whileLoop = dyn_cast<scf::WhileOp>(loop)) {
    builder.setInsertionPointToStart(whileLoop.getAfterBody());
    SpinHintOp::create(builder, loop->getLoc());
    return;
  }
  for (Operation *exit : getExits(loop))
    if (isRepeating(exit)) {
      builder.setInsertionPoint(exit);
      SpinHintOp::create(builder, loop->getLoc());
    }
}

namespace {

struct MarkSpinsPass : pyk::impl::MarkSpinsPassBase<MarkSpinsPass> {
  // Contexts that have nothing but the dialects need it, too.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerStructuredFlowModels(registry);
  }

  void runOnOperation() override {
    UnderlyingObjects objects(getOperation());
    ElementOwners owners(getOperation(), objects);
    Slicer slicer(objects);
    CallGraph calls(getOperation());
    for (auto function : getOperation().getOps<FuncOp>())
      function->walk([&](Operation *op) {
        SmallVector<CallOp> circle;
        if (op == function)
          circle = getCircleCalls(function, calls, objects);
        if (circle.empty() && !isLoop(op))
          return;
        SpinFinder finder(op, circle, objects, owners, slicer);
        llvm::SetVector<Operation *> waits = finder.find();
        // Atomic operations are done each time anyway.
        for (Operation *wait : waits)
          if (auto load = dyn_cast<LoadOp>(wait))
            load.setIsVolatile(true);
          else if (auto copy = dyn_cast<CopyRecordOp>(wait))
            copy.setIsVolatile(true);
        if (!waits.empty() && finder.needsHint())
          addSpinHints(op, circle);
      });
  }
};

} // namespace
