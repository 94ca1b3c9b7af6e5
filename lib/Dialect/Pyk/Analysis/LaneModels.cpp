// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part among lanes of ops of other dialects that no default rule gives:
// those that say where a thread is, and those that threads do together.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"

using namespace mlir;
using namespace pyk;

namespace {

template <typename Op>
Dimension getAxis(Operation *op) {
  return static_cast<Dimension>(cast<Op>(op).getDimension());
}

struct ThreadIdModel
    : LaneOpInterface::ExternalModel<ThreadIdModel, gpu::ThreadIdOp> {
  LaneClass getLaneClass(Operation *) const { return LaneClass::Position; }
  LaneShape getLaneShape(Operation *op) const {
    return LaneShape::getOfThread(getAxis<gpu::ThreadIdOp>(op));
  }
};

struct GlobalIdModel
    : LaneOpInterface::ExternalModel<GlobalIdModel, gpu::GlobalIdOp> {
  LaneClass getLaneClass(Operation *) const { return LaneClass::Position; }
  LaneShape getLaneShape(Operation *op) const {
    return LaneShape::getOfGrid(getAxis<gpu::GlobalIdOp>(op));
  }
};

struct BlockIdModel
    : LaneOpInterface::ExternalModel<BlockIdModel, gpu::BlockIdOp> {
  LaneClass getLaneClass(Operation *) const { return LaneClass::Position; }
  LaneShape getLaneShape(Operation *) const { return LaneShape::getOfBlock(); }
};

struct LaneIdModel
    : LaneOpInterface::ExternalModel<LaneIdModel, gpu::LaneIdOp> {
  LaneClass getLaneClass(Operation *) const { return LaneClass::Position; }
  LaneShape getLaneShape(Operation *) const { return LaneShape::getVarying(); }
};

struct SubgroupIdModel
    : LaneOpInterface::ExternalModel<SubgroupIdModel, gpu::SubgroupIdOp> {
  LaneClass getLaneClass(Operation *) const { return LaneClass::Position; }
  LaneShape getLaneShape(Operation *) const { return LaneShape::getOfWarp(); }
};

/// What the launch gives for all threads.
template <typename Op>
struct ExtentModel : LaneOpInterface::ExternalModel<ExtentModel<Op>, Op> {
  LaneClass getLaneClass(Operation *) const { return LaneClass::Uniform; }
  LaneShape getLaneShape(Operation *) const { return LaneShape(); }
};

/// What threads do together.
template <typename Op>
struct CollectiveModel
    : LaneOpInterface::ExternalModel<CollectiveModel<Op>, Op> {
  LaneClass getLaneClass(Operation *) const { return LaneClass::Collective; }
  LaneShape getLaneShape(Operation *) const { return LaneShape::getVarying(); }
};

} // namespace

void pyk::registerLaneModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    gpu::ThreadIdOp::attachInterface<ThreadIdModel>(*context);
    gpu::GlobalIdOp::attachInterface<GlobalIdModel>(*context);
    gpu::BlockIdOp::attachInterface<BlockIdModel>(*context);
    gpu::LaneIdOp::attachInterface<LaneIdModel>(*context);
    gpu::SubgroupIdOp::attachInterface<SubgroupIdModel>(*context);
    gpu::BlockDimOp::attachInterface<ExtentModel<gpu::BlockDimOp>>(*context);
    gpu::BarrierOp::attachInterface<CollectiveModel<gpu::BarrierOp>>(*context);
    gpu::ShuffleOp::attachInterface<CollectiveModel<gpu::ShuffleOp>>(*context);
    // These have no effects, which the default would take for elementwise.
    gpu::RotateOp::attachInterface<CollectiveModel<gpu::RotateOp>>(*context);
    gpu::SubgroupBroadcastOp::attachInterface<
        CollectiveModel<gpu::SubgroupBroadcastOp>>(*context);
    gpu::GridDimOp::attachInterface<ExtentModel<gpu::GridDimOp>>(*context);
  });
}
