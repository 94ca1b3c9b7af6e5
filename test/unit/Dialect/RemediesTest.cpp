// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What messages say of what to write instead.

#include "Dialect/Py/Transforms/Remedies.h"
#include "gtest/gtest.h"

using namespace pyk::py;

TEST(RemediesTest, TheNearestNameIsMeant) {
  EXPECT_EQ(findNearest("shaep", {"size", "shape", "strides"}), "shape");
}

TEST(RemediesTest, ANameThatIsNotLikeAnyIsNone) {
  EXPECT_EQ(findNearest("volume", {"size", "shape"}), "");
}

TEST(RemediesTest, TheNameItselfIsNotMeant) {
  EXPECT_EQ(findNearest("size", {"size"}), "");
}

// The module is right, so that it must not outweigh a name that is wrong.
TEST(RemediesTest, LettersOfTheModuleDoNotCount) {
  EXPECT_EQ(findNearest("math.xyz", {"math.sin", "math.cos"}), "");
}
