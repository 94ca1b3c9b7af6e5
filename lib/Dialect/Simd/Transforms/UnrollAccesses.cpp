// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, and what runs thread by thread.

#include "Unroller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not those of pyk.
using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The numbers of address spaces are those of NVPTX until the host is known.
static Type getPointerType(Value array) {
  auto type = cast<ArrayType>(array.getType());
  unsigned space = type.getSpace() == Space::Global   ? 1
                   : type.getSpace() == Space::Shared ? 3
                                                      : 0;
  return LLVM::LLVMPointerType::get(type.getContext(), space);
}

Value Unroller::makePointer(Value array, Value offset) {
  Location loc = array.getLoc();
  Value element = ElementOp::create(builder, loc, array, offset);
  return ToPointerOp::create(builder, loc, getPointerType(array), element);
}

/// A vector of pointers to the elements at `offsets`.
Value Unroller::makePointers(Value array, Value offsets) {
  Location loc = array.getLoc();
  auto type = cast<ArrayType>(array.getType());
  Type pointer = getPointerType(array);
  Value first = ToPointerOp::create(builder, loc, pointer, array);
  Type element = type.getElementType();
  Type unit = type.getLayout() == Layout::Any || element.isInteger(1)
                  ? Type(builder.getI8Type())
                  : element;
  int64_t lanes = cast<VectorType>(offsets.getType()).getNumElements();
  return LLVM::GEPOp::create(builder, loc, VectorType::get(lanes, pointer),
                             unit, first, ArrayRef<LLVM::GEPArg>(offsets));
}

/// A bool takes a byte in memory.
static Type getMemoryElement(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

/// Runs `make` if `condition`, which may be null, holds; the result, if it has
/// one, is 0 else.
static Value makeIf(OpBuilder &builder, Location loc, Value condition,
                    TypeRange types, llvm::function_ref<Value()> make) {
  if (!condition)
    return make();
  auto op = scf::IfOp::create(builder, loc, types, condition,
                              /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op.getThenRegion().front());
  Value made = make();
  if (types.empty())
    return {};
  scf::YieldOp::create(builder, loc, made);
  builder.setInsertionPointToStart(&op.getElseRegion().front());
  scf::YieldOp::create(
      builder, loc,
      ValueRange(LLVM::ZeroOp::create(builder, loc, types.front())));
  return op.getResult(0);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static Value makeAllLanes(OpBuilder &builder, Location loc, int64_t lanes) {
  auto type = VectorType::get(lanes, builder.getI1Type());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, true));
}

void Unroller::visitLoad(SimdLoadOp op) {
  Location loc = op.getLoc();
  Dimensions size = getDimensions(op.getType());
  Value array = get(op.getArray()).front();
  auto arrayType = cast<ArrayType>(array.getType());
  Type element = arrayType.getElementType(), held = getMemoryElement(element);
  auto alignment = static_cast<unsigned>(arrayType.getAlignment());
  auto alignmentAttr = builder.getI32IntegerAttr(alignment);
  Values results;
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip) {
      Value on = op.getMask() ? getInstance(op.getMask(), row, strip) : Value();
      if (size[2] == 1) {
        Value offset = getInstance(op.getOffset(), row, strip);
        results.push_back(makeIf(builder, loc, on, element, [&]() -> Value {
          Value place = ElementOp::create(builder, loc, array, offset);
          return pyk::LoadOp::create(builder, loc, place, ValueRange());
        }));
        continue;
      }
      Type type = VectorType::get(size[2], held);
      Value value;
      if (op.getContiguous()) {
        Value pointer =
            makePointer(array, getElement(op.getOffset(), {row, strip, 0}, 0));
        if (on)
          value = LLVM::MaskedLoadOp::create(
              builder, loc, type, pointer, on,
              LLVM::ZeroOp::create(builder, loc, type), alignmentAttr,
              UnitAttr());
        else
          value = LLVM::LoadOp::create(builder, loc, type, pointer, alignment);
      } else {
        Value pointers =
            makePointers(array, getInstance(op.getOffset(), row, strip));
        if (!on)
          on = makeAllLanes(builder, loc, size[2]);
        value = LLVM::masked_gather::create(
            builder, loc, type, pointers, on,
            ValueRange(LLVM::ZeroOp::create(builder, loc, type)),
            alignmentAttr);
      }
      if (held != element) {
        Value zero = arith::ConstantOp::create(
            builder, loc,
            DenseElementsAttr::get(cast<VectorType>(type),
                                   builder.getI8IntegerAttr(0)));
        value = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                      value, zero);
      }
      results.push_back(value);
    }
  set(op.getResult(), std::move(results));
}

void Unroller::visitStore(SimdStoreOp op) {
  Location loc = op.getLoc();
  Dimensions size = getDimensions(op.getValue().getType());
  Value array = get(op.getArray()).front();
  auto arrayType = cast<ArrayType>(array.getType());
  Type element = arrayType.getElementType(), held = getMemoryElement(element);
  auto alignment = static_cast<unsigned>(arrayType.getAlignment());
  auto alignmentAttr = builder.getI32IntegerAttr(alignment);
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip) {
      Value on = op.getMask() ? getInstance(op.getMask(), row, strip) : Value();
      Value value = getInstance(op.getValue(), row, strip);
      if (size[2] == 1) {
        Value offset = getInstance(op.getOffset(), row, strip);
        makeIf(builder, loc, on, {}, [&]() -> Value {
          Value place = ElementOp::create(builder, loc, array, offset);
          pyk::StoreOp::create(builder, loc, value, place, ValueRange());
          return {};
        });
        continue;
      }
      if (held != element)
        value = arith::ExtUIOp::create(builder, loc,
                                       VectorType::get(size[2], held), value);
      if (!op.getContiguous()) {
        Value pointers =
            makePointers(array, getInstance(op.getOffset(), row, strip));
        if (!on)
          on = makeAllLanes(builder, loc, size[2]);
        LLVM::masked_scatter::create(builder, loc, value, pointers, on,
                                     alignmentAttr);
        continue;
      }
      Value pointer =
          makePointer(array, getElement(op.getOffset(), {row, strip, 0}, 0));
      if (on)
        LLVM::MaskedStoreOp::create(builder, loc, value, pointer, on,
                                    alignmentAttr);
      else
        LLVM::StoreOp::create(builder, loc, value, pointer, alignment);
    }
}

//===----------------------------------------------------------------------===//
// One thread after the other
//===----------------------------------------------------------------------===//

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
