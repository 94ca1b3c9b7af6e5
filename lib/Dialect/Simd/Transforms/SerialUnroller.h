// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs thread by thread.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_SERIALUNROLLER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_SERIALUNROLLER_H

#include "ReportUnroller.h"
#include "StackBuffers.h"
#include "SumUnroller.h"
#include "UnrolledValues.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

namespace pyk::simd {

/// Writes loops over lanes.
class SerialUnroller {
public:
  SerialUnroller(mlir::OpBuilder &builder, UnrolledValues &values,
                 StackBuffers &buffers)
      : builder(builder), values(values), buffers(buffers),
        sums(builder, values), reports(builder, values, buffers) {}

  void visit(SerialOp op);

  /// What a thread gets, and makes of it.
  struct Input {
    mlir::Value value;
    /// From the last one to the first one.
    llvm::SmallVector<mlir::Operation *> conversions;
    /// What reads it, if each thread can do so alone.
    LoadOp load;
    /// The offset that it reads for the first thread, else the room for all.
    mlir::Value begin;
  };

private:
  bool hasManyLoops(SerialOp op);
  void runPositions(SerialOp op, const mlir::IRMapping &captured,
                    Dimensions size);
  void runLoop(SerialOp op);
  void runAll(SerialOp op, int64_t count, llvm::ArrayRef<Input> inputs,
              llvm::ArrayRef<mlir::Value> rooms,
              const mlir::IRMapping &captured);
  void runMasked(SerialOp op, Dimensions size, llvm::ArrayRef<Input> inputs,
                 llvm::ArrayRef<mlir::Value> rooms,
                 const mlir::IRMapping &captured);
  void runLane(SerialOp op, mlir::Value lane, llvm::ArrayRef<Input> inputs,
               llvm::ArrayRef<mlir::Value> rooms,
               const mlir::IRMapping &captured);

  mlir::OpBuilder &builder;
  UnrolledValues &values;
  StackBuffers &buffers;
  SumUnroller sums;
  ReportUnroller reports;
  /// What `hasManyLoops` returns, once it was asked.
  std::optional<bool> hasMany;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_SERIALUNROLLER_H
