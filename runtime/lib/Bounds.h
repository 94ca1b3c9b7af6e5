// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of arguments, and whether a launch stays in it.

#ifndef PYK_RUNTIME_LIB_BOUNDS_H
#define PYK_RUNTIME_LIB_BOUNDS_H

#include "pyk/runtime/Arguments.h"
#include "pyk/runtime/Interval.h"

namespace pyk::runtime {

/// The memory that an array is part of, from `begin` up to `end`, and its first
/// element, of `bytes` bytes.
struct ArraySpan {
  /// The offsets from the first element at which there is a whole element,
  /// counted in steps of `step` bytes.
  Interval getOffsets(int64_t step) const;

  /// Whether there are elements at all of `offsets`, which are so counted, too.
  bool has(const Interval &offsets, int64_t step) const;

  /// Bytes in front of the first element, and behind it.
  int64_t getBefore() const { return int64_t(data - begin); }
  int64_t getBehind() const { return int64_t(end - data) - int64_t(bytes); }

  uint64_t data, begin, end, bytes;
};

/// The memory that `argument` is part of, whose extents are checked.
ArraySpan getMemory(const pyk_rt_formal &formal,
                    const pyk_rt_argument &argument);

/// Whether the bounds of `signature` hold for a launch.
bool provesBounds(const pyk_rt_signature &signature, const int64_t *grid,
                  const int64_t *block, const pyk_rt_argument *arguments);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_BOUNDS_H
