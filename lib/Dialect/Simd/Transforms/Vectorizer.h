// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes what one tile of threads does, op by op.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_VECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_VECTORIZER_H

#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"

namespace pyk::simd {

/// Why a kernel does not run as vectors.
struct Obstacle {
  Obstacle() = default;
  Obstacle(std::string reason, std::string advice = "")
      : reason(std::move(reason)), advice(std::move(advice)) {}
  Obstacle(const char *reason, const char *advice = "")
      : reason(reason), advice(advice) {}

  explicit operator bool() const { return !reason.empty(); }

  std::string reason;
  /// What in the program would help; empty if nobody knows.
  std::string advice;
  /// Where it is; null if that is the kernel as a whole.
  mlir::Operation *op = nullptr;
};

/// That of an exchange to which lanes of a warp come one after the other.
Obstacle getPartedWarp(mlir::Operation *op);

/// The work on one kernel, which must have passed `checkKernel`.
class Vectorizer {
public:
  Vectorizer(const Tile &tile, const LaneShapeAnalysis &shapes,
             mlir::OpBuilder &builder)
      : tile(tile), shapes(shapes), builder(builder) {}

  /// Writes `body`, that of the kernel, for the tile whose first row and strip
  /// are given, of the block with index `blockX`; null if that is one for all.
  /// Returns why it cannot be done, and what was written is of no use; false if
  /// it is done.
  Obstacle run(mlir::Block &body, mlir::Value row, mlir::Value strip,
               mlir::Value blockX);

private:
  // Values.
  mlir::Value get(mlir::Value value) const;
  void set(mlir::Value value, mlir::Value mapped);
  bool isUniform(mlir::Value value) const;
  /// The dimensions of what stands for `value`.
  Dimensions getOwn(mlir::Value value) const;
  /// The dimensions that `value` will have, by its shape.
  Dimensions getExpected(mlir::Value value) const;
  mlir::Value stretch(mlir::Value mapped, Dimensions dimensions);
  mlir::Value stretch(mlir::Value mapped, mlir::Type type);
  mlir::Value makeConstant(bool value, Dimensions dimensions);

  // Masks.
  mlir::Value makeAnd(mlir::Value a, mlir::Value b);
  mlir::Value makeNot(mlir::Value mask);
  mlir::Value makeSelect(mlir::Value condition, mlir::Value ifTrue,
                         mlir::Value ifFalse);
  mlir::Value reduceMask(mlir::Value mask, Dimensions dimensions);
  /// Of `result` of a loop, what threads in `active` get of `value` and others
  /// keep of `old`. Those that leave together, as the shape of `result` says,
  /// all get `value` if one does: neighbours stay neighbours.
  mlir::Value keepOld(mlir::Value active, mlir::Value value, mlir::Value old,
                      mlir::Value result);
  mlir::Value makeZero(mlir::Location loc, mlir::Type type);
  /// Whether the loop carries `argument` for threads that have left, too, as if
  /// they had not: the address of neighbours is that of the first.
  bool movesWithThreads(mlir::Value argument) const;
  /// The threads that are on, with `dimensions`; null if all are.
  mlir::Value getMask(Dimensions dimensions);
  mlir::Value makeAny(mlir::Value mask, bool onlyAtCorners = false);
  mlir::Value makeAll(mlir::Value mask, bool onlyAtCorners = false);
  mlir::Value compareCorner(mlir::arith::CmpIOp compare, bool forAll);

  // Ops.
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitElementwise(mlir::Operation *op);
  llvm::SmallVector<mlir::Value> foldConstants(mlir::Operation *op);
  void visitSerial(mlir::Operation *op);
  void visitIndexCast(mlir::Operation *op);
  void visitLocalArray(AllocOp op);
  mlir::Value makeLocalOffset(mlir::Value offset);
  void visitLoad(pyk::LoadOp op);
  void visitStore(pyk::StoreOp op);
  void clone(mlir::Operation *op);

  // Warps.
  mlir::Value makeLane(mlir::Location loc);
  bool isMetByWarps(mlir::Operation *op) const;
  bool isOneInWarps(mlir::Value value) const;
  mlir::Value spreadInWarps(mlir::Value value);
  mlir::Value makeBallot(mlir::Value predicate);
  void visitWarp(mlir::Operation *op);
  void visitVote(VoteOp vote);
  mlir::Value nameLanes(mlir::Value lanes, mlir::Value among);
  void visitMatchAny(MatchAnyOp match);
  void visitMatchAll(MatchAllOp match);
  void keepMeeting(mlir::Location loc);
  void visitBarrier(BarrierOp op);
  void answerVote(BarrierOp op);
  void checkOwnLane(mlir::Operation *op);
  mlir::Value makeNumberOfThread(mlir::Location loc);
  void visitShuffle(pyk::ShuffleOp op);

  // Control flow.
  void visitIf(mlir::scf::IfOp op);
  void visitByVectors(mlir::scf::IfOp op, mlir::Value condition);
  void visitFor(mlir::scf::ForOp op);
  /// What is left of a loop behind turns that all threads take.
  struct RestOfTurns {
    /// The counter of each thread in its next turn.
    mlir::Value counter;
    /// Who goes on; null where there were no such turns, and nobody knows.
    mlir::Value active;
    /// Whether none takes more than one turn.
    bool isLastTurn;
  };
  RestOfTurns visitWholeTurns(mlir::scf::ForOp op,
                              llvm::SmallVectorImpl<mlir::Value> &carried);
  void visitLastTurn(mlir::scf::ForOp op, mlir::Value counter,
                     mlir::Value active, llvm::ArrayRef<mlir::Value> carried);
  void visitWhile(mlir::scf::WhileOp op);
  void visitUniformIf(mlir::scf::IfOp op);
  void visitUniformFor(mlir::scf::ForOp op);
  void visitUniformWhile(mlir::scf::WhileOp op);
  void selectArms(mlir::scf::IfOp op);
  mlir::Value choose(mlir::Value condition, mlir::Value yield,
                     mlir::Value other, mlir::Value ifTrue,
                     mlir::Value ifFalse);
  llvm::SmallVector<mlir::Value> visitArm(mlir::Region &arm,
                                          llvm::ArrayRef<mlir::Type> types);
  llvm::SmallVector<mlir::Value> visitMasked(mlir::scf::IfOp op,
                                             mlir::Value condition,
                                             llvm::ArrayRef<mlir::Type> types);
  llvm::SmallVector<mlir::Value> runUnder(mlir::Value some, mlir::Value newMask,
                                          mlir::Region &arm,
                                          llvm::ArrayRef<mlir::Type> types);

  const Tile &tile;
  const LaneShapeAnalysis &shapes;
  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  /// Of what is made, how it depends on places.
  llvm::DenseMap<mlir::Value, LaneShape> made;
  /// The threads that are on; null if all are.
  mlir::Value mask;
  mlir::Value row, strip, blockX;
  /// Whether this is for a tile of which not all threads do what the kernel
  /// does.
  bool isEdge = false;
  Obstacle failure;
};

/// Where an access is, if the element differs by thread: an array that does
/// not, and an offset. None if the array is one of a kind that vectors do not
/// take.
struct Place {
  mlir::Value array;
  /// Null if the element is the same for all.
  mlir::Value offset;
  /// Whether each thread has an array of its own.
  bool isLocal = false;
};
std::optional<Place> findPlace(mlir::Value array,
                               const LaneShapeAnalysis &shapes);

/// The array that `element` is an element of, if that is local; else null.
AllocOp getLocalArray(mlir::Value element);

/// Whether `op` can be done for vectors as it is for numbers.
bool hasVectorForm(mlir::Operation *op);

/// What a tile must hold.
enum class TileNeed { Nothing, WholeWarps, Block };

/// Why vectors cannot run `kernel` with blocks as those of `tile`; false if
/// they can. Sets `need` to what a tile must hold.
Obstacle checkKernel(mlir::gpu::GPUFuncOp kernel, const Tile &tile,
                     const LaneShapeAnalysis &shapes, TileNeed &need);

/// How many blocks, neighbours along x, `kernel` runs at most when it is
/// called, in tiles as `tile`.
int64_t planRun(mlir::gpu::GPUFuncOp kernel, const LaneShapeAnalysis &shapes,
                TileNeed need, const Tile &tile);

/// Whether `op` only tells of an access that leaves memory, which right
/// programs never come to.
bool isTold(mlir::Operation *op);

/// Says what is slow where `kernel` runs as vectors in tiles as `tile`.
void explainKernel(mlir::gpu::GPUFuncOp kernel, const Tile &tile,
                   const LaneShapeAnalysis &shapes);

/// Says that `kernel` runs as vectors, in tiles as `tile`.
void remarkVectors(mlir::gpu::GPUFuncOp kernel, const Tile &tile);

/// Whether threads one by one would be faster: in loops that they leave at
/// different times, they access elements here and there, and do little else.
bool gathersInLoops(mlir::gpu::GPUFuncOp kernel,
                    const LaneShapeAnalysis &shapes, unsigned lanes);

/// Whether most of what threads do in loops is to go through the elements of
/// rows of their own: vectors would read from many places of the cache at a
/// time, where one thread after the other reads neighbours.
bool walksThroughRows(mlir::gpu::GPUFuncOp kernel,
                      const LaneShapeAnalysis &shapes);

/// Chooses how many rows and strips of `tile` run at a time; false if there is
/// too much to do for any number.
bool planTile(mlir::gpu::GPUFuncOp kernel, const LaneShapeAnalysis &shapes,
              TileNeed need, Tile &tile);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_VECTORIZER_H
