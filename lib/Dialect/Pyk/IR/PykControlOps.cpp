// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions and loops with exits: syntax, verification, loop interfaces.
//
// An exit names no target: break and continue mean the innermost pyk loop,
// return the innermost scope or the function. Verification walks outwards and
// refuses any other op on the way, because no upstream op knows that control
// may leave it early.

#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Support/Regions.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykControlOps.cpp.inc"

void PykDialect::registerControlOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykControlOps.cpp.inc"
      >();
}

Operation *pyk::getExitedLoop(Operation *exit) {
  Operation *parent = exit->getParentOp();
  while (isa_and_present<IfOp>(parent))
    parent = parent->getParentOp();
  return isa_and_present<ForOp, LoopOp>(parent) ? parent : nullptr;
}

/// Checks that `op` hands on values of `expected` types; `what` names them.
static LogicalResult verifyOperandTypes(Operation *op, TypeRange expected,
                                        StringRef what) {
  if (op->getOperandTypes() == expected)
    return success();
  return op->emitOpError("expects operands of types (")
         << expected << ") to match " << what << " but got ("
         << op->getOperandTypes() << ")";
}

/// Checks break_c1, break_c2, continue_c1 and continue_c2.
static LogicalResult verifyLoopExit(Operation *exit) {
  Operation *loop = getExitedLoop(exit);
  if (!loop)
    return exit->emitOpError("requires an enclosing pyk.for or pyk.loop with "
                             "only pyk.if between");
  if (isa<BreakOp>(exit))
    return verifyOperandTypes(exit, loop->getResultTypes(),
                              "the results of the loop");
  ArrayRef<BlockArgument> carried = isa<ForOp>(loop)
                                        ? cast<ForOp>(loop).getCarriedValues()
                                        : cast<LoopOp>(loop).getCarriedValues();
  return verifyOperandTypes(exit, TypeRange(ValueRange(carried)),
                            "the carried values of the loop");
}

LogicalResult BreakOp::verify() { return verifyLoopExit(*this); }
LogicalResult ContinueOp::verify() { return verifyLoopExit(*this); }

LogicalResult YieldOp::verify() {
  // yield_c1
  return verifyOperandTypes(*this, (*this)->getParentOp()->getResultTypes(),
                            "the results of the condition");
}

LogicalResult ReturnOp::verify() {
  Operation *parent = (*this)->getParentOp();
  while (isa_and_present<IfOp, ForOp, LoopOp>(parent))
    parent = parent->getParentOp();
  // return_c1
  auto function = dyn_cast_if_present<FunctionOpInterface>(parent);
  if (!function && !isa_and_present<ScopeOp>(parent))
    return emitOpError("requires an enclosing function or pyk.scope with only "
                       "pyk.if, pyk.for and pyk.loop between");
  // return_c2
  if (!function)
    return verifyOperandTypes(*this, parent->getResultTypes(),
                              "the results of the scope");
  return verifyOperandTypes(*this, function.getResultTypes(),
                            "the results of the function");
}

LogicalResult IfOp::verify() {
  // if_c1
  if (getNumResults() != 0 && getElseRegion().empty())
    return emitOpError("requires an else region to yield its results");
  return success();
}

//===----------------------------------------------------------------------===//
// The ways of control
//===----------------------------------------------------------------------===//

Operation *BreakOp::getExitedOp() { return getExitedLoop(*this); }
Operation *ContinueOp::getExitedOp() { return getExitedLoop(*this); }

Operation *ReturnOp::getExitedOp() {
  Operation *parent = (*this)->getParentOp();
  while (parent && !isa<ScopeOp, FunctionOpInterface>(parent))
    parent = parent->getParentOp();
  return parent;
}

SmallVector<FlowEdge> IfOp::getEdges() {
  SmallVector<FlowEdge> edges;
  for (Region *arm : {&getThenRegion(), &getElseRegion()}) {
    if (arm->empty()) {
      edges.push_back({nullptr, nullptr, {}, {}});
      continue;
    }
    edges.push_back({nullptr, arm, {}, {}});
    if (auto end = dyn_cast<YieldOp>(arm->front().getTerminator()))
      edges.push_back({end, nullptr, end.getOperands(), getResults()});
  }
  return edges;
}

SmallVector<Value> IfOp::getConditions() { return {getCondition()}; }

/// Adds the ways that the exits of `loop` take; those of a `pyk.continue` lead
/// behind the loop, too, if it `counts`.
static void addExitEdges(Operation *loop, bool counts,
                         ArrayRef<BlockArgument> carried,
                         SmallVectorImpl<FlowEdge> &edges) {
  Region *body = &loop->getRegion(0);
  body->walk([&](Operation *op) {
    if (!isa<BreakOp, ContinueOp>(op) || getExitedLoop(op) != loop)
      return;
    if (isa<ContinueOp>(op))
      edges.push_back({op, body, op->getOperands(), carried});
    if (isa<BreakOp>(op) || counts)
      edges.push_back({op, nullptr, op->getOperands(), loop->getResults()});
  });
}

SmallVector<FlowEdge> ForOp::getEdges() {
  SmallVector<FlowEdge> edges = {
      {nullptr, &getBody(), getInitialValues(), getCarriedValues()},
      {nullptr, nullptr, getInitialValues(), getResults()}};
  addExitEdges(*this, /*counts=*/true, getCarriedValues(), edges);
  return edges;
}

SmallVector<Value> ForOp::getConditions() {
  return {getLowerBound(), getUpperBound(), getStep()};
}

SmallVector<FlowEdge> LoopOp::getEdges() {
  SmallVector<FlowEdge> edges = {
      {nullptr, &getBody(), getInitialValues(), getCarriedValues()}};
  addExitEdges(*this, /*counts=*/false, getCarriedValues(), edges);
  return edges;
}

SmallVector<Value> LoopOp::getConditions() { return {}; }

SmallVector<FlowEdge> ScopeOp::getEdges() {
  SmallVector<FlowEdge> edges = {{nullptr, &getBody(), {}, {}}};
  getBody().walk([&](ReturnOp exit) {
    if (exit.getExitedOp() == *this)
      edges.push_back({exit, nullptr, exit.getOperands(), getResults()});
  });
  return edges;
}

SmallVector<Value> ScopeOp::getConditions() { return {}; }

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Checks for_c1 and loop_c1.
static LogicalResult verifyCarried(Operation *loop, ValueRange initialValues,
                                   ArrayRef<BlockArgument> carried) {
  if (TypeRange(ValueRange(carried)) != TypeRange(initialValues))
    return loop->emitOpError("expects body arguments of types (")
           << TypeRange(initialValues)
           << ") to match its initial values but got ("
           << TypeRange(ValueRange(carried)) << ")";
  return success();
}

/// Parses `carry(%x = %x0, ...)`, appending to both lists.
static ParseResult
parseCarried(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &inner,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &initial) {
  if (failed(parser.parseOptionalKeyword("carry")))
    return success();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
    return failure(parser.parseArgument(inner.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(initial.emplace_back()));
  });
}

static void printCarried(OpAsmPrinter &printer, ArrayRef<BlockArgument> inner,
                         OperandRange initial) {
  if (initial.empty())
    return;
  printer << " carry(";
  llvm::interleaveComma(llvm::zip(inner, initial), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair);
  });
  printer << ')';
}

/// Gives the carried arguments their types and reads the body.
static ParseResult parseBody(OpAsmParser &parser, OperationState &result,
                             SmallVectorImpl<OpAsmParser::Argument> &arguments,
                             unsigned firstCarried,
                             ArrayRef<OpAsmParser::UnresolvedOperand> initial,
                             ArrayRef<Type> types, SMLoc loc) {
  if (types.size() != initial.size())
    return parser.emitError(loc)
           << "expects " << initial.size()
           << " types for the carried values but got " << types.size();
  for (auto [argument, type] :
       llvm::zip(llvm::drop_begin(arguments, firstCarried), types))
    argument.type = type;
  return failure(parser.resolveOperands(initial, types, loc, result.operands) ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion(), arguments));
}

void ForOp::build(OpBuilder &builder, OperationState &state, Value lowerBound,
                  Value upperBound, Value step, ValueRange initialValues) {
  state.addOperands({lowerBound, upperBound, step});
  state.addOperands(initialValues);
  state.addTypes(initialValues.getTypes());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  body->addArgument(lowerBound.getType(), state.location);
  for (Value value : initialValues)
    body->addArgument(value.getType(), state.location);
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  OpAsmParser::UnresolvedOperand lower, upper, step;
  SmallVector<OpAsmParser::UnresolvedOperand> initial;
  Type type;
  SmallVector<Type> types;
  if (parser.parseArgument(arguments[0]) || parser.parseEqual() ||
      parser.parseOperand(lower) || parser.parseKeyword("to") ||
      parser.parseOperand(upper) || parser.parseKeyword("step") ||
      parser.parseOperand(step) || parseCarried(parser, arguments, initial) ||
      parser.parseColonType(type))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseLParen() || parser.parseTypeList(types) ||
       parser.parseRParen()))
    return failure();
  arguments[0].type = type;
  if (parser.resolveOperands({lower, upper, step}, type, result.operands))
    return failure();
  result.addTypes(types);
  return parseBody(parser, result, arguments, 1, initial, types, loc);
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getInductionValue() << " = " << getLowerBound() << " to "
          << getUpperBound() << " step " << getStep();
  printCarried(printer, getCarriedValues(), getInitialValues());
  printer << " : " << getLowerBound().getType();
  if (!getInitialValues().empty())
    printer << ", (" << getInitialValues().getTypes() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ForOp::verify() {
  // for_c1
  if (TypeRange(getInitialValues()) != getResultTypes())
    return emitOpError("expects initial values of types (")
           << getResultTypes() << ") to match its results but got ("
           << TypeRange(getInitialValues()) << ")";
  if (getBody().getNumArguments() == 0 ||
      getInductionValue().getType() != getLowerBound().getType())
    return emitOpError("expects a first body argument of type ")
           << getLowerBound().getType() << " for the induction value";
  return verifyCarried(*this, getInitialValues(), getCarriedValues());
}

SmallVector<Region *> ForOp::getLoopRegions() { return {&getBody()}; }

void LoopOp::build(OpBuilder &builder, OperationState &state,
                   ValueRange initialValues, TypeRange resultTypes) {
  state.addOperands(initialValues);
  state.addTypes(resultTypes);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  for (Value value : initialValues)
    body->addArgument(value.getType(), state.location);
}

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> initial;
  SmallVector<Type> types;
  if (parseCarried(parser, arguments, initial))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalColon()) &&
      (parser.parseLParen() || parser.parseTypeList(types) ||
       parser.parseRParen()))
    return failure();
  if (succeeded(parser.parseOptionalArrow())) {
    if (parser.parseLParen() ||
        (failed(parser.parseOptionalRParen()) &&
         (parser.parseTypeList(result.types) || parser.parseRParen())))
      return failure();
  } else {
    result.addTypes(types);
  }
  return parseBody(parser, result, arguments, 0, initial, types, loc);
}

void LoopOp::print(OpAsmPrinter &printer) {
  printCarried(printer, getCarriedValues(), getInitialValues());
  if (!getInitialValues().empty())
    printer << " : (" << getInitialValues().getTypes() << ')';
  if (getResultTypes() != TypeRange(getInitialValues()))
    printer << " -> (" << getResultTypes() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult LoopOp::verify() {
  // loop_c1
  return verifyCarried(*this, getInitialValues(), getCarriedValues());
}

SmallVector<Region *> LoopOp::getLoopRegions() { return {&getBody()}; }
