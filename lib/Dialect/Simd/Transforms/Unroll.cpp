// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a kernel that writes it anew. Ops of `arith` and `math` take
// vectors of the machine as they are; of memory and of masks nothing is left
// for them to say, so these become LLVM's.

#include "AccessUnroller.h"
#include "PromotedArrays.h"
#include "SerialUnroller.h"
#include "WarpUnroller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
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

namespace {

/// The work on one kernel.
class Unroller {
public:
  /// What it writes begins at the position of `builder`, in an empty block.
  Unroller(OpBuilder &builder, bool fetchesRows)
      : builder(builder), values(builder), buffers(builder),
        promoted(builder, values), serials(builder, values, buffers),
        accesses(builder, values, buffers, serials, fetchesRows),
        warps(builder, values, buffers) {}

  /// Writes what `body`, with one entry, does in vectors of `lanes`.
  void run(Block &body, int64_t lanes);

private:
  void visitBlock(Block &block);
  void visit(Operation *op);
  void clone(Operation *op);
  void visitConstant(Operation *op, DenseElementsAttr value);
  void visitBroadcast(vector::BroadcastOp op);
  void visitExtract(vector::ExtractOp op);
  void visitElementwise(Operation *op);
  void visitFlow(Operation *op);
  void visitRun(Operation *op);

  OpBuilder &builder;
  UnrolledValues values;
  StackBuffers buffers;
  PromotedArrays promoted;
  SerialUnroller serials;
  AccessUnroller accesses;
  WarpUnroller warps;
};

} // namespace

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void Unroller::run(Block &body, int64_t lanes) {
  for (BlockArgument argument : body.getArguments())
    values.map(argument, argument);
  promoted.promoteAll(body, lanes);
  visitBlock(body);
}

void Unroller::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

void Unroller::clone(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, values.get(operand).front());
  Operation *copy = builder.clone(*op, mapping);
  for (auto [old, result] : llvm::zip(op->getResults(), copy->getResults()))
    values.map(old, result);
}

void Unroller::visit(Operation *op) {
  if (promoted.visit(op))
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
  if (auto load = dyn_cast<simd::LoadOp>(op))
    return accesses.visit(load);
  if (auto store = dyn_cast<simd::StoreOp>(op))
    return accesses.visit(store);
  if (auto shuffle = dyn_cast<simd::ShuffleOp>(op))
    return warps.visit(shuffle);
  if (auto ballot = dyn_cast<simd::BallotOp>(op))
    return warps.visit(ballot);
  if (auto serial = dyn_cast<SerialOp>(op))
    return serials.visit(serial);
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return visitBroadcast(broadcast);
  if (auto extraction = dyn_cast<vector::ExtractOp>(op))
    return visitExtract(extraction);
  if (auto any = dyn_cast<AnyOp>(op))
    return warps.visit(any);
  if (auto all = dyn_cast<AllOp>(op))
    return warps.visit(all);
  if (auto count = dyn_cast<CountOp>(op))
    return warps.visit(count);
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
  values.set(op->getResult(0), std::move(instances));
}

void Unroller::visitBroadcast(vector::BroadcastOp op) {
  Dimensions to = getDimensions(op.getType());
  Dimensions from = getDimensions(op.getSourceType());
  Values splats = values.get(op.getSource()), instances;
  if (from[2] != to[2])
    for (Value &splat : splats)
      splat = makeSplat(builder, splat, to[2]);
  for (int64_t row = 0; row < to[0]; ++row)
    for (int64_t strip = 0; strip < to[1]; ++strip)
      instances.push_back(splats[(from[0] == 1 ? 0 : row) * from[1] +
                                 (from[1] == 1 ? 0 : strip)]);
  values.set(op.getResult(), std::move(instances));
}

void Unroller::visitExtract(vector::ExtractOp op) {
  ArrayRef<int64_t> position = op.getStaticPosition();
  values.map(op.getResult(),
             values.getElement(op.getSource(),
                               {position[0], position[1], position[2]}));
}

/// A call of libdevice's function for `op` with vectors, which the CPU's back
/// end knows by its name. Vectors of f16 are given to that of f32, and its
/// result is rounded.
static Operation *callFunction(OpBuilder &builder, Operation *op,
                               ValueRange vectors) {
  Location loc = op->getLoc();
  auto shape = cast<VectorType>(vectors.front().getType());
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  auto widen = [&](Type type) {
    return type.isF16() ? Type(builder.getF32Type()) : type;
  };
  Values operands(vectors);
  for (Value &operand : operands)
    if (getElementTypeOrSelf(operand).isF16())
      operand = arith::ExtFOp::create(
          builder, loc, shape.clone(builder.getF32Type()), operand);
  Type type = shape.clone(widen(element));
  const LibdeviceOverload *function = getLibdeviceOverload(op);
  std::string name = (kLibdevicePrefix + function->symbol + kLibdeviceLanes +
                      Twine(shape.getNumElements()))
                         .str();
  FailureOr<LLVM::LLVMFuncOp> callee =
      LLVM::lookupOrCreateFn(builder, op->getParentOfType<gpu::GPUModuleOp>(),
                             name, llvm::to_vector(TypeRange(operands)), type);
  auto call = LLVM::CallOp::create(builder, loc, *callee, operands);
  if (!element.isF16())
    return call;
  return arith::TruncFOp::create(builder, loc, shape.clone(element),
                                 call.getResult());
}

/// `op`, if it takes lanes out of a mask that are known: by a conjunction, not
/// by a choice. LLVM 22 clears halves of masks of AVX-512 by a copy, kmovb,
/// which it takes for a plain one where it spills the register.
static Operation *makeConjunction(OpBuilder &builder, Operation *op,
                                  ValueRange operands) {
  if (!isa<arith::SelectOp>(op) || !isa<VectorType>(operands[0].getType()) ||
      !getElementTypeOrSelf(operands[1].getType()).isInteger(1) ||
      !matchPattern(operands[0], m_Constant()) ||
      !matchPattern(operands[2], m_Zero()))
    return nullptr;
  // What other lanes have may be poison.
  Value frozen = LLVM::FreezeOp::create(builder, op->getLoc(), operands[1]);
  return arith::AndIOp::create(builder, op->getLoc(), frozen, operands[0]);
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
        operands.push_back(values.getInstance(operand, row, strip));
      Operation *own = makeConjunction(builder, op, operands);
      if (!own)
        own = isa<VectorType>(types.front()) && isVectorCall(op)
                  ? callFunction(builder, op, operands)
                  : mlir::clone(builder, op, types, operands);
      for (auto [list, result] : llvm::zip(results, own->getResults()))
        list.push_back(result);
    }
  for (auto [old, list] : llvm::zip(op->getResults(), results))
    values.set(old, std::move(list));
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

void Unroller::visitFlow(Operation *op) {
  Values operands;
  for (Value operand : op->getOperands())
    llvm::append_range(operands, values.get(operand));
  // One of each for each instance.
  Operation *copy = cloneWithoutRegions(
      builder, op, expandTypes(op->getResultTypes()), operands);
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
      values.set(argument, std::move(own));
    }
    promoted.forgetLines();
    visitBlock(from.front());
  }
  promoted.forgetLines();
  auto next = copy->result_begin();
  for (Value result : op->getResults()) {
    Values own;
    for (int64_t i = 0; i < countInstances(result.getType()); ++i)
      own.push_back(*next++);
    values.set(result, std::move(own));
  }
}

void Unroller::visitRun(Operation *op) {
  Location loc = op->getLoc();
  // What runs blocks is no thread: the position of its index has the length.
  if (isa<RunLengthOp>(op))
    return values.map(
        op->getResult(0),
        NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type()));
  FailureOr<LLVM::LLVMFuncOp> callee = LLVM::lookupOrCreateFn(
      builder, op->getParentOfType<gpu::GPUModuleOp>(), kEnterBlockName,
      {builder.getI32Type()}, LLVM::LLVMVoidType::get(builder.getContext()));
  LLVM::CallOp::create(builder, loc, *callee, values.get(op->getOperand(0)));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct UnrollPass : simd::impl::UnrollPassBase<UnrollPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto tile = kTile.get(kernel);
      if (!tile)
        continue;
      for (Type type : kernel.getArgumentTypes())
        if (isCompact(type)) {
          kernel.emitOpError("expects parameters that all threads share but "
                             "got one of type ")
              << type;
          return signalPassFailure();
        }
      Block &old = kernel.getBody().front();
      auto *body = new Block;
      kernel.getBody().push_back(body);
      OpBuilder builder = OpBuilder::atBlockBegin(body);
      Unroller(builder, fetchesRows).run(old, tile[2]);
      old.dropAllReferences();
      while (!old.empty())
        old.back().erase();
      old.getOperations().splice(old.end(), body->getOperations());
      body->erase();
    }
  }
};

} // namespace
