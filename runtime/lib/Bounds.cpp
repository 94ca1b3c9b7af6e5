// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the accesses of a launch stay in memory, as far as ranges tell: a few
// dozen terms, computed in one pass without an allocation.

#include "Bounds.h"

#include "pyk/runtime/Interval.h"

#include <array>
#include <cstring>
#include <vector>

using namespace pyk::runtime;

Interval ArraySpan::getOffsets(int64_t step) const {
  if (end - begin < bytes)
    return Interval::none();
  // The first element may lie behind the last one.
  int64_t behind = getBehind();
  int64_t last = behind >= 0 ? behind / step : -((step - 1 - behind) / step);
  return {-(getBefore() / step), last};
}

bool ArraySpan::has(const Interval &offsets, int64_t step) const {
  Interval places;
  return !__builtin_mul_overflow(offsets.lo, step, &places.lo) &&
         !__builtin_mul_overflow(offsets.hi, step, &places.hi) &&
         places.isWithin({-getBefore(), getBehind()});
}

static Interval readScalar(const pyk_rt_argument &argument, int64_t bytes) {
  uint64_t bits = argument.scalar[0];
  auto shift = unsigned(64 - 8 * bytes);
  return Interval::one(int64_t(bits << shift) >> shift);
}

namespace {

/// What the terms of one launch are computed from.
struct LaunchNumbers {
  const pyk_rt_signature &signature;
  const int64_t *grid, *block;
  const pyk_rt_argument *arguments;
};

} // namespace

/// The range of `term`, whose operands are among `known`.
static Interval compute(const pyk_rt_bound_term &term,
                        const LaunchNumbers &launch, const Interval *known) {
  switch (pyk_rt_bound_kind(term.kind)) {
  case PYK_RT_BOUND_CONSTANT:
    return Interval::one(term.value);
  case PYK_RT_BOUND_SCALAR:
    return readScalar(launch.arguments[term.first], term.value);
  case PYK_RT_BOUND_EXTENT:
    return Interval::one(launch.arguments[term.first].shape[term.second]);
  case PYK_RT_BOUND_STRIDE:
    return Interval::one(launch.arguments[term.first].strides[term.second]);
  case PYK_RT_BOUND_THREAD:
    return {0, launch.block[term.first] - 1};
  case PYK_RT_BOUND_BLOCK:
    return {0, launch.grid[term.first] - 1};
  case PYK_RT_BOUND_BLOCK_DIM:
    return Interval::one(launch.block[term.first]);
  case PYK_RT_BOUND_GRID_DIM:
    return Interval::one(launch.grid[term.first]);
  case PYK_RT_BOUND_ANY:
    return Interval::ofBits(term.value);
  default:
    break;
  }
  const Interval &a = known[term.first], &b = known[term.second];
  if (term.kind == PYK_RT_BOUND_EITHER)
    return a.isEmpty()   ? b
           : b.isEmpty() ? a
                         : Interval{std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
  if (a.isEmpty())
    return a;
  switch (pyk_rt_bound_kind(term.kind)) {
  case PYK_RT_BOUND_STABLE:
    return b.isWithin(a) ? a : Interval::all();
  case PYK_RT_BOUND_CUT_ABOVE:
    return cutAbove(a, b, term.value);
  case PYK_RT_BOUND_CUT_BELOW:
    return cutBelow(a, b, term.value);
  case PYK_RT_BOUND_INSIDE: {
    const pyk_rt_argument &array = launch.arguments[term.second];
    const pyk_rt_formal &formal = launch.signature.formals[term.second];
    return getMemory(formal, array).has(a, term.value) ? a : Interval::none();
  }
  case PYK_RT_BOUND_WITHIN:
    return a.isWithin({0, term.value - 1}) ? a : Interval::none();
  default:
    break;
  }
  if (b.isEmpty())
    return b;
  if (term.kind == PYK_RT_BOUND_WHEN)
    return a;
  if (term.kind != PYK_RT_BOUND_COUNTER)
    return combine(term.kind, a, b, term.value);
  const Interval &step = known[term.third];
  return step.isEmpty() ? step : countFrom(a, b, step);
}

bool pyk::runtime::provesBounds(const pyk_rt_signature &signature,
                                const int64_t *grid, const int64_t *block,
                                const pyk_rt_argument *arguments) {
  constexpr size_t inlineCount = 256;
  std::array<Interval, inlineCount> inlineRanges;
  std::vector<Interval> heapRanges;
  Interval *ranges = inlineRanges.data();
  if (signature.bound_count > inlineCount) {
    heapRanges.resize(signature.bound_count);
    ranges = heapRanges.data();
  }
  LaunchNumbers launch{signature, grid, block, arguments};
  for (size_t i = 0; i < signature.bound_count; ++i) {
    const pyk_rt_bound_term &term = signature.bounds[i];
    ranges[i] = compute(term, launch, ranges);
    bool isClaim =
        term.kind == PYK_RT_BOUND_INSIDE || term.kind == PYK_RT_BOUND_WITHIN;
    if (isClaim && ranges[i].isEmpty() && !ranges[term.first].isEmpty())
      return false;
  }
  return true;
}
