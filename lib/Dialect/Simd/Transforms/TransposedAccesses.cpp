// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector of the machine has as many elements as there are lanes: those of one
// row, or, in parts side by side, those of some lanes in all rows. A part is a
// square with the same one of the other vectors; squares are transposed in
// as many steps as a row's number has bits. The first steps exchange within 128
// bits, as processors do in one instruction, which leaves these bits in
// reverse.

#include "TransposedAccesses.h"
#include "AccessUnroller.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not those of pyk.
using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static int64_t countElements(Value vector) {
  return cast<VectorType>(vector.getType()).getNumElements();
}

/// Within how many elements of `bits` the first steps exchange.
static int64_t getElementsOfUnit(unsigned bits) {
  return kExchangedBits / bits;
}

static Value shuffle(OpBuilder &builder, Location loc, Value a, Value b,
                     function_ref<int64_t(int64_t)> getPlace, int64_t count) {
  SmallVector<int32_t> places;
  for (int64_t at = 0; at < count; ++at)
    places.push_back(static_cast<int32_t>(getPlace(at)));
  return LLVM::ShuffleVectorOp::create(builder, loc, a, b, places);
}

/// Transposes the squares of `vectors`.
static Values transpose(OpBuilder &builder, Location loc, Values vectors) {
  const auto rows = static_cast<int64_t>(vectors.size());
  const int64_t lanes = countElements(vectors.front());
  const int64_t unit = getElementsOfUnit(
      getElementTypeOrSelf(vectors.front()).getIntOrFloatBitWidth());
  for (int64_t step = 1; step < rows; step *= 2)
    for (int64_t row = 0; row < rows; ++row) {
      if (row & step)
        continue;
      Value &a = vectors[row], &b = vectors[row + step];
      // Of each unit the first or the second half, alternately `step` elements
      // of either vector.
      auto interleave = [&](int64_t half, int64_t at) {
        int64_t in = at % unit;
        int64_t from = half * unit / 2 + in / (2 * step) * step + in % step;
        return at - in + from + (in & step ? lanes : 0);
      };
      // What is `step` elements apart changes places.
      auto exchange = [&](int64_t half, int64_t at) {
        bool isSecond = at & step;
        int64_t from = isSecond == (half == 1) ? at : at ^ step;
        return from + (isSecond ? lanes : 0);
      };
      auto make = [&](int64_t half) {
        return shuffle(
            builder, loc, a, b,
            [&](int64_t at) {
              return step < unit ? interleave(half, at) : exchange(half, at);
            },
            lanes);
      };
      Value first = make(0);
      b = make(1);
      a = first;
    }
  Values inOrder;
  const int64_t reversed = std::min(unit, rows);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t from = row / reversed * reversed;
    for (int64_t bit = 1; bit < reversed; bit *= 2)
      from += row & bit ? reversed / (2 * bit) : 0;
    inOrder.push_back(vectors[from]);
  }
  return inOrder;
}

/// `ofLanes`, one vector for each lane with its elements in some rows, as one
/// vector for each of these rows.
static Values joinLanes(OpBuilder &builder, Location loc, Values ofLanes) {
  const auto lanes = static_cast<int64_t>(ofLanes.size());
  const int64_t rows = countElements(ofLanes.front());
  Values vectors = std::move(ofLanes);
  // Two by two, until they are as long as there are lanes.
  for (int64_t length = rows; length < lanes; length *= 2) {
    Values longer;
    for (int64_t at = 0; at < lanes / length * rows / 2; ++at) {
      // Parts of one vector are of lanes that are `rows` apart.
      int64_t first = at / rows * 2 * rows + at % rows;
      longer.push_back(shuffle(
          builder, loc, vectors[first], vectors[first + rows],
          [](int64_t at) { return at; }, 2 * length));
    }
    vectors = std::move(longer);
  }
  return transpose(builder, loc, std::move(vectors));
}

/// The other way round: `ofRows` as one vector for each lane.
static Values splitLanes(OpBuilder &builder, Location loc, Values ofRows) {
  const auto rows = static_cast<int64_t>(ofRows.size());
  const int64_t lanes = countElements(ofRows.front());
  Values vectors = transpose(builder, loc, std::move(ofRows));
  Values ofLanes;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value vector = vectors[lane % rows];
    int64_t first = lane / rows * rows;
    ofLanes.push_back(rows == lanes
                          ? vector
                          : shuffle(
                                builder, loc, vector, vector,
                                [&](int64_t at) { return first + at; }, rows));
  }
  return ofLanes;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// How many rows of an access to `array`, by threads in `mask`, are moved
/// together; 0 if there are too few, or threads do not take part.
static int64_t countTogether(Value array, Value mask, Dimensions size) {
  DenseElementsAttr all;
  bool isWhole = !mask || (matchPattern(mask, m_Constant(&all)) &&
                           all.isSplat() && all.getSplatValue<bool>());
  Type held = getHeldType(cast<ArrayType>(array.getType()).getElementType());
  return isWhole
             ? getRowsTogether(size[0], size[2], held.getIntOrFloatBitWidth())
             : 0;
}

Values pyk::simd::loadTransposed(OpBuilder &builder, UnrolledValues &values,
                                 SimdLoadOp op, Value array) {
  Location loc = op.getLoc();
  const Dimensions size = getDimensions(op.getType());
  const int64_t together =
      op.getTransposed() ? countTogether(array, op.getMask(), size) : 0;
  if (together == 0)
    return {};
  auto [rows, strips, lanes] = size;
  auto arrayType = cast<ArrayType>(array.getType());
  Type element = arrayType.getElementType();
  auto type = VectorType::get(together, getHeldType(element));
  Values results(rows * strips);
  for (int64_t row = 0; row < rows; row += together)
    for (int64_t strip = 0; strip < strips; ++strip) {
      Values ofLanes;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        Value offset = values.getElement(op.getOffset(), {row, strip, lane});
        ofLanes.push_back(LLVM::LoadOp::create(
            builder, loc, type, makePointer(builder, array, offset),
            static_cast<unsigned>(arrayType.getAlignment())));
      }
      Values ofRows = joinLanes(builder, loc, std::move(ofLanes));
      for (int64_t at = 0; at < together; ++at)
        results[(row + at) * strips + strip] =
            toElements(builder, ofRows[at], element);
    }
  return results;
}

bool pyk::simd::storeTransposed(OpBuilder &builder, UnrolledValues &values,
                                SimdStoreOp op, Value array) {
  Location loc = op.getLoc();
  const Dimensions size = getDimensions(op.getValue().getType());
  const int64_t together =
      op.getTransposed() ? countTogether(array, op.getMask(), size) : 0;
  if (together == 0)
    return false;
  auto [rows, strips, lanes] = size;
  auto arrayType = cast<ArrayType>(array.getType());
  for (int64_t row = 0; row < rows; row += together)
    for (int64_t strip = 0; strip < strips; ++strip) {
      Values ofRows;
      for (int64_t at = 0; at < together; ++at)
        ofRows.push_back(toHeld(
            builder, values.getInstance(op.getValue(), row + at, strip)));
      Values ofLanes = splitLanes(builder, loc, std::move(ofRows));
      for (int64_t lane = 0; lane < lanes; ++lane) {
        Value offset = values.getElement(op.getOffset(), {row, strip, lane});
        LLVM::StoreOp::create(builder, loc, ofLanes[lane],
                              makePointer(builder, array, offset),
                              static_cast<unsigned>(arrayType.getAlignment()));
      }
    }
  return true;
}
