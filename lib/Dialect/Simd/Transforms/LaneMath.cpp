// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of lanes, which unrolling sees.

#include "LaneMath.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

Value pyk::simd::makeConstant(OpBuilder &builder, bool value,
                              Dimensions dimensions) {
  Type type = getTypeWith(builder.getI1Type(), dimensions);
  auto attribute =
      isa<VectorType>(type)
          ? TypedAttr(DenseElementsAttr::get(cast<VectorType>(type), value))
          : TypedAttr(builder.getBoolAttr(value));
  return arith::ConstantOp::create(builder, builder.getUnknownLoc(), attribute);
}

Value pyk::simd::makeZero(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Value pyk::simd::makeNot(OpBuilder &builder, Value mask) {
  Value all = makeConstant(builder, true, getDimensions(mask.getType()));
  return builder.createOrFold<arith::XOrIOp>(mask.getLoc(), mask, all);
}

SmallVector<Value> pyk::simd::foldConstants(OpBuilder &builder, Operation *op) {
  SmallVector<Value> results(op->getResults());
  if (!llvm::all_of(op->getResultTypes(), [](Type type) {
        return getElementTypeOrSelf(type).isIntOrIndex();
      }))
    return results;
  bool isConstant = op->getNumOperands() != 0 &&
                    llvm::all_of(op->getOperands(), [](Value operand) {
                      return matchPattern(operand, m_Constant());
                    });
  SmallVector<Value> folded;
  // One that is changed in place has no others.
  if (!isConstant || failed(builder.tryFold(op, folded)) || folded.empty())
    return results;
  op->erase();
  return folded;
}
