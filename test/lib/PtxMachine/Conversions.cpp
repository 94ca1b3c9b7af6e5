// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cvt. A value goes through long double, which holds all of them exactly, and
// is rounded once.

#include "Lanes.h"
#include "Numbers.h"

#include <algorithm>
#include <limits>

using namespace ptxmachine;

namespace {

static_assert(std::numeric_limits<long double>::digits >= 64,
              "integers of 64 bits need a long double of as many");

constexpr Format kTf32 = {8, 10, true, 0x3ffff};

/// What a conversion does; in the step's `extra`.
struct Conversion {
  Type to, from;
  Rounding rounding;
  /// Rounds to an integer; flushes; to [0, 1] or to the type's numbers.
  bool isInteger, flushes, saturates, isFinite, isRelu;

  uint32_t pack() const {
    return uint32_t(to) | uint32_t(from) << 6 | uint32_t(rounding) << 12 |
           uint32_t(isInteger) << 15 | uint32_t(flushes) << 16 |
           uint32_t(saturates) << 17 | uint32_t(isFinite) << 18 |
           uint32_t(isRelu) << 19;
  }
  static Conversion unpack(uint32_t packed) {
    auto bit = [&](unsigned i) { return (packed >> i & 1) != 0; };
    return {Type(packed & 63),
            Type(packed >> 6 & 63),
            Rounding(packed >> 12 & 7),
            bit(15),
            bit(16),
            bit(17),
            bit(18),
            bit(19)};
  }
};

unsigned bitsOf(Type type) { return 8 * bytesOf(type); }

long double readInteger(uint64_t bits, Type type) {
  unsigned unused = 64 - bitsOf(type);
  if (isSigned(type))
    return static_cast<long double>(int64_t(bits << unused) >> unused);
  return static_cast<long double>(bits << unused >> unused);
}

long double readFloat(uint64_t bits, const Conversion &how) {
  switch (how.from) {
  case Type::F16:
    return decode(bits & 0xffff, kHalf);
  case Type::BF16:
    return decode(bits & 0xffff, kBfloat);
  case Type::F32: {
    float value = get<float>(bits);
    return how.flushes ? flush(value) : value;
  }
  default:
    return get<double>(bits);
  }
}

/// The nearest integer of a type; NaNs as the PTX ISA has it.
uint64_t toInteger(long double value, const Conversion &how) {
  unsigned bits = bitsOf(how.to);
  if (std::isnan(value))
    return how.from == Type::F64 || bits == 64 ? uint64_t(1) << (bits - 1) : 0;
  value = roundToInteger(value, how.rounding);
  long double range = std::ldexp(1.0L, int(bits));
  if (isSigned(how.to)) {
    long double most = range / 2 - 1;
    return uint64_t(int64_t(std::clamp(value, -range / 2, most)));
  }
  return uint64_t(std::clamp(value, 0.0L, range - 1));
}

/// A double that rounds as the value does.
double toOdd(long double value) {
  double nearest;
  {
    RoundingScope scope(Rounding::Zero);
    nearest = double(value);
  }
  if (std::isnan(value) || nearest == value)
    return nearest;
  uint64_t bits = put<double>(nearest) | 1;
  return get<double>(bits);
}

uint64_t toFloat(long double value, const Conversion &how) {
  if (how.saturates)
    value = value >= 0 ? std::min(value, 1.0L) : 0.0L;
  if (how.isRelu && value < 0)
    value = 0;
  switch (how.to) {
  case Type::F16:
    return encode(toOdd(value), kHalf, how.rounding, how.isFinite);
  case Type::BF16:
    return encode(toOdd(value), kBfloat, how.rounding, how.isFinite);
  case Type::TF32:
    return uint64_t(encode(double(value), kTf32, how.rounding, how.isFinite))
           << 13;
  case Type::F32: {
    RoundingScope scope(how.rounding);
    auto result = float(value);
    return put<float>(canonical(how.flushes ? flush(result) : result));
  }
  default: {
    RoundingScope scope(how.rounding);
    return put<double>(double(value));
  }
  }
}

uint64_t convert(uint64_t bits, const Conversion &how) {
  bool isFromInteger = !isFloat(how.from);
  if (isFromInteger && !isFloat(how.to)) {
    unsigned unused = 64 - bitsOf(how.to);
    unsigned read = 64 - bitsOf(how.from);
    uint64_t value = isSigned(how.from)
                         ? uint64_t(int64_t(bits << read) >> read)
                         : bits << read >> read;
    if (how.saturates) {
      Conversion exact = how;
      exact.rounding = Rounding::Nearest;
      return toInteger(readInteger(bits, how.from), exact);
    }
    return isSigned(how.to) ? uint64_t(int64_t(value << unused) >> unused)
                            : value << unused >> unused;
  }
  long double value =
      isFromInteger ? readInteger(bits, how.from) : readFloat(bits, how);
  if (!isFloat(how.to) && how.to != Type::TF32)
    return toInteger(value, how);
  if (how.isInteger) {
    value = roundToInteger(value, how.rounding);
    Conversion exact = how;
    exact.rounding = Rounding::Nearest;
    return toFloat(value, exact);
  }
  return toFloat(value, how);
}

void convertOne(Warp &warp, const Step &step) {
  Conversion how = Conversion::unpack(step.extra);
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask,
              [&](unsigned lane) { d[lane] = convert(a[lane], how); });
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// The formats that come in pairs.
const Format *formatOf(Type type) {
  switch (type) {
  case Type::F16x2:
    return &kHalf;
  case Type::BF16x2:
    return &kBfloat;
  case Type::E4M3x2:
    return &kE4M3;
  case Type::E5M2x2:
    return &kE5M2;
  default:
    return nullptr;
  }
}

uint64_t encodePart(double value, const Conversion &how) {
  if (how.isRelu && value < 0)
    value = 0;
  return encode(value, *formatOf(how.to), how.rounding, how.isFinite);
}

/// Two float32, the first of which goes to the upper half.
void packFloats(Warp &warp, const Step &step) {
  Conversion how = Conversion::unpack(step.extra);
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2);
  uint64_t *d = warp.write(step, 0);
  unsigned shift = 4 * bytesOf(how.to);
  forEachLane(warp.mask, [&](unsigned lane) {
    d[lane] = encodePart(get<float>(a[lane]), how) << shift |
              encodePart(get<float>(b[lane]), how);
  });
}

/// A pair from a pair.
void convertPair(Warp &warp, const Step &step) {
  Conversion how = Conversion::unpack(step.extra);
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  unsigned to = 4 * bytesOf(how.to), from = 4 * bytesOf(how.from);
  const Format &format = *formatOf(how.from);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint32_t mask = (uint32_t(1) << from) - 1;
    double high = decode(a[lane] >> from & mask, format);
    double low = decode(a[lane] & mask, format);
    d[lane] = encodePart(high, how) << to | encodePart(low, how);
  });
}

void buildConvert(Modifiers &modifiers, Step &step) {
  Conversion how = {};
  int toInteger = modifiers.takeOneOf({"rni", "rzi", "rmi", "rpi"});
  FloatMode mode = FloatMode::take(modifiers);
  how.isInteger = toInteger >= 0;
  how.rounding = how.isInteger ? Rounding(toInteger) : mode.rounding;
  how.flushes = mode.flushes;
  how.saturates = mode.saturates;
  how.isRelu = mode.isRelu;
  how.isFinite = modifiers.take("satfinite");
  how.to = modifiers.takeType();
  how.from = modifiers.takeType();
  step.extra = how.pack();
  bool hasTwo = step.operands.size() == 3;
  if (formatOf(how.to) && how.from == Type::F32 && hasTwo)
    step.run = packFloats;
  else if (formatOf(how.to) && formatOf(how.from))
    step.run = convertPair;
  else if (!formatOf(how.to) && !formatOf(how.from) && !isBits(how.to) &&
           !isBits(how.from) && !hasTwo)
    step.run = convertOne;
  else
    modifiers.fail();
}

} // namespace

void ptxmachine::addConversions(Table &table) { table["cvt"] = buildConvert; }
