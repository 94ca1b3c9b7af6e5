// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of threads that have failed.

#include "pyk/runtime/Failure.h"

#include "pyk/runtime/Runtime.h"

#include <gtest/gtest.h>

using namespace pyk::runtime;

static constexpr pyk_rt_failure failure = {
    1, {1, 2, 3}, {4, 5, 6}, 0, {-7, int64_t(1) << 40}};

TEST(FailureTest, PlacesAreSaidFromZToX) {
  FailureSource source = {"f.<locals>.g", "a b.py", 12, std::nullopt, true};
  EXPECT_EQ(describeFailure(failure, source),
            "In function 'f.<locals>.g', file a b.py, line 12, "
            "tid=[6, 5, 4] ctaid=[3, 2, 1]");
}

// What a program says in braces is its own.
TEST(FailureTest, OnlyMessagesThatSpeakOfValuesHaveThem) {
  std::string place =
      "In function 'f', file a.py, line 1, tid=[6, 5, 4] ctaid=[3, 2, 1]: ";
  FailureSource source = {"f", "a.py", 1, "{1} of {0} of {0}, {2} {{ {", true};
  EXPECT_EQ(describeFailure(failure, source),
            place + "1099511627776 of -7 of -7, {2} {{ {");
  source.speaksOfValues = false;
  EXPECT_EQ(describeFailure(failure, source),
            place + "{1} of {0} of {0}, {2} {{ {");
  source.message = "";
  EXPECT_EQ(describeFailure(failure, source), place);
}

TEST(FailureTest, TheCInterfaceCutsOffWhatHasNoRoom) {
  const char message[] = "a\0b";
  pyk_rt_failure_source source = {sizeof(source), "f", "a.py", 1,
                                  message,        3,   0};
  std::string whole =
      "In function 'f', file a.py, line 1, tid=[6, 5, 4] ctaid=[3, 2, 1]: " +
      std::string(message, 3);
  ASSERT_EQ(pyk_rt_describe_failure(&failure, &source, nullptr, 0),
            whole.size());
  std::string text(whole.size() + 1, '?');
  EXPECT_EQ(
      pyk_rt_describe_failure(&failure, &source, text.data(), text.size()),
      whole.size());
  EXPECT_EQ(text, whole + "?");
  std::string start(5, '?');
  EXPECT_EQ(pyk_rt_describe_failure(&failure, &source, start.data(), 2),
            whole.size());
  EXPECT_EQ(start, "In???");
  source.message = nullptr;
  EXPECT_EQ(pyk_rt_describe_failure(&failure, &source, nullptr, 0),
            whole.size() - 5);
}

TEST(FailureTest, TheCInterfaceTakesNoSmallerSource) {
  pyk_rt_failure_source source = {
      sizeof(source) - 1, "f", "a.py", 1, nullptr, 0, 0};
  EXPECT_EQ(pyk_rt_describe_failure(&failure, &source, nullptr, 0), 0u);
  source.struct_bytes = sizeof(source);
  EXPECT_NE(pyk_rt_describe_failure(&failure, &source, nullptr, 0), 0u);
}
