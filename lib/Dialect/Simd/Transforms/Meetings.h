// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads wait for each other, and which of them come there.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_MEETINGS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_MEETINGS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace pyk {
class LaneShapeAnalysis;
} // namespace pyk

namespace pyk::simd {

/// Whether `op` is about the warp of its thread.
bool isOfWarp(mlir::Operation *op);

/// The mask of `op`, which is about warps: the lanes that wait for each other.
/// Null if it has none.
mlir::Value getLanesOfMeeting(mlir::Operation *op);

/// Whether `mask`, of lanes, is a constant that names all, or null.
bool isWholeWarp(mlir::Value mask);

/// Whether at `op` threads wait for lanes of their warp.
bool isMeetingOfWarp(mlir::Operation *op);

/// Whether the lanes that `op`, a meeting of a warp, waits for are none of
/// those that the parent of `inner`, in which it is, keeps from it: they were
/// found inside, or by its condition.
bool isWaitingForNoOther(mlir::Operation *op, mlir::Operation *inner);

/// Whether the lanes that `op`, a meeting of a warp, waits for meet nowhere
/// else as these: its mask is a constant that no other meeting has, and it is
/// in no loop. One of them that does not come would be waited for in vain.
bool isOnlyOneOfItsLanes(mlir::Operation *op);

/// Whether `around` lets some threads of a block run what others do not.
bool partsThreads(mlir::Operation *around, const LaneShapeAnalysis &shapes);

/// Whether threads wait for each other at `op` or in it.
bool hasMeeting(mlir::Operation *op);

/// Whether threads that `inner`'s parent keeps from it come to no place where
/// threads wait for each other, now or later.
bool isMissedForGood(mlir::Operation *inner);

/// Whether all threads of the block that are left come to `barrier` as often.
bool isMetByAll(mlir::Operation *barrier, const LaneShapeAnalysis &shapes);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_MEETINGS_H
