// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions that clients ask: for which groups of threads a value is the
// same, and who comes by an op. Shapes themselves are tested by lit.

#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/InitAll.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pyk;

TEST(LaneShapeAnalysisTest, AnswersForEachGroup) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(R"mlir(
    gpu.module @pyk {
      gpu.func @kernel() kernel {
        %thread = gpu.thread_id x
        %warp = gpu.subgroup_id : index
        %block = gpu.block_id x
        %extent = gpu.block_dim x
        %first = arith.cmpi eq, %thread, %block : index
        scf.if %first {
          pyk.barrier
        }
        pyk.return
      }
    })mlir",
                                            &context);
  ASSERT_TRUE(module);
  LaneShapeAnalysis analysis(*module);
  // Whether each value is the same in a warp, a block and the grid.
  std::string found;
  module->walk([&](Operation *op) {
    if (op->getNumResults() != 1)
      return;
    found += op->getName().stripDialect();
    for (LaneGroup group : {LaneGroup::Warp, LaneGroup::Block, LaneGroup::Grid})
      found += analysis.isUniform(op->getResult(0), group) ? " yes" : " no";
    found += '\n';
  });
  EXPECT_EQ(found, "thread_id no no no\n"
                   "subgroup_id yes no no\n"
                   "block_id yes yes no\n"
                   "block_dim yes yes yes\n"
                   "cmpi no no no\n");
  module->walk([&](BarrierOp barrier) {
    EXPECT_FALSE(analysis.getControl(barrier).isUniform(LaneGroup::Block));
    EXPECT_TRUE(
        analysis.getControl(barrier->getParentOp()).isUniform(LaneGroup::Grid));
  });
}

TEST(LaneShapeAnalysisTest, KnowsNothingOfWhatItHasNotSeen) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  constexpr llvm::StringLiteral kText = R"mlir(
    pyk.func @kernel(%n: i32) attributes {kernel} {
      pyk.return
    })mlir";
  auto module = parseSourceString<ModuleOp>(kText, &context);
  auto other = parseSourceString<ModuleOp>(kText, &context);
  ASSERT_TRUE(module && other);
  LaneShapeAnalysis analysis(*module);
  Value known = module->getBody()->front().getRegion(0).getArgument(0);
  Value unknown = other->getBody()->front().getRegion(0).getArgument(0);
  EXPECT_EQ(analysis.getShape(known), LaneShape());
  EXPECT_EQ(analysis.getShape(unknown), LaneShape::getVarying());
  EXPECT_EQ(analysis.getControl(&other->getBody()->front()),
            LaneShape::getVarying());
}
