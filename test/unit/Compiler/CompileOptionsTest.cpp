// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options as text, and that their hash never changes: what a cache has stored
// by it must be found by later processes.

#include "pyk/Pipelines/CompileOptions.h"
#include "pyk/Pipelines/Pipelines.h"
#include "gtest/gtest.h"

using namespace pyk;

TEST(CompileOptionsTest, RowsAreSortedAndHaveTypes) {
  std::string rows;
  for (const CompileOptionInfo &info : getCompileOptionInfos())
    rows += info.flag.str() + (info.isBool ? ":bool " : ":text ");
  EXPECT_EQ(rows, "check-bounds:bool chip:text fma:bool report-errors:bool ");
}

TEST(CompileOptionsTest, TextSetsThemAndIsReadBack) {
  CompileOptions options;
  EXPECT_TRUE(options.fma);
  EXPECT_EQ(getCompileOption(options, "fma"), "true");
  EXPECT_FALSE(bool(setCompileOption(options, "fma", "false")));
  EXPECT_FALSE(options.fma);
  EXPECT_EQ(getCompileOption(options, "fma"), "false");
  EXPECT_FALSE(bool(setCompileOption(options, "chip", "sm_90")));
  EXPECT_EQ(getCompileOption(options, "chip"), "sm_90");
}

TEST(CompileOptionsTest, WrongTextIsRefused) {
  CompileOptions options;
  EXPECT_EQ(llvm::toString(setCompileOption(options, "fmad", "true")),
            "expects an option of check-bounds, chip, fma, report-errors but "
            "got 'fmad'");
  EXPECT_EQ(llvm::toString(setCompileOption(options, "fma", "1")),
            "option fma expects true or false but got '1'");
}

TEST(CompileOptionsTest, FlagsHaveWhatIsNotTheDefault) {
  CompileOptions options;
  EXPECT_EQ(getLoweringFlag(Stage::Pyk, options), "--pyk-lower-to-pyk");
  options.checkBounds = true;
  EXPECT_EQ(getLoweringFlag(Stage::Pyk, options),
            "--pyk-lower-to-pyk=check-bounds=true");
  options.fma = false;
  EXPECT_EQ(getLoweringFlag(Stage::Pyk, options),
            "--pyk-lower-to-pyk=check-bounds=true fma=false");
  EXPECT_EQ(getLoweringFlag(Stage::GPU, options), "--pyk-lower-to-gpu");
}

TEST(CompileOptionsTest, HashIsPinned) {
  CompileOptions options;
  EXPECT_EQ(hashOptions(options), 0xf7ec6557b0826b32u);
  options.fma = false;
  EXPECT_EQ(hashOptions(options), 0x6b72355b2767f7c8u);
  options.chip = "sm_90a";
  EXPECT_EQ(hashOptions(options), 0x73855158680271efu);
  options.target = "cuda";
  options.kernel = "k";
  EXPECT_EQ(hashOptions(options), 0xd4c4f35c1ad2856cu);
}

TEST(CompileOptionsTest, HashIsOfWhatCodeDependsOn) {
  CompileOptions options, other;
  other.emit = &Stage::LLVM;
  other.dumpStages = "folder";
  EXPECT_EQ(hashOptions(options), hashOptions(other));
  other.kernel = "k";
  EXPECT_NE(hashOptions(options), hashOptions(other));
}
