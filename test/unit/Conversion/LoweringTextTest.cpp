// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text in the lowering from py: what is computed of its codes, and where they
// lie in memory.

#include "Conversion/PyToPyk/Text.h"
#include "LoweringSupport.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class LoweringTextTest : public LoweringTest {
protected:
  /// `text` as characters that the program only has when it runs.
  Binding chars(StringRef text, StringRef type = "!py.chars<str, 4>") {
    return lowering->texts().convertText(constant(("\"" + text + "\"").str()),
                                         cast<CharsType>(parse(type)), loc);
  }

  SmallVector<int64_t> getCodes(const Binding &text) {
    return llvm::map_to_vector(text.parts,
                               [&](Value code) { return fold(code); });
  }

  int64_t find(const Binding &text, const Binding &part,
               bool isFromEnd = false) {
    return fold(lowering->texts().searchText(text, part, isFromEnd,
                                             /*isRequired=*/false, loc));
  }

  Binding number(int64_t value) {
    return constant("#py.int<" + std::to_string(value) + " : si64>");
  }
};

TEST_F(LoweringTextTest, CharactersEndWithZeros) {
  Binding text = chars("ab");
  EXPECT_EQ(getCodes(text), (SmallVector<int64_t>{'a', 'b', 0, 0}));
  // What does not fit is left out.
  EXPECT_EQ(getCodes(chars("abcdef")),
            (SmallVector<int64_t>{'a', 'b', 'c', 'd'}));
  Binding shorter = lowering->convert(text, parse("!py.chars<str, 1>"), loc);
  EXPECT_EQ(getCodes(shorter), (SmallVector<int64_t>{'a'}));
}

TEST_F(LoweringTextTest, LengthsAndTruthCountCodes) {
  auto length = [&](const Binding &text) {
    return fold(lowering->texts().getTextLength(text, loc));
  };
  auto truth = [&](const Binding &text) {
    return fold(lowering->texts().getTextTruth(text, loc)) != 0;
  };
  EXPECT_EQ(length(chars("abc")), 3);
  EXPECT_EQ(length(chars("")), 0);
  EXPECT_EQ(length(constant("\"abcdef\"")), 6);
  // One in the middle is a code as others are.
  EXPECT_EQ(length(chars("a\\00b")), 3);
  EXPECT_TRUE(truth(chars("a")));
  EXPECT_FALSE(truth(chars("")));
  EXPECT_FALSE(truth(constant("\"\"")));
}

TEST_F(LoweringTextTest, TextIsFoundWhereItBeginsFirstOrLast) {
  Binding text = chars("abab");
  EXPECT_EQ(find(text, chars("b", "!py.chars<str, 1>")), 1);
  EXPECT_EQ(find(text, chars("b", "!py.chars<str, 1>"), /*isFromEnd=*/true), 3);
  EXPECT_EQ(find(text, chars("ab")), 0);
  EXPECT_EQ(find(text, chars("ba", "!py.chars<str, 2>")), 1);
  EXPECT_EQ(find(text, chars("c")), -1);
  EXPECT_EQ(find(text, constant("\"\"")), 0);
  EXPECT_EQ(find(text, constant("\"\""), /*isFromEnd=*/true), 4);
  // Behind the end there is none.
  EXPECT_EQ(find(chars("ab"), chars("b"), /*isFromEnd=*/true), 1);
  EXPECT_EQ(fold(lowering->texts().isPartOfText(chars("ba"), text, loc)), -1);
  EXPECT_EQ(fold(lowering->texts().isPartOfText(chars("aa"), text, loc)), 0);
}

TEST_F(LoweringTextTest, WhatMustBeFoundIsChecked) {
  (void)lowering->texts().searchText(chars("ab"), chars("c"),
                                     /*isFromEnd=*/false, /*isRequired=*/true,
                                     loc);
  EXPECT_EQ(getCheck(), "substring not found");
}

TEST_F(LoweringTextTest, ShorterTextsComeFirst) {
  auto compare = [&](CompareOperator kind, const Binding &a, const Binding &b) {
    return fold(lowering->texts().compareTexts(kind, a, b, loc)) != 0;
  };
  Binding two = chars("ab", "!py.chars<str, 2>");
  EXPECT_TRUE(compare(CompareOperator::Eq, two, chars("ab")));
  EXPECT_TRUE(compare(CompareOperator::Lt, two, chars("aba")));
  EXPECT_TRUE(compare(CompareOperator::Gt, chars("b"), two));
  EXPECT_FALSE(compare(CompareOperator::Ne, chars("ab"), constant("\"ab\"")));
  // Text that ends in a NUL is longer than characters can be.
  EXPECT_TRUE(
      compare(CompareOperator::Lt, chars("ab"), constant("\"ab\\00\"")));
  EXPECT_FALSE(
      compare(CompareOperator::Eq, chars("ab"), constant("\"ab\\00\"")));
}

TEST_F(LoweringTextTest, AsciiHasSevenBits) {
  EXPECT_EQ(fold(lowering->texts().isAscii(chars("a~"), loc)), -1);
  EXPECT_EQ(fold(lowering->texts().isAscii(chars("a\\C3\\A9"), loc)), 0);
}

TEST_F(LoweringTextTest, CharactersAreTakenFromBothEnds) {
  auto take = [&](int64_t index, StringRef type) {
    return lowering->texts().getCharacter(chars("abc"), number(index),
                                          parse(type), loc);
  };
  EXPECT_EQ(getCodes(take(1, "!py.chars<str, 1>")),
            (SmallVector<int64_t>{'b'}));
  // From the end of the text, not of its room.
  EXPECT_EQ(getCodes(take(-1, "!py.chars<str, 1>")),
            (SmallVector<int64_t>{'c'}));
}

TEST_F(LoweringTextTest, CodesOfBytesHaveNoSign) {
  Binding bytes = lowering->texts().convertText(
      constant("#py.bytes<\"a\\FF\">"),
      cast<CharsType>(parse("!py.chars<bytes, 3>")), loc);
  Binding last =
      lowering->texts().getCharacter(bytes, number(1), parse("si64"), loc);
  EXPECT_EQ(fold(last), 255);
  Binding code = lowering->texts().makeOrd(
      lowering->convert(bytes, parse("!py.chars<bytes, 1>"), loc),
      parse("si64"), loc);
  EXPECT_EQ(fold(code), 'a');
  Binding array =
      lowering->texts().getBytesArray(constant("#py.bytes<\"a\\FF\">"));
  EXPECT_EQ(cast<ArrayType>(array.type).getShape()[0], 2);
}

TEST_F(LoweringTextTest, OnlyOneCharacterHasACode) {
  Value code = arith::TruncIOp::create(*builder, loc, builder->getI32Type(),
                                       made.getArgument(0));
  Binding text{parse("!py.chars<str, 1>"), {code}};
  Binding number = lowering->texts().makeOrd(text, parse("si64"), loc);
  // It may be empty.
  EXPECT_EQ(getCheck(),
            "ord() expected a character, but string of length {0} found");
  EXPECT_TRUE(number.parts[0].getType().isInteger(64));
}

TEST_F(LoweringTextTest, MemoryHoldsAllCodes) {
  auto type = cast<CharsType>(parse("!py.chars<str, 2>"));
  // An element of an array of text is a record of codes.
  Type array = parse("!pyk.array<4x!pyk.record<\"\" : 2xi32 at 0, size 8>, c>");
  ASSERT_TRUE(array);
  ASSERT_TRUE(succeeded(made.insertArgument(1, array, {}, loc)));
  Value index = number(3).parts[0];
  lowering->texts().storeText(constant("\"xyz\""), made.getArgument(1), index,
                              type, loc);
  SmallVector<pyk::StoreOp> stores;
  made.walk([&](pyk::StoreOp op) { stores.push_back(op); });
  ASSERT_EQ(stores.size(), 2U);
  EXPECT_EQ(fold(stores[0].getValue()), 'x');
  EXPECT_EQ(fold(stores[1].getValue()), 'y');
  EXPECT_EQ(fold(stores[1].getIndices()[0]), 1);
  Binding loaded =
      lowering->texts().loadText(made.getArgument(1), index, type, loc);
  EXPECT_EQ(loaded.type, type);
  ASSERT_EQ(loaded.parts.size(), 2U);
  auto load = loaded.parts[1].getDefiningOp<pyk::LoadOp>();
  ASSERT_TRUE(load);
  EXPECT_TRUE(load.getArray().getDefiningOp<FieldOp>());
}

} // namespace
