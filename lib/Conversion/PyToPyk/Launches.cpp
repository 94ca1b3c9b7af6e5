// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that a kernel launches.

#include "Lowering.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// What `kernel[shape]` carries: the extents of the grid and of a block, 1
/// where none is given, the stream and the bytes of shared memory.
Binding FunctionLowering::configureKernel(ConfiguredKernelType kernel,
                                          const Binding &shape, Location loc) {
  Type wide = builder.getI64Type();
  Type count = IntegerType::get(context, 64, IntegerType::Signed);
  auto toCount = [&](const Binding &number) {
    return convert(number, count, loc).parts.front();
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
        result.parts.push_back(makeInteger(1, wide, loc));
  }
  unsigned given = cast<TupleType>(shape.type).size();
  Binding stream = given > 2 ? getItem(shape, 2) : Binding();
  bool isNamed = stream.type && stream.type.isUnsignedInteger(64);
  result.parts.push_back(isNamed ? stream.parts.front()
                                 : makeInteger(0, wide, loc));
  result.parts.push_back(given > 3 ? toCount(getItem(shape, 3))
                                   : makeInteger(0, wide, loc));
  return result;
}

void FunctionLowering::makeLaunch(py::FuncOp target, const Binding &configured,
                                  ValueRange arguments, Location loc) {
  ArrayRef<Value> shape = configured.parts;
  pyk::LaunchOp::create(builder, loc,
                        FlatSymbolRefAttr::get(target.getSymNameAttr()),
                        shape.take_front(3), shape.slice(3, 3), shape[6],
                        shape[7], arguments, /*record=*/Value());
}
