// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that fails returns from function after function. Nothing else ends a
// thread on both targets: PTX could exit, but on the CPU a thread may be an
// iteration of a loop. Device functions are inlined as a rule, and their flags
// go with them.
//
// The record is written by whoever changes its code from 0 first; the host
// reads it when the launch has ended. What writes it is a function of its own,
// so that a check costs a comparison and a branch where nothing fails.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/runtime/ABI.h"

namespace pyk {
#define GEN_PASS_DEF_EXPANDCHECKSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Programs have no function of this name: two underscores get a prefix.
static constexpr StringLiteral kRecordFunction = "__pyk_fail";

static_assert(sizeof(pyk_rt_failure::values) / sizeof(int64_t) ==
              kMaxFailureValues);

namespace {

/// The work on one module.
class CheckExpansion {
public:
  explicit CheckExpansion(gpu::GPUModuleOp module)
      : module(module), rewriter(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext(), 1)) {}

  LogicalResult run();

private:
  LogicalResult findFailing();
  void passRecord();
  void addCallers(SetVector<Operation *> &functions);
  LogicalResult findRecord();
  void extend(func::FuncOp function);
  void expand(FunctionOpInterface function);
  void addRecordFunction();
  void recordFailure(CheckOp check, Value record, Block *exit);
  Block *addExit(FunctionOpInterface function);

  gpu::GPUModuleOp module;
  IRRewriter rewriter;
  LLVM::LLVMPointerType pointer;
  /// Who calls each function.
  DenseMap<StringAttr, SmallVector<Operation *>> callers;
  /// Where each kernel is launched from.
  DenseMap<StringAttr, SmallVector<LaunchOp>> launchers;
  /// Functions whose threads may end there, and those where that may be
  /// recorded, which have the record.
  SetVector<Operation *> failing, recording;
  /// What is recorded; its position is its code less 1.
  SetVector<Attribute> failures;
};

} // namespace

LogicalResult CheckExpansion::findFailing() {
  module.walk([&](Operation *op) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (auto check = dyn_cast<CheckOp>(op)) {
      failing.insert(function);
      if (check.getFailureAttr()) {
        failures.insert(check.getFailureAttr());
        recording.insert(function);
      }
    } else if (auto call = dyn_cast<func::CallOp>(op)) {
      callers[call.getCalleeAttr().getAttr()].push_back(function);
    } else if (auto launch = dyn_cast<LaunchOp>(op)) {
      launchers[launch.getKernelAttr().getAttr()].push_back(launch);
    }
  });
  addCallers(recording);
  failing.insert(recording.begin(), recording.end());
  addCallers(failing);
  for (Operation *function : failing)
    if (!isa<gpu::GPUFuncOp, func::FuncOp>(function))
      return function->emitOpError(
          "expects no checks in it, nor calls of functions with checks");
  return success();
}

/// Hands the record to kernels that are launched here.
void CheckExpansion::passRecord() {
  for (auto &[kernel, launches] : launchers)
    if (recording.contains(module.lookupSymbol(kernel)))
      for (LaunchOp launch : launches)
        launch.getRecordMutable().assign(
            launch->getParentOfType<FunctionOpInterface>()
                .getArguments()
                .back());
}

/// Adds all that calls one of `functions`; if they are those that have the
/// record, also what launches one.
void CheckExpansion::addCallers(SetVector<Operation *> &functions) {
  for (size_t next = 0; next < functions.size(); ++next) {
    StringAttr name = cast<SymbolOpInterface>(functions[next]).getNameAttr();
    for (Operation *caller : callers[name])
      functions.insert(caller);
    if (&functions == &recording)
      for (LaunchOp launch : launchers[name])
        functions.insert(launch->getParentOfType<FunctionOpInterface>());
  }
}

/// Checks that there is a record if there is something to put there.
LogicalResult CheckExpansion::findRecord() {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
    auto abi = kAbi.get(kernel);
    bool hasRecord =
        abi && !abi.getParameters().empty() &&
        abi.getParameters().back().getKind() == ParameterKind::Failure &&
        kernel.getNumArguments() != 0;
    if (recording.contains(kernel) && !hasRecord)
      return kernel.emitOpError(
          "requires a last parameter of kind failure for its checks");
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (kExport.isOn(function) && recording.contains(function))
      return function.emitOpError(
          "cannot record the failures of checks: it is not launched");
  return success();
}

/// Gives a device function the record and the flag that it has failed.
void CheckExpansion::extend(func::FuncOp function) {
  if (recording.contains(function))
    (void)function.insertArgument(function.getNumArguments(), pointer, {},
                                  function.getLoc());
  (void)function.insertResult(function.getNumResults(), rewriter.getI1Type(),
                              {});
  function.walk([&](func::ReturnOp exit) {
    rewriter.setInsertionPoint(exit);
    Value flag = arith::ConstantIntOp::create(rewriter, exit.getLoc(), 0, 1);
    exit.getOperandsMutable().append(flag);
  });
}

/// Adds the block by which a thread that has failed leaves `function`.
Block *CheckExpansion::addExit(FunctionOpInterface function) {
  Location loc = function.getLoc();
  Region &body = function.getFunctionBody();
  Block *exit = rewriter.createBlock(&body, body.end());
  if (isa<gpu::GPUFuncOp>(function)) {
    gpu::ReturnOp::create(rewriter, loc);
    return exit;
  }
  auto exported = kExport.get(function);
  bool hasStatus = exported && exported.getConvention() == Convention::Numba;
  SmallVector<Value> results;
  for (Type type :
       function.getResultTypes().drop_back(exported && !hasStatus ? 0 : 1))
    results.push_back(ub::PoisonOp::create(rewriter, loc, type));
  if (!exported || hasStatus)
    results.push_back(arith::ConstantIntOp::create(
        rewriter, loc, function.getResultTypes().back(), 1));
  func::ReturnOp::create(rewriter, loc, results);
  return exit;
}

/// Fills the block at the insertion point.
void CheckExpansion::recordFailure(CheckOp check, Value record, Block *exit) {
  ImplicitLocOpBuilder b(check.getLoc(), rewriter);
  auto *place = llvm::find(failures, check.getFailureAttr());
  int64_t code = place - failures.begin() + 1;
  SmallVector<Value> operands{
      record, LLVM::ConstantOp::create(b, b.getI32Type(), code)};
  llvm::append_range(operands, check.getValues());
  while (operands.size() < 2 + kMaxFailureValues)
    operands.push_back(LLVM::ConstantOp::create(b, b.getI64Type(), 0));
  LLVM::CallOp::create(b, TypeRange(), kRecordFunction, operands);
  cf::BranchOp::create(b, exit);
}

void CheckExpansion::expand(FunctionOpInterface function) {
  SmallVector<Operation *> ends;
  function.walk([&](Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    if (isa<CheckOp>(op) ||
        (call && failing.contains(module.lookupSymbol(call.getCallee()))))
      ends.push_back(op);
  });
  // It may only hand on the record.
  if (ends.empty())
    return;
  Value record;
  if (recording.contains(function))
    record = function.getArguments().back();
  Block *exit = addExit(function);
  for (Operation *op : ends) {
    Block *before = op->getBlock();
    Block *after = rewriter.splitBlock(before, std::next(op->getIterator()));
    if (auto check = dyn_cast<CheckOp>(op)) {
      Block *target = exit;
      if (check.getFailureAttr()) {
        target = rewriter.createBlock(exit);
        recordFailure(check, record, exit);
      }
      rewriter.setInsertionPointToEnd(before);
      cf::CondBranchOp::create(rewriter, op->getLoc(), check.getCondition(),
                               after, target);
      rewriter.eraseOp(op);
      continue;
    }
    auto call = cast<func::CallOp>(op);
    SmallVector<Value> operands(call.getOperands());
    if (recording.contains(module.lookupSymbol(call.getCallee())))
      operands.push_back(record);
    SmallVector<Type> types(call.getResultTypes());
    types.push_back(rewriter.getI1Type());
    rewriter.setInsertionPointToEnd(before);
    auto extended = func::CallOp::create(rewriter, call.getLoc(),
                                         call.getCallee(), types, operands);
    cf::CondBranchOp::create(rewriter, call.getLoc(),
                             extended.getResults().back(), exit, after);
    rewriter.replaceOp(call, extended.getResults().drop_back());
  }
}

/// Adds the function that writes the record, unless another thread has.
void CheckExpansion::addRecordFunction() {
  ImplicitLocOpBuilder b(module.getLoc(),
                         OpBuilder::atBlockEnd(module.getBody()));
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  auto function = LLVM::LLVMFuncOp::create(
      b, kRecordFunction,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {pointer, i32, i64, i64}),
      LLVM::Linkage::Internal);
  function.setNoInline(true);
  Block *entry = function.addEntryBlock(b);
  Block *write = b.createBlock(&function.getBody(), function.getBody().end());
  Block *end = b.createBlock(&function.getBody(), function.getBody().end());
  Value record = entry->getArgument(0);
  auto store = [&](Value value, size_t offset) {
    Value address =
        LLVM::GEPOp::create(b, pointer, b.getI8Type(), record,
                            ArrayRef<LLVM::GEPArg>(int32_t(offset)));
    LLVM::StoreOp::create(b, value, address);
  };

  b.setInsertionPointToEnd(entry);
  Value zero = LLVM::ConstantOp::create(b, i32, 0);
  Value old = LLVM::AtomicCmpXchgOp::create(
      b, record, zero, entry->getArgument(1), LLVM::AtomicOrdering::monotonic,
      LLVM::AtomicOrdering::monotonic);
  Value isFirst = LLVM::ExtractValueOp::create(b, old, 1);
  LLVM::CondBrOp::create(b, isFirst, write, end);

  b.setInsertionPointToEnd(write);
  Value block[] = {NVVM::BlockIdXOp::create(b, i32),
                   NVVM::BlockIdYOp::create(b, i32),
                   NVVM::BlockIdZOp::create(b, i32)};
  Value thread[] = {NVVM::ThreadIdXOp::create(b, i32),
                    NVVM::ThreadIdYOp::create(b, i32),
                    NVVM::ThreadIdZOp::create(b, i32)};
  for (size_t i = 0; i < 3; ++i) {
    store(block[i], offsetof(pyk_rt_failure, block_id) + 4 * i);
    store(thread[i], offsetof(pyk_rt_failure, thread_id) + 4 * i);
  }
  for (size_t i = 0; i < kMaxFailureValues; ++i)
    store(entry->getArgument(2 + i), offsetof(pyk_rt_failure, values) + 8 * i);
  LLVM::BrOp::create(b, end);

  b.setInsertionPointToEnd(end);
  LLVM::ReturnOp::create(b, ValueRange());
}

LogicalResult CheckExpansion::run() {
  if (failed(findFailing()))
    return failure();
  if (failing.empty())
    return success();
  if (failed(findRecord()))
    return failure();
  for (Operation *function : failing)
    if (auto device = dyn_cast<func::FuncOp>(function);
        device && !kExport.isOn(device))
      extend(device);
  passRecord();
  for (Operation *function : failing)
    expand(cast<FunctionOpInterface>(function));
  if (failures.empty())
    return success();
  addRecordFunction();
  kFailures.set(module, rewriter.getArrayAttr(failures.getArrayRef()));
  return success();
}

namespace {

struct ExpandChecksPass : pyk::impl::ExpandChecksPassBase<ExpandChecksPass> {
  void runOnOperation() override {
    if (failed(CheckExpansion(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace
