// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that threads decide differently.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_CONDITIONVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_CONDITIONVECTORIZER_H

#include "Masks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pyk::simd {

class Vectorizer;

/// Writes conditions, whose arms `walk` writes.
class ConditionVectorizer {
public:
  /// In the tile at `position`, of which, if `isEdge` is set, not all threads
  /// do what the kernel does.
  ConditionVectorizer(Vectorizer &walk, LaneValues &values, Masks &masks,
                      const TilePosition &position, bool isEdge,
                      mlir::OpBuilder &builder, Obstacle &obstacle)
      : walk(walk), values(values), masks(masks), position(position),
        writesTwice(!isEdge), builder(builder), obstacle(obstacle) {}

  /// To be called with the body of the kernel, before anything is visited.
  void begin(mlir::Block &body);

  void visit(mlir::scf::IfOp op);

private:
  bool takesMask(AccessOpInterface access) const;
  bool checksMaskedAccess(mlir::scf::IfOp op) const;
  void visitUniform(mlir::scf::IfOp op);
  void visitTwice(mlir::scf::IfOp op, mlir::Value isWhole);
  void visitByVectors(mlir::scf::IfOp op);
  void selectArms(mlir::scf::IfOp op);
  mlir::Value choose(mlir::Value condition, mlir::Value yield,
                     mlir::Value other, mlir::Value ifTrue,
                     mlir::Value ifFalse);
  llvm::SmallVector<mlir::Type> getTypes(mlir::scf::IfOp op) const;
  llvm::SmallVector<mlir::Value> visitMasked(mlir::scf::IfOp op,
                                             llvm::ArrayRef<mlir::Type> types);
  llvm::SmallVector<mlir::Value> runUnder(mlir::Value some, mlir::Value mask,
                                          mlir::Region &arm,
                                          llvm::ArrayRef<mlir::Type> types);

  Vectorizer &walk;
  LaneValues &values;
  Masks &masks;
  const TilePosition &position;
  /// Whether conditions have a form for tiles of which all threads take them.
  bool writesTwice;
  mlir::OpBuilder &builder;
  Obstacle &obstacle;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_CONDITIONVECTORIZER_H
