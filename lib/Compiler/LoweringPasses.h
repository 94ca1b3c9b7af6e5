// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass managers that are used again. To make one, with the patterns of its
// canonicalizers and conversions, takes longer than to run it on a small
// kernel.

#ifndef PYK_LIB_COMPILER_LOWERINGPASSES_H
#define PYK_LIB_COMPILER_LOWERINGPASSES_H

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace pyk {

struct CompileOptions;
struct Stage;

/// The pass managers of one context, for one thread at a time.
class LoweringPasses {
public:
  explicit LoweringPasses(mlir::MLIRContext *context) : context(context) {}

  /// Those to `stage`, one of MLIR, from the stage before.
  mlir::PassManager &get(const Stage &stage, const CompileOptions &options);

private:
  mlir::MLIRContext *context;
  /// By the flag of their pipeline, which has all options that count, or, of
  /// those of back ends, by all options.
  llvm::StringMap<std::unique_ptr<mlir::PassManager>> managers;
};

} // namespace pyk

#endif // PYK_LIB_COMPILER_LOWERINGPASSES_H
