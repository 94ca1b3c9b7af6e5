// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls replaced by bodies, callees first. MLIR's utility wants bodies that end
// at their end and own nothing, so two things come before: what is left early
// becomes a scope, and shared memory, of which there is one for all calls,
// moves to the kernels. MLIR's pass would refuse kernels: `gpu` lets its ops
// move, but nothing move into them.

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/Inliner.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/SCCIterator.h"

namespace pyk {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

namespace {

/// Who calls whom in one module.
struct Calls {
  explicit Calls(gpu::GPUModuleOp module) {
    SymbolTable symbols(module);
    module.walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      callsOf[callee].push_back(call);
    });
  }

  /// `function` and all that reach it by calls.
  SetVector<Operation *> getCallers(Operation *function) const {
    SetVector<Operation *> callers;
    callers.insert(function);
    for (size_t next = 0; next < callers.size(); ++next)
      for (func::CallOp call : callsOf.lookup(callers[next]))
        callers.insert(call->getParentOfType<FunctionOpInterface>());
    return callers;
  }

  DenseMap<Operation *, SmallVector<func::CallOp>> callsOf;
};

} // namespace

static bool isExported(Operation *function) { return kExport.isOn(function); }

/// Lets kernels own the shared array that `alloc` gives to a device function,
/// of which `callers` are the function itself and all that reach it.
static void moveToKernels(AllocOp alloc, const SetVector<Operation *> &callers,
                          const Calls &calls) {
  Location loc = alloc.getLoc();
  DenseMap<Operation *, Value> arrays;
  for (Operation *caller : callers)
    if (auto function = dyn_cast<func::FuncOp>(caller)) {
      unsigned position = function.getNumArguments();
      (void)function.insertArgument(position, alloc.getType(), {}, loc);
      arrays[caller] = function.getArgument(position);
    } else {
      Block &entry = cast<gpu::GPUFuncOp>(caller).getBody().front();
      OpBuilder builder = OpBuilder::atBlockBegin(&entry);
      arrays[caller] = builder.clone(*alloc)->getResult(0);
    }
  for (Operation *callee : callers)
    for (func::CallOp call : calls.callsOf.lookup(callee))
      call.getOperandsMutable().append(
          arrays.at(call->getParentOfType<FunctionOpInterface>()));
  alloc.replaceAllUsesWith(
      arrays.at(alloc->getParentOfType<FunctionOpInterface>()));
  alloc.erase();
}

/// Moves shared arrays out of the device functions of `module`. Returns those
/// whose memory no kernel can own, since exported functions reach it.
static DenseSet<Operation *> moveSharedArrays(gpu::GPUModuleOp module) {
  SmallVector<AllocOp> allocs;
  module.walk([&](AllocOp alloc) {
    if (alloc.getType().getSpace() == Space::Shared &&
        alloc->getParentOfType<func::FuncOp>())
      allocs.push_back(alloc);
  });
  Calls calls(module);
  DenseSet<Operation *> owners;
  for (AllocOp alloc : allocs) {
    SetVector<Operation *> callers =
        calls.getCallers(alloc->getParentOfType<func::FuncOp>());
    if (llvm::any_of(callers, isExported))
      owners.insert(alloc->getParentOfType<func::FuncOp>());
    else
      moveToKernels(alloc, callers, calls);
  }
  return owners;
}

//===----------------------------------------------------------------------===//
// Early returns
//===----------------------------------------------------------------------===//

/// True if a return of `function` stands within a loop or condition.
static bool returnsEarly(func::FuncOp function) {
  WalkResult walked = function.walk([&](ReturnOp exit) {
    bool isEarly =
        exit.getExitedOp() == function && exit->getParentOp() != function;
    return isEarly ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walked.wasInterrupted();
}

/// Puts the body of `function` into a scope, which it returns the results of.
static void makeScope(func::FuncOp function) {
  Location loc = function.getLoc();
  Block &entry = function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  auto scope = ScopeOp::create(builder, loc, function.getResultTypes());
  Block *body = builder.createBlock(&scope.getBody());
  body->getOperations().splice(body->end(), entry.getOperations(),
                               std::next(scope->getIterator()), entry.end());
  builder.setInsertionPointToEnd(&entry);
  ReturnOp::create(builder, loc, scope.getResults());
}

//===----------------------------------------------------------------------===//
// Code of other languages
//===----------------------------------------------------------------------===//

/// Calls what a program gives the CPU in place of code for a GPU.
static LogicalResult bindForeignCalls(gpu::GPUModuleOp module) {
  SmallVector<ForeignCallOp> calls;
  module.walk([&](ForeignCallOp call) { calls.push_back(call); });
  for (ForeignCallOp call : calls) {
    OpBuilder builder(call);
    if (auto host = call.getHost()) {
      auto own =
          func::CallOp::create(builder, call.getLoc(), *host,
                               call.getResultTypes(), call.getOperands());
      call->replaceAllUsesWith(own);
      call.erase();
    } else if (call.getCode().getAddress() == 0) {
      InFlightDiagnostic error = emitUnsupportedError(call.getLoc());
      error << "'" << call.getCode().getName()
            << "' is code for a GPU, which the CPU has nothing for";
      error.attachNote()
          << "cuda.declare_device takes a Python function that the CPU runs in "
             "its place, cpu=..., or among link=[...] a shared library for the "
             "CPU";
      return error;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

/// What MLIR asks, with the answer for kernels that `gpu` does not give.
struct KernelInliner : InlinerInterface {
  using InlinerInterface::InlinerInterface;
  using InlinerInterface::isLegalToInline;
  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned,
                       IRMapping &mapping) const override {
    return isa<gpu::GPUFuncOp>(dest->getParentOp()) ||
           InlinerInterface::isLegalToInline(dest, src, wouldBeCloned, mapping);
  }
};

struct InlineCallsPass : pyk::impl::InlineCallsPassBase<InlineCallsPass> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (failed(bindForeignCalls(module)))
      return signalPassFailure();
    DenseSet<Operation *> owners = moveSharedArrays(module);
    DenseSet<Operation *> inlined;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() || !function->hasAttr("always_inline") ||
          owners.contains(function))
        continue;
      inlined.insert(function);
      if (returnsEarly(function))
        makeScope(function);
    }
    SymbolTableCollection tables;
    const auto &graph = getAnalysis<mlir::CallGraph>();
    for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc)
      for (CallGraphNode *node : *scc)
        if (!node->isExternal())
          inlineCalls(node->getCallableRegion(), inlined, tables);
    SymbolUserMap users(tables, module);
    for (Operation *function : inlined)
      if (users.useEmpty(function))
        function->erase();
  }

  /// Replaces the calls in `caller` of `inlined` functions.
  void inlineCalls(Region *caller, const DenseSet<Operation *> &inlined,
                   SymbolTableCollection &tables) {
    KernelInliner interface(&getContext());
    InlinerConfig config;
    SmallVector<func::CallOp> calls;
    caller->walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      Operation *callee = call.resolveCallableInTable(&tables);
      if (!callee || !inlined.contains(callee))
        continue;
      auto callable = cast<CallableOpInterface>(callee);
      if (succeeded(inlineCall(interface, config.getCloneCallback(), call,
                               callable, callable.getCallableRegion())))
        call.erase();
    }
  }
};

} // namespace
