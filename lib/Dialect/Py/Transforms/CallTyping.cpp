// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: calls of functions.

#include "CallTyping.h"
#include "Binding.h"
#include "ClosureTyping.h"
#include "Constructors.h"
#include "IntrinsicTyping.h"
#include "LaunchTyping.h"
#include "Library.h"
#include "OperandTyping.h"
#include "ProgramInference.h"
#include "Remedies.h"
#include "UnpackTyping.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// True if what `op` calls, which has type `callee`, takes plain values only;
/// other functions get what the program gives them.
static bool takesPlainValues(CallOp op, Type callee) {
  auto known = dyn_cast<StaticType>(callee);
  if (!known)
    return isa<MethodType>(callee);
  if (auto intrinsic = dyn_cast<IntrinsicAttr>(known.getValue())) {
    const Intrinsic *row = lookupIntrinsic(intrinsic.getName());
    return row && !row->takesOptionals;
  }
  auto symbol = dyn_cast<FlatSymbolRefAttr>(known.getValue());
  auto target = symbol
                    ? SymbolTable::lookupNearestSymbolFrom<FuncOp>(op, symbol)
                    : nullptr;
  return isa<TypeAttr>(known.getValue()) || (target && target.getLibrary());
}

/// Whether a function that kernels do not have makes an array in Python.
static bool makesArray(StringRef name) {
  if (!name.consume_front("numpy."))
    return false;
  name.consume_back("_like");
  return llvm::is_contained({"array", "arange", "copy", "empty", "eye", "full",
                             "identity", "linspace", "ones", "zeros"},
                            name);
}

FailureOr<Fact> CallTyping::evaluate(CallOp op, Environment &environment) {
  here = &environment;
  if (DenseI64ArrayAttr starred = op.getStarredAttr()) {
    FailureOr<bool> isKnown =
        inference.unpacking().expandStarred(op.getInputsMutable(), starred);
    if (failed(isKnown))
      return failure();
    if (!*isKnown)
      return Fact();
    op.removeStarredAttr();
  }
  Fact callee = inference.operands().getPresent(op.getCalleeMutable());
  if (!callee.type)
    return Fact();
  bool isPlain = takesPlainValues(op, callee.type);
  SmallVector<Fact> arguments;
  for (OpOperand &input : op.getInputsMutable()) {
    arguments.push_back(isPlain ? inference.operands().getPlainItems(input)
                                : inference.get(input.get()));
    if (!arguments.back().type)
      return Fact();
  }
  if (auto method = dyn_cast<MethodType>(callee.type))
    return evaluateMethod(op, method, arguments);
  if (auto kernel = dyn_cast<ConfiguredKernelType>(callee.type))
    return inference.launches().launch(op, kernel, arguments);
  auto known = dyn_cast<StaticType>(callee.type);
  if (Type dtype = getDtypeObject(callee.type)) {
    if (isNumberOrTime(dtype) || isa<Float8Type>(dtype))
      return makeNumber(op, dtype, arguments);
    if (auto vector = dyn_cast<ShortVectorType>(dtype))
      return makeVector(op, vector, arguments);
  }
  if (auto intrinsic =
          known ? dyn_cast<IntrinsicAttr>(known.getValue()) : IntrinsicAttr()) {
    if (const Intrinsic *row = lookupIntrinsic(intrinsic.getName()))
      return inferIntrinsic(inference, op, *row, arguments);
    StringRef name = intrinsic.getName();
    name.consume_front("builtins.");
    InFlightDiagnostic error = emitTypingError(op.getCallee().getLoc())
                               << "'" << name << "' cannot be used in a kernel";
    if (makesArray(intrinsic.getName()))
      error.attachNote() << "use cuda.local.array or cuda.shared.array";
    if (intrinsic.getName().starts_with("numpy.random."))
      error.attachNote() << kRandomNumbers;
    return error;
  }
  if (auto own = known ? dyn_cast<NamedTupleClassAttr>(known.getValue())
                       : NamedTupleClassAttr())
    return makeNamedTuple(op, own, arguments);
  auto symbol = known ? dyn_cast<FlatSymbolRefAttr>(known.getValue())
                      : FlatSymbolRefAttr();
  if (auto closure = dyn_cast<ClosureType>(callee.type))
    symbol = closure.getFunction();
  if (!symbol)
    return emitTypingError(op.getCallee().getLoc())
           << "expects a function to call but got " << describe(callee.type);
  auto target = SymbolTable::lookupNearestSymbolFrom<FuncOp>(op, symbol);
  if (!target)
    return emitTypingError(op.getLoc())
           << "function '" << symbol.getValue() << "' is not in the module";
  if (target.isEntry()) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "kernel '" << target.getSymName()
          << "' cannot be called from a kernel";
    error.attachNote() << "with a grid and a block in brackets it is launched";
    return error;
  }
  return callFunction(op, target, arguments);
}

FailureOr<SmallVector<Fact>> CallTyping::bindFacts(CallOp op, FuncOp target,
                                                   ArrayRef<Fact> arguments,
                                                   const Fact *object) {
  auto closure = dyn_cast<ClosureType>(inference.get(op.getCallee()).type);
  StringRef name = getWrittenName(target.getSymName());
  SmallVector<StringRef> names;
  for (auto parameter : target.getParameters().getAsRange<StringAttr>())
    names.push_back(parameter.getValue());
  names.truncate(target.getNamedCount());
  size_t keywords = op.getKeywords() ? op.getKeywords()->size() : 0;
  // The object of a method is its first argument.
  auto given = ArrayRef(names).drop_front(object ? 1 : 0);
  // What a variadic function is given beyond its named parameters.
  size_t surplus = 0;
  if (target.getVariadic() && arguments.size() - keywords > given.size())
    surplus = arguments.size() - keywords - given.size();
  std::optional<Location> callee;
  if (!target.getLibrary())
    callee = target.getLoc();
  FailureOr<Bound> bound =
      bindArguments(op, name, given, arguments, surplus, callee);
  if (failed(bound))
    return failure();
  if (object) {
    bound->facts.insert(bound->facts.begin(), *object);
    bound->values.insert(bound->values.begin(), op.getCallee());
  }
  TupleType defaults = closure ? closure.getDefaults() : TupleType();
  for (auto [position, argument] : llvm::enumerate(bound->facts)) {
    if (bound->values[position])
      continue;
    if (defaults && position + defaults.size() >= names.size()) {
      argument = makeTyped(
          defaults.getType(position + defaults.size() - names.size()));
      continue;
    }
    Attribute value = target.getDefaults() ? (*target.getDefaults())[position]
                                           : Attribute(UnitAttr::get(context));
    if (isa<UnitAttr>(value)) {
      InFlightDiagnostic error = emitTypingError(op.getLoc());
      error << "'" << name << "' is called without argument '"
            << names[position] << "'";
      if (callee)
        error.attachNote(callee) << "'" << name << "' is defined here";
      return error;
    }
    argument = makeConstant(value);
    argument.isOmitted = true;
  }
  if (target.getVariadic())
    bound->facts.push_back(
        makeTuple(context, arguments.drop_back(keywords).take_back(surplus)));
  SmallVector<Attribute> around;
  if (closure) {
    FailureOr<SmallVector<Fact>> captured =
        inference.closures().captureVariables(closure, *here, op.getLoc(),
                                              around);
    if (failed(captured))
      return failure();
    llvm::append_range(bound->facts, *captured);
  }
  // The callee cannot read our variables.
  around.clear();
  for (Fact &argument : bound->facts) {
    FailureOr<Fact> whole =
        inference.closures().capture(argument, *here, op.getLoc(), around);
    if (failed(whole))
      return failure();
    argument = *whole;
    if (!argument.type)
      break;
  }
  return std::move(bound->facts);
}

FailureOr<Fact> CallTyping::callFunction(CallOp op, FuncOp target,
                                         ArrayRef<Fact> arguments,
                                         const Fact *object) {
  FailureOr<SmallVector<Fact>> bound = bindFacts(op, target, arguments, object);
  if (failed(bound))
    return failure();
  if (llvm::any_of(*bound, [](const Fact &fact) { return !fact.type; }))
    return Fact();
  FuncOp specialized;
  FailureOr<Fact> result =
      inference.getProgram().call(target, *bound, op.getLoc(), specialized);
  inference.getAnnotations().setTarget(op, specialized);
  if (succeeded(result) && !result->type)
    unresolved = {op.getLoc(), target.getSymName()};
  return result;
}

FailureOr<Fact> CallTyping::evaluateMethod(CallOp op, MethodType method,
                                           ArrayRef<Fact> arguments) {
  Fact object = makeTyped(method.getObject());
  if (FuncOp own = getLibraryMethod(op, method.getObject(), method.getName()))
    return callFunction(op, own, arguments, &object);
  SmallVector<Fact> all = {object};
  llvm::append_range(all, arguments);
  return inferIntrinsic(
      inference, op, *lookupMember(method.getObject(), method.getName()), all);
}
