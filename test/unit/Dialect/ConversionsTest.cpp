// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values become others by themselves.

#include "Dialect/Py/Transforms/Conversions.h"
#include "InferenceSupport.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class ConversionsTest : public InferenceTest {
protected:
  /// The first message about a conversion; empty if it is possible.
  std::string check(llvm::StringRef from, llvm::StringRef to) {
    messages.clear();
    LogicalResult result =
        checkConvertible(UnknownLoc::get(&context), parse(from), parse(to));
    EXPECT_EQ(failed(result), !messages.empty());
    return messages.empty() ? "" : messages.front();
  }
};

TEST_F(ConversionsTest, NumbersConvertUnlessAPartIsLost) {
  EXPECT_EQ(check("f64", "si8"), "");
  EXPECT_EQ(check("f32", "complex<f32>"), "");
  EXPECT_EQ(check("complex<f32>", "f32"),
            "cannot convert complex64 to float32");
}

TEST_F(ConversionsTest, FloatsOf8BitsConvertToRealNumbersOnly) {
  EXPECT_EQ(check("f32", "!py.float8<e5m2>"), "");
  EXPECT_NE(check("complex<f32>", "!py.float8<e5m2>"), "");
}

TEST_F(ConversionsTest, TimesAreNoNumbers) {
  EXPECT_NE(check("!py.time<timedelta, ns>", "si64"), "");
  EXPECT_EQ(messages.back(), "np.int64(...) is the number of its units");
}

} // namespace
