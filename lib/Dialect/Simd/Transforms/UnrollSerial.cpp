// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs thread by thread: loops over lanes.

#include "Unroller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

static VectorType getVectorOf(Type type, int64_t lanes) {
  return VectorType::get(lanes, getElementTypeOrSelf(type));
}

/// Clones the body of `op`, whose arguments are `inputs`; returns what it
/// yields.
static SmallVector<Value> cloneBody(SerialOp op, ValueRange inputs,
                                    IRMapping &mapping, OpBuilder &builder) {
  Block &body = op.getBody().front();
  mapping.map(body.getArguments(), inputs);
  for (Operation &inner : body.without_terminator())
    builder.clone(inner, mapping);
  SmallVector<Value> yields;
  for (Value yield : body.getTerminator()->getOperands())
    yields.push_back(mapping.lookupOrDefault(yield));
  return yields;
}

/// Values from outside that the body uses.
template <typename Callback>
static void forEachCaptured(SerialOp op, Callback callback) {
  op.getBody().walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op.getBody().isAncestor(operand.getParentRegion()))
        callback(operand);
  });
}

/// Conversions that saturate, for which LLVM has vectors.
void Unroller::convertSaturating(SerialOp op, FloatToIntOp conversion) {
  Value input = op.getInputs().front();
  Type result = op.getResult(0).getType();
  Dimensions size = getDimensions(result);
  StringRef intrinsic =
      conversion.getIsUnsigned() ? "llvm.fptoui.sat" : "llvm.fptosi.sat";
  Values results;
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip) {
      Value operand = getInstance(input, row, strip);
      // As for one thread: PyKToLLVM.cpp says why.
      if (getElementTypeOrSelf(operand.getType()).isF16()) {
        Type wide = builder.getF32Type();
        if (auto vector = dyn_cast<VectorType>(operand.getType()))
          wide = vector.clone(wide);
        operand = arith::ExtFOp::create(builder, op.getLoc(), wide, operand);
      }
      Type type = conversion.getType();
      if (auto vector = dyn_cast<VectorType>(operand.getType()))
        type = vector.clone(type);
      results.push_back(LLVM::CallIntrinsicOp::create(
                            builder, op.getLoc(), type,
                            builder.getStringAttr(intrinsic), operand)
                            .getResult(0));
    }
  set(op.getResult(0), std::move(results));
}

void Unroller::visitSerial(SerialOp op) {
  auto conversion = dyn_cast<FloatToIntOp>(op.getBody().front().front());
  if (conversion && !op.getMask())
    return convertSaturating(op, conversion);
  runLoop(op);
}

/// What `run` makes if `on` holds, if that is something, else `others`.
Unroller::Values Unroller::runIf(Value on, Location loc, ValueRange others,
                                 llvm::function_ref<Values()> run) {
  if (!on)
    return run();
  bool hasResults = !others.empty();
  auto condition =
      scf::IfOp::create(builder, loc, others.getTypes(), on, hasResults);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&condition.getThenRegion().front());
  Values made = run();
  if (hasResults) {
    scf::YieldOp::create(builder, loc, made);
    builder.setInsertionPointToStart(&condition.getElseRegion().front());
    scf::YieldOp::create(builder, loc, others);
  }
  return Values(condition.getResults());
}

/// The body for one place after the other, of an op whose results differ by row
/// and strip alone.
void Unroller::runPlaces(SerialOp op, const IRMapping &captured,
                         Dimensions size) {
  SmallVector<Values> results(op.getNumResults());
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip) {
      Value on = op.getMask() ? getInstance(op.getMask(), row, strip) : Value();
      Values zeros;
      for (Type type : op.getResultTypes())
        if (on)
          zeros.push_back(LLVM::ZeroOp::create(builder, op.getLoc(),
                                               getElementTypeOrSelf(type)));
      Values yields = runIf(on, op.getLoc(), zeros, [&] {
        Values inputs;
        for (Value input : op.getInputs())
          inputs.push_back(getInstance(input, row, strip));
        IRMapping mapping = captured;
        return cloneBody(op, inputs, mapping, builder);
      });
      for (auto [list, yield] : llvm::zip(results, yields))
        list.push_back(yield);
    }
  for (auto [old, list] : llvm::zip(op.getResults(), results))
    set(old, std::move(list));
}

/// A loop over the lanes of each instance. Results go through memory: a vector
/// that a loop changes lane by lane is slow.
void Unroller::runLoop(SerialOp op) {
  Location loc = op.getLoc();
  Type any = op.getInputs().empty() ? op.getMask() ? op.getMask().getType()
                                                   : op.getResult(0).getType()
                                    : op.getInputs().front().getType();
  Dimensions size = getDimensions(any);
  IRMapping captured;
  forEachCaptured(
      op, [&](Value value) { captured.map(value, get(value).front()); });
  if (size[2] == 1)
    return runPlaces(op, captured, size);
  SmallVector<Values> results(op.getNumResults());
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip) {
      SmallVector<Value> rooms;
      SmallVector<VectorType> held;
      for (auto [i, result] : llvm::enumerate(op.getResults())) {
        Type element = getElementTypeOrSelf(result.getType());
        if (element.isInteger(1))
          element = builder.getI8Type();
        rooms.push_back(makeBuffer(element, static_cast<unsigned>(i)));
        held.push_back(VectorType::get(size[2], element));
        if (op.getMask())
          LLVM::StoreOp::create(builder, loc,
                                LLVM::ZeroOp::create(builder, loc, held.back()),
                                rooms.back());
      }
      runLanes(op, row, strip, captured);
      for (auto [i, list] : llvm::enumerate(results)) {
        Value all = LLVM::LoadOp::create(builder, loc, held[i], rooms[i]);
        Type type = getVectorOf(op.getResult(i).getType(), size[2]);
        if (type != all.getType())
          all = arith::TruncIOp::create(builder, loc, type, all);
        list.push_back(all);
      }
    }
  for (auto [old, list] : llvm::zip(op.getResults(), results))
    set(old, std::move(list));
}

/// The loop for one instance, which leaves results in buffers.
void Unroller::runLanes(SerialOp op, int64_t row, int64_t strip,
                        const IRMapping &captured) {
  Location loc = op.getLoc();
  Dimensions size =
      getDimensions(op->getNumOperands() != 0 ? op->getOperand(0).getType()
                                              : op.getResult(0).getType());
  Value bits;
  if (op.getMask())
    bits = makeBits(getInstance(op.getMask(), row, strip));
  auto loop = scf::ForOp::create(builder, loc, makeNumber(0),
                                 makeNumber(size[2]), makeNumber(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value lane = loop.getInductionVar();
  Value on;
  if (bits) {
    Type type = bits.getType();
    Value number = lane;
    if (type.getIntOrFloatBitWidth() < 64)
      number = arith::TruncIOp::create(builder, loc, type, lane);
    Value shifted = arith::ShRUIOp::create(builder, loc, bits, number);
    on = arith::TruncIOp::create(builder, loc, builder.getI1Type(), shifted);
  }
  runIf(on, loc, {}, [&] {
    Values inputs;
    for (Value input : op.getInputs())
      inputs.push_back(extract(getInstance(input, row, strip), lane));
    IRMapping mapping = captured;
    for (auto [i, yield] :
         llvm::enumerate(cloneBody(op, inputs, mapping, builder))) {
      Value held = yield;
      if (held.getType().isInteger(1))
        held = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), held);
      Value room = makeBuffer(held.getType(), static_cast<unsigned>(i));
      Value place = LLVM::GEPOp::create(builder, loc, room.getType(),
                                        held.getType(), room, lane);
      LLVM::StoreOp::create(builder, loc, held, place);
    }
    return Values();
  });
}
