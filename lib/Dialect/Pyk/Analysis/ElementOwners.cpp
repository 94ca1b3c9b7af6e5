// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element belongs to a thread if its index in some dimension is the thread's
// place, or that plus whole strides of the grid. Two dimensions may have the
// two halves of a place, as the block and the thread in it.
// python-dialect-docs/rationale/lowering.md ("Waiting is found") says why.

#include "pyk/Dialect/Pyk/Analysis/ElementOwners.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Pyk/Analysis/AccessedElements.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykLanes.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;

static constexpr unsigned kAllDimensions = 7;

void ElementOwners::scanModule() {
  if (std::exchange(isScanned, true))
    return;
  module->walk([&](Operation *op) {
    hasLaunches |= isa<LaunchOp>(op);
    for (Value array : getStoredArrays(op))
      stores.emplace_back(op, array);
    addDifference(op);
  });
}

/// Notes in which coordinates threads differ if `op` tells them apart.
void ElementOwners::addDifference(Operation *op) {
  auto getBit = [](auto id) {
    return 1u << static_cast<unsigned>(id.getDimension());
  };
  if (op->use_empty())
    return;
  if (auto id = dyn_cast<ThreadIdOp>(op)) {
    threads |= getBit(id);
  } else if (auto id = dyn_cast<BlockIdOp>(op)) {
    blocks |= getBit(id);
  } else if (auto id = dyn_cast<GridOp>(op)) {
    threads |= getBit(id);
    blocks |= getBit(id);
  } else if (LaneClass part = getLaneClass(op);
             part == LaneClass::Position || part == LaneClass::Collective ||
             part == LaneClass::Serial ||
             isa<AtomicOp, AtomicCasOp, ToPointerOp, AddressOp>(op)) {
    threads = blocks = kAllDimensions;
  }
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// `value` without what changes its width alone.
static Value strip(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<WrapIndexOp, arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp>(
            op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// True if `value` is the op `Op` of `dimension`.
template <typename Op>
static bool isOf(Value value, Dimension dimension) {
  auto op = strip(value).getDefiningOp<Op>();
  return op && op.getDimension() == dimension;
}

/// True if `value` is the product of `A` and `B` of `dimension`.
template <typename A, typename B>
static bool isProductOf(Value value, Dimension dimension) {
  auto product = strip(value).getDefiningOp<arith::MulIOp>();
  if (!product)
    return false;
  Value a = product.getLhs(), b = product.getRhs();
  return (isOf<A>(a, dimension) && isOf<B>(b, dimension)) ||
         (isOf<B>(a, dimension) && isOf<A>(b, dimension));
}

/// The bounds and step if `value` is what a loop counts; empty if it is not.
static SmallVector<Value> getCountedBounds(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<StructuredFlowOpInterface>(
                             argument.getOwner()->getParentOp())
                       : StructuredFlowOpInterface();
  if (!loop || loop.getCountedValue() != value)
    return {};
  return loop.getConditions();
}

/// True if `value` is as many as there are threads, or blocks, in the dimension
/// of `place`: one further on is again the same thread's.
bool ElementOwners::isStride(Value value, Place place) const {
  Dimension d = place.dimension;
  switch (place.kind) {
  case Place::Thread:
    return isOf<BlockDimOp>(value, d);
  case Place::Block:
    return isOf<GridDimOp>(value, d);
  case Place::Grid:
    return isOf<GridSizeOp>(value, d) ||
           isProductOf<BlockDimOp, GridDimOp>(value, d);
  }
  llvm_unreachable("one of three kinds");
}

/// The place that `value` is, if no strides are added to it.
std::optional<ElementOwners::Place> ElementOwners::getSource(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<FuncOp>(argument.getOwner()->getParentOp())) {
    std::optional<Place> common;
    for (CallOp call :
         objects.getCallers(cast<FuncOp>(argument.getOwner()->getParentOp()))) {
      std::optional<Place> place =
          getPlace(call.getOperands()[argument.getArgNumber()]);
      if (!place || (common && *common != *place))
        return std::nullopt;
      common = place;
    }
    return common;
  }
  Operation *op = value.getDefiningOp();
  if (auto id = dyn_cast_if_present<ThreadIdOp>(op))
    return Place{Place::Thread, id.getDimension()};
  if (auto id = dyn_cast_if_present<BlockIdOp>(op))
    return Place{Place::Block, id.getDimension()};
  if (auto id = dyn_cast_if_present<GridOp>(op))
    return Place{Place::Grid, id.getDimension()};
  if (auto sum = dyn_cast_if_present<arith::AddIOp>(op))
    for (auto [a, b] : {std::pair(sum.getLhs(), sum.getRhs()),
                        std::pair(sum.getRhs(), sum.getLhs())})
      if (auto id = strip(a).getDefiningOp<ThreadIdOp>())
        if (isProductOf<BlockIdOp, BlockDimOp>(b, id.getDimension()))
          return Place{Place::Grid, id.getDimension()};
  return std::nullopt;
}

std::optional<ElementOwners::Place> ElementOwners::getPlace(Value index) {
  auto [known, isNew] = knownPlaces.try_emplace(index);
  if (!isNew)
    return known->second;
  std::optional<Place> place = findPlace(index);
  knownPlaces[index] = place;
  return place;
}

/// The place that `index` is, whole strides left out; none if it may be another
/// number.
std::optional<ElementOwners::Place> ElementOwners::findPlace(Value index) {
  llvm::SetVector<Value> values;
  SmallVector<Value> strides;
  std::optional<Place> place;
  values.insert(strip(index));
  for (unsigned i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (std::optional<Place> source = getSource(value)) {
      if (place && *place != *source)
        return std::nullopt;
      place = source;
      continue;
    }
    if (SmallVector<Value> bounds = getCountedBounds(value); !bounds.empty()) {
      values.insert(strip(bounds.front()));
      strides.push_back(bounds.back());
      continue;
    }
    if (IncomingValues incoming = getIncomingValues(value);
        !incoming.values.empty()) {
      for (Value one : incoming.values)
        values.insert(strip(one));
      continue;
    }
    auto sum = value.getDefiningOp<arith::AddIOp>();
    if (!sum)
      return std::nullopt;
    // The front end adds what a loop counts by on the right.
    values.insert(strip(sum.getLhs()));
    strides.push_back(sum.getRhs());
  }
  if (!place || !llvm::all_of(strides, [&](Value stride) {
        return isStride(stride, *place);
      }))
    return std::nullopt;
  return place;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<ElementOwners::Position> ElementOwners::getPosition(Value array) {
  auto [known, isNew] = knownPositions.try_emplace(array);
  if (!isNew)
    return known->second;
  std::optional<Position> position = findPosition(array);
  knownPositions[array] = position;
  return position;
}

/// That of a view, in the array that it is a view of.
std::optional<ElementOwners::Position>
ElementOwners::viewPosition(ViewOp view) {
  Position position;
  ValueRange numbers = view.getNumbers();
  for (Axis axis : view.getAxisList()) {
    auto dimension = static_cast<int64_t>(position.places.size());
    switch (axis) {
    case Axis::New:
      position.dimensions.push_back(-1);
      continue;
    case Axis::Index:
      position.places.push_back(getPlace(numbers.front()));
      numbers = numbers.drop_front();
      continue;
    case Axis::Whole:
      position.dimensions.push_back(dimension);
      break;
    case Axis::Part:
    case Axis::Strided:
      position.dimensions.push_back(-1);
      numbers = numbers.drop_front(axis == Axis::Part ? 2 : 3);
      break;
    }
    position.places.push_back(std::nullopt);
  }
  return position;
}

/// Where `array` lies in the argument or allocation that it is a view of; none
/// if that may be another for each thread, or is not known.
std::optional<ElementOwners::Position>
ElementOwners::findPosition(Value array) {
  if (Value viewed = getViewedArray(array)) {
    std::optional<Position> whole = getPosition(viewed), part;
    if (!whole)
      return std::nullopt;
    if (auto view = array.getDefiningOp<ViewOp>()) {
      part = viewPosition(view);
    } else if (auto transpose = array.getDefiningOp<TransposeOp>()) {
      part.emplace();
      part->dimensions.assign(transpose.getOrder().begin(),
                              transpose.getOrder().end());
      part->places.resize(part->dimensions.size());
    } else if (array.getDefiningOp<CastOp>()) {
      return whole;
    } else if (array.getDefiningOp<FieldOp>()) {
      // Dimensions of its own come behind those of the records.
      whole->dimensions.resize(cast<ArrayType>(array.getType()).getRank(), -1);
      return whole;
    } else {
      return std::nullopt;
    }
    for (auto [dimension, place] : llvm::zip(whole->dimensions, part->places))
      if (dimension >= 0 && place)
        whole->places[dimension] = place;
    for (int64_t &dimension : part->dimensions)
      dimension = dimension < 0 ? -1 : whole->dimensions[dimension];
    whole->dimensions = part->dimensions;
    return whole;
  }
  auto argument = dyn_cast<BlockArgument>(array);
  auto function = argument
                      ? dyn_cast<FuncOp>(argument.getOwner()->getParentOp())
                      : FuncOp();
  if (function && !objects.getCallers(function).empty()) {
    std::optional<Position> common;
    for (CallOp call : objects.getCallers(function)) {
      std::optional<Position> one =
          getPosition(call.getOperands()[argument.getArgNumber()]);
      if (!one || (common && !(*common == *one)))
        return std::nullopt;
      common = one;
    }
    return common;
  }
  if (!function && !array.getDefiningOp<AllocOp>())
    return std::nullopt;
  int64_t rank = cast<ArrayType>(array.getType()).getRank();
  return Position{llvm::to_vector(llvm::seq<int64_t>(rank)),
                  Places(rank, std::nullopt)};
}

/// The places in the whole array of what `access` accesses in `array`; none if
/// they are not known.
std::optional<ElementOwners::Places> ElementOwners::getPlaces(Operation *access,
                                                              Value array) {
  std::optional<Position> position = getPosition(array);
  if (!position)
    return std::nullopt;
  if (auto op = dyn_cast<AccessOpInterface>(access)) {
    for (auto [dimension, index] :
         llvm::zip(position->dimensions, op.getIndices()))
      if (dimension >= 0)
        position->places[dimension] = getPlace(index);
  } else if (!isa<CopyRecordOp>(access)) {
    return std::nullopt;
  }
  return position->places;
}

/// True if threads that differ have different indices where they have `places`.
bool ElementOwners::tellsThreadsApart(ArrayRef<std::optional<Place>> places,
                                      Space space) const {
  bool hasPlace = false;
  unsigned threadsLeft = threads;
  unsigned blocksLeft = space == Space::Shared ? 0 : blocks;
  for (std::optional<Place> place : places) {
    if (!place)
      continue;
    hasPlace = true;
    unsigned bit = 1u << static_cast<unsigned>(place->dimension);
    if (place->kind != Place::Block)
      threadsLeft &= ~bit;
    if (place->kind != Place::Thread)
      blocksLeft &= ~bit;
  }
  return hasPlace && threadsLeft == 0 && blocksLeft == 0;
}

bool ElementOwners::isOwn(Operation *read) {
  scanModule();
  if (hasLaunches)
    return false;
  TypedValue<ArrayType> array = getReadArray(read);
  std::optional<Places> common = getPlaces(read, array);
  if (!common)
    return false;
  for (auto [store, stored] : stores) {
    if (!objects.mayBeSame(stored, array))
      continue;
    std::optional<Places> places = getPlaces(store, stored);
    if (!places || places->size() != common->size())
      return false;
    for (auto [place, other] : llvm::zip(*common, *places))
      if (place != other)
        place.reset();
  }
  return tellsThreadsApart(*common, array.getType().getSpace());
}
