// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element belongs to a thread if its index in some dimension is that of the
// thread in the grid, or this plus multiples of the grid's size. Two dimensions
// may have the index of the block and that of the thread in the block.
// python-dialect-docs/rationale/lowering.md ("Waiting is found") says why.

#include "pyk/Dialect/Pyk/Analysis/ElementOwners.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Pyk/Analysis/AccessedElements.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykLanes.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace pyk;

static constexpr unsigned kAllDimensions = 7;

/// How many calls and views are followed.
static constexpr unsigned kMaxDepth = 64;

void ElementOwners::scanModule() {
  if (std::exchange(isScanned, true))
    return;
  bool hasKernel = false;
  module->walk([&](Operation *op) {
    if (auto function = dyn_cast<FuncOp>(op))
      hasKernel |= function.getKernel();
    if (isa<LaunchOp, ForeignCallOp>(op))
      isComplete = false;
    for (Value array : getStoredArrays(op))
      addStore(op, array);
    addDependence(op);
  });
  // Who calls a device function may pass each thread another array.
  isComplete &= hasKernel;
  if (isComplete && hasChangingReads())
    threads = blocks = kAllDimensions;
}

/// Leaves in `indices` what `others` have, too.
template <typename Indices>
static void intersect(std::optional<Indices> &indices,
                      const std::optional<Indices> &others) {
  if (!indices || !others || indices->size() != others->size()) {
    indices.reset();
    return;
  }
  for (auto [index, other] : llvm::zip(*indices, *others))
    if (index != other)
      index.reset();
}

void ElementOwners::addStore(Operation *store, Value array) {
  std::optional<Indices> indices = getIndices(store, array);
  for (Value root : objects.getRoots(array)) {
    auto [known, isNew] = stores.try_emplace(root, Stores{indices});
    if (!isNew)
      intersect(known->second.indices, indices);
    known->second.hasAtomics |= isa<AtomicOp, AtomicCasOp>(store);
  }
}

/// Adds the dimensions that results of `op` depend on.
void ElementOwners::addDependence(Operation *op) {
  if (op->use_empty())
    return;
  auto getBit = [](auto id) {
    return 1u << static_cast<unsigned>(id.getDimension());
  };
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

/// True if threads that otherwise compute the same may read different values,
/// as one reads before, and one behind a store of another thread: in elements
/// that are not their own, or that atomic operations count in.
bool ElementOwners::hasChangingReads() {
  return module
      ->walk([&](Operation *op) {
        if (!isa<LoadOp, CopyRecordOp>(op))
          return WalkResult::advance();
        TypedValue<ArrayType> array = getReadArray(op);
        if (array.getType().getSpace() == Space::Local ||
            array.getType().getSpace() == Space::Constant ||
            !objects.isStored(array))
          return WalkResult::advance();
        bool isCounted = llvm::any_of(objects.getRoots(array), [&](Value root) {
          return stores.lookup(root).hasAtomics;
        });
        return isCounted || !isReadOfOwn(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
      })
      .wasInterrupted();
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

/// True if `value` is the number of threads, or of blocks, in the dimension of
/// `index`: elements that far apart belong to the same thread.
bool ElementOwners::isStride(Value value, ThreadIndex index) const {
  Dimension d = index.dimension;
  switch (index.kind) {
  case ThreadIndex::InBlock:
    return isOf<BlockDimOp>(value, d);
  case ThreadIndex::OfBlock:
    return isOf<GridDimOp>(value, d);
  case ThreadIndex::InGrid:
    return isOf<GridSizeOp>(value, d) ||
           isProductOf<BlockDimOp, GridDimOp>(value, d);
  }
  llvm_unreachable("one of three kinds");
}

/// The index that `value` is, if nothing is added to it.
std::optional<ElementOwners::ThreadIndex>
ElementOwners::getSource(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<FuncOp>(argument.getOwner()->getParentOp())) {
    std::optional<ThreadIndex> common;
    for (CallOp call :
         objects.getCallers(cast<FuncOp>(argument.getOwner()->getParentOp()))) {
      std::optional<ThreadIndex> index =
          getIndex(call.getOperands()[argument.getArgNumber()]);
      if (!index || (common && *common != *index))
        return std::nullopt;
      common = index;
    }
    return common;
  }
  Operation *op = value.getDefiningOp();
  if (auto id = dyn_cast_if_present<ThreadIdOp>(op))
    return ThreadIndex{ThreadIndex::InBlock, id.getDimension()};
  if (auto id = dyn_cast_if_present<BlockIdOp>(op))
    return ThreadIndex{ThreadIndex::OfBlock, id.getDimension()};
  if (auto id = dyn_cast_if_present<GridOp>(op))
    return ThreadIndex{ThreadIndex::InGrid, id.getDimension()};
  if (auto sum = dyn_cast_if_present<arith::AddIOp>(op))
    for (auto [a, b] : {std::pair(sum.getLhs(), sum.getRhs()),
                        std::pair(sum.getRhs(), sum.getLhs())})
      if (auto id = strip(a).getDefiningOp<ThreadIdOp>())
        if (isProductOf<BlockIdOp, BlockDimOp>(b, id.getDimension()))
          return ThreadIndex{ThreadIndex::InGrid, id.getDimension()};
  return std::nullopt;
}

std::optional<ElementOwners::ThreadIndex> ElementOwners::getIndex(Value value) {
  auto [known, isNew] = knownIndices.try_emplace(value);
  if (!isNew || depth == kMaxDepth)
    return known->second;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  std::optional<ThreadIndex> index = findIndex(value);
  knownIndices[value] = index;
  return index;
}

/// The index that `value` is, strides left out; none if it may be another
/// number.
std::optional<ElementOwners::ThreadIndex>
ElementOwners::findIndex(Value value) {
  llvm::SetVector<Value> values;
  SmallVector<Value> strides;
  std::optional<ThreadIndex> index;
  values.insert(strip(value));
  for (unsigned i = 0; i < values.size(); ++i) {
    Value one = values[i];
    if (std::optional<ThreadIndex> source = getSource(one)) {
      if (index && *index != *source)
        return std::nullopt;
      index = source;
      continue;
    }
    if (SmallVector<Value> bounds = getCountedBounds(one); !bounds.empty()) {
      values.insert(strip(bounds.front()));
      strides.push_back(bounds.back());
      continue;
    }
    if (IncomingValues incoming = getIncomingValues(one);
        !incoming.values.empty()) {
      for (Value other : incoming.values)
        values.insert(strip(other));
      continue;
    }
    auto sum = one.getDefiningOp<arith::AddIOp>();
    if (!sum)
      return std::nullopt;
    // The front end writes what a loop adds on the right.
    values.insert(strip(sum.getLhs()));
    strides.push_back(sum.getRhs());
  }
  bool isOwn = index && llvm::all_of(strides, [&](Value stride) {
                 return isStride(stride, *index);
               });
  return isOwn ? index : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<ElementOwners::Mapping> ElementOwners::getMapping(Value array) {
  auto [known, isNew] = knownMappings.try_emplace(array);
  if (!isNew || depth == kMaxDepth)
    return known->second;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  std::optional<Mapping> mapping = findMapping(array);
  knownMappings[array] = mapping;
  return mapping;
}

/// How `view` is a view of its own operand.
ElementOwners::Mapping ElementOwners::mapView(ViewOp view) {
  Mapping mapping;
  ValueRange numbers = view.getNumbers();
  for (Axis axis : view.getAxisList()) {
    auto dimension = static_cast<int64_t>(mapping.indices.size());
    switch (axis) {
    case Axis::New:
      mapping.dimensions.push_back(-1);
      continue;
    case Axis::Index:
      mapping.indices.push_back(getIndex(numbers.front()));
      numbers = numbers.drop_front();
      continue;
    case Axis::Whole:
      mapping.dimensions.push_back(dimension);
      break;
    case Axis::Part:
    case Axis::Strided:
      mapping.dimensions.push_back(-1);
      numbers = numbers.drop_front(axis == Axis::Part ? 2 : 3);
      break;
    }
    mapping.indices.push_back(std::nullopt);
  }
  return mapping;
}

/// How `array` is a view of an argument of the kernel or an allocation; none if
/// it may be different ones, or is not known.
std::optional<ElementOwners::Mapping> ElementOwners::findMapping(Value array) {
  if (Value viewed = getViewedArray(array)) {
    std::optional<Mapping> whole = getMapping(viewed);
    if (!whole)
      return std::nullopt;
    Mapping part;
    if (auto view = array.getDefiningOp<ViewOp>()) {
      part = mapView(view);
    } else if (auto transpose = array.getDefiningOp<TransposeOp>()) {
      llvm::append_range(part.dimensions, transpose.getOrder());
      part.indices.resize(part.dimensions.size());
    } else if (array.getDefiningOp<CastOp>()) {
      return whole;
    } else if (array.getDefiningOp<FieldOp>()) {
      // Dimensions of its own come behind those of the records.
      whole->dimensions.resize(cast<ArrayType>(array.getType()).getRank(), -1);
      return whole;
    } else {
      return std::nullopt;
    }
    for (auto [dimension, index] : llvm::zip(whole->dimensions, part.indices))
      if (dimension >= 0 && index)
        whole->indices[dimension] = index;
    for (int64_t &dimension : part.dimensions)
      dimension = dimension < 0 ? -1 : whole->dimensions[dimension];
    whole->dimensions = part.dimensions;
    return whole;
  }
  auto argument = dyn_cast<BlockArgument>(array);
  auto function = argument
                      ? dyn_cast<FuncOp>(argument.getOwner()->getParentOp())
                      : FuncOp();
  if (function && !function.getKernel()) {
    std::optional<Mapping> common;
    for (CallOp call : objects.getCallers(function)) {
      std::optional<Mapping> one =
          getMapping(call.getOperands()[argument.getArgNumber()]);
      if (!one || (common && !(*common == *one)))
        return std::nullopt;
      common = one;
    }
    return common;
  }
  auto type = cast<ArrayType>(array.getType());
  // In layout `any`, different indices may be one element.
  if ((!function && !array.getDefiningOp<AllocOp>()) ||
      type.getLayout() == Layout::Any)
    return std::nullopt;
  return Mapping{llvm::to_vector(llvm::seq<int64_t>(type.getRank())),
                 Indices(type.getRank(), std::nullopt)};
}

/// The indices of what `access` accesses in `array`, in the whole array; none
/// if they are not known.
std::optional<ElementOwners::Indices>
ElementOwners::getIndices(Operation *access, Value array) {
  std::optional<Mapping> mapping = getMapping(array);
  if (!mapping)
    return std::nullopt;
  if (auto op = dyn_cast<AccessOpInterface>(access)) {
    for (auto [dimension, index] :
         llvm::zip(mapping->dimensions, op.getIndices()))
      if (dimension >= 0)
        mapping->indices[dimension] = getIndex(index);
  } else if (!isa<CopyRecordOp>(access)) {
    return std::nullopt;
  }
  return mapping->indices;
}

/// True if threads that do not compute the same differ in one of `indices`.
bool ElementOwners::tellApart(ArrayRef<std::optional<ThreadIndex>> indices,
                              Space space) const {
  bool hasIndex = false;
  unsigned threadsLeft = threads;
  // Blocks have shared arrays of their own.
  unsigned blocksLeft = space == Space::Shared ? 0 : blocks;
  for (std::optional<ThreadIndex> index : indices) {
    if (!index)
      continue;
    hasIndex = true;
    unsigned bit = 1u << static_cast<unsigned>(index->dimension);
    if (index->kind != ThreadIndex::OfBlock)
      threadsLeft &= ~bit;
    if (index->kind != ThreadIndex::InBlock)
      blocksLeft &= ~bit;
  }
  return hasIndex && threadsLeft == 0 && blocksLeft == 0;
}

bool ElementOwners::isReadOfOwn(Operation *read) {
  TypedValue<ArrayType> array = getReadArray(read);
  std::optional<Indices> common = getIndices(read, array);
  for (Value root : objects.getRoots(array))
    if (auto found = stores.find(root); found != stores.end())
      intersect(common, found->second.indices);
  return common && tellApart(*common, array.getType().getSpace());
}

bool ElementOwners::isOwn(Operation *read) {
  scanModule();
  return isComplete && isReadOfOwn(read);
}
