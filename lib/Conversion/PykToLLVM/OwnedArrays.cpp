// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that a kernel owns. Shared ones become globals, one for each op, since
// every thread of a block must find the same memory; local ones become stack
// slots of the first block, which LLVM can keep in registers; constants become
// constant globals. Dynamic shared memory is one external global that all ops
// share; its size is read from a special register.

#include "ArrayValue.h"
#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "pyk/Conversion/PykToLLVM.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;

/// Bytes of shared memory that a block may have for arrays of stated sizes; one
/// whose size the launch states may be larger.
static constexpr int64_t kSharedBytes =
    runtime::LaunchLimits::staticSharedBytesPerBlock;

/// Bytes of constant memory that a module may have.
static constexpr int64_t kConstantBytes =
    runtime::LaunchLimits::constantBytesPerModule;

/// The op that holds the globals of `op`'s module.
static Operation *getModule(Operation *op) {
  return SymbolTable::getNearestSymbolTable(
      op->getParentOfType<FunctionOpInterface>());
}

std::string pyk::getUniqueName(Operation *op, StringRef prefix) {
  Operation *module = getModule(op);
  // addGlobal puts each global in front of those before it, so the first one
  // with this prefix has the largest number. Trying all numbers from 0 on would
  // take time that is cubic in how many globals there are.
  unsigned count = 0;
  for (auto global : module->getRegion(0).front().getOps<LLVM::GlobalOp>()) {
    StringRef name = global.getSymName();
    unsigned number = 0;
    if (name.consume_front(prefix) && name.consume_front("_") &&
        !name.getAsInteger(10, number)) {
      count = number + 1;
      break;
    }
  }
  std::string name;
  do
    name = (prefix + "_" + Twine(count++)).str();
  while (SymbolTable::lookupSymbolIn(module, name));
  return name;
}

/// `function` and the functions that it calls, each once, in the order of the
/// calls.
static SetVector<Operation *> getReached(Operation *function,
                                         SymbolTable &symbols) {
  SetVector<Operation *> reached;
  reached.insert(function);
  auto add = [&](Operation *callee) {
    if (callee)
      reached.insert(callee);
  };
  for (size_t next = 0; next < reached.size(); ++next)
    reached[next]->walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        add(symbols.lookup(call.getCallee()));
      else if (auto foreign = dyn_cast<ForeignCallOp>(op);
               foreign && foreign.getHost())
        add(symbols.lookup(*foreign.getHost()));
    });
  return reached;
}

/// Emits an error if the shared arrays of `functions` take more than a block
/// has.
static LogicalResult checkReached(ArrayRef<Operation *> functions) {
  int64_t bytes = 0;
  for (Operation *function : functions) {
    WalkResult walked =
        function->walk([&](AllocOp op) {
          ArrayType type = op.getResult().getType();
          if (type.getSpace() == Space::Shared)
            bytes = llvm::alignTo(bytes, op.getAlignment()) +
                    type.getNumElements() * type.getElementBytes();
          if (bytes <= kSharedBytes)
            return WalkResult::advance();
          InFlightDiagnostic error = emitLoweringError(op.getLoc());
          error << "with this one, the shared arrays take " << bytes
                << " bytes, and a block has " << kSharedBytes;
          if (bytes <= runtime::LaunchLimits::sharedBytesPerBlock)
            error.attachNote()
                << "one of shape 0 may be larger: the launch states it";
          return WalkResult::interrupt();
        });
    if (walked.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult pyk::checkSharedMemory(Operation *module) {
  SymbolTable symbols(module);
  for (auto function : module->getRegion(0).getOps<FunctionOpInterface>())
    if (failed(checkReached(getReached(function, symbols).getArrayRef())))
      return failure();
  return success();
}

Value pyk::addRoom(Operation *op, Type type, RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(
      &op->getParentOfType<FunctionOpInterface>().getFunctionBody().front());
  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  Value one = LLVM::ConstantOp::create(b, b.getI64Type(), 1);
  return LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(op->getContext()),
                                type, one);
}

LLVM::GlobalOp pyk::addGlobal(Operation *op, StringRef name, Type type,
                              bool isConstant, LLVM::Linkage linkage,
                              Attribute value, unsigned addressSpace,
                              RewriterBase &rewriter) {
  Operation *module = getModule(op);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&module->getRegion(0).front());
  return LLVM::GlobalOp::create(rewriter, op->getLoc(), type, isConstant,
                                linkage, name, value, kOwnedAlignment,
                                addressSpace);
}

namespace {

struct AllocOpLowering : ConvertOpToLLVMPattern<AllocOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayType type = op.getResult().getType();
    auto memory = LLVM::LLVMArrayType::get(getMemoryType(type.getElementType()),
                                           type.getNumElements());
    if (type.getSpace() == Space::Shared) {
      LLVM::GlobalOp global = addGlobal(
          op, getUniqueName(op, "pyk_shared"), memory, /*isConstant=*/false,
          LLVM::Linkage::Internal, LLVM::UndefAttr::get(getContext()),
          getAddressSpace(Space::Shared), rewriter);
      global.setAlignment(op.getAlignment());
      rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(op, global);
      return success();
    }
    // In the first block, so that LLVM sees one slot of a fixed size.
    OpBuilder::InsertionGuard guard(rewriter);
    Block &entry =
        op->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
    rewriter.setInsertionPointToStart(&entry);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value one = LLVM::ConstantOp::create(b, b.getI64Type(), 1);
    Value slot = LLVM::AllocaOp::create(b, convertArrayType(type), memory, one,
                                        op.getAlignment());
    rewriter.replaceOp(op, slot);
    return success();
  }
};

struct DynamicSharedOpLowering : ConvertOpToLLVMPattern<DynamicSharedOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  static constexpr llvm::StringLiteral kName = "pyk_dynamic_shared";

  LogicalResult
  matchAndRewrite(DynamicSharedOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayType type = op.getResult().getType();
    auto global = dyn_cast_if_present<LLVM::GlobalOp>(
        SymbolTable::lookupSymbolIn(getModule(op), kName));
    if (!global)
      global = addGlobal(op, kName,
                         LLVM::LLVMArrayType::get(rewriter.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         Attribute(), getAddressSpace(Space::Shared), rewriter);
    global.setAlignment(std::max(*global.getAlignment(), op.getAlignment()));
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value pointer = LLVM::AddressOfOp::create(b, global);
    Value offset = adaptor.getOffset();
    if (offset)
      pointer = LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(),
                                    pointer, ValueRange(offset),
                                    LLVM::GEPNoWrapFlags::inbounds);
    SmallVector<Value> extents(adaptor.getExtents());
    if (extents.empty())
      extents.push_back(getRest(type, offset, b));
    rewriter.replaceOp(op, ArrayValue::make(type, pointer, extents, {}, b));
    return success();
  }

  /// The elements that fit behind `offset`, which may be null.
  static Value getRest(ArrayType type, Value offset, ImplicitLocOpBuilder &b) {
    Value bytes =
        LLVM::CallIntrinsicOp::create(
            b, b.getI32Type(),
            b.getStringAttr("llvm.nvvm.read.ptx.sreg.dynamic_smem_size"),
            ValueRange())
            .getResult(0);
    if (offset) {
      Value used = LLVM::TruncOp::create(b, b.getI32Type(), offset);
      bytes = LLVM::SubOp::create(b, bytes, used);
    }
    Value size =
        LLVM::ConstantOp::create(b, b.getI32Type(), type.getElementBytes());
    Value count = LLVM::UDivOp::create(b, bytes, size);
    return LLVM::ZExtOp::create(b, b.getI64Type(), count);
  }
};

struct ConstantArrayOpLowering : ConvertOpToLLVMPattern<ConstantArrayOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ConstantArrayOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayType type = op.getResult().getType();
    auto values = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!values)
      return op.emitOpError("cannot be lowered unless its values are dense");
    // The bytes of records are given.
    values = flatten(values, type.getRecord()
                                 ? values.getElementType()
                                 : getMemoryType(type.getElementType()));
    auto memory = LLVM::LLVMArrayType::get(values.getElementType(),
                                           values.getNumElements());
    // Constant memory is fastest where all lanes read one element, but small.
    bool fits = getUsedConstantBytes(op) +
                    type.getNumElements() * type.getElementBytes() <=
                kConstantBytes;
    LLVM::GlobalOp global = addGlobal(
        op, getUniqueName(op, "pyk_constant"), memory, /*isConstant=*/true,
        LLVM::Linkage::Internal, values, fits ? 4 : 1, rewriter);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value address = LLVM::AddressOfOp::create(b, global);
    rewriter.replaceOpWithNewOp<LLVM::AddrSpaceCastOp>(
        op, convertArrayType(type), address);
    return success();
  }

  /// `values` in one dimension, bools as bytes, complex numbers as parts.
  static DenseElementsAttr flatten(DenseElementsAttr values, Type element) {
    if (auto parts = dyn_cast<VectorType>(element)) {
      SmallVector<APFloat> flat;
      for (std::complex<APFloat> number :
           values.getValues<std::complex<APFloat>>())
        flat.append({number.real(), number.imag()});
      return DenseElementsAttr::get(
          RankedTensorType::get(flat.size(), parts.getElementType()), flat);
    }
    if (values.getElementType() != element)
      values = values.mapValues(element, [&](const APInt &value) {
        return value.zext(element.getIntOrFloatBitWidth());
      });
    if (values.isSplat())
      return values.resizeSplat(
          RankedTensorType::get(values.getNumElements(), element));
    return values.reshape(
        RankedTensorType::get(values.getNumElements(), element));
  }

  /// Bytes that the constant memory of `op`'s module already holds, alignment
  /// included.
  static int64_t getUsedConstantBytes(Operation *op) {
    int64_t bytes = 0;
    for (auto global :
         getModule(op)->getRegion(0).front().getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() == 4) {
        auto type = cast<LLVM::LLVMArrayType>(global.getType());
        bytes += llvm::alignTo(
            type.getNumElements() *
                llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(),
                                 8),
            kOwnedAlignment);
      }
    return bytes;
  }
};

} // namespace

void pyk::populateOwnedArrayPatterns(LLVMTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns
      .add<AllocOpLowering, DynamicSharedOpLowering, ConstantArrayOpLowering>(
          converter);
}
