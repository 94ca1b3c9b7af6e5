// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference of the program as a whole. Each function is cloned for each
// tuple of arguments that it is called with and inferred when the first call is
// seen. A recursive call sees what the function has returned so far, and until
// then what it was declared to return. A function whose types rest on such an
// unfinished result is inferred anew whenever it is called, until the one it
// waits for has come to rest.

#include "ProgramInference.h"
#include "Folding.h"
#include "FunctionInference.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Most calls within calls; far more than a GPU's stack allows.
static constexpr unsigned kMaxCallDepth = 100;

/// Most times that functions are inferred in all. Only mutual recursion infers
/// a function more than once, so this bounds how long that may take.
static constexpr unsigned kMaxInferences = 10000;

/// Most notes that say from where the function of an error is called.
static constexpr unsigned kMaxCallNotes = 4;

/// True if C has `type`.
static bool isOfC(Type type) { return isa<IntegerType, FloatType>(type); }

/// True if `type` is a pointer to any memory, which C may give.
static bool isPointer(Type type) {
  auto array = dyn_cast<ArrayType>(type);
  return array && array.isPointer() && array.getSpace() == Space::Generic;
}

static InFlightDiagnostic refuseExport(FuncOp function) {
  return emitTypingError(function.getLoc())
         << "'" << function.getSymName() << "' cannot be called from C: it ";
}

/// Checks that code of other languages can call `function` with its arguments.
static LogicalResult checkArguments(FuncOp function) {
  for (auto [name, argument] :
       llvm::zip_equal(function.getParameters().getAsRange<StringAttr>(),
                       function.getArgumentsAttr().getAsRange<TypeAttr>()))
    if (!isOfC(argument.getValue()) && !isPointer(argument.getValue()))
      return refuseExport(function)
             << "takes '" << name.getValue() << "' of type "
             << describe(argument.getValue())
             << "; expects integers, floats, bools and pointers (CPointer)";
  return success();
}

/// Checks that whoever calls or launches `entry` has a use for what it returns.
static LogicalResult checkResult(FuncOp entry, Type result) {
  if (isa<NoneType>(result))
    return success();
  if (kExport.isOn(entry))
    return isOfC(result)
               ? success()
               : LogicalResult(refuseExport(entry)
                               << "returns a value of type " << describe(result)
                               << "; expects an integer, a float, a "
                                  "bool or nothing");
  Location loc = entry.getLoc();
  entry.walk([&](ReturnOp op) {
    bool isValue = !isa<NoneType, ObjectType>(op.getValue().getType());
    if (isValue)
      loc = op.getLoc();
    return isValue ? WalkResult::interrupt() : WalkResult::advance();
  });
  return emitTypeError(loc)
         << "kernel '" << entry.getSymName() << "' returns a value of type "
         << describe(result)
         << "; a kernel must have void return type and gives results only "
            "through its arrays";
}

LogicalResult ProgramInference::run() {
  auto entries =
      llvm::filter_to_vector(module.getOps<FuncOp>(), [](FuncOp function) {
        return function.isEntry();
      });
  if (entries.empty())
    return module.emitError("requires a py.func that is a kernel or exported");
  for (FuncOp function : module.getOps<FuncOp>()) {
    foldLiterals(function);
    if (function.getNarrow())
      narrowLiterals(function);
  }

  for (FuncOp entry : entries)
    keepText(entry);
  bool hasFailed = false;
  for (FuncOp entry : entries)
    hasFailed |= failed(inferEntry(entry));
  if (hasFailed)
    return failure();
  keepReachable(entries);
  return success();
}

/// Copies `entry` if functions name it: they may launch it.
void ProgramInference::keepText(FuncOp entry) {
  auto name = FlatSymbolRefAttr::get(entry);
  WalkResult found = module.walk([&](ConstantOp op) {
    return op.getValue() == name ? WalkResult::interrupt()
                                 : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return;
  FuncOp text = entry.clone();
  text.setKernel(false);
  SymbolTable(module).insert(text, std::next(entry->getIterator()));
  texts[entry] = text;
}

LogicalResult ProgramInference::inferEntry(FuncOp function) {
  SmallVector<Fact> arguments;
  for (Attribute type : function.getArgumentsAttr())
    arguments.push_back(makeTyped(cast<TypeAttr>(type).getValue()));
  bool isExported = !function.getKernel();
  if (isExported && failed(checkArguments(function)))
    return failure();
  Specialization entry;
  entry.function = function;
  entry.name = function.getSymNameAttr();
  if (failed(infer(entry, arguments))) {
    for (Diagnostic &error : entry.errors)
      module.getContext()->getDiagEngine().emit(std::move(error));
    return failure();
  }
  if (isExported || !allowResult)
    return checkResult(function, entry.result.type);
  return success();
}

void ProgramInference::keepReachable(ArrayRef<FuncOp> entries) {
  SymbolTable symbols(module);
  llvm::SmallPtrSet<Operation *, 8> live(entries.begin(), entries.end());
  SmallVector<FuncOp> waiting(entries);
  while (!waiting.empty())
    waiting.pop_back_val().walk([&](Operation *op) {
      FlatSymbolRefAttr symbol = getTarget(op);
      auto target =
          symbol ? symbols.lookup<FuncOp>(symbol.getValue()) : FuncOp();
      if (target && live.insert(target).second)
        waiting.push_back(target);
    });
  for (FuncOp function : llvm::make_early_inc_range(module.getOps<FuncOp>()))
    if (!live.contains(function))
      symbols.erase(function);
  // The first specialization of a function gets its name back.
  for (auto &[key, specialization] : specializations)
    if (live.contains(specialization->function) &&
        !symbols.lookup(specialization->name))
      (void)symbols.rename(specialization->function, specialization->name);
}

LogicalResult ProgramInference::infer(Specialization &specialization,
                                      ArrayRef<Fact> arguments) {
  specialization.position = specialization.lowest = running.size();
  specialization.state = Specialization::Running;
  running.push_back(&specialization);
  bool isDone = false;
  while (!isDone) {
    FunctionInference inference(*this, specialization.function,
                                specialization.name, arguments);
    specialization.inference = &inference;
    specialization.remedy.clear();
    FailureOr<Fact> result = inference.run();
    specialization.inference = nullptr;
    isDone = !inference.hasUnrolled();
    specialization.errors = inference.takeErrors();
    specialization.state =
        failed(result) ? Specialization::Failed : Specialization::Done;
    if (succeeded(result))
      specialization.result = *result;
    else if (!isDone)
      specialization.state = Specialization::Running;
  }
  running.pop_back();
  bool isInferred = specialization.state == Specialization::Done;
  if (specialization.lowest < specialization.position) {
    running.back()->lowest =
        std::min(running.back()->lowest, specialization.lowest);
    specialization.state = Specialization::New;
  }
  return success(isInferred);
}

Specialization &ProgramInference::specialize(FuncOp callee,
                                             ArrayRef<Fact> arguments,
                                             bool isLaunched) {
  // A literal argument specializes as well, as Numba's literal types do: it may
  // be a shape or the index of a tuple in there.
  MLIRContext *context = module.getContext();
  auto unknown = UnitAttr::get(context);
  SmallVector<Attribute> types, key = {BoolAttr::get(context, isLaunched)};
  for (const Fact &argument : arguments) {
    types.push_back(TypeAttr::get(argument.type));
    key.push_back(types.back());
    key.push_back(argument.constant ? argument.constant : unknown);
    key.push_back(BoolAttr::get(context, argument.isOmitted));
  }
  std::unique_ptr<Specialization> &slot =
      specializations[{callee, ArrayAttr::get(context, key)}];
  if (!slot) {
    FuncOp text = texts.lookup(callee);
    FuncOp clone = (text ? text : callee).clone();
    if (isLaunched) {
      clone.setKernel(true);
      kChild.set(clone, UnitAttr::get(context));
    }
    clone.setSymName(callee.getSymName());
    clone.setArgumentsAttr(ArrayAttr::get(context, types));
    SymbolTable(module).insert(clone, std::next(callee->getIterator()));
    slot = std::make_unique<Specialization>();
    slot->function = clone;
    slot->name = callee.getSymNameAttr();
  }
  return *slot;
}

/// A copy of `diagnostic`, whose text the copy owns.
static Diagnostic copyDiagnostic(Diagnostic &diagnostic) {
  Diagnostic copy(diagnostic.getLocation(), diagnostic.getSeverity());
  copy << Twine(diagnostic.str());
  // The metadata is the error's class, a string constant.
  copy.getMetadata() = diagnostic.getMetadata();
  for (Diagnostic &note : diagnostic.getNotes())
    copy.attachNote(note.getLocation()) << Twine(note.str());
  return copy;
}

static bool isUnsupportedError(const Diagnostic &diagnostic) {
  ArrayRef<DiagnosticArgument> kind =
      const_cast<Diagnostic &>(diagnostic).getMetadata();
  return !kind.empty() && kind.front().getAsString() == "UnsupportedError";
}

/// Says that a function of PyK's library cannot take `arguments`, and, unless
/// it is empty, the `remedy`.
static LogicalResult emitRefusal(FuncOp callee, ArrayRef<Fact> arguments,
                                 Location loc, StringRef remedy) {
  InFlightDiagnostic error = emitTypingError(loc);
  error << "'" << getWrittenName(callee.getSymName()) << "' cannot take ";
  llvm::interleaveComma(
      llvm::make_filter_range(arguments,
                              [](const Fact &fact) { return !fact.isOmitted; }),
      error, [&](const Fact &fact) { error << describe(fact.type); });
  error << "; it takes (";
  llvm::interleaveComma(callee.getParameters().getAsRange<StringAttr>(), error,
                        [&](StringAttr name) { error << name.getValue(); });
  error << ")";
  auto last = cast<StringAttr>(callee.getParameters().getValue().back());
  if (last.getValue() == "out" && arguments.back().isOmitted &&
      llvm::any_of(arguments,
                   [](const Fact &fact) { return isa<ArrayType>(fact.type); }))
    error.attachNote()
        << "of arrays it takes one for the results, too: out=...";
  if (!remedy.empty())
    error.attachNote() << remedy;
  return error;
}

FailureOr<Fact> ProgramInference::call(FuncOp callee, ArrayRef<Fact> given,
                                       Location loc, FuncOp &target) {
  // Only what specializes may be used by the callee.
  SmallVector<Fact> arguments(given);
  for (Fact &argument : arguments)
    if (!argument.isLiteral)
      argument.constant = {};
  Specialization &entry = specialize(callee, arguments, /*isLaunched=*/false);
  target = entry.function;
  if (entry.state == Specialization::Running) {
    running.back()->lowest = std::min(running.back()->lowest, entry.position);
    Fact result = entry.inference->getPartialResult();
    if (!result.type && callee.getResult())
      return makeTyped(*callee.getResult());
    return result;
  }
  if (failed(infer(entry, callee, arguments, given, loc, "called")))
    return failure();
  return entry.result;
}

LogicalResult ProgramInference::launch(FuncOp callee, ArrayRef<Fact> arguments,
                                       Location loc, FuncOp &target) {
  Specialization &entry = specialize(callee, arguments, /*isLaunched=*/true);
  target = entry.function;
  // What launches itself has no result to wait for.
  if (entry.state == Specialization::Running)
    return success();
  if (failed(infer(entry, callee, arguments, arguments, loc, "launched")))
    return failure();
  return entry.result.type ? checkResult(entry.function, entry.result.type)
                           : success();
}

/// Infers `entry`, a specialization of `callee` for `arguments`, unless that is
/// done. `given` is what the program gives at `loc`, where the callee is
/// `called`.
LogicalResult ProgramInference::infer(Specialization &entry, FuncOp callee,
                                      ArrayRef<Fact> arguments,
                                      ArrayRef<Fact> given, Location loc,
                                      StringRef called) {
  if (entry.state == Specialization::New) {
    if (running.size() >= kMaxCallDepth || ++inferences > kMaxInferences) {
      hopeless = true;
      InFlightDiagnostic error = emitTypingError(loc);
      if (inferences > kMaxInferences)
        error << "functions call each other in too many ways to infer their "
                 "types";
      else
        error << "functions call each other more than " << kMaxCallDepth
              << " deep while their types are inferred";
      return error;
    }
    if (succeeded(infer(entry, arguments)))
      return success();
  }
  if (entry.state == Specialization::Done)
    return success();
  if (callee.getLibrary()) {
    for (const Diagnostic &error : entry.errors)
      if (entry.remedy.empty() && isUnsupportedError(error) &&
          !error.getNotes().empty())
        entry.remedy = (*error.getNotes().begin()).str();
    // The library's function that has called this one is refused, too.
    if (!running.empty() && running.back()->remedy.empty())
      running.back()->remedy = entry.remedy;
    return emitRefusal(callee, given, loc, entry.remedy);
  }
  std::string types;
  llvm::raw_string_ostream os(types);
  llvm::interleaveComma(arguments, os,
                        [&](const Fact &fact) { os << describe(fact.type); });
  for (Diagnostic &own : entry.errors) {
    Diagnostic error = copyDiagnostic(own);
    if (llvm::range_size(error.getNotes()) < kMaxCallNotes)
      error.attachNote(loc) << Twine("'" + callee.getSymName() + "' is " +
                                     called + " here with (" + types + ")");
    module.getContext()->getDiagEngine().emit(std::move(error));
  }
  return failure();
}
