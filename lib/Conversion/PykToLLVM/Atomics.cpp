// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations and fences.

#include "ArrayValue.h"
#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"

using namespace mlir;
using namespace pyk;

/// LLVM's names of scopes, as the NVPTX backend knows them; the empty one is
/// the whole system.
static StringRef getSyncScope(Scope scope) {
  switch (scope) {
  case Scope::Block:
    return "block";
  case Scope::Device:
    return "device";
  case Scope::System:
    return "";
  }
  llvm_unreachable("all scopes are handled");
}

static LLVM::AtomicOrdering getOrdering(Order order) {
  switch (order) {
  case Order::Relaxed:
    return LLVM::AtomicOrdering::monotonic;
  case Order::Acquire:
    return LLVM::AtomicOrdering::acquire;
  case Order::Release:
    return LLVM::AtomicOrdering::release;
  case Order::AcqRel:
    return LLVM::AtomicOrdering::acq_rel;
  case Order::SeqCst:
    return LLVM::AtomicOrdering::seq_cst;
  }
  llvm_unreachable("all orders are handled");
}

/// The order of a comparison that fails: nothing is stored.
static LLVM::AtomicOrdering getFailureOrdering(Order order) {
  switch (order) {
  case Order::Relaxed:
  case Order::Release:
    return LLVM::AtomicOrdering::monotonic;
  case Order::Acquire:
  case Order::AcqRel:
    return LLVM::AtomicOrdering::acquire;
  case Order::SeqCst:
    return LLVM::AtomicOrdering::seq_cst;
  }
  llvm_unreachable("all orders are handled");
}

static LLVM::AtomicBinOp getOperation(AtomicKind kind, bool isFloat,
                                      bool isUnsigned) {
  using Op = LLVM::AtomicBinOp;
  switch (kind) {
  case AtomicKind::Add:
    return isFloat ? Op::fadd : Op::add;
  case AtomicKind::And:
    return Op::_and;
  case AtomicKind::Or:
    return Op::_or;
  case AtomicKind::Xor:
    return Op::_xor;
  case AtomicKind::Inc:
    return Op::uinc_wrap;
  case AtomicKind::Dec:
    return Op::udec_wrap;
  case AtomicKind::Max:
  case AtomicKind::NanMax:
    return isFloat ? Op::fmax : isUnsigned ? Op::umax : Op::max;
  case AtomicKind::Min:
  case AtomicKind::NanMin:
    return isFloat ? Op::fmin : isUnsigned ? Op::umin : Op::min;
  case AtomicKind::Exch:
    return Op::xchg;
  }
  llvm_unreachable("all kinds are handled");
}

namespace {

struct AtomicOpLowering : ConvertOpToLLVMPattern<AtomicOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AtomicOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayType type = op.getArray().getType();
    FailureOr<Value> address = getAddress(op, adaptor.getArray());
    if (failed(address))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::AtomicRMWOp>(
        op,
        getOperation(op.getKind(), isa<FloatType>(op.getType()),
                     op.getIsUnsigned()),
        *address, adaptor.getValue(), getOrdering(op.getOrder()),
        getSyncScope(op.getScope()),
        static_cast<unsigned>(type.getElementBytes()));
    return success();
  }
};

/// The machine compares integers.
struct AtomicCasOpLowering : ConvertOpToLLVMPattern<AtomicCasOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AtomicCasOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayType type = op.getArray().getType();
    FailureOr<Value> address = getAddress(op, adaptor.getArray());
    if (failed(address))
      return failure();
    Value expected = adaptor.getExpected(), value = adaptor.getValue();
    bool isFloat = isa<FloatType>(op.getType());
    if (isFloat) {
      Type bits = b.getIntegerType(op.getType().getIntOrFloatBitWidth());
      expected = LLVM::BitcastOp::create(b, bits, expected);
      value = LLVM::BitcastOp::create(b, bits, value);
    }
    if (type.getSpace() == Space::Local) {
      // No other thread comes between, and NVPTX has no such instruction.
      Value old = LLVM::LoadOp::create(b, value.getType(), *address);
      Value isExpected =
          LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, old, expected);
      LLVM::StoreOp::create(
          b, LLVM::SelectOp::create(b, isExpected, value, old), *address);
      if (isFloat)
        old = LLVM::BitcastOp::create(b, op.getType(), old);
      rewriter.replaceOp(op, old);
      return success();
    }
    Value pair = LLVM::AtomicCmpXchgOp::create(
        b, *address, expected, value, getOrdering(op.getOrder()),
        getFailureOrdering(op.getOrder()), getSyncScope(op.getScope()),
        static_cast<unsigned>(type.getElementBytes()));
    Value old = LLVM::ExtractValueOp::create(b, pair, ArrayRef<int64_t>(0));
    if (isFloat)
      old = LLVM::BitcastOp::create(b, op.getType(), old);
    rewriter.replaceOp(op, old);
    return success();
  }
};

struct FenceOpLowering : ConvertOpToLLVMPattern<FenceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FenceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FenceOp>(
        op, LLVM::AtomicOrdering::seq_cst, getSyncScope(op.getScope()));
    return success();
  }
};

} // namespace

void pyk::populateAtomicPatterns(LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<AtomicOpLowering, AtomicCasOpLowering, FenceOpLowering>(
      converter);
}
