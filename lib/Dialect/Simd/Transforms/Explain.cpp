// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is slow in kernels that run as vectors, or might: said before the kernel
// is rewritten, by the questions that rewriting it asks.

#include "Explain.h"
#include "AccessVectorizer.h"
#include "LaneAxis.h"
#include "Plan.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pyk/Dialect/Pyk/Analysis/AccessPatterns.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/Transforms/Remarks.h"
#include "pyk/Support/Remarks.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

void pyk::simd::remarkNoVectors(gpu::GPUFuncOp kernel, Location loc,
                                StringRef reason, StringRef advice) {
  StringRef name = kernel.getName();
  auto remark = remark::missed(loc, remarkOn(name, "vectors", kCpuRemarks));
  remark << remark::add("kernel '{0}' does not run as vectors", name)
         << remark::reason("{0}", reason);
  if (!advice.empty())
    remark << remark::suggest("{0}", advice);
}

void pyk::simd::remarkVectors(gpu::GPUFuncOp kernel, const Tile &tile) {
  StringRef name = kernel.getName();
  unsigned axis = getLaneAxis(kernel);
  std::array<int64_t, 3> block = tile.getBlock();
  std::swap(block[0], block[axis]);
  auto [rows, strips, lanes] = tile.getDimensions();
  int64_t all = tile.getRowsOfBlock() * tile.getStripsOfBlock();
  std::string part =
      tile.isWholeBlock()
          ? "a whole block at a time"
          : (Twine(rows * strips) + " of " + Twine(all) + " at a time").str();
  remark::passed(kernel.getLoc(), remarkOn(name, "vectors", kCpuRemarks))
      << remark::add("kernel '{0}' runs blocks of {1} x {2} x {3} threads as "
                     "vectors of {4}{5}, {6}",
                     name, block[0], block[1], block[2], lanes,
                     axis == 0 ? "" : std::string(" along ") + "xyz"[axis],
                     part);
}

/// Whether neighbours access one part of complex numbers that are neighbours.
static bool arePartsOfComplex(const AccessPattern &pattern) {
  auto view = pattern.array.getDefiningOp<ReinterpretOp>();
  return view && isa<ComplexType>(view.getArray().getType().getElementType()) &&
         std::abs(pattern.step) == 2 * pattern.bytes;
}

/// What function `op` computes; empty if it is no function.
static StringRef getFunctionName(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect()))
    return op->getName().stripDialect();
  auto function = dyn_cast<LibdeviceOp>(op);
  return function ? function.getFunction() : "";
}

namespace {

/// Says what is slow in one kernel.
class Explainer {
public:
  Explainer(gpu::GPUFuncOp kernel, const Tile &tile,
            const LaneShapeAnalysis &shapes)
      : kernel(kernel), name(kernel.getName()), tile(tile), shapes(shapes) {}

  void explain(Operation *op);

private:
  void explainAccess(AccessOpInterface access);
  void explainPlain(AccessOpInterface access, const AccessPattern &pattern);

  remark::detail::InFlightRemark start(Operation *op, StringRef remark) {
    return remark::missed(op->getLoc(), remarkOn(name, remark, kCpuRemarks));
  }

  gpu::GPUFuncOp kernel;
  StringRef name;
  const Tile &tile;
  const LaneShapeAnalysis &shapes;
};

} // namespace

/// Whether which threads do `op` depends on what they have read.
static bool isChosenByData(Operation *op, const LaneShapeAnalysis &shapes) {
  SetVector<Value> needed;
  for (auto around = op->getParentOfType<scf::IfOp>(); around;
       around = around->getParentOfType<scf::IfOp>())
    needed.insert(around.getCondition());
  for (size_t i = 0; i < needed.size(); ++i) {
    Operation *from = needed[i].getDefiningOp();
    if (!from || shapes.getShape(needed[i]).hasNoAxis())
      continue;
    if (isa<AccessOpInterface>(from))
      return true;
    needed.insert(from->operand_begin(), from->operand_end());
  }
  return false;
}

/// Of loads and stores.
void Explainer::explainPlain(AccessOpInterface access,
                             const AccessPattern &pattern) {
  // Each thread has one of its own.
  if (getLocalArray(access.getArray())) {
    if (pattern.kind == AccessPattern::Scattered)
      start(access, "gather")
          << describePattern(access, pattern)
          << remark::reason("vectors collect the elements one by one");
    return;
  }
  std::optional<Address> address = findAddress(access.getArray(), shapes);
  if (!address)
    return;
  if (!address->offset || shapes.getShape(address->offset).hasNoAxis()) {
    if (auto store = dyn_cast<pyk::StoreOp>(access.getOperation());
        store && !shapes.getShape(store.getValue()).hasNoAxis())
      start(access, "serial") << describePattern(access, pattern)
                              << remark::reason("they do so one by one");
    return;
  }
  const LaneShape &shape = shapes.getShape(address->offset);
  int64_t step = getStep(tile, shape, address->array);
  bool isTogether = step != 0
                        ? isa<pyk::LoadOp>(access.getOperation())
                        : getRowsTogether(tile, shape, address->array) != 0 &&
                              !isChosenByData(access, shapes);
  if (step == 1 || isTogether || pattern.kind == AccessPattern::Same)
    return;
  auto remark = start(access, "gather");
  unsigned axis = getLaneAxis(kernel);
  std::string vectors =
      axis == 0 ? "vectors" : std::string("vectors along ") + "xyz"[axis];
  if (arePartsOfComplex(pattern)) {
    remark << "complex numbers are two parts"
           << remark::reason("{0} collect each of them one by one", vectors);
    return;
  }
  remark << describePattern(access, pattern)
         << remark::reason("{0} collect the elements one by one", vectors);
  // How a tile is read is what it is for.
  bool isShared = pattern.array.getType().getSpace() == Space::Shared;
  // It is about neighbours along x, and so is the advice.
  std::string advice = isShared || axis != 0 ? "" : suggestPattern(pattern);
  if (pattern.isContiguous() && pattern.step > 0)
    advice = std::string("let blockDim.") + "xyz"[axis] + " be a multiple of " +
             std::to_string(tile.getLanes());
  if (!advice.empty())
    remark << remark::suggest("{0}", advice);
}

void Explainer::explainAccess(AccessOpInterface access) {
  std::optional<AccessPattern> pattern = getAccessPattern(access, shapes);
  if (!pattern)
    return;
  if (isa<pyk::LoadOp, pyk::StoreOp>(access.getOperation()))
    return explainPlain(access, *pattern);
  auto remark = start(access, "serial");
  remark << describePattern(access, *pattern)
         << remark::reason("they do so one by one");
  if (pattern->kind == AccessPattern::Same)
    remark << remark::suggest(
        "add up what the threads of a warp or block have first");
}

void Explainer::explain(Operation *op) {
  if (auto access = dyn_cast<AccessOpInterface>(op))
    return explainAccess(access);
  bool varies = llvm::any_of(op->getResults(), [&](Value value) {
    return value.getType().isIntOrFloat() &&
           !shapes.getShape(value).hasNoAxis();
  });
  if (!varies || hasVectorForm(op) || op->getNumRegions() != 0)
    return;
  if (StringRef function = getFunctionName(op); !function.empty())
    start(op, "serial") << remark::add("{0} has no form for vectors", function)
                        << remark::reason("threads compute it one by one");
}

void pyk::simd::explainKernel(gpu::GPUFuncOp kernel, const Tile &tile,
                              const LaneShapeAnalysis &shapes) {
  Explainer explainer(kernel, tile, shapes);
  DenseSet<Block *> told = findToldBlocks(kernel);
  kernel.getBody().walk([&](Operation *op) {
    if (!told.contains(op->getBlock()) && !isForOverlap(op))
      explainer.explain(op);
  });
}
