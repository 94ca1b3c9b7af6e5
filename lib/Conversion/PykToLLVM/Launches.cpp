// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that a kernel launches. What the host's launch packs, the thread
// does here: it says what each parameter of the kernel is.

#include "ArrayValue.h"
#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Support/KernelLaunch.h"

using namespace mlir;
using namespace pyk;

namespace {

/// The values of a kernel's parameters.
class ParameterPacker {
public:
  ParameterPacker(LaunchOp op, LaunchOp::Adaptor adaptor,
                  ImplicitLocOpBuilder &b)
      : op(op), adaptor(adaptor), b(b) {}

  Value get(ParameterAttr parameter);

private:
  Value makeNumber(int64_t number) {
    return LLVM::ConstantOp::create(b, b.getI64Type(), number);
  }
  Value getMemory(ArrayType type, ArrayValue &array, int64_t step,
                  bool isCount);

  LaunchOp op;
  LaunchOp::Adaptor adaptor;
  ImplicitLocOpBuilder &b;
};

} // namespace

/// How many steps an array begins behind the start of its memory, negative; or
/// at how many places an element is in there. It is the array's own elements.
Value ParameterPacker::getMemory(ArrayType type, ArrayValue &array,
                                 int64_t step, bool isCount) {
  Value zero = makeNumber(0), before = zero, behind = zero, isEmpty;
  for (int64_t dimension = 0; dimension < type.getRank(); ++dimension) {
    Value extent = array.getExtent(dimension);
    Value isNone =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, extent, zero);
    isEmpty = isEmpty ? Value(LLVM::OrOp::create(b, isEmpty, isNone)) : isNone;
    Value last = LLVM::SubOp::create(b, extent, makeNumber(1));
    Value reach = LLVM::MulOp::create(b, last, array.getStride(dimension));
    before =
        LLVM::AddOp::create(b, before, LLVM::SMinOp::create(b, reach, zero));
    behind =
        LLVM::AddOp::create(b, behind, LLVM::SMaxOp::create(b, reach, zero));
  }
  if (step != 1) {
    before = LLVM::SDivOp::create(b, before, makeNumber(step));
    behind = LLVM::SDivOp::create(b, behind, makeNumber(step));
  }
  if (!isCount)
    return before;
  Value count = LLVM::AddOp::create(b, LLVM::SubOp::create(b, behind, before),
                                    makeNumber(1));
  return isEmpty ? Value(LLVM::SelectOp::create(b, isEmpty, zero, count))
                 : count;
}

Value ParameterPacker::get(ParameterAttr parameter) {
  if (parameter.getKind() == ParameterKind::Failure)
    return adaptor.getRecord();
  unsigned number = parameter.getArgument();
  Value value = adaptor.getArguments()[number];
  auto type = dyn_cast<ArrayType>(op.getArguments()[number].getType());
  if (!type)
    return value.getType().isInteger(1)
               ? Value(LLVM::ZExtOp::create(b, b.getI8Type(), value))
               : value;
  ArrayValue array(type, value, b);
  int64_t dimension = parameter.getDimension();
  switch (parameter.getKind()) {
  case ParameterKind::Data:
    return array.getPointer();
  case ParameterKind::Extent:
    return array.getExtent(dimension);
  case ParameterKind::Stride:
    return array.getStride(dimension);
  case ParameterKind::MemoryFirst:
    return getMemory(type, array, dimension, /*isCount=*/false);
  case ParameterKind::MemoryCount:
    return getMemory(type, array, dimension, /*isCount=*/true);
  case ParameterKind::Scalar:
  case ParameterKind::Failure:
    break;
  }
  llvm_unreachable("an array has no other parameters");
}

namespace {

struct LaunchOpLowering : ConvertOpToLLVMPattern<LaunchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(LaunchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Operation *module = op->getParentWithTrait<OpTrait::SymbolTable>();
    Operation *kernel = SymbolTable::lookupSymbolIn(module, op.getKernelAttr());
    auto abi = kAbi.get(kernel);
    if (!abi)
      return op.emitOpError("requires the attribute '")
             << kAbi.name << "' of its kernel";
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ParameterPacker packer(op, adaptor, b);
    SmallVector<Value> values;
    for (ParameterAttr parameter : abi.getParameters())
      values.push_back(packer.get(parameter));
    auto pointer = LLVM::LLVMPointerType::get(getContext());
    auto types = llvm::map_to_vector(
        values, [](Value value) { return value.getType(); });
    auto kept = LLVM::LLVMStructType::getLiteral(getContext(), types);
    Value room = addRoom(op, kept, rewriter);
    Value addresses = addRoom(
        op,
        LLVM::LLVMArrayType::get(pointer, std::max<size_t>(values.size(), 1)),
        rewriter);
    for (auto [index, value] : llvm::enumerate(values)) {
      auto place = static_cast<int32_t>(index);
      Value field = LLVM::GEPOp::create(b, pointer, kept, room,
                                        ArrayRef<LLVM::GEPArg>{0, place});
      LLVM::StoreOp::create(b, value, field);
      Value slot = LLVM::GEPOp::create(b, pointer, pointer, addresses,
                                       ArrayRef<LLVM::GEPArg>(place));
      LLVM::StoreOp::create(b, field, slot);
    }
    SmallVector<Value> operands{
        LLVM::AddressOfOp::create(b, pointer, op.getKernelAttr())};
    llvm::append_range(operands, adaptor.getGrid());
    llvm::append_range(operands, adaptor.getBlock());
    llvm::append_range(
        operands,
        ArrayRef<Value>{adaptor.getStream(), adaptor.getShared(), addresses});
    auto operandTypes =
        llvm::map_to_vector(operands, [](Value v) { return v.getType(); });
    auto callee = LLVM::lookupOrCreateFn(rewriter, module, kKernelLaunchName,
                                         operandTypes,
                                         LLVM::LLVMVoidType::get(getContext()));
    if (failed(callee))
      return failure();
    LLVM::CallOp::create(b, *callee, operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct StreamOpLowering : ConvertOpToLLVMPattern<StreamOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(StreamOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type result = rewriter.getI64Type();
    auto callee = LLVM::lookupOrCreateFn(
        rewriter, op->getParentWithTrait<OpTrait::SymbolTable>(), kStreamName,
        {}, result);
    if (failed(callee))
      return failure();
    rewriter.replaceOp(
        op, LLVM::CallOp::create(rewriter, op.getLoc(), *callee, ValueRange()));
    return success();
  }
};

} // namespace

void pyk::populateLaunchPatterns(LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<LaunchOpLowering, StreamOpLowering>(converter);
}
