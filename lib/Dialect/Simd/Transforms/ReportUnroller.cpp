// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of all threads of a tile of an access outside of memory: masks,
// thread numbers and indices are stored in a buffer on the stack, in the order
// that `pyk.outside_lanes` expects.

#include "ReportUnroller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "pyk/runtime/ABI.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

OutsideOp pyk::simd::getCommonReport(SerialOp op) {
  Block &body = op.getBody().front();
  auto report = dyn_cast<OutsideOp>(body.front());
  bool isAll = report && report->getNextNode() == body.getTerminator();
  return isAll && op.getNumResults() == 0 ? report : OutsideOp();
}

/// The compact vector of which `value`, which `op` uses in its body, is the
/// thread's element; null if it is one number for all threads.
static Value getVector(SerialOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &op.getBody().front())
    return {};
  return op.getInputs()[argument.getArgNumber()];
}

/// The form of `pyk.outside_lanes` for `vector`, which is null for one number.
static int32_t getForm(Value vector) {
  if (!vector)
    return PYK_RT_UNIFORM;
  return areConsecutive(vector) ? PYK_RT_CONSECUTIVE : PYK_RT_BY_LANE;
}

/// The number of the buffers of reports. Calls read these; the buffers of loops
/// have other numbers, so that LLVM knows that nothing else reads them.
static constexpr unsigned kOfReports = ~0U - 1;

void ReportUnroller::add(SerialOp op, OutsideOp report) {
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type();
  Value any = op.getMask() ? op.getMask() : op.getInputs().front();
  auto [rows, strips, lanes] = getDimensions(any.getType());
  int64_t vectors = rows * strips;
  int64_t count = op.getMask() ? vectors : 0;
  SmallVector<int32_t> forms;
  for (Value told : report->getOperands()) {
    forms.push_back(getForm(getVector(op, told)));
    count += forms.back() == PYK_RT_BY_LANE ? vectors * lanes : 1;
  }
  Value buffer = buffers.get(i64, kOfReports, count);
  int64_t next = 0;
  // Stores `value`, widened to 64 bits, in the next `taken` places.
  auto store = [&](Value value, int64_t taken) {
    Type type = i64;
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      type = vector.clone(i64);
    if (value.getType() != type)
      value = arith::ExtUIOp::create(builder, loc, type, value);
    LLVM::StoreOp::create(
        builder, loc, value,
        getAddressAt(builder, buffer, i64, makeNumber(builder, next)),
        /*alignment=*/8);
    next += taken;
  };
  for (int64_t i = 0; op.getMask() && i < vectors; ++i) {
    Value mask = values.getInstance(op.getMask(), i / strips, i % strips);
    store(lanes == 1 ? mask : makeBits(builder, mask), 1);
  }
  for (auto [told, form] : llvm::zip_equal(report->getOperands(), forms)) {
    Value vector = getVector(op, told);
    if (form == PYK_RT_UNIFORM)
      store(values.get(told).front(), 1);
    else if (form == PYK_RT_CONSECUTIVE)
      store(values.getElement(vector, {0, 0, 0}), 1);
    else
      for (int64_t i = 0; i < vectors; ++i)
        store(values.getInstance(vector, i / strips, i % strips), lanes);
  }
  OutsideLanesOp::create(builder, loc, report.getText(), report.getFile(),
                         report.getLine(), vectors, lanes, bool(op.getMask()),
                         forms, buffer);
}
