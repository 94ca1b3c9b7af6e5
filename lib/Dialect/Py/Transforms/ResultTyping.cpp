// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: what a function returns.

#include "ResultTyping.h"
#include "ClosureTyping.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

void ResultTyping::setFallsOff(bool now) {
  walk.changed |= fallsOff != now;
  fallsOff = now;
}

void ResultTyping::interpret(ReturnOp op, Environment &environment) {
  walk.hasReturned = true;
  reached.insert(op);
  if (walk.phase == Phase::Names)
    return;
  SmallVector<Attribute> around;
  FailureOr<Fact> value =
      inference.closures().capture(inference.get(op.getValue()), environment,
                                   op.getValue().getLoc(), around);
  if (failed(value))
    return;
  Fact &result = returns[op];
  Fact before = result;
  if (!inference.grow(result, *value))
    // No test: what it reads conflicts first, and is reported there.
    emitTypingError(op.getLoc())
        << "cannot unify " << describe(before.type) << " and "
        << describe(value->type) << ", which this returns in turn";
}

Fact ResultTyping::getPartialResult() const {
  Fact result;
  SmallVector<Type> types;
  for (const auto &entry : returns)
    if (entry.second.type)
      types.push_back(entry.second.type);
  if (fallsOff && walk.phase == Phase::Types)
    types.push_back(NoneType::get(context));
  for (unsigned position : sortByWidth(types))
    if (Type unified = unify(result.type, types[position]))
      result.type = unified;
  return result;
}

FailureOr<Fact> ResultTyping::getResult() {
  SmallVector<std::pair<Fact, Operation *>> results;
  for (Operation *op : reached)
    results.push_back({returns[op], op});
  if (fallsOff || results.empty())
    results.push_back(
        {makeTyped(NoneType::get(context)), inference.getFunction()});
  // Narrow types first: the order matters where three types meet.
  SmallVector<unsigned> order = sortByWidth(llvm::map_to_vector(
      results, [](auto entry) { return entry.first.type; }));
  Fact result;
  Operation *first = results[order.front()].second;
  for (unsigned position : order) {
    auto [fact, op] = results[position];
    Fact unified = unify(result, fact);
    if (unified.type) {
      result = unified;
      continue;
    }
    InFlightDiagnostic error = emitTypingError(op->getLoc());
    error << "cannot unify the types that '" << inference.getName()
          << "' returns: " << describe(result.type) << " and "
          << describe(fact.type);
    if (first == inference.getFunction())
      error.attachNote(first->getLoc())
          << "its end can be reached without a return";
    else
      error.attachNote(first->getLoc())
          << "returns " << describe(result.type) << " here";
    return error;
  }
  inference.getFunction().setResultAttr(TypeAttr::get(result.type));
  return result;
}
