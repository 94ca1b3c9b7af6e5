// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A check is a condition around the access: masks of vectors, branches of
// threads and all analyses know those. What it asks is where the element lies
// in memory and not what its indices are, since programs index beyond a row on
// purpose, and wrong ones harm nobody as long as they stay in the array.

#include "ExactOffsets.h"
#include "GuardedMemory.h"
#include "OutsideReport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/AccessPatterns.h"
#include "pyk/Dialect/Pyk/Analysis/BoundTerms.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Support/Remarks.h"

namespace pyk {
#define GEN_PASS_DEF_GUARDACCESSESPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;
using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {

/// Guards the accesses of one module.
class AccessGuard {
public:
  explicit AccessGuard(gpu::GPUModuleOp module)
      : module(module), memory(module) {}

  void run();

private:
  bool isProven(Operation *op, Value array);
  bool claim(Operation *op, ElementOp element, Value root);
  void guard(Operation *op, ArrayRef<OpOperand *> arrays);
  Value makeCondition(Operation *op, OpOperand &array, Value &root,
                      SmallVectorImpl<Value> &indices);
  Value compare(ElementOp element, Value root, ImplicitLocOpBuilder &b);
  Value compareAddress(Value array, ImplicitLocOpBuilder &b);

  gpu::GPUModuleOp module;
  GuardedMemory memory;
  /// What launches prove of each kernel for which they may.
  llvm::MapVector<Operation *, std::unique_ptr<BoundTerms>> bounds;
};

} // namespace

/// Whether `offset` is one of `count`, by its range alone.
static bool isWithin(Value offset, Offsets offsets) {
  APInt first, count;
  if (!matchPattern(offsets.first, m_ConstantInt(&first)) ||
      !matchPattern(offsets.count, m_ConstantInt(&count)))
    return false;
  ConstantIntRanges range = getKnownRange(offset);
  return range.smin().sge(first) && range.smax().slt(first + count);
}

/// Whether `element` of `root` is inside; null if it always is.
Value AccessGuard::compare(ElementOp element, Value root,
                           ImplicitLocOpBuilder &b) {
  Offsets offsets;
  if (element.getArray() == root) {
    offsets = memory.getOffsets(root, root, b);
  } else {
    // Where the view is made, not in each iteration of a loop.
    ImplicitLocOpBuilder atView(element.getLoc(), b.getContext());
    atView.setInsertionPointAfterValue(element.getArray());
    offsets = memory.getOffsets(element.getArray(), root, atView);
  }
  if (!offsets || isWithin(element.getOffset(), offsets))
    return {};
  Value offset = widenOffset(element.getOffset(), b);
  if (offset != element.getOffset())
    element.getOffsetMutable().assign(offset);
  Value place = b.createOrFold<arith::SubIOp>(offset, offsets.first);
  return arith::CmpIOp::create(b, CmpIPredicate::ult, place, offsets.count);
}

/// The same of any array with one element, by its address.
Value AccessGuard::compareAddress(Value array, ImplicitLocOpBuilder &b) {
  Value condition, address, bytes;
  for (Value root : getRoots(array)) {
    std::optional<AddressRange> range = memory.getAddresses(root);
    if (!range)
      return {};
    if (!address) {
      address = memory.getAddress(array, b);
      bytes = arith::ConstantIntOp::create(
          b, b.getI64Type(),
          cast<ArrayType>(array.getType()).getElementBytes());
    }
    // No sum of addresses, which might wrap.
    Value size = arith::SubIOp::create(b, range->end, range->begin);
    Value place = arith::SubIOp::create(b, address, range->begin);
    Value room = arith::SubIOp::create(b, size, bytes);
    Value fits = arith::CmpIOp::create(b, CmpIPredicate::ule, bytes, size);
    Value isLow = arith::CmpIOp::create(b, CmpIPredicate::ule, place, room);
    Value inside = arith::AndIOp::create(b, fits, isLow);
    condition = condition
                    ? arith::OrIOp::create(b, condition, inside).getResult()
                    : inside;
  }
  return condition;
}

/// Whether what `op` accesses of `array` is inside; null if it always is. Sets
/// `root` and `indices` for messages.
Value AccessGuard::makeCondition(Operation *op, OpOperand &array, Value &root,
                                 SmallVectorImpl<Value> &indices) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  llvm::SetVector<Value> roots = getRoots(array.get());
  // Of several, nobody knows which it is.
  root = roots.size() == 1 ? roots.front() : Value();
  ElementOp element = findElement(array.get());
  if (!element) {
    bool isWhole = roots.size() == 1 && array.get() == root;
    return isWhole ? Value() : compareAddress(array.get(), b);
  }
  indices = SmallVector<Value>(element.getIndices());
  if (indices.empty())
    indices.push_back(element.getOffset());
  Value exact = element.getExact();
  if (roots.size() != 1) {
    Value step = arith::ConstantIntOp::create(
        b, b.getI64Type(), getStep(element.getArray().getType()));
    exact =
        makeAnd(exact, makeFits(OffsetTerm{element.getOffset(), step}, b), b);
    Value inside = compareAddress(array.get(), b);
    return inside ? makeAnd(inside, exact, b) : Value();
  }
  b.setInsertionPoint(element);
  return makeAnd(compare(element, root, b), exact, b);
}

//===----------------------------------------------------------------------===//
// What launches prove
//===----------------------------------------------------------------------===//

/// Lets launches prove that `element` of `root`, which `op` accesses, is
/// inside; false if they never could.
bool AccessGuard::claim(Operation *op, ElementOp element, Value root) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  auto known = bounds.find(kernel);
  if (known == bounds.end() || element.getArray() != root)
    return false;
  BoundTerms &terms = *known->second;
  Value offset = element.getOffset();
  auto type = cast<ArrayType>(root.getType());
  if (isa_and_present<AllocOp, ConstantArrayOp>(root.getDefiningOp())) {
    ConstantIntRanges range = getKnownRange(offset);
    bool isKnown =
        range.smin().isNonNegative() && range.smax().slt(type.getNumElements());
    return isKnown || terms.claimWithin(offset, op, type.getNumElements());
  }
  auto argument = getArrayArgument(root);
  if (!argument)
    return false;
  // The memory may be larger than the array.
  if (isNarrowOffset(offset) && !terms.claimWithin(offset, op, kSmallLimit))
    return false;
  return terms.claimInside(offset, op, argument->number, getStep(type));
}

/// Whether `op` needs no check of its element of `array`. What launches prove
/// is for the accesses that they do, not for those where arrays overlap, whose
/// indices would take most of what may be claimed.
bool AccessGuard::isProven(Operation *op, Value array) {
  if (isForOverlap(op))
    return false;
  llvm::SetVector<Value> roots = getRoots(array);
  ElementOp element = findElement(array);
  // Launches compute with what is left of constants that wrapped around.
  bool isFar = element && element.getExact() &&
               matchPattern(element.getExact(), m_Zero());
  return roots.size() == 1 && element && !isFar &&
         claim(op, element, roots.front());
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// Whether `value` was computed from elements of arrays.
static bool dependsOnData(Value value) {
  llvm::SetVector<Value> needed;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(needed[i])) {
      Operation *around = argument.getOwner()->getParentOp();
      if (!isa<FunctionOpInterface>(around))
        needed.insert(around->operand_begin(), around->operand_end());
      continue;
    }
    Operation *op = needed[i].getDefiningOp();
    if (isa<AccessOpInterface>(op))
      return true;
    needed.insert(op->operand_begin(), op->operand_end());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          needed.insert(block.back().operand_begin(),
                        block.back().operand_end());
  }
  return false;
}

/// Says of `op`, which is checked in the kernel, why: `array` may be outside.
static void remarkCheck(Operation *op, Value array, bool areLaunchesAsked) {
  if (!isExplained(op->getContext()) || isForOverlap(op))
    return;
  auto function = op->getParentOfType<FunctionOpInterface>();
  llvm::SetVector<Value> roots = getRoots(array);
  StringRef name = roots.size() == 1 ? getArrayName(roots.front()) : "";
  ElementOp element = findElement(array);
  StringRef reason = "launches cannot bound the index";
  if (!areLaunchesAsked)
    reason = "no launch has proven the index";
  else if (roots.size() != 1)
    reason = "it is one of several arrays";
  else if (element && dependsOnData(element.getOffset()))
    reason = "data say which element it is";
  remark::missed(op->getLoc(),
                 remarkOn(function.getName(), "check", kCpuRemarks))
      << remark::add("each thread checks that what it {0} of {1} is in its "
                     "memory",
                     getAccessVerb(op), name.empty() ? "an array" : name)
      << remark::reason("{0}", reason);
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

static Value makeZero(Type type, ImplicitLocOpBuilder &b) {
  if (auto number = dyn_cast<ComplexType>(type)) {
    Attribute part = b.getZeroAttr(number.getElementType());
    return complex::ConstantOp::create(b, number, b.getArrayAttr({part, part}));
  }
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

/// Lets `op` access `arrays`, operands of it, only within memory.
void AccessGuard::guard(Operation *op, ArrayRef<OpOperand *> arrays) {
  Value condition, wrongRoot;
  SmallVector<Value> wrongIndices;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  for (OpOperand *array : arrays) {
    Value root;
    SmallVector<Value> indices;
    Value inside = makeCondition(op, *array, root, indices);
    if (!inside)
      continue;
    remarkCheck(op, array->get(),
                bounds.contains(op->getParentOfType<gpu::GPUFuncOp>()));
    if (!condition) {
      wrongRoot = root;
      wrongIndices = std::move(indices);
    }
    condition = condition
                    ? arith::AndIOp::create(b, condition, inside).getResult()
                    : inside;
  }
  if (!condition)
    return;
  bool hasResults = !op->use_empty();
  TypeRange types = hasResults ? TypeRange(op->getResultTypes()) : TypeRange();
  auto choice = scf::IfOp::create(b, types, condition, /*withElse=*/true);
  if (hasResults)
    op->replaceAllUsesWith(choice.getResults());
  b.setInsertionPointToStart(&choice.getThenRegion().front());
  Operation *inner = b.clone(*op);
  op->erase();
  if (hasResults)
    scf::YieldOp::create(b, inner->getResults());
  b.setInsertionPointToStart(&choice.getElseRegion().front());
  reportOutside(inner, wrongRoot, wrongIndices, b);
  if (!hasResults)
    return;
  SmallVector<Value> zeros;
  for (Type type : inner->getResultTypes())
    zeros.push_back(makeZero(type, b));
  scf::YieldOp::create(b, zeros);
}

/// The operands of `op` that are arrays which it accesses.
static SmallVector<OpOperand *> getAccessed(Operation *op) {
  if (auto access = dyn_cast<AccessOpInterface>(op))
    return {&access.getArrayMutable()};
  if (auto copy = dyn_cast<CopyRecordOp>(op))
    return {&copy.getSourceMutable(), &copy.getTargetMutable()};
  return {};
}

void AccessGuard::run() {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (kBounds.isOn(kernel))
      bounds[kernel] = std::make_unique<BoundTerms>(kernel);
  // Before anything changes what the terms are made of.
  SmallVector<std::pair<Operation *, SmallVector<OpOperand *>>> unproven;
  module.walk([&](Operation *op) {
    SmallVector<OpOperand *> arrays = getAccessed(op);
    if (arrays.empty())
      return;
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!kGuarded.isOn(function) || kExport.isOn(function))
      return;
    llvm::erase_if(
        arrays, [&](OpOperand *array) { return isProven(op, array->get()); });
    if (!arrays.empty())
      unproven.emplace_back(op, std::move(arrays));
  });
  for (auto &[kernel, terms] : bounds)
    if (ArrayAttr all = terms->getTerms(); !all.empty())
      kBounds.set(kernel, all);
    else
      kBounds.take(kernel);
  boundViews(module);
  for (auto &[op, arrays] : unproven)
    guard(op, arrays);
  memory.extendCalls();
  // Accesses that are proven need neither; later passes would count the ops.
  SetVector<Operation *> unused;
  module.walk([&](Operation *op) {
    if (auto element = dyn_cast<ElementOp>(op)) {
      if (Value exact = element.getExact())
        if (Operation *definition = exact.getDefiningOp())
          unused.insert(definition);
      element.getIndicesMutable().clear();
      element.getExactMutable().clear();
    } else if (isa<FunctionOpInterface>(op)) {
      kGuarded.take(op);
    }
  });
  eraseDead(std::move(unused));
}

namespace {

struct GuardAccessesPass : pyk::impl::GuardAccessesPassBase<GuardAccessesPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<math::MathDialect>();
  }

  void runOnOperation() override {
    bool isGuarded = llvm::any_of(getOperation().getOps(), [](Operation &op) {
      return kGuarded.isOn(&op);
    });
    if (isGuarded)
      AccessGuard(getOperation()).run();
  }
};

} // namespace
