// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a warp do together: NVVM has an op for each, of 32 bits.

#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"

using namespace mlir;
using namespace pyk;

/// `value` as an integer of the same bits.
static Value getBits(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType();
  if (type.isInteger())
    return value;
  return LLVM::BitcastOp::create(
      b, b.getIntegerType(type.getIntOrFloatBitWidth()), value);
}

/// `value` after `shuffle`, which takes words of 32 bits: each part of a
/// complex number, each half of 64 bits; less bits are extended to a word.
static Value shuffleWords(ImplicitLocOpBuilder &b, Value value,
                          function_ref<Value(Value)> shuffle) {
  Type type = value.getType(), word = b.getI32Type();
  if (auto number = dyn_cast<LLVM::LLVMStructType>(type)) {
    Value result = LLVM::PoisonOp::create(b, type);
    for (int64_t part = 0, end = number.getBody().size(); part != end; ++part) {
      Value given = LLVM::ExtractValueOp::create(b, value, part);
      result = LLVM::InsertValueOp::create(
          b, result, shuffleWords(b, given, shuffle), part);
    }
    return result;
  }
  if (type.getIntOrFloatBitWidth() == 32)
    return shuffle(value);
  if (type.getIntOrFloatBitWidth() < 32) {
    Value bits = getBits(b, value);
    Value given = shuffle(LLVM::ZExtOp::create(b, word, bits));
    Value result = LLVM::TruncOp::create(b, bits.getType(), given);
    return type.isInteger() ? result : LLVM::BitcastOp::create(b, type, result);
  }
  Type words = VectorType::get(2, word);
  Value halves = LLVM::BitcastOp::create(b, words, value);
  Value result = LLVM::PoisonOp::create(b, words);
  for (int32_t half : {0, 1}) {
    Value position = LLVM::ConstantOp::create(b, word, half);
    Value given = LLVM::ExtractElementOp::create(b, halves, position);
    result = LLVM::InsertElementOp::create(b, result, shuffle(given), position);
  }
  return LLVM::BitcastOp::create(b, type, result);
}

namespace {

/// PTX shuffles 32 bits at a time.
struct ShuffleOpLowering : ConvertOpToLLVMPattern<ShuffleOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ShuffleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value clamp = makeClamp(b, op.getKind(), adaptor.getWidth());
    auto shuffle = [&](Value word) -> Value {
      return NVVM::ShflOp::create(b, word.getType(), adaptor.getMask(), word,
                                  adaptor.getOffset(), clamp,
                                  getKind(op.getKind()), UnitAttr());
    };
    rewriter.replaceOp(op, shuffleWords(b, adaptor.getValue(), shuffle));
    return success();
  }

private:
  /// The last lane of a segment that gives something, of `up` the first; and
  /// from bit 8 on those bits of a lane that say which segment it is in.
  static Value makeClamp(ImplicitLocOpBuilder &b, ShuffleKind kind,
                         Value width) {
    auto make = [&](int32_t number) -> Value {
      return LLVM::ConstantOp::create(b, b.getI32Type(), number);
    };
    Value last = make(kind == ShuffleKind::Up ? 0 : 31);
    if (!width)
      return last;
    Value segment = LLVM::SubOp::create(b, make(32), width);
    return LLVM::OrOp::create(b, LLVM::ShlOp::create(b, segment, make(8)),
                              last);
  }

  static NVVM::ShflKind getKind(ShuffleKind kind) {
    switch (kind) {
    case ShuffleKind::Index:
      return NVVM::ShflKind::idx;
    case ShuffleKind::Up:
      return NVVM::ShflKind::up;
    case ShuffleKind::Down:
      return NVVM::ShflKind::down;
    case ShuffleKind::Xor:
      return NVVM::ShflKind::bfly;
    }
    llvm_unreachable("all kinds are above");
  }
};

struct LaneMaskOpLowering : ConvertOpToLLVMPattern<LaneMaskOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(LaneMaskOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto read = [&](auto registerOp) {
      rewriter.replaceOpWithNewOp<decltype(registerOp)>(op,
                                                        rewriter.getI32Type());
      return success();
    };
    switch (op.getKind()) {
    case LaneMaskKind::Equal:
      return read(NVVM::LaneMaskEqOp());
    case LaneMaskKind::Less:
      return read(NVVM::LaneMaskLtOp());
    case LaneMaskKind::LessOrEqual:
      return read(NVVM::LaneMaskLeOp());
    case LaneMaskKind::Greater:
      return read(NVVM::LaneMaskGtOp());
    case LaneMaskKind::GreaterOrEqual:
      return read(NVVM::LaneMaskGeOp());
    }
    llvm_unreachable("all kinds are above");
  }
};

/// NVVM has no op for it.
struct ActiveMaskOpLowering : ConvertOpToLLVMPattern<ActiveMaskOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ActiveMaskOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, rewriter.getI32Type(),
        rewriter.getStringAttr("llvm.nvvm.activemask"), ValueRange());
    return success();
  }
};

struct WarpBarrierOpLowering : ConvertOpToLLVMPattern<WarpBarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(WarpBarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value mask = adaptor.getMask();
    if (!mask)
      mask = LLVM::ConstantOp::create(rewriter, op.getLoc(),
                                      rewriter.getI32Type(), -1);
    rewriter.replaceOpWithNewOp<NVVM::SyncWarpOp>(op, mask);
    return success();
  }
};

struct VoteOpLowering : ConvertOpToLLVMPattern<VoteOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(VoteOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(
        op, rewriter.getI1Type(), adaptor.getMask(), adaptor.getPredicate(),
        getKind(op.getKind()));
    return success();
  }

private:
  static NVVM::VoteSyncKind getKind(VoteKind kind) {
    switch (kind) {
    case VoteKind::All:
      return NVVM::VoteSyncKind::all;
    case VoteKind::Any:
      return NVVM::VoteSyncKind::any;
    case VoteKind::Equal:
      return NVVM::VoteSyncKind::uni;
    }
    llvm_unreachable("all kinds are above");
  }
};

struct BallotOpLowering : ConvertOpToLLVMPattern<BallotOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(BallotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(
        op, rewriter.getI32Type(), adaptor.getMask(), adaptor.getPredicate(),
        NVVM::VoteSyncKind::ballot);
    return success();
  }
};

struct MatchAnyOpLowering : ConvertOpToLLVMPattern<MatchAnyOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(MatchAnyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOpWithNewOp<NVVM::MatchSyncOp>(
        op, b.getI32Type(), adaptor.getMask(), getBits(b, adaptor.getValue()),
        NVVM::MatchSyncKind::any);
    return success();
  }
};

struct MatchAllOpLowering : ConvertOpToLLVMPattern<MatchAllOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(MatchAllOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type both = LLVM::LLVMStructType::getLiteral(
        b.getContext(), {b.getI32Type(), b.getI1Type()});
    Value result = NVVM::MatchSyncOp::create(b, both, adaptor.getMask(),
                                             getBits(b, adaptor.getValue()),
                                             NVVM::MatchSyncKind::all);
    Value lanes = LLVM::ExtractValueOp::create(b, result, 0);
    rewriter.replaceOp(op, {lanes, LLVM::ExtractValueOp::create(b, result, 1)});
    return success();
  }
};

} // namespace

void pyk::populateWarpPatterns(LLVMTypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<ShuffleOpLowering, LaneMaskOpLowering, ActiveMaskOpLowering,
               WarpBarrierOpLowering, VoteOpLowering, BallotOpLowering,
               MatchAnyOpLowering, MatchAllOpLowering>(converter);
}
