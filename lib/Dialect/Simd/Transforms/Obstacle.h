// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a kernel does not run as vectors.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_OBSTACLE_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_OBSTACLE_H

#include "mlir/IR/Operation.h"
#include <string>

namespace pyk::simd {

/// Why a kernel does not run as vectors; false if it does.
struct Obstacle {
  Obstacle() = default;
  Obstacle(std::string reason, std::string advice = "")
      : reason(std::move(reason)), advice(std::move(advice)) {}
  Obstacle(const char *reason, const char *advice = "")
      : reason(reason), advice(advice) {}

  explicit operator bool() const { return !reason.empty(); }

  std::string reason;
  /// What in the program would help; empty if nobody knows.
  std::string advice;
  /// Where it is; null if that is the kernel as a whole.
  mlir::Operation *op = nullptr;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_OBSTACLE_H
