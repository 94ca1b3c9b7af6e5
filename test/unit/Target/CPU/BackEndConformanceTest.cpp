// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether LLVM's code generation is right for what PyK asks of it, so that a
// new LLVM is judged before it is taken: every kind of operation, by type of
// element, number of lanes and mask, compiled as kernels are for each level of
// processors that runs here.
//
// A fault of LLVM that PyK keeps clear of stands in a list, with the smallest
// code that shows it, compiled by LLVM alone. Any other fault fails the test,
// and so does one of the list that is gone: its entry and what PyK does about
// it can then go, too.
//
// BackEndConformanceTest has a sample of the cases, BackEndEverythingTest all,
// which takes minutes.

#include "BackEndRunner.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace pyk;
using namespace pyk::test;

//===----------------------------------------------------------------------===//
// Known faults
//===----------------------------------------------------------------------===//

namespace {

/// A fault of LLVM's that PyK avoids. The documentation has them all
/// (reference/upstream-faults.md).
struct KnownFault {
  StringRef name;
  /// What PyK does instead.
  StringRef instead;
  /// A level of processors whose code has it.
  StringRef level;
  /// What a function does with the memory at %p, of 64 bytes: all are 0xff at
  /// first.
  StringRef code;
  /// How that memory should begin afterwards; it does not.
  std::vector<uint8_t> expected;
};

} // namespace

static const KnownFault knownFaults[] = {
    {"a masked store of one lane stores the value before its truncation",
     "MaskedStores.cpp has a fence between truncations and masked stores",
     "x86-64-v4",
     R"(
  %wide = load <16 x i32>, ptr %p, align 1
  %less = and <16 x i32> %wide, splat (i32 254)
  %value = trunc <16 x i32> %less to <16 x i8>
  call void @llvm.masked.store.v16i8.p0(
    <16 x i8> %value, ptr align 1 %p, <16 x i1> <i1 false, i1 true, i1 false,
    i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false,
    i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
)",
     {0xff, 0xfe, 0xff, 0xff, 0xff}},
    // KMOVBkk is taken for a copy where a register is spilled.
    {"half of a mask is not cleared where the mask waits on the stack",
     "simd-unroll takes lanes out of a mask by `and`, which is no copy",
     "x86-64-v4",
     R"(
  %numbers = load <16 x i32>, ptr %p, align 1
  %mask = icmp slt <16 x i32> %numbers, zeroinitializer
  %half = shufflevector <16 x i1> %mask, <16 x i1> zeroinitializer, <16 x i32>
    <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7,
     i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  call void asm sideeffect "",
    "~{k0},~{k1},~{k2},~{k3},~{k4},~{k5},~{k6},~{k7}"()
  store <16 x i1> %half, ptr %p, align 1
)",
     {0xff, 0x00, 0xff}},
};

namespace {

/// Code at which LLVM ends the process: PyK makes none like it.
struct KnownCrash {
  StringRef name;
  StringRef instead;
  StringRef level;
  StringRef code;
  const char *message;
};

} // namespace

static const KnownCrash knownCrashes[] = {
    {"a masked load that is split, and of which one half has no lane",
     "vectors are no longer than the machine's where lanes are known",
     "x86-64-v3",
     R"(
  %next = getelementptr ptr, ptr %arguments, i64 1
  %q = load ptr, ptr %next
  %bytes = load <32 x i8>, ptr %q, align 1
  %some = icmp ne <32 x i8> %bytes, zeroinitializer
  %mask = and <32 x i1> %some,
    bitcast (i32 -2147483648 to <32 x i1>)
  %value = call <32 x float> @llvm.masked.load.v32f32.p0(
    ptr align 4 %p, <32 x i1> %mask, <32 x float> zeroinitializer)
  store <32 x float> %value, ptr %q, align 4
)",
     "Cannot implicitly convert a scalable size"},
};

/// The function @fault that `code` is the body of.
static std::unique_ptr<Module> parseBody(StringRef code, LLVMContext &context) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(
      ("define void @fault(ptr, i32, i32, i32, ptr %arguments) {\n"
       "  %p = load ptr, ptr %arguments\n" +
       code + "  ret void\n}\n")
          .str(),
      diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

/// The memory that the code of `fault` leaves.
static std::vector<uint8_t> runCodeOf(const KnownFault &fault,
                                      const CpuMachine &machine) {
  LLVMContext context;
  std::unique_ptr<Module> module = parseBody(fault.code, context);
  LoadedCode code =
      compileForTest(*module, {"fault"}, machine, /*onlyLLVM=*/true);
  std::vector<uint8_t> memory(64, 0xff);
  void *arguments[] = {memory.data()};
  code.getFunction(0)(nullptr, 0, 0, 0, arguments);
  memory.resize(fault.expected.size());
  return memory;
}

TEST(BackEndFaultsTest, KnownFaultsAreThere) {
  unsigned count = 0;
  for (const KnownFault &fault : knownFaults) {
    auto machine = getCpuMachine(fault.level);
    if (!machine) {
      // Of another architecture.
      consumeError(machine.takeError());
      continue;
    }
    if (!runtime::runsHere((*machine)->target))
      continue;
    ++count;
    EXPECT_NE(runCodeOf(fault, **machine), fault.expected)
        << "LLVM has mended: " << fault.name.str()
        << "\nthis can go, with the entry: " << fault.instead.str();
  }
  if (count == 0)
    GTEST_SKIP() << "no fault is known of code that runs here";
}

TEST(BackEndFaultsTest, KnownCrashesAreThere) {
  for (const KnownCrash &crash : knownCrashes) {
    auto machine = getCpuMachine(crash.level);
    if (!machine) {
      consumeError(machine.takeError());
      continue;
    }
    if (!runtime::runsHere((*machine)->target))
      continue;
    LLVMContext context;
    std::unique_ptr<Module> module = parseBody(crash.code, context);
    EXPECT_DEATH(
        compileForTest(*module, {"fault"}, **machine, /*onlyLLVM=*/true),
        crash.message)
        << "LLVM has mended: " << crash.name.str()
        << "\nthis can go, with the entry: " << crash.instead.str();
  }
}

//===----------------------------------------------------------------------===//
// All cases
//===----------------------------------------------------------------------===//

/// Expects no fault in code for `level`, which PyK keeps clear of known ones.
static void checkLevel(StringRef level, Extent extent) {
  const CpuMachine &machine = *cantFail(getCpuMachine(level));
  if (!runtime::runsHere(machine.target))
    GTEST_SKIP() << "needs a processor of level " << level.str();
  const std::vector<Operation> conversions = getConversions();
  const std::vector<Operation> arithmetic = getArithmetic();
  // The vectorizer makes none with constant masks where vectors are not worth
  // it, and else none longer than the machine's.
  const unsigned mostKnown = machine.lanes;
  for (unsigned lanes : {2, 4, 8, 16, 32}) {
    const std::vector<Operation> exchanges = getExchanges(lanes);
    std::vector<Case> cases =
        makeCases(lanes, mostKnown, extent, conversions, arithmetic, exchanges);
    unsigned shown = 0;
    for (const Fault &fault : findFaults(cases, machine)) {
      if (++shown <= 20)
        ADD_FAILURE() << level.str() << ": " << fault.test.describe() << ": "
                      << fault.text;
    }
    EXPECT_EQ(shown, 0U) << "faults with " << lanes << " lanes";
  }
}

namespace {

/// Tests of one level of processors each.
class BackEndConformanceTest : public testing::TestWithParam<const char *> {};
class BackEndEverythingTest : public testing::TestWithParam<const char *> {};

} // namespace

TEST_P(BackEndConformanceTest, HasNoFault) {
  checkLevel(GetParam(), Extent::Sample);
}

TEST_P(BackEndEverythingTest, HasNoFault) {
  checkLevel(GetParam(), Extent::Everything);
}

static const char *const levels[] = {
#ifdef __x86_64__
    "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4",
#endif
    "native"};

INSTANTIATE_TEST_SUITE_P(Levels, BackEndConformanceTest,
                         testing::ValuesIn(levels));
INSTANTIATE_TEST_SUITE_P(Levels, BackEndEverythingTest,
                         testing::ValuesIn(levels));
