// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread tells the host. Text is written by CUDA's own `vprintf`, which
// the CPU target binds to its runtime: a format, and the address of the values,
// eight bytes each.

#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Support/OutsideAccess.h"
#include "pyk/runtime/ABI.h"

#include <cstring>

using namespace mlir;
using namespace pyk;

static constexpr llvm::StringLiteral kPrintFunction = "vprintf";

/// The address of `text`, with a null character at its end, in memory that the
/// host can read, too.
static Value getText(Operation *op, StringRef text,
                     ConversionPatternRewriter &rewriter) {
  std::string bytes = text.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(rewriter.getI8Type(), bytes.size());
  LLVM::GlobalOp global =
      addGlobal(op, getUniqueName(op, "pyk_text"), type, /*isConstant=*/true,
                LLVM::Linkage::Internal, rewriter.getStringAttr(bytes),
                /*addressSpace=*/1, rewriter);
  Value address = LLVM::AddressOfOp::create(rewriter, op->getLoc(), global);
  return LLVM::AddrSpaceCastOp::create(
      rewriter, op->getLoc(), LLVM::LLVMPointerType::get(op->getContext()),
      address);
}

/// The text of pyk_rt_outside.
static Value getText(Operation *op, StringRef text, StringRef file,
                     uint32_t line, ConversionPatternRewriter &rewriter) {
  return getText(op, (file + "\n" + Twine(line) + "\n" + text).str(), rewriter);
}

/// Replaces `op`, which has no results, by a call of the function `name`.
static LogicalResult callHost(Operation *op, StringRef name,
                              ArrayRef<Value> operands,
                              ConversionPatternRewriter &rewriter) {
  auto types =
      llvm::map_to_vector(operands, [](Value v) { return v.getType(); });
  auto callee = LLVM::lookupOrCreateFn(
      rewriter, op->getParentWithTrait<OpTrait::SymbolTable>(), name, types,
      LLVM::LLVMVoidType::get(op->getContext()));
  if (failed(callee))
    return failure();
  LLVM::CallOp::create(rewriter, op->getLoc(), *callee, operands);
  rewriter.eraseOp(op);
  return success();
}

/// The function of the module of `op` that prints.
static LLVM::LLVMFuncOp getPrintFunction(Operation *op,
                                         ConversionPatternRewriter &rewriter) {
  Operation *module = SymbolTable::getNearestSymbolTable(
      op->getParentOfType<FunctionOpInterface>());
  if (auto known = dyn_cast_if_present<LLVM::LLVMFuncOp>(
          SymbolTable::lookupSymbolIn(module, kPrintFunction)))
    return known;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&module->getRegion(0).front());
  auto pointer = LLVM::LLVMPointerType::get(op->getContext());
  return LLVM::LLVMFuncOp::create(
      rewriter, op->getLoc(), kPrintFunction,
      LLVM::LLVMFunctionType::get(rewriter.getI32Type(), {pointer, pointer}));
}

namespace {

struct PrintOpLowering : ConvertOpToLLVMPattern<PrintOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(PrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LLVM::LLVMFuncOp function = getPrintFunction(op, rewriter);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto pointer = LLVM::LLVMPointerType::get(getContext());
    Value slots;
    if (adaptor.getValues().empty())
      slots = LLVM::ZeroOp::create(b, pointer);
    else
      slots = addRoom(
          op,
          LLVM::LLVMArrayType::get(b.getI64Type(), adaptor.getValues().size()),
          rewriter);
    Value isTrue, isFalse;
    for (auto [position, value] : llvm::enumerate(adaptor.getValues())) {
      Value stored = value;
      if (value.getType().isInteger(1)) {
        if (!isTrue) {
          isTrue = getText(op, "True", rewriter);
          isFalse = getText(op, "False", rewriter);
        }
        stored = LLVM::SelectOp::create(b, value, isTrue, isFalse);
      }
      Value slot = LLVM::GEPOp::create(
          b, pointer, b.getI64Type(), slots,
          ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(position)));
      LLVM::StoreOp::create(b, stored, slot);
    }
    LLVM::CallOp::create(
        b, function, ValueRange{getText(op, op.getFormat(), rewriter), slots});
    rewriter.eraseOp(op);
    return success();
  }
};

struct OutsideOpLowering : ConvertOpToLLVMPattern<OutsideOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(OutsideOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> operands{
        getText(op, op.getText(), op.getFile(), op.getLine(), rewriter),
        adaptor.getThread()};
    llvm::append_range(operands, adaptor.getIndices());
    while (operands.size() < 2 + kMaxToldIndices)
      operands.push_back(LLVM::ConstantOp::create(b, b.getI64Type(), 0));
    return callHost(op, kOutsideName, operands, rewriter);
  }
};

struct OutsideLanesOpLowering : ConvertOpToLLVMPattern<OutsideLanesOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(OutsideLanesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    pyk_rt_lanes lanes = {};
    lanes.vectors = uint16_t(op.getVectors());
    lanes.lanes = uint8_t(op.getLanes());
    lanes.masked = op.getMasked();
    llvm::copy(op.getForms(), lanes.forms);
    // Images are of architectures whose first byte is the lowest, and so are
    // those that compile them.
    int64_t bytes;
    static_assert(sizeof(bytes) == sizeof(lanes));
    std::memcpy(&bytes, &lanes, sizeof(bytes));
    SmallVector<Value> operands{
        getText(op, op.getText(), op.getFile(), op.getLine(), rewriter),
        LLVM::ConstantOp::create(b, b.getI64Type(), bytes),
        adaptor.getValues()};
    return callHost(op, kOutsideLanesName, operands, rewriter);
  }
};

struct BreakpointOpLowering : ConvertOpToLLVMPattern<BreakpointOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(BreakpointOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::DebugTrap>(op);
    return success();
  }
};

} // namespace

void pyk::populateHostPatterns(LLVMTypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<PrintOpLowering, OutsideOpLowering, OutsideLanesOpLowering,
               BreakpointOpLowering>(converter);
}
