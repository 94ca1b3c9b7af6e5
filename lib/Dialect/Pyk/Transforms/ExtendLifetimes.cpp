// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No memory holds an array, so those that a function may return are found by
// following its values backwards to allocations and parameters; what calls
// return of their arguments is a fixed point over the functions. Then an
// allocation that leaves its function becomes a parameter, which makes new
// allocations in the callers, until none leaves. Allocations in loops get slots
// before they are moved, so that the slots move together.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykCalls.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Support/Diagnostics.h"

namespace pyk {
#define GEN_PASS_DEF_EXTENDLIFETIMESPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// True for what may be memory of a thread.
static bool mayBeLocal(Value value) {
  auto array = dyn_cast<ArrayType>(value.getType());
  return array && (array.getSpace() == Space::Local ||
                   array.getSpace() == Space::Generic);
}

//===----------------------------------------------------------------------===//
// What arrays may be
//===----------------------------------------------------------------------===//

namespace {

/// Which allocations and parameters of its own function a value may be.
class LocalObjects {
public:
  explicit LocalObjects(ModuleOp module) : symbols(module) {}

  /// Finds anew what calls of all functions may return.
  void update();

  /// The allocations, parameters and undefined arrays that `array` may be, seen
  /// from its own function.
  llvm::SetVector<Value> getRoots(Value array) const;

  /// What `function` may return that may be local memory.
  static SmallVector<Value> getReturned(FuncOp function);

private:
  SymbolTable symbols;
  /// For each function and result the parameters that it may be.
  DenseMap<Operation *, SmallVector<llvm::SetVector<unsigned>>> returned;
};

} // namespace

llvm::SetVector<Value> LocalObjects::getRoots(Value array) const {
  llvm::SetVector<Value> roots, seen;
  seen.insert(array);
  for (unsigned i = 0; i < seen.size(); ++i) {
    Value value = seen[i];
    if (IncomingValues incoming = getIncomingValues(value);
        !incoming.values.empty()) {
      seen.insert_range(incoming.values);
    } else if (Value viewed = getViewedArray(value)) {
      seen.insert(viewed);
    } else if (auto call = value.getDefiningOp<CallOp>()) {
      auto known = returned.find(symbols.lookup(call.getCallee()));
      if (known != returned.end())
        for (unsigned parameter :
             known->second[cast<OpResult>(value).getResultNumber()])
          seen.insert(call.getOperands()[parameter]);
    } else {
      roots.insert(value);
    }
  }
  return roots;
}

void LocalObjects::update() {
  returned.clear();
  SmallVector<FuncOp> functions;
  auto module = cast<ModuleOp>(symbols.getOp());
  for (FuncOp function : module.getOps<FuncOp>())
    if (!getReturned(function).empty()) {
      functions.push_back(function);
      returned[function].resize(function.getResultTypes().size());
    }
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (FuncOp function : functions)
      function.walk([&](ReturnOp exit) {
        for (OpOperand &operand : exit->getOpOperands()) {
          if (!mayBeLocal(operand.get()))
            continue;
          for (Value root : getRoots(operand.get()))
            if (auto parameter = dyn_cast<BlockArgument>(root))
              isChanged |=
                  returned[function][operand.getOperandNumber()].insert(
                      parameter.getArgNumber());
        }
      });
  }
}

SmallVector<Value> LocalObjects::getReturned(FuncOp function) {
  SmallVector<Value> values;
  function.walk([&](ReturnOp exit) {
    llvm::copy_if(exit.getOperands(), std::back_inserter(values), mayBeLocal);
  });
  return values;
}

//===----------------------------------------------------------------------===//
// From iteration to iteration
//===----------------------------------------------------------------------===//

/// True if `user` may run after `alloc` in a life of `value`, which is visible
/// to both.
static bool mayFollow(Operation *user, Operation *alloc, Value value) {
  for (Block *block = value.getParentBlock();;) {
    Operation *first = block->findAncestorOpInBlock(*alloc);
    Operation *second = block->findAncestorOpInBlock(*user);
    if (first != second)
      return first->isBeforeInBlock(second);
    // Another iteration of it comes after this one.
    if (isLoop(first))
      return true;
    auto *region = llvm::find_if(first->getRegions(), [&](Region &region) {
      return region.isAncestor(alloc->getParentRegion());
    });
    // Only one arm runs.
    if (!region->isAncestor(user->getParentRegion()))
      return false;
    block = &region->front();
  }
}

/// The values that may be an array that `alloc` gave before, and are used after
/// it has given another.
static llvm::SetVector<Value> getHolders(AllocOp alloc,
                                         const LocalObjects &objects) {
  llvm::SetVector<Value> holders;
  Operation *outermost = nullptr;
  for (Operation *parent = alloc->getParentOp(); !isa<FuncOp>(parent);
       parent = parent->getParentOp())
    if (isLoop(parent))
      outermost = parent;
  if (!outermost)
    return holders;
  auto add = [&](Value value) {
    if (!mayBeLocal(value) || llvm::none_of(value.getUsers(), [&](auto *user) {
          return mayFollow(user, alloc, value);
        }))
      return;
    // A view lies where the whole does.
    value = getWholeArray(value);
    if (objects.getRoots(value).contains(alloc))
      holders.insert(value);
  };
  for (Operation *op = alloc; op != outermost; op = op->getParentOp()) {
    Block *block = op->getBlock();
    llvm::for_each(block->getArguments(), add);
    for (Operation &earlier :
         llvm::make_range(block->begin(), op->getIterator()))
      llvm::for_each(earlier.getResults(), add);
  }
  return holders;
}

/// Replaces `undefined`, whose address would be as undefined.
static void replaceByAlloc(ub::PoisonOp undefined) {
  auto type = cast<ArrayType>(undefined.getType());
  auto shape = llvm::map_to_vector(type.getShape(), [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? 1 : extent;
  });
  ImplicitLocOpBuilder b(undefined.getLoc(), undefined);
  Layout layout = type.getLayout();
  if (layout == Layout::F)
    std::reverse(shape.begin(), shape.end());
  Value array = AllocOp::create(b, ArrayType::get(b.getContext(), shape,
                                                  type.getElementType(),
                                                  Layout::C, Space::Local));
  if (layout == Layout::F) {
    auto order = llvm::to_vector(
        llvm::reverse(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()))));
    array = TransposeOp::create(b, array, order, layout);
  }
  if (array.getType() != type)
    array = CastOp::create(b, type, array);
  undefined.replaceAllUsesWith(array);
  undefined.erase();
}

/// Gives `alloc` slots, so that it never gives memory that one of `holders` is
/// in; returns the allocation of all of them.
static AllocOp addSlots(AllocOp alloc, ArrayRef<Value> holders,
                        const LocalObjects &objects) {
  for (Value holder : holders)
    for (Value root : objects.getRoots(holder))
      if (auto undefined = root.getDefiningOp<ub::PoisonOp>())
        replaceByAlloc(undefined);
  ArrayType type = alloc.getResult().getType();
  SmallVector<int64_t> shape(type.getShape());
  int64_t count = static_cast<int64_t>(holders.size()) + 1;
  int64_t size = type.getNumElements() * type.getElementBytes();
  // Only each `step`th has the alignment that each slot must have.
  int64_t alignment = alloc.getAlignment();
  int64_t step = alignment / std::gcd(alignment, size);
  shape.insert(shape.begin(), count * step);
  auto function = alloc->getParentOfType<FuncOp>();
  ImplicitLocOpBuilder b(alloc.getLoc(), alloc.getContext());
  b.setInsertionPointToStart(&function.getBody().front());
  auto slots = AllocOp::create(b,
                               ArrayType::get(b.getContext(), shape,
                                              type.getElementType(), Layout::C,
                                              Space::Local),
                               alignment);

  b.setInsertionPoint(alloc);
  auto makeNumber = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(b, number, /*width=*/64);
  };
  Value start = AddressOp::create(b, slots);
  Value bytes = makeNumber(size * step);
  // Which slot each value lies in; another number if in none.
  auto taken = llvm::map_to_vector(holders, [&](Value holder) -> Value {
    Value distance =
        arith::SubIOp::create(b, AddressOp::create(b, holder), start);
    return arith::DivUIOp::create(b, distance, bytes);
  });
  Value free = makeNumber((count - 1) * step);
  for (int64_t slot = count - 1; slot-- != 0;) {
    Value number = makeNumber(slot), isTaken;
    for (Value other : taken) {
      Value isHere =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, other, number);
      isTaken = isTaken ? arith::OrIOp::create(b, isTaken, isHere) : isHere;
    }
    free = arith::SelectOp::create(b, isTaken, free, makeNumber(slot * step));
  }
  SmallVector<Axis> axes(shape.size(), Axis::Whole);
  axes.front() = Axis::Index;
  alloc.replaceAllUsesWith(
      ViewOp::create(b, slots, free, axes, Layout::C).getResult());
  alloc.erase();
  return slots;
}

//===----------------------------------------------------------------------===//
// Out of functions
//===----------------------------------------------------------------------===//

namespace {

class LifetimeExtender {
public:
  explicit LifetimeExtender(ModuleOp module)
      : module(module), calls(module), objects(module) {}

  LogicalResult run();

private:
  void addSlotsInLoops();
  LogicalResult lift(AllocOp alloc);

  ModuleOp module;
  CallGraph calls;
  LocalObjects objects;
  /// Those whose place is not known to be right.
  SmallVector<AllocOp> pending;
  /// Calls in circles, by the allocation that gives them memory.
  DenseMap<Operation *, CallOp> circles;
};

} // namespace

LogicalResult LifetimeExtender::run() {
  for (auto function : module.getOps<FuncOp>())
    function.walk([&](AllocOp alloc) {
      if (mayBeLocal(alloc))
        pending.push_back(alloc);
    });
  while (!pending.empty()) {
    objects.update();
    addSlotsInLoops();
    // What a function returns does not depend on the lifts of others.
    SmallVector<AllocOp> returned;
    DenseMap<Operation *, llvm::SetVector<Value>> roots;
    for (AllocOp alloc : pending) {
      auto function = alloc->getParentOfType<FuncOp>();
      auto [known, isNew] = roots.try_emplace(function);
      if (isNew)
        for (Value value : LocalObjects::getReturned(function))
          known->second.insert_range(objects.getRoots(value));
      if (known->second.contains(alloc))
        returned.push_back(alloc);
    }
    pending.clear();
    for (AllocOp alloc : returned)
      if (failed(lift(alloc)))
        return failure();
  }
  return success();
}

void LifetimeExtender::addSlotsInLoops() {
  for (AllocOp &alloc : pending) {
    ArrayType type = alloc.getResult().getType();
    if (type.getNumElements() == 0)
      continue;
    llvm::SetVector<Value> holders = getHolders(alloc, objects);
    if (holders.empty())
      continue;
    CallOp circle = circles.lookup(alloc);
    alloc = addSlots(alloc, holders.getArrayRef(), objects);
    if (circle)
      circles[alloc] = circle;
  }
}

/// Makes `alloc` a parameter of its function, for which each caller allocates.
LogicalResult LifetimeExtender::lift(AllocOp alloc) {
  auto function = alloc->getParentOfType<FuncOp>();
  if (CallOp circle = circles.lookup(alloc)) {
    InFlightDiagnostic error = emitLoweringError(alloc.getLoc());
    error << "'" << getWrittenName(function.getSymName())
          << "' may return local memory that calls in a circle allocate here, "
             "and no call lasts long enough to own it";
    error.attachNote(circle.getLoc()) << "what this call returns is returned";
    error.attachNote()
        << "let the first caller pass an array for the others to fill";
    return error;
  }
  unsigned position = function.getNumArguments();
  if (failed(function.insertArgument(position, alloc.getType(),
                                     DictionaryAttr(), alloc.getLoc())))
    return failure();
  alloc.replaceAllUsesWith(Value(function.getArgument(position)));
  SmallVector<CallOp> callers;
  for (CallOp call : getCalls(module))
    if (call.getCallee() == function.getSymName())
      callers.push_back(call);
  for (CallOp call : callers) {
    OpBuilder builder(call);
    bool isCircle = calls.leadsTo(function, call->getParentOfType<FuncOp>());
    auto own =
        AllocOp::create(builder, isCircle ? alloc.getLoc() : call.getLoc(),
                        alloc.getType(), alloc.getAlignment());
    call.getOperandsMutable().append(own.getResult());
    pending.push_back(own);
    if (isCircle)
      circles[own] = call;
  }
  alloc.erase();
  return success();
}

namespace {

struct ExtendLifetimesPass
    : pyk::impl::ExtendLifetimesPassBase<ExtendLifetimesPass> {
  // Contexts that have nothing but the dialects need it, too.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerStructuredFlowModels(registry);
  }

  void runOnOperation() override {
    if (failed(LifetimeExtender(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace
