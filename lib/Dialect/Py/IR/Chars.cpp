// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text that is known stays known as long as it is the only one. Where it
// meets another, both become as many characters as the longer one has.

#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

std::optional<CharsKind> py::getCharsKind(Type type) {
  if (auto chars = dyn_cast_if_present<CharsType>(type))
    return chars.getKind();
  auto known = dyn_cast_if_present<StaticType>(type);
  if (!known || !isa<StringAttr, BytesAttr>(known.getValue()))
    return std::nullopt;
  return isa<StringAttr>(known.getValue()) ? CharsKind::Str : CharsKind::Bytes;
}

ArrayRef<StringRef> py::getClassesOfText(CharsKind kind) {
  static constexpr StringRef kStr[] = {"str"}, kBytes[] = {"bytes"};
  return kind == CharsKind::Str ? kStr : kBytes;
}

bool py::isText(Type type) { return getCharsKind(type).has_value(); }

bool py::isKnownText(Type type) {
  return isText(type) && isa<StaticType>(type);
}

SmallVector<uint32_t> py::getCodes(Type type) {
  Attribute value = cast<StaticType>(type).getValue();
  if (auto bytes = dyn_cast<BytesAttr>(value))
    return llvm::map_to_vector(bytes.getName(), [](char byte) {
      return uint32_t(static_cast<unsigned char>(byte));
    });
  StringRef text = cast<StringAttr>(value).getValue();
  SmallVector<uint32_t> codes(text.size());
  const auto *source = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  llvm::UTF32 *target = codes.data();
  llvm::ConvertUTF8toUTF32(
      &source, reinterpret_cast<const llvm::UTF8 *>(text.end()), &target,
      codes.data() + codes.size(), llvm::lenientConversion);
  codes.truncate(target - codes.data());
  return codes;
}

CharsType py::getChars(Type type) {
  if (auto chars = dyn_cast_if_present<CharsType>(type))
    return chars;
  std::optional<CharsKind> kind = getCharsKind(type);
  if (!kind)
    return {};
  SmallVector<uint32_t> codes = getCodes(type);
  if ((!codes.empty() && codes.back() == 0) || codes.size() > kMaxTextLength)
    return {};
  return CharsType::get(type.getContext(), *kind,
                        std::max<size_t>(codes.size(), 1));
}

/// Most comparisons of codes in a search.
static constexpr size_t kMaxCompared = 4096;

bool py::canSearch(Type part, Type text) {
  auto getLength = [](Type type) -> size_t {
    auto chars = dyn_cast<CharsType>(type);
    return chars ? chars.getLength() : getCodes(type).size();
  };
  return isText(part) && isText(text) &&
         ((isKnownText(part) && isKnownText(text)) ||
          getLength(part) * getLength(text) <= kMaxCompared);
}

Type py::unifyTexts(Type a, Type b) {
  CharsType left = getChars(a), right = getChars(b);
  if (a == b || !left || !right || left.getKind() != right.getKind())
    return a == b && isText(a) ? a : Type();
  return left.getLength() < right.getLength() ? right : left;
}

Type py::joinTexts(Type a, Type b) {
  if (a == b)
    return a;
  if (isText(a) || isText(b))
    return unifyTexts(a, b);
  auto tupleA = dyn_cast<TupleType>(a), tupleB = dyn_cast<TupleType>(b);
  if (tupleA && tupleB && tupleA.size() == tupleB.size()) {
    auto items = llvm::map_to_vector(
        llvm::zip(tupleA.getTypes(), tupleB.getTypes()), [](auto pair) {
          return joinTexts(std::get<0>(pair), std::get<1>(pair));
        });
    return llvm::is_contained(items, Type())
               ? Type()
               : TupleType::get(a.getContext(), items);
  }
  auto namedA = dyn_cast<NamedTupleType>(a),
       namedB = dyn_cast<NamedTupleType>(b);
  if (namedA && namedB && namedA.getName() == namedB.getName() &&
      namedA.getFields() == namedB.getFields()) {
    Type items = joinTexts(namedA.getItems(), namedB.getItems());
    return items
               ? NamedTupleType::get(a.getContext(), namedA.getName(),
                                     namedA.getFields(), cast<TupleType>(items))
               : items;
  }
  auto memberA = dyn_cast<EnumType>(a), memberB = dyn_cast<EnumType>(b);
  if (memberA && memberB && memberA.getName() == memberB.getName() &&
      memberA.getInteger() == memberB.getInteger())
    if (Type value = joinTexts(memberA.getValue(), memberB.getValue()))
      return EnumType::get(a.getContext(), memberA.getName(), value,
                           memberA.getInteger());
  return {};
}
