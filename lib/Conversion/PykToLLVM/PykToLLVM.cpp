// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for what is left of the pyk dialect in stage gpu: extents, barriers
// and conversions here, elements in Accesses.cpp, arrays that a kernel owns in
// OwnedArrays.cpp, views in Views.cpp, printing in Host.cpp, atomic operations
// and fences in Atomics.cpp, warps in Warps.cpp. Barriers and spin hints become
// the NVVM ops that the reference target binds to its runtime.

#include "pyk/Conversion/PykToLLVM.h"
#include "ArrayValue.h"
#include "Patterns.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Libdevice/Libdevice.h"
#include "pyk/Support/GridBarrier.h"

using namespace mlir;
using namespace pyk;

/// Nanoseconds that a thread sleeps between two looks at what it waits for.
static constexpr int32_t kSpinNanoseconds = 20;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

namespace {

struct DimOpLowering : ConvertOpToLLVMPattern<DimOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayValue array(op.getArray().getType(), adaptor.getArray(), b);
    Value extent = array.getExtent(op.getDimension());
    if (!op.getType().isInteger(64))
      extent = LLVM::TruncOp::create(b, op.getType(), extent,
                                     LLVM::IntegerOverflowFlags::nsw |
                                         LLVM::IntegerOverflowFlags::nuw);
    rewriter.replaceOp(op, extent);
    return success();
  }
};

struct StrideOpLowering : ConvertOpToLLVMPattern<StrideOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(StrideOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayValue array(op.getArray().getType(), adaptor.getArray(), b);
    rewriter.replaceOp(op, array.getStride(op.getDimension()));
    return success();
  }
};

struct AddressOpLowering : ConvertOpToLLVMPattern<AddressOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AddressOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value pointer =
        ArrayValue(op.getArray().getType(), adaptor.getArray(), b).getPointer();
    auto generic = LLVM::LLVMPointerType::get(op.getContext());
    if (pointer.getType() != generic)
      pointer = LLVM::AddrSpaceCastOp::create(b, generic, pointer);
    rewriter.replaceOpWithNewOp<LLVM::PtrToIntOp>(op, op.getType(), pointer);
    return success();
  }
};

struct ToPointerOpLowering : ConvertOpToLLVMPattern<ToPointerOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ToPointerOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value pointer =
        ArrayValue(op.getArray().getType(), adaptor.getArray(), b).getPointer();
    if (pointer.getType() != op.getType())
      pointer = LLVM::AddrSpaceCastOp::create(b, op.getType(), pointer);
    rewriter.replaceOp(op, pointer);
    return success();
  }
};

struct DeviceArrayOpLowering : ConvertOpToLLVMPattern<DeviceArrayOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DeviceArrayOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayType type = op.getResult().getType();
    auto makeNumber = [&](int64_t number) -> Value {
      return LLVM::ConstantOp::create(b, b.getI64Type(), number);
    };
    Value pointer = LLVM::IntToPtrOp::create(
        b,
        LLVM::LLVMPointerType::get(b.getContext(),
                                   getAddressSpace(type.getSpace())),
        makeNumber(static_cast<int64_t>(op.getAddress())));
    auto strides = llvm::map_to_vector(op.getStrides(), makeNumber);
    rewriter.replaceOp(op, ArrayValue::make(type, pointer, {}, strides, b));
    return success();
  }
};

struct FromPointerOpLowering : ConvertOpToLLVMPattern<FromPointerOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FromPointerOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayType type = op.getResult().getType();
    Value pointer = adaptor.getPointer();
    auto expected = LLVM::LLVMPointerType::get(
        b.getContext(), getAddressSpace(type.getSpace()));
    if (pointer.getType() != expected)
      pointer = LLVM::AddrSpaceCastOp::create(b, expected, pointer);
    rewriter.replaceOp(op, ArrayValue::make(type, pointer, adaptor.getExtents(),
                                            adaptor.getStrides(), b));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Other threads, and numbers
//===----------------------------------------------------------------------===//

namespace {

struct BarrierOpLowering : ConvertOpToLLVMPattern<BarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getVote()) {
      rewriter.replaceOpWithNewOp<NVVM::BarrierOp>(op);
      return success();
    }
    Type i32 = rewriter.getI32Type();
    Value predicate = LLVM::ZExtOp::create(rewriter, op.getLoc(), i32,
                                           adaptor.getPredicate());
    rewriter.replaceOpWithNewOp<NVVM::BarrierOp>(
        op, i32, /*barrierId=*/Value(), /*numberOfThreads=*/Value(),
        NVVM::BarrierReductionAttr::get(rewriter.getContext(),
                                        getReduction(*op.getVote())),
        predicate);
    return success();
  }

private:
  static NVVM::BarrierReduction getReduction(BarrierVote vote) {
    switch (vote) {
    case BarrierVote::Count:
      return NVVM::BarrierReduction::POPC;
    case BarrierVote::All:
      return NVVM::BarrierReduction::AND;
    case BarrierVote::Any:
      return NVVM::BarrierReduction::OR;
    }
    llvm_unreachable("all votes are above");
  }
};

/// The manifest says it.
struct GridGroupOpLowering : ConvertOpToLLVMPattern<GridGroupOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(GridGroupOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

struct GridBarrierOpLowering : ConvertOpToLLVMPattern<GridBarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(GridBarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto callee = LLVM::lookupOrCreateFn(
        rewriter, op->getParentWithTrait<OpTrait::SymbolTable>(),
        kGridBarrierName, ArrayRef<Type>(),
        LLVM::LLVMVoidType::get(op.getContext()));
    if (failed(callee))
      return failure();
    callee->setConvergent(true);
    callee->setNoUnwind(true);
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, *callee, ValueRange());
    return success();
  }
};

struct SpinHintOpLowering : ConvertOpToLLVMPattern<SpinHintOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(SpinHintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value duration = adaptor.getNanoseconds();
    if (!duration)
      duration = LLVM::ConstantOp::create(
          rewriter, op.getLoc(), rewriter.getI32Type(), kSpinNanoseconds);
    rewriter.replaceOpWithNewOp<NVVM::NanosleepOp>(op, duration);
    return success();
  }
};

struct ClockOpLowering : ConvertOpToLLVMPattern<ClockOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ClockOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getUnit() == ClockUnit::Cycles)
      rewriter.replaceOpWithNewOp<NVVM::Clock64Op>(op, op.getType());
    else
      rewriter.replaceOpWithNewOp<NVVM::GlobalTimerOp>(op, op.getType());
    return success();
  }
};

struct Dot4OpLowering : ConvertOpToLLVMPattern<Dot4Op> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(Dot4Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto bytes = VectorType::get(4, rewriter.getI8Type());
    auto split = [&](Value word) -> Value {
      return LLVM::BitcastOp::create(rewriter, op.getLoc(), bytes, word);
    };
    NVVM::DotAccumulateType type = op.getIsUnsigned()
                                       ? NVVM::DotAccumulateType::UNSIGNED
                                       : NVVM::DotAccumulateType::SIGNED;
    rewriter.replaceOpWithNewOp<NVVM::DotAccumulate4WayOp>(
        op, op.getType(), split(adaptor.getLhs()), type,
        split(adaptor.getRhs()), type, adaptor.getAddend());
    return success();
  }
};

struct FloatToIntOpLowering : ConvertOpToLLVMPattern<FloatToIntOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FloatToIntOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    StringRef intrinsic =
        op.getIsUnsigned() ? "llvm.fptoui.sat" : "llvm.fptosi.sat";
    // LLVM 22 makes i16's least number of a NaN in f16 on x86 with AVX512-FP16;
    // PTX has no conversion from f16 that is shorter.
    Value operand = adaptor.getOperand();
    Type type = operand.getType();
    if (getElementTypeOrSelf(type).isF16()) {
      Type wide = rewriter.getF32Type();
      if (auto vector = dyn_cast<VectorType>(type))
        wide = vector.clone(wide);
      operand = LLVM::FPExtOp::create(rewriter, op.getLoc(), wide, operand);
    }
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr(intrinsic), operand);
    return success();
  }
};

struct LibdeviceOpLowering : ConvertOpToLLVMPattern<LibdeviceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(LibdeviceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const LibdeviceOverload *function =
        lookupLibdevice(op.getFunction())
            ->findOverload(rewriter.getFunctionType(op.getOperandTypes(),
                                                    op.getResultTypes()));
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto operand = adaptor.getOperands().begin();
    auto resultType = op.getResultTypes().begin();
    Type returned = LLVM::LLVMVoidType::get(getContext());
    if (function->type.front() != 'v')
      returned = *resultType++;
    // A slot for each result behind a pointer.
    SmallVector<Value> arguments, slots;
    for (char letter : function->type.drop_front()) {
      if (llvm::isLower(letter)) {
        arguments.push_back(*operand++);
        continue;
      }
      slots.push_back(addSlot(op, *resultType++, rewriter));
      arguments.push_back(slots.back());
    }
    auto callee = LLVM::lookupOrCreateFn(
        rewriter, op->getParentWithTrait<OpTrait::SymbolTable>(),
        (kLibdevicePrefix + function->symbol).str(),
        llvm::map_to_vector(arguments, [](Value v) { return v.getType(); }),
        returned);
    if (failed(callee))
      return failure();
    auto call = LLVM::CallOp::create(b, *callee, arguments);
    SmallVector<Value> results(call.getResults());
    for (Value slot : slots)
      results.push_back(
          LLVM::LoadOp::create(b, op.getResultTypes()[results.size()], slot));
    rewriter.replaceOp(op, results);
    return success();
  }

  /// Room for a value, in the first block: one slot of a fixed size.
  static Value addSlot(LibdeviceOp op, Type type,
                       ConversionPatternRewriter &rewriter) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(
        &op->getParentOfType<FunctionOpInterface>().getFunctionBody().front());
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value one = LLVM::ConstantOp::create(b, b.getI64Type(), 1);
    return LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                  type, one);
  }
};

/// Offers the patterns to passes that collect them from dialects.
struct PykToLLVMDialectInterface : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void loadDependentDialects(MLIRContext *context) const final {
    context->loadDialect<NVVM::NVVMDialect>();
  }
  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &converter,
      RewritePatternSet &patterns) const final {
    target.addIllegalDialect<PykDialect>();
    populatePykToLLVMTypeConversions(converter);
    populatePykToLLVMPatterns(converter, patterns);
  }
};

} // namespace

void pyk::populatePykToLLVMTypeConversions(LLVMTypeConverter &converter) {
  converter.addConversion(
      [](ArrayType type) { return convertArrayType(type); });
}

void pyk::populatePykToLLVMPatterns(LLVMTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<DimOpLowering, StrideOpLowering, AddressOpLowering,
               FromPointerOpLowering, ToPointerOpLowering,
               DeviceArrayOpLowering, BarrierOpLowering, GridGroupOpLowering,
               GridBarrierOpLowering, SpinHintOpLowering, ClockOpLowering,
               Dot4OpLowering, FloatToIntOpLowering, LibdeviceOpLowering>(
      converter);
  populateForeignCallPatterns(converter, patterns);
  populateHostPatterns(converter, patterns);
  populateLaunchPatterns(converter, patterns);
  populateDebuggerPatterns(converter, patterns);
  populateOwnedArrayPatterns(converter, patterns);
  populateViewPatterns(converter, patterns);
  populateAccessPatterns(converter, patterns);
  populateWarpPatterns(converter, patterns);
  populateAtomicPatterns(converter, patterns);
}

void pyk::registerConvertPykToLLVMInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, PykDialect *dialect) {
    dialect->addInterfaces<PykToLLVMDialectInterface>();
  });
}
