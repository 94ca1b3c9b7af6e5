// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled code may call is found by its name, and nothing else is. What
// the functions compute is tested with the CPU target, against LLVM's
// arithmetic.

#include "pyk/runtime/HostSymbols.h"
#include "pyk/runtime/ABI.h"
#include "pyk/runtime/HostMath.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

using pyk::runtime::findHostSymbol;

template <typename F>
static F *find(const char *name, F *) {
  return reinterpret_cast<F *>(const_cast<void *>(findHostSymbol(name)));
}

TEST(HostSymbolsTest, FindsFunctionsOfEachKind) {
  EXPECT_EQ(find("pyk_rt_barrier", pyk_rt_barrier), &pyk_rt_barrier);
  EXPECT_EQ(find("pyk_rt_barrier_count", pyk_rt_barrier_count),
            &pyk_rt_barrier_count);
  EXPECT_EQ(find("pyk_rt_grid_barrier", pyk_rt_grid_barrier),
            &pyk_rt_grid_barrier);
  EXPECT_EQ(find("pyk_rt_print", pyk_rt_print), &pyk_rt_print);
  EXPECT_EQ(find("pyk_rt_yield", pyk_rt_yield), &pyk_rt_yield);
  EXPECT_EQ(find("pyk_rt_math_rsqrt", pyk_rt_math_rsqrt)(4.0), 0.5);
  EXPECT_EQ(find("pyk_rt_math_fadd_ru", pyk_rt_math_fadd_ru)(1.0f, 1e-9f),
            std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(
      find("hypot", static_cast<double (*)(double, double)>(nullptr))(3, 4),
      5.0);
  EXPECT_EQ(find("sinf", static_cast<float (*)(float)>(nullptr))(0.0f), 0.0f);
  char text[] = "abc";
  find("memset", &std::memset)(text, 'x', 2);
  EXPECT_STREQ(text, "xxc");
  __int128 seven =
      find("__divti3",
           static_cast<__int128 (*)(__int128, __int128)>(nullptr))(-49, -7);
  EXPECT_EQ(static_cast<int>(seven), 7);
}

TEST(HostSymbolsTest, FindsEveryRow) {
#define HOST_SYMBOL(RESULT, NAME, PARAMETERS)                                  \
  EXPECT_TRUE(findHostSymbol(#NAME)) << #NAME;
#define HOST_MATH(RESULT, NAME, PARAMETERS)                                    \
  EXPECT_EQ(find("pyk_rt_math_" #NAME, pyk_rt_math_##NAME),                    \
            &pyk_rt_math_##NAME);
#define HOST_COMPILER_SYMBOL(NAME) EXPECT_TRUE(findHostSymbol(#NAME)) << #NAME;
#include "pyk/runtime/HostSymbols.def"
}

// The process has them, but compiled code may not call them; a name is looked
// for as a whole.
TEST(HostSymbolsTest, FindsNothingElse) {
  for (const char *name : {"", "system", "malloc", "sin ", "si", "sinff",
                           "pyk_rt_math_", "pyk_rt_device_get", "~"})
    EXPECT_EQ(findHostSymbol(name), nullptr) << name;
  EXPECT_EQ(findHostSymbol(std::string_view("sinf", 3)), findHostSymbol("sin"));
}
