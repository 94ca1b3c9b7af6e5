// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers of instructions that do the same in each lane, of a function of
// values.

#ifndef PYK_TEST_LIB_PTXMACHINE_LANES_H
#define PYK_TEST_LIB_PTXMACHINE_LANES_H

#include "Decoder.h"
#include "Warp.h"

#include <cstring>
#include <type_traits>

namespace ptxmachine {

/// The low bits of a register as a value of type T.
template <typename T>
T get(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

/// A register with that value; signed ones are extended to all of it.
template <typename T>
uint64_t put(T value) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    return uint64_t(int64_t(value));
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

/// d = Function(a), and so on: of values of types A, B, C, a value of type D.
template <typename Function, typename D, typename A>
void unary(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    d[lane] = put<D>(Function()(get<A>(a[lane])));
  });
}

template <typename Function, typename D, typename A, typename B>
void binary(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    d[lane] = put<D>(Function()(get<A>(a[lane]), get<B>(b[lane])));
  });
}

template <typename Function, typename D, typename A, typename B, typename C>
void ternary(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2),
                 *c = warp.read(step, 3);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    d[lane] =
        put<D>(Function()(get<A>(a[lane]), get<B>(b[lane]), get<C>(c[lane])));
  });
}

/// Calls `make` with a value of the C++ type for `type`, one of integers or
/// bits; fails for others.
template <typename Make>
Handler withInteger(Modifiers &modifiers, Type type, Make make) {
  switch (type) {
  case Type::U16:
  case Type::B16:
    return make(uint16_t());
  case Type::U32:
  case Type::B32:
    return make(uint32_t());
  case Type::U64:
  case Type::B64:
    return make(uint64_t());
  case Type::S16:
    return make(int16_t());
  case Type::S32:
    return make(int32_t());
  case Type::S64:
    return make(int64_t());
  default:
    modifiers.fail();
  }
}

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_LANES_H
