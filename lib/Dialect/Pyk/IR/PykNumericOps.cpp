// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic: verification, folds of constants and of what does nothing.

#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "mlir/Dialect/CommonFolders.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykNumericOps.cpp.inc"

void PykDialect::registerNumericOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykNumericOps.cpp.inc"
      >();
}

/// The type of a function of elements.
static FunctionType getElementTypes(Operation *op) {
  auto getTypes = [](TypeRange types) {
    return llvm::map_to_vector(
        types, [](Type type) { return getElementTypeOrSelf(type); });
  };
  return FunctionType::get(op->getContext(), getTypes(op->getOperandTypes()),
                           getTypes(op->getResultTypes()));
}

/// The ops of arith that stage nvvm calls a function of libdevice for, and the
/// name of that function; empty for other ops.
static StringRef getArithFunction(Operation *op) {
  return TypeSwitch<Operation *, StringRef>(op)
      .Case([](arith::MaxNumFOp) { return "fmax"; })
      .Case([](arith::MinNumFOp) { return "fmin"; })
      .Case([](arith::RemFOp) { return "fmod"; })
      .Default(StringRef());
}

/// `type`, in which f32 stands for f16: libdevice has no functions of f16, so
/// an op of f16 is computed in f32.
static FunctionType widenHalves(FunctionType type) {
  auto widen = [](TypeRange types) {
    return llvm::map_to_vector(types, [](Type one) {
      return one.isF16() ? Float32Type::get(one.getContext()) : one;
    });
  };
  return FunctionType::get(type.getContext(), widen(type.getInputs()),
                           widen(type.getResults()));
}

const LibdeviceOverload *pyk::getLibdeviceOverload(Operation *op) {
  if (auto call = dyn_cast<LibdeviceOp>(op)) {
    const LibdeviceFunction *function = lookupLibdevice(call.getFunction());
    return function ? function->findOverload(getElementTypes(op)) : nullptr;
  }
  StringRef name = getArithFunction(op);
  if (isa<math::PowFOp>(op))
    name = "pow";
  else if (isa<math::MathDialect>(op->getDialect()))
    name = op->getName().stripDialect();
  const LibdeviceFunction *function = lookupLibdevice(name);
  return function ? function->findOverload(widenHalves(getElementTypes(op)))
                  : nullptr;
}

bool pyk::isVectorCall(Operation *op) {
  const LibdeviceOverload *function = getLibdeviceOverload(op);
  if (!function)
    return false;
  bool isCall = isa<LibdeviceOp>(op) || !getArithFunction(op).empty();
  return isCall ? function->host.takesVectors() : function->host.hasFormula;
}

/// Divisions of integers for which processors have no vectors: by what is no
/// constant, and of 64 bits. The CPU's back end expands them.
static bool isLongDivision(Operation *op) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return false;
  return !matchPattern(op->getOperand(1), m_Constant()) ||
         getElementTypeOrSelf(op->getOperand(0)).isInteger(64);
}

bool pyk::hasFormula(Operation *op) {
  const LibdeviceOverload *function = getLibdeviceOverload(op);
  return function ? function->host.hasFormula : isLongDivision(op);
}

LogicalResult LibdeviceOp::verify() {
  // libdevice_c1
  const LibdeviceFunction *function = lookupLibdevice(getFunction());
  if (!function)
    return emitOpError("expects a function of libdevice but got '")
           << getFunction() << "'";
  // libdevice_c3
  SmallVector<Type> types(getOperandTypes());
  llvm::append_range(types, getResultTypes());
  auto getShape = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getShape() : ArrayRef<int64_t>();
  };
  for (Type type : types)
    if (isa<VectorType>(type) != isa<VectorType>(types.front()) ||
        getShape(type) != getShape(types.front()))
      return emitOpError("expects vectors of one shape or none but got ")
             << types.front() << " and " << type;
  // libdevice_c2
  FunctionType own = getElementTypes(*this);
  if (function->findOverload(own))
    return success();
  InFlightDiagnostic error = emitOpError("expects type ");
  llvm::interleave(
      function->overloads,
      [&](const LibdeviceOverload &overload) {
        error << overload.getOpType(getContext());
      },
      [&] { error << " or "; });
  return error << " but got " << own;
}

// round_to_float8_c1
LogicalResult RoundToFloat8Op::verify() {
  bool isNearest = getRounding() == Float8Rounding::Nearest;
  if (isNearest == (getFormat() != Float8Format::E8M0))
    return success();
  return emitOpError("cannot round to ")
         << stringifyFloat8Format(getFormat()) << " as "
         << stringifyFloat8Rounding(getRounding()) << " says";
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// Folds two constant integers with `combine`; null if they are not both
/// constant.
static Attribute
foldIntegers(Attribute lhs, Attribute rhs,
             function_ref<APInt(const APInt &, const APInt &)> combine) {
  auto a = dyn_cast_if_present<IntegerAttr>(lhs);
  auto b = dyn_cast_if_present<IntegerAttr>(rhs);
  if (!a || !b)
    return {};
  return IntegerAttr::get(a.getType(), combine(a.getValue(), b.getValue()));
}

static bool isOne(Attribute value) {
  auto integer = dyn_cast_if_present<IntegerAttr>(value);
  return integer && integer.getValue().isOne();
}

static bool isZero(Attribute value) {
  auto integer = dyn_cast_if_present<IntegerAttr>(value);
  return integer && integer.getValue().isZero();
}

/// Quotient and remainder of floor_div and floor_mod.
static std::pair<APInt, APInt> floorDivMod(const APInt &a, const APInt &b,
                                           bool isUnsigned) {
  APInt zero(a.getBitWidth(), 0);
  if (b.isZero())
    return {zero, zero};
  if (isUnsigned)
    return {a.udiv(b), a.urem(b)};
  APInt quotient = a.sdiv(b), remainder = a.srem(b);
  if (!remainder.isZero() && remainder.isNegative() != b.isNegative())
    return {quotient - 1, remainder + b};
  return {quotient, remainder};
}

OpFoldResult FloorDivOp::fold(FoldAdaptor adaptor) {
  if (isOne(adaptor.getRhs()))
    return getLhs();
  return foldIntegers(adaptor.getLhs(), adaptor.getRhs(),
                      [&](const APInt &a, const APInt &b) {
                        return floorDivMod(a, b, getIsUnsigned()).first;
                      });
}

OpFoldResult FloorModOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(adaptor.getLhs(), adaptor.getRhs(),
                      [&](const APInt &a, const APInt &b) {
                        return floorDivMod(a, b, getIsUnsigned()).second;
                      });
}

OpFoldResult ShiftLeftOp::fold(FoldAdaptor adaptor) {
  if (isZero(adaptor.getRhs()))
    return getLhs();
  return foldIntegers(adaptor.getLhs(), adaptor.getRhs(),
                      [](const APInt &a, const APInt &b) { return a.shl(b); });
}

OpFoldResult ShiftRightOp::fold(FoldAdaptor adaptor) {
  if (isZero(adaptor.getRhs()))
    return getLhs();
  return foldIntegers(adaptor.getLhs(), adaptor.getRhs(),
                      [&](const APInt &a, const APInt &b) {
                        return getIsUnsigned() ? a.lshr(b) : a.ashr(b);
                      });
}

/// `base` to the power of `exponent`, modulo the width.
static APInt power(APInt base, APInt exponent, bool isUnsigned) {
  APInt one(base.getBitWidth(), 1);
  if (!isUnsigned && exponent.isNegative()) {
    if (base.isOne())
      return one;
    if (base.isAllOnes())
      return exponent[0] ? base : one;
    return APInt(base.getBitWidth(), 0);
  }
  APInt result = one;
  for (; !exponent.isZero(); exponent.lshrInPlace(1), base *= base)
    if (exponent[0])
      result *= base;
  return result;
}

OpFoldResult PowerOp::fold(FoldAdaptor adaptor) {
  if (isOne(adaptor.getRhs()))
    return getLhs();
  return foldIntegers(adaptor.getLhs(), adaptor.getRhs(),
                      [&](const APInt &a, const APInt &b) {
                        return power(a, b, getIsUnsigned());
                      });
}

OpFoldResult WrapIndexOp::fold(FoldAdaptor adaptor) {
  auto index = dyn_cast_if_present<IntegerAttr>(adaptor.getIndex());
  if (index && index.getValue().isNonNegative())
    return getIndex();
  return foldIntegers(adaptor.getIndex(), adaptor.getExtent(),
                      [](const APInt &a, const APInt &b) { return a + b; });
}
