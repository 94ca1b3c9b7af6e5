// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the element types. APFloat reads floats and converts those of 16
// bits, which the host compiler may not know; the standard library finds the
// shortest digits.

#include "Element.h"
#include "Errors.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <charconv>
#include <cstring>

using namespace llvm;
using namespace pyk::run;

using Kind = pyk::ElementKind;

const Element *pyk::run::findElement(StringRef name) {
  const Element *found = find_if(ElementTypes, [&](const Element &element) {
    return name == StringRef(element.shortName);
  });
  return found == std::end(ElementTypes) ? nullptr : found;
}

std::string pyk::run::listElements() {
  return join(map_range(ElementTypes,
                        [](const Element &element) {
                          return StringRef(element.shortName);
                        }),
              ", ");
}

std::string pyk::run::getNpyName(const Element &element) {
  bool hasOrder = element.bytes > 1 || !element.inMlDtypes.empty();
  return (hasOrder ? "<" : "|") + std::string(1, element.getLetter()) +
         utostr(element.bytes);
}

bool pyk::run::isNpyName(StringRef descr, const Element &element) {
  if (element.inMlDtypes.empty())
    return descr == getNpyName(element);
  return (descr.consume_front("<") || descr.consume_front("|")) &&
         (descr.consume_front("V") || descr.consume_front("f")) &&
         descr == utostr(element.bytes);
}

/// The type of the parts of complex numbers of type `element`.
static const Element &getPart(const Element &element) {
  return *findElement(element.bytes == 8 ? "f32" : "f64");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Writes the low bytes of `bits`: the machine is little-endian.
static void storeBits(const Element &element, uint64_t bits, char *memory) {
  std::memcpy(memory, &bits, element.bytes);
}

static uint64_t loadBits(const Element &element, const char *memory) {
  uint64_t bits = 0;
  std::memcpy(&bits, memory, element.bytes);
  return bits;
}

static const fltSemantics &getSemantics(const Element &element) {
  const auto *semantics = StringSwitch<const fltSemantics *>(element.name)
                              .Case("float16", &APFloat::IEEEhalf())
                              .Case("bfloat16", &APFloat::BFloat())
                              .Case("float32", &APFloat::IEEEsingle())
                              .Case("float64", &APFloat::IEEEdouble())
                              .Case("fp4_e2m1", &APFloat::Float4E2M1FN())
                              .Case("fp8_e5m2", &APFloat::Float8E5M2())
                              .Case("fp8_e4m3", &APFloat::Float8E4M3FN())
                              .Case("fp8_e8m0", &APFloat::Float8E8M0FNU())
                              .Default(nullptr);
  if (!semantics)
    report_fatal_error("expects a format for each float of the table");
  return *semantics;
}

static void storeFloat(const Element &element, APFloat value, char *memory) {
  bool losesInfo;
  value.convert(getSemantics(element), APFloat::rmNearestTiesToEven,
                &losesInfo);
  storeBits(element, value.bitcastToAPInt().getZExtValue(), memory);
}

static APFloat loadFloat(const Element &element, const char *memory) {
  const fltSemantics &semantics = getSemantics(element);
  return APFloat(semantics, APInt(APFloat::semanticsSizeInBits(semantics),
                                  loadBits(element, memory), /*isSigned=*/false,
                                  /*implicitTrunc=*/true));
}

void pyk::run::storeInteger(const Element &element, uint64_t value,
                            char *memory) {
  switch (element.kind) {
  case Kind::Bool:
    return storeBits(element, value != 0, memory);
  case Kind::Signed:
  case Kind::Unsigned:
    return storeBits(element, value, memory);
  case Kind::Float: {
    APFloat number(getSemantics(element));
    number.convertFromAPInt(APInt(64, value), /*isSigned=*/false,
                            APFloat::rmNearestTiesToEven);
    return storeFloat(element, number, memory);
  }
  case Kind::Complex: {
    const Element &part = getPart(element);
    storeInteger(part, value, memory);
    return storeInteger(part, 0, memory + part.bytes);
  }
  }
}

void pyk::run::storeRandom(const Element &element,
                           function_ref<uint64_t()> next, char *memory) {
  if (element.kind == Kind::Complex) {
    const Element &part = getPart(element);
    storeRandom(part, next, memory);
    return storeRandom(part, next, memory + part.bytes);
  }
  uint64_t bits = next();
  if (element.kind == Kind::Bool)
    return storeBits(element, bits >> 63, memory);
  if (element.kind != Kind::Float)
    return storeBits(element, bits >> (64 - 8 * element.bytes), memory);
  // As many bits as the significand has: every value is exact and below 1.
  unsigned precision = APFloat::semanticsPrecision(getSemantics(element));
  APFloat number(double(bits >> (64 - precision)));
  storeFloat(element, scalbn(number, -int(precision), APFloat::rmTowardZero),
             memory);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads an integer in any base of C; false if it is none of this type.
static bool parseInteger(const Element &element, StringRef text, char *memory) {
  unsigned bits = element.bytes * 8;
  uint64_t value;
  if (element.kind == Kind::Unsigned) {
    if (text.getAsInteger(0, value) || !isUIntN(bits, value))
      return false;
  } else {
    int64_t number;
    if (text.getAsInteger(0, number) || !isIntN(bits, number))
      return false;
    value = number;
  }
  storeBits(element, value, memory);
  return true;
}

static bool parseFloat(const Element &element, StringRef text, char *memory) {
  StringRef digits = text;
  digits.consume_front("-") || digits.consume_front("+");
  bool isNumber = !digits.empty() && (isDigit(digits[0]) || digits[0] == '.');
  if (!isNumber && digits != "inf" && digits != "nan")
    return false;
  APFloat number(getSemantics(element));
  if (digits == "nan") {
    number = APFloat::getQNaN(getSemantics(element), text.front() == '-');
  } else if (digits == "inf") {
    number = APFloat::getInf(getSemantics(element), text.front() == '-');
  } else if (auto status =
                 number.convertFromString(text, APFloat::rmNearestTiesToEven);
             !status) {
    consumeError(status.takeError());
    return false;
  }
  storeFloat(element, number, memory);
  return true;
}

/// Reads a number as Python writes it: `3+4j`, `-2.5j`, `1e-3`, in parentheses
/// or not.
static bool parseComplex(const Element &element, StringRef text, char *memory) {
  const Element &part = getPart(element);
  if (text.starts_with("(") && text.ends_with(")"))
    text = text.drop_front().drop_back();
  storeInteger(element, 0, memory);
  if (!text.consume_back("j"))
    return parseFloat(part, text, memory);
  // The sign of the imaginary part is the last one that is no exponent's.
  size_t sign = text.size();
  while (sign-- > 1) {
    bool isSign = text[sign] == '+' || text[sign] == '-';
    if (isSign && text[sign - 1] != 'e' && text[sign - 1] != 'E')
      break;
  }
  bool hasReal = sign != 0 && sign < text.size();
  StringRef imag = hasReal ? text.drop_front(sign) : text;
  if (hasReal && !parseFloat(part, text.take_front(sign), memory))
    return false;
  return parseFloat(part, imag, memory + part.bytes);
}

Error pyk::run::parseValue(const Element &element, StringRef text,
                           char *memory) {
  bool isParsed = false;
  switch (element.kind) {
  case Kind::Bool: {
    int value = StringSwitch<int>(text)
                    .CasesLower({"true", "1"}, 1)
                    .CasesLower({"false", "0"}, 0)
                    .Default(-1);
    isParsed = value >= 0;
    storeBits(element, value, memory);
    break;
  }
  case Kind::Signed:
  case Kind::Unsigned:
    isParsed = parseInteger(element, text, memory);
    break;
  case Kind::Float:
    isParsed = parseFloat(element, text, memory);
    break;
  case Kind::Complex:
    isParsed = parseComplex(element, text, memory);
    break;
  }
  if (isParsed)
    return Error::success();
  return usageError("expects a value of type " + StringRef(element.shortName) +
                    " but got '" + text + "'");
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// `value` in scientific notation with the fewest digits that suffice.
static std::string getShortest(const Element &element, const APFloat &value) {
  char buffer[64];
  auto format = [&](auto number, auto... precision) {
    char *end = std::to_chars(buffer, std::end(buffer), number,
                              std::chars_format::scientific, precision...)
                    .ptr;
    return std::string(buffer, end);
  };
  if (element.bytes == 8)
    return format(value.convertToDouble());
  if (element.bytes == 4)
    return format(value.convertToFloat());
  std::string text;
  for (int precision = 0; precision != 5; ++precision) {
    text = format(value.convertToFloat(), precision);
    APFloat back(getSemantics(element), text);
    if (back.bitwiseIsEqual(value))
      break;
  }
  return text;
}

/// A finite `value` as Python's repr: without exponent from 1e-4 to 1e16.
static std::string formatFinite(const Element &element, const APFloat &value) {
  std::string shortest = getShortest(element, value);
  auto [mantissa, power] = StringRef(shortest).split('e');
  std::string text = mantissa.str();
  int exponent = 0;
  to_integer(power.ltrim('+'), exponent, 10);
  if (exponent < -4 || exponent >= 16)
    return text + 'e' + power.str();
  std::string sign = StringRef(text).starts_with("-") ? "-" : "";
  std::string digits;
  copy_if(text, std::back_inserter(digits), isDigit);
  if (exponent < 0)
    return sign + "0." + std::string(-exponent - 1, '0') + digits;
  size_t before = exponent + 1;
  if (digits.size() <= before)
    digits.append(before + 1 - digits.size(), '0');
  return sign + digits.substr(0, before) + '.' + digits.substr(before);
}

/// A complex number as Python's repr: parts that are whole have no fraction,
/// and a real part of +0 is left out.
static std::string formatComplex(const Element &element, const char *memory) {
  const Element &part = getPart(element);
  auto format = [&](const char *number) {
    std::string text = formatValue(part, number);
    if (StringRef(text).ends_with(".0"))
      text.resize(text.size() - 2);
    return text;
  };
  std::string imag = format(memory + part.bytes) + 'j';
  if (loadBits(part, memory) == 0)
    return imag;
  const char *plus = imag[0] == '-' ? "" : "+";
  return '(' + format(memory) + plus + imag + ')';
}

std::string pyk::run::formatValue(const Element &element, const char *memory) {
  if (element.kind == Kind::Complex)
    return formatComplex(element, memory);
  uint64_t bits = loadBits(element, memory);
  switch (element.kind) {
  case Kind::Bool:
    return bits ? "True" : "False";
  case Kind::Signed:
    return itostr(SignExtend64(bits, element.bytes * 8));
  case Kind::Unsigned:
    return utostr(bits);
  case Kind::Float:
  case Kind::Complex:
    break;
  }
  APFloat value = loadFloat(element, memory);
  if (value.isNaN())
    return "nan";
  if (value.isInfinity())
    return value.isNegative() ? "-inf" : "inf";
  return formatFinite(element, value);
}
