// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masked stores of truncated vectors, under constant masks and masks that are
// data, write the lanes of the mask and no byte beside them.

#include "MaskedStores.h"
#include "Support.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

using namespace pyk;
using namespace pyk::test;

namespace {

/// A vector of `lanes` integers of `from` bits, of which `to` bits are stored.
struct Truncation {
  unsigned lanes, from, to;
};

constexpr Truncation kTruncations[] = {
    {2, 16, 8},   {2, 64, 32},  {4, 16, 8},   {4, 32, 8},   {4, 32, 16},
    {4, 64, 8},   {4, 64, 16},  {4, 64, 32},  {8, 16, 8},   {8, 32, 8},
    {8, 32, 16},  {8, 64, 8},   {8, 64, 16},  {8, 64, 32},  {16, 16, 8},
    {16, 32, 8},  {16, 32, 16}, {16, 64, 8},  {16, 64, 16}, {16, 64, 32},
    {32, 16, 8},  {32, 32, 8},  {32, 32, 16}, {32, 64, 32}, {16, 32, 32},
    {8, 128, 64},
};

constexpr unsigned kBytes = 512, kCanary = 0xa5;

using Mask = std::vector<bool>;

/// Each single lane, all prefixes, and some others.
std::vector<Mask> makeMasks(unsigned lanes) {
  std::vector<Mask> masks;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Mask one(lanes), prefix(lanes);
    one[lane] = true;
    std::fill_n(prefix.begin(), lane, true);
    masks.push_back(one);
    masks.push_back(prefix);
  }
  std::mt19937 random(lanes);
  for (int i = 0; i < 4; ++i) {
    Mask mask(lanes);
    for (unsigned lane = 0; lane < lanes; ++lane)
      mask[lane] = random() % 2;
    masks.push_back(mask);
  }
  return masks;
}

std::string print(const Mask &mask) {
  std::vector<std::string> lanes;
  for (bool isOn : mask)
    lanes.push_back(isOn ? "i1 true" : "i1 false");
  return "<" + llvm::join(lanes, ", ") + ">";
}

/// How a kernel is given the mask.
enum class MaskForm {
  /// As a constant.
  Constant,
  /// As an expression of constants.
  Folded,
  /// By memory.
  Data,
};

std::string makeKernel(const Truncation &type, MaskForm form,
                       const std::vector<Mask> &masks) {
  auto vector = [&](unsigned bits) {
    return llvm::formatv("<{0} x i{1}>", type.lanes, bits).str();
  };
  std::string wide = vector(type.from), narrow = vector(type.to),
              bools = vector(1),
              intrinsic = llvm::formatv("@llvm.masked.store.v{0}i{1}.p1",
                                        type.lanes, type.to);
  std::string text = llvm::formatv(
      "declare void {0}({1}, ptr addrspace(1), {2})\n"
      "define ptx_kernel void @k(ptr addrspace(1) %in, "
      "ptr addrspace(1) %out, ptr addrspace(1) %masks) {{\n"
      "  %value = load {3}, ptr addrspace(1) %in, align 1\n"
      "  %narrow = {4}\n",
      intrinsic, narrow, bools, wide,
      type.from == type.to
          ? llvm::formatv("add {0} %value, zeroinitializer", wide).str()
          : llvm::formatv("trunc {0} %value to {1}", wide, narrow).str());
  for (size_t i = 0; i < masks.size(); ++i) {
    std::string mask = print(masks[i]);
    if (form == MaskForm::Folded)
      text += llvm::formatv("  %m{0} = xor {1} {2}, zeroinitializer\n", i,
                            bools, mask);
    if (form == MaskForm::Data)
      text += llvm::formatv("  %a{0} = getelementptr i8, ptr addrspace(1) "
                            "%masks, i64 {1}\n"
                            "  %b{0} = load {2}, ptr addrspace(1) %a{0}, "
                            "align 1\n"
                            "  %m{0} = trunc {2} %b{0} to {3}\n",
                            i, i * type.lanes, vector(8), bools);
    text += llvm::formatv(
        "  %p{0} = getelementptr i8, ptr addrspace(1) %out, i64 {1}\n"
        "  call void {2}({3} %narrow, ptr addrspace(1) align 1 %p{0}, "
        "{4} {5})\n",
        i, i * kBytes + kBytes / 2, intrinsic, narrow, bools,
        form == MaskForm::Constant ? mask : llvm::formatv("%m{0}", i).str());
  }
  return text + "  ret void\n}\n";
}

void check(const Truncation &type, MaskForm form, unsigned optimization) {
  SCOPED_TRACE(llvm::formatv("{0} lanes of i{1} as i{2}, form {3}, level {4}",
                             type.lanes, type.from, type.to, unsigned(form),
                             optimization)
                   .str());
  std::vector<Mask> masks = makeMasks(type.lanes);
  CpuOptions options;
  options.optimizationLevel = optimization;
  auto kernel = compile(makeKernel(type, form, masks), options);
  ASSERT_TRUE(kernel);
  std::vector<uint8_t> in(type.lanes * type.from / 8), lanes;
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<uint8_t>(17 + 31 * i);
  for (const Mask &mask : masks)
    lanes.insert(lanes.end(), mask.begin(), mask.end());
  std::vector<uint8_t> out(masks.size() * kBytes, kCanary), expected = out;
  for (size_t i = 0; i < masks.size(); ++i)
    for (unsigned lane = 0; lane < type.lanes; ++lane)
      if (masks[i][lane])
        std::memcpy(&expected[i * kBytes + kBytes / 2 + lane * type.to / 8],
                    &in[lane * type.from / 8], type.to / 8);
  uint8_t *inData = in.data(), *outData = out.data(), *maskData = lanes.data();
  launch(*kernel, shapeOf(1, 1), inData, outData, maskData);
  for (size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], expected[i])
        << "mask " << i / kBytes << ", byte " << i % kBytes << " of " << kBytes;
}

} // namespace

TEST(MaskedStoresTest, WriteTheElementsOfTheirMaskAlone) {
  for (const Truncation &type : kTruncations)
    for (MaskForm form : {MaskForm::Constant, MaskForm::Folded, MaskForm::Data})
      for (unsigned optimization : {0, 3})
        check(type, form, optimization);
}

TEST(MaskedStoresTest, HaveAFenceIfTheyStoreIntegers) {
  auto count = [](llvm::StringRef type, llvm::StringRef name) {
    ParsedModule module = parse(
        llvm::formatv("declare void @llvm.masked.store.{1}.p0({0}, ptr, "
                      "<4 x i1>)\n"
                      "define void @k({0} %v, ptr %p, <4 x i1> %m) {{\n"
                      "  call void @llvm.masked.store.{1}.p0({0} %v, ptr %p, "
                      "<4 x i1> %m)\n"
                      "  ret void\n}\n",
                      type, name)
            .str());
    separateTruncations(*module.module);
    llvm::Function &function = *module.module->getFunction("k");
    EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
    return llvm::count_if(
        llvm::instructions(function), [](llvm::Instruction &instruction) {
          auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          return call &&
                 call->getIntrinsicID() == llvm::Intrinsic::arithmetic_fence;
        });
  };
  EXPECT_EQ(count("<4 x i8>", "v4i8"), 1);
  EXPECT_EQ(count("<4 x i16>", "v4i16"), 1);
  EXPECT_EQ(count("<4 x i32>", "v4i32"), 1);
  EXPECT_EQ(count("<4 x i64>", "v4i64"), 1);
  EXPECT_EQ(count("<4 x float>", "v4f32"), 0);
}
