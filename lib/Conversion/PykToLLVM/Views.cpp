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

/// Where a view begins that is not moved: where `array` does.
template <typename Op>
static Value getPointer(Op, ArrayValue &array, ImplicitLocOpBuilder &,
                        ConversionPatternRewriter &) {
  return array.getPointer();
}

static Value getPointer(ViewOp op, ArrayValue &array, ImplicitLocOpBuilder &,
                        ConversionPatternRewriter &rewriter) {
  Value pointer = array.getPointer();
  for (const ViewOp::Part &part : op.getParts())
    if (part.first)
      pointer = array.advance(pointer, part.source,
                              rewriter.getRemappedValue(part.first));
  return pointer;
}

/// The pointer to the field is one to the record, moved by the field's offset.
static Value getPointer(FieldOp op, ArrayValue &array, ImplicitLocOpBuilder &b,
                        ConversionPatternRewriter &) {
  Value pointer = array.getPointer();
  auto offset = static_cast<int32_t>(op.getField().getOffset());
  return LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>(offset));
}

/// A number that a dimension of `array` is the extent of, and what `from` says.
static Value getExtent(const ViewedDimension &from, ArrayValue &array,
                       ImplicitLocOpBuilder &b,
                       ConversionPatternRewriter &rewriter) {
  if (from.count)
    return rewriter.getRemappedValue(from.count);
  Value extent = array.getExtent(from.extent);
  auto makeNumber = [&](int64_t number) -> Value {
    return LLVM::ConstantOp::create(b, b.getI64Type(), number);
  };
  if (from.multiplier != 1)
    extent = LLVM::MulOp::create(b, extent, makeNumber(from.multiplier));
  if (from.divisor != 1)
    extent = LLVM::UDivOp::create(b, extent, makeNumber(from.divisor));
  return extent;
}

static Value getStride(const ViewedDimension &from, ArrayValue &array,
                       ImplicitLocOpBuilder &b,
                       ConversionPatternRewriter &rewriter) {
  if (from.stride < 0)
    return LLVM::ConstantOp::create(b, b.getI64Type(), from.bytes);
  Value stride = array.getStride(from.stride);
  return from.step ? LLVM::MulOp::create(b, stride,
                                         rewriter.getRemappedValue(from.step))
                         .getResult()
                   : stride;
}

namespace {

/// Computes those sizes that the type leaves open.
template <typename Op>
struct ArrayViewLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayValue array(op.getArray().getType(), adaptor.getArray(), b);
    ArrayType type = op.getType();
    Value pointer = getPointer(op, array, b, rewriter);
    auto expected = LLVM::LLVMPointerType::get(
        b.getContext(), getAddressSpace(type.getSpace()));
    if (pointer.getType() != expected)
      pointer = LLVM::AddrSpaceCastOp::create(b, expected, pointer);
    SmallVector<Value> extents, strides;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (ShapedType::isDynamic(type.getShape()[i]))
        extents.push_back(
            getExtent(op.getViewedDimension(i), array, b, rewriter));
    if (type.getLayout() == Layout::Any)
      for (int64_t i = 0; i < type.getRank(); ++i)
        strides.push_back(
            getStride(op.getViewedDimension(i), array, b, rewriter));
    rewriter.replaceOp(op,
                       ArrayValue::make(type, pointer, extents, strides, b));
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
  patterns.add<ArrayViewLowering<ViewOp>, ArrayViewLowering<TransposeOp>,
               ArrayViewLowering<ReshapeOp>, ArrayViewLowering<CastOp>,
               ArrayViewLowering<ReinterpretOp>, ArrayViewLowering<FieldOp>,
               ElementOpLowering, CopyRecordOpLowering>(converter);
}
