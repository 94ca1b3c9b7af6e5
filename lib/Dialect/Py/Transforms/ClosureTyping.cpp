// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: nested functions.
//
// Python reads a captured variable when the nested function runs. So a closure
// only names its function while it is in the hands of the one that defines it,
// and is completed with what the variables hold where a call or a return takes
// it elsewhere.

#include "ClosureTyping.h"
#include "VariableTyping.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Fact> ClosureTyping::evaluate(ClosureOp op) {
  auto target =
      SymbolTable::lookupNearestSymbolFrom<FuncOp>(op, op.getFunctionAttr());
  if (!target)
    return emitTypingError(op.getLoc())
           << "function '" << op.getFunction() << "' is not in the module";
  if (op.getDefaults().empty() && target.getCaptures() == 0)
    return makeConstant(op.getFunctionAttr());
  SmallVector<Type> defaults;
  for (Value value : op.getDefaults()) {
    defaults.push_back(inference.get(value).type);
    if (!defaults.back())
      return Fact();
  }
  return makeTyped(ClosureType::get(
      context, op.getFunctionAttr(), TupleType::get(context, defaults),
      target.getCaptured(),
      target.getCaptures() == 0 ? TupleType::get(context) : TupleType()));
}

FailureOr<SmallVector<Fact>>
ClosureTyping::captureVariables(ClosureType closure, Environment &environment,
                                Location loc,
                                SmallVectorImpl<Attribute> &around) {
  SmallVector<Fact> facts;
  if (TupleType captures = closure.getCaptures()) {
    for (Type type : captures.getTypes())
      facts.push_back(makeTyped(type));
    return facts;
  }
  StringRef name = closure.getFunction().getValue();
  if (llvm::is_contained(around, closure.getFunction())) {
    InFlightDiagnostic error = emitUnsupportedError(loc);
    error << "nested function '" << name << "' refers to itself";
    error.attachNote() << "a function with @cuda.jit(device=True) beside the "
                          "kernel can call itself";
    return error;
  }
  around.push_back(closure.getFunction());
  for (Attribute captured : closure.getVariables()) {
    Definition *definition = environment.lookup(cast<StringAttr>(captured));
    if (!definition) {
      InFlightDiagnostic error = emitTypingError(loc);
      error << "variable '" << cast<StringAttr>(captured).getValue()
            << "' is read before it is assigned";
      auto target = SymbolTable::lookupNearestSymbolFrom<FuncOp>(
          inference.getFunction(), closure.getFunction());
      error.attachNote(target.getLoc())
          << "it is read by '" << name << "', which is defined here";
      return error;
    }
    FailureOr<Fact> fact = inference.variables().read(definition, loc);
    if (succeeded(fact))
      fact = capture(*fact, environment, loc, around);
    if (failed(fact))
      return failure();
    facts.push_back(*fact);
  }
  around.pop_back();
  return facts;
}

FailureOr<Fact> ClosureTyping::capture(const Fact &fact,
                                       Environment &environment, Location loc,
                                       SmallVectorImpl<Attribute> &around) {
  if (TupleType tuple = getTuple(fact.type)) {
    Fact result = fact;
    SmallVector<Type> types;
    for (Type type : tuple.getTypes()) {
      FailureOr<Fact> item = capture(makeTyped(type), environment, loc, around);
      if (failed(item))
        return failure();
      if (!item->type)
        return Fact();
      types.push_back(item->type);
    }
    auto items = TupleType::get(context, types);
    result.type = items;
    if (auto named = dyn_cast<NamedTupleType>(fact.type))
      result.type = NamedTupleType::get(context, named.getName(),
                                        named.getFields(), items);
    return result;
  }
  auto closure = dyn_cast_if_present<ClosureType>(fact.type);
  if (!closure || closure.getCaptures())
    return fact;
  FailureOr<SmallVector<Fact>> captured =
      captureVariables(closure, environment, loc, around);
  if (failed(captured))
    return failure();
  SmallVector<Type> types;
  for (const Fact &known : *captured) {
    types.push_back(known.type);
    if (!known.type)
      return Fact();
  }
  return makeTyped(
      ClosureType::get(context, closure.getFunction(), closure.getDefaults(),
                       closure.getVariables(), TupleType::get(context, types)));
}
