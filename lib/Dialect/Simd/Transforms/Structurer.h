// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes exits as conditions.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_STRUCTURER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_STRUCTURER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"

namespace pyk::simd {

/// Where blocks are in, and so what they yield: whether a break was taken and
/// whether a return was, if there are any; what the next iteration is given;
/// what the loop hands on, of what is something else; what the scope does.
struct Context {
  mlir::Operation *loop = nullptr;
  bool canBreak = false, canReturn = false;
  llvm::SmallVector<mlir::Type> carried, broken, returned;
  /// Whether the loop hands on as many values of the same types as iterations
  /// do.
  bool sharesCarried = false;
  /// By result of the loop, whether what a break gives is one of `broken`, and
  /// not what the next iteration would get.
  llvm::SmallVector<bool> isApart;
  /// Conditions around of which both arms may go on, outermost first: the types
  /// of their results. A block in one yields whether it was left, too, and
  /// these results if not.
  llvm::SmallVector<llvm::SmallVector<mlir::Type>> branches;

  llvm::SmallVector<mlir::Type> getTypes(mlir::MLIRContext *context) const {
    mlir::Type flag = mlir::IntegerType::get(context, 1);
    llvm::SmallVector<mlir::Type> types;
    if (canBreak)
      types.push_back(flag);
    if (canReturn)
      types.push_back(flag);
    types.append(carried);
    types.append(broken);
    types.append(returned);
    for (const llvm::SmallVector<mlir::Type> &results : branches) {
      types.insert(types.begin(), flag);
      types.append(results);
    }
    return types;
  }
};

/// The work on one function.
class Structurer {
public:
  explicit Structurer(mlir::OpBuilder &builder) : builder(builder) {}

  using Values = llvm::SmallVector<mlir::Value>;

  void run(mlir::Block &body);

private:
  using Continuation = llvm::function_ref<Values(mlir::ValueRange)>;

  Values runFrom(mlir::Block::iterator next, mlir::Block &block,
                 const Context &context, Continuation onYield);
  Values runBlock(mlir::Block &block, const Context &context,
                  Continuation onYield) {
    return runFrom(block.begin(), block, context, onYield);
  }
  Values runExit(mlir::Operation *exit, const Context &context);
  Values runIf(pyk::IfOp op, const Context &context, Continuation onYield);
  void structureIf(pyk::IfOp op);
  mlir::Value structureLoop(mlir::Operation *op, Values &returned);
  mlir::Value makeNextCount(pyk::ForOp op, mlir::Value count,
                            mlir::Value bound);
  void structureCounted(pyk::ForOp op);
  void clone(mlir::Operation *op);

  Values look(mlir::ValueRange values) const {
    Values mapped;
    for (mlir::Value value : values)
      mapped.push_back(mapping.lookupOrDefault(value));
    return mapped;
  }
  mlir::Value makeFlag(bool value) {
    return mlir::arith::ConstantOp::create(builder, builder.getUnknownLoc(),
                                           builder.getBoolAttr(value));
  }
  Values makePoison(mlir::TypeRange types) {
    Values values;
    for (mlir::Type type : types)
      values.push_back(
          mlir::ub::PoisonOp::create(builder, builder.getUnknownLoc(), type));
    return values;
  }
  Values makeOutcome(const Context &context, bool breaks, bool returns,
                     mlir::ValueRange given);
  Values leaveBranches(const Context &context, Values values);

  mlir::OpBuilder &builder;
  mlir::IRMapping mapping;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_STRUCTURER_H
