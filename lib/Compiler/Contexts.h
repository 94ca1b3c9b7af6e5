// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR contexts that are used again. Setting one up takes longer than compiling
// a small kernel.

#ifndef PYK_LIB_COMPILER_CONTEXTS_H
#define PYK_LIB_COMPILER_CONTEXTS_H

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

  mlir::MLIRContext *get() { return context.get(); }

private:
  std::unique_ptr<mlir::MLIRContext> context;
};

} // namespace pyk

#endif // PYK_LIB_COMPILER_CONTEXTS_H
