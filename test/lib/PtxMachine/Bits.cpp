// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logic, shifts, and fields of bits.

#include "Lanes.h"

#include <algorithm>

using namespace ptxmachine;

namespace {

struct And {
  template <typename T>
  T operator()(T a, T b) const {
    return T(a & b);
  }
};
struct Or {
  template <typename T>
  T operator()(T a, T b) const {
    return T(a | b);
  }
};
struct Xor {
  template <typename T>
  T operator()(T a, T b) const {
    return T(a ^ b);
  }
};
struct Not {
  template <typename T>
  T operator()(T a) const {
    return T(~a);
  }
};
/// Of a predicate.
struct NotPredicate {
  uint8_t operator()(uint8_t a) const { return uint8_t(~a & 1); }
};
struct IsZero {
  template <typename T>
  T operator()(T a) const {
    return a == 0;
  }
};
struct ShiftLeft {
  template <typename T>
  T operator()(T a, uint32_t count) const {
    return count < 8 * sizeof(T) ? T(uint64_t(a) << count) : T(0);
  }
};
struct ShiftRight {
  template <typename T>
  T operator()(T a, uint32_t count) const {
    if constexpr (std::is_signed_v<T>)
      return T(a >> std::min<uint32_t>(count, 8 * sizeof(T) - 1));
    return count < 8 * sizeof(T) ? T(a >> count) : T(0);
  }
};
struct CountOnes {
  template <typename T>
  uint32_t operator()(T a) const {
    return uint32_t(__builtin_popcountll(a));
  }
};
struct CountLeadingZeros {
  template <typename T>
  uint32_t operator()(T a) const {
    unsigned unused = 64 - 8 * sizeof(T);
    return uint32_t(a == 0 ? 8 * sizeof(T)
                           : unsigned(__builtin_clzll(a)) - unused);
  }
};
struct ReverseBits {
  template <typename T>
  T operator()(T a) const {
    T result = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i)
      result = T(result << 1 | (a >> i & 1));
    return result;
  }
};
/// The highest bit that is not the sign; all ones if there is none.
template <bool AsShift>
struct FindBit {
  template <typename T>
  uint32_t operator()(T a) const {
    using U = std::make_unsigned_t<T>;
    U bits = U(a < 0 ? ~a : a);
    if (bits == 0)
      return ~uint32_t(0);
    uint32_t shift = CountLeadingZeros()(bits);
    return AsShift ? shift : uint32_t(8 * sizeof(T) - 1) - shift;
  }
};
struct ExtractField {
  template <typename T>
  T operator()(T a, uint32_t first, uint32_t length) const {
    first &= 0xff;
    length &= 0xff;
    unsigned top = 8 * sizeof(T) - 1;
    using U = std::make_unsigned_t<T>;
    bool sign = std::is_signed_v<T> && length != 0 &&
                (U(a) >> std::min(first + length - 1, top) & 1);
    U result = 0;
    for (unsigned i = 0; i <= top; ++i) {
      bool bit =
          i < length && first + i <= top ? U(a) >> (first + i) & 1 : sign;
      result |= U(U(bit) << i);
    }
    return T(result);
  }
};
/// b with the low bits of a in a field.
template <typename T>
T insertField(T a, T b, uint32_t first, uint32_t length) {
  first &= 0xff;
  length &= 0xff;
  for (unsigned i = 0; i < length && first + i < 8 * sizeof(T); ++i) {
    T bit = T(T(1) << (first + i));
    b = T((b & ~bit) | ((a >> i & 1) ? bit : T(0)));
  }
  return b;
}
/// `length` ones from bit `first` on.
template <bool Wraps>
struct MakeMask {
  uint32_t operator()(uint32_t first, uint32_t length) const {
    if (Wraps) {
      first &= 31;
      length &= 31;
    }
    uint32_t ones = length >= 32 ? ~uint32_t(0) : (uint32_t(1) << length) - 1;
    return first >= 32 ? 0 : ones << first;
  }
};
/// The low `bits` bits, extended with zeros or the highest of them.
template <bool Wraps>
struct ExtendFrom {
  template <typename T>
  T operator()(T a, uint32_t bits) const {
    if (Wraps)
      bits &= 31;
    if (bits >= 32)
      return a;
    if (bits == 0)
      return 0;
    return T(T(uint32_t(a) << (32 - bits)) >> (32 - bits));
  }
};
/// The place of the `offset`-th one of the mask, seen from `base`.
struct FindNthSet {
  uint32_t operator()(uint32_t mask, uint32_t base, int32_t offset) const {
    if (offset == 0)
      return mask >> (base & 31) & 1 ? base : ~uint32_t(0);
    int step = offset > 0 ? 1 : -1, left = std::abs(offset);
    for (int64_t i = base; i >= 0 && i < 32; i += step)
      if ((mask >> i & 1) && --left == 0)
        return uint32_t(i);
    return ~uint32_t(0);
  }
};
/// The high or low half of b:a, shifted.
template <bool IsLeft, bool Wraps>
struct FunnelShift {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t count) const {
    count = Wraps ? count & 31 : std::min<uint32_t>(count, 32);
    uint64_t both = uint64_t(b) << 32 | a;
    return IsLeft ? uint32_t((both << count) >> 32) : uint32_t(both >> count);
  }
};

//===----------------------------------------------------------------------===//
// Handlers of four operands
//===----------------------------------------------------------------------===//

/// Any function of three bits, by its table.
void combineThree(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2),
                 *c = warp.read(step, 3), *table = warp.read(step, 4);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint32_t result = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
      unsigned row = unsigned((a[lane] >> bit & 1) << 2 |
                              (b[lane] >> bit & 1) << 1 | (c[lane] >> bit & 1));
      result |= uint32_t(table[lane] >> row & 1) << bit;
    }
    d[lane] = result;
  });
}

template <typename T>
void insertFields(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2),
                 *first = warp.read(step, 3), *length = warp.read(step, 4);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    d[lane] = insertField<T>(get<T>(a[lane]), get<T>(b[lane]),
                             uint32_t(first[lane]), uint32_t(length[lane]));
  });
}

/// How prmt chooses bytes: by its control, or in one of these ways.
enum class Choice { Any, F4e, B4e, Rc8, Ecl, Ecr, Rc16 };

/// The source byte of byte `i`, of b:a.
unsigned choose(Choice choice, unsigned control, unsigned i) {
  unsigned k = control & 3;
  switch (choice) {
  case Choice::F4e:
    return k + i;
  case Choice::B4e:
    return (k - i) & 7;
  case Choice::Rc8:
    return k;
  case Choice::Ecl:
    return std::max(k, i);
  case Choice::Ecr:
    return std::min(k, i);
  case Choice::Rc16:
    return (k & 1) * 2 + (i & 1);
  case Choice::Any:
    break;
  }
  return control >> (4 * i) & 7;
}

template <Choice How>
void permuteBytes(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2),
                 *control = warp.read(step, 3);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t both = b[lane] << 32 | (a[lane] & 0xffffffff);
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      auto chosen = unsigned(control[lane]);
      uint32_t byte = both >> (8 * choose(How, chosen, i)) & 0xff;
      // Its sign instead of itself.
      if (How == Choice::Any && (chosen >> (4 * i) & 8))
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    d[lane] = result;
  });
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

template <typename Function>
void buildLogic(Modifiers &modifiers, Step &step) {
  Type type = modifiers.takeType();
  if (type == Type::Pred)
    step.run = binary<Function, uint8_t, uint8_t, uint8_t>;
  else
    step.run = withInteger(modifiers, type, [](auto of) -> Handler {
      using T = decltype(of);
      return binary<Function, T, T, T>;
    });
}

template <typename Function>
void buildUnary(Modifiers &modifiers, Step &step) {
  step.run =
      withInteger(modifiers, modifiers.takeType(), [](auto of) -> Handler {
        using T = decltype(of);
        return unary<Function, T, T>;
      });
}

void buildNot(Modifiers &modifiers, Step &step) {
  if (modifiers.take("pred"))
    step.run = unary<NotPredicate, uint8_t, uint8_t>;
  else
    buildUnary<Not>(modifiers, step);
}

template <typename Function>
void buildShift(Modifiers &modifiers, Step &step) {
  step.run =
      withInteger(modifiers, modifiers.takeType(), [](auto of) -> Handler {
        using T = decltype(of);
        return binary<Function, T, T, uint32_t>;
      });
}

/// Instructions whose result has 32 bits.
template <typename Function>
void buildCount(Modifiers &modifiers, Step &step) {
  step.run =
      withInteger(modifiers, modifiers.takeType(), [](auto of) -> Handler {
        using T = decltype(of);
        return unary<Function, uint32_t, T>;
      });
}

void buildFindBit(Modifiers &modifiers, Step &step) {
  if (modifiers.take("shiftamt"))
    buildCount<FindBit<true>>(modifiers, step);
  else
    buildCount<FindBit<false>>(modifiers, step);
}

void buildExtract(Modifiers &modifiers, Step &step) {
  step.run =
      withInteger(modifiers, modifiers.takeType(), [](auto of) -> Handler {
        using T = decltype(of);
        return ternary<ExtractField, T, T, uint32_t, uint32_t>;
      });
}

void buildInsert(Modifiers &modifiers, Step &step) {
  step.run =
      withInteger(modifiers, modifiers.takeType(), [](auto of) -> Handler {
        return insertFields<decltype(of)>;
      });
}

void buildFunnelShift(Modifiers &modifiers, Step &step) {
  bool isLeft = modifiers.takeOneOf({"r", "l"}) == 1;
  bool wraps = modifiers.takeOneOf({"clamp", "wrap"}) == 1;
  modifiers.take("b32");
  using T = uint32_t;
  if (isLeft)
    step.run = wraps ? ternary<FunnelShift<true, true>, T, T, T, T>
                     : ternary<FunnelShift<true, false>, T, T, T, T>;
  else
    step.run = wraps ? ternary<FunnelShift<false, true>, T, T, T, T>
                     : ternary<FunnelShift<false, false>, T, T, T, T>;
}

void buildPermute(Modifiers &modifiers, Step &step) {
  modifiers.take("b32");
  static constexpr Handler handlers[] = {
      permuteBytes<Choice::F4e>, permuteBytes<Choice::B4e>,
      permuteBytes<Choice::Rc8>, permuteBytes<Choice::Ecl>,
      permuteBytes<Choice::Ecr>, permuteBytes<Choice::Rc16>};
  int way = modifiers.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  step.run = way < 0 ? permuteBytes<Choice::Any> : handlers[way];
}

void buildMask(Modifiers &modifiers, Step &step) {
  bool wraps = modifiers.takeOneOf({"clamp", "wrap"}) == 1;
  modifiers.take("b32");
  using T = uint32_t;
  step.run = wraps ? binary<MakeMask<true>, T, T, T>
                   : binary<MakeMask<false>, T, T, T>;
}

void buildExtend(Modifiers &modifiers, Step &step) {
  bool wraps = modifiers.takeOneOf({"clamp", "wrap"}) == 1;
  using U = uint32_t;
  using S = int32_t;
  if (modifiers.take("s32"))
    step.run = wraps ? binary<ExtendFrom<true>, S, S, U>
                     : binary<ExtendFrom<false>, S, S, U>;
  else if (modifiers.take("u32"))
    step.run = wraps ? binary<ExtendFrom<true>, U, U, U>
                     : binary<ExtendFrom<false>, U, U, U>;
  else
    modifiers.fail();
}

} // namespace

void ptxmachine::addBits(Table &table) {
  table["and"] = buildLogic<And>;
  table["or"] = buildLogic<Or>;
  table["xor"] = buildLogic<Xor>;
  table["not"] = buildNot;
  table["cnot"] = buildUnary<IsZero>;
  table["shl"] = buildShift<ShiftLeft>;
  table["shr"] = buildShift<ShiftRight>;
  table["shf"] = buildFunnelShift;
  table["prmt"] = buildPermute;
  table["lop3"] = [](Modifiers &modifiers, Step &step) {
    modifiers.take("b32");
    step.run = combineThree;
  };
  table["popc"] = buildCount<CountOnes>;
  table["clz"] = buildCount<CountLeadingZeros>;
  table["brev"] = buildUnary<ReverseBits>;
  table["bfind"] = buildFindBit;
  table["bfe"] = buildExtract;
  table["bfi"] = buildInsert;
  table["bmsk"] = buildMask;
  table["szext"] = buildExtend;
  table["fns"] = [](Modifiers &modifiers, Step &step) {
    modifiers.take("b32");
    step.run = ternary<FindNthSet, uint32_t, uint32_t, uint32_t, int32_t>;
  };
}
