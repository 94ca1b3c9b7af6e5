// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A field of a record that threads choose is an element that they choose of the
// array of that field, which is one for all.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"

namespace pyk::simd {
#define GEN_PASS_DEF_SPLITRECORDSPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;

/// Makes `field`, a number or record in an element, an element of an array.
static void split(FieldOp field) {
  auto element = field.getArray().getDefiningOp<ElementOp>();
  if (!element || field.getType().getRank() != 0)
    return;
  OpBuilder builder(field);
  Location loc = field.getLoc();
  ArrayType records = element.getArray().getType();
  SmallVector<FieldAttr> all = records.getFields();
  auto position = llvm::find(all, field.getField()) - all.begin();
  Value fields = FieldOp::create(builder, loc, element.getArray(),
                                 static_cast<unsigned>(position));
  // That array's offsets count bytes.
  Value offset = element.getOffset();
  if (records.getLayout() != Layout::Any)
    offset = arith::MulIOp::create(
        builder, loc, offset,
        arith::ConstantIntOp::create(builder, loc, offset.getType(),
                                     records.getElementBytes()));
  field.replaceAllUsesWith(
      ElementOp::create(builder, loc, fields, offset).getResult());
  field.erase();
}

namespace {

struct SplitRecordsPass : simd::impl::SplitRecordsPassBase<SplitRecordsPass> {
  void runOnOperation() override {
    // Records in records come behind those that they are in.
    SmallVector<FieldOp> fields;
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](FieldOp field) { fields.push_back(field); });
    for (FieldOp field : fields)
      split(field);
  }
};

} // namespace
