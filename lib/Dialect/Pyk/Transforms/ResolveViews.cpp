// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of views are elements of what is viewed, elsewhere. Canonicalization
// sees that within a function, by indices; here functions are inlined, and
// offsets stand in the place of indices.

#include "ExactOffsets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_RESOLVEVIEWSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

namespace {

/// Moves elements of one view to the array that is viewed. Offsets there count
/// elements, or bytes if its layout is any.
class ViewResolver {
public:
  ViewResolver(ArrayViewOpInterface view, ImplicitLocOpBuilder &b)
      : view(view), array(cast<TypedValue<ArrayType>>(
                        cast<ViewLikeOpInterface>(*view).getViewSource())),
        b(b) {}

  /// Lets `element`, of the view, be one of the array; false if nobody knows
  /// where it is there.
  bool move(ElementOp element);

private:
  Value locate(Value offset);
  Value makeBeginExact();
  void tellIndices(ElementOp element);
  bool isStrided() const { return array.getType().getLayout() == Layout::Any; }
  bool isC() const { return array.getType().getLayout() == Layout::C; }
  Value getDim(int64_t dimension) {
    return b.createOrFold<DimOp>(b.getI64Type(), array, dimension);
  }
  Value add(Value a, Value c) {
    return !a ? c : !c ? a : b.createOrFold<arith::AddIOp>(a, c);
  }
  Value multiply(Value a, Value c) {
    return !a ? c : !c ? a : b.createOrFold<arith::MulIOp>(a, c);
  }
  Value getStep(int64_t dimension);
  Value getBegin();
  Value getStride(StrideOp stride);
  Value toElements(Value bytes);

  ArrayViewOpInterface view;
  TypedValue<ArrayType> array;
  ImplicitLocOpBuilder &b;
};

} // namespace

/// How far neighbours of `dimension` of the array are from each other; null for
/// 1.
Value ViewResolver::getStep(int64_t dimension) {
  if (isStrided())
    return b.createOrFold<StrideOp>(b.getI64Type(), array, dimension);
  Value step;
  int64_t rank = array.getType().getRank();
  for (int64_t inner = isC() ? dimension + 1 : 0;
       inner < (isC() ? rank : dimension); ++inner)
    step = multiply(step, getDim(inner));
  return step;
}

/// Where the view begins in the array; null for its own begin.
Value ViewResolver::getBegin() {
  Value begin;
  if (auto part = dyn_cast<ViewOp>(*view))
    for (const ViewOp::Part &axis : part.getParts())
      if (axis.first)
        begin = add(begin, multiply(axis.first, getStep(axis.source)));
  return begin;
}

/// Whether the view's begin does not wrap around; null if it cannot. Slices
/// begin within the array, and other indices anywhere.
Value ViewResolver::makeBeginExact() {
  SmallVector<OffsetTerm> terms;
  if (auto part = dyn_cast<ViewOp>(*view))
    for (const ViewOp::Part &axis : part.getParts())
      if (axis.axis == Axis::Index) {
        OffsetTerm &term = terms.emplace_back(OffsetTerm{axis.first});
        if (Value step = getStep(axis.source))
          term.push_back(step);
      }
  return makeFits(terms, b);
}

/// The elements of the array that `stride`, of the view, is as long as; null if
/// that is nothing whole.
Value ViewResolver::getStride(StrideOp stride) {
  if (stride.getArray().getDefiningOp() != view.getOperation())
    return {};
  ViewedDimension from =
      view.getViewedDimension(static_cast<int64_t>(stride.getDimension()));
  if (from.stride < 0)
    return {};
  Value step = multiply(getStep(from.stride), from.step);
  return step
             ? step
             : arith::ConstantOp::create(b, b.getI64IntegerAttr(1)).getResult();
}

/// `bytes`, a sum of products of strides and constants, as elements; null if it
/// is something else.
Value ViewResolver::toElements(Value bytes) {
  int64_t size = array.getType().getElementBytes();
  APInt constant;
  if (matchPattern(bytes, m_ConstantInt(&constant))) {
    if (constant.getSExtValue() % size != 0)
      return {};
    return arith::ConstantOp::create(
        b, b.getI64IntegerAttr(constant.getSExtValue() / size));
  }
  if (auto stride = bytes.getDefiningOp<StrideOp>())
    return getStride(stride);
  auto sum = bytes.getDefiningOp<arith::AddIOp>();
  auto product = bytes.getDefiningOp<arith::MulIOp>();
  if (sum) {
    Value left = toElements(sum.getLhs());
    Value right = left ? toElements(sum.getRhs()) : Value();
    return right ? b.createOrFold<arith::AddIOp>(left, right) : Value();
  }
  if (!product)
    return {};
  Value left = product.getLhs(), right = product.getRhs();
  if (Value elements = toElements(right))
    return b.createOrFold<arith::MulIOp>(left, elements);
  Value elements = toElements(left);
  return elements ? b.createOrFold<arith::MulIOp>(elements, right) : Value();
}

/// Where in the array the element at `offset` of the view is; null if nobody
/// knows.
Value ViewResolver::locate(Value offset) {
  ArrayType own = cast<ArrayType>(view->getResult(0).getType());
  if (array.getType().getElementType() != own.getElementType() ||
      array.getType().getSpace() != own.getSpace() ||
      array.getType().getAlignment() != own.getAlignment())
    return {};
  bool isOfBytes = own.getLayout() == Layout::Any;
  // An array that is contiguous may be viewed as one of which that is not
  // known.
  if (isOfBytes && !isStrided())
    offset = toElements(offset);
  else if (!isOfBytes && isStrided())
    return {};
  return offset ? add(getBegin(), offset) : Value();
}

/// Lets messages tell the indices that `element` has in the array, unless these
/// follow from its offset there.
void ViewResolver::tellIndices(ElementOp element) {
  ArrayType own = element.getArray().getType();
  SmallVector<Value> indices(element.getIndices());
  bool isFlat = own.getRank() == 1 && own.getLayout() != Layout::Any;
  if (indices.empty() && isFlat)
    indices = {element.getOffset()};
  std::optional<SmallVector<Value>> viewed;
  bool isTold = array.getType().getRank() > 1 || isStrided();
  if (isTold && indices.size() == static_cast<size_t>(own.getRank()))
    viewed = view.getViewedIndices(indices, b, b.getLoc());
  element.getIndicesMutable().assign(viewed.value_or(SmallVector<Value>()));
}

static void setExact(ElementOp element, Value exact) {
  if (exact)
    element.getExactMutable().assign(exact);
}

bool ViewResolver::move(ElementOp element) {
  Value offset = locate(element.getOffset());
  if (!offset)
    return false;
  if (element->getParentOfType<FunctionOpInterface>()->hasAttr(kGuarded.name)) {
    tellIndices(element);
    setExact(element, makeAnd(element.getExact(), makeBeginExact(), b));
  }
  element.getArrayMutable().assign(array);
  element.getOffsetMutable().assign(offset);
  return true;
}

/// `op` if it is a view whose elements can be found in the array.
static ArrayViewOpInterface asPart(Operation *op) {
  return isa_and_present<ViewOp, TransposeOp, CastOp, ReshapeOp>(op)
             ? cast<ArrayViewOpInterface>(op)
             : ArrayViewOpInterface();
}

/// Lets `element` be one of an array that is no view, as far as it can be. Its
/// own indices and array say whether its offset is exact; the sums that lead
/// from view to view do not say it any more.
static void resolve(ElementOp element) {
  ImplicitLocOpBuilder b(element.getLoc(), element);
  if (element->getParentOfType<FunctionOpInterface>()->hasAttr(
          PykDialect::kGuardedAttrName))
    setExact(element, makeExact(element, b));
  while (auto view = asPart(element.getArray().getDefiningOp()))
    if (!ViewResolver(view, b).move(element))
      return;
}

namespace {

struct ResolveViewsPass : pyk::impl::ResolveViewsPassBase<ResolveViewsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<math::MathDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> views, sizes;
    getOperation()->walk([&](Operation *op) {
      if (auto element = dyn_cast<ElementOp>(op))
        resolve(element);
      else if (asPart(op))
        views.push_back(op);
      else if (isa<DimOp, StrideOp>(op))
        sizes.push_back(op);
    });
    if (views.empty())
      return;
    // Sizes of views are some of arrays, and many are needed no more.
    RewritePatternSet patterns(&getContext());
    StrideOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(sizes, frozen, config);
    // Those of views come first.
    for (Operation *view : llvm::reverse(views))
      if (isOpTriviallyDead(view))
        view->erase();
  }
};

} // namespace
