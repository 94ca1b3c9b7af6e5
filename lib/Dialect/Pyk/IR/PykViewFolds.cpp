// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds of views. Access through a view becomes access to the array itself, and
// a view of a view one view, so that a name for a part of an array costs
// nothing.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Views of views, and casts
//===----------------------------------------------------------------------===//

/// Whether extents times `step`, which may be null for 1, fit in 64 bits.
static bool isSmallStep(Value step) {
  constexpr unsigned bits = 15;
  APInt constant;
  return !step || (matchPattern(step, m_ConstantInt(&constant)) &&
                   constant.isSignedIntN(bits));
}

/// `index`, or one that is outside of every array in the same direction and
/// whose product with a small step fits in 64 bits.
static Value boundIndex(OpBuilder &builder, Location loc, Value index) {
  Operation *op = index.getDefiningOp();
  if (isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op))
    return index;
  auto limit = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(),
                                        number);
  };
  index =
      builder.createOrFold<arith::MaxSIOp>(loc, index, limit(-kExtentLimit));
  return builder.createOrFold<arith::MinSIOp>(loc, index, limit(kExtentLimit));
}

/// `first + index * step`; null is 0 for the first and 1 for the last.
static Value makePosition(OpBuilder &builder, Location loc, Value first,
                          Value index, Value step) {
  if (step)
    index = builder.createOrFold<arith::MulIOp>(loc, index, step);
  return first ? builder.createOrFold<arith::AddIOp>(loc, first, index) : index;
}

static bool isConstantOne(Value value) {
  return value && matchPattern(value, m_One());
}

namespace {

/// Makes one view of a view of a view.
struct ComposeViews : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  /// What the inner view does with a dimension, and the outer with what is left
  /// of it. Either may have no part in it, and is then `new` and `whole`.
  struct Step {
    ViewOp::Part inner, outer;
  };

  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getArray().getDefiningOp<ViewOp>();
    if (!inner)
      return failure();
    SmallVector<Step> steps = getSteps(inner, op);
    SmallVector<Axis> axes;
    for (const Step &step : steps) {
      // All elements of a new dimension are one, but its extent is 1.
      if (step.inner.axis == Axis::New && step.outer.count)
        return failure();
      // Slices begin within the array, and other indices anywhere.
      if (step.outer.axis == Axis::Index && !isSmallStep(step.inner.step))
        return failure();
      axes.push_back(compose(step));
    }
    Layout layout = op.getType().getLayout();
    if (!ViewOp::canHaveLayout(inner.getArray().getType(), axes, layout))
      return failure();
    SmallVector<Value> numbers;
    for (const Step &step : steps)
      addNumbers(step, numbers, rewriter, op.getLoc());
    rewriter.replaceOpWithNewOp<ViewOp>(op, inner.getArray(), numbers, axes,
                                        layout);
    return success();
  }

  static SmallVector<Step> getSteps(ViewOp inner, ViewOp outer) {
    SmallVector<Step> steps;
    SmallVector<ViewOp::Part> innerParts = inner.getParts(),
                              outerParts = outer.getParts();
    ViewOp::Part added{Axis::New, -1, -1, {}, {}, {}};
    ViewOp::Part kept{Axis::Whole, -1, -1, {}, {}, {}};
    auto *next = outerParts.begin();
    auto addNew = [&] {
      for (; next != outerParts.end() && next->axis == Axis::New; ++next)
        steps.push_back({added, kept});
    };
    for (const ViewOp::Part &part : innerParts) {
      if (part.result < 0) {
        steps.push_back({part, kept});
        continue;
      }
      addNew();
      // An index into a new dimension leaves nothing of it.
      if (part.axis != Axis::New || next->axis != Axis::Index)
        steps.push_back({part, *next});
      ++next;
    }
    addNew();
    return steps;
  }

  static Axis compose(const Step &step) {
    if (step.outer.axis == Axis::Whole)
      return step.inner.axis;
    if (step.outer.axis == Axis::Index)
      return Axis::Index;
    return step.inner.step || step.outer.step ? Axis::Strided : Axis::Part;
  }

  static void addNumbers(const Step &step, SmallVectorImpl<Value> &numbers,
                         OpBuilder &builder, Location loc) {
    const ViewOp::Part &inner = step.inner, &outer = step.outer;
    auto add = [&](ValueRange values) {
      for (Value value : values)
        if (value)
          numbers.push_back(value);
    };
    if (outer.axis == Axis::Whole)
      return add({inner.first, inner.count, inner.step});
    Value by = outer.step;
    if (inner.step && by)
      by = builder.createOrFold<arith::MulIOp>(loc, inner.step, by);
    else if (inner.step && outer.count)
      by = inner.step;
    Value index = outer.first;
    if (outer.axis == Axis::Index && inner.step)
      index = boundIndex(builder, loc, index);
    add({makePosition(builder, loc, inner.first, index, inner.step),
         outer.count, by});
  }
};

/// Replaces a view of everything by the array.
struct DropWholeView : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    if (!llvm::all_of(op.getAxisList(),
                      [](Axis axis) { return axis == Axis::Whole; }))
      return failure();
    if (op.getType() == op.getArray().getType())
      rewriter.replaceOp(op, op.getArray());
    else
      rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), op.getArray());
    return success();
  }
};

/// Replaces a step of 1 by none.
struct DropUnitStep : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Axis> axes;
    SmallVector<Value> numbers;
    bool changed = false;
    for (const ViewOp::Part &part : op.getParts()) {
      bool isUnit = isConstantOne(part.step);
      changed |= isUnit;
      axes.push_back(isUnit ? Axis::Part : part.axis);
      // The step may be the very value that the others are.
      Value step = isUnit ? Value() : part.step;
      for (Value number : {part.first, part.count, step})
        if (number)
          numbers.push_back(number);
    }
    if (!changed)
      return failure();
    rewriter.replaceOpWithNewOp<ViewOp>(op, op.getArray(), numbers, axes,
                                        op.getType().getLayout());
    return success();
  }
};

} // namespace

void ViewOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<ComposeViews, DropWholeView, DropUnitStep>(context);
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getArray().getType() == getType())
    return getArray();
  if (auto inner = getArray().getDefiningOp<CastOp>()) {
    getArrayMutable().assign(inner.getArray());
    return getResult();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Extents and strides
//===----------------------------------------------------------------------===//

/// The array that `view` is of.
static Value getViewedArray(ArrayViewOpInterface view) {
  return cast<ViewLikeOpInterface>(view.getOperation()).getViewSource();
}

/// Makes `op` ask `array` for `dimension` instead.
template <typename Op>
static OpFoldResult askInstead(Op op, Value array, int64_t dimension) {
  op.getArrayMutable().assign(array);
  op.setDimension(dimension);
  return op.getResult();
}

/// The dynamic extent among `extents` that is along `dimension`.
static Value getDynamicExtent(ArrayType type, ValueRange extents,
                              int64_t dimension) {
  return extents[llvm::count_if(type.getShape().take_front(dimension),
                                ShapedType::isDynamic)];
}

/// The extent that `dim` asks for, 64 bits wide, if it is at hand.
static OpFoldResult findExtent(DimOp dim) {
  ArrayType type = dim.getArray().getType();
  int64_t dimension = dim.getDimension(), extent = type.getShape()[dimension];
  if (!ShapedType::isDynamic(extent))
    return Builder(dim.getContext()).getI64IntegerAttr(extent);
  Operation *source = dim.getArray().getDefiningOp();
  if (auto pointer = dyn_cast_if_present<FromPointerOp>(source))
    return getDynamicExtent(type, pointer.getExtents(), dimension);
  if (auto shared = dyn_cast_if_present<LaunchSharedOp>(source))
    return getDynamicExtent(type, shared.getExtents(), dimension);
  auto shared = dyn_cast_if_present<DynamicSharedOp>(source);
  if (shared && !shared.getExtents().empty())
    return getDynamicExtent(type, shared.getExtents(), dimension);
  auto view = dyn_cast_if_present<ArrayViewOpInterface>(source);
  return view ? view.getViewedDimension(dimension).count : OpFoldResult();
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  OpFoldResult extent = findExtent(*this);
  if (auto known = dyn_cast_if_present<Attribute>(extent))
    return IntegerAttr::get(getType(),
                            cast<IntegerAttr>(known).getValue().trunc(
                                getType().getIntOrFloatBitWidth()));
  if (extent)
    return getType().isInteger(64) ? extent : OpFoldResult();
  auto view = getArray().getDefiningOp<ArrayViewOpInterface>();
  if (!view)
    return {};
  ViewedDimension from = view.getViewedDimension(getDimension());
  return from.hasSameExtent()
             ? askInstead(*this, getViewedArray(view), from.extent)
             : OpFoldResult();
}

LogicalResult DimOp::canonicalize(DimOp op, PatternRewriter &rewriter) {
  auto extent = dyn_cast_if_present<Value>(findExtent(op));
  if (!extent || op.getType().isInteger(64))
    return failure();
  auto fits = arith::IntegerOverflowFlagsAttr::get(
      op.getContext(),
      arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
  rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), extent, fits);
  return success();
}

OpFoldResult StrideOp::fold(FoldAdaptor) {
  auto dimension = static_cast<int64_t>(getDimension());
  Operation *source = getArray().getDefiningOp();
  if (getArray().getType().getLayout() != Layout::Any)
    return {};
  if (auto pointer = dyn_cast_if_present<FromPointerOp>(source))
    return pointer.getStrides()[dimension];
  if (auto known = dyn_cast_if_present<DeviceArrayOp>(source))
    return IntegerAttr::get(getType(), known.getStrides()[dimension]);
  return {};
}

namespace {
/// Asks the array that a view is of for its stride.
struct StrideOfView : OpRewritePattern<StrideOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StrideOp op,
                                PatternRewriter &rewriter) const override {
    auto view = op.getArray().getDefiningOp<ArrayViewOpInterface>();
    if (!view)
      return failure();
    ViewedDimension from =
        view.getViewedDimension(static_cast<int64_t>(op.getDimension()));
    if (from.stride < 0)
      return failure();
    Value stride = StrideOp::create(rewriter, op.getLoc(), op.getType(),
                                    getViewedArray(view),
                                    rewriter.getI64IntegerAttr(from.stride));
    rewriter.replaceOp(
        op, makePosition(rewriter, op.getLoc(), {}, stride, from.step));
    return success();
  }
};
} // namespace

void StrideOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<StrideOfView>(context);
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

std::optional<SmallVector<Value>>
ViewOp::getViewedIndices(ValueRange indices, OpBuilder &builder, Location loc) {
  SmallVector<Value> viewed;
  for (const Part &part : getParts()) {
    if (!isSmallStep(part.step))
      return std::nullopt;
    if (part.axis == Axis::Index) {
      viewed.push_back(part.first);
    } else if (part.axis != Axis::New) {
      Value index = indices[part.result];
      if (part.step)
        index = boundIndex(builder, loc, index);
      viewed.push_back(
          makePosition(builder, loc, part.first, index, part.step));
    }
  }
  return viewed;
}

namespace {
template <typename AccessOp>
struct AccessThroughView : OpRewritePattern<AccessOp> {
  using OpRewritePattern<AccessOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(AccessOp op,
                                PatternRewriter &rewriter) const override {
    auto view = op.getArray().template getDefiningOp<ArrayViewOpInterface>();
    if (!view)
      return failure();
    std::optional<SmallVector<Value>> indices =
        view.getViewedIndices(op.getIndices(), rewriter, op.getLoc());
    if (!indices)
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getArrayMutable().assign(getViewedArray(view));
      op.getIndicesMutable().assign(*indices);
    });
    return success();
  }
};
} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<AccessThroughView<LoadOp>>(context);
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<AccessThroughView<StoreOp>>(context);
}

void AtomicOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<AccessThroughView<AtomicOp>>(context);
}

void AtomicCasOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<AccessThroughView<AtomicCasOp>>(context);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

std::pair<int64_t, int64_t> pyk::getSliceBounds(int64_t extent,
                                                IntegerAttr lower,
                                                IntegerAttr upper,
                                                IntegerAttr stepAttr) {
  int64_t step = stepAttr ? stepAttr.getValue().getSExtValue() : 1;
  int64_t least = step < 0 ? -1 : 0, most = step < 0 ? extent - 1 : extent;
  auto place = [&](IntegerAttr bound, int64_t otherwise) {
    if (!bound)
      return otherwise;
    int64_t value = bound.getValue().getSExtValue();
    return std::clamp(value < 0 ? value + extent : value, least, most);
  };
  int64_t first = place(lower, step < 0 ? most : least);
  int64_t last = place(upper, step < 0 ? least : most);
  int64_t span = step < 0 ? first - last : last - first;
  if (span <= 0 || step == 0)
    return {first, 0};
  // The smallest number has no magnitude, but reads as one without a sign.
  uint64_t by = step < 0 ? -static_cast<uint64_t>(step) : step;
  return {first, static_cast<int64_t>((span - 1) / by + 1)};
}

LogicalResult SliceBoundsOp::fold(FoldAdaptor adaptor,
                                  SmallVectorImpl<OpFoldResult> &results) {
  auto extent = dyn_cast_if_present<IntegerAttr>(adaptor.getExtent());
  auto lower = dyn_cast_if_present<IntegerAttr>(adaptor.getLower());
  auto upper = dyn_cast_if_present<IntegerAttr>(adaptor.getUpper());
  auto step = dyn_cast_if_present<IntegerAttr>(adaptor.getStep());
  if (!extent || extent.getInt() < 0 || (getLower() && !lower) ||
      (getUpper() && !upper) || (getStep() && !step))
    return failure();
  auto [first, count] = getSliceBounds(extent.getInt(), lower, upper, step);
  Type type = getFirst().getType();
  results.push_back(IntegerAttr::get(type, first));
  results.push_back(IntegerAttr::get(type, count));
  return success();
}
