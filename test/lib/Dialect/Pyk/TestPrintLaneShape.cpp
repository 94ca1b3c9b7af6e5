// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what LaneShapeAnalysis says of a module: a line for each op and each
// block with arguments.

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Visitors.h"
#include "mlir/Pass/Pass.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"

using namespace mlir;
using namespace pyk;

namespace {

struct TestPrintLaneShapePass
    : PassWrapper<TestPrintLaneShapePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPrintLaneShapePass)

  StringRef getArgument() const override { return "test-print-lane-shape"; }
  StringRef getDescription() const override {
    return "prints how values depend on the place of a thread";
  }

  void printShapes(ValueRange values, const LaneShapeAnalysis &analysis) {
    llvm::interleave(
        values, llvm::outs(),
        [&](Value value) { analysis.getShape(value).print(llvm::outs()); },
        ", ");
  }

  /// Prints `op -> shapes of the results | what decides whether it is reached`.
  void printOp(Operation *op, AsmState &state,
               const LaneShapeAnalysis &analysis) {
    raw_ostream &os = llvm::outs();
    op->print(os, state);
    if (op->getNumResults() != 0) {
      os << "  -> ";
      printShapes(op->getResults(), analysis);
    }
    LaneShape control = analysis.getControl(op);
    if (control != LaneShape()) {
      os << "  | ";
      control.print(os);
    }
    os << '\n';
  }

  void runOnOperation() override {
    const auto &analysis = getAnalysis<LaneShapeAnalysis>();
    AsmState state(getOperation(), OpPrintingFlags().skipRegions());
    getOperation()->walk([&](Operation *op, const WalkStage &stage) {
      if (stage.isBeforeAllRegions()) {
        if (auto function = dyn_cast<FunctionOpInterface>(op))
          llvm::outs() << '@' << function.getName() << '\n';
        else if (op->getParentOfType<FunctionOpInterface>())
          printOp(op, state, analysis);
      }
      if (stage.isAfterAllRegions())
        return;
      for (Block &block : op->getRegion(stage.getNextRegion()))
        if (block.getNumArguments() != 0) {
          llvm::outs() << "  arguments: ";
          printShapes(block.getArguments(), analysis);
          llvm::outs() << '\n';
        }
    });
    markAllAnalysesPreserved();
  }
};

} // namespace

namespace pyk::test {
// pyk-opt declares it.
// NOLINTNEXTLINE(misc-use-internal-linkage)
void registerTestPrintLaneShapePass() {
  PassRegistration<TestPrintLaneShapePass>();
}
} // namespace pyk::test
