// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses as arithmetic that all targets share. A contiguous array counts
// elements, so that neighbours differ by 1 whatever their size, and LLVM sees
// one index; a strided one adds up bytes. What is the same for several accesses
// is one value after CSE.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_EXPANDADDRESSESPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Bytes from the first element of a strided array to the one at `indices`.
static Value countBytes(Value array, ValueRange indices,
                        ImplicitLocOpBuilder &b) {
  Value offset;
  for (auto [dimension, index] : llvm::enumerate(indices)) {
    Value stride = b.createOrFold<StrideOp>(b.getI64Type(), array, dimension);
    Value bytes = b.createOrFold<arith::MulIOp>(index, stride);
    offset = offset ? b.createOrFold<arith::AddIOp>(offset, bytes) : bytes;
  }
  return offset;
}

/// How many elements of a contiguous array lie in memory in front of the one at
/// `indices`.
static Value countElements(Value array, ValueRange indices,
                           ImplicitLocOpBuilder &b) {
  bool isC = cast<ArrayType>(array.getType()).getLayout() == Layout::C;
  Value offset;
  for (size_t position = 0; position < indices.size(); ++position) {
    size_t dimension = isC ? position : indices.size() - 1 - position;
    Value index = indices[dimension];
    if (offset) {
      Value extent = b.createOrFold<DimOp>(b.getI64Type(), array, dimension);
      Value before = b.createOrFold<arith::MulIOp>(offset, extent);
      index = b.createOrFold<arith::AddIOp>(before, index);
    }
    offset = index;
  }
  return offset;
}

/// The element of `array` at `indices`, of which there is one at least.
static Value makeElement(Value array, ValueRange indices,
                         ImplicitLocOpBuilder &b) {
  bool isStrided = cast<ArrayType>(array.getType()).getLayout() == Layout::Any;
  Value offset = isStrided ? countBytes(array, indices, b)
                           : countElements(array, indices, b);
  return ElementOp::create(b, array, offset);
}

static void expand(AccessOpInterface access) {
  if (access.getIndices().empty())
    return;
  ImplicitLocOpBuilder b(access.getLoc(), access);
  access.getArrayMutable().assign(
      makeElement(access.getArray(), access.getIndices(), b));
  access.getIndicesMutable().clear();
}

static void expand(ViewOp view) {
  if (view.getAxes().empty() ||
      !llvm::all_of(view.getAxisList(),
                    [](Axis axis) { return axis == Axis::Index; }))
    return;
  ImplicitLocOpBuilder b(view.getLoc(), view);
  view.replaceAllUsesWith(makeElement(view.getArray(), view.getNumbers(), b));
  view.erase();
}

namespace {

struct ExpandAddressesPass
    : pyk::impl::ExpandAddressesPassBase<ExpandAddressesPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto access = dyn_cast<AccessOpInterface>(op))
        expand(access);
      else if (auto view = dyn_cast<ViewOp>(op))
        expand(view);
    });
  }
};

} // namespace
