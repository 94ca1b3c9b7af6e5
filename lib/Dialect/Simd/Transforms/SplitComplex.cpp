// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conversion of one type to two: upstream's patterns take loops and
// conditions along, so what is here are the few ops that make complex numbers,
// or take them apart.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"

namespace pyk::simd {
#define GEN_PASS_DEF_SPLITCOMPLEXPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;

namespace {

/// The real part, then the imaginary one.
using Pair = std::array<Value, 2>;

class ComplexConverter : public TypeConverter {
public:
  ComplexConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](ComplexType type, SmallVectorImpl<Type> &parts) {
      parts.append(2, type.getElementType());
      return success();
    });
    // For ops that take and yield complex numbers still.
    addSourceMaterialization([](OpBuilder &builder, ComplexType type,
                                ValueRange parts, Location loc) -> Value {
      return complex::CreateOp::create(builder, loc, type, parts[0], parts[1]);
    });
    addTargetMaterialization([](OpBuilder &builder, TypeRange, ValueRange whole,
                                Location loc) -> SmallVector<Value> {
      if (whole.size() != 1 || !isa<ComplexType>(whole[0].getType()))
        return {};
      return {complex::ReOp::create(builder, loc, whole[0]),
              complex::ImOp::create(builder, loc, whole[0])};
    });
  }
};

struct CreateOpSplit : OpConversionPattern<complex::CreateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(complex::CreateOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts = {adaptor.getReal(), adaptor.getImaginary()};
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

template <typename Op, unsigned part>
struct PartOpSplit : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(Op op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getComplex()[part]);
    return success();
  }
};

struct ConstantOpSplit : OpConversionPattern<complex::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(complex::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Attribute part : op.getValue())
      parts.push_back(arith::ConstantOp::create(rewriter, op.getLoc(),
                                                cast<TypedAttr>(part)));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct PoisonOpSplit : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type part = cast<ComplexType>(op.getType()).getElementType();
    SmallVector<Value> parts(2,
                             ub::PoisonOp::create(rewriter, op.getLoc(), part));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct ShuffleOpSplit : OpConversionPattern<pyk::ShuffleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(pyk::ShuffleOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Value part : adaptor.getValue())
      parts.push_back(pyk::ShuffleOp::create(
          rewriter, op.getLoc(), part.getType(), op.getKind(), op.getMask(),
          part, op.getOffset(), op.getWidth()));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct SelectOpSplit : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [yes, no] :
         llvm::zip(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), adaptor.getCondition().front(), yes, no));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

} // namespace

/// The element that `access` is about, if its parts can be accessed by
/// themselves; else null. No access of complex numbers has a hint.
static ElementOp getDivisible(AccessOpInterface access) {
  auto element = access.getArray().getDefiningOp<ElementOp>();
  auto load = dyn_cast<LoadOp>(*access);
  if (!element || (load && load.getIsVolatile()))
    return {};
  auto array = cast<ArrayType>(element.getArray().getType());
  bool isDivisible = isa<ComplexType>(array.getElementType()) &&
                     array.getLayout() == Layout::C && array.getRank() != 0;
  return isDivisible ? element : ElementOp();
}

/// Marks a view of real numbers of which the first half are real parts, and the
/// second imaginary ones.
static constexpr StringLiteral kHalves = "halves";

/// The parts of `element`, a complex number, in memory.
static Pair getParts(ElementOp element, OpBuilder &builder) {
  Location loc = element.getLoc();
  auto type = cast<ArrayType>(element.getArray().getType());
  Type real = cast<ComplexType>(type.getElementType()).getElementType();
  Value array = element.getArray();
  auto view = array.getDefiningOp<ReinterpretOp>();
  if (view && view.getArray().getType().getElementType() == real)
    array = view.getArray();
  else
    array = ReinterpretOp::create(
        builder, loc, ReinterpretOp::getReinterpretedType(type, real), array);
  auto makeNumber = [&](int64_t number) {
    return arith::ConstantIntOp::create(builder, loc, number, 64);
  };
  // Bytes of memory are fewer than 2^63.
  auto flags = arith::IntegerOverflowFlags::nsw;
  bool hasHalves = view && view->hasAttr(kHalves);
  Value first = element.getOffset();
  if (!hasHalves)
    first = arith::MulIOp::create(builder, loc, first, makeNumber(2), flags);
  Value distance = makeNumber(hasHalves ? type.getNumElements() : 1);
  Value second = arith::AddIOp::create(builder, loc, first, distance, flags);
  return {ElementOp::create(builder, loc, array, first),
          ElementOp::create(builder, loc, array, second)};
}

/// Makes of an array of the kernel one of real numbers, if only elements of it
/// are accessed: neighbours then have their real parts beside each other.
/// Returns the view of it that is of complex ones, or null.
static ReinterpretOp splitOwnArray(AllocOp alloc) {
  ArrayType type = alloc.getType();
  auto number = dyn_cast<ComplexType>(type.getElementType());
  if (!number || type.getRank() == 0 || !type.hasStaticShape())
    return {};
  for (Operation *user : alloc->getUsers())
    if (!isa<ElementOp>(user) ||
        !llvm::all_of(user->getUsers(), [](Operation *access) {
          return isa<LoadOp, StoreOp>(access) &&
                 getDivisible(cast<AccessOpInterface>(access));
        }))
      return {};
  OpBuilder builder(alloc);
  Value real = AllocOp::create(
      builder, alloc.getLoc(),
      ReinterpretOp::getReinterpretedType(type, number.getElementType()),
      alloc.getAlignmentAttr());
  auto view = ReinterpretOp::create(builder, alloc.getLoc(), type, real);
  view->setAttr(kHalves, builder.getUnitAttr());
  alloc.replaceAllUsesWith(view.getResult());
  alloc.erase();
  return view;
}

namespace {

struct LoadOpSplit : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Value part : getParts(getDivisible(op), rewriter))
      parts.push_back(
          LoadOp::create(rewriter, op.getLoc(), part, ValueRange()));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct StoreOpSplit : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Pair parts = getParts(getDivisible(op), rewriter);
    for (auto [value, part] : llvm::zip(adaptor.getValue(), parts))
      StoreOp::create(rewriter, op.getLoc(), value, part, ValueRange());
    rewriter.eraseOp(op);
    return success();
  }
};

class SplitComplexPass
    : public pyk::simd::impl::SplitComplexPassBase<SplitComplexPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    ComplexConverter converter;
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<complex::CreateOp, complex::ReOp, complex::ImOp,
                        complex::ConstantOp>();
    target.addDynamicallyLegalOp<ub::PoisonOp, arith::SelectOp, pyk::ShuffleOp>(
        [](Operation *op) {
          return !isa<ComplexType>(op->getResult(0).getType());
        });
    target.addDynamicallyLegalOp<LoadOp>(
        [](LoadOp op) { return !getDivisible(op); });
    target.addDynamicallyLegalOp<StoreOp>(
        [](StoreOp op) { return !getDivisible(op); });
    RewritePatternSet patterns(context);
    patterns.add<CreateOpSplit, PartOpSplit<complex::ReOp, 0>,
                 PartOpSplit<complex::ImOp, 1>, ConstantOpSplit, PoisonOpSplit,
                 SelectOpSplit, ShuffleOpSplit, LoadOpSplit, StoreOpSplit>(
        converter, context);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    SmallVector<ReinterpretOp> views;
    getOperation().walk([&](AllocOp alloc) {
      if (ReinterpretOp view = splitOwnArray(alloc))
        views.push_back(view);
    });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    for (ReinterpretOp view : views) {
      for (Operation *user : llvm::make_early_inc_range(view->getUsers()))
        user->erase();
      view.erase();
    }
  }
};

} // namespace
