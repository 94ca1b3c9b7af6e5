// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `TYPE:VALUE` is a scalar, `TYPE[SHAPE]=CONTENTS` an array, `none` is None.

#include "LaunchArgument.h"
#include "Errors.h"
#include "Npy.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace llvm;
using namespace pyk;
using namespace pyk::run;

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// Next number of the SplitMix64 sequence; simple and the same everywhere.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t bits = state += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

Error LaunchArgument::allocate() {
  memory.reset(static_cast<char *>(std::calloc(count + 1, element->bytes)));
  if (memory)
    return Error::success();
  return programError("cannot allocate memory for " + Twine(count) +
                      " elements of " + Twine(element->bytes) + " bytes");
}

Error LaunchArgument::setShape(StringRef text) {
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t extent;
    if (part.getAsInteger(10, extent) || extent < 0)
      return usageError("expects a shape such as [3x4] but got [" + text + "]");
    shape.push_back(extent);
    // The number of bytes must not overflow either.
    bool overflows = extent > 0 && count > (size_t(INT64_MAX) >> 4) / extent;
    if (overflows || shape.size() > 32)
      return usageError("expects at most 32 dimensions and 2^59 elements but "
                        "got [" +
                        text + "]");
    count *= extent;
  }
  setStrides();
  return Error::success();
}

void LaunchArgument::setStrides() {
  strides.assign(shape.size(), 0);
  int64_t stride = element->bytes;
  for (size_t i = 0; i != shape.size(); ++i) {
    size_t dimension = layout == Layout::F ? i : shape.size() - 1 - i;
    strides[dimension] = stride;
    stride *= shape[dimension];
  }
}

Error LaunchArgument::fillRandomly(StringRef seed) {
  uint64_t state;
  if (seed.getAsInteger(0, state))
    return usageError("expects random(SEED) with an integer from 0 but got "
                      "random(" +
                      seed + ")");
  for (size_t i = 0; i != count; ++i)
    storeRandom(*element, [&] { return nextRandom(state); }, getElement(i));
  return Error::success();
}

Error LaunchArgument::fillFromList(StringRef list) {
  SmallVector<StringRef> values;
  if (!list.empty())
    list.split(values, ',');
  if (values.size() != count)
    return usageError("expects zeros, ones, iota, random(SEED), @FILE.npy or " +
                      Twine(count) + (count == 1 ? " value" : " values") +
                      " but got '" + list + "'");
  for (auto [index, value] : enumerate(values))
    if (Error error = parseValue(*element, value.trim(), getElement(index)))
      return error;
  return Error::success();
}

Error LaunchArgument::fill(StringRef how) {
  if (how == "zeros")
    return Error::success();
  if (how == "ones" || how == "iota") {
    for (size_t i = 0; i != count; ++i)
      storeInteger(*element, how == "ones" ? 1 : i, getElement(i));
    return Error::success();
  }
  if (how.consume_front("@"))
    return readNpy(how, *element, shape, getBytes());
  if (how.starts_with("random(") && how.ends_with(")"))
    return fillRandomly(how.drop_front(7).drop_back());
  return fillFromList(how);
}

Error LaunchArgument::parseArray(StringRef text) {
  isArray = true;
  auto [extents, contents] = text.split(']');
  if (!contents.consume_front("="))
    return usageError("expects TYPE[SHAPE]=CONTENTS");
  if (Error error = setShape(extents))
    return error;
  if (Error error = allocate())
    return error;
  return fill(contents);
}

Expected<LaunchArgument> LaunchArgument::parse(StringRef spec) {
  LaunchArgument argument;
  if (spec == "none")
    return argument;
  size_t end = spec.find_first_of(":[");
  if (end == StringRef::npos)
    return usageError("expects TYPE:VALUE or TYPE[SHAPE]=CONTENTS");
  StringRef name = spec.take_front(end), rest = spec.drop_front(end + 1);
  argument.element = findElement(name);
  if (!argument.element) {
    return usageError("expects a type of " + listElements() + " but got '" +
                      name + "'");
  }
  if (spec[end] == '[') {
    if (Error error = argument.parseArray(rest))
      return error;
    return argument;
  }
  if (Error error = argument.allocate())
    return error;
  if (Error error = parseValue(*argument.element, rest, argument.memory.get()))
    return error;
  return argument;
}

Error LaunchArgument::setLayout(Layout wanted) {
  if (wanted == layout || shape.size() < 2)
    return Error::success();
  Memory old = std::move(memory);
  if (Error error = allocate())
    return error;
  SmallVector<int64_t, 4> oldStrides = strides;
  SmallVector<int64_t, 4> index(shape.size());
  layout = wanted;
  setStrides();
  for (size_t i = 0; i != count; ++i) {
    int64_t from = 0, to = 0;
    for (size_t d = 0; d != shape.size(); ++d) {
      from += index[d] * oldStrides[d];
      to += index[d] * strides[d];
    }
    std::memcpy(memory.get() + to, old.get() + from, element->bytes);
    for (size_t d = shape.size(); d != 0 && ++index[d - 1] == shape[d - 1]; --d)
      index[d - 1] = 0;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

using Kind = ArgumentType::Kind;

/// True if memory that holds `element` is what a kernel reads as `type`.
static bool matchesNumber(const Element &element, const ArgumentType &type) {
  if (!type.number || type.number->name == element.name)
    return true;
  // From stage gpu on a bool is one byte.
  bool isInteger = element.kind == ElementKind::Bool ||
                   element.kind == ElementKind::Signed ||
                   element.kind == ElementKind::Unsigned;
  return type.isSignless && isInteger && type.number->bytes == element.bytes;
}

bool LaunchArgument::matches(const ArgumentType &type) const {
  switch (type.kind) {
  case Kind::None:
    return !element;
  case Kind::Other:
    // A kernel that takes nothing of an argument says nothing about it.
    return type.text.empty();
  case Kind::Scalar:
    return element && !isArray && matchesNumber(*element, type);
  case Kind::Array:
    break;
  }
  if (!element || !isArray || !matchesNumber(*element, type) ||
      shape.size() < type.shape.size() ||
      (type.hasRank && shape.size() != type.shape.size()))
    return false;
  for (auto [extent, expected] : zip(shape, type.shape))
    if (expected >= 0 && extent != expected)
      return false;
  return true;
}

std::string LaunchArgument::getTypeName() const {
  if (!element)
    return "none";
  return std::string(element->shortName) + (isArray ? formatShape(shape) : "");
}

/// The type of the number in `type`, followed by `shape`.
static std::string describeNumber(const ArgumentType &type,
                                  const std::string &shape) {
  if (!type.number)
    return "an array";
  std::string name = std::string(type.number->shortName) + shape;
  // The type has the signed one's name.
  return type.isSignless ? name + " or u" + name.substr(1) : name;
}

std::string pyk::run::describe(const ArgumentType &type) {
  switch (type.kind) {
  case Kind::None:
    return "none";
  case Kind::Other:
    return type.text.empty() ? "anything" : type.text;
  case Kind::Scalar:
    return describeNumber(type, "");
  case Kind::Array:
    break;
  }
  if (!type.hasRank)
    return "an array of " + utostr(type.shape.size()) + " or more dimensions";
  std::string extents = join(
      map_range(type.shape,
                [](int64_t n) { return n < 0 ? std::string("?") : itostr(n); }),
      "x");
  return describeNumber(type, "[" + extents + "]");
}

//===----------------------------------------------------------------------===//
// Showing
//===----------------------------------------------------------------------===//

/// Of a long array this many elements are shown at each end of a dimension.
static constexpr int64_t kEdge = 3;
/// An array is long if it has more elements, as in NumPy.
static constexpr size_t kLong = 1000;

void LaunchArgument::printFrom(raw_ostream &os, unsigned dimension,
                               const char *first, bool abbreviate) const {
  if (dimension == shape.size()) {
    os << formatValue(*element, first);
    return;
  }
  unsigned inner = shape.size() - dimension - 1;
  int64_t extent = shape[dimension];
  os << '[';
  for (int64_t i = 0; i < extent; ++i) {
    if (i != 0)
      os << ',' << (inner ? std::string(inner, '\n') : " ")
         << std::string(inner ? dimension + 1 : 0, ' ');
    if (abbreviate && i == kEdge && extent > 2 * kEdge) {
      os << "...";
      i = extent - kEdge - 1;
      continue;
    }
    printFrom(os, dimension + 1, first + i * strides[dimension], abbreviate);
  }
  os << ']';
}

void LaunchArgument::print(raw_ostream &os, bool all) const {
  os << getTypeName();
  if (element) {
    os << " =" << (shape.size() > 1 ? '\n' : ' ');
    printFrom(os, 0, memory.get(), !all && count > kLong);
  }
  os << '\n';
}

Error LaunchArgument::save(StringRef path) const {
  if (!element)
    return programError("cannot save None to '" + path + "'");
  return writeNpy(path, *element, shape, getBytes());
}
