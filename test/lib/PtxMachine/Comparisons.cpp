// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons, and choices by them.

#include "Lanes.h"
#include "Numbers.h"

using namespace ptxmachine;

namespace {

/// How two values may relate; a comparison is a set of these.
enum Relation : uint32_t { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };

struct Comparison {
  std::string_view name;
  uint32_t relations;
};

constexpr Comparison comparisons[] = {
    {"eq", Equal},
    {"ne", Less | Greater},
    {"lt", Less},
    {"le", Less | Equal},
    {"gt", Greater},
    {"ge", Greater | Equal},
    // Of unsigned integers.
    {"lo", Less},
    {"ls", Less | Equal},
    {"hi", Greater},
    {"hs", Greater | Equal},
    // True for NaNs.
    {"equ", Equal | Unordered},
    {"neu", Less | Greater | Unordered},
    {"ltu", Less | Unordered},
    {"leu", Less | Equal | Unordered},
    {"gtu", Greater | Unordered},
    {"geu", Greater | Equal | Unordered},
    {"num", Less | Equal | Greater},
    {"nan", Unordered},
};

template <typename T>
uint32_t relate(T a, T b) {
  if (a < b)
    return Less;
  if (a > b)
    return Greater;
  return a == b ? Equal : Unordered;
}

/// How values of a type are compared: from the bits of registers.
template <typename T, bool Flushes>
uint32_t compare(uint64_t a, uint64_t b) {
  T one = get<T>(a), other = get<T>(b);
  if constexpr (Flushes)
    return relate(flush(one), flush(other));
  return relate(one, other);
}

template <const Format &F, bool Flushes>
uint32_t compareHalves(uint64_t a, uint64_t b) {
  auto value = [](uint64_t bits) {
    double decoded = decode(bits & 0xffff, F);
    // The smallest normal float16.
    return Flushes && std::fabs(decoded) < 0x1p-14 ? 0 : decoded;
  };
  return relate(value(a), value(b));
}

using Comparer = uint32_t (*)(uint64_t, uint64_t);

enum Combination : uint32_t { None, And, Or, Xor };

/// Packed in the step's `extra`.
struct Description {
  uint32_t relations;
  Combination combination;
  bool hasTwo;
};

uint32_t pack(const Description &description) {
  return description.relations | uint32_t(description.combination) << 4 |
         uint32_t(description.hasTwo) << 6;
}

bool combine(uint32_t combination, bool result, bool with) {
  switch (combination) {
  case And:
    return result && with;
  case Or:
    return result || with;
  case Xor:
    return result != with;
  default:
    return result;
  }
}

/// setp: one predicate, or two, of which the second has the opposite.
template <Comparer Compare>
void setPredicate(Warp &warp, const Step &step) {
  uint32_t relations = step.extra & 15, combination = step.extra >> 4 & 3;
  unsigned first = step.extra >> 6 & 1 ? 2 : 1;
  const uint64_t *a = warp.read(step, first), *b = warp.read(step, first + 1);
  const uint64_t *c = combination ? warp.read(step, first + 2) : a;
  uint64_t *p = warp.write(step, 0),
           *q = first == 2 ? warp.write(step, 1) : nullptr;
  forEachLane(warp.mask, [&](unsigned lane) {
    bool result = (Compare(a[lane], b[lane]) & relations) != 0;
    bool with = (c[lane] & 1) != 0;
    p[lane] = combine(combination, result, with);
    if (q)
      q[lane] = combine(combination, !result, with);
  });
}

/// setp of two halves in a register: a predicate for each.
template <Comparer Compare>
void setPredicates(Warp &warp, const Step &step) {
  uint32_t relations = step.extra & 15, combination = step.extra >> 4 & 3;
  const uint64_t *a = warp.read(step, 2), *b = warp.read(step, 3);
  const uint64_t *c = combination ? warp.read(step, 4) : a;
  uint64_t *p = warp.write(step, 0), *q = warp.write(step, 1);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t one = a[lane], other = b[lane];
    bool with = (c[lane] & 1) != 0;
    bool low = (Compare(one, other) & relations) != 0;
    bool high = (Compare(one >> 16, other >> 16) & relations) != 0;
    p[lane] = combine(combination, low, with);
    q[lane] = combine(combination, high, with);
  });
}

/// What set writes for true, by the type of the destination.
uint64_t trueOf(Type type) {
  switch (type) {
  case Type::F32:
    return 0x3f800000;
  case Type::F16:
    return 0x3c00;
  case Type::BF16:
    return 0x3f80;
  case Type::U16:
  case Type::S16:
    return 0xffff;
  default:
    return 0xffffffff;
  }
}

template <Comparer Compare>
void setValue(Warp &warp, const Step &step) {
  uint32_t relations = step.extra & 15, combination = step.extra >> 4 & 3;
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2);
  const uint64_t *c = combination ? warp.read(step, 3) : a;
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    bool result = (Compare(a[lane], b[lane]) & relations) != 0;
    d[lane] =
        combine(combination, result, (c[lane] & 1) != 0) ? step.offset : 0;
  });
}

/// set of two halves: a value of 16 bits for each.
template <Comparer Compare>
void setValues(Warp &warp, const Step &step) {
  uint32_t relations = step.extra & 15, combination = step.extra >> 4 & 3;
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2);
  const uint64_t *c = combination ? warp.read(step, 3) : a;
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t results = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
      bool result =
          (Compare(a[lane] >> shift, b[lane] >> shift) & relations) != 0;
      if (combine(combination, result, (c[lane] & 1) != 0))
        results |= step.offset << shift;
    }
    d[lane] = results;
  });
}

/// A handler for the type that is compared: `Make` is one of the templates
/// above, wrapped.
template <typename Make>
Handler withComparer(Modifiers &modifiers, Type type, bool flushes, Make make) {
  switch (type) {
  case Type::B16:
  case Type::U16:
    return make.template operator()<compare<uint16_t, false>>();
  case Type::B32:
  case Type::U32:
    return make.template operator()<compare<uint32_t, false>>();
  case Type::B64:
  case Type::U64:
    return make.template operator()<compare<uint64_t, false>>();
  case Type::S16:
    return make.template operator()<compare<int16_t, false>>();
  case Type::S32:
    return make.template operator()<compare<int32_t, false>>();
  case Type::S64:
    return make.template operator()<compare<int64_t, false>>();
  case Type::F32:
    return flushes ? make.template operator()<compare<float, true>>()
                   : make.template operator()<compare<float, false>>();
  case Type::F64:
    return make.template operator()<compare<double, false>>();
  case Type::F16:
  case Type::F16x2:
    return flushes ? make.template operator()<compareHalves<kHalf, true>>()
                   : make.template operator()<compareHalves<kHalf, false>>();
  case Type::BF16:
  case Type::BF16x2:
    return make.template operator()<compareHalves<kBfloat, false>>();
  default:
    modifiers.fail();
  }
}

Description takeDescription(Modifiers &modifiers) {
  Description description = {0, None, false};
  for (const Comparison &comparison : comparisons)
    if (modifiers.take(comparison.name)) {
      description.relations = comparison.relations;
      break;
    }
  if (description.relations == 0)
    modifiers.fail();
  description.combination =
      Combination(modifiers.takeOneOf({"and", "or", "xor"}) + 1);
  return description;
}

bool isPacked(Type type) { return type == Type::F16x2 || type == Type::BF16x2; }

void buildSetPredicate(Modifiers &modifiers, Step &step) {
  Description description = takeDescription(modifiers);
  bool flushes = modifiers.take("ftz");
  Type type = modifiers.takeType();
  description.hasTwo = step.text->operands[0].kind == Operand::Kind::Vector;
  step.extra = pack(description);
  if (isPacked(type) && !description.hasTwo)
    modifiers.fail();
  step.run = withComparer(
      modifiers, type, flushes, [&]<Comparer Compare>() -> Handler {
        return isPacked(type) ? setPredicates<Compare> : setPredicate<Compare>;
      });
}

void buildSet(Modifiers &modifiers, Step &step) {
  Description description = takeDescription(modifiers);
  bool flushes = modifiers.take("ftz");
  Type result = modifiers.takeType(), type = modifiers.takeType();
  step.extra = pack(description);
  // The other half is set by itself.
  bool isOfHalves = isPacked(type);
  Type each = result == Type::F16x2    ? Type::F16
              : result == Type::BF16x2 ? Type::BF16
                                       : Type::U16;
  step.offset = trueOf(isOfHalves ? each : result);
  step.run = withComparer(
      modifiers, type, flushes, [&]<Comparer Compare>() -> Handler {
        return isOfHalves ? setValues<Compare> : setValue<Compare>;
      });
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

void select(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2),
                 *p = warp.read(step, 3);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    d[lane] = p[lane] & 1 ? a[lane] : b[lane];
  });
}

/// slct: a if c >= 0, else b; b for a NaN.
template <typename T, bool Flushes>
void selectBySign(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2),
                 *c = warp.read(step, 3);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    T sign = get<T>(c[lane]);
    if constexpr (Flushes)
      sign = flush(sign);
    d[lane] = sign >= 0 ? a[lane] : b[lane];
  });
}

void buildSelect(Modifiers &modifiers, Step &step) {
  Type type = modifiers.takeType();
  if (bytesOf(type) < 2 || bytesOf(type) > 8)
    modifiers.fail();
  step.run = select;
}

void buildSelectBySign(Modifiers &modifiers, Step &step) {
  bool flushes = modifiers.take("ftz");
  modifiers.takeType();
  Type sign = modifiers.takeType();
  if (sign == Type::S32)
    step.run = selectBySign<int32_t, false>;
  else if (sign == Type::F32)
    step.run = flushes ? selectBySign<float, true> : selectBySign<float, false>;
  else
    modifiers.fail();
}

} // namespace

void ptxmachine::addComparisons(Table &table) {
  table["setp"] = buildSetPredicate;
  table["set"] = buildSet;
  table["selp"] = buildSelect;
  table["slct"] = buildSelectBySign;
}
