// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// py-infer-types: the program as a whole. Each function is cloned for each
// tuple of argument types that it is called with and inferred when the first
// call is seen. A recursive call sees the result that is known so far; if that
// changes later, everything is inferred once more, until nothing changes.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/Transforms/Passes.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/SetVector.h"

namespace pyk::py {
#define GEN_PASS_DEF_INFERTYPESPASS
#include "pyk/Dialect/Py/Transforms/Passes.h.inc"
} // namespace pyk::py

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Most calls within calls; far more than a GPU's stack allows.
static constexpr unsigned kMaxCallDepth = 200;

/// Most rounds that recursion may take to settle. Result types only grow, and
/// no chain of types is longer.
static constexpr unsigned kMaxRounds = 32;

LogicalResult ProgramInference::run() {
  FuncOp kernel;
  for (FuncOp function : module.getOps<FuncOp>())
    if (function.getArguments()) {
      if (kernel)
        return function.emitOpError("requires that only one function has "
                                    "argument types");
      kernel = function;
    }
  if (!kernel)
    return module.emitError("requires a py.func with argument types");
  SmallVector<FuncOp> originals(module.getOps<FuncOp>());
  SmallVector<Fact> arguments;
  ArrayAttr types = kernel.getArgumentsAttr();
  for (Attribute type : types)
    arguments.push_back(makeTyped(cast<TypeAttr>(type).getValue()));

  Specialization entry{kernel, kernel.getSymNameAttr(), {}, 0};
  for (round = 1; round <= kMaxRounds; ++round) {
    unsettled = false;
    if (failed(infer(entry, arguments)))
      return failure();
    if (!unsettled)
      break;
  }
  if (entry.result && !isa<NoneType>(entry.result))
    return emitTypingError(kernel.getLoc())
           << "kernel '" << kernel.getSymName() << "' returns a value of type "
           << describe(entry.result)
           << "; a kernel has results only through its arrays";

  // What the kernel reaches stays. The originals have served, and so have
  // specializations on types that a loop's variables had for one turn only.
  llvm::SetVector<Operation *> live;
  live.insert(kernel);
  for (unsigned index = 0; index != live.size(); ++index)
    live[index]->walk([&](CallOp call) {
      if (FlatSymbolRefAttr target = call.getTargetAttr())
        live.insert(SymbolTable::lookupNearestSymbolFrom(call, target));
    });
  for (FuncOp function : llvm::make_early_inc_range(module.getOps<FuncOp>()))
    if (!live.contains(function))
      function.erase();
  // The first specialization of a function gets its name back.
  SymbolTable symbols(module);
  for (auto &[key, specialization] : specializations) {
    StringAttr name = specialization->name;
    if (live.contains(specialization->function) && !symbols.lookup(name) &&
        failed(symbols.rename(specialization->function, name)))
      return failure();
  }
  return success();
}

/// True if Numba would give `argument` a literal type.
static bool isLiteral(const Fact &argument) {
  return argument.decides && !argument.isComparison &&
         (isa_and_present<IntAttr>(argument.constant) ||
          (isBool(argument.type) && argument.constant));
}

LogicalResult ProgramInference::infer(Specialization &specialization,
                                      ArrayRef<Fact> arguments) {
  specialization.round = round;
  FailureOr<Type> result =
      FunctionInference(*this, specialization.function).run(arguments);
  if (failed(result))
    return failure();
  if (*result != specialization.result) {
    // Who called this one while it was being inferred saw another result.
    if (round > 1 || specialization.result)
      unsettled = true;
    specialization.result = *result;
  }
  return success();
}

LogicalResult ProgramInference::call(FuncOp callee, ArrayRef<Fact> arguments,
                                     Location loc, Type &result,
                                     FuncOp &target) {
  // A literal argument specializes as well, as Numba's literal types do: it may
  // be a shape or the index of a tuple in there.
  MLIRContext *context = module.getContext();
  SmallVector<Attribute> types, parts;
  for (const Fact &argument : arguments) {
    types.push_back(TypeAttr::get(argument.type));
    parts.push_back(isLiteral(argument)
                        ? argument.constant
                        : Attribute(TypeAttr::get(argument.type)));
  }
  auto key = ArrayAttr::get(context, parts);
  // The map may grow while the callee is inferred; what it points to stays.
  std::unique_ptr<Specialization> &slot = specializations[{callee, key}];
  if (!slot) {
    // The first specialization keeps the name; others get a suffix.
    FuncOp clone = callee.clone();
    clone.setArgumentsAttr(ArrayAttr::get(context, types));
    SymbolTable table(module);
    table.insert(clone, std::next(callee->getIterator()));
    slot = std::make_unique<Specialization>(
        Specialization{clone, callee.getSymNameAttr(), {}, 0});
  }
  Specialization *entry = slot.get();
  target = entry->function;
  if (entry->round != round) {
    if (++depth > kMaxCallDepth)
      return emitTypingError(loc)
             << "functions call each other more than " << kMaxCallDepth
             << " deep while their types are inferred";
    if (failed(infer(*entry, arguments)))
      return failure();
    --depth;
    result = entry->result;
    if (!result && round > 1)
      return emitTypingError(entry->function.getLoc())
             << "cannot infer the result of '" << callee.getSymName()
             << "': every path to a return calls the function itself";
    return success();
  }
  result = entry->result;
  if (!result)
    unsettled = true;
  return success();
}

namespace {
struct InferTypesPass : pyk::py::impl::InferTypesPassBase<InferTypesPass> {
  void runOnOperation() override {
    if (failed(ProgramInference(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
