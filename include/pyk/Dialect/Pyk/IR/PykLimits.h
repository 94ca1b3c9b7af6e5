// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits that launches keep to, which are the runtime's, and those on what
// a program asks for.

#ifndef PYK_DIALECT_PYK_IR_PYKLIMITS_H
#define PYK_DIALECT_PYK_IR_PYKLIMITS_H

#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/runtime/Arguments.h"
#include "pyk/runtime/Limits.h"

namespace pyk {

/// Most threads of a block along a dimension.
inline int64_t getMaxBlockDim(Dimension dimension) {
  return runtime::LaunchLimits::block[int(dimension)];
}

/// Most blocks of a grid along a dimension.
inline int64_t getMaxGridDim(Dimension dimension) {
  return runtime::LaunchLimits::grid[int(dimension)];
}

/// What an array's extent is less than: launches check it. No memory is longer,
/// and sums of extents and indices stay far within 64 bits.
inline constexpr int64_t kExtentLimit = PYK_RT_EXTENT_LIMIT;

/// The extent of a pointer, an array of which nobody says where it ends.
inline constexpr int64_t kPointerExtent = kExtentLimit - 1;

/// What extents, elements and bytes of an array, and an integer, are less than
/// where they have the fact `small`.
inline constexpr int64_t kSmallLimit = PYK_RT_SMALL_LIMIT;

/// What extents, elements of an array and threads along a dimension are less
/// than where they are counted in 32 bits: launches check it. Sums with the
/// place in a block or the width of a stencil do not wrap.
inline constexpr int64_t kNarrowLimit = PYK_RT_NARROW_LIMIT;

/// What the address of the first element of an aligned array is a multiple of:
/// the bytes of the widest access.
inline constexpr int64_t kLaunchAlignment = PYK_RT_ALIGNMENT;

/// What the blocks along each axis are fewer than in a small grid: its threads
/// have numbers below 2^31.
inline constexpr int64_t kSmallGridLimit = PYK_RT_SMALL_GRID_LIMIT;

/// Most elements of an array that is part of a program.
inline constexpr int64_t kMaxConstantElements = 1 << 24;

/// Of what addresses of arrays that a kernel owns are multiples, unless more is
/// asked for: enough for every vector access.
inline constexpr int64_t kOwnedAlignment = 16;

/// The most that may be asked for. A thread has such an array on its stack, of
/// which it has little on the CPU.
inline constexpr int64_t kMaxAlignment = 4096;

/// Most values that a thread records when it fails.
inline constexpr size_t kMaxFailureValues = 2;

/// Most indices that the host is told of an access outside of memory.
inline constexpr size_t kMaxToldIndices = 3;

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKLIMITS_H
