// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's atomic maximum of floats treats NaN as missing, which is `nanmax`. One
// that leaves NaN alone is a loop: look, and replace what was seen unless
// another thread has been faster. It gets on whenever any thread does, so it is
// no loop that waits, and this runs after those were found.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_EXPANDATOMICSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

static void expand(AtomicOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Type type = op.getType();
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  auto isOther = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                 arith::BitcastOp::create(b, bits, x),
                                 arith::BitcastOp::create(b, bits, y));
  };
  // Each access is done, since other threads write.
  Value first = LoadOp::create(b, type, op.getArray(), op.getIndices(),
                               /*is_volatile=*/true);
  auto loop = scf::WhileOp::create(b, type, first);
  Value old =
      b.createBlock(&loop.getBefore(), {}, type, b.getLoc())->getArgument(0);
  auto predicate = op.getKind() == AtomicKind::Max ? arith::CmpFPredicate::OGT
                                                   : arith::CmpFPredicate::OLT;
  Value replaces = arith::CmpFOp::create(b, predicate, op.getValue(), old);
  auto branch = scf::IfOp::create(b, type, replaces, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  Value seen = AtomicCasOp::create(b, type, old, op.getValue(), op.getArray(),
                                   op.getIndices());
  scf::YieldOp::create(b, seen);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, old);
  b.setInsertionPointAfter(branch);
  Value found = branch.getResult(0);
  scf::ConditionOp::create(b, isOther(found, old), found);
  Value next =
      b.createBlock(&loop.getAfter(), {}, type, b.getLoc())->getArgument(0);
  scf::YieldOp::create(b, next);
  op.replaceAllUsesWith(loop.getResult(0));
  op.erase();
}

namespace {

struct ExpandAtomicsPass : pyk::impl::ExpandAtomicsPassBase<ExpandAtomicsPass> {
  void runOnOperation() override {
    SmallVector<AtomicOp> ops;
    getOperation()->walk([&](AtomicOp op) {
      bool isExtreme =
          op.getKind() == AtomicKind::Max || op.getKind() == AtomicKind::Min;
      if (isExtreme && isa<FloatType>(op.getType()))
        ops.push_back(op);
    });
    llvm::for_each(ops, expand);
  }
};

} // namespace
