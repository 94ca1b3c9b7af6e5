// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing elements. Accesses with a hint for caches are calls, of
// which targets make what they have.

#include "ArrayValue.h"
#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Support/HintedAccess.h"

using namespace mlir;
using namespace pyk;

/// The struct `type` of a complex number whose parts are `vector`.
static Value takeParts(Value vector, Type type, ImplicitLocOpBuilder &b) {
  Value number = LLVM::PoisonOp::create(b, type);
  for (int64_t part : {0, 1}) {
    Value index = LLVM::ConstantOp::create(b, b.getI64Type(), part);
    number = LLVM::InsertValueOp::create(
        b, number, LLVM::ExtractElementOp::create(b, vector, index), part);
  }
  return number;
}

/// The vector `type` of the parts of a complex number.
static Value joinParts(Value number, Type type, ImplicitLocOpBuilder &b) {
  Value vector = LLVM::PoisonOp::create(b, type);
  for (int64_t part : {0, 1}) {
    Value index = LLVM::ConstantOp::create(b, b.getI64Type(), part);
    vector = LLVM::InsertElementOp::create(
        b, vector, LLVM::ExtractValueOp::create(b, number, part), index);
  }
  return vector;
}

/// Calls the function that accesses `address` with `hint`, if there is one and
/// the array has kept the memory that the hint is for. To write, `stored` is
/// the value, and so is the result.
template <typename Access>
static Value callHinted(Access op, bool isVolatile, Value address, Type type,
                        Value stored, ConversionPatternRewriter &rewriter) {
  ArrayType array = op.getArray().getType();
  bool isGlobal =
      array.getSpace() == Space::Global || array.getSpace() == Space::Generic;
  if (!op.getCache() || !isGlobal ||
      array.getAlignment() < array.getElementBytes())
    return {};
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  unsigned bits = type.getIntOrFloatBitWidth();
  Type number = b.getIntegerType(bits);
  auto pointer = cast<LLVM::LLVMPointerType>(address.getType());
  HintedAccess access{/*isLoad=*/!stored, isVolatile,
                      stringifyCacheHint(*op.getCache())};
  SmallVector<Value> arguments = {address};
  if (stored)
    arguments.push_back(LLVM::BitcastOp::create(b, number, stored));
  auto types =
      llvm::map_to_vector(arguments, [](Value v) { return v.getType(); });
  auto callee = LLVM::lookupOrCreateFn(
      rewriter, op->template getParentWithTrait<OpTrait::SymbolTable>(),
      getName(access, pointer.getAddressSpace(), bits), types,
      stored ? LLVM::LLVMVoidType::get(b.getContext()) : number);
  if (failed(callee))
    return {};
  using LLVM::ModRefInfo;
  ModRefInfo none = ModRefInfo::NoModRef;
  callee->setMemoryEffectsAttr(
      LLVM::MemoryEffectsAttr::get(b.getContext(), none,
                                   isVolatile ? ModRefInfo::ModRef
                                   : stored   ? ModRefInfo::Mod
                                              : ModRefInfo::Ref,
                                   none, none, none, none));
  callee->setNoUnwind(true);
  callee->setWillReturn(true);
  auto call = LLVM::CallOp::create(b, *callee, arguments);
  return stored ? stored
                : LLVM::BitcastOp::create(b, type, call.getResult()).getRes();
}

namespace {

struct LoadOpLowering : ConvertOpToLLVMPattern<LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayType type = op.getArray().getType();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FailureOr<Value> address = getAddress(op, adaptor.getArray());
    if (failed(address))
      return failure();
    Type memoryType = getMemoryType(type.getElementType());
    Value value = callHinted(op, op.getIsVolatile(), *address, memoryType,
                             /*stored=*/{}, rewriter);
    if (!value)
      value = LLVM::LoadOp::create(b, memoryType, *address,
                                   static_cast<unsigned>(type.getAlignment()),
                                   op.getIsVolatile());
    if (isa<ComplexType>(type.getElementType())) {
      value = takeParts(value, typeConverter->convertType(op.getType()), b);
    } else if (memoryType != type.getElementType()) {
      Value zero = LLVM::ConstantOp::create(b, memoryType, 0);
      value = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, value, zero);
    }
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct StoreOpLowering : ConvertOpToLLVMPattern<StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayType type = op.getArray().getType();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FailureOr<Value> address = getAddress(op, adaptor.getArray());
    if (failed(address))
      return failure();
    Value value = adaptor.getValue();
    Type memoryType = getMemoryType(type.getElementType());
    if (isa<ComplexType>(type.getElementType()))
      value = joinParts(value, memoryType, b);
    else if (memoryType != type.getElementType())
      value = LLVM::ZExtOp::create(b, memoryType, value);
    if (!callHinted(op, /*isVolatile=*/false, *address, memoryType, value,
                    rewriter))
      LLVM::StoreOp::create(b, value, *address,
                            static_cast<unsigned>(type.getAlignment()));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void pyk::populateAccessPatterns(LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<LoadOpLowering, StoreOpLowering>(converter);
}
