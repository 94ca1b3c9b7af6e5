// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text: as many integers as its type has codes, those behind its end 0. No text
// ends in 0, so comparing all codes compares the texts, lengths included. Text
// that is known has no parts; its codes are constants where they are needed.

#include "Text.h"
#include "Arrays.h"
#include "Checks.h"
#include "Constants.h"
#include "Records.h"
#include "Scalars.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The type of a code of `text`.
static IntegerType getCodeType(Type text) {
  return CharsType::get(text.getContext(), *getCharsKind(text), 1)
      .getCodeType();
}

/// Calls `join` with the starts of two neighbours out of `count` pieces until
/// the first is the whole. What a chain computes is deep where text is long.
static void forPieces(size_t count,
                      llvm::function_ref<void(size_t, size_t)> join) {
  for (size_t step = 1; step < count; step *= 2)
    for (size_t piece = 0; piece + step < count; piece += 2 * step)
      join(piece, piece + step);
}

SmallVector<Value> TextLowering::getTextCodes(const Binding &text,
                                              Location loc) {
  if (!isKnownText(text.type))
    return {text.parts.begin(), text.parts.end()};
  unsigned width = getCodeType(text.type).getWidth();
  return llvm::map_to_vector(getCodes(text.type), [&](uint32_t code) {
    return makeInteger(builder, llvm::SignExtend64(code, width),
                       builder.getIntegerType(width), loc);
  });
}

Binding TextLowering::convertText(const Binding &text, CharsType to,
                                  Location loc) {
  SmallVector<Value> codes = getTextCodes(text, loc);
  Type code = builder.getIntegerType(to.getCodeType().getWidth());
  codes.truncate(std::min<size_t>(codes.size(), to.getLength()));
  while (codes.size() != to.getLength())
    codes.push_back(makeInteger(builder, 0, code, loc));
  return {to, {codes.begin(), codes.end()}};
}

Value TextLowering::isCode(Value code, Location loc) {
  return builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ne, code,
      makeZero(builder, code.getType(), loc));
}

Value TextLowering::getTextLength(const Binding &text, Location loc) {
  Type wide = builder.getI64Type();
  if (isKnownText(text.type))
    return makeInteger(builder, getCodes(text.type).size(), wide, loc);
  Value length = makeInteger(builder, 0, wide, loc);
  for (auto [position, code] : llvm::enumerate(text.parts))
    length = builder.createOrFold<arith::SelectOp>(
        loc, isCode(code, loc), makeInteger(builder, position + 1, wide, loc),
        length);
  return length;
}

Value TextLowering::getTextTruth(const Binding &text, Location loc) {
  if (isKnownText(text.type))
    return makeInteger(builder, !getCodes(text.type).empty(),
                       builder.getI1Type(), loc);
  Value any = makeInteger(builder, 0, text.parts.front().getType(), loc);
  for (Value code : text.parts)
    any = builder.createOrFold<arith::OrIOp>(loc, any, code);
  return isCode(any, loc);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

Value TextLowering::compareTexts(CompareOperator kind, const Binding &lhs,
                                 const Binding &rhs, Location loc) {
  Type boolean = builder.getI1Type();
  if (std::optional<bool> holds = compareText(kind, lhs.type, rhs.type))
    return makeInteger(builder, *holds, boolean, loc);
  if (getCharsKind(lhs.type) != getCharsKind(rhs.type))
    return makeInteger(builder, *compareOrder(kind, 1), boolean, loc);
  SmallVector<Value> left = getTextCodes(lhs, loc),
                     right = getTextCodes(rhs, loc);
  Value zero = makeZero(
      builder, builder.getIntegerType(getCodeType(lhs.type).getWidth()), loc);
  left.resize(std::max(left.size(), right.size()), zero);
  right.resize(left.size(), zero);
  // Of two that have the same codes, the one that ends in NUL is longer.
  auto endsInNul = [](Type type) { return !getChars(type); };
  Value tie = makeInteger(
      builder, *compareOrder(kind, endsInNul(lhs.type) - endsInNul(rhs.type)),
      boolean, loc);
  bool isOrder = !isEquality(kind);
  auto makeAnd = [&](Value a, Value b) {
    return builder.createOrFold<arith::AndIOp>(loc, a, b);
  };
  auto makeOr = [&](Value a, Value b) {
    return builder.createOrFold<arith::OrIOp>(loc, a, b);
  };
  // Whether codes are the same, and whether the first that differ decide so.
  SmallVector<Value> same, decided;
  for (auto [a, b] : llvm::zip(left, right)) {
    same.push_back(
        compareIntegers(builder, CompareOperator::Eq, a, b, true, loc));
    if (isOrder)
      decided.push_back(
          makeAnd(makeNot(builder, same.back(), loc),
                  compareIntegers(builder, kind, a, b, true, loc)));
  }
  forPieces(same.size(), [&](size_t first, size_t second) {
    if (isOrder)
      decided[first] =
          makeOr(decided[first], makeAnd(same[first], decided[second]));
    same[first] = makeAnd(same[first], same[second]);
  });
  if (same.empty())
    return tie;
  if (kind == CompareOperator::Ne)
    return makeOr(makeNot(builder, same.front(), loc), tie);
  Value result = makeAnd(same.front(), tie);
  return isOrder ? makeOr(decided.front(), result) : result;
}

SmallVector<Value> TextLowering::getMatches(const Binding &part,
                                            const Binding &text, Location loc) {
  SmallVector<Value> own = getTextCodes(part, loc),
                     codes = getTextCodes(text, loc);
  Value ownLength = getTextLength(part, loc), length = getTextLength(text, loc);
  auto constant = [&](int64_t value) {
    return makeInteger(builder, value, builder.getI64Type(), loc);
  };
  SmallVector<Value> matches;
  for (size_t first = 0; first <= codes.size(); ++first) {
    Value end =
        builder.createOrFold<arith::AddIOp>(loc, ownLength, constant(first));
    Value isHere = compareIntegers(builder, CompareOperator::Le, end, length,
                                   /*areUnsigned=*/true, loc);
    for (auto [position, code] : llvm::enumerate(own)) {
      Value isBehind = compareIntegers(builder, CompareOperator::Le, ownLength,
                                       constant(position),
                                       /*areUnsigned=*/true, loc);
      Value isSame = first + position < codes.size()
                         ? compareIntegers(builder, CompareOperator::Eq, code,
                                           codes[first + position],
                                           /*areUnsigned=*/true, loc)
                         : makeInteger(builder, 0, builder.getI1Type(), loc);
      isHere = builder.createOrFold<arith::AndIOp>(
          loc, isHere,
          builder.createOrFold<arith::OrIOp>(loc, isBehind, isSame));
    }
    matches.push_back(isHere);
  }
  return matches;
}

Value TextLowering::isPartOfText(const Binding &part, const Binding &text,
                                 Location loc) {
  Value found = makeInteger(builder, 0, builder.getI1Type(), loc);
  for (Value isHere : getMatches(part, text, loc))
    found = builder.createOrFold<arith::OrIOp>(loc, found, isHere);
  return found;
}

Value TextLowering::isAscii(const Binding &text, Location loc) {
  Value is = makeInteger(builder, 1, builder.getI1Type(), loc);
  for (Value code : getTextCodes(text, loc))
    is = builder.createOrFold<arith::AndIOp>(
        loc, is,
        compareIntegers(builder, CompareOperator::Le, code,
                        makeInteger(builder, 127, code.getType(), loc),
                        /*areUnsigned=*/true, loc));
  return is;
}

Value TextLowering::searchText(const Binding &text, const Binding &part,
                               bool isFromEnd, bool isRequired, Location loc) {
  Type wide = builder.getI64Type();
  Value position = makeInteger(builder, -1, wide, loc);
  SmallVector<Value> matches = getMatches(part, text, loc);
  // The last of these that matches is the answer.
  auto places = llvm::to_vector(llvm::seq<int64_t>(matches.size()));
  if (!isFromEnd)
    std::reverse(places.begin(), places.end());
  for (int64_t place : places)
    position = builder.createOrFold<arith::SelectOp>(
        loc, matches[place], makeInteger(builder, place, wide, loc), position);
  if (isRequired && lowering.getOptions().reportErrors)
    lowering.checks().check(compareIntegers(builder, CompareOperator::Ge,
                                            position,
                                            makeInteger(builder, 0, wide, loc),
                                            /*areUnsigned=*/false, loc),
                            "ValueError", "substring not found", {}, loc);
  return position;
}

//===----------------------------------------------------------------------===//
// Characters
//===----------------------------------------------------------------------===//

Binding TextLowering::getBytesArray(const Binding &bytes) {
  SmallVector<char> data;
  for (uint32_t code : getCodes(bytes.type))
    data.push_back(static_cast<char>(code));
  auto type = RankedTensorType::get(
      static_cast<int64_t>(data.size()),
      IntegerType::get(context, 8, IntegerType::Unsigned));
  return makeConstant(builder, DenseElementsAttr::getFromRawBuffer(type, data),
                      builder.getUnknownLoc());
}

Binding TextLowering::getCharacter(const Binding &text, const Binding &index,
                                   Type type, Location loc) {
  if (isKnownText(text.type) && isa<IntegerType>(type))
    return lowering.arrays().getIndexed(getBytesArray(text), index, "bytes",
                                        loc);
  SmallVector<Value> codes = getTextCodes(text, loc);
  Type wide = IntegerType::get(context, 64, IntegerType::Signed);
  Value given = lowering.convert(index.parts.front(), index.type, wide, loc);
  Value length = getTextLength(text, loc);
  Value position = builder.createOrFold<pyk::WrapIndexOp>(loc, given, length);
  lowering.checks().checkInside(
      position, length, given,
      "index {0} is out of range for a text of length {1}", loc);
  Value result = makeZero(builder, codes.front().getType(), loc);
  for (auto [own, code] : llvm::enumerate(codes))
    result = builder.createOrFold<arith::SelectOp>(
        loc,
        compareIntegers(builder, CompareOperator::Eq, position,
                        makeInteger(builder, own, builder.getI64Type(), loc),
                        /*areUnsigned=*/true, loc),
        code, result);
  if (isa<CharsType>(type))
    return {type, {result}};
  return {type, {lowering.convert(result, getCodeType(text.type), type, loc)}};
}

Binding TextLowering::makeOrd(const Binding &text, Type type, Location loc) {
  Value code = getTextCodes(text, loc).front();
  if (lowering.getOptions().reportErrors && !isKnownText(text.type)) {
    Value length = getTextLength(text, loc);
    Value isOne = compareIntegers(
        builder, CompareOperator::Eq, length,
        makeInteger(builder, 1, builder.getI64Type(), loc), true, loc);
    lowering.checks().check(
        isOne, "TypeError",
        "ord() expected a character, but string of length {0} found", length,
        loc);
  }
  return {type, {lowering.convert(code, getCodeType(text.type), type, loc)}};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The codes of the element of `array` that is text.
Value TextLowering::getStoredCodes(Value array, ValueRange indices,
                                   Location loc) {
  return pyk::FieldOp::create(
      builder, loc, lowering.records().getRecord(array, indices, loc), 0u);
}

Binding TextLowering::loadText(Value array, ValueRange indices, CharsType type,
                               Location loc) {
  Value codes = getStoredCodes(array, indices, loc);
  Binding result{type, {}};
  for (unsigned position = 0; position != type.getLength(); ++position)
    result.parts.push_back(pyk::LoadOp::create(
        builder, loc, codes,
        makeInteger(builder, position, builder.getI64Type(), loc)));
  return result;
}

void TextLowering::storeText(const Binding &text, Value array,
                             ValueRange indices, CharsType type, Location loc) {
  Binding converted = convertText(text, type, loc);
  Value codes = getStoredCodes(array, indices, loc);
  for (auto [position, code] : llvm::enumerate(converted.parts))
    pyk::StoreOp::create(
        builder, loc, code, codes,
        makeInteger(builder, position, builder.getI64Type(), loc));
}
