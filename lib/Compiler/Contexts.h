// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR contexts that are used again, with their pass managers. Setting one up
// takes longer than compiling a small kernel. What was compiled leaves its
// constants and names in a context, so none is used for ever.

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
  /// One to compile a text of so many bytes.
  explicit PooledContext(size_t bytes);
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
    /// How often it was used, and for how many bytes of text.
    size_t uses = 0, bytes = 0;
  };

private:
  std::unique_ptr<Pooled> pooled;
};

} // namespace pyk

#endif // PYK_LIB_COMPILER_CONTEXTS_H
