// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function by which a thread launches a kernel. Stage nvvm calls it; each
// target puts in its place what it has.

#ifndef PYK_SUPPORT_KERNELLAUNCH_H
#define PYK_SUPPORT_KERNELLAUNCH_H

#include "llvm/ADT/StringRef.h"

namespace pyk {

/// It takes the kernel's address, eight i64 (the extents of the grid, of a
/// block, the stream, the bytes of dynamic shared memory), and the address of
/// as many addresses of values as the kernel has parameters, as cuLaunchKernel
/// does. It returns nothing.
inline constexpr llvm::StringLiteral kKernelLaunchName = "pyk.launch";

/// How many numbers stand between the kernel and the addresses of values.
inline constexpr unsigned kKernelLaunchNumbers = 8;

/// It takes nothing and returns the number of a new stream, an i64.
inline constexpr llvm::StringLiteral kStreamName = "pyk.stream";

} // namespace pyk

#endif // PYK_SUPPORT_KERNELLAUNCH_H
