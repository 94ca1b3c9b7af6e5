// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets in memory have a shape as other values have; what is left is to count
// in bytes, and words.

#include "pyk/Dialect/Pyk/Analysis/AccessPatterns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

ElementOp pyk::findElement(Value array) {
  while (Operation *op = array.getDefiningOp()) {
    if (auto element = dyn_cast<ElementOp>(op))
      return element;
    if (!isa<FieldOp, CastOp>(op) ||
        cast<ArrayType>(op->getOperand(0).getType()).getRank() != 0)
      break;
    array = op->getOperand(0);
  }
  return {};
}

std::optional<AccessPattern>
pyk::getAccessPattern(AccessOpInterface access,
                      const LaneShapeAnalysis &shapes) {
  AccessPattern pattern;
  pattern.bytes = access.getArray().getType().getElementBytes();
  ElementOp element = findElement(access.getArray());
  if (!element) {
    if (!shapes.getShape(access.getArray()).hasNoAxis())
      return std::nullopt;
    pattern.array = access.getArray();
    return pattern;
  }
  pattern.array = cast<TypedValue<ArrayType>>(element.getArray());
  if (!shapes.getShape(pattern.array).hasNoAxis())
    return std::nullopt;
  ArrayType type = pattern.array.getType();
  if (auto fields = pattern.array.getDefiningOp<FieldOp>())
    pattern.recordBytes = fields.getArray().getType().getElementBytes();
  else if (pattern.bytes < type.getElementBytes())
    pattern.recordBytes = type.getElementBytes();
  // Offsets count elements, or bytes.
  int64_t unit = type.getLayout() == Layout::Any ? 1 : type.getElementBytes();
  const LaneShape &shape = shapes.getShape(element.getOffset());
  const LaneStride &x = shape.getStride(0);
  switch (x.kind) {
  case LaneStride::Constant:
    pattern.kind = x.value == 0 ? AccessPattern::Same : AccessPattern::Steps;
    pattern.step = x.value * unit;
    break;
  case LaneStride::Alike:
    pattern.kind = AccessPattern::Rows;
    break;
  case LaneStride::Varying:
    pattern.kind = AccessPattern::Scattered;
    break;
  }
  const LaneStride &y = shape.getStride(1);
  pattern.isContiguousInY = y.kind == LaneStride::Constant &&
                            std::abs(y.value) * unit == pattern.bytes;
  return pattern;
}

/// Values that a condition is computed from, at most, that are looked at.
static constexpr size_t kMostValues = 500;

/// True if `condition` is computed from the addresses of different arrays.
static bool comparesAddresses(Value condition) {
  llvm::SetVector<Value> needed;
  Value root;
  needed.insert(condition);
  for (size_t i = 0; i < std::min(needed.size(), kMostValues); ++i) {
    Operation *op = needed[i].getDefiningOp();
    if (!op || op->getNumRegions() != 0 || isa<AccessOpInterface>(op))
      continue;
    auto address = dyn_cast<AddressOp>(op);
    if (!address) {
      needed.insert(op->operand_begin(), op->operand_end());
      continue;
    }
    Value array = getWholeArray(address.getArray());
    if (root && root != array)
      return true;
    root = array;
  }
  return false;
}

bool pyk::isForOverlap(Operation *op) {
  for (auto branch = op->getParentOfType<scf::IfOp>(); branch;
       branch = branch->getParentOfType<scf::IfOp>())
    if (branch.getThenRegion().isAncestor(op->getParentRegion()) &&
        comparesAddresses(branch.getCondition()))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

StringRef pyk::getAccessVerb(Operation *access) {
  if (isa<LoadOp>(access))
    return "reads";
  if (isa<StoreOp>(access))
    return "writes";
  return isa<CopyRecordOp>(access) ? "copies" : "updates";
}

StringRef pyk::getArrayName(Value root) {
  StringRef name;
  root.getLoc()->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner))
      name = named.getName();
    return name.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return name;
}

/// `array`, or the one that it is a view of, as the program calls it.
static StringRef findName(Value array) {
  while (array) {
    if (StringRef name = getArrayName(array); !name.empty())
      return name;
    array = getViewedArray(array);
  }
  return "";
}

std::string pyk::describePattern(AccessOpInterface access,
                                 const AccessPattern &pattern) {
  StringRef name = findName(pattern.array);
  std::string array = name.empty() ? "an array" : name.str();
  // "reads" of one is "read" of many.
  std::string act =
      "neighbouring threads " + getAccessVerb(access).drop_back().str() + " ";
  ArrayType type = pattern.array.getType();
  switch (pattern.kind) {
  case AccessPattern::Same:
    return act + "one element of " + array;
  case AccessPattern::Steps: {
    if (pattern.isContiguous())
      return act + "neighbours in " + array +
             (pattern.step < 0 ? ", in reverse" : "");
    int64_t step = std::abs(pattern.step);
    bool areElements = step % pattern.bytes == 0 && pattern.recordBytes == 0;
    return act + array + " " +
           std::to_string(areElements ? step / pattern.bytes : step) +
           (areElements ? " elements apart" : " bytes apart");
  }
  case AccessPattern::Rows:
    return type.getRank() > 1
               ? act + "different rows of " + array
               : act + array + " at a distance that is no constant";
  case AccessPattern::Scattered:
    return act + array + " at places of no known pattern";
  }
  llvm_unreachable("all kinds are covered");
}

std::string pyk::suggestPattern(const AccessPattern &pattern) {
  ArrayType type = pattern.array.getType();
  switch (pattern.kind) {
  case AccessPattern::Same:
  case AccessPattern::Scattered:
    return "";
  case AccessPattern::Steps:
    if (pattern.isContiguous())
      return "";
    if (std::abs(pattern.step) == pattern.recordBytes)
      return "an array for each field would let them find neighbours";
    break;
  case AccessPattern::Rows:
    break;
  }
  if (pattern.isContiguousInY)
    return "swap what threadIdx.x and threadIdx.y stand for";
  if (type.getRank() > 1)
    return ("let threadIdx.x choose the " +
            Twine(type.getLayout() == Layout::F ? "first" : "last") + " index")
        .str();
  return "let neighbours take neighbouring elements";
}
