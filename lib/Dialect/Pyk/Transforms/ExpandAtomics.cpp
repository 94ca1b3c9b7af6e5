// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's atomic maximum of floats treats NaN as missing and leaves open which
// of two zeros is the larger: PTX takes +0, and x86 the one that was there. So
// each extreme of floats is a loop: look, and replace what was seen unless
// another thread has been faster. It gets on whenever any thread does, so it is
// no loop that waits, and this runs after those were found.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_EXPANDATOMICSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// True if `value` takes the place of `old`.
static Value replaces(ImplicitLocOpBuilder &b, AtomicKind kind, Value value,
                      Value old) {
  bool isMax = kind == AtomicKind::Max || kind == AtomicKind::NanMax;
  Value isBeyond = arith::CmpFOp::create(
      b, isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, value,
      old);
  if (kind == AtomicKind::Max || kind == AtomicKind::Min)
    return isBeyond;
  return arith::OrIOp::create(
      b, isBeyond,
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, old, old));
}

static void expand(AtomicOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  // The loop may store nothing.
  bool isOrdered = op.getOrder() != Order::Relaxed;
  if (isOrdered)
    FenceOp::create(b, op.getScope());
  Type type = op.getType();
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  auto isOther = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                 arith::BitcastOp::create(b, bits, x),
                                 arith::BitcastOp::create(b, bits, y));
  };
  // Each access is done, since other threads write.
  Value first = LoadOp::create(b, op.getArray(), op.getIndices(),
                               b.getUnitAttr(), /*cache=*/{});
  auto loop = scf::WhileOp::create(b, type, first);
  Value old =
      b.createBlock(&loop.getBefore(), {}, type, b.getLoc())->getArgument(0);
  auto branch =
      scf::IfOp::create(b, type, replaces(b, op.getKind(), op.getValue(), old),
                        /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  Value seen =
      AtomicCasOp::create(b, type, Order::Relaxed, op.getScope(), old,
                          op.getValue(), op.getArray(), op.getIndices());
  scf::YieldOp::create(b, seen);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, old);
  b.setInsertionPointAfter(branch);
  Value found = branch.getResult(0);
  scf::ConditionOp::create(b, isOther(found, old), found);
  Value next =
      b.createBlock(&loop.getAfter(), {}, type, b.getLoc())->getArgument(0);
  scf::YieldOp::create(b, next);
  b.setInsertionPoint(op);
  if (isOrdered)
    FenceOp::create(b, op.getScope());
  op.replaceAllUsesWith(loop.getResult(0));
  op.erase();
}

static bool isLoop(AtomicKind kind, Type type) {
  return isa<FloatType>(type) &&
         (kind == AtomicKind::Max || kind == AtomicKind::Min ||
          kind == AtomicKind::NanMax || kind == AtomicKind::NanMin);
}

namespace {

struct ExpandAtomicsPass : pyk::impl::ExpandAtomicsPassBase<ExpandAtomicsPass> {
  void runOnOperation() override {
    SmallVector<AtomicOp> ops;
    getOperation()->walk([&](AtomicOp op) {
      if (isLoop(op.getKind(), op.getType()))
        ops.push_back(op);
    });
    llvm::for_each(ops, expand);
  }
};

} // namespace
