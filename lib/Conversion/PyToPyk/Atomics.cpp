// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of cuda.atomic: the element is found as by any other access.

#include "Lowering.h"
#include "pyk/Dialect/Py/IR/Promotion.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Binding FunctionLowering::makeAtomic(CallOp op, const Intrinsic &intrinsic,
                                     ArrayRef<Binding> arguments) {
  Location loc = op.getLoc();
  Binding array = arguments[0];
  Type element = cast<ArrayType>(array.type).getElementType();
  bool isFirst = intrinsic.typing == intrinsics::FirstCas;
  Type number = IntegerType::get(context, 64, IntegerType::Signed);
  Binding index =
      isFirst ? Binding{number, {makeInteger(0, builder.getI64Type(), loc)}}
              : arguments[1];
  if (isa<FloatType>(index.type))
    index = convert(index, number, loc);
  SmallVector<Value> indices =
      getElementIndices(array, index, describeArray(op.getInputs()[0]), loc);
  auto getValue = [&](const Binding &argument) {
    return convert(argument, element, loc).parts.front();
  };
  Value value = getValue(arguments.back());
  Value target = array.parts.front();
  if (intrinsic.typing != intrinsics::Atomic)
    return {element,
            {pyk::AtomicCasOp::create(builder, loc, value.getType(),
                                      getValue(arguments.drop_back().back()),
                                      value, target, indices)}};
  if (StringRef(intrinsic.name).ends_with(".sub")) {
    if (isa<FloatType>(element))
      value = arith::NegFOp::create(builder, loc, value);
    else
      value = arith::SubIOp::create(
          builder, loc, makeInteger(0, value.getType(), loc), value);
  }
  return {element,
          {pyk::AtomicOp::create(builder, loc, value.getType(),
                                 *symbolizeAtomicKind(intrinsic.lowering),
                                 /*is_unsigned=*/element.isUnsignedInteger(),
                                 value, target, indices)}};
}
