// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exits become values. Each way through the body of a loop ends in one of
// three: the next iteration, the end of the loop, or the end of a scope around
// it. A block yields which one it was, and what the exit hands on; where only
// one arm of a condition goes on, what stands behind the condition moves into
// that arm. Loops are in StructureLoops.cpp.

#include "Structurer.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"

namespace pyk::simd {
#define GEN_PASS_DEF_STRUCTUREEXITSPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

using Values = Structurer::Values;

/// Whether control may leave `op` by an exit from within.
static bool hasExit(Operation *op) {
  return op
      ->walk([&](ExitOpInterface exit) {
        Operation *target = exit.getExitedOp();
        return target && op->isAncestor(target) ? WalkResult::advance()
                                                : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether control may come to the end of `arm`.
static bool fallsThrough(Region &arm) {
  if (arm.empty())
    return true;
  for (Operation &op : arm.front()) {
    if (isa<ExitOpInterface>(op))
      return false;
    if (auto branch = dyn_cast<pyk::IfOp>(op);
        branch && !fallsThrough(branch.getThenRegion()) &&
        !fallsThrough(branch.getElseRegion()))
      return false;
  }
  return true;
}

/// What a block yields that ends in an exit. `given` is what the exit hands on.
Values Structurer::makeOutcome(const Context &context, bool breaks,
                               bool returns, ValueRange given) {
  Values values;
  if (context.canBreak)
    values.push_back(makeFlag(breaks));
  if (context.canReturn)
    values.push_back(makeFlag(returns));
  auto add = [&](size_t index, Type type, bool isGiven) {
    values.push_back(isGiven ? given[index] : makePoison(type).front());
  };
  bool isNext = !breaks && !returns;
  if (context.loop)
    for (auto [index, type] : llvm::enumerate(context.carried))
      add(index, type,
          isNext ||
              (breaks && context.sharesCarried && !context.isApart[index]));
  size_t next = 0;
  for (auto [index, isApart] : llvm::enumerate(context.isApart))
    if (isApart)
      add(index, context.broken[next++], breaks);
  for (auto [index, type] : llvm::enumerate(context.returned))
    add(index, type, returns);
  return leaveBranches(context, values);
}

/// What a block yields that was left with `values`.
Values Structurer::leaveBranches(const Context &context, Values values) {
  for (const SmallVector<Type> &results : context.branches) {
    values.insert(values.begin(), makeFlag(true));
    llvm::append_range(values, makePoison(results));
  }
  return values;
}

Values Structurer::runExit(Operation *exit, const Context &context) {
  Values given = look(exit->getOperands());
  if (isa<BreakOp>(exit)) {
    size_t apart = 0;
    for (auto [value, result, isApart] :
         llvm::zip(given, context.loop->getResults(), context.isApart)) {
      Type type = isApart ? context.broken[apart++] : value.getType();
      // What nobody uses need not be told apart.
      if (result.use_empty())
        value = ub::PoisonOp::create(builder, exit->getLoc(), type);
      else if (value.getType() != type)
        value = arith::TruncIOp::create(builder, exit->getLoc(), type, value);
    }
    return makeOutcome(context, /*breaks=*/true, /*returns=*/false, given);
  }
  if (isa<ContinueOp>(exit))
    return makeOutcome(context, /*breaks=*/false, /*returns=*/false, given);
  if (context.loop)
    return makeOutcome(context, /*breaks=*/false, /*returns=*/true, given);
  return leaveBranches(context, given);
}

void Structurer::clone(Operation *op) {
  // Loops truncate some results themselves.
  if (auto truncation = dyn_cast<arith::TruncIOp>(op)) {
    Value given = mapping.lookupOrDefault(truncation.getIn());
    if (given.getType() == truncation.getType())
      return mapping.map(truncation.getResult(), given);
  }
  Operation *copy = builder.cloneWithoutRegions(*op, mapping);
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions()))
    for (Block &block : from) {
      OpBuilder::InsertionGuard guard(builder);
      SmallVector<Location> locations;
      for (BlockArgument argument : block.getArguments())
        locations.push_back(argument.getLoc());
      Block *own = builder.createBlock(&to, to.end(), block.getArgumentTypes(),
                                       locations);
      mapping.map(block.getArguments(), own->getArguments());
      // Only loops and conditions of pyk have exits.
      (void)runBlock(block, Context(), [](ValueRange) { return Values(); });
    }
}

Values Structurer::runFrom(Block::iterator next, Block &block,
                           const Context &context, Continuation onYield) {
  for (; next != block.end(); ++next) {
    Operation *op = &*next;
    if (isa<ExitOpInterface>(op))
      return runExit(op, context);
    if (isa<pyk::YieldOp>(op))
      return onYield(look(op->getOperands()));
    if (auto branch = dyn_cast<pyk::IfOp>(op)) {
      if (!hasExit(op)) {
        structureIf(branch);
        continue;
      }
      return runIf(branch, context, onYield);
    }
    if (auto scope = dyn_cast<ScopeOp>(op)) {
      Context own;
      own.returned.assign(scope->result_type_begin(), scope->result_type_end());
      Values results =
          runBlock(scope.getBody().front(), own,
                   [](ValueRange) -> Values { llvm_unreachable("no yield"); });
      mapping.map(scope.getResults(), results);
      continue;
    }
    if (!isa<pyk::ForOp, LoopOp>(op)) {
      clone(op);
      continue;
    }
    Values returned;
    Value returns = structureLoop(op, returned);
    if (!returns)
      continue;
    auto rest = scf::IfOp::create(
        builder, op->getLoc(), context.getTypes(builder.getContext()), returns,
        /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    auto fill = [&](Region &region, llvm::function_ref<Values()> make) {
      builder.setInsertionPointToStart(&region.front());
      Values values = make();
      if (rest.getNumResults() != 0)
        scf::YieldOp::create(builder, op->getLoc(), values);
    };
    fill(rest.getThenRegion(), [&]() -> Values {
      return context.loop ? makeOutcome(context, false, true, returned)
                          : leaveBranches(context, returned);
    });
    fill(rest.getElseRegion(),
         [&] { return runFrom(std::next(next), block, context, onYield); });
    return Values(rest.getResults());
  }
  return {};
}

/// A condition that no exit leaves.
void Structurer::structureIf(pyk::IfOp op) {
  auto copy = scf::IfOp::create(builder, op.getLoc(), op.getResultTypes(),
                                mapping.lookupOrDefault(op.getCondition()),
                                /*withElseRegion=*/!op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    builder.setInsertionPointToStart(&to.front());
    Values yields = runBlock(from.front(), Context(),
                             [](ValueRange values) { return Values(values); });
    if (op.getNumResults() != 0)
      scf::YieldOp::create(builder, op.getLoc(), yields);
  }
  mapping.map(op.getResults(), copy.getResults());
}

/// A condition that an exit leaves, and what stands behind it.
Values Structurer::runIf(pyk::IfOp op, const Context &context,
                         Continuation onYield) {
  Location loc = op.getLoc();
  auto runRest = [&](ValueRange yields) {
    mapping.map(op.getResults(), yields);
    return runFrom(std::next(op->getIterator()), *op->getBlock(), context,
                   onYield);
  };
  auto runArms = [&](const Context &own, Continuation atEnd) {
    SmallVector<Type> types = own.getTypes(builder.getContext());
    auto copy = scf::IfOp::create(builder, loc, types,
                                  mapping.lookupOrDefault(op.getCondition()),
                                  /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions())) {
      builder.setInsertionPointToStart(&to.front());
      Values values =
          from.empty() ? atEnd({}) : runBlock(from.front(), own, atEnd);
      if (!types.empty())
        scf::YieldOp::create(builder, loc, values);
    }
    return Values(copy.getResults());
  };
  if (!fallsThrough(op.getThenRegion()) || !fallsThrough(op.getElseRegion()))
    return runArms(context, runRest);

  // Both may go on: whether a thread does is one more value.
  Context own = context;
  own.branches.emplace_back(op->result_type_begin(), op->result_type_end());
  SmallVector<Type> types = context.getTypes(builder.getContext());
  Values both = runArms(own, [&](ValueRange yields) {
    Values values = {makeFlag(false)};
    llvm::append_range(values, makePoison(types));
    llvm::append_range(values, yields);
    return values;
  });
  auto rest = scf::IfOp::create(builder, loc, types, both.front(),
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&rest.getThenRegion().front());
  if (!types.empty())
    scf::YieldOp::create(builder, loc, ArrayRef(both).slice(1, types.size()));
  builder.setInsertionPointToStart(&rest.getElseRegion().front());
  Values values = runRest(ArrayRef(both).drop_front(1 + types.size()));
  if (!types.empty())
    scf::YieldOp::create(builder, loc, values);
  return Values(rest.getResults());
}

void Structurer::run(Block &body) {
  Context context;
  (void)runBlock(body, context,
                 [](ValueRange) -> Values { llvm_unreachable("no yield"); });
  pyk::ReturnOp::create(builder, body.getParentOp()->getLoc());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct StructureExitsPass
    : simd::impl::StructureExitsPassBase<StructureExitsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      Block &old = kernel.getBody().front();
      auto *body = new Block;
      kernel.getBody().push_back(body);
      OpBuilder builder = OpBuilder::atBlockBegin(body);
      Structurer(builder).run(old);
      old.dropAllReferences();
      while (!old.empty())
        old.back().erase();
      old.getOperations().splice(old.end(), body->getOperations());
      body->erase();
    }
  }
};

} // namespace
