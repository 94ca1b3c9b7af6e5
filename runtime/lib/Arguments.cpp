// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: arguments of launches. Here a launch spends its time, so
// what is common costs little: one pass over the arguments, and no allocation
// for as many as programs have.

#include "pyk/runtime/Arguments.h"
#include "Bounds.h"
#include "RuntimeHandles.h"
#include "pyk/runtime/LaunchCheck.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace pyk::runtime;

namespace {

/// The memory that an array reaches: from `begin` up to `end`.
struct Span {
  uint64_t begin, end;
  bool isWritten;
};

} // namespace

static bool isSmallScalar(const pyk_rt_formal &formal,
                          const pyk_rt_argument &argument) {
  // The bytes beyond an int32 may be anything.
  uint64_t value =
      formal.bytes == 4 ? uint32_t(argument.scalar[0]) : argument.scalar[0];
  return value < uint64_t(PYK_RT_SMALL_LIMIT);
}

/// Whether extents are such that nothing below can overflow.
static bool hasExtents(const pyk_rt_formal &formal,
                       const pyk_rt_argument &argument) {
  for (int32_t i = 0; i < formal.rank; ++i)
    if (uint64_t(argument.shape[i]) >= uint64_t(PYK_RT_EXTENT_LIMIT))
      return false;
  return true;
}

static bool isSmallArray(const pyk_rt_formal &formal,
                         const pyk_rt_argument &argument) {
  constexpr __int128 limit = PYK_RT_SMALL_LIMIT;
  __int128 elements = 1, bytes = formal.bytes;
  for (int32_t i = 0; i < formal.rank; ++i) {
    auto extent = uint64_t(argument.shape[i]);
    if (extent >= uint64_t(PYK_RT_SMALL_LIMIT))
      return false;
    __int128 stride = argument.strides[i];
    elements *= extent;
    // An array without elements has strides all the same.
    bytes +=
        __int128(extent ? extent - 1 : 0) * (stride < 0 ? -stride : stride);
    if (elements >= limit || bytes >= limit)
      return false;
  }
  return true;
}

/// Whether 32 bits count the elements; there may be none although products of
/// extents are large.
static bool isNarrowArray(const pyk_rt_formal &formal,
                          const pyk_rt_argument &argument) {
  constexpr auto limit = uint64_t(PYK_RT_NARROW_LIMIT);
  bool isEmpty = false, isLong = false;
  uint64_t elements = 1;
  for (int32_t i = 0; i < formal.rank; ++i) {
    auto extent = uint64_t(argument.shape[i]);
    if (extent >= limit)
      return false;
    isEmpty |= extent == 0;
    elements *= extent;
    isLong |= elements >= limit;
    // Less than 2**62 with the next extent.
    elements = std::min(elements, limit);
  }
  return isEmpty || !isLong;
}

/// Whether the last index moves from one element to the next.
static bool hasUnitStride(const pyk_rt_formal &formal,
                          const pyk_rt_argument &argument) {
  return argument.strides[formal.rank - 1] == int64_t(formal.bytes);
}

/// The memory of an array, whose extents are checked; none if it has no
/// elements.
static Span getSpan(const pyk_rt_formal &formal,
                    const pyk_rt_argument &argument) {
  uint64_t begin = reinterpret_cast<uintptr_t>(argument.data);
  uint64_t end = begin + formal.bytes;
  for (int32_t i = 0; i < formal.rank; ++i) {
    if (argument.shape[i] == 0)
      return {};
    // What leaves 64 bits is no memory, and wraps.
    uint64_t bytes =
        uint64_t(argument.shape[i] - 1) * uint64_t(argument.strides[i]);
    (argument.strides[i] < 0 ? begin : end) += bytes;
  }
  return {begin, end, (formal.facts & PYK_RT_FACT_WRITTEN) != 0};
}

/// Whether memory that the kernel writes is that of two arguments, one of which
/// has PYK_RT_FACT_DISJOINT. Extents are checked.
static bool isShared(const pyk_rt_signature &signature,
                     const pyk_rt_argument *arguments) {
  constexpr size_t inlineCount = 32;
  std::array<Span, inlineCount> inlineSpans;
  std::vector<Span> heapSpans;
  Span *spans = inlineSpans.data();
  if (signature.formal_count > inlineCount) {
    heapSpans.resize(signature.formal_count);
    spans = heapSpans.data();
  }
  // Those that are written come first.
  size_t written = 0, count = 0;
  bool isAsked = false;
  for (size_t i = 0; i < signature.formal_count; ++i) {
    const pyk_rt_formal &formal = signature.formals[i];
    if (formal.rank < 0)
      continue;
    isAsked |= (formal.facts & PYK_RT_FACT_DISJOINT) != 0;
    Span span = getSpan(formal, arguments[i]);
    spans[count++] = span;
    if (span.isWritten)
      std::swap(spans[written++], spans[count - 1]);
  }
  if (!isAsked)
    return false;
  for (size_t i = 0; i < written; ++i)
    for (size_t j = i + 1; j < count; ++j)
      if (spans[i].begin < spans[j].end && spans[j].begin < spans[i].end)
        return true;
  return false;
}

/// Whether the grid is as small as the kernel takes for granted.
static bool hasGrid(const pyk_rt_signature &signature, const int64_t *grid) {
  return !(signature.facts & PYK_RT_FACT_SMALL) ||
         (grid[0] < PYK_RT_SMALL_GRID_LIMIT &&
          grid[1] < PYK_RT_SMALL_GRID_LIMIT &&
          grid[2] < PYK_RT_SMALL_GRID_LIMIT);
}

/// Whether blocks have the shape that the kernel takes for granted.
static bool hasBlock(const pyk_rt_signature &signature, const int64_t *block) {
  return signature.block[0] == 0 ||
         (block[0] == signature.block[0] && block[1] == signature.block[1] &&
          block[2] == signature.block[2]);
}

uint32_t pyk_rt_check_launch(const pyk_rt_signature *signature,
                             const int64_t *grid, const int64_t *block,
                             const pyk_rt_argument *arguments) {
  uint32_t failing = hasGrid(*signature, grid) ? 0 : PYK_RT_ASSUME_SIZES;
  if (!hasBlock(*signature, block))
    failing |= PYK_RT_ASSUME_BLOCK;
  uint32_t all = 0;
  uint64_t places = 0;
  for (size_t i = 0; i < signature->formal_count; ++i) {
    const pyk_rt_formal &formal = signature->formals[i];
    all |= formal.facts;
    if (formal.rank < 0) {
      if ((formal.facts & PYK_RT_FACT_SMALL) &&
          !isSmallScalar(formal, arguments[i]))
        failing |= PYK_RT_ASSUME_SCALARS;
      continue;
    }
    if (formal.facts & PYK_RT_FACT_ALIGNED)
      places |= reinterpret_cast<uintptr_t>(arguments[i].data);
    if ((formal.facts & PYK_RT_FACT_UNIT) &&
        !hasUnitStride(formal, arguments[i]))
      failing |= PYK_RT_ASSUME_STRIDES;
    if ((formal.facts & PYK_RT_FACT_NARROW) &&
        !isNarrowArray(formal, arguments[i]))
      failing |= PYK_RT_ASSUME_EXTENTS;
    if (formal.facts & PYK_RT_FACT_SMALL) {
      if (isSmallArray(formal, arguments[i]))
        continue;
      failing |= PYK_RT_ASSUME_SIZES;
    }
    if (!hasExtents(formal, arguments[i]))
      failing |= PYK_RT_ASSUME_EXTENTS;
  }
  if (places % PYK_RT_ALIGNMENT != 0)
    failing |= PYK_RT_ASSUME_ALIGNED;
  if ((all & PYK_RT_FACT_DISJOINT) && !(failing & PYK_RT_ASSUME_EXTENTS) &&
      isShared(*signature, arguments))
    failing |= PYK_RT_ASSUME_DISJOINT;
  // Bounds rest on all else.
  if (signature->bound_count && !failing &&
      !provesBounds(*signature, grid, block, arguments))
    failing |= PYK_RT_ASSUME_INSIDE;
  return failing;
}

/// What is wrong with `argument`, of which `name` is the name.
static Status refuse(std::string_view doing, const pyk_rt_formal &formal,
                     const pyk_rt_argument &argument, const std::string &name) {
  auto fail = [&](const std::string &problem, const char *remedy) {
    return Status::failure(StatusCode::InvalidArgument, doing, name + problem,
                           remedy);
  };
  for (int32_t i = 0; i < formal.rank; ++i)
    if (uint64_t(argument.shape[i]) >= uint64_t(PYK_RT_EXTENT_LIMIT))
      return fail(" has " + std::to_string(argument.shape[i]) +
                      " elements along dimension " + std::to_string(i),
                  "pass arrays of less than 2**48 elements along each "
                  "dimension");
  if ((formal.facts & PYK_RT_FACT_NARROW) && !isNarrowArray(formal, argument))
    return fail(" has 2**31 - 2**16 elements or more, but a kernel of narrow "
                "typing counts them in 32 bits",
                "pass a part of it, or use typing='numba'");
  if ((formal.facts & PYK_RT_FACT_ALIGNED) &&
      reinterpret_cast<uintptr_t>(argument.data) % PYK_RT_ALIGNMENT != 0)
    return fail(" begins at an address that is no multiple of 16, but the "
                "kernel is for arrays that do",
                "pass a copy, or compile for any address");
  if ((formal.facts & PYK_RT_FACT_UNIT) && !hasUnitStride(formal, argument))
    return fail(" has gaps between the elements of its last dimension, but the "
                "kernel is for arrays that have none",
                "pass a copy, or compile for any strides");
  if (!(formal.facts & PYK_RT_FACT_SMALL))
    return {};
  if (formal.rank >= 0 && !isSmallArray(formal, argument))
    return fail(" has 2**31 elements or bytes, or more, but the kernel is for "
                "smaller arrays",
                "pass a part of it, or compile for any size");
  if (formal.rank < 0 && !isSmallScalar(formal, argument))
    return fail(" is negative, or 2**31 or more, but the kernel is for numbers "
                "between",
                "compile for any number");
  return {};
}

Status pyk::runtime::checkLaunch(std::string_view doing,
                                 const pyk_rt_signature &signature,
                                 const int64_t *grid, const int64_t *block,
                                 const pyk_rt_argument *arguments) {
  if (!pyk_rt_check_launch(&signature, grid, block, arguments))
    return {};
  if (!hasBlock(signature, block)) {
    auto print = [](auto x, auto y, auto z) {
      return std::to_string(x) + " x " + std::to_string(y) + " x " +
             std::to_string(z);
    };
    return Status::failure(
        StatusCode::InvalidArgument, doing,
        "blocks have " + print(block[0], block[1], block[2]) +
            " threads, but the kernel is for blocks of " +
            print(signature.block[0], signature.block[1], signature.block[2]),
        "launch such blocks, or compile for any");
  }
  if (!hasGrid(signature, grid))
    return Status::failure(
        StatusCode::InvalidArgument, doing,
        "the grid has 2**21 blocks or more along an axis, but the kernel is "
        "for smaller ones",
        "launch fewer blocks, or compile for any sizes");
  for (size_t i = 0; i < signature.formal_count; ++i)
    if (Status status = refuse(doing, signature.formals[i], arguments[i],
                               "argument " + std::to_string(i));
        !status.ok())
      return status;
  if (signature.bound_count && !provesBounds(signature, grid, block, arguments))
    return Status::failure(
        StatusCode::InvalidArgument, doing,
        "threads may leave the memory of an array, but the kernel is for "
        "launches that do not",
        "compile for any, with checks");
  return Status::failure(
      StatusCode::InvalidArgument, doing,
      "two arguments share memory, but the kernel is for arrays that do not",
      "pass a copy of one, or compile for any arrays");
}

pyk_rt_status *pyk_rt_refuse_launch(const pyk_rt_signature *signature,
                                    const int64_t *grid, const int64_t *block,
                                    const pyk_rt_argument *arguments) {
  return guarded([&] {
    return checkLaunch("launching a kernel", *signature, grid, block,
                       arguments);
  });
}

ArraySpan pyk::runtime::getMemory(const pyk_rt_formal &formal,
                                  const pyk_rt_argument &argument) {
  auto data = reinterpret_cast<uintptr_t>(argument.data);
  auto begin = reinterpret_cast<uintptr_t>(argument.memory);
  uint64_t end = begin + argument.memory_bytes;
  if (argument.memory && begin <= data && data <= end)
    return {data, begin, end, formal.bytes};
  Span own = getSpan(formal, argument);
  // One without elements has no memory.
  if (own.begin == own.end)
    return {data, data, data, formal.bytes};
  return {data, own.begin, own.end, formal.bytes};
}

void pyk_rt_bind_arguments(const pyk_rt_signature *signature,
                           const pyk_rt_argument *arguments, uint64_t *slots,
                           void **values) {
  for (size_t i = 0; i < signature->parameter_count; ++i) {
    const pyk_rt_parameter &parameter = signature->parameters[i];
    const pyk_rt_argument &argument = arguments[parameter.argument];
    values[i] = &slots[i];
    switch (pyk_rt_parameter_kind(parameter.kind)) {
    case PYK_RT_PARAMETER_DATA:
      slots[i] = reinterpret_cast<uintptr_t>(argument.data);
      break;
    case PYK_RT_PARAMETER_EXTENT:
      slots[i] = uint64_t(argument.shape[parameter.dimension]);
      break;
    case PYK_RT_PARAMETER_STRIDE:
      slots[i] = uint64_t(argument.strides[parameter.dimension]);
      break;
    case PYK_RT_PARAMETER_SCALAR:
      values[i] = const_cast<uint64_t *>(argument.scalar);
      break;
    case PYK_RT_PARAMETER_FAILURE:
      slots[i] = 0;
      break;
    case PYK_RT_PARAMETER_MEMORY_FIRST:
    case PYK_RT_PARAMETER_MEMORY_COUNT: {
      Interval offsets =
          getMemory(signature->formals[parameter.argument], argument)
              .getOffsets(parameter.dimension);
      bool isFirst = parameter.kind == PYK_RT_PARAMETER_MEMORY_FIRST;
      slots[i] = uint64_t(offsets.isEmpty() ? 0
                          : isFirst         ? offsets.lo
                                            : offsets.hi - offsets.lo + 1);
      break;
    }
    }
  }
}
