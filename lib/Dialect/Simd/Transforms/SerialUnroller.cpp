// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs thread by thread: loops over lanes.

#include "SerialUnroller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

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

void SerialUnroller::visit(SerialOp op) {
  if (AtomicOp update = getCommonSum(op))
    return sums.add(op, update);
  if (OutsideOp report = getCommonReport(op))
    return reports.add(op, report);
  runLoop(op);
}

/// The body for one position after the other, of an op whose results differ by
/// row and strip alone.
void SerialUnroller::runPositions(SerialOp op, const IRMapping &captured,
                                  Dimensions size) {
  SmallVector<Values> results(op.getNumResults());
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip) {
      Value on =
          op.getMask() ? values.getInstance(op.getMask(), row, strip) : Value();
      Values zeros;
      for (Type type : op.getResultTypes())
        if (on)
          zeros.push_back(LLVM::ZeroOp::create(builder, op.getLoc(),
                                               getElementTypeOrSelf(type)));
      Values yields = runIf(builder, on, op.getLoc(), zeros, [&] {
        Values inputs;
        for (Value input : op.getInputs())
          inputs.push_back(values.getInstance(input, row, strip));
        IRMapping mapping = captured;
        return cloneBody(op, inputs, mapping, builder);
      });
      for (auto [list, yield] : llvm::zip(results, yields))
        list.push_back(yield);
    }
  for (auto [old, list] : llvm::zip(op.getResults(), results))
    values.set(old, std::move(list));
}

/// Whether nobody writes to `array` while the kernel runs.
static bool isConstant(Value array) {
  auto root = array.getDefiningOp<FromPointerOp>();
  auto argument =
      root ? dyn_cast<BlockArgument>(root.getPointer()) : BlockArgument();
  auto kernel =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  return kernel &&
         kernel.getArgAttr(argument.getArgNumber(),
                           LLVM::LLVMDialect::getReadonlyAttrName()) &&
         kernel.getArgAttr(argument.getArgNumber(),
                           LLVM::LLVMDialect::getNoAliasAttrName());
}

/// What a thread can make for itself of what it gets: a conversion, and what an
/// array holds that nobody writes. Memory takes little so, or nothing, and a
/// thread that stores does not wait for what lies at a like address of the
/// stack.
static SerialUnroller::Input getInput(SerialOp op, Value value) {
  SerialUnroller::Input input;
  while (Operation *conversion = value.getDefiningOp()) {
    if (!isa<arith::ExtUIOp, arith::ExtSIOp, arith::ExtFOp>(conversion))
      break;
    input.conversions.push_back(conversion);
    value = conversion->getOperand(0);
  }
  input.value = value;
  auto load = value.getDefiningOp<simd::LoadOp>();
  if (load && load.getContiguous() && isConstant(load.getArray()) &&
      (!load.getMask() || load.getMask() == op.getMask()) &&
      areConsecutive(load.getOffset()) &&
      getDimensions(load.getType()) ==
          getDimensions(op.getOperand(0).getType()))
    input.load = load;
  return input;
}

/// A loop over all positions. What threads get and give goes through memory:
/// elements of a vector that a loop chooses are slow.
void SerialUnroller::runLoop(SerialOp op) {
  Location loc = op.getLoc();
  Value any = op->getNumOperands() != 0 ? op->getOperand(0) : op.getResult(0);
  Dimensions size = getDimensions(any.getType());
  IRMapping captured = values.getCaptured(op.getBody());
  if (size[2] == 1)
    return runPositions(op, captured, size);
  int64_t count = size[0] * size[1] * size[2];
  SmallVector<Input> inputs;
  SmallVector<Value> rooms;
  auto makeRoom = [&](Type element) {
    return buffers.get(element, inputs.size() + rooms.size(), count);
  };
  // The position of an instance in a room.
  auto forEachInstance = [&](Value room, Type element,
                             llvm::function_ref<void(int64_t, Value)> visit) {
    for (int64_t i = 0; i < size[0] * size[1]; ++i)
      visit(i, getAddressAt(builder, room, element,
                            makeNumber(builder, i * size[2])));
  };
  for (Value value : op.getInputs()) {
    Input input = getInput(op, value);
    if (input.load) {
      input.begin = values.getElement(input.load.getOffset(), {0, 0, 0});
    } else {
      Type element = getHeldType(getElementTypeOrSelf(input.value.getType()));
      input.begin = makeRoom(element);
      forEachInstance(input.begin, element, [&](int64_t i, Value address) {
        Value value = toHeld(
            builder, values.getInstance(input.value, i / size[1], i % size[1]));
        LLVM::StoreOp::create(builder, loc, value, address);
      });
    }
    inputs.push_back(std::move(input));
  }
  for (Value result : op.getResults()) {
    Type element = getHeldType(getElementTypeOrSelf(result.getType()));
    rooms.push_back(makeRoom(element));
    if (op.getMask())
      forEachInstance(rooms.back(), element, [&](int64_t, Value address) {
        Value none = LLVM::ZeroOp::create(builder, loc,
                                          VectorType::get(size[2], element));
        LLVM::StoreOp::create(builder, loc, none, address);
      });
  }
  if (op.getMask())
    runMasked(op, size, inputs, rooms, captured);
  else
    runAll(op, count, inputs, rooms, captured);
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Type type = getElementTypeOrSelf(result.getType());
    Type element = getHeldType(type);
    Values list;
    forEachInstance(rooms[i], element, [&](int64_t, Value address) {
      Value all = LLVM::LoadOp::create(
          builder, loc, VectorType::get(size[2], element), address);
      list.push_back(fromHeld(builder, all, type));
    });
    values.set(result, std::move(list));
  }
}

/// Ops of a body of which several are written in an iteration, and how many.
static constexpr size_t kShortBody = 6;
static constexpr int64_t kShortIterations = 4;
/// In kernels of more such loops each iteration has one of them (decision 14).
static constexpr size_t kMostShortLoops = 32;

/// Whether the kernel of `op` has so many loops over lanes that the code of
/// each has to be short.
bool SerialUnroller::hasManyLoops(SerialOp op) {
  if (!hasMany) {
    size_t count = 0;
    op->getParentOfType<FunctionOpInterface>()->walk([&](SerialOp other) {
      count += !getCommonSum(other) && !getCommonReport(other);
    });
    hasMany = count > kMostShortLoops;
  }
  return *hasMany;
}

/// The loop over all of `count` positions.
void SerialUnroller::runAll(SerialOp op, int64_t count, ArrayRef<Input> inputs,
                            ArrayRef<Value> rooms, const IRMapping &captured) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  auto &ops = op.getBody().front().getOperations();
  bool isShort = ops.size() <= kShortBody && count % kShortIterations == 0 &&
                 !hasManyLoops(op);
  int64_t iterations = isShort ? kShortIterations : 1;
  auto loop = scf::ForOp::create(builder, loc, makeNumber(builder, 0),
                                 makeNumber(builder, count),
                                 makeNumber(builder, iterations));
  builder.setInsertionPointToStart(loop.getBody());
  Value position = loop.getInductionVar();
  for (int64_t i = 0; i < iterations; ++i)
    runLane(op,
            builder.createOrFold<arith::AddIOp>(loc, position,
                                                makeNumber(builder, i)),
            inputs, rooms, captured);
}

/// The loop over those that are on: over instances, and lanes of each.
void SerialUnroller::runMasked(SerialOp op, Dimensions size,
                               ArrayRef<Input> inputs, ArrayRef<Value> rooms,
                               const IRMapping &captured) {
  Location loc = op.getLoc();
  Type type = builder.getI64Type();
  int64_t instances = size[0] * size[1];
  auto getBits = [&](int64_t i) -> Value {
    Value bits = makeBits(
        builder, values.getInstance(op.getMask(), i / size[1], i % size[1]));
    return bits.getType() == type
               ? bits
               : arith::ExtUIOp::create(builder, loc, type, bits);
  };
  OpBuilder::InsertionGuard guard(builder);
  Value bits, first = makeNumber(builder, 0);
  if (instances == 1) {
    bits = getBits(0);
  } else {
    Value masks = buffers.get(type, inputs.size() + rooms.size(), instances);
    for (int64_t i = 0; i < instances; ++i)
      LLVM::StoreOp::create(
          builder, loc, getBits(i),
          getAddressAt(builder, masks, type, makeNumber(builder, i)));
    auto loop = scf::ForOp::create(builder, loc, makeNumber(builder, 0),
                                   makeNumber(builder, instances),
                                   makeNumber(builder, 1));
    builder.setInsertionPointToStart(loop.getBody());
    Value number = loop.getInductionVar();
    bits = LLVM::LoadOp::create(builder, loc, type,
                                getAddressAt(builder, masks, type, number));
    first = arith::MulIOp::create(builder, loc, number,
                                  makeNumber(builder, size[2]));
  }
  auto loop = scf::WhileOp::create(builder, loc, TypeRange(type), bits);
  Block *before = builder.createBlock(&loop.getBefore(), {}, type, loc);
  Value left = before->getArgument(0);
  Value goesOn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       left, makeNumber(builder, 0));
  scf::ConditionOp::create(builder, loc, goesOn, left);
  Block *body = builder.createBlock(&loop.getAfter(), {}, type, loc);
  left = body->getArgument(0);
  Value lane = LLVM::CountTrailingZerosOp::create(builder, loc, type, left,
                                                  /*is_zero_poison=*/true);
  runLane(op, builder.createOrFold<arith::AddIOp>(loc, first, lane), inputs,
          rooms, captured);
  Value less =
      arith::SubIOp::create(builder, loc, left, makeNumber(builder, 1));
  Value next = arith::AndIOp::create(builder, loc, left, less);
  scf::YieldOp::create(builder, loc, next);
}

/// What `op` does for the thread at `threadPosition`, which is the one of its
/// `inputs` and of its results in `rooms`, too.
void SerialUnroller::runLane(SerialOp op, Value threadPosition,
                             ArrayRef<Input> inputs, ArrayRef<Value> rooms,
                             const IRMapping &captured) {
  Location loc = op.getLoc();
  Values numbers;
  for (const Input &input : inputs) {
    Value value;
    if (input.load) {
      Value offset =
          builder.createOrFold<arith::AddIOp>(loc, input.begin, threadPosition);
      Value array = values.get(simd::LoadOp(input.load).getArray()).front();
      Value address = ElementOp::create(builder, loc, array, offset);
      value = pyk::LoadOp::create(builder, loc, address, ValueRange());
    } else {
      Type element = getElementTypeOrSelf(input.value.getType());
      Type type = getHeldType(element);
      value = LLVM::LoadOp::create(
          builder, loc, type,
          getAddressAt(builder, input.begin, type, threadPosition));
      value = fromHeld(builder, value, element);
    }
    for (Operation *conversion : llvm::reverse(input.conversions))
      value = mlir::clone(builder, conversion,
                          getElementTypeOrSelf(conversion->getResult(0)), value)
                  ->getResult(0);
    numbers.push_back(value);
  }
  IRMapping mapping = captured;
  Values yields = cloneBody(op, numbers, mapping, builder);
  for (auto [yield, room] : llvm::zip_equal(yields, rooms)) {
    Value value = toHeld(builder, yield);
    LLVM::StoreOp::create(
        builder, loc, value,
        getAddressAt(builder, room, value.getType(), threadPosition));
  }
}
