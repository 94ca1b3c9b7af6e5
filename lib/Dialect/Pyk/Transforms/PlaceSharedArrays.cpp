// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch adds up what a kernel's arrays take before the kernel runs, so the
// kernel has all of them, also those of functions that it calls: only there
// arguments are those of the launch. Places are found in the first block, which
// each use of an array comes after.

#include "SharedSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Pyk/IR/PykCalls.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Support/Diagnostics.h"

namespace pyk {
#define GEN_PASS_DEF_PLACESHAREDARRAYSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Whether launches give the array that `op` makes a place that is not known.
static bool needsPlace(Operation *op) {
  if (auto shared = dyn_cast<DynamicSharedOp>(op))
    return !shared.getOffset();
  return isa<LaunchSharedOp>(op);
}

static InFlightDiagnostic refuse(Operation *op) {
  return emitLoweringError(op->getLoc());
}

/// The line of the program at `loc`; 0 if it has none.
static unsigned getLine(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  return place ? place.getLine() : 0;
}

/// The terms of `extent`, one of the array that `op` makes. Emits an error if
/// no launch knows it.
static LogicalResult readExtent(Operation *op, Value extent, SizeTerms &terms) {
  Value unknown;
  if (succeeded(readSize(extent, terms, unknown)))
    return success();
  if (!unknown)
    return refuse(op) << "expects a size of up to " << kMaxSizeTerms
                      << " operations for a shared array";
  InFlightDiagnostic error = refuse(op);
  error << "expects a size of the shared array that is known at the launch";
  if (unknown.getLoc() != op->getLoc())
    error.attachNote(unknown.getLoc()) << "this is known later";
  error.attachNote() << "known are constants, integer arguments, shapes of "
                        "array arguments and cuda.blockDim, with +, -, *, //, "
                        "%, min and max";
  return error;
}

namespace {

struct SharedArrayPlacer {
  explicit SharedArrayPlacer(ModuleOp module) : module(module), calls(module) {}

  LogicalResult run();

private:
  /// The number of what the program wrote, of which `op` is the last copy that
  /// is asked for: another one may get its address.
  unsigned takeOrigin(Operation *op) {
    auto known = origins.find(op);
    if (known == origins.end())
      return numOrigins++;
    unsigned origin = known->second;
    origins.erase(known);
    return origin;
  }
  LogicalResult moveToCallers(Operation *op);
  LogicalResult place(FuncOp kernel);

  ModuleOp module;
  CallGraph calls;
  /// Those of device functions, from callees to callers.
  SmallVector<Operation *> pending;
  /// What the program wrote, by number, of which ops are copies.
  DenseMap<Operation *, unsigned> origins;
  unsigned numOrigins = 0;
};

/// The places of the arrays of one kernel.
struct KernelLayout {
  KernelLayout(FuncOp kernel)
      : kernel(kernel),
        builder(kernel.getLoc(), OpBuilder::atBlockBegin(&kernel.front())) {
    end = makeNumber(0);
  }

  LogicalResult add(LaunchSharedOp op, unsigned origin);
  /// Gives the arrays of unknown size what is left.
  void addRest(ArrayRef<DynamicSharedOp> rest);

  FuncOp kernel;
  ImplicitLocOpBuilder builder;
  SmallVector<Attribute> terms;

private:
  Value makeNumber(int64_t value) {
    return arith::ConstantIntOp::create(builder, builder.getI64Type(), value);
  }
  void addTerm(SizeTermKind kind, int64_t value = 0, unsigned line = 0) {
    terms.push_back(
        SizeTermAttr::get(builder.getContext(), kind, 0, 0, value, line));
  }
  /// The next place for an array.
  Value align(int64_t alignment) {
    Value next =
        builder.createOrFold<arith::AddIOp>(end, makeNumber(alignment - 1));
    return builder.createOrFold<arith::AndIOp>(next, makeNumber(-alignment));
  }

  /// Where the arrays so far end, in bytes.
  Value end;
  /// What the calls that agree on a size share.
  struct Placed {
    unsigned origin;
    SmallVector<Attribute> terms;
    DynamicSharedOp array;
  };
  SmallVector<Placed> placed;
};

} // namespace

//===----------------------------------------------------------------------===//
// Device functions
//===----------------------------------------------------------------------===//

/// Makes the array of `op` an argument of its function, which each caller
/// gives.
LogicalResult SharedArrayPlacer::moveToCallers(Operation *op) {
  auto function = op->getParentOfType<FuncOp>();
  if (kExport.isOn(function))
    return refuse(op)
           << "code of other languages launches no kernel that could "
              "give '"
           << getWrittenName(function.getSymName())
           << "' this shared array: state its size as a constant";
  if (calls.isRecursive(function))
    return refuse(op) << "'" << getWrittenName(function.getSymName())
                      << "' calls itself, so that this shared array needs a "
                         "constant size";
  SmallVector<SizeTerms> sizes;
  if (auto shared = dyn_cast<LaunchSharedOp>(op))
    for (Value extent : shared.getExtents())
      if (failed(readExtent(op, extent, sizes.emplace_back())))
        return failure();
  unsigned origin = takeOrigin(op);
  unsigned position = function.getNumArguments();
  Value array = op->getResult(0);
  if (failed(function.insertArgument(position, array.getType(),
                                     DictionaryAttr(), op->getLoc())))
    return failure();
  array.replaceAllUsesWith(function.getArgument(position));
  SmallVector<CallOp> callers;
  for (CallOp call : getCalls(module))
    if (call.getCallee() == function.getSymName())
      callers.push_back(call);
  for (CallOp call : callers) {
    ImplicitLocOpBuilder builder(op->getLoc(), call);
    SmallVector<Value> extents;
    for (const SizeTerms &size : sizes)
      extents.push_back(makeSize(size, call.getOperands(), builder));
    Operation *own = builder.clone(*op);
    if (auto shared = dyn_cast<LaunchSharedOp>(own))
      shared.getExtentsMutable().assign(extents);
    call.getOperandsMutable().append(own->getResult(0));
    origins[own] = origin;
    if (!call->getParentOfType<FuncOp>().getKernel())
      pending.push_back(own);
  }
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult KernelLayout::add(LaunchSharedOp op, unsigned origin) {
  ArrayType type = op.getType();
  SmallVector<Value> extents;
  SmallVector<Attribute> own;
  std::swap(own, terms);
  builder.setLoc(op.getLoc());
  addTerm(SizeTermKind::Constant, type.getElementBytes());
  Value size = makeNumber(type.getElementBytes());
  auto dynamic = op.getExtents().begin();
  for (int64_t extent : type.getShape()) {
    Value length;
    if (ShapedType::isDynamic(extent)) {
      SizeTerms its;
      if (failed(readExtent(op, *dynamic++, its)))
        return failure();
      llvm::append_range(terms, its);
      addTerm(SizeTermKind::Length);
      length = makeSize(its, kernel.getArguments(), builder);
      extents.push_back(length);
    } else {
      addTerm(SizeTermKind::Constant, extent);
      length = makeNumber(extent);
    }
    addTerm(SizeTermKind::Mul);
    size = builder.createOrFold<arith::MulIOp>(size, length);
  }
  addTerm(SizeTermKind::Place, op.getAlignment(), getLine(op.getLoc()));
  std::swap(own, terms);
  auto *same = llvm::find_if(placed, [&](const Placed &other) {
    return other.origin == origin && other.terms == own;
  });
  if (same == placed.end()) {
    Value offset = align(op.getAlignment());
    end = builder.createOrFold<arith::AddIOp>(offset, size);
    auto array = DynamicSharedOp::create(builder, type, offset, extents,
                                         op.getAlignment());
    placed.push_back({origin, own, array});
    same = &placed.back();
    llvm::append_range(terms, own);
  }
  op.replaceAllUsesWith(same->array.getResult());
  if (builder.getInsertionPoint() == op->getIterator())
    builder.setInsertionPointAfter(op);
  op.erase();
  return success();
}

void KernelLayout::addRest(ArrayRef<DynamicSharedOp> rest) {
  int64_t alignment = kOwnedAlignment;
  for (DynamicSharedOp op : rest)
    alignment = std::max<int64_t>(alignment, op.getAlignment());
  addTerm(SizeTermKind::Constant);
  addTerm(SizeTermKind::Place, alignment);
  Value offset = align(alignment);
  for (DynamicSharedOp op : rest)
    op.getOffsetMutable().assign(offset);
  kSharedSizes.set(kernel, builder.getArrayAttr(terms));
}

LogicalResult SharedArrayPlacer::place(FuncOp kernel) {
  SmallVector<LaunchSharedOp> sized;
  SmallVector<DynamicSharedOp> rest;
  kernel.walk([&](Operation *op) {
    if (auto shared = dyn_cast<LaunchSharedOp>(op))
      sized.push_back(shared);
    else if (auto shared = dyn_cast<DynamicSharedOp>(op); needsPlace(op))
      rest.push_back(shared);
  });
  if (sized.empty())
    return success();
  if (kChild.isOn(kernel)) {
    InFlightDiagnostic error = emitUnsupportedError(sized.front().getLoc());
    error
        << "a shared array of a size that only a launch by the host knows, in "
           "a kernel that a kernel launches";
    error.attachNote() << "cuda.shared.array(0, dtype) has the bytes that the "
                          "launch gives: kernel[grid, block, stream, bytes]";
    return error;
  }
  KernelLayout layout(kernel);
  for (LaunchSharedOp op : sized) {
    unsigned origin = takeOrigin(op);
    if (failed(layout.add(op, origin)))
      return failure();
  }
  layout.addRest(rest);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult SharedArrayPlacer::run() {
  bool hasAny = false;
  for (auto function : module.getOps<FuncOp>())
    function.walk([&](Operation *op) {
      hasAny |= isa<LaunchSharedOp>(op);
      if (needsPlace(op) && !function.getKernel())
        pending.push_back(op);
    });
  if (!hasAny)
    return success();
  while (!pending.empty())
    if (failed(moveToCallers(pending.pop_back_val())))
      return failure();
  for (auto function : module.getOps<FuncOp>())
    if (function.getKernel() && failed(place(function)))
      return failure();
  return success();
}

namespace {

struct PlaceSharedArraysPass
    : pyk::impl::PlaceSharedArraysPassBase<PlaceSharedArraysPass> {
  void runOnOperation() override {
    if (failed(SharedArrayPlacer(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace
