// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays in registers. What lanes read lies in one vector or two, and
// comes from there by a shuffle. The vectors are variables of the stack, which
// LLVM keeps in registers: it knows best how values meet behind conditions and
// loops.

#include "PromotedArrays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not those of pyk.
using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;

/// Vectors that an array may take, and of which an access may read or write
/// some for the lanes of one.
static constexpr int64_t kMostLines = 128;
static constexpr size_t kMostLinesOfAccess = 4;

//===----------------------------------------------------------------------===//
// Which arrays
//===----------------------------------------------------------------------===//

/// The instances of an access to elements at `offset` under `mask`, which may
/// be null, of an array of `count` elements; none if the indices are not
/// constants. Lanes of which it is not known whether they are on count as if
/// they were.
static std::optional<SmallVector<LaneElements>>
getLaneElements(Value offset, Value mask, int64_t count) {
  auto offsets = getConstantElements<int64_t>(offset);
  if (!offsets)
    return std::nullopt;
  std::optional<SmallVector<bool>> on;
  if (mask)
    on = getConstantElements<bool>(mask);
  Dimensions size = getDimensions(offset.getType());
  SmallVector<LaneElements> instances(size[0] * size[1]);
  for (auto [i, element] : llvm::enumerate(*offsets)) {
    bool isUsed = (!on || (*on)[i]) && element >= 0 && element < count;
    instances[i / size[2]].indices.push_back(isUsed ? std::optional(element)
                                                    : std::nullopt);
  }
  return instances;
}

/// The vectors that lanes of an instance read or write, in order.
static SmallVector<int64_t> getLines(const LaneElements &elements,
                                     int64_t lanes) {
  SmallVector<int64_t> lines;
  for (std::optional<int64_t> element : elements.indices)
    if (element && !llvm::is_contained(lines, *element / lanes))
      lines.push_back(*element / lanes);
  llvm::sort(lines);
  return lines;
}

static bool hasDuplicates(const LaneElements &elements) {
  llvm::SmallDenseSet<int64_t> seen;
  return llvm::any_of(elements.indices, [&](std::optional<int64_t> element) {
    return element && !seen.insert(*element).second;
  });
}

static bool isPromotableAccess(Operation *user, int64_t count, int64_t lanes) {
  Value offset, mask;
  bool writes = false;
  if (auto load = dyn_cast<SimdLoadOp>(user)) {
    offset = load.getOffset();
    mask = load.getMask();
  } else if (auto store = dyn_cast<SimdStoreOp>(user)) {
    offset = store.getOffset();
    mask = store.getMask();
    writes = true;
  } else if (auto element = dyn_cast<ElementOp>(user)) {
    APInt position;
    return matchPattern(element.getOffset(), m_ConstantInt(&position)) &&
           position.ult(static_cast<uint64_t>(count)) &&
           llvm::all_of(element->getUsers(), [](Operation *access) {
             // What threads do one after the other stays as it is.
             if (isa<SerialOp>(access->getParentOp()))
               return false;
             if (auto load = dyn_cast<pyk::LoadOp>(access))
               return !load.getIsVolatile() && load.getIndices().empty();
             auto store = dyn_cast<pyk::StoreOp>(access);
             return store && store.getIndices().empty();
           });
  } else {
    return false;
  }
  auto instances = getLaneElements(offset, mask, count);
  if (!instances)
    return false;
  bool isMaskKnown = !mask || getConstantElements<bool>(mask);
  return llvm::all_of(*instances, [&](const LaneElements &elements) {
    return getLines(elements, lanes).size() <= kMostLinesOfAccess &&
           (isMaskKnown || !writes || !hasDuplicates(elements));
  });
}

bool pyk::simd::isPromotable(AllocOp array, int64_t lanes) {
  ArrayType type = array.getType();
  if (type.getSpace() != Space::Shared ||
      !isa<IntegerType, FloatType>(type.getElementType()) ||
      type.getElementBytes() > 8 || array->use_empty())
    return false;
  int64_t count = type.getNumElements();
  return count > 0 && count <= kMostLines * lanes &&
         llvm::all_of(array->getUsers(), [&](Operation *user) {
           return isPromotableAccess(user, count, lanes);
         });
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// A vector of `lines` whose lanes are elements of them: `from` says by lane
/// which, as an index of all.
static Value collect(ArrayRef<Value> lines,
                     ArrayRef<std::optional<int64_t>> from, OpBuilder &builder,
                     Location loc) {
  auto lanes = static_cast<int32_t>(from.size());
  // Lanes that nobody looks at are those of the first one.
  SmallVector<int32_t> order;
  for (auto [lane, position] : llvm::enumerate(from))
    order.push_back(position && *position < 2 * lanes
                        ? static_cast<int32_t>(*position)
                        : static_cast<int32_t>(lane));
  Value second = lines.size() > 1 ? lines[1] : lines[0];
  Value all =
      LLVM::ShuffleVectorOp::create(builder, loc, lines[0], second, order);
  for (auto [number, line] :
       llvm::enumerate(lines.drop_front(std::min<size_t>(lines.size(), 2)))) {
    int64_t begin = static_cast<int64_t>(number + 2) * lanes;
    for (auto [lane, position] : llvm::enumerate(from)) {
      bool isHere = position && *position >= begin && *position < begin + lanes;
      order[lane] = isHere ? static_cast<int32_t>(lanes + *position - begin)
                           : static_cast<int32_t>(lane);
    }
    all = LLVM::ShuffleVectorOp::create(builder, loc, all, line, order);
  }
  return all;
}

void PromotedArrays::promote(AllocOp array, int64_t lanes) {
  ArrayType type = array.getType();
  Location loc = array.getLoc();
  auto vector = VectorType::get(lanes, getHeldType(type.getElementType()));
  Value one = makeNumber(builder, 1);
  Promoted &own = promoted[array.getResult()];
  own.lanes = lanes;
  own.line = vector;
  int64_t count = (type.getNumElements() + lanes - 1) / lanes;
  Value zero = LLVM::ZeroOp::create(builder, loc, vector);
  for (int64_t line = 0; line < count; ++line) {
    own.lines.push_back(LLVM::AllocaOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), vector,
        one));
    own.held.push_back(nullptr);
    writeLine(own, line, zero, loc);
  }
}

void PromotedArrays::promoteAll(Block &kernel, int64_t lanes) {
  if (lanes > 1)
    for (auto array : kernel.getOps<AllocOp>())
      if (isPromotable(array, lanes))
        promote(array, lanes);
}

Value PromotedArrays::readLine(Promoted &array, int64_t line, Location loc) {
  Value &held = array.held[line];
  if (!held)
    held = LLVM::LoadOp::create(builder, loc, array.line, array.lines[line]);
  return held;
}

void PromotedArrays::writeLine(Promoted &array, int64_t line, Value value,
                               Location loc) {
  LLVM::StoreOp::create(builder, loc, value, array.lines[line]);
  array.held[line] = value;
}

/// Another block begins, or goes on behind others.
void PromotedArrays::forgetLines() {
  for (auto &[array, own] : promoted)
    own.held.assign(own.lines.size(), nullptr);
}

Value PromotedArrays::readLanes(Promoted &array, const LaneElements &elements,
                                Location loc) {
  SmallVector<int64_t> lines = getLines(elements, array.lanes);
  if (lines.empty())
    return LLVM::ZeroOp::create(builder, loc, array.line);
  Values read;
  for (int64_t line : lines)
    read.push_back(readLine(array, line, loc));
  bool isAsItIs = lines.size() == 1;
  SmallVector<std::optional<int64_t>> from;
  for (auto [lane, element] : llvm::enumerate(elements.indices)) {
    if (!element) {
      from.push_back(std::nullopt);
      continue;
    }
    int64_t number = llvm::find(lines, *element / array.lanes) - lines.begin();
    from.push_back(number * array.lanes + *element % array.lanes);
    isAsItIs &= *element % array.lanes == static_cast<int64_t>(lane);
  }
  return isAsItIs ? read.front() : collect(read, from, builder, loc);
}

void PromotedArrays::writeLanes(Promoted &array, const LaneElements &elements,
                                Value value, Value on, Location loc) {
  for (int64_t line : getLines(elements, array.lanes)) {
    Value old = readLine(array, line, loc);
    // By element of the line, which lane writes it last.
    SmallVector<std::optional<int64_t>> writers(array.lanes);
    for (auto [lane, element] : llvm::enumerate(elements.indices))
      if (element && *element / array.lanes == line)
        writers[*element % array.lanes] = static_cast<int64_t>(lane);
    SmallVector<int32_t> order, ofMask;
    bool isWhole = true;
    for (auto [position, writer] : llvm::enumerate(writers)) {
      auto own = static_cast<int32_t>(position);
      auto count = static_cast<int32_t>(array.lanes);
      isWhole &= writer == static_cast<int64_t>(position);
      order.push_back(writer ? count + static_cast<int32_t>(*writer) : own);
      ofMask.push_back(writer ? static_cast<int32_t>(*writer) : count + own);
    }
    Value next = value;
    if (!isWhole)
      next = LLVM::ShuffleVectorOp::create(builder, loc, old, value, order);
    if (on) {
      Value none = LLVM::ZeroOp::create(builder, loc, on.getType());
      Value writes =
          LLVM::ShuffleVectorOp::create(builder, loc, on, none, ofMask);
      next = arith::SelectOp::create(builder, loc, writes, next, old);
    }
    writeLine(array, line, next, loc);
  }
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool PromotedArrays::visit(Operation *op) {
  if (promoted.empty())
    return false;
  if (auto array = dyn_cast<AllocOp>(op))
    return promoted.contains(array.getResult());
  if (auto element = dyn_cast<ElementOp>(op))
    return promoted.contains(element.getArray());
  auto getOfElement = [&](Value position) -> std::pair<Promoted *, int64_t> {
    auto element = position.getDefiningOp<ElementOp>();
    if (!element || !promoted.contains(element.getArray()))
      return {nullptr, 0};
    APInt offset;
    matchPattern(element.getOffset(), m_ConstantInt(&offset));
    return {&promoted.find(element.getArray())->second, offset.getSExtValue()};
  };
  Location loc = op->getLoc();
  if (auto load = dyn_cast<pyk::LoadOp>(op)) {
    auto [array, element] = getOfElement(load.getArray());
    if (array)
      values.map(
          load.getResult(),
          fromHeld(builder, readElement(*array, element, loc), load.getType()));
    return array;
  }
  if (auto store = dyn_cast<pyk::StoreOp>(op)) {
    auto [array, element] = getOfElement(store.getArray());
    if (array)
      writeElement(*array, element,
                   toHeld(builder, values.get(store.getValue()).front()), {},
                   loc);
    return array;
  }
  if (auto load = dyn_cast<SimdLoadOp>(op))
    return visitLoad(load);
  auto store = dyn_cast<SimdStoreOp>(op);
  return store && visitStore(store);
}

Value PromotedArrays::readElement(Promoted &array, int64_t element,
                                  Location loc) {
  return extract(builder, readLine(array, element / array.lanes, loc),
                 element % array.lanes);
}

void PromotedArrays::writeElement(Promoted &array, int64_t element, Value value,
                                  Value on, Location loc) {
  int64_t line = element / array.lanes;
  Value old = readLine(array, line, loc);
  Value next = insert(builder, old, value, element % array.lanes);
  if (on)
    next = arith::SelectOp::create(builder, loc, on, next, old);
  writeLine(array, line, next, loc);
}

bool PromotedArrays::visitLoad(SimdLoadOp op) {
  auto known = promoted.find(op.getArray());
  if (known == promoted.end())
    return false;
  Promoted &array = known->second;
  Type element = getElementTypeOrSelf(op.getType());
  auto type = cast<ArrayType>(op.getArray().getType());
  Values results;
  auto instances =
      *getLaneElements(op.getOffset(), op.getMask(), type.getNumElements());
  for (const LaneElements &elements : instances) {
    Value value;
    if (elements.indices.size() != 1)
      value = readLanes(array, elements, op.getLoc());
    else if (elements.indices.front())
      value = readElement(array, *elements.indices.front(), op.getLoc());
    else
      value = LLVM::ZeroOp::create(builder, op.getLoc(),
                                   array.line.getElementType());
    results.push_back(fromHeld(builder, value, element));
  }
  values.set(op.getResult(), std::move(results));
  return true;
}

bool PromotedArrays::visitStore(SimdStoreOp op) {
  auto known = promoted.find(op.getArray());
  if (known == promoted.end())
    return false;
  Promoted &array = known->second;
  auto type = cast<ArrayType>(op.getArray().getType());
  // What is known of masks is in the indices.
  bool isKnown = !op.getMask() || getConstantElements<bool>(op.getMask());
  auto instances =
      *getLaneElements(op.getOffset(), op.getMask(), type.getNumElements());
  for (auto [number, elements] : llvm::enumerate(instances)) {
    Value value = toHeld(builder, values.get(op.getValue())[number]);
    Value on = isKnown ? Value() : values.get(op.getMask())[number];
    if (elements.indices.size() != 1)
      writeLanes(array, elements, value, on, op.getLoc());
    else if (elements.indices.front())
      writeElement(array, *elements.indices.front(), value, on, op.getLoc());
  }
  return true;
}
