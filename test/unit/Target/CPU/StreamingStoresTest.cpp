// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores past the caches: which, when, and what they write.

#include "BindToHost.h"
#include "Support.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <cstdint>

using namespace pyk;
using namespace pyk::test;

static constexpr llvm::StringLiteral kStore =
    "  store <16 x float> %v, ptr %out, align 4\n";

/// A bound function that runs a block, with `stores` to %out.
static std::string makeFunction(llvm::StringRef stores) {
  return ("define void @k(ptr %block, i32 %x, i32 %y, i32 %z, ptr %out, "
          "ptr %in, <16 x float> %v, <8 x float> %h, <16 x i1> %m) {\n"
          "entry:\n"
          "  %next = getelementptr i8, ptr %out, i64 64\n"
          "  %half = getelementptr i8, ptr %out, i64 32\n" +
          stores + "  ret void\n}\n")
      .str();
}

/// How many stores past the caches a block of 16 threads has, and from how many
/// bytes of a thread on it takes them.
static std::pair<int64_t, uint64_t>
stream(const std::string &text, llvm::StringRef triple = "x86_64-linux-gnu") {
  ParsedModule module = parse(text);
  module.module->setTargetTriple(llvm::Triple(triple));
  llvm::Function *function = module.module->getFunction("k");
  bool streams = addStreamingStores(*function, /*threads=*/16);
  int64_t count = 0;
  uint64_t bytes = 0;
  for (llvm::Instruction &instruction : llvm::instructions(*function)) {
    count += instruction.hasMetadata(llvm::LLVMContext::MD_nontemporal);
    if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
        compare && compare->getPredicate() == llvm::CmpInst::ICMP_ULT &&
        compare->getOperand(0)->getName() == "bytes_kept")
      bytes =
          llvm::cast<llvm::ConstantInt>(compare->getOperand(1))->getZExtValue();
  }
  EXPECT_EQ(streams, count != 0);
  return {count, bytes};
}

TEST(StreamingStoresTest, TakesVectorsOfWholeLines) {
  EXPECT_EQ(stream(makeFunction(kStore)), std::pair(int64_t(1), uint64_t(4)));
  EXPECT_EQ(stream(makeFunction(kStore.str() +
                                "  store <16 x float> %v, ptr %next\n")),
            std::pair(int64_t(2), uint64_t(8)));
  // Halves, by two.
  EXPECT_EQ(stream(makeFunction("  store <8 x float> %h, ptr %out\n"
                                "  store <8 x float> %h, ptr %half\n")),
            std::pair(int64_t(2), uint64_t(4)));
  EXPECT_EQ(stream(makeFunction("  store <8 x float> %h, ptr %out\n")).first,
            0);
  // Between them, loads of what is surely other memory.
  EXPECT_EQ(stream(makeFunction("  %own = alloca float\n"
                                "  store <8 x float> %h, ptr %out\n"
                                "  %l = load float, ptr %own\n"
                                "  store <8 x float> %h, ptr %half\n"))
                .first,
            2);
  EXPECT_EQ(stream(makeFunction("  store <8 x float> %h, ptr %out\n"
                                "  %l = load float, ptr %in\n"
                                "  store <8 x float> %h, ptr %half\n"))
                .first,
            0);
  EXPECT_EQ(stream(makeFunction("  store float 1.0, ptr %out\n")).first, 0);
}

TEST(StreamingStoresTest, LeavesOthersAlone) {
  std::string store = kStore.str();
  // What is written is read, or its address goes elsewhere.
  EXPECT_EQ(
      stream(makeFunction(store + "  %l = load float, ptr %next\n")).first, 0);
  EXPECT_EQ(stream(makeFunction(store + "  store ptr %out, ptr %in\n")).first,
            0);
  // There is an order.
  EXPECT_EQ(stream(makeFunction(store + "  fence seq_cst\n")).first, 0);
  EXPECT_EQ(stream(makeFunction(store + "  %o = atomicrmw add ptr %in, i32 1 "
                                        "acq_rel\n"))
                .first,
            0);
  EXPECT_EQ(stream(makeFunction("  store volatile <16 x float> %v, ptr %out\n"))
                .first,
            0);
  // No fence is known for them.
  EXPECT_EQ(stream(makeFunction(store), "aarch64-linux-gnu").first, 0);
}

// Three iterations of a loop whose condition stands at its begin.
TEST(StreamingStoresTest, CountsIterations) {
  std::string text = makeFunction("  br label %head\n"
                                  "head:\n"
                                  "  %i = phi i64 [0, %entry], [%j, %body]\n"
                                  "  %c = icmp slt i64 %i, 3\n"
                                  "  br i1 %c, label %body, label %end\n"
                                  "body:\n"
                                  "  %p = getelementptr i8, ptr %out, i64 %i\n"
                                  "  store <16 x float> %v, ptr %p\n"
                                  "  %j = add i64 %i, 1\n"
                                  "  br label %head\n"
                                  "end:\n");
  EXPECT_EQ(stream(text), std::pair(int64_t(1), uint64_t(12)));
}

/// Runs a kernel that stores 1.0 to 16 floats from `offset` of each of 2 blocks
/// on, whose lines are not whole for some offsets.
static void checkStores(llvm::StringRef body, int64_t offset,
                        uint32_t bytesKept) {
  auto kernel = compile(("define ptx_kernel void @k(ptr addrspace(1) %out, "
                         "i64 %offset) #0 {\n"
                         "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                         "  %w = zext i32 %b to i64\n"
                         "  %s = mul i64 %w, 64\n"
                         "  %i = add i64 %s, %offset\n"
                         "  %p = getelementptr float, ptr addrspace(1) %out, "
                         "i64 %i\n" +
                         body +
                         "  ret void\n}\n"
                         "attributes #0 = { \"simd.tile\"=\"16\" }\n")
                            .str());
  alignas(64) float values[192] = {};
  float *data = values;
  void *arguments[] = {static_cast<void *>(&data),
                       static_cast<void *>(&offset)};
  pyk_rt_block block = {{0, 0, 0}, {16, 1, 1}, {2, 1, 1}, 0,
                        nullptr,   nullptr,    bytesKept};
  kernel->getEntry().blocks(&block, 0, 2, arguments);
  for (int64_t i = 0; i < 192; ++i) {
    int64_t place = (i - offset) % 64;
    bool isStored = i >= offset && i < offset + 128 && place < 16;
    EXPECT_EQ(values[i], isStored ? 1.0F : 0.0F) << i << " at " << offset;
  }
}

TEST(StreamingStoresTest, WriteTheSame) {
  std::string ones = "splat (float 1.0), ptr addrspace(1) ";
  std::string whole = "  store <16 x float> " + ones + "%p, align 4\n";
  std::string halves =
      "  store <8 x float> " + ones +
      "%p, align 4\n"
      "  %q = getelementptr float, ptr addrspace(1) %p, i64 8\n"
      "  store <8 x float> " +
      ones + "%q, align 4\n";
  for (const std::string &body : {whole, halves})
    for (int64_t offset : {0, 1, 8, 16, 33})
      for (uint32_t bytesKept : {0U, 3U, 4U, UINT32_MAX})
        checkStores(body, offset, bytesKept);
}
