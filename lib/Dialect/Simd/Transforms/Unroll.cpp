// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a kernel that writes it anew. Ops of `arith` and `math` take
// vectors of the machine as they are; of memory and of masks nothing is left
// for them to say, so these become LLVM's.

#include "Unroller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"
#include "pyk/Libdevice/Libdevice.h"
#include "pyk/Support/EnterBlock.h"

namespace pyk::simd {
#define GEN_PASS_DEF_UNROLLPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// How many ops back a number is computed beside the vector that has it.
static constexpr unsigned kMaxDepth = 12;

static int64_t countInstances(Type type) {
  Dimensions size = getDimensions(type);
  return size[0] * size[1];
}

/// The type of one instance of a compact vector; any other type as it is.
static Type getMachineType(Type type) {
  if (!isCompact(type))
    return type;
  auto vector = cast<VectorType>(type);
  int64_t lanes = vector.getShape()[2];
  return lanes == 1 ? vector.getElementType()
                    : VectorType::get(lanes, vector.getElementType());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const Unroller::Values &Unroller::get(Value value) {
  auto known = values.find(value);
  assert(known != values.end() && "a value is made before it is used");
  return known->second;
}

void Unroller::map(Value old, Value value) { values[old] = {value}; }

void Unroller::set(Value value, Values instances) {
  if (Operation *last = builder.getInsertionBlock()->empty() ||
                                builder.getInsertionPoint() ==
                                    builder.getInsertionBlock()->begin()
                            ? nullptr
                            : &*std::prev(builder.getInsertionPoint()))
    lastOps[value] = last;
  values[value] = std::move(instances);
}

Value Unroller::getInstance(Value value, int64_t row, int64_t strip) {
  Dimensions size = getDimensions(value.getType());
  const Values &all = get(value);
  if (!isCompact(value.getType()))
    return all.front();
  return all[(size[0] == 1 ? 0 : row) * size[1] + (size[1] == 1 ? 0 : strip)];
}

Value Unroller::makeNumber(int64_t number) {
  return arith::ConstantIntOp::create(builder, builder.getUnknownLoc(),
                                      builder.getI64Type(), number);
}

Value Unroller::extract(Value vector, Value lane) {
  return LLVM::ExtractElementOp::create(builder, vector.getLoc(), vector, lane);
}

Value Unroller::extract(Value vector, int64_t lane) {
  return isa<VectorType>(vector.getType()) ? extract(vector, makeNumber(lane))
                                           : vector;
}

Value Unroller::insert(Value vector, Value number, Value lane) {
  return LLVM::InsertElementOp::create(builder, number.getLoc(), vector, number,
                                       lane);
}

Value Unroller::makeSplat(Value number, int64_t lanes) {
  if (lanes == 1)
    return number;
  Location loc = number.getLoc();
  Type type = VectorType::get(lanes, number.getType());
  Value none = LLVM::PoisonOp::create(builder, loc, type);
  Value first = insert(none, number, makeNumber(0));
  SmallVector<int32_t> zeros(lanes, 0);
  return LLVM::ShuffleVectorOp::create(builder, loc, first, none, zeros);
}

/// The lanes of `mask`, an instance, as the bits of an integer.
Value Unroller::makeBits(Value mask) {
  auto type = cast<VectorType>(mask.getType());
  return LLVM::BitcastOp::create(
      builder, mask.getLoc(),
      builder.getIntegerType(static_cast<unsigned>(type.getNumElements())),
      mask);
}

Value Unroller::getElement(Value value, Dimensions place, unsigned depth) {
  if (!isCompact(value.getType()))
    return get(value).front();
  Dimensions size = getDimensions(value.getType());
  for (auto [at, dimension] : llvm::zip(place, size))
    at = dimension == 1 ? 0 : at;
  if (size[2] == 1)
    return getInstance(value, place[0], place[1]);
  if (auto wide = value.getDefiningOp<vector::BroadcastOp>())
    return getElement(wide.getSource(), place, depth);
  int64_t number = (place[0] * size[1] + place[1]) * size[2] + place[2];
  auto key = std::pair(value, number);
  if (Value known = elements.lookup(key))
    return known;
  Value instance = getInstance(value, place[0], place[1]);
  OpBuilder::InsertionGuard guard(builder);
  if (Operation *last = lastOps.lookup(value))
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointAfterValue(instance);
  Operation *op = value.getDefiningOp();
  DenseElementsAttr constant;
  Value element;
  if (auto made = dyn_cast_if_present<arith::ConstantOp>(op)) {
    constant = cast<DenseElementsAttr>(made.getValue());
    auto attribute = *std::next(constant.value_begin<Attribute>(), number);
    element = arith::ConstantOp::create(builder, value.getLoc(),
                                        cast<TypedAttr>(attribute));
  } else if (op && depth < kMaxDepth && op->getDialect() &&
             isa<arith::ArithDialect>(op->getDialect()) && isPure(op) &&
             op->getNumResults() == 1) {
    // The operands first: they are written elsewhere.
    Values operands;
    for (Value operand : op->getOperands())
      operands.push_back(getElement(operand, place, depth + 1));
    element = mlir::clone(builder, op, getElementTypeOrSelf(value.getType()),
                          operands)
                  ->getResult(0);
  } else {
    element = extract(instance, place[2]);
  }
  return elements[key] = element;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void Unroller::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

void Unroller::clone(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, get(operand).front());
  Operation *copy = builder.clone(*op, mapping);
  for (auto [old, result] : llvm::zip(op->getResults(), copy->getResults()))
    map(old, result);
}

void Unroller::visit(Operation *op) {
  if (visitPromoted(op))
    return;
  if (isa<scf::SCFDialect>(op->getDialect()))
    return visitFlow(op);
  if (isa<RunLengthOp, EnterBlockOp>(op))
    return visitRun(op);
  // One thread of the machine runs the block.
  if (isa<BarrierOp>(op))
    return;
  if (llvm::none_of(op->getOperandTypes(), isCompact) &&
      llvm::none_of(op->getResultTypes(), isCompact))
    return clone(op);
  if (auto load = dyn_cast<LoadOp>(op))
    return visitLoad(load);
  if (auto store = dyn_cast<StoreOp>(op))
    return visitStore(store);
  if (auto shuffle = dyn_cast<ShuffleOp>(op))
    return visitShuffle(shuffle);
  if (auto ballot = dyn_cast<BallotOp>(op))
    return visitBallot(ballot);
  if (auto serial = dyn_cast<SerialOp>(op))
    return visitSerial(serial);
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return visitBroadcast(broadcast);
  if (auto extraction = dyn_cast<vector::ExtractOp>(op))
    return visitExtract(extraction);
  if (isa<AnyOp, AllOp>(op))
    return visitReduction(op, isa<AllOp>(op));
  if (auto count = dyn_cast<CountOp>(op))
    return visitCount(count);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return visitConstant(op, cast<DenseElementsAttr>(constant.getValue()));
  visitElementwise(op);
}

void Unroller::visitConstant(Operation *op, DenseElementsAttr value) {
  Type type = value.getType(), machine = getMachineType(type);
  int64_t lanes = getDimensions(type)[2];
  Values instances;
  SmallVector<Attribute> all(value.getValues<Attribute>());
  for (int64_t index = 0; index < countInstances(type); ++index) {
    ArrayRef<Attribute> own = ArrayRef(all).slice(index * lanes, lanes);
    auto attribute =
        lanes == 1
            ? cast<TypedAttr>(own.front())
            : TypedAttr(DenseElementsAttr::get(cast<VectorType>(machine), own));
    instances.push_back(
        arith::ConstantOp::create(builder, op->getLoc(), attribute));
  }
  set(op->getResult(0), std::move(instances));
}

void Unroller::visitBroadcast(vector::BroadcastOp op) {
  Dimensions to = getDimensions(op.getType());
  Dimensions from = getDimensions(op.getSourceType());
  Values splats = get(op.getSource()), instances;
  if (from[2] != to[2])
    for (Value &splat : splats)
      splat = makeSplat(splat, to[2]);
  for (int64_t row = 0; row < to[0]; ++row)
    for (int64_t strip = 0; strip < to[1]; ++strip)
      instances.push_back(splats[(from[0] == 1 ? 0 : row) * from[1] +
                                 (from[1] == 1 ? 0 : strip)]);
  set(op.getResult(), std::move(instances));
}

void Unroller::visitExtract(vector::ExtractOp op) {
  ArrayRef<int64_t> place = op.getStaticPosition();
  map(op.getResult(),
      getElement(op.getSource(), {place[0], place[1], place[2]}, 0));
}

/// A call of libdevice's function for `op` with vectors, which the CPU's back
/// end knows by its name.
Operation *Unroller::callFunction(Operation *op, ValueRange vectors) {
  auto type =
      VectorType::get(cast<VectorType>(vectors.front().getType()).getShape(),
                      getElementTypeOrSelf(op->getResult(0).getType()));
  const LibdeviceOverload *function = getLibdeviceOverload(op);
  std::string name = (kLibdevicePrefix + function->symbol + kLibdeviceLanes +
                      Twine(type.getNumElements()))
                         .str();
  FailureOr<LLVM::LLVMFuncOp> callee = LLVM::lookupOrCreateFn(
      builder, entry->getParentOp()->getParentWithTrait<OpTrait::SymbolTable>(),
      name, llvm::to_vector(vectors.getTypes()), type);
  return LLVM::CallOp::create(builder, op->getLoc(), *callee, vectors);
}

void Unroller::visitElementwise(Operation *op) {
  Type compact = op->getResult(0).getType();
  Dimensions size = getDimensions(compact);
  SmallVector<Values> results(op->getNumResults());
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(getMachineType(type));
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip) {
      Values operands;
      for (Value operand : op->getOperands())
        operands.push_back(getInstance(operand, row, strip));
      bool isCall = isa<VectorType>(types.front()) && isVectorCall(op);
      Operation *own = isCall ? callFunction(op, operands)
                              : mlir::clone(builder, op, types, operands);
      for (auto [list, result] : llvm::zip(results, own->getResults()))
        list.push_back(result);
    }
  for (auto [old, list] : llvm::zip(op->getResults(), results))
    set(old, std::move(list));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static SmallVector<Type> expandTypes(TypeRange types) {
  SmallVector<Type> expanded;
  for (Type type : types)
    expanded.append(countInstances(type), getMachineType(type));
  return expanded;
}

/// An op like `op`, with an operand and a result for each instance.
Operation *Unroller::createExpanded(Operation *op) {
  Values operands;
  for (Value operand : op->getOperands())
    llvm::append_range(operands, get(operand));
  return cloneWithoutRegions(builder, op, expandTypes(op->getResultTypes()),
                             operands);
}

void Unroller::visitFlow(Operation *op) {
  Operation *copy = createExpanded(op);
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Type> types = expandTypes(from.getArgumentTypes());
    SmallVector<Location> locations(types.size(), op->getLoc());
    Block *block = builder.createBlock(&to, {}, types, locations);
    auto next = block->args_begin();
    for (BlockArgument argument : from.getArguments()) {
      Values own;
      for (int64_t i = 0; i < countInstances(argument.getType()); ++i)
        own.push_back(*next++);
      set(argument, std::move(own));
    }
    forgetLines();
    visitBlock(from.front());
  }
  forgetLines();
  auto next = copy->result_begin();
  for (Value result : op->getResults()) {
    Values own;
    for (int64_t i = 0; i < countInstances(result.getType()); ++i)
      own.push_back(*next++);
    set(result, std::move(own));
  }
}

void Unroller::visitRun(Operation *op) {
  Location loc = op->getLoc();
  // What runs blocks is no thread: the place of its index has the length.
  if (isa<RunLengthOp>(op))
    return map(op->getResult(0),
               NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type()));
  FailureOr<LLVM::LLVMFuncOp> callee = LLVM::lookupOrCreateFn(
      builder, op->getParentOfType<gpu::GPUModuleOp>(), kEnterBlockName,
      {builder.getI32Type()}, LLVM::LLVMVoidType::get(builder.getContext()));
  LLVM::CallOp::create(builder, loc, *callee, get(op->getOperand(0)));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct UnrollPass : simd::impl::UnrollPassBase<UnrollPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto tile =
          kernel->getAttrOfType<DenseI64ArrayAttr>(PykDialect::kTileAttrName);
      if (!tile)
        continue;
      Block &old = kernel.getBody().front();
      auto *body = new Block;
      kernel.getBody().push_back(body);
      OpBuilder builder = OpBuilder::atBlockBegin(body);
      Unroller unroller(builder);
      for (BlockArgument argument : old.getArguments())
        unroller.map(argument, argument);
      unroller.promoteArrays(old, tile[2]);
      unroller.visitBlock(old);
      old.dropAllReferences();
      while (!old.empty())
        old.back().erase();
      old.getOperations().splice(old.end(), body->getOperations());
      body->erase();
    }
  }
};

} // namespace
