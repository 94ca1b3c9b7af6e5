// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches know of an argument comes as parameters, counted in the steps
// of the accesses, so that a check is a subtraction and a comparison. All else
// is computed where an array is made, not where it is accessed.

#include "GuardedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pyk;

std::optional<ArrayArgument> pyk::getArrayArgument(Value root) {
  auto array = root.getDefiningOp<FromPointerOp>();
  auto data =
      array ? dyn_cast<BlockArgument>(array.getPointer()) : BlockArgument();
  auto kernel =
      data ? dyn_cast<gpu::GPUFuncOp>(data.getOwner()->getParentOp()) : nullptr;
  auto abi = kernel ? kAbi.get(kernel) : AbiAttr();
  if (!abi || data.getArgNumber() >= abi.getParameters().size())
    return std::nullopt;
  ParameterAttr parameter = abi.getParameters()[data.getArgNumber()];
  if (parameter.getKind() != ParameterKind::Data)
    return std::nullopt;
  return ArrayArgument{parameter.getArgument(), data};
}

llvm::SetVector<Value> pyk::getRoots(Value array) {
  llvm::SetVector<Value> reached, roots;
  reached.insert(array);
  for (size_t next = 0; next < reached.size(); ++next) {
    Value value = reached[next];
    if (auto view = value.getDefiningOp<ArrayViewOpInterface>()) {
      reached.insert(view->getOperand(0));
      continue;
    }
    // What a function gives is taken for one of what it was given.
    SmallVector<Value> incoming = getIncomingValues(value).values;
    if (auto call = value.getDefiningOp<func::CallOp>())
      llvm::copy_if(
          call.getOperands(), std::back_inserter(incoming),
          [](Value operand) { return isa<ArrayType>(operand.getType()); });
    if (incoming.empty())
      roots.insert(value);
    reached.insert(incoming.begin(), incoming.end());
  }
  return roots;
}

int64_t pyk::getStep(ArrayType type) {
  return type.getLayout() == Layout::Any
             ? 1
             : std::max<int64_t>(type.getElementBytes(), 1);
}

static Value makeNumber(int64_t number, ImplicitLocOpBuilder &b) {
  return arith::ConstantIntOp::create(b, b.getI64Type(), number);
}

/// `bytes` in whole steps, rounded down.
static Value makeSteps(Value bytes, int64_t step, ImplicitLocOpBuilder &b) {
  if (llvm::isPowerOf2_64(step))
    return b.createOrFold<arith::ShRSIOp>(bytes,
                                          makeNumber(llvm::Log2_64(step), b));
  // Division rounds towards 0.
  Value zero = makeNumber(0, b);
  Value isNegative =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, bytes, zero);
  Value lowered = arith::SubIOp::create(b, bytes, makeNumber(step - 1, b));
  Value rounded = arith::SelectOp::create(b, isNegative, lowered, bytes);
  return arith::DivSIOp::create(b, rounded, makeNumber(step, b));
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// A parameter of `kernel` in front of the record of failures, if there is one.
static Value addParameter(gpu::GPUFuncOp kernel, ParameterAttr parameter,
                          Location loc) {
  auto abi = kAbi.get(kernel);
  SmallVector<ParameterAttr> all(abi.getParameters());
  unsigned place = all.size();
  if (place != 0 && all.back().getKind() == ParameterKind::Failure)
    --place;
  all.insert(all.begin() + place, parameter);
  kAbi.set(kernel, AbiAttr::get(kernel.getContext(), all));
  (void)kernel.insertArgument(place, IntegerType::get(kernel.getContext(), 64),
                              {}, loc);
  return kernel.getArgument(place);
}

Offsets GuardedMemory::getParameters(const ArrayArgument &argument,
                                     ArrayType type) {
  int64_t step = getStep(type);
  Offsets &known = parameters[{argument.data, step}];
  if (known)
    return known;
  auto kernel = cast<gpu::GPUFuncOp>(argument.data.getOwner()->getParentOp());
  auto add = [&](ParameterKind kind) {
    return addParameter(
        kernel,
        ParameterAttr::get(kernel.getContext(), kind, argument.number, step),
        argument.data.getLoc());
  };
  known = {add(ParameterKind::MemoryFirst), add(ParameterKind::MemoryCount)};
  return known;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Offsets GuardedMemory::getOffsets(Value array, Value root,
                                  ImplicitLocOpBuilder &b) {
  auto type = cast<ArrayType>(array.getType());
  if (array == root) {
    if (auto argument = getArrayArgument(root))
      return type.getRank() == 0 ? Offsets() : getParameters(*argument, type);
    Operation *op = root.getDefiningOp();
    if (isa_and_present<AllocOp, ConstantArrayOp>(op))
      return {makeNumber(0, b), makeNumber(type.getNumElements(), b)};
    if (isa_and_present<DynamicSharedOp>(op)) {
      Value count;
      for (int64_t i = 0; i < type.getRank(); ++i) {
        Value extent = b.createOrFold<DimOp>(b.getI64Type(), root, i);
        count = count ? b.createOrFold<arith::MulIOp>(count, extent) : extent;
      }
      return {makeNumber(0, b), count ? count : makeNumber(1, b)};
    }
  }
  std::optional<AddressRange> memory = getAddresses(root);
  if (!memory)
    return {};
  // At offset k, k * step bytes are in front of the element.
  int64_t step = getStep(type);
  Value address = AddressOp::create(b, b.getI64Type(), array);
  Value before = arith::SubIOp::create(b, address, memory->begin);
  Value behind = arith::SubIOp::create(b, memory->end, address);
  behind = arith::SubIOp::create(
      b, behind, makeNumber(std::max<int64_t>(type.getElementBytes(), 1), b));
  before = makeSteps(before, step, b);
  behind = makeSteps(behind, step, b);
  Value count = arith::AddIOp::create(b, before, behind);
  count = arith::AddIOp::create(b, count, makeNumber(1, b));
  // Memory may be shorter than one element.
  return {arith::SubIOp::create(b, makeNumber(0, b), before),
          arith::MaxSIOp::create(b, count, makeNumber(0, b))};
}

/// Bytes from the first element of `op` back to its least one, and on to its
/// last one.
static std::pair<int64_t, int64_t> getReach(DeviceArrayOp op) {
  ArrayType type = op.getType();
  if (type.getLayout() != Layout::Any)
    return {0, (type.getNumElements() - 1) * type.getElementBytes()};
  int64_t before = 0, behind = 0;
  for (auto [extent, stride] : llvm::zip(type.getShape(), op.getStrides()))
    (stride < 0 ? before : behind) += (extent - 1) * std::abs(stride);
  return {before, behind};
}

/// Moves `op`, which has no operands, to where it precedes everything else.
static void moveToEntry(Operation *op) {
  Block &entry =
      op->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
  if (op->getBlock() != &entry)
    op->moveBefore(&entry, entry.begin());
}

Value GuardedMemory::getAddress(Value array, ImplicitLocOpBuilder &b) {
  Type i64 = b.getI64Type();
  auto element = array.getDefiningOp<ElementOp>();
  if (!element)
    return AddressOp::create(b, i64, array);
  // Threads that differ in the element alone share the address of the array.
  ImplicitLocOpBuilder atView(element.getLoc(), b.getContext());
  atView.setInsertionPointAfterValue(element.getArray());
  Value start = AddressOp::create(atView, i64, element.getArray());
  Value bytes = arith::MulIOp::create(
      b, element.getOffset(),
      makeNumber(getStep(element.getArray().getType()), b));
  return arith::AddIOp::create(b, start, bytes);
}

std::optional<AddressRange> GuardedMemory::getAddresses(Value root) {
  if (auto known = addresses.find(root); known != addresses.end())
    return known->second;
  auto type = cast<ArrayType>(root.getType());
  AddressRange range;
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto found = getOfFunction(argument);
    if (!found)
      return std::nullopt;
    range = *found;
  } else {
    Operation *op = root.getDefiningOp();
    if (op->getNumOperands() == 0)
      moveToEntry(op);
    ImplicitLocOpBuilder b(root.getLoc(), op->getContext());
    b.setInsertionPointAfter(op);
    Value address = AddressOp::create(b, b.getI64Type(), root);
    Value elements, first = makeNumber(0, b);
    if (auto argument = getArrayArgument(root)) {
      Offsets offsets = getParameters(*argument, type);
      elements = offsets.count;
      first = offsets.first;
    } else if (isa<AllocOp, ConstantArrayOp, DynamicSharedOp>(op)) {
      elements = getOffsets(root, root, b).count;
    } else if (auto device = dyn_cast<DeviceArrayOp>(op)) {
      auto [before, behind] = getReach(device);
      first = makeNumber(-before / getStep(type), b);
      elements = makeNumber((before + behind) / getStep(type) + 1, b);
      if (type.getNumElements() == 0)
        elements = makeNumber(0, b);
    } else {
      return std::nullopt;
    }
    int64_t step = getStep(type);
    auto scale = [&](Value offset) -> Value {
      return b.createOrFold<arith::MulIOp>(offset, makeNumber(step, b));
    };
    range.begin = b.createOrFold<arith::AddIOp>(address, scale(first));
    range.end = b.createOrFold<arith::AddIOp>(range.begin, scale(elements));
    // Of bytes, the last offset is that of an element.
    if (type.getLayout() == Layout::Any)
      range.end = b.createOrFold<arith::AddIOp>(
          range.end, makeNumber(type.getElementBytes() - 1, b));
  }
  addresses[root] = range;
  return range;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

std::optional<AddressRange> GuardedMemory::getOfFunction(BlockArgument array) {
  auto function = dyn_cast<func::FuncOp>(array.getOwner()->getParentOp());
  if (!function || kExport.isOn(function))
    return std::nullopt;
  unsigned place = function.getNumArguments();
  Type type = IntegerType::get(function.getContext(), 64);
  for (unsigned more : {0, 1})
    (void)function.insertArgument(place + more, type, {}, array.getLoc());
  passed[function].push_back(array.getArgNumber());
  return AddressRange{function.getArgument(place),
                      function.getArgument(place + 1)};
}

void GuardedMemory::extendCalls() {
  SymbolTable symbols(module);
  llvm::DenseMap<Operation *, SmallVector<func::CallOp>> calls;
  module.walk([&](func::CallOp call) {
    calls[symbols.lookup(call.getCallee())].push_back(call);
  });
  // What a call is given may have to be passed to its own function, too.
  llvm::DenseMap<Operation *, size_t> done;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < passed.size(); ++i) {
      Operation *function = passed.begin()[i].first;
      while (done[function] < passed[function].size()) {
        isChanged = true;
        unsigned argument = passed[function][done[function]++];
        for (func::CallOp call : calls[function]) {
          ImplicitLocOpBuilder b(call.getLoc(), call);
          // One range around all that it may be.
          Value begin, end;
          for (Value root : getRoots(call.getOperand(argument))) {
            std::optional<AddressRange> range = getAddresses(root);
            if (!range)
              range = {makeNumber(0, b), makeNumber(-1, b)};
            begin =
                begin
                    ? arith::MinUIOp::create(b, begin, range->begin).getResult()
                    : range->begin;
            end = end ? arith::MaxUIOp::create(b, end, range->end).getResult()
                      : range->end;
          }
          call.getOperandsMutable().append({begin, end});
        }
      }
    }
  }
}
