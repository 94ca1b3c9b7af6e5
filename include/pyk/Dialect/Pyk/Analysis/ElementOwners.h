// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of an array belong to one thread, which alone stores to them.

#ifndef PYK_DIALECT_PYK_ANALYSIS_ELEMENTOWNERS_H
#define PYK_DIALECT_PYK_ANALYSIS_ELEMENTOWNERS_H

#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

namespace pyk {

/// Finds elements that only the thread that reads them stores to: the kernel
/// takes the thread's place in the grid, or block, as the index of one
/// dimension in the read and in each store. Asked in stage pyk.
class ElementOwners {
public:
  ElementOwners(mlir::Operation *module, const UnderlyingObjects &objects)
      : module(module), objects(objects) {}

  /// True if no other thread stores to what `read`, an access or a copy, reads.
  /// Threads of which the program cannot tell one from the other, as those that
  /// differ in y where it asks for x alone, count as one.
  bool isOwn(mlir::Operation *read);

private:
  /// One coordinate of a thread.
  struct Place {
    enum Kind { Thread, Block, Grid };
    Kind kind;
    Dimension dimension;

    bool operator==(Place other) const {
      return kind == other.kind && dimension == other.dimension;
    }
    bool operator!=(Place other) const { return !(*this == other); }
  };
  /// Of each dimension of an array: the place that is its index, if one is.
  using Places = llvm::SmallVector<std::optional<Place>>;

  /// How an array lies in the whole array that it is a view of.
  struct Position {
    /// Of each dimension of the view: the one of the whole array whose index
    /// is the same, or -1.
    llvm::SmallVector<int64_t> dimensions;
    /// What the views on the way have as indices, in the whole array.
    Places places;

    bool operator==(const Position &other) const {
      return dimensions == other.dimensions && places == other.places;
    }
  };

  void scanModule();
  void addDifference(mlir::Operation *op);
  std::optional<Place> getPlace(mlir::Value index);
  std::optional<Place> findPlace(mlir::Value index);
  std::optional<Place> getSource(mlir::Value index);
  bool isStride(mlir::Value value, Place place) const;
  std::optional<Position> getPosition(mlir::Value array);
  std::optional<Position> findPosition(mlir::Value array);
  std::optional<Position> viewPosition(ViewOp view);
  std::optional<Places> getPlaces(mlir::Operation *access, mlir::Value array);
  bool tellsThreadsApart(llvm::ArrayRef<std::optional<Place>> places,
                         Space space) const;

  mlir::Operation *module;
  const UnderlyingObjects &objects;
  /// What follows is found when it is first asked for.
  bool isScanned = false;
  /// The stores of the module and the array of each.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Value>> stores;
  /// In which coordinates threads differ for the program: bits of dimensions.
  unsigned threads = 0, blocks = 0;
  /// Kernels launch kernels, whose threads have the same places.
  bool hasLaunches = false;
  /// Found so far; nothing for a value under way, which depends on itself.
  llvm::DenseMap<mlir::Value, std::optional<Place>> knownPlaces;
  llvm::DenseMap<mlir::Value, std::optional<Position>> knownPositions;
};

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_ELEMENTOWNERS_H
