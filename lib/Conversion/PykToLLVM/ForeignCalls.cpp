// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of code of other languages, by the conventions of C and of Numba.

#include "ArrayValue.h"
#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;

/// Where the CPU has `code`, as LLVM's functions have it; null if nowhere.
static ArrayAttr getHostAddress(ForeignAttr code, Builder &builder) {
  if (code.getAddress() == 0)
    return {};
  auto address = static_cast<uint64_t>(code.getAddress());
  return builder.getArrayAttr(builder.getStrArrayAttr(
      {PykDialect::kHostAddressAttrName, std::to_string(address)}));
}

/// The function called `code` in the module of `call`, which may be declared by
/// another call of it; an error if it is another one there.
static FailureOr<LLVM::LLVMFuncOp>
declare(ForeignCallOp call, LLVM::LLVMFunctionType type,
        ConversionPatternRewriter &rewriter) {
  ForeignAttr code = call.getCode();
  ArrayAttr hostAddress = getHostAddress(code, rewriter);
  Operation *module = call->getParentWithTrait<OpTrait::SymbolTable>();
  if (Operation *known = SymbolTable::lookupSymbolIn(module, code.getName())) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(known);
    if (function && function.isExternal() &&
        function.getFunctionType() == type &&
        function.getPassthroughAttr() == hostAddress)
      return function;
    InFlightDiagnostic error = emitUnsupportedError(call.getLoc());
    error << "'" << code.getName()
          << "' is declared twice, with other types or in another library, or "
             "is the name of a kernel";
    error.attachNote(known->getLoc()) << "it is also declared here";
    return error;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&module->getRegion(0).front());
  auto function =
      LLVM::LLVMFuncOp::create(rewriter, call.getLoc(), code.getName(), type);
  if (hostAddress)
    function.setPassthroughAttr(hostAddress);
  return function;
}

namespace {

struct ForeignCallOpLowering : ConvertOpToLLVMPattern<ForeignCallOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ForeignCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool isNumba = op.getCode().getConvention() == Convention::Numba;
    SmallVector<Value> operands;
    Type result = LLVM::LLVMVoidType::get(getContext());
    Value room;
    if (!op.getResults().empty())
      result = getMemoryType(op.getResultTypes().front());
    if (isNumba) {
      Type stored = op.getResults().empty() ? b.getI64Type() : result;
      room = addRoom(op, stored, rewriter);
      operands.push_back(room);
    }
    for (auto [given, operand] :
         llvm::zip(op.getOperands(), adaptor.getOperands()))
      operands.push_back(pass(given.getType(), operand, b));
    auto types =
        llvm::map_to_vector(operands, [](Value v) { return v.getType(); });
    auto callee = declare(
        op,
        LLVM::LLVMFunctionType::get(isNumba ? b.getI32Type() : result, types),
        rewriter);
    if (failed(callee))
      return failure();
    auto call = LLVM::CallOp::create(b, *callee, operands);
    if (op.getResults().empty()) {
      rewriter.eraseOp(op);
      return success();
    }
    Value value = isNumba ? Value(LLVM::LoadOp::create(b, result, room))
                          : call.getResult();
    if (op.getResultTypes().front().isInteger(1))
      value = LLVM::TruncOp::create(b, b.getI1Type(), value);
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  /// An argument as C takes it: of an array its address, a bool as a byte.
  static Value pass(Type type, Value value, ImplicitLocOpBuilder &b) {
    if (type.isInteger(1))
      return LLVM::ZExtOp::create(b, b.getI8Type(), value);
    auto array = dyn_cast<ArrayType>(type);
    if (!array)
      return value;
    Value address = ArrayValue(array, value, b).getPointer();
    auto generic = LLVM::LLVMPointerType::get(b.getContext());
    return address.getType() == generic
               ? address
               : Value(LLVM::AddrSpaceCastOp::create(b, generic, address));
  }
};

} // namespace

void pyk::populateForeignCallPatterns(LLVMTypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<ForeignCallOpLowering>(converter);
}
