// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What messages of several rules say of what to write instead.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_REMEDIES_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_REMEDIES_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"

namespace pyk::py {

/// The candidate that is most like `name`; empty if none is.
llvm::StringRef findNearest(llvm::StringRef name,
                            mlir::ArrayRef<llvm::StringRef> candidates);

/// A remedy where a number is expected: how to get one of a time.
inline constexpr llvm::StringLiteral kCountOfTime =
    "np.int64(...) is the number of its units";

/// What to write where a whole array is given for a number.
inline constexpr llvm::StringLiteral kOneElement =
    "a thread computes with one element: index the array, as in a[i]";

/// What there is in place of the clocks of the host.
inline constexpr llvm::StringLiteral kClocks =
    "cuda.clock64() counts cycles in a kernel; the host measures a launch with "
    "cuda.event() or time.perf_counter() and cuda.synchronize()";

/// What has random numbers for kernels.
inline constexpr llvm::StringLiteral kRandomNumbers =
    "cuda.random has generators for kernels, such as "
    "xoroshiro128p_uniform_float32";

/// Why strings have few operators and no methods.
inline constexpr llvm::StringLiteral kNoTextMade =
    "a kernel compares text but makes none; print(\"i =\", i) prints text and "
    "numbers side by side, and all else is done on the host, before the "
    "launch";

/// Why a text is not looked for in another one.
inline constexpr llvm::StringLiteral kSearchTooLong =
    "a kernel looks for text where the lengths make 4096 at most, one times "
    "the other";

/// Says why `a` and `b` have no common type if both are texts.
void noteTexts(mlir::InFlightDiagnostic &error, mlir::Type a, mlir::Type b);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_REMEDIES_H
