// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that a kernel launches.

#include "Launches.h"
#include "Scalars.h"
#include "Tuples.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Binding py::configureKernel(FunctionLowering &lowering,
                            ConfiguredKernelType kernel, const Binding &shape,
                            Location loc) {
  OpBuilder &builder = lowering.getBuilder();
  Type wide = builder.getI64Type();
  Type count = IntegerType::get(builder.getContext(), 64, IntegerType::Signed);
  auto toCount = [&](const Binding &number) {
    return lowering.convert(number, count, loc).parts.front();
  };
  Binding result{kernel, {}};
  for (unsigned position : {0, 1}) {
    Binding extents = getItem(shape, position);
    auto tuple = dyn_cast<TupleType>(extents.type);
    for (unsigned dimension = 0; dimension != 3; ++dimension)
      if (dimension < (tuple ? tuple.size() : 1))
        result.parts.push_back(
            toCount(tuple ? getItem(extents, dimension) : extents));
      else
        result.parts.push_back(makeInteger(builder, 1, wide, loc));
  }
  unsigned given = cast<TupleType>(shape.type).size();
  Binding stream = given > 2 ? getItem(shape, 2) : Binding();
  bool isNamed = stream.type && stream.type.isUnsignedInteger(64);
  result.parts.push_back(isNamed ? stream.parts.front()
                                 : makeInteger(builder, 0, wide, loc));
  result.parts.push_back(given > 3 ? toCount(getItem(shape, 3))
                                   : makeInteger(builder, 0, wide, loc));
  return result;
}

void py::makeLaunch(OpBuilder &builder, py::FuncOp target,
                    const Binding &configured, ValueRange arguments,
                    Location loc) {
  ArrayRef<Value> shape = configured.parts;
  pyk::LaunchOp::create(builder, loc,
                        FlatSymbolRefAttr::get(target.getSymNameAttr()),
                        shape.take_front(3), shape.slice(3, 3), shape[6],
                        shape[7], arguments, /*record=*/Value());
}
