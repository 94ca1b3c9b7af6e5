// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics: lanes one after the other.

#include "Lanes.h"
#include "Numbers.h"

#include <algorithm>

using namespace ptxmachine;

namespace {

struct Add {
  template <typename T>
  T operator()(T old, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return canonical(old + b);
    else
      return T(uint64_t(old) + uint64_t(b));
  }
};
/// What global memory does with float32.
struct AddFlushed {
  float operator()(float old, float b) const {
    return canonical(flush(flush(old) + flush(b)));
  }
};
struct Minimum {
  template <typename T>
  T operator()(T old, T b) const {
    return std::min(old, b);
  }
};
struct Maximum {
  template <typename T>
  T operator()(T old, T b) const {
    return std::max(old, b);
  }
};
struct And {
  template <typename T>
  T operator()(T old, T b) const {
    return old & b;
  }
};
struct Or {
  template <typename T>
  T operator()(T old, T b) const {
    return old | b;
  }
};
struct Xor {
  template <typename T>
  T operator()(T old, T b) const {
    return old ^ b;
  }
};
struct Exchange {
  template <typename T>
  T operator()(T, T b) const {
    return b;
  }
};
struct Increment {
  template <typename T>
  T operator()(T old, T b) const {
    return old >= b ? 0 : old + 1;
  }
};
struct Decrement {
  template <typename T>
  T operator()(T old, T b) const {
    return old == 0 || old > b ? b : old - 1;
  }
};
/// One half, or two.
template <const Format &F>
struct AddHalves {
  template <typename T>
  T operator()(T old, T b) const {
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 8 * sizeof(T); shift += 16) {
      double sum = addToOdd(decode(old >> shift & 0xffff, F),
                            decode(b >> shift & 0xffff, F));
      result |= uint64_t(encode(sum, F, Rounding::Nearest)) << shift;
    }
    return T(result);
  }
};

/// Memory becomes Function(memory, b); what it was is the result of atom, and
/// dropped by red, whose operands begin with the address.
template <typename Function, typename T, bool HasResult>
void update(Warp &warp, const Step &step) {
  constexpr unsigned first = HasResult ? 1 : 0;
  const uint64_t *address = warp.read(step, first),
                 *b = warp.read(step, first + 1);
  uint64_t *d = HasResult ? warp.write(step, 0) : nullptr;
  forEachLane(warp.mask, [&](unsigned lane) {
    char *memory =
        warp.access(step, address[lane] + step.offset, lane, sizeof(T), true);
    T old;
    std::memcpy(&old, memory, sizeof(T));
    T made = Function()(old, get<T>(b[lane]));
    std::memcpy(memory, &made, sizeof(T));
    if (d)
      d[lane] = put<T>(old);
  });
}

template <typename T>
void compareAndSwap(Warp &warp, const Step &step) {
  const uint64_t *address = warp.read(step, 1), *b = warp.read(step, 2),
                 *c = warp.read(step, 3);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    char *memory =
        warp.access(step, address[lane] + step.offset, lane, sizeof(T), true);
    T old;
    std::memcpy(&old, memory, sizeof(T));
    T made = get<T>(c[lane]);
    if (old == get<T>(b[lane]))
      std::memcpy(memory, &made, sizeof(T));
    d[lane] = put<T>(old);
  });
}

template <typename Function, bool HasResult>
Handler makeInteger(Modifiers &modifiers, Type type) {
  return withInteger(modifiers, type, [](auto of) -> Handler {
    return update<Function, decltype(of), HasResult>;
  });
}

template <bool HasResult>
Handler makeAdd(Modifiers &modifiers, Type type) {
  switch (type) {
  case Type::F32:
    return update<Add, float, HasResult>;
  case Type::F64:
    return update<Add, double, HasResult>;
  case Type::F16:
    return update<AddHalves<kHalf>, uint16_t, HasResult>;
  case Type::F16x2:
    return update<AddHalves<kHalf>, uint32_t, HasResult>;
  case Type::BF16:
    return update<AddHalves<kBfloat>, uint16_t, HasResult>;
  case Type::BF16x2:
    return update<AddHalves<kBfloat>, uint32_t, HasResult>;
  default:
    return makeInteger<Add, HasResult>(modifiers, type);
  }
}

template <bool HasResult>
void build(Modifiers &modifiers, Step &step) {
  modifiers.takeOneOf({"relaxed", "acquire", "release", "acq_rel"});
  modifiers.takeOneOf({"cta", "cluster", "gpu", "sys"});
  int space = modifiers.takeOneOf({"global", "shared"});
  step.space = space < 0    ? Space::Generic
               : space == 0 ? Space::Global
                            : Space::Shared;
  int operation = modifiers.takeOneOf(
      {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"});
  modifiers.take("noftz");
  Type type = modifiers.takeType();
  static constexpr Handler (*makers[])(Modifiers &, Type) = {
      makeAdd<HasResult>,
      makeInteger<Minimum, HasResult>,
      makeInteger<Maximum, HasResult>,
      makeInteger<Increment, HasResult>,
      makeInteger<Decrement, HasResult>,
      makeInteger<And, HasResult>,
      makeInteger<Or, HasResult>,
      makeInteger<Xor, HasResult>,
      makeInteger<Exchange, HasResult>,
  };
  if (operation < 0 || (!HasResult && operation > 7))
    modifiers.fail();
  if (operation == 0 && type == Type::F32 && step.space != Space::Shared)
    step.run = update<AddFlushed, float, HasResult>;
  else if (operation < 9)
    step.run = makers[operation](modifiers, type);
  else
    step.run = withInteger(modifiers, type, [](auto of) -> Handler {
      return compareAndSwap<decltype(of)>;
    });
}

} // namespace

void ptxmachine::addAtomics(Table &table) {
  table["atom"] = build<true>;
  table["red"] = build<false>;
}
