// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of arrays, and views that canonicalization has left: those that are
// passed to functions or chosen between, and records with their fields. Only
// sizes that the view needs are computed with, because a kernel leaves the
// others out, and 0 times what is left out is no zero.

#include "ArrayValue.h"
#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;

/// The array of type `type` at `pointer` whose sizes the functions yield, asked
/// for those dimensions that the type leaves open.
static Value makeArray(ArrayType type, Value pointer,
                       function_ref<Value(int64_t)> getExtent,
                       function_ref<Value(int64_t)> getStride,
                       ImplicitLocOpBuilder &b) {
  SmallVector<Value> extents, strides;
  for (auto [dimension, extent] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(extent))
      extents.push_back(getExtent(static_cast<int64_t>(dimension)));
  if (type.getLayout() == Layout::Any)
    for (int64_t dimension = 0; dimension < type.getRank(); ++dimension)
      strides.push_back(getStride(dimension));
  return ArrayValue::make(type, pointer, extents, strides, b);
}

namespace {

struct ViewOpLowering : ConvertOpToLLVMPattern<ViewOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayValue array(op.getArray().getType(), adaptor.getArray(), b);
    SmallVector<ViewOp::Part> parts = op.getParts(), kept;
    Value pointer = array.getPointer();
    for (const ViewOp::Part &part : parts) {
      if (part.first)
        pointer = array.advance(pointer, part.source,
                                rewriter.getRemappedValue(part.first));
      if (part.result >= 0)
        kept.push_back(part);
    }
    auto getExtent = [&](int64_t dimension) {
      const ViewOp::Part &part = kept[dimension];
      return part.count ? rewriter.getRemappedValue(part.count)
                        : array.getExtent(part.source);
    };
    auto getStride = [&](int64_t dimension) -> Value {
      const ViewOp::Part &part = kept[dimension];
      if (part.axis == Axis::New)
        return LLVM::ConstantOp::create(b, b.getI64Type(), 0);
      Value stride = array.getStride(part.source);
      return part.step ? LLVM::MulOp::create(
                             b, stride, rewriter.getRemappedValue(part.step))
                             .getResult()
                       : stride;
    };
    rewriter.replaceOp(
        op, makeArray(op.getType(), pointer, getExtent, getStride, b));
    return success();
  }
};

struct ElementOpLowering : ConvertOpToLLVMPattern<ElementOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ElementOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayValue array(op.getArray().getType(), adaptor.getArray(), b);
    rewriter.replaceOp(op, array.getElement(adaptor.getOffset()));
    return success();
  }
};

struct TransposeOpLowering : ConvertOpToLLVMPattern<TransposeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayValue array(op.getArray().getType(), adaptor.getArray(), b);
    ArrayRef<int64_t> order = op.getOrder();
    rewriter.replaceOp(
        op, makeArray(
                op.getType(), array.getPointer(),
                [&](int64_t i) { return array.getExtent(order[i]); },
                [&](int64_t i) { return array.getStride(order[i]); }, b));
    return success();
  }
};

struct ReshapeOpLowering : ConvertOpToLLVMPattern<ReshapeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayValue array(op.getArray().getType(), adaptor.getArray(), b);
    rewriter.replaceOp(op, ArrayValue::make(op.getType(), array.getPointer(),
                                            adaptor.getExtents(), {}, b));
    return success();
  }
};

struct CastOpLowering : ConvertOpToLLVMPattern<CastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayValue array(op.getArray().getType(), adaptor.getArray(), b);
    Value pointer = array.getPointer();
    auto expected = LLVM::LLVMPointerType::get(
        b.getContext(), getAddressSpace(op.getType().getSpace()));
    if (pointer.getType() != expected)
      pointer = LLVM::AddrSpaceCastOp::create(b, expected, pointer);
    rewriter.replaceOp(op,
                       makeArray(
                           op.getType(), pointer,
                           [&](int64_t i) { return array.getExtent(i); },
                           [&](int64_t i) { return array.getStride(i); }, b));
    return success();
  }
};

struct ReinterpretOpLowering : ConvertOpToLLVMPattern<ReinterpretOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ReinterpretOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayType type = op.getArray().getType();
    ArrayValue array(type, adaptor.getArray(), b);
    int64_t from = type.getElementBytes(), to = op.getType().getElementBytes();
    auto getExtent = [&](int64_t dimension) -> Value {
      Value extent = array.getExtent(dimension);
      if (from == to || dimension + 1 != type.getRank())
        return extent;
      Value factor = LLVM::ConstantOp::create(
          b, b.getI64Type(), std::max(from, to) / std::min(from, to));
      return from > to ? LLVM::MulOp::create(b, extent, factor).getResult()
                       : LLVM::UDivOp::create(b, extent, factor).getResult();
    };
    rewriter.replaceOp(
        op,
        makeArray(
            op.getType(), array.getPointer(), getExtent,
            [&](int64_t dimension) { return array.getStride(dimension); }, b));
    return success();
  }
};

/// The pointer to the field is one to the record, moved by the field's offset.
struct FieldOpLowering : ConvertOpToLLVMPattern<FieldOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FieldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayType type = op.getArray().getType();
    ArrayValue array(type, adaptor.getArray(), b);
    FieldAttr field = op.getField();
    Value pointer = array.getPointer();
    pointer = LLVM::GEPOp::create(
        b, pointer.getType(), b.getI8Type(), pointer,
        ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(field.getOffset())));
    auto getStride = [&](int64_t dimension) -> Value {
      if (dimension < type.getRank())
        return array.getStride(dimension);
      int64_t bytes = ArrayType::getBytes(field.getType());
      for (int64_t inner :
           field.getShape().drop_front(dimension - type.getRank() + 1))
        bytes *= inner;
      return LLVM::ConstantOp::create(b, b.getI64Type(), bytes);
    };
    rewriter.replaceOp(
        op, makeArray(
                op.getType(), pointer,
                [&](int64_t dimension) { return array.getExtent(dimension); },
                getStride, b));
    return success();
  }
};

struct CopyRecordOpLowering : ConvertOpToLLVMPattern<CopyRecordOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(CopyRecordOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayType source = op.getSource().getType(),
              target = op.getTarget().getType();
    Value size =
        LLVM::ConstantOp::create(b, b.getI64Type(), target.getElementBytes());
    auto copy = LLVM::MemmoveOp::create(
        b, ArrayValue(target, adaptor.getTarget(), b).getPointer(),
        ArrayValue(source, adaptor.getSource(), b).getPointer(), size,
        op.getIsVolatile());
    auto align = [&](ArrayType type) {
      return b.getDictionaryAttr(
          b.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                         b.getI64IntegerAttr(type.getAlignment())));
    };
    copy.setArgAttrsAttr(b.getArrayAttr(
        {align(target), align(source), b.getDictionaryAttr({})}));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void pyk::populateViewPatterns(LLVMTypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<ViewOpLowering, ElementOpLowering, TransposeOpLowering,
               ReshapeOpLowering, CastOpLowering, ReinterpretOpLowering,
               FieldOpLowering, CopyRecordOpLowering>(converter);
}
