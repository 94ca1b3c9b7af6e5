// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel and its launch compute one size, so both do it by the same terms, in
// 64 bits: the arithmetic of the program is read once and written anew. Numbers
// that leave 64 bits are no sizes, and the launch refuses them.

#include "SharedSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;

namespace {

/// Reads one size.
struct SizeReader {
  SizeReader(MLIRContext *context, SizeTerms &terms)
      : context(context), terms(terms) {}

  void add(SizeTermKind kind, unsigned argument = 0, unsigned dimension = 0,
           int64_t value = 0) {
    terms.push_back(
        SizeTermAttr::get(context, kind, argument, dimension, value, 0));
  }

  /// Reads `value`, whose integers below 64 bits are `isUnsigned`.
  LogicalResult read(Value value, bool isUnsigned = false) {
    if (terms.size() > kMaxSizeTerms)
      return failure();
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)) &&
        constant.getBitWidth() > 1) {
      add(SizeTermKind::Constant, 0, 0,
          isUnsigned ? int64_t(constant.getZExtValue())
                     : constant.getSExtValue());
      return success();
    }
    if (auto argument = getArgument(value)) {
      if (!value.getType().isSignlessInteger() || value.getType().isInteger(1))
        return refuse(value);
      add(isUnsigned ? SizeTermKind::Unsigned : SizeTermKind::Signed,
          argument->getArgNumber(), 0,
          value.getType().getIntOrFloatBitWidth() / 8);
      return success();
    }
    return readOp(value, isUnsigned);
  }

  Value unknown;

private:
  /// `value` as an argument of its function.
  static std::optional<BlockArgument> getArgument(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner()->isEntryBlock() &&
        isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return argument;
    return std::nullopt;
  }

  LogicalResult refuse(Value value) {
    unknown = value;
    return failure();
  }

  LogicalResult readOp(Value value, bool isUnsigned) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return refuse(value);
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](arith::AddIOp) { return readBoth(op, SizeTermKind::Add); })
        .Case([&](arith::SubIOp) { return readBoth(op, SizeTermKind::Sub); })
        .Case([&](arith::MulIOp) { return readBoth(op, SizeTermKind::Mul); })
        .Case([&](arith::MinSIOp) { return readBoth(op, SizeTermKind::Min); })
        .Case([&](arith::MaxSIOp) { return readBoth(op, SizeTermKind::Max); })
        .Case([&](arith::MinUIOp) {
          return readBoth(op, SizeTermKind::Min, /*isUnsigned=*/true);
        })
        .Case([&](arith::MaxUIOp) {
          return readBoth(op, SizeTermKind::Max, /*isUnsigned=*/true);
        })
        .Case([&](FloorDivOp division) {
          return readBoth(op, SizeTermKind::FloorDiv, division.getIsUnsigned());
        })
        .Case([&](FloorModOp division) {
          return readBoth(op, SizeTermKind::FloorMod, division.getIsUnsigned());
        })
        .Case([&](arith::ExtSIOp) { return read(op->getOperand(0)); })
        .Case([&](arith::ExtUIOp) { return readUnsigned(op->getOperand(0)); })
        .Case([&](BlockDimOp block) {
          add(SizeTermKind::Block, 0, unsigned(block.getDimension()));
          return success();
        })
        .Case([&](DimOp dim) {
          auto array = getArgument(dim.getArray());
          if (!array)
            return refuse(value);
          add(SizeTermKind::Extent, array->getArgNumber(),
              unsigned(dim.getDimension()));
          return success();
        })
        .Default([&](Operation *) { return refuse(value); });
  }

  /// Reads `value` as what cannot be negative, which the launch checks.
  LogicalResult readUnsigned(Value value) {
    if (value.getType().isInteger(1))
      return refuse(value);
    if (failed(read(value, /*isUnsigned=*/true)))
      return failure();
    SizeTermKind last = terms.back().getKind();
    if (last != SizeTermKind::Unsigned && last != SizeTermKind::Block &&
        last != SizeTermKind::Extent)
      add(SizeTermKind::Length);
    return success();
  }

  LogicalResult readBoth(Operation *op, SizeTermKind kind,
                         bool isUnsigned = false) {
    for (Value operand : op->getOperands())
      if (failed(isUnsigned ? readUnsigned(operand) : read(operand)))
        return failure();
    add(kind);
    return success();
  }

  MLIRContext *context;
  SizeTerms &terms;
};

} // namespace

LogicalResult pyk::readSize(Value value, SizeTerms &terms, Value &unknown) {
  SizeReader reader(value.getContext(), terms);
  LogicalResult result = reader.read(value);
  unknown = reader.unknown;
  return result;
}

/// The result of `kind` for the numbers `a` and `b`; of a floor division, what
/// a launch lets through never divides by 0.
static Value makeTerm(SizeTermKind kind, Value a, Value b,
                      ImplicitLocOpBuilder &builder) {
  switch (kind) {
  case SizeTermKind::Add:
    return builder.createOrFold<arith::AddIOp>(a, b);
  case SizeTermKind::Sub:
    return builder.createOrFold<arith::SubIOp>(a, b);
  case SizeTermKind::Mul:
    return builder.createOrFold<arith::MulIOp>(a, b);
  case SizeTermKind::FloorDiv:
    return builder.createOrFold<FloorDivOp>(a, b, /*is_unsigned=*/false);
  case SizeTermKind::FloorMod:
    return builder.createOrFold<FloorModOp>(a, b, /*is_unsigned=*/false);
  case SizeTermKind::Min:
    return builder.createOrFold<arith::MinSIOp>(a, b);
  case SizeTermKind::Max:
    return builder.createOrFold<arith::MaxSIOp>(a, b);
  default:
    llvm_unreachable("a term of two numbers");
  }
}

Value pyk::makeSize(ArrayRef<SizeTermAttr> terms, ValueRange arguments,
                    ImplicitLocOpBuilder &builder) {
  Type wide = builder.getI64Type();
  auto widen = [&](Value value, bool isUnsigned) -> Value {
    if (value.getType() == wide)
      return value;
    if (isUnsigned)
      return builder.createOrFold<arith::ExtUIOp>(wide, value);
    return builder.createOrFold<arith::ExtSIOp>(wide, value);
  };
  SmallVector<Value> stack;
  for (SizeTermAttr term : terms)
    switch (term.getKind()) {
    case SizeTermKind::Constant:
      stack.push_back(
          arith::ConstantIntOp::create(builder, wide, term.getValue()));
      break;
    case SizeTermKind::Signed:
    case SizeTermKind::Unsigned:
      stack.push_back(widen(arguments[term.getArgument()],
                            term.getKind() == SizeTermKind::Unsigned));
      break;
    case SizeTermKind::Extent:
      stack.push_back(builder.createOrFold<DimOp>(
          wide, arguments[term.getArgument()], term.getDimension()));
      break;
    case SizeTermKind::Block:
      stack.push_back(
          widen(BlockDimOp::create(builder, builder.getI32Type(),
                                   static_cast<Dimension>(term.getDimension())),
                /*isUnsigned=*/true));
      break;
    case SizeTermKind::Length:
      break;
    case SizeTermKind::Place:
      llvm_unreachable("an array, and no size");
    default:
      Value b = stack.pop_back_val();
      stack.back() = makeTerm(term.getKind(), stack.back(), b, builder);
    }
  return stack.back();
}
