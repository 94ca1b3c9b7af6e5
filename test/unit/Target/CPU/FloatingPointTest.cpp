// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That floating point is the GPU's: nothing fused that the IR has apart,
// denormals, NaNs, half precision.

#include "Support.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <limits>

using namespace pyk;
using namespace pyk::test;

/// Runs `body`, which makes %r of %x, %y and %z, for each triple of operands.
template <typename T>
static std::vector<T> apply(const std::string &type, const std::string &body,
                            llvm::ArrayRef<T> operands,
                            const std::string &declarations = "",
                            const CpuOptions &options = {}) {
  auto kernel =
      compile(declarations +
                  "define ptx_kernel void @k(ptr addrspace(1) %in, ptr "
                  "addrspace(1) %out) {\n"
                  "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                  "%i = mul i32 %t, 3\n"
                  "%px = getelementptr " +
                  type + ", ptr addrspace(1) %in, i32 %i\n%x = load " + type +
                  ", ptr addrspace(1) %px\n%py = getelementptr " + type +
                  ", ptr addrspace(1) %px, i32 1\n%y = load " + type +
                  ", ptr addrspace(1) %py\n%pz = getelementptr " + type +
                  ", ptr addrspace(1) %px, i32 2\n%z = load " + type +
                  ", ptr addrspace(1) %pz\n" + body + "\n%po = getelementptr " +
                  type + ", ptr addrspace(1) %out, i32 %t\nstore " + type +
                  " %r, ptr addrspace(1) %po\nret void\n}\n",
              options);
  std::vector<T> out(operands.size() / 3);
  const T *pi = operands.data();
  T *po = out.data();
  if (kernel)
    launch(*kernel, shapeOf(1, out.size()), pi, po);
  return out;
}

// x * y has bits below those of the type, which the sum brings forward.
static constexpr float inexact[] = {1 + 0x1p-12f, 1 + 0x1p-12f, -1,
                                    3 + 0x1p-20f, 1 + 0x1p-15f, -3};

static float fused(int i) {
  return std::fma(inexact[3 * i], inexact[3 * i + 1], inexact[3 * i + 2]);
}

static float rounded(int i) {
  volatile float product = inexact[3 * i] * inexact[3 * i + 1];
  return product + inexact[3 * i + 2];
}

TEST(FloatingPointTest, ProductsAndSumsStayApart) {
  auto out = apply<float>("float",
                          "%p = fmul float %x, %y\n"
                          "%r = fadd float %p, %z",
                          inexact);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(out[i], rounded(i));
}

TEST(FloatingPointTest, FmaIsFusedEverywhere) {
  auto out = apply<float>(
      "float", "%r = call float @__nv_fmaf(float %x, float %y, float %z)",
      inexact, "declare float @__nv_fmaf(float, float, float)\n");
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(out[i], fused(i));
}

// Where the processor has no instruction for it, the C library does it.
TEST(FloatingPointTest, FmaIsFusedOnProcessorsWithoutIt) {
  CpuOptions old;
#if defined(__x86_64__)
  old.level = "x86-64-v2";
#endif
  for (const std::string &function :
       {std::string("@__nv_fmaf"), std::string("@__nv_fmaf_rn")}) {
    SCOPED_TRACE(function);
    auto out = apply<float>(
        "float",
        "%r = call float " + function + "(float %x, float %y, float %z)",
        inexact, "declare float " + function + "(float, float, float)\n", old);
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(out[i], fused(i));
  }
  double x = 1 + 0x1p-30, y = 1 + 0x1p-29;
  auto out = apply<double>(
      "double", "%r = call double @__nv_fma(double %x, double %y, double %z)",
      {x, y, -1}, "declare double @__nv_fma(double, double, double)\n", old);
  EXPECT_EQ(out[0], std::fma(x, y, -1.0));
}

TEST(FloatingPointTest, DenormalsAreKept) {
  float least = std::numeric_limits<float>::denorm_min();
  auto out =
      apply<float>("float", "%p = fmul float %x, %y\n%r = fadd float %p, %z",
                   {least, 3, least, 0x1p-126f, 0.5f, least});
  EXPECT_EQ(out[0], 4 * least);
  EXPECT_EQ(out[1], 0x1p-127f + least);
}

TEST(FloatingPointTest, MinimumPrefersNumbersAndOrdersZeros) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  auto out = apply<float>(
      "float", "%r = call float @__nv_fminf(float %x, float %y)",
      {nan, 1, 0, 1, nan, 0, 0.0f, -0.0f, 0, -0.0f, 0.0f, 0, nan, nan, 0},
      "declare float @__nv_fminf(float, float)\n");
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[1], 1);
  EXPECT_TRUE(out[2] == 0 && std::signbit(out[2]));
  EXPECT_TRUE(out[3] == 0 && std::signbit(out[3]));
  EXPECT_TRUE(std::isnan(out[4]));
}

/// The bits of `x` as half precision, and back, by LLVM's software.
static uint16_t toHalf(double x) {
  llvm::APFloat value(x);
  bool lossy;
  value.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
                &lossy);
  return uint16_t(value.bitcastToAPInt().getZExtValue());
}

static double fromHalf(uint16_t bits) {
  llvm::APFloat value(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits));
  bool lossy;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lossy);
  return value.convertToDouble();
}

// 1 + 2^-11 + 2^-40 rounds up from double, but to even if it passes float.
TEST(FloatingPointTest, HalfConversionsRoundOnce) {
  auto kernel = compile(R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pi = getelementptr double, ptr addrspace(1) %in, i32 %t
  %d = load double, ptr addrspace(1) %pi
  %h = fptrunc double %d to half
  %f = fptrunc double %d to float
  %g = fptrunc float %f to half
  %o = mul i32 %t, 2
  %po = getelementptr half, ptr addrspace(1) %out, i32 %o
  store half %h, ptr addrspace(1) %po
  %po1 = getelementptr half, ptr addrspace(1) %po, i32 1
  store half %g, ptr addrspace(1) %po1
  %back = fpext half %h to double
  store double %back, ptr addrspace(1) %pi
  ret void
}
)");
  ASSERT_TRUE(kernel);
  std::vector<double> in = {1 + 0x1p-11 + 0x1p-40,
                            -0.0,
                            65504,
                            65520,
                            0x1p-24,
                            0x1.8p-25,
                            1.0 / 3,
                            -1e9,
                            0x1.ffep-15};
  std::vector<double> values = in;
  std::vector<uint16_t> out(2 * in.size());
  double *pi = values.data();
  uint16_t *po = out.data();
  launch(*kernel, shapeOf(1, in.size()), pi, po);
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(out[2 * i], toHalf(in[i])) << in[i];
    EXPECT_EQ(out[2 * i + 1], toHalf(float(in[i]))) << in[i];
    EXPECT_EQ(values[i], fromHalf(toHalf(in[i]))) << in[i];
  }
  EXPECT_NE(out[0], out[1]);
}

TEST(FloatingPointTest, HalfArithmetic) {
  std::vector<uint16_t> in;
  std::vector<uint16_t> expected;
  for (int i = 0; i < 300; ++i) {
    double x = fromHalf(toHalf(std::sin(i) * 100));
    double y = fromHalf(toHalf(std::cos(3 * i)));
    double z = fromHalf(toHalf(i * 0.37));
    in.insert(in.end(), {toHalf(x), toHalf(y), toHalf(z)});
    expected.push_back(toHalf(fromHalf(toHalf(x * y)) + z));
  }
  EXPECT_EQ(apply<uint16_t>("half",
                            "%p = fmul half %x, %y\n%r = fadd half %p, %z", in),
            expected);
}

// The sum is exact in double; float would round it twice.
TEST(FloatingPointTest, HalfFmaRoundsOnce) {
  std::vector<uint16_t> in, expected;
  for (double x : {1 + 0x1p-10, 1 + 0x1p-6, 1.5, 0x1.8p-12})
    for (double y : {1 + 0x1p-1, 1 + 0x1p-5, 1 - 0x1p-11, 0x1.4p-10})
      for (double z : {0x1p-24, -0x1p-24, 0x1p-13, 2048.0, -1.0}) {
        in.insert(in.end(), {toHalf(x), toHalf(y), toHalf(z)});
        expected.push_back(toHalf(fromHalf(toHalf(x)) * fromHalf(toHalf(y)) +
                                  fromHalf(toHalf(z))));
      }
  EXPECT_EQ(
      apply<uint16_t>("half",
                      "%r = call half @llvm.fma.f16(half %x, half %y, half %z)",
                      in, "declare half @llvm.fma.f16(half, half, half)\n"),
      expected);
}
