// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR contexts that are used again, with their pass managers. Setting one up
// takes longer than compiling a small kernel.

#ifndef PYK_LIB_COMPILER_CONTEXTS_H
#define PYK_LIB_COMPILER_CONTEXTS_H

#include "LoweringPasses.h"
#include "mlir/IR/MLIRContext.h"
#include <memory>

namespace pyk {

/// A context with all dialects loaded that nobody else uses while this object
/// lives. May be made on any thread.
class PooledContext {
public:
  PooledContext();
  ~PooledContext();
  PooledContext(const PooledContext &) = delete;
  PooledContext &operator=(const PooledContext &) = delete;

  mlir::MLIRContext *get() { return &pooled->context; }
  LoweringPasses &getPasses() { return pooled->passes; }

  /// What is used again.
  struct Pooled {
    Pooled();

    mlir::MLIRContext context;
    LoweringPasses passes{&context};
  };

private:
  std::unique_ptr<Pooled> pooled;
};

} // namespace pyk

#endif // PYK_LIB_COMPILER_CONTEXTS_H
