// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of device functions and methods, casts, and nested functions.

#include "Calls.h"
#include "Constants.h"
#include "IntrinsicLowering.h"
#include "Launches.h"
#include "Tuples.h"
#include "Variables.h"
#include "Vectors.h"
#include "Wrappers.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Binding CallLowering::evaluate(CallOp op) {
  Location loc = op.getLoc();
  SmallVector<Binding> arguments;
  for (Value input : op.getInputs())
    arguments.push_back(lowering.get(input));
  const Binding callee = lowering.get(op.getCallee());
  auto method = dyn_cast<MethodType>(callee.type);
  if (method)
    arguments.insert(arguments.begin(), {method.getObject(), callee.parts});
  if (op.getTarget())
    return evaluateFunction(op, arguments);
  if (method)
    return lowering.convert(
        evaluateIntrinsic(lowering, op,
                          *lookupMember(method.getObject(), method.getName()),
                          arguments),
        op.getType(), loc);
  Attribute known = cast<StaticType>(callee.type).getValue();
  if (auto vector =
          dyn_cast_if_present<ShortVectorType>(getDtypeObject(callee.type)))
    return lowering.convert(
        lowering.vectors().makeVector(vector, arguments, loc), op.getType(),
        loc);
  if (auto dtype = dyn_cast<TypeAttr>(known))
    return lowering.convert(
        lowering.convert(arguments[0], dtype.getValue(), loc), op.getType(),
        loc);
  if (auto own = dyn_cast<NamedTupleClassAttr>(known))
    return lowering.wrappers().makeNamedTuple(op, own, arguments);
  auto intrinsic = cast<IntrinsicAttr>(known);
  return evaluateIntrinsic(lowering, op, *lookupIntrinsic(intrinsic.getName()),
                           arguments);
}

Binding CallLowering::evaluateFunction(CallOp op, ArrayRef<Binding> arguments) {
  Location loc = op.getLoc();
  auto target =
      SymbolTable::lookupNearestSymbolFrom<py::FuncOp>(op, op.getTargetAttr());
  SmallVector<Value> operands = passArguments(op, target, arguments);
  if (isa<ConfiguredKernelType>(op.getCallee().getType())) {
    makeLaunch(builder, target, lowering.get(op.getCallee()), operands, loc);
    return {op.getType(), {}};
  }
  return lowering.convert(makeCall(target, operands, loc), op.getType(), loc);
}

/// The values of the parameters of `target`, in their types.
SmallVector<Value> CallLowering::passArguments(CallOp op, py::FuncOp target,
                                               ArrayRef<Binding> arguments) {
  Location loc = op.getLoc();
  auto types =
      llvm::map_to_vector(*target.getArguments(), [](Attribute argument) {
        return cast<TypeAttr>(argument).getValue();
      });
  const Binding callee = lowering.get(op.getCallee());
  Binding defaults = getDefaults(callee);
  size_t defaultCount = cast<TupleType>(defaults.type).size();
  // Put the arguments in the order of the parameters.
  size_t positional = arguments.size();
  if (op.getKeywords())
    positional -= op.getKeywords()->size();
  SmallVector<Value> operands;
  auto pass = [&](const Binding &argument, Type type) {
    llvm::append_range(operands, lowering.convert(argument, type, loc).parts);
  };
  size_t named = target.getNamedCount();
  for (auto [position, name] :
       llvm::enumerate(target.getParameters().getValue().take_front(named))) {
    Binding argument;
    if (position < positional) {
      argument = arguments[position];
    } else {
      bool isGiven = false;
      if (op.getKeywords())
        for (auto [index, keyword] : llvm::enumerate(*op.getKeywords()))
          if (keyword == name) {
            argument = arguments[positional + index];
            isGiven = true;
          }
      if (!isGiven && position + defaultCount >= named)
        argument = getItem(defaults, position + defaultCount - named);
      else if (!isGiven)
        argument =
            makeConstant(builder, (*target.getDefaults())[position], loc);
    }
    pass(argument, types[position]);
  }
  if (target.getVariadic() && positional > named)
    for (auto [argument, type] :
         llvm::zip(arguments.slice(named, positional - named),
                   cast<TupleType>(types[named]).getTypes()))
      pass(argument, type);
  if (target.getCaptures() != 0) {
    auto captures = TupleType::get(
        context, ArrayRef(types).take_back(target.getCaptures()));
    pass(getCaptures(callee, captures, loc), captures);
  }
  return operands;
}

Binding CallLowering::makeCall(py::FuncOp target, ValueRange operands,
                               Location loc) {
  SmallVector<Type> results;
  appendPartTypes(*target.getResult(), results);
  auto call = pyk::CallOp::create(builder, loc, results, target.getSymName(),
                                  operands, ArrayAttr(), ArrayAttr());
  return {*target.getResult(), SmallVector<Value, 1>(call.getResults())};
}

Binding CallLowering::callLibrary(FlatSymbolRefAttr target,
                                  ArrayRef<Binding> arguments, Location loc) {
  auto function = SymbolTable::lookupNearestSymbolFrom<py::FuncOp>(
      lowering.getSource(), target);
  SmallVector<Value> operands;
  for (auto [argument, type] :
       llvm::zip(arguments, function.getArguments()->getAsRange<TypeAttr>()))
    llvm::append_range(operands,
                       lowering.convert(argument, type.getValue(), loc).parts);
  return makeCall(function, operands, loc);
}

//===----------------------------------------------------------------------===//
// Nested functions
//===----------------------------------------------------------------------===//

Binding CallLowering::evaluate(ClosureOp op) {
  auto closure = dyn_cast<ClosureType>(op.getType());
  Binding result{op.getType(), {}};
  if (closure)
    for (auto [value, type] :
         llvm::zip(op.getDefaults(), closure.getDefaults().getTypes()))
      llvm::append_range(
          result.parts,
          lowering.convert(lowering.get(value), type, op.getLoc()).parts);
  return result;
}

/// The defaults that `callee` carries, a tuple.
Binding CallLowering::getDefaults(const Binding &callee) {
  auto closure = dyn_cast<ClosureType>(callee.type);
  if (!closure)
    return {TupleType::get(context), {}};
  SmallVector<Type> own;
  appendPartTypes(closure.getDefaults(), own);
  ArrayRef<Value> parts = ArrayRef(callee.parts).take_front(own.size());
  return {closure.getDefaults(), {parts.begin(), parts.end()}};
}

/// What `closure` captures, as a tuple of `type`: what it carries, or what the
/// variables hold here.
Binding CallLowering::getCaptures(const Binding &closure, TupleType type,
                                  Location loc) {
  auto own = cast<ClosureType>(closure.type);
  if (own.getCaptures()) {
    ArrayRef<Value> parts =
        ArrayRef(closure.parts).drop_front(getDefaults(closure).parts.size());
    return lowering.convert(
        Binding{own.getCaptures(), {parts.begin(), parts.end()}}, type, loc);
  }
  Binding result{type, {}};
  for (auto [name, item] : llvm::zip(own.getVariables(), type.getTypes()))
    llvm::append_range(
        result.parts,
        lowering.variables().gather({{cast<StringAttr>(name), item}}, loc));
  return result;
}

Binding CallLowering::convertClosure(const Binding &closure, ClosureType to,
                                     Location loc) {
  Binding result{
      to, lowering.convert(getDefaults(closure), to.getDefaults(), loc).parts};
  if (to.getCaptures())
    llvm::append_range(result.parts,
                       getCaptures(closure, to.getCaptures(), loc).parts);
  return result;
}
