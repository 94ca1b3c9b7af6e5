// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only names change: no thread does anything else. Who reads the index of a
// block, or goes from one to the next, has to know which axis is meant, and the
// attribute tells.

#include "LaneAxis.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;

unsigned pyk::simd::getLaneAxis(gpu::GPUFuncOp kernel) {
  auto axis = kLaneAxis.get(kernel);
  return axis ? static_cast<unsigned>(axis.getInt()) : 0;
}

unsigned pyk::simd::getLanes(gpu::GPUFuncOp kernel, unsigned all) {
  auto fewer = kVectorLanes.get(kernel);
  return fewer ? static_cast<unsigned>(fewer.getInt()) : all;
}

void pyk::simd::swapAxes(gpu::GPUFuncOp kernel, unsigned axis) {
  auto other = static_cast<gpu::Dimension>(axis);
  auto rename = [&](auto op) {
    if (op.getDimension() == gpu::Dimension::x)
      op.setDimension(other);
    else if (op.getDimension() == other)
      op.setDimension(gpu::Dimension::x);
  };
  kernel.getBody().walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(
            rename);
  });
  Builder builder(kernel);
  if (auto block = kBlockShape.get(kernel)) {
    SmallVector<int32_t> shape(block.asArrayRef());
    std::swap(shape[0], shape[axis]);
    kBlockShape.set(kernel, builder.getDenseI32ArrayAttr(shape));
  }
  if (getLaneAxis(kernel) == axis)
    kLaneAxis.take(kernel);
  else
    kLaneAxis.set(kernel,
                  builder.getI32IntegerAttr(static_cast<int32_t>(axis)));
}
