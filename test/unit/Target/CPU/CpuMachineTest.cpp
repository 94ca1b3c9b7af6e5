// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of vectors get for the processor that they are for.

#include "CpuMachine.h"
#include "Support.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"

using namespace pyk;
using namespace pyk::test;

/// The alignment of the stack and of a local array of `floats`, of a function
/// that is optimized for `level`; 1 if none is asked for.
static std::pair<uint64_t, uint64_t> getAlignment(llvm::StringRef level,
                                                  unsigned optimizationLevel,
                                                  bool hasVectors,
                                                  unsigned floats = 16) {
  ParsedModule module = parse("declare void @use(ptr)\n"
                              "define void @k() {\n"
                              "  %a = alloca [" +
                              std::to_string(floats) +
                              " x float], align 4\n"
                              "  call void @use(ptr %a)\n"
                              "  ret void\n}\n");
  const CpuMachine &machine = **getCpuMachine(level);
  module.module->setTargetTriple(machine.triple);
  optimizeForCpu(module, machine, optimizationLevel, hasVectors);
  llvm::Function *function = module.module->getFunction("k");
  auto *array = llvm::cast<llvm::AllocaInst>(&function->front().front());
  return {function->getFnStackAlign().valueOrOne().value(),
          array->getAlign().value()};
}

TEST(CpuMachineTest, AlignsTheStackOfVectors) {
  using Alignment = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(getAlignment("x86-64-v4", 3, true), Alignment(64, 64));
  EXPECT_EQ(getAlignment("x86-64-v3", 3, true), Alignment(32, 32));
  // No vector has room in it.
  EXPECT_EQ(getAlignment("x86-64-v4", 3, true, 15), Alignment(64, 4));
  EXPECT_EQ(getAlignment("x86-64", 3, true), Alignment(1, 4));
  EXPECT_EQ(getAlignment("x86-64-v4", 0, true), Alignment(1, 4));
  EXPECT_EQ(getAlignment("x86-64-v4", 3, false), Alignment(1, 4));
}

TEST(CpuMachineTest, LeavesReciprocalsToAFastDivider) {
  for (bool dividesFast : {false, true}) {
    ParsedModule module =
        parse("define <16 x float> @k(<16 x float> %x) {\n"
              "  %y = fdiv <16 x float> splat (float 1.0), %x\n"
              "  ret <16 x float> %y\n}\n");
    CpuMachine machine = **getCpuMachine("x86-64-v4");
    machine.dividesFast = dividesFast;
    module.module->setTargetTriple(machine.triple);
    optimizeForCpu(module, machine, 3, /*hasVectors=*/true);
    EXPECT_EQ(module.module->getFunction("k")->size() == 1, dividesFast);
  }
}

TEST(CpuMachineTest, KnowsWhatItIsTunedFor) {
  for (auto [name, isMeasured] :
       {std::pair("znver4", true), std::pair("znver3", false),
        std::pair("sapphirerapids", false), std::pair("", false)}) {
    CpuMachine machine;
    machine.tuning = name;
    setMeasured(machine);
    EXPECT_EQ(machine.dividesFast, isMeasured) << name;
    EXPECT_EQ(machine.fetchesRows, isMeasured) << name;
  }
  const CpuMachine &native = **getCpuMachine("native");
  EXPECT_EQ(native.fetchesRows, native.tuning == "znver4");
  EXPECT_EQ(fetchesRows("native"), native.fetchesRows);
  EXPECT_FALSE(fetchesRows("x86-64-v4"));
  EXPECT_FALSE(fetchesRows("no such level"));
}

TEST(CpuMachineTest, OptionsOfTheProcessAreSet) {
  ASSERT_TRUE(bool(getCpuMachine("native")));
  const auto &options = llvm::cl::getRegisteredOptions();
  for (llvm::StringRef name :
       {"force-ordered-reductions", "dag-maps-huge-region",
        "grow-region-complexity-budget", "cgpp-huge-func"}) {
    auto found = options.find(name);
    ASSERT_NE(found, options.end()) << name.str();
    EXPECT_EQ(found->second->getNumOccurrences(), 1) << name.str();
  }
}
