// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow is structured, so what hands a value on is found by looking at
// the edges of the op that holds it.

#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// The ops of scf
//===----------------------------------------------------------------------===//

namespace {

struct IfModel : StructuredFlowOpInterface::ExternalModel<IfModel, scf::IfOp> {
  SmallVector<FlowEdge> getEdges(Operation *op) const {
    SmallVector<FlowEdge> edges;
    for (Region &arm : op->getRegions()) {
      if (arm.empty()) {
        edges.push_back({nullptr, nullptr, {}, {}});
        continue;
      }
      Operation *end = arm.front().getTerminator();
      edges.push_back({nullptr, &arm, {}, {}});
      edges.push_back({end, nullptr, end->getOperands(), op->getResults()});
    }
    return edges;
  }
  SmallVector<Value> getConditions(Operation *op) const {
    return {cast<scf::IfOp>(op).getCondition()};
  }
};

struct ForModel
    : StructuredFlowOpInterface::ExternalModel<ForModel, scf::ForOp> {
  SmallVector<FlowEdge> getEdges(Operation *op) const {
    auto loop = cast<scf::ForOp>(op);
    Region *body = &loop.getRegion();
    Operation *end = body->front().getTerminator();
    ValueRange carried = loop.getRegionIterArgs();
    return {{nullptr, body, loop.getInitArgs(), carried},
            {nullptr, nullptr, loop.getInitArgs(), op->getResults()},
            {end, body, end->getOperands(), carried},
            {end, nullptr, end->getOperands(), op->getResults()}};
  }
  SmallVector<Value> getConditions(Operation *op) const {
    auto loop = cast<scf::ForOp>(op);
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  }
  Value getCountedValue(Operation *op) const {
    return cast<scf::ForOp>(op).getInductionVar();
  }
};

struct WhileModel
    : StructuredFlowOpInterface::ExternalModel<WhileModel, scf::WhileOp> {
  SmallVector<FlowEdge> getEdges(Operation *op) const {
    auto loop = cast<scf::WhileOp>(op);
    scf::ConditionOp condition = loop.getConditionOp();
    Operation *end = loop.getYieldOp();
    Region *before = &loop.getBefore(), *after = &loop.getAfter();
    return {{nullptr, before, loop.getInits(), loop.getBeforeArguments()},
            {condition, after, condition.getArgs(), loop.getAfterArguments()},
            {condition, nullptr, condition.getArgs(), op->getResults()},
            {end, before, end->getOperands(), loop.getBeforeArguments()}};
  }
  SmallVector<Value> getConditions(Operation *op) const {
    return {cast<scf::WhileOp>(op).getConditionOp().getCondition()};
  }
};

} // namespace

void pyk::registerStructuredFlowModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::IfOp::attachInterface<IfModel>(*context);
    scf::ForOp::attachInterface<ForModel>(*context);
    scf::WhileOp::attachInterface<WhileModel>(*context);
  });
}

//===----------------------------------------------------------------------===//
// Loops and exits
//===----------------------------------------------------------------------===//

bool pyk::isLoop(Operation *op) {
  return isa<LoopLikeOpInterface>(op) && isa<StructuredFlowOpInterface>(op);
}

bool pyk::isCountedLoop(Operation *op) {
  auto flow = dyn_cast<StructuredFlowOpInterface>(op);
  return flow && flow.getCountedValue();
}

bool pyk::countsIterations(Value number, unsigned most) {
  auto argument = dyn_cast<BlockArgument>(number);
  auto loop = argument ? dyn_cast<StructuredFlowOpInterface>(
                             argument.getOwner()->getParentOp())
                       : StructuredFlowOpInterface();
  if (!loop || !isLoop(loop) || loop.getCountedValue() != number)
    return false;
  SmallVector<Value> bounds = loop.getConditions();
  APInt lower, upper, step;
  if (!matchPattern(bounds[0], m_ConstantInt(&lower)) ||
      !matchPattern(bounds[1], m_ConstantInt(&upper)) ||
      !matchPattern(bounds[2], m_ConstantInt(&step)))
    return false;
  bool overflows;
  APInt span = upper.ssub_ov(lower, overflows);
  return !overflows && step.isStrictlyPositive() &&
         span.sle(step.smul_sat(APInt(step.getBitWidth(), most)));
}

SmallVector<Operation *> pyk::getExits(Operation *loop) {
  SmallVector<Operation *> exits;
  loop->walk([&](ExitOpInterface exit) {
    if (Operation *exited = exit.getExitedOp();
        exited && exited->isAncestor(loop))
      exits.push_back(exit);
  });
  return exits;
}

bool pyk::isRepeating(Operation *exit) { return isa<ContinueOp>(exit); }

SmallVector<Value> pyk::getConditions(Operation *op, Operation *scope) {
  SmallVector<Value> conditions;
  for (Operation *parent = op->getParentOp(); parent != scope;
       parent = parent->getParentOp())
    llvm::append_range(conditions, getExitConditions(parent));
  return conditions;
}

SmallVector<Value> pyk::getExitConditions(Operation *loop) {
  auto flow = dyn_cast<StructuredFlowOpInterface>(loop);
  if (!flow)
    return {};
  SmallVector<Value> conditions = flow.getConditions();
  if (isLoop(loop))
    for (Operation *exit : getExits(loop))
      llvm::append_range(conditions, getConditions(exit, loop));
  return conditions;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

IncomingValues pyk::getIncomingValues(Value value) {
  IncomingValues incoming;
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    incoming.values = {select.getTrueValue(), select.getFalseValue()};
    incoming.conditions = {select.getCondition()};
    return incoming;
  }
  auto flow = dyn_cast<StructuredFlowOpInterface>(op);
  if (!flow)
    return incoming;
  if (value == flow.getCountedValue()) {
    incoming.values = flow.getConditions();
    return incoming;
  }
  for (const FlowEdge &edge : flow.getEdges())
    for (auto [from, to] : llvm::zip(edge.values, edge.targets))
      if (to == value) {
        incoming.values.push_back(from);
        if (isa_and_present<ExitOpInterface>(edge.from))
          llvm::append_range(incoming.conditions, getConditions(edge.from, op));
      }
  if (!argument)
    llvm::append_range(incoming.conditions, getExitConditions(op));
  return incoming;
}
