// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How values depend on the place of a thread in its block, and what part ops
// have where the threads of a block run side by side.

#ifndef PYK_DIALECT_PYK_IR_PYKLANES_H
#define PYK_DIALECT_PYK_IR_PYKLANES_H

#include "mlir/IR/OpDefinition.h"
#include <array>

namespace pyk {

/// An axis of the grid; its cases are in PykEnums.td.
enum class Dimension : uint32_t;

/// The part of an op where threads run side by side, as lanes.
enum class LaneClass {
  /// Its results are the same for all threads of the grid.
  Uniform,
  /// Its results say where a thread is.
  Position,
  /// Each result follows from the operands of the same thread.
  Elementwise,
  /// It makes, reads or writes memory.
  Memory,
  /// It decides which threads run what.
  Control,
  /// Threads exchange something, or wait for each other.
  Collective,
  /// One thread after the other is right, and nothing else is known.
  Serial
};

/// Threads that may see the same value.
enum class LaneGroup { Warp, Block, Grid };

/// How a value changes from a thread to its neighbour on one axis of the block.
struct LaneStride {
  /// By `value`; by something that is the same for all; or somehow.
  enum Kind { Constant, Alike, Varying };

  bool isZero() const { return kind == Constant && value == 0; }
  bool isVarying() const { return kind == Varying; }
  bool operator==(const LaneStride &other) const {
    return kind == other.kind && value == other.value;
  }

  Kind kind = Constant;
  int64_t value = 0;
};

/// How a value depends on the place of the thread that computes it: at one
/// time, and among the threads that compute it at all.
class LaneShape {
public:
  static constexpr unsigned kAxes = 3;

  /// The same for all threads of the grid.
  LaneShape() = default;
  /// Different in some way from any thread to any other.
  static LaneShape getVarying();
  /// The index of a thread in its block.
  static LaneShape getOfThread(Dimension axis);
  /// The index of a thread in the grid.
  static LaneShape getOfGrid(Dimension axis);
  /// The same for the threads of a block.
  static LaneShape getOfBlock();
  /// The same for the threads of a warp.
  static LaneShape getOfWarp();

  const LaneStride &getStride(unsigned axis) const { return strides[axis]; }
  void setStride(unsigned axis, LaneStride stride) { strides[axis] = stride; }
  /// True if the value is the same on all axes of the block.
  bool hasNoAxis() const;
  bool isUniform(LaneGroup group) const;
  /// True if strides hold only modulo the width of the type. What depends on no
  /// axis has none that could be wrong.
  bool mayWrap() const { return wraps; }
  void setMayWrap() { wraps = !hasNoAxis(); }
  bool differsByBlock() const { return variesByBlock; }
  void setDiffersByBlock() { variesByBlock = true; }

  /// Makes it the shape of a value that is one of two for all threads alike.
  void join(const LaneShape &other);
  /// Makes it the shape of what follows from the value and from another, in a
  /// way of which nothing is known.
  void dependOn(const LaneShape &other);
  /// What is known of a function of a value of this shape.
  LaneShape getDependence() const;
  /// Adds what the shape of a sum or difference has from the second operand.
  void add(const LaneShape &other, bool subtract);

  bool operator==(const LaneShape &other) const {
    return strides == other.strides && variesByBlock == other.variesByBlock &&
           variesInWarp == other.variesInWarp && wraps == other.wraps;
  }
  bool operator!=(const LaneShape &other) const { return !(*this == other); }
  /// Prints `uniform`, or what it depends on: `x:1 y:? z:* block`, where `?` is
  /// a stride that is the same for all and `*` none; `warp` if it is the same
  /// in a warp all the same.
  void print(llvm::raw_ostream &os) const;

private:
  void joinGroups(const LaneShape &other);

  std::array<LaneStride, kAxes> strides;
  bool variesByBlock = false;
  bool variesInWarp = false;
  bool wraps = false;
};

/// The trait of ops that state their part by `Pyk_Lanes`.
template <typename ConcreteOp>
struct StatesLanes : mlir::OpTrait::TraitBase<ConcreteOp, StatesLanes> {};

/// The trait of ops that state by `Pyk_GoneBy` in which stage they are gone.
template <typename ConcreteOp>
struct StatesStage : mlir::OpTrait::TraitBase<ConcreteOp, StatesStage> {};

/// The trait of ops that are a `Pyk_ArrayView`.
template <typename ConcreteOp>
struct StatesView : mlir::OpTrait::TraitBase<ConcreteOp, StatesView> {};

/// The part of `op`, of any dialect. Where it does not state it, control flow
/// is control, an op on numbers that has no effects is elementwise, and what is
/// left is serial.
LaneClass getLaneClass(mlir::Operation *op);

/// The name of a class, as tests write it.
llvm::StringRef stringifyLaneClass(LaneClass value);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKLANES_H
