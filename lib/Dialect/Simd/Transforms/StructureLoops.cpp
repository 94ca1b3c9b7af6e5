// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are left early carry whether they go on.

#include "Structurer.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

using Values = Structurer::Values;

/// A loop that ends when its count does.
void Structurer::structureCounted(pyk::ForOp op) {
  Values initial = look(op.getInitialValues());
  auto loop = scf::ForOp::create(
      builder, op.getLoc(), mapping.lookupOrDefault(op.getLowerBound()),
      mapping.lookupOrDefault(op.getUpperBound()),
      mapping.lookupOrDefault(op.getStep()), initial);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = op.getBody().front();
  Block *own = loop.getBody();
  mapping.map(body.getArguments(), own->getArguments());
  if (initial.empty())
    own->getTerminator()->erase();
  builder.setInsertionPointToEnd(own);
  Context context;
  context.loop = op;
  context.carried.assign(op->result_type_begin(), op->result_type_end());
  context.isApart.assign(op->getNumResults(), false);
  Values next = runBlock(body, context, [](ValueRange) -> Values {
    llvm_unreachable("no yield in a loop");
  });
  scf::YieldOp::create(builder, op.getLoc(), next);
  mapping.map(op.getResults(), loop.getResults());
}

/// Whether the loop, which only breaks leave, adds the same to the value behind
/// `result` in each iteration. All threads that go on have one count then; only
/// those that leave have counts of their own.
static bool countsIterations(OpResult result) {
  Operation *loop = result.getOwner();
  unsigned number = result.getResultNumber();
  Value argument = loop->getRegion(0).getArgument(number);
  bool counts = !result.use_empty() && result.getType().isInteger();
  loop->walk([&](ContinueOp next) {
    if (cast<ExitOpInterface>(*next).getExitedOp() != loop)
      return;
    auto sum = next->getOperand(number).getDefiningOp<arith::AddIOp>();
    bool isSum = sum && llvm::is_contained(sum->getOperands(), argument);
    counts &=
        isSum && llvm::all_of(sum->getOperands(), [&](Value operand) {
          return operand == argument ||
                 !loop->isAncestor(operand.getParentRegion()->getParentOp());
        });
  });
  return counts;
}

/// What type `result`, an integer, is needed in.
static Type getUsedType(OpResult result) {
  Type type;
  for (Operation *user : result.getUsers()) {
    auto truncation = dyn_cast<arith::TruncIOp>(user);
    if (!truncation || (type && type != truncation.getType()))
      return result.getType();
    type = truncation.getType();
  }
  return type;
}

/// How blocks in the loop `op` may leave it.
static Context findExits(Operation *op) {
  Context context;
  context.loop = op;
  op->walk([&](ExitOpInterface exit) {
    Operation *target = exit.getExitedOp();
    if (isa<BreakOp>(*exit))
      context.canBreak |= target == op;
    if (isa<pyk::ReturnOp>(*exit) && !(target && op->isAncestor(target))) {
      context.canReturn = true;
      context.returned.assign(exit->operand_type_begin(),
                              exit->operand_type_end());
    }
  });
  return context;
}

/// Sets what the loop `op`, whose iterations carry `carried`, hands on.
static void setResults(Context &context, Operation *op, TypeRange carried) {
  llvm::append_range(context.carried, carried);
  context.sharesCarried = carried == TypeRange(op->getResultTypes());
  for (OpResult result : op->getResults()) {
    bool isCount = context.sharesCarried && !isa<pyk::ForOp>(op) &&
                   countsIterations(result);
    context.isApart.push_back(!context.sharesCarried || isCount);
    if (context.isApart.back())
      context.broken.push_back(isCount ? getUsedType(result)
                                       : result.getType());
  }
}

/// The counter of the iteration after that of `count`, or `bound`.
Value Structurer::makeNextCount(pyk::ForOp op, Value count, Value bound) {
  Location loc = op.getLoc();
  Value step = mapping.lookupOrDefault(op.getStep());
  APInt number;
  bool isOne =
      matchPattern(op.getStep(), m_ConstantInt(&number)) && number.isOne();
  Value sum = arith::AddIOp::create(builder, loc, count, step,
                                    isOne ? arith::IntegerOverflowFlags::nsw
                                          : arith::IntegerOverflowFlags::none);
  if (isOne)
    return sum;
  // The sum may leave the type; the loop ends before.
  Value left = arith::SubIOp::create(builder, loc, bound, count);
  Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                     left, step);
  return arith::SelectOp::create(builder, loc, fits, sum, bound);
}

/// Returns whether the loop was left by a return, or null if there is none;
/// `returned` is what that hands on.
Value Structurer::structureLoop(Operation *op, Values &returned) {
  Location loc = op->getLoc();
  auto counted = dyn_cast<pyk::ForOp>(op);
  Context context = findExits(op);
  if (counted && !context.canBreak && !context.canReturn) {
    structureCounted(counted);
    return {};
  }
  Values initial = look(counted ? counted.getInitialValues()
                                : cast<LoopOp>(op).getInitialValues());
  setResults(context, op, ValueRange(initial).getTypes());

  // Whether it goes on, whether by a return it does not, the count, the rest.
  Values state = {makeFlag(true)};
  if (context.canReturn)
    state.push_back(makeFlag(false));
  if (counted)
    state.push_back(mapping.lookupOrDefault(counted.getLowerBound()));
  size_t first = state.size();
  llvm::append_range(state, initial);
  llvm::append_range(state, makePoison(context.broken));
  llvm::append_range(state, makePoison(context.returned));
  SmallVector<Type> types;
  for (Value value : state)
    types.push_back(value.getType());
  SmallVector<Location> locations(types.size(), loc);
  auto loop = scf::WhileOp::create(builder, loc, types, state);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *before =
        builder.createBlock(&loop.getBefore(), {}, types, locations);
    Value goesOn = before->getArgument(0);
    Value bound =
        counted ? mapping.lookupOrDefault(counted.getUpperBound()) : Value();
    if (counted) {
      Value inRange =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                before->getArgument(first - 1), bound);
      goesOn = arith::AndIOp::create(builder, loc, goesOn, inRange);
    }
    scf::ConditionOp::create(builder, loc, goesOn, before->getArguments());

    Block *own = builder.createBlock(&loop.getAfter(), {}, types, locations);
    Block &body = op->getRegion(0).front();
    mapping.map(body.getArguments(),
                own->getArguments().slice(counted ? first - 1 : first,
                                          body.getNumArguments()));
    Values outcome = runBlock(body, context, [](ValueRange) -> Values {
      llvm_unreachable("no yield in a loop");
    });
    size_t position = 0;
    Value ends;
    if (context.canBreak)
      ends = outcome[position++];
    Values next;
    if (context.canReturn) {
      Value returns = outcome[position++];
      next.push_back(returns);
      ends = ends ? Value(arith::OrIOp::create(builder, loc, ends, returns))
                  : returns;
    }
    if (ends)
      ends = arith::XOrIOp::create(builder, loc, ends, makeFlag(true));
    next.insert(next.begin(), ends ? ends : makeFlag(true));
    if (counted)
      next.push_back(
          makeNextCount(counted, own->getArgument(first - 1), bound));
    llvm::append_range(next, ArrayRef(outcome).drop_front(position));
    scf::YieldOp::create(builder, loc, next);
  }
  auto results = loop.getResults().drop_front(first);
  auto apart = results.drop_front(initial.size());
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    bool isApart = context.isApart[index];
    mapping.map(result, isApart ? apart.front() : results[index]);
    apart = apart.drop_front(isApart);
  }
  llvm::append_range(returned, apart);
  return context.canReturn ? loop.getResult(1) : Value();
}
