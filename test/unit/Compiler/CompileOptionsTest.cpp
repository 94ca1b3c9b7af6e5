// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options as text, and that their hash never changes: what a cache has stored
// by it must be found by later processes.

#include "pyk/Pipelines/CompileOptions.h"
#include "pyk/Pipelines/Pipelines.h"
#include "pyk/runtime/CpuFeatures.h"
#include "gtest/gtest.h"

using namespace pyk;

TEST(CompileOptionsTest, RowsAreSortedAndHaveTypes) {
  std::string rows;
  for (const CompileOptionInfo &info : getCompileOptionInfos())
    rows += info.flag.str() + ":" + info.words.str() + " ";
  EXPECT_EQ(rows,
            "assume:none,launch,scalars,sizes,disjoint,aligned,strides,"
            "inside block: check-bounds:true|false "
            "check-memory:true|false "
            "chip: cpu:auto|reference|reversed|simd "
            "cpu-level:native|x86-64|x86-64-v2|x86-64-v3|x86-64-v4|armv8-a "
            "debug-info:none|lines|full fma:true|false opt:0|1|2|3 "
            "report-errors:true|false reproducible:true|false tile: ");
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
            "expects an option of assume, block, check-bounds, check-memory, "
            "chip, cpu, cpu-level, debug-info, fma, opt, report-errors, "
            "reproducible, tile "
            "but got 'fmad'");
  EXPECT_EQ(llvm::toString(setCompileOption(options, "cpu", "fast")),
            "option cpu expects auto or reference or reversed or simd but got "
            "'fast'");
  EXPECT_EQ(llvm::toString(setCompileOption(options, "fma", "1")),
            "option fma expects true or false but got '1'");
  for (const char *text : {"", "sizes,", "sizes,fast", "none launch"})
    EXPECT_EQ(llvm::toString(setCompileOption(options, "assume", text)),
              std::string("option assume expects none, launch, scalars, sizes, "
                          "disjoint, aligned, strides, inside but got '") +
                  text + "'");
}

TEST(CompileOptionsTest, SomeTakeSeveralWords) {
  CompileOptions options;
  EXPECT_FALSE(bool(setCompileOption(options, "assume", "scalars,disjoint")));
  EXPECT_EQ(options.assume, "scalars,disjoint");
  EXPECT_EQ(getLoweringFlag(Stage::Pyk, options),
            "--pyk-lower-to-pyk=assume=scalars,disjoint");
  EXPECT_FALSE(bool(setCompileOption(options, "assume", "launch")));
  EXPECT_EQ(getCompileOption(options, "assume"), "launch");
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
  options.checkMemory = true;
  options.assume = "inside";
  EXPECT_EQ(getLoweringFlag(Stage::Pyk, options),
            "--pyk-lower-to-pyk=assume=inside check-bounds=true "
            "check-memory=true fma=false");
  EXPECT_EQ(getLoweringFlag(Stage::GPU, options), "--pyk-lower-to-gpu");
}

TEST(CompileOptionsTest, HashIsPinned) {
  CompileOptions options;
  EXPECT_EQ(hashOptions(options), 0x6606852181553298u);
  options.fma = false;
  EXPECT_EQ(hashOptions(options), 0x6ae8f178181f9d55u);
  options.chip = "sm_90a";
  EXPECT_EQ(hashOptions(options), 0x8edd857252c50300u);
  options.target = "cuda";
  options.kernel = "k";
  EXPECT_EQ(hashOptions(options), 0x5e94a6c5b62bb374u);
}

TEST(CompileOptionsTest, HashIsOfWhatCodeDependsOn) {
  CompileOptions options, other;
  other.emit = &Stage::LLVM;
  other.dumpStages = "folder";
  EXPECT_EQ(hashOptions(options), hashOptions(other));
  other.kernel = "k";
  EXPECT_NE(hashOptions(options), hashOptions(other));
}

// Levels are listed for messages and documentation; the runtime knows them.
TEST(CompileOptionsTest, LevelsAreThoseOfTheRuntime) {
  unsigned count = 0;
  for (const CompileOptionInfo &info : getCompileOptionInfos()) {
    if (info.flag != "cpu-level")
      continue;
    llvm::SmallVector<llvm::StringRef> levels;
    llvm::StringRef(info.words).split(levels, '|');
    for (llvm::StringRef level : levels) {
      EXPECT_TRUE(runtime::getCpuTarget(level).ok()) << level.str();
      ++count;
    }
  }
  EXPECT_EQ(count, 6u);
  EXPECT_EQ(runtime::getCpuTarget("avx2").status().message(),
            "compiling for the CPU: 'avx2' is not native, x86-64, x86-64-v2, "
            "x86-64-v3, x86-64-v4 or armv8-a; name the least processor that "
            "the code is for");
}
