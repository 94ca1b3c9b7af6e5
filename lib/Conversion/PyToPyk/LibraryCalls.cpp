// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body without effects and without an early exit may replace each call of its
// function. Functions of floats stay functions: a product that one returns must
// not be fused with a sum of its caller's.

#include "LibraryCalls.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykCalls.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"

using namespace mlir;
using namespace pyk;

/// The most ops of a function that is inlined, except constants.
static constexpr unsigned kMostOps = 16;

static bool isInteger(Type type) { return type.isIntOrIndex(); }

static bool isShort(FuncOp function) {
  if (function.getKernel() || function.isExternal() ||
      !function.getBody().hasOneBlock())
    return false;
  unsigned count = 0;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op) ||
        !llvm::all_of(op.getOperandTypes(), isInteger) ||
        !llvm::all_of(op.getResultTypes(), isInteger))
      return false;
    count += !op.hasTrait<OpTrait::ConstantLike>();
  }
  return count <= kMostOps;
}

/// Replaces `call` by the body of `callee`.
static void inlineCall(CallOp call, FuncOp callee) {
  Block &body = callee.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), call.getOperands());
  OpBuilder builder(call);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping)->setLoc(call.getLoc());
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

void pyk::inlineShortCalls(ModuleOp module, ArrayRef<FuncOp> library) {
  DenseMap<StringRef, FuncOp> functions;
  for (FuncOp function : library)
    functions[function.getSymName()] = function;
  // A function may become short when calls in it are inlined.
  for (bool isChanged = !library.empty(); isChanged;) {
    DenseMap<StringRef, FuncOp> found;
    for (auto [name, function] : functions)
      if (isShort(function))
        found[name] = function;
    if (found.empty())
      return;
    SmallVector<CallOp> calls;
    for (CallOp call : getCalls(module))
      if (found.contains(call.getCallee()))
        calls.push_back(call);
    for (CallOp call : calls)
      inlineCall(call, found.lookup(call.getCallee()));
    isChanged = !calls.empty();
    for (auto [name, function] : found) {
      functions.erase(name);
      // Code of other languages calls what is exported, and ops name functions
      // that such code is given.
      if (!kExport.isOn(function) &&
          SymbolTable::symbolKnownUseEmpty(function, module))
        function.erase();
    }
  }
}
