// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reciprocals by multiply-adds: which, and that they round correctly whatever
// the processor's estimate is.

#include "Reciprocals.h"
#include "CpuMachine.h"
#include "Support.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Verifier.h"

#include <cmath>
#include <cstdint>
#include <limits>

using namespace pyk;
using namespace pyk::test;

/// A function that does `divisions`.
static std::string makeFunction(const std::string &divisions) {
  return "define <16 x float> @k(<16 x float> %x, <16 x float> %y, "
         "<8 x float> %h, <16 x double> %d) {\n" +
         divisions + "}\n";
}

/// How many estimates and how many divisions there are.
static std::pair<int64_t, int64_t> count(llvm::Function &function) {
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  std::pair<int64_t, int64_t> counts;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    counts.first += call && call->getIntrinsicID() ==
                                llvm::Intrinsic::x86_avx512_rcp14_ps_512;
    counts.second += instruction.getOpcode() == llvm::Instruction::FDiv;
  }
  return counts;
}

/// The same when `division` has been replaced.
static std::pair<int64_t, int64_t> replace(const std::string &division) {
  ParsedModule module =
      parse(makeFunction(division + "  ret <16 x float> %x\n"));
  llvm::Function *function = module.module->getFunction("k");
  multiplyReciprocals(*function);
  return count(*function);
}

TEST(ReciprocalsTest, TakesVectorsOf16Floats) {
  std::string one = "  %r = fdiv <16 x float> splat (float 1.0), %x\n";
  EXPECT_EQ(replace(one), std::pair(int64_t(1), int64_t(1)));
  EXPECT_EQ(
      replace(one + "  %s = fdiv <16 x float> splat (float 1.0), %r\n").first,
      2);
  EXPECT_EQ(replace("  %r = fdiv <16 x float> splat (float 2.0), %x\n").first,
            0);
  EXPECT_EQ(replace("  %r = fdiv <16 x float> %y, %x\n").first, 0);
  EXPECT_EQ(replace("  %r = fdiv <8 x float> splat (float 1.0), %h\n").first,
            0);
  EXPECT_EQ(replace("  %r = fdiv <16 x double> splat (double 1.0), %d\n").first,
            0);
}

TEST(ReciprocalsTest, AreForVectorsOfProcessorsThatHaveThem) {
  auto optimize = [](llvm::StringRef level, unsigned optimizationLevel,
                     bool hasVectors) {
    ParsedModule module =
        parse(makeFunction("  %r = fdiv <16 x float> splat (float 1.0), %x\n"
                           "  ret <16 x float> %r\n"));
    const CpuMachine &machine = **getCpuMachine(level);
    module.module->setTargetTriple(machine.triple);
    optimizeForCpu(module, machine, optimizationLevel, hasVectors);
    return count(*module.module->getFunction("k")).first;
  };
  EXPECT_EQ(optimize("x86-64-v4", 3, true), 1);
  EXPECT_EQ(optimize("x86-64-v4", 0, true), 0);
  EXPECT_EQ(optimize("x86-64-v4", 3, false), 0);
  EXPECT_EQ(optimize("x86-64-v3", 3, true), 0);
}

static uint32_t getBits(float number) {
  return llvm::bit_cast<uint32_t>(number);
}

/// What multiplyReciprocals asks for.
static bool isDivided(float residue, float second) {
  bool isUnorderedOrEqual = !(residue < kTie) && !(residue > kTie);
  return isUnorderedOrEqual || !std::isnormal(second);
}

/// Checks 1 / `x` for whatever the first step may have come to.
///
/// The estimate is y = (1 - e) / x, where |e| is less than 2^-14, and where y
/// is subnormal by 2^-21 more. The step adds y * e, of which e is rounded once
/// and the sum once: what is rounded last is (1 - e * e + r) / x, with |r| <
/// 2^-37. Estimates of zero and infinity give a residue of 1 or none. Returns
/// how many of these the division stays for.
static int64_t checkReciprocal(float x) {
  constexpr double kSquare = 0x1p-28 * (1 + 0x1p-6);
  double exact = 1 / double(x);
  auto low = static_cast<float>(exact * (1 - kSquare - 0x1p-37));
  auto high = static_cast<float>(exact * (1 + 0x1p-37));
  EXPECT_TRUE(std::isfinite(high)) << x;
  int64_t rare = 0;
  for (uint32_t bits = getBits(low); bits <= getBits(high); ++bits) {
    auto first = llvm::bit_cast<float>(bits);
    float residue = std::fmaf(-x, first, 1);
    float second = std::fmaf(first, residue, first);
    if (isDivided(residue, second)) {
      ++rare;
      continue;
    }
    // What EXPECT_EQ does takes longer than all else.
    if (second != 1 / x)
      ADD_FAILURE() << x << " from " << first;
  }
  return rare;
}

/// Checks all floats from `from` to `to`, the end not included; returns the
/// share for which the division stays.
static double checkReciprocals(float from, float to) {
  int64_t rare = 0;
  for (uint32_t bits = getBits(from); bits < getBits(to); ++bits)
    rare += checkReciprocal(llvm::bit_cast<float>(bits));
  return double(rare) / (getBits(to) - getBits(from));
}

TEST(ReciprocalsTest, RoundCorrectlyFromAnyEstimate) {
  // Powers of 2 change no digit, as long as nothing is subnormal. Few vectors
  // of 16 are divided then.
  EXPECT_LT(checkReciprocals(1, 2), 1e-5);
  // Results that are subnormal, and those whose first step may be.
  checkReciprocals(0x1p125F, std::numeric_limits<float>::max());
  // Subnormal numbers with a reciprocal.
  checkReciprocals(std::nextafterf(0x1p-128F, 1), 0x1p-126F);
}

TEST(ReciprocalsTest, LeaveOtherEstimatesToTheDivision) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kLargest = std::numeric_limits<float>::max();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  // Numbers, and what is estimated for them.
  for (auto [x, estimate] :
       {std::pair(0.0F, kInfinity), std::pair(-0.0F, -kInfinity),
        std::pair(0x1p-128F, kInfinity), std::pair(-0x1p-149F, -kInfinity),
        std::pair(0x1.1p-128F, kInfinity), std::pair(kInfinity, 0.0F),
        // What is too large for a float, estimated as one that is not.
        std::pair(0x1p-128F, kLargest), std::pair(-0x1p-128F, -0x1.fffp127F),
        std::pair(0x1.ffff8p-129F, kLargest), std::pair(-kInfinity, -0.0F),
        std::pair(kNaN, kNaN), std::pair(0x1p127F, 0.0F)}) {
    float residue = std::fmaf(-x, estimate, 1);
    float first = std::fmaf(estimate, residue, estimate);
    residue = std::fmaf(-x, first, 1);
    EXPECT_TRUE(isDivided(residue, std::fmaf(first, residue, first))) << x;
  }
}
