// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of an array belong to one thread, which alone stores to them.

#ifndef PYK_DIALECT_PYK_ANALYSIS_ELEMENTOWNERS_H
#define PYK_DIALECT_PYK_ANALYSIS_ELEMENTOWNERS_H

#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

namespace pyk {

/// Finds elements that only the thread that reads them stores to: the read and
/// each store of the module to that array have the thread's index in the grid,
/// or in the block, as the index of the same dimension. Asked in stage pyk.
class ElementOwners {
public:
  ElementOwners(mlir::Operation *module, const UnderlyingObjects &objects)
      : module(module), objects(objects) {}

  /// True if no other thread stores to what `read`, an access or a copy, reads.
  /// Threads that compute the same, because they differ only in a dimension
  /// that nothing in the module depends on, count as one.
  bool isOwn(mlir::Operation *read);

private:
  /// Index of the thread, or of its block, in one dimension.
  struct ThreadIndex {
    enum Kind { InBlock, OfBlock, InGrid };
    Kind kind;
    Dimension dimension;

    bool operator==(ThreadIndex other) const {
      return kind == other.kind && dimension == other.dimension;
    }
    bool operator!=(ThreadIndex other) const { return !(*this == other); }
  };
  /// Of each dimension of an array: which of these is its index, if one is.
  using Indices = llvm::SmallVector<std::optional<ThreadIndex>>;

  /// How an array is a view of a whole array.
  struct Mapping {
    /// Of each dimension of the view: the one of the whole array whose index
    /// is the same, or -1.
    llvm::SmallVector<int64_t> dimensions;
    /// The indices in the whole array that the views give.
    Indices indices;

    bool operator==(const Mapping &other) const {
      return dimensions == other.dimensions && indices == other.indices;
    }
  };

  void scanModule();
  void addStore(mlir::Operation *store, mlir::Value array);
  void addDependence(mlir::Operation *op);
  bool hasChangingReads();
  std::optional<ThreadIndex> getIndex(mlir::Value value);
  std::optional<ThreadIndex> findIndex(mlir::Value value);
  std::optional<ThreadIndex> getSource(mlir::Value value);
  bool isStride(mlir::Value value, ThreadIndex index) const;
  std::optional<Mapping> getMapping(mlir::Value array);
  std::optional<Mapping> findMapping(mlir::Value array);
  Mapping mapView(ViewOp view);
  std::optional<Indices> getIndices(mlir::Operation *access, mlir::Value array);
  bool tellApart(llvm::ArrayRef<std::optional<ThreadIndex>> indices,
                 Space space) const;
  bool isReadOfOwn(mlir::Operation *read);

  mlir::Operation *module;
  const UnderlyingObjects &objects;
  /// True once the members below it are set.
  bool isScanned = false;
  /// What the module stores to an array.
  struct Stores {
    /// The indices that all stores have in common; none if they are not known.
    std::optional<Indices> indices;
    bool hasAtomics = false;
  };
  llvm::DenseMap<mlir::Value, Stores> stores;
  /// The dimensions, as bits, in which threads of a block, and blocks, do not
  /// compute the same.
  unsigned threads = 0, blocks = 0;
  /// False if code that is not in the module, or runs in another grid, may
  /// store.
  bool isComplete = true;
  /// Results so far; nothing for a value that is being looked at.
  llvm::DenseMap<mlir::Value, std::optional<ThreadIndex>> knownIndices;
  llvm::DenseMap<mlir::Value, std::optional<Mapping>> knownMappings;
  /// How many calls of `getIndex` and `getMapping` are under way.
  unsigned depth = 0;
};

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_ELEMENTOWNERS_H
