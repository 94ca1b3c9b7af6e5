// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over the structure of each function until nothing changes. What an op
// with regions hands back are the exits that leave it and what decides whether
// a thread takes them; so whoever holds it knows which threads go on behind it,
// and a loop knows that its threads leave it at different times.

#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"
#include "LaneTransfer.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"

using namespace mlir;
using namespace pyk;

namespace {

/// An op that threads leave another by, and what decides which threads do.
struct LaneExit {
  Operation *exit;
  LaneShape reason;
};

using LaneExits = SmallVector<LaneExit, 2>;

class LaneShapeSolver {
public:
  LaneShapeSolver(Operation *module, DenseMap<Value, LaneShape> &shapes,
                  DenseMap<Operation *, LaneShape> &controls);

  void run();

private:
  void visitFunction(FunctionOpInterface function);
  LaneExits visitBlock(Block &block, const LaneShape &control);
  LaneExits visit(Operation *op, const LaneShape &control);
  LaneExits visitFlow(StructuredFlowOpInterface flow, const LaneShape &control);
  LaneExits visitCall(CallOpInterface call, const LaneShape &control);
  void visitUnknown(Operation *op);

  void enter(StructuredFlowOpInterface flow, ArrayRef<FlowEdge> edges,
             const LaneShape &choice);
  void leave(StructuredFlowOpInterface flow, ArrayRef<FlowEdge> edges,
             const LaneShape &choice);
  LaneShape getOwnChoice(StructuredFlowOpInterface flow) const;
  std::optional<LaneShape> merge(Operation *op, ArrayRef<Value> values,
                                 const LaneShape &choice) const;
  std::optional<LaneShape> find(Value value) const;
  void set(Value value, const LaneShape &shape);
  void setAll(ValueRange values, const LaneShape &shape);
  void update(LaneShape &known, const LaneShape &shape);

  /// What decides by which exits threads leave a condition or loop, begin the
  /// next iteration of it, or leave something further out.
  struct ExitShapes {
    bool operator!=(const ExitShapes &other) const {
      return leave != other.leave || repeat != other.repeat ||
             outer != other.outer;
    }
    LaneShape leave, repeat, outer;
  };

  /// What is known of a function so far.
  struct Function {
    /// What decides which threads call it; none if nothing has called it yet.
    std::optional<LaneShape> control;
    SmallVector<std::optional<LaneShape>> results;
    /// What decides which threads end in it.
    LaneShape failure;
  };

  DenseMap<Value, LaneShape> &shapes;
  DenseMap<Operation *, LaneShape> &controls;
  SymbolTableCollection symbols;
  llvm::MapVector<Operation *, Function> functions;
  DenseMap<Operation *, ExitShapes> loops;
  bool isChanged = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

std::optional<LaneShape> LaneShapeSolver::find(Value value) const {
  auto known = shapes.find(value);
  return known == shapes.end() ? std::nullopt : std::optional(known->second);
}

void LaneShapeSolver::update(LaneShape &known, const LaneShape &shape) {
  LaneShape next = known;
  next.join(shape);
  if (next == known)
    return;
  known = next;
  isChanged = true;
}

void LaneShapeSolver::set(Value value, const LaneShape &shape) {
  auto [known, isNew] = shapes.try_emplace(value, shape);
  if (isNew)
    isChanged = true;
  else
    update(known->second, shape);
}

void LaneShapeSolver::setAll(ValueRange values, const LaneShape &shape) {
  for (Value value : values)
    set(value, shape);
}

/// The shape of a value that is one of `given`; `choice` decides which one it
/// is for a thread. None as long as no shape is known.
std::optional<LaneShape> LaneShapeSolver::merge(Operation *op,
                                                ArrayRef<Value> given,
                                                const LaneShape &choice) const {
  // A thread that gets poison may as well get what the others do.
  SmallVector<Value> values;
  for (Value value : given)
    if (!value.getDefiningOp<ub::PoisonOp>())
      values.push_back(value);
  if (values.empty())
    return LaneShape();
  std::optional<LaneShape> merged;
  for (Value value : values)
    if (std::optional<LaneShape> shape = find(value)) {
      if (merged)
        merged->join(*shape);
      else
        merged = *shape;
    }
  // What is made outside is the same whichever way it came.
  bool isOne =
      llvm::all_equal(values) &&
      (!op->isAncestor(Value(values.front()).getParentBlock()->getParentOp()) ||
       (values.size() < given.size() && values.size() == 1 && !isLoop(op)));
  if (merged && !isOne)
    merged->dependOn(choice);
  return merged;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// True for what is launched.
static bool isKernel(FunctionOpInterface function) {
  if (auto kernel = dyn_cast<FuncOp>(*function))
    return kernel.getKernel();
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(*function))
    return kernel.isKernel();
  return false;
}

LaneShapeSolver::LaneShapeSolver(Operation *module,
                                 DenseMap<Value, LaneShape> &shapes,
                                 DenseMap<Operation *, LaneShape> &controls)
    : shapes(shapes), controls(controls) {
  llvm::SmallPtrSet<Operation *, 4> called;
  module->walk([&](CallOpInterface call) {
    called.insert(call.resolveCallableInTable(&symbols));
  });
  module->walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    Function &known = functions[function];
    known.results.resize(function.getNumResults());
    bool isLaunched = isKernel(function);
    // Others call what is exported, or called by nothing here.
    bool isOpen =
        !isLaunched && (!called.contains(function) || kExport.isOn(function));
    if (!isLaunched && !isOpen)
      return;
    LaneShape shape = isOpen ? LaneShape::getVarying() : LaneShape();
    known.control = shape;
    setAll(function.getArguments(), shape);
  });
}

void LaneShapeSolver::run() {
  do {
    isChanged = false;
    for (auto &[function, known] : functions)
      if (known.control)
        visitFunction(cast<FunctionOpInterface>(function));
  } while (isChanged);
}

void LaneShapeSolver::visitFunction(FunctionOpInterface function) {
  LaneShape control = *functions[function].control;
  LaneExits exits = visitBlock(function.getFunctionBody().front(), control);
  Function &known = functions[function];
  SmallVector<Operation *> returns;
  LaneShape choice;
  for (const LaneExit &exit : exits)
    if (auto end = dyn_cast<ExitOpInterface>(exit.exit)) {
      returns.push_back(end);
      choice.dependOn(exit.reason);
    } else {
      update(known.failure, exit.reason);
    }
  if (returns.size() == 1)
    choice = LaneShape();
  for (auto [index, result] : llvm::enumerate(known.results)) {
    SmallVector<Value> values;
    for (Operation *end : returns)
      values.push_back(end->getOperand(index));
    if (values.empty())
      continue;
    std::optional<LaneShape> merged = merge(function, values, choice);
    if (merged && result)
      update(*result, *merged);
    else if (merged) {
      result = merged;
      isChanged = true;
    }
  }
}

LaneExits LaneShapeSolver::visitCall(CallOpInterface call,
                                     const LaneShape &control) {
  auto known = functions.find(call.resolveCallableInTable(&symbols));
  if (known == functions.end()) {
    setAll(call->getResults(), LaneShape::getVarying());
    return {};
  }
  Function &callee = known->second;
  if (callee.control) {
    update(*callee.control, control);
  } else {
    callee.control = control;
    isChanged = true;
  }
  auto function = cast<FunctionOpInterface>(known->first);
  for (auto [operand, argument] :
       llvm::zip(call.getArgOperands(), function.getArguments()))
    if (std::optional<LaneShape> shape = find(operand))
      set(argument, *shape);
  for (auto [result, shape] : llvm::zip(call->getResults(), callee.results))
    if (shape)
      set(result, *shape);
  if (callee.failure == LaneShape())
    return {};
  return {{call, callee.failure}};
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// True if `exit` leaves more than `other` does: a thread that takes it has no
/// choice left about what `other` leaves.
static bool leavesMore(Operation *exit, Operation *other) {
  auto getTarget = [](Operation *op) -> Operation * {
    auto way = dyn_cast<ExitOpInterface>(op);
    return way ? way.getExitedOp() : nullptr;
  };
  Operation *target = getTarget(exit), *otherTarget = getTarget(other);
  return otherTarget && (!target || target->isProperAncestor(otherTarget));
}

LaneExits LaneShapeSolver::visitBlock(Block &block, const LaneShape &control) {
  LaneExits exits;
  // What decides which threads are still here.
  LaneShape stay;
  for (Operation &op : block) {
    LaneShape here = control;
    here.dependOn(stay);
    size_t earlier = exits.size();
    for (LaneExit &exit : visit(&op, here)) {
      stay.dependOn(exit.reason);
      for (const LaneExit &other : ArrayRef(exits).take_front(earlier))
        if (!leavesMore(other.exit, exit.exit))
          exit.reason.dependOn(other.reason);
      exits.push_back(exit);
    }
  }
  return exits;
}

LaneExits LaneShapeSolver::visit(Operation *op, const LaneShape &control) {
  auto [known, isNew] = controls.try_emplace(op, control.getDependence());
  if (!isNew)
    update(known->second, control.getDependence());
  if (auto flow = dyn_cast<StructuredFlowOpInterface>(op))
    return visitFlow(flow, control);
  if (isa<ExitOpInterface>(op))
    return {{op, LaneShape()}};
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call, control);
  if (auto check = dyn_cast<CheckOp>(op)) {
    std::optional<LaneShape> shape = find(check.getCondition());
    return shape ? LaneExits{{op, shape->getDependence()}} : LaneExits();
  }
  if (op->getNumRegions() != 0) {
    visitUnknown(op);
    return {};
  }
  SmallVector<LaneShape> operands;
  for (Value operand : op->getOperands()) {
    std::optional<LaneShape> shape = find(operand);
    if (!shape)
      return {};
    operands.push_back(*shape);
  }
  if (op->getNumResults() != 0)
    setAll(op->getResults(), inferLaneShape(op, operands));
  return {};
}

/// Visits an op of whose regions nothing is known.
void LaneShapeSolver::visitUnknown(Operation *op) {
  setAll(op->getResults(), LaneShape::getVarying());
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      setAll(block.getArguments(), LaneShape::getVarying());
      visitBlock(block, LaneShape::getVarying());
    }
}

/// What decides by itself which way `flow` goes.
LaneShape LaneShapeSolver::getOwnChoice(StructuredFlowOpInterface flow) const {
  SmallVector<LaneShape> shapes;
  for (Value condition : flow.getConditions())
    if (std::optional<LaneShape> shape = find(condition))
      shapes.push_back(*shape);
    else
      return LaneShape();
  LaneShape choice;
  // Bounds that move along leave the number of iterations as it is.
  if (flow.getCountedValue() && !shapes[0].mayWrap() && !shapes[1].mayWrap()) {
    shapes[1].add(shapes[0], /*subtract=*/true);
    shapes.erase(shapes.begin());
  }
  for (const LaneShape &shape : shapes)
    choice.dependOn(shape);
  return choice;
}

/// Hands values to the regions of `flow`; `choice` decides by which of several
/// exits a thread comes to its next iteration.
void LaneShapeSolver::enter(StructuredFlowOpInterface flow,
                            ArrayRef<FlowEdge> edges, const LaneShape &choice) {
  if (Value counted = flow.getCountedValue()) {
    SmallVector<Value> bounds = flow.getConditions();
    std::optional<LaneShape> start = find(bounds.front()),
                             step = find(bounds.back());
    if (start && step) {
      LaneShape shape = *start;
      shape.dependOn(*step);
      set(counted, shape);
    }
  }
  for (Region &region : flow->getRegions()) {
    // By argument, what the ways from within hand on.
    SmallVector<SmallVector<Value>> iterations(region.getNumArguments());
    for (const FlowEdge &edge : edges) {
      if (edge.to != &region)
        continue;
      for (auto [value, target] : llvm::zip(edge.values, edge.targets))
        if (edge.from)
          iterations[cast<BlockArgument>(target).getArgNumber()].push_back(
              value);
        else if (std::optional<LaneShape> shape = find(value))
          set(target, *shape);
    }
    for (auto [argument, values] :
         llvm::zip(region.getArguments(), iterations)) {
      if (values.empty())
        continue;
      std::optional<LaneShape> merged =
          merge(flow, values, values.size() > 1 ? choice : LaneShape());
      if (merged)
        set(argument, *merged);
    }
  }
}

LaneExits LaneShapeSolver::visitFlow(StructuredFlowOpInterface flow,
                                     const LaneShape &control) {
  bool cycles = isLoop(flow);
  SmallVector<FlowEdge> edges = flow.getEdges();
  // Of the last round; grows until it is right.
  ExitShapes exits = loops.lookup(flow);
  LaneShape choice = getOwnChoice(flow);
  choice.dependOn(exits.leave);
  LaneShape inside = control;
  inside.dependOn(choice);
  if (cycles)
    inside.dependOn(exits.outer);
  enter(flow, edges, exits.repeat);

  LaneExits outer;
  for (Region &region : flow->getRegions()) {
    if (region.empty())
      continue;
    for (LaneExit &exit : visitBlock(region.front(), inside)) {
      auto way = dyn_cast<ExitOpInterface>(exit.exit);
      if (way && way.getExitedOp() == flow) {
        (isRepeating(way) ? exits.repeat : exits.leave).dependOn(exit.reason);
        continue;
      }
      exit.reason.dependOn(choice);
      exits.outer.dependOn(exit.reason);
      outer.push_back(exit);
    }
  }
  if (cycles && loops.lookup(flow) != exits) {
    loops[flow] = exits;
    isChanged = true;
  }

  // The condition of some loops is computed in them.
  choice = getOwnChoice(flow);
  choice.dependOn(exits.leave);
  if (flow.getCountedValue())
    choice.dependOn(exits.repeat);
  leave(flow, edges, choice);
  return outer;
}

/// Hands values to the results of `flow`; `choice` decides by which way, or
/// after how many iterations, a thread leaves it.
void LaneShapeSolver::leave(StructuredFlowOpInterface flow,
                            ArrayRef<FlowEdge> edges, const LaneShape &choice) {
  for (OpResult result : flow->getResults()) {
    SmallVector<Value> values;
    for (const FlowEdge &edge : edges)
      if (!edge.to && !edge.targets.empty())
        values.push_back(edge.values[result.getResultNumber()]);
    if (values.empty())
      continue;
    bool isChosen = isLoop(flow) || values.size() > 1;
    if (auto merged = merge(flow, values, isChosen ? choice : LaneShape()))
      set(result, *merged);
  }
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

LaneShapeAnalysis::LaneShapeAnalysis(Operation *module) {
  LaneShapeSolver(module, shapes, controls).run();
}

LaneShape LaneShapeAnalysis::getShape(Value value) const {
  auto known = shapes.find(value);
  // What is never computed may as well be anything.
  return known == shapes.end() ? LaneShape::getVarying() : known->second;
}

LaneShape LaneShapeAnalysis::getControl(Operation *op) const {
  auto known = controls.find(op);
  return known == controls.end() ? LaneShape::getVarying() : known->second;
}
