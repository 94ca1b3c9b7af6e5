// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of integers.

#include "Lanes.h"

#include <algorithm>
#include <limits>

using namespace ptxmachine;

namespace {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

/// A type of twice the bits.
template <typename T>
using Wide = std::conditional_t<
    sizeof(T) == 8,
    std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

template <typename T>
T clamp(Wide<T> value) {
  return T(std::clamp<Wide<T>>(value, std::numeric_limits<T>::min(),
                               std::numeric_limits<T>::max()));
}

/// The high half of a product, which has twice the bits.
template <typename T>
T highProduct(T a, T b) {
  return T((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
}

template <typename T>
T lowProduct(T a, T b) {
  return T(uint64_t(a) * uint64_t(b));
}

/// The low 24 bits of a value.
template <typename T>
int64_t low24(T value) {
  int64_t bits = int64_t(value) & 0xffffff;
  return std::is_signed_v<T> && (bits >> 23) ? bits - (1 << 24) : bits;
}

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return T(uint64_t(a) + uint64_t(b));
  }
};
struct AddSaturated {
  template <typename T>
  T operator()(T a, T b) const {
    return clamp<T>(Wide<T>(a) + Wide<T>(b));
  }
};
struct Subtract {
  template <typename T>
  T operator()(T a, T b) const {
    return T(uint64_t(a) - uint64_t(b));
  }
};
struct SubtractSaturated {
  template <typename T>
  T operator()(T a, T b) const {
    return clamp<T>(Wide<T>(a) - Wide<T>(b));
  }
};
struct Low {
  template <typename T>
  T operator()(T a, T b) const {
    return lowProduct(a, b);
  }
  template <typename T>
  T operator()(T a, T b, T c) const {
    return T(uint64_t(lowProduct(a, b)) + uint64_t(c));
  }
};
struct High {
  template <typename T>
  T operator()(T a, T b) const {
    return highProduct(a, b);
  }
  template <typename T>
  T operator()(T a, T b, T c) const {
    return T(uint64_t(highProduct(a, b)) + uint64_t(c));
  }
};
struct HighSaturated {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return clamp<T>(Wide<T>(highProduct(a, b)) + Wide<T>(c));
  }
};
/// All of a product of 16 or 32 bits.
template <typename D>
struct WideProduct {
  template <typename T>
  D operator()(T a, T b) const {
    return D(uint64_t(int64_t(a)) * uint64_t(int64_t(b)));
  }
  template <typename T>
  D operator()(T a, T b, D c) const {
    return D(uint64_t((*this)(a, b)) + uint64_t(c));
  }
};
struct Low24 {
  template <typename T>
  T operator()(T a, T b) const {
    return T(low24(a) * low24(b));
  }
  template <typename T>
  T operator()(T a, T b, T c) const {
    return T(uint64_t((*this)(a, b)) + uint64_t(c));
  }
};
struct High24 {
  template <typename T>
  T operator()(T a, T b) const {
    return T((low24(a) * low24(b)) >> 16);
  }
  template <typename T>
  T operator()(T a, T b, T c) const {
    return T(uint64_t((*this)(a, b)) + uint64_t(c));
  }
};
struct High24Saturated {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return clamp<T>(Wide<T>(High24()(a, b)) + Wide<T>(c));
  }
};
struct Divide {
  template <typename T>
  T operator()(T a, T b) const {
    // The result is not specified; GPUs give all ones.
    if (b == 0)
      return T(-1);
    if constexpr (std::is_signed_v<T>)
      if (b == -1)
        return T(-Unsigned<T>(a));
    return T(a / b);
  }
};
struct Remainder {
  template <typename T>
  T operator()(T a, T b) const {
    if (b == 0)
      return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1)
        return 0;
    return T(a % b);
  }
};
struct Absolute {
  template <typename T>
  T operator()(T a) const {
    return a < 0 ? T(-Unsigned<T>(a)) : a;
  }
};
struct Negate {
  template <typename T>
  T operator()(T a) const {
    return T(-Unsigned<T>(a));
  }
};
struct Minimum {
  template <typename T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};
struct Maximum {
  template <typename T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};
/// |a - b| + c
struct SumOfDifference {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return T(uint64_t(a < b ? uint64_t(b) - uint64_t(a)
                            : uint64_t(a) - uint64_t(b)) +
             uint64_t(c));
  }
};

template <typename Function>
Handler makeUnary(Modifiers &modifiers, Type type) {
  return withInteger(modifiers, type, [](auto of) -> Handler {
    using T = decltype(of);
    return unary<Function, T, T>;
  });
}

template <typename Function>
Handler makeBinary(Modifiers &modifiers, Type type) {
  return withInteger(modifiers, type, [](auto of) -> Handler {
    using T = decltype(of);
    return binary<Function, T, T, T>;
  });
}

template <typename Function>
Handler makeTernary(Modifiers &modifiers, Type type) {
  return withInteger(modifiers, type, [](auto of) -> Handler {
    using T = decltype(of);
    return ternary<Function, T, T, T, T>;
  });
}

/// mul.wide and mad.wide.
template <bool HasSum>
Handler makeWide(Modifiers &modifiers, Type type) {
  auto make = [](auto of, auto wide) -> Handler {
    using T = decltype(of);
    using D = decltype(wide);
    if constexpr (HasSum)
      return ternary<WideProduct<D>, D, T, T, D>;
    else
      return binary<WideProduct<D>, D, T, T>;
  };
  switch (type) {
  case Type::U16:
    return make(uint16_t(), uint32_t());
  case Type::S16:
    return make(int16_t(), int32_t());
  case Type::U32:
    return make(uint32_t(), uint64_t());
  case Type::S32:
    return make(int32_t(), int64_t());
  default:
    modifiers.fail();
  }
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

/// a + b + carry, of which the carry is stored in the warp if `Writes`.
template <typename T, bool Subtracts, bool Reads, bool Writes>
void addWithCarry(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    unsigned __int128 carry = Reads ? warp.carries >> lane & 1 : 0;
    unsigned __int128 one = get<T>(a[lane]), other = get<T>(b[lane]);
    unsigned __int128 sum =
        Subtracts ? one - other - carry : one + other + carry;
    d[lane] = put<T>(T(sum));
    if (Writes)
      warp.setCarry(lane, (sum >> (8 * sizeof(T)) & 1) != 0);
  });
}

/// The low or high half of a * b, plus c + carry.
template <typename T, bool IsHigh, bool Reads, bool Writes>
void multiplyWithCarry(Warp &warp, const Step &step) {
  using U = Unsigned<T>;
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2),
                 *c = warp.read(step, 3);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    T one = get<T>(a[lane]), other = get<T>(b[lane]);
    U product = U(IsHigh ? highProduct(one, other) : lowProduct(one, other));
    unsigned __int128 sum = product;
    sum += get<U>(c[lane]);
    sum += Reads ? warp.carries >> lane & 1 : 0;
    d[lane] = put<U>(U(sum));
    if (Writes)
      warp.setCarry(lane, (sum >> (8 * sizeof(T)) & 1) != 0);
  });
}

template <bool Subtracts, bool Reads>
Handler makeAddWithCarry(Modifiers &modifiers) {
  bool writes = modifiers.take("cc");
  return withInteger(modifiers, modifiers.takeType(), [&](auto of) -> Handler {
    using T = Unsigned<decltype(of)>;
    return writes ? addWithCarry<T, Subtracts, Reads, true>
                  : addWithCarry<T, Subtracts, Reads, false>;
  });
}

template <bool Reads>
Handler makeMultiplyWithCarry(Modifiers &modifiers) {
  bool isHigh = modifiers.takeOneOf({"lo", "hi"}) == 1;
  bool writes = modifiers.take("cc");
  return withInteger(modifiers, modifiers.takeType(), [&](auto of) -> Handler {
    using T = decltype(of);
    if (isHigh)
      return writes ? multiplyWithCarry<T, true, Reads, true>
                    : multiplyWithCarry<T, true, Reads, false>;
    return writes ? multiplyWithCarry<T, false, Reads, true>
                  : multiplyWithCarry<T, false, Reads, false>;
  });
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

/// `Count` products of bytes of b and parts of a, plus c.
template <typename A, typename B, unsigned Count, bool IsHigh>
void dotProduct(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2),
                 *c = warp.read(step, 3);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t sum = c[lane];
    for (unsigned i = 0; i < Count; ++i) {
      auto part = get<A>(a[lane] >> (8 * sizeof(A) * i));
      auto byte = get<B>(b[lane] >> (8 * i + (IsHigh ? 16 : 0)));
      sum += uint64_t(int64_t(part) * int64_t(byte));
    }
    d[lane] = put<uint32_t>(uint32_t(sum));
  });
}

template <unsigned Count, bool IsHigh, typename SignedPart, typename Part>
Handler makeDotProduct(Type a, Type b) {
  if (isSigned(a))
    return isSigned(b) ? dotProduct<SignedPart, int8_t, Count, IsHigh>
                       : dotProduct<SignedPart, uint8_t, Count, IsHigh>;
  return isSigned(b) ? dotProduct<Part, int8_t, Count, IsHigh>
                     : dotProduct<Part, uint8_t, Count, IsHigh>;
}

void buildDot4(Modifiers &modifiers, Step &step) {
  Type a = modifiers.takeType(), b = modifiers.takeType();
  step.run = makeDotProduct<4, false, int8_t, uint8_t>(a, b);
}

void buildDot2(Modifiers &modifiers, Step &step) {
  bool isHigh = modifiers.takeOneOf({"lo", "hi"}) == 1;
  Type a = modifiers.takeType(), b = modifiers.takeType();
  step.run = isHigh ? makeDotProduct<2, true, int16_t, uint16_t>(a, b)
                    : makeDotProduct<2, false, int16_t, uint16_t>(a, b);
}

void buildMad(Modifiers &modifiers, Step &step) {
  if (modifiers.isOfFloats()) {
    buildFloatMad(modifiers, step);
    return;
  }
  if (modifiers.has("cc")) {
    step.run = makeMultiplyWithCarry<false>(modifiers);
    return;
  }
  int half = modifiers.takeOneOf({"lo", "hi", "wide"});
  bool saturates = modifiers.take("sat");
  Type type = modifiers.takeType();
  if (half == 2)
    step.run = makeWide<true>(modifiers, type);
  else if (half == 1 && saturates)
    step.run = makeTernary<HighSaturated>(modifiers, type);
  else if (half == 1)
    step.run = makeTernary<High>(modifiers, type);
  else
    step.run = makeTernary<Low>(modifiers, type);
  if (half < 0 || (saturates && (half != 1 || type != Type::S32)))
    modifiers.fail();
}

void buildMultiply24(Modifiers &modifiers, Step &step) {
  bool isHigh = modifiers.takeOneOf({"lo", "hi"}) == 1;
  Type type = modifiers.takeType();
  step.run = isHigh ? makeBinary<High24>(modifiers, type)
                    : makeBinary<Low24>(modifiers, type);
}

void buildMad24(Modifiers &modifiers, Step &step) {
  bool isHigh = modifiers.takeOneOf({"lo", "hi"}) == 1;
  bool saturates = modifiers.take("sat");
  Type type = modifiers.takeType();
  if (isHigh && saturates)
    step.run = makeTernary<High24Saturated>(modifiers, type);
  else
    step.run = isHigh ? makeTernary<High24>(modifiers, type)
                      : makeTernary<Low24>(modifiers, type);
}

template <typename Function>
void buildUnary(Modifiers &modifiers, Step &step) {
  step.run = makeUnary<Function>(modifiers, modifiers.takeType());
}

} // namespace

//===----------------------------------------------------------------------===//
// The integers of instructions that floats have, too
//===----------------------------------------------------------------------===//

Handler ptxmachine::makeIntegerAdd(Modifiers &modifiers) {
  if (modifiers.has("cc"))
    return makeAddWithCarry<false, false>(modifiers);
  bool saturates = modifiers.take("sat");
  Type type = modifiers.takeType();
  return saturates ? makeBinary<AddSaturated>(modifiers, type)
                   : makeBinary<Add>(modifiers, type);
}

Handler ptxmachine::makeIntegerSubtract(Modifiers &modifiers) {
  if (modifiers.has("cc"))
    return makeAddWithCarry<true, false>(modifiers);
  bool saturates = modifiers.take("sat");
  Type type = modifiers.takeType();
  return saturates ? makeBinary<SubtractSaturated>(modifiers, type)
                   : makeBinary<Subtract>(modifiers, type);
}

Handler ptxmachine::makeIntegerMultiply(Modifiers &modifiers) {
  int half = modifiers.takeOneOf({"lo", "hi", "wide"});
  Type type = modifiers.takeType();
  if (half == 2)
    return makeWide<false>(modifiers, type);
  if (half < 0)
    modifiers.fail();
  return half == 1 ? makeBinary<High>(modifiers, type)
                   : makeBinary<Low>(modifiers, type);
}

Handler ptxmachine::makeIntegerDivide(Modifiers &modifiers) {
  return makeBinary<Divide>(modifiers, modifiers.takeType());
}
Handler ptxmachine::makeIntegerAbsolute(Modifiers &modifiers) {
  return makeUnary<Absolute>(modifiers, modifiers.takeType());
}
Handler ptxmachine::makeIntegerNegate(Modifiers &modifiers) {
  return makeUnary<Negate>(modifiers, modifiers.takeType());
}
Handler ptxmachine::makeIntegerMinimum(Modifiers &modifiers) {
  return makeBinary<Minimum>(modifiers, modifiers.takeType());
}
Handler ptxmachine::makeIntegerMaximum(Modifiers &modifiers) {
  return makeBinary<Maximum>(modifiers, modifiers.takeType());
}

void ptxmachine::addIntegers(Table &table) {
  table["addc"] = [](Modifiers &modifiers, Step &step) {
    step.run = makeAddWithCarry<false, true>(modifiers);
  };
  table["subc"] = [](Modifiers &modifiers, Step &step) {
    step.run = makeAddWithCarry<true, true>(modifiers);
  };
  table["madc"] = [](Modifiers &modifiers, Step &step) {
    step.run = makeMultiplyWithCarry<true>(modifiers);
  };
  table["mad"] = buildMad;
  table["mul24"] = buildMultiply24;
  table["mad24"] = buildMad24;
  table["rem"] = [](Modifiers &modifiers, Step &step) {
    step.run = makeBinary<Remainder>(modifiers, modifiers.takeType());
  };
  table["sad"] = [](Modifiers &modifiers, Step &step) {
    step.run = makeTernary<SumOfDifference>(modifiers, modifiers.takeType());
  };
  table["dp4a"] = buildDot4;
  table["dp2a"] = buildDot2;
}
