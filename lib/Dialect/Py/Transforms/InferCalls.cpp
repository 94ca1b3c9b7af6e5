// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: calls of functions, and casts.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Bound> py::bindArguments(CallOp op, StringRef name,
                                   ArrayRef<StringRef> names,
                                   ArrayRef<Fact> arguments, size_t surplus,
                                   std::optional<Location> callee) {
  auto noteCallee = [&](InFlightDiagnostic &error) {
    if (callee)
      error.attachNote(callee) << "'" << name << "' is defined here";
    return failure();
  };
  size_t positional =
      arguments.size() - (op.getKeywords() ? op.getKeywords()->size() : 0);
  if (positional > names.size() + surplus) {
    InFlightDiagnostic error =
        emitTypingError(op.getInputs()[names.size()].getLoc());
    error << "'" << name << "' takes " << names.size()
          << (names.size() == 1 ? " argument but " : " arguments but ")
          << positional << (positional == 1 ? " was given" : " were given");
    return noteCallee(error);
  }
  Bound bound;
  bound.facts.resize(names.size());
  bound.values.resize(names.size());
  auto give = [&](size_t parameter, size_t argument) {
    bound.facts[parameter] = arguments[argument];
    bound.values[parameter] = op.getInputs()[argument];
  };
  for (size_t position = 0; position != positional - surplus; ++position)
    give(position, position);
  for (size_t position = positional; position != arguments.size(); ++position) {
    auto keyword =
        cast<StringAttr>((*op.getKeywords())[position - positional]).getValue();
    Location loc = op.getInputs()[position].getLoc();
    size_t parameter = llvm::find(names, keyword) - names.begin();
    if (parameter == names.size()) {
      InFlightDiagnostic error = emitTypingError(loc);
      error << "'" << name << "' has no parameter '" << keyword << "'";
      StringRef nearest = findNearest(keyword, names);
      if (!nearest.empty())
        error.attachNote() << "did you mean '" << nearest << "'?";
      return noteCallee(error);
    }
    if (bound.values[parameter])
      return emitTypingError(loc)
             << "'" << name << "' is given two values for '" << keyword << "'";
    give(parameter, position);
  }
  return bound;
}

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

FailureOr<Fact> FunctionInference::evaluate(CallOp op,
                                            Environment &environment) {
  here = &environment;
  if (DenseI64ArrayAttr starred = op.getStarredAttr()) {
    FailureOr<bool> isKnown = expandStarred(op.getInputsMutable(), starred);
    if (failed(isKnown))
      return failure();
    if (!*isKnown)
      return Fact();
    op.removeStarredAttr();
  }
  Fact callee = getPresent(op.getCalleeMutable());
  if (!callee.type)
    return Fact();
  bool isPlain = takesPlainValues(op, callee.type);
  SmallVector<Fact> arguments;
  for (OpOperand &input : op.getInputsMutable()) {
    arguments.push_back(isPlain ? getPlainItems(input) : get(input.get()));
    if (!arguments.back().type)
      return Fact();
  }
  if (auto method = dyn_cast<MethodType>(callee.type))
    return evaluateMethod(op, method, arguments);
  if (auto kernel = dyn_cast<ConfiguredKernelType>(callee.type))
    return launch(op, kernel, arguments);
  auto known = dyn_cast<StaticType>(callee.type);
  if (Type dtype = getDtypeObject(callee.type)) {
    if (isNumberOrTime(dtype) || isa<Float8Type>(dtype))
      return evaluateCast(op, dtype, arguments);
    if (auto vector = dyn_cast<ShortVectorType>(dtype))
      return makeVector(op, vector, arguments);
  }
  if (auto intrinsic =
          known ? dyn_cast<IntrinsicAttr>(known.getValue()) : IntrinsicAttr()) {
    if (const Intrinsic *row = lookupIntrinsic(intrinsic.getName()))
      return evaluateIntrinsic(op, *row, arguments);
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

FuncOp FunctionInference::getLibrary(Operation *op, StringRef name) {
  return SymbolTable::lookupNearestSymbolFrom<FuncOp>(
      op, StringAttr::get(context, name));
}

FuncOp FunctionInference::getLibraryMethod(Operation *op, Type type,
                                           StringRef name) {
  for (StringRef owner : getOwners(type))
    if (FuncOp method = getLibrary(op, (owner + "." + name).str()))
      return method;
  return {};
}

/// What a call gives to each parameter of `target`, in order; one that is not
/// known yet has no type.
FailureOr<SmallVector<Fact>>
FunctionInference::bindFacts(CallOp op, FuncOp target, ArrayRef<Fact> arguments,
                             const Fact *object) {
  auto closure = dyn_cast<ClosureType>(get(op.getCallee()).type);
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
        captureVariables(closure, *here, op.getLoc(), around);
    if (failed(captured))
      return failure();
    llvm::append_range(bound->facts, *captured);
  }
  // The callee cannot read our variables.
  around.clear();
  for (Fact &argument : bound->facts) {
    FailureOr<Fact> whole = capture(argument, *here, op.getLoc(), around);
    if (failed(whole))
      return failure();
    argument = *whole;
    if (!argument.type)
      break;
  }
  return std::move(bound->facts);
}

FailureOr<Fact> FunctionInference::callFunction(CallOp op, FuncOp target,
                                                ArrayRef<Fact> arguments,
                                                const Fact *object) {
  FailureOr<SmallVector<Fact>> bound = bindFacts(op, target, arguments, object);
  if (failed(bound))
    return failure();
  if (llvm::any_of(*bound, [](const Fact &fact) { return !fact.type; }))
    return Fact();
  FailureOr<Fact> result =
      program.call(target, *bound, op.getLoc(), targets[op]);
  if (succeeded(result) && !result->type)
    unresolved = {op.getLoc(), target.getSymName()};
  return result;
}

/// Checks what a function of another language is given; numbers have been cast.
LogicalResult FunctionInference::checkForeign(ForeignAttr code) {
  for (auto [index, given, pointee] :
       llvm::enumerate(arguments, code.getPointees())) {
    if (isa<NoneType>(pointee))
      continue;
    auto array = dyn_cast<ArrayType>(given.type);
    if (!array || array.getElementType() != pointee ||
        array.getLayout() == Layout::Any)
      return emitTypingError(function.getLoc())
             << "expects argument " << index + 1 << " of '" << code.getName()
             << "' as an array of " << describe(pointee)
             << " without gaps but got " << describe(given.type);
  }
  return success();
}

FailureOr<Fact> FunctionInference::evaluateCast(CallOp op, Type target,
                                                ArrayRef<Fact> arguments) {
  if (arguments.size() == 1 && (isNumberOrTime(arguments[0].type) ||
                                isa<Float8Type>(arguments[0].type))) {
    Type own = arguments[0].type;
    bool isTruth = isBool(target) && isScalar(own);
    if (!isTruth && !isCount(own, target) &&
        failed(checkConvertible(op.getInputs()[0].getLoc(), own, target)))
      return failure();
    return makeTyped(target);
  }
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  error << "expects one number to convert to " << describe(target)
        << " but got ";
  if (arguments.size() == 1)
    error << describe(arguments[0].type);
  else
    error << arguments.size() << " arguments";
  return error;
}
