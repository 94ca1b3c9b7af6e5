// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that a loop chooses are slow in vectors, and are passed on the
// stack.

#include "StackBuffers.h"
#include "MachineVectors.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

Value StackBuffers::get(Type element, unsigned number, int64_t count) {
  Value &buffer = buffers[{element, number, count}];
  if (!buffer) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    constexpr unsigned kAlignment = 64;
    Value size = makeNumber(builder, count);
    buffer =
        LLVM::AllocaOp::create(builder, builder.getUnknownLoc(),
                               LLVM::LLVMPointerType::get(builder.getContext()),
                               element, size, kAlignment);
  }
  return buffer;
}

Value pyk::simd::getAddressAt(OpBuilder &builder, Value buffer, Type type,
                              Value index) {
  if (matchPattern(index, m_Zero()))
    return buffer;
  return LLVM::GEPOp::create(builder, index.getLoc(), buffer.getType(), type,
                             buffer, index);
}
