// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels take for granted: only facts that can pay, because a launch
// that breaks one costs a compilation.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/Analysis/WideAccesses.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykEffects.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_ASSUMELAUNCHPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Whether threads may see by `op` what other threads of the launch have
/// written.
static bool ordersMemory(Operation *op) {
  if (isa<StoreOp, CopyRecordOp, CallOpInterface>(op))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances, [](const auto &instance) {
    return isa<MemoryEffects::Write>(instance.getEffect()) &&
           instance.getResource() == GlobalMemory::get();
  });
}

namespace {

/// What of a module counts for all of its kernels.
struct Program {
  explicit Program(ModuleOp module) : objects(module) {
    module.walk([&](Operation *op) {
      if (auto function = dyn_cast<FuncOp>(op)) {
        isKnown &= !function.isExternal();
        isExported |= kExport.isOn(function);
      }
      isKnown &=
          !isa<AddressOp, DeviceArrayOp, SpinHintOp, LaunchOp, ForeignCallOp>(
              op);
      launches |= isa<LaunchOp>(op);
      isOrdered |= ordersMemory(op);
    });
  }

  UnderlyingObjects objects;
  /// Whether arrays are reached by arguments alone, and nobody else changes
  /// them: a loop that waits may wait for another kernel, or for the host.
  bool isKnown = true;
  /// Whether threads may read what others have written.
  bool isOrdered = false;
  /// Whether code of other languages calls a function, from any grid.
  bool isExported = false;
  /// Whether kernels launch kernels, with any grid.
  bool launches = false;
};

} // namespace

/// Whether `use` is one where the range of an integer tells something.
static bool wantsRange(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto access = dyn_cast<AccessOpInterface>(op))
    return llvm::is_contained(access.getIndices(), use.get());
  if (auto flow = dyn_cast<StructuredFlowOpInterface>(op))
    return llvm::is_contained(flow.getConditions(), use.get());
  return isa<ArrayViewOpInterface, arith::CmpIOp>(op);
}

/// Whether ranges follow from that of `argument`, an integer.
static bool isWorthKnowing(BlockArgument argument, const Program &program) {
  llvm::SetVector<Value> reached;
  reached.insert(argument);
  for (size_t next = 0; next < reached.size(); ++next)
    for (OpOperand &use : reached[next].getUses()) {
      if (wantsRange(use))
        return true;
      if (auto call = dyn_cast<CallOp>(use.getOwner())) {
        FuncOp callee = program.objects.getCallee(call);
        if (!callee.isExternal())
          reached.insert(callee.getArgument(use.getOperandNumber()));
      } else if (use.getOwner()->getNumRegions() == 0) {
        for (Value result : use.getOwner()->getResults())
          if (result.getType().isSignlessInteger())
            reached.insert(result);
      }
    }
  return false;
}

/// Whether `op` adds to an element in one step, in no order with anything else,
/// and nobody asks what was there: what a target may collect and do later.
static bool isSum(Operation *op) {
  auto update = dyn_cast<AtomicOp>(op);
  return update && update.getKind() == AtomicKind::Add &&
         update.getOrder() == Order::Relaxed &&
         update.getScope() != Scope::System && update.use_empty();
}

/// Whether threads do nothing with the elements of `argument` but add to them:
/// no thread can tell what others have written.
static bool isSummed(BlockArgument argument, const Program &program) {
  llvm::SetVector<Value> arrays;
  arrays.insert(argument);
  bool isFound = false;
  for (size_t next = 0; next < arrays.size(); ++next)
    for (OpOperand &use : arrays[next].getUses()) {
      Operation *op = use.getOwner();
      if (auto call = dyn_cast<CallOp>(op)) {
        FuncOp callee = program.objects.getCallee(call);
        if (callee.isExternal())
          return false;
        arrays.insert(callee.getArgument(use.getOperandNumber()));
      } else if (isSum(op)) {
        isFound = true;
      } else if (isa<ArrayViewOpInterface>(op)) {
        arrays.insert(op->getResult(0));
      } else if (!isa<DimOp, StrideOp>(op)) {
        return false;
      }
    }
  return isFound;
}

namespace {

/// The kinds of facts that are wanted.
struct Wanted {
  explicit Wanted(StringRef assume) {
    SmallVector<StringRef> kinds;
    assume.split(kinds, ',');
    auto wants = [&](StringRef kind) {
      return llvm::is_contained(kinds, kind) ||
             llvm::is_contained(kinds, "launch");
    };
    scalars = wants("scalars");
    sizes = wants("sizes");
    disjoint = wants("disjoint");
    aligned = wants("aligned");
    strides = wants("strides");
    inside = wants("inside");
  }

  bool isAny() const {
    return scalars || sizes || disjoint || aligned || strides;
  }

  bool scalars, sizes, disjoint, aligned, strides, inside;
};

} // namespace

/// What may be assumed of `argument` of those kinds that are `wanted`.
static LaunchFact findFacts(BlockArgument argument, const Program &program,
                            const Wanted &wanted) {
  Type type = argument.getType();
  if (argument.use_empty())
    return LaunchFact::None;
  if (type.isSignlessInteger(32) || type.isSignlessInteger(64))
    return wanted.scalars && isWorthKnowing(argument, program)
               ? LaunchFact::Small
               : LaunchFact::None;
  auto array = dyn_cast<ArrayType>(type);
  if (!array || array.getRank() == 0)
    return LaunchFact::None;
  LaunchFact facts = LaunchFact::None;
  bool isWritten = program.objects.isStored(argument);
  if (wanted.sizes)
    facts = facts | LaunchFact::Small;
  bool isShared =
      isWritten && program.isOrdered && !isSummed(argument, program);
  if (wanted.disjoint && program.isKnown && !isShared)
    facts = facts | LaunchFact::Disjoint;
  if (wanted.disjoint && isWritten)
    facts = facts | LaunchFact::Written;
  if (wanted.aligned && hasWideAccesses(argument, program.objects))
    facts = facts | LaunchFact::Aligned;
  if (wanted.strides && array.getLayout() == Layout::Any)
    facts = facts | LaunchFact::Unit;
  return facts;
}

/// Whether launches by the host can keep to what is assumed of `function`.
static bool isLaunchedByHost(FuncOp function) {
  return function.getKernel() && !kChild.isOn(function);
}

/// Says on kernels of which shape their blocks are, by `text`.
static LogicalResult setBlockShape(ModuleOp module, StringRef text) {
  if (text == "any")
    return success();
  constexpr int64_t most = runtime::LaunchLimits::threadsPerBlock;
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  SmallVector<int32_t> extents;
  int64_t threads = 1;
  for (StringRef part : parts) {
    int32_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 1 || extent > most)
      break;
    extents.push_back(extent);
    threads *= extent;
  }
  if (parts.size() != 3 || extents.size() != 3 || threads > most)
    return module.emitError("expects a block as 16x16x1, of at most ")
           << most << " threads, but got '" << text << "'";
  for (auto kernel : module.getOps<FuncOp>())
    if (isLaunchedByHost(kernel))
      kBlockShape.set(kernel,
                      DenseI32ArrayAttr::get(module.getContext(), extents));
  return success();
}

namespace {

struct AssumeLaunchPass : pyk::impl::AssumeLaunchPassBase<AssumeLaunchPass> {
  using Base::Base;

  /// Says on functions that accesses are to stay in memory, and on kernels that
  /// launches may prove it.
  void guard(bool mayProve) {
    Builder builder(&getContext());
    for (auto function : getOperation().getOps<FuncOp>()) {
      kGuarded.set(function, builder.getUnitAttr());
      if (mayProve && isLaunchedByHost(function))
        kBounds.set(function, builder.getArrayAttr({}));
    }
  }

  void runOnOperation() override {
    if (failed(setBlockShape(getOperation(), block)))
      return signalPassFailure();
    Wanted wanted(assume);
    if (checkMemory)
      guard(wanted.inside);
    if (!wanted.isAny())
      return;
    Program program(getOperation());
    if (wanted.sizes && !program.isExported && !program.launches)
      for (auto function : getOperation().getOps<FuncOp>())
        kSmallGrid.set(function, UnitAttr::get(&getContext()));
    for (auto kernel : getOperation().getOps<FuncOp>()) {
      if (!isLaunchedByHost(kernel))
        continue;
      for (BlockArgument argument : kernel.getArguments())
        if (LaunchFact facts = findFacts(argument, program, wanted);
            facts != LaunchFact::None)
          kernel.setArgAttr(
              argument.getArgNumber(), PykDialect::kFactsAttrName,
              FactsAttr::get(&getContext(), facts | getFacts(argument)));
    }
  }
};

} // namespace
