// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the table from Libdevice.def: the address of each function is taken
// here, with the type that the table states, so the linker and the compiler
// check it.

#include "HostMath.h"
#include "HostMathFunctions.h"
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace pyk;

// glibc 2.35 has a second hypot, which leaves errno alone. With the first one
// wheels run on older systems, too.
#if defined(__x86_64__) && defined(__GLIBC__)
__asm__(".symver hypot,hypot@GLIBC_2.2.5");
__asm__(".symver hypotf,hypotf@GLIBC_2.2.5");
#endif

namespace {

template <typename T>
constexpr char letter = 'p';
template <>
constexpr char letter<short> = 'h';
template <>
constexpr char letter<int> = 'i';
template <>
constexpr char letter<long long> = 'l';
template <>
constexpr char letter<float> = 'f';
template <>
constexpr char letter<double> = 'd';
template <>
constexpr char letter<void> = 'v';

template <typename F>
struct Signature;
template <typename R, typename... Args>
struct Signature<R(Args...)> {
  static constexpr char text[] = {letter<R>, letter<Args>..., '\0'};
};

template <typename F>
void *addressOf(F *function) {
  return reinterpret_cast<void *>(function);
}

#define LIBDEVICE_CALL(NAME, HOST, ...)                                        \
  {"__nv_" #NAME,                                                              \
   #HOST,                                                                      \
   addressOf<__VA_ARGS__>(&HOST),                                              \
   llvm::Intrinsic::not_intrinsic,                                             \
   0,                                                                          \
   Signature<__VA_ARGS__>::text},
#define LIBDEVICE_INTRINSIC(NAME, INTRINSIC, ...)                              \
  {"__nv_" #NAME,                                                              \
   "",                                                                         \
   nullptr,                                                                    \
   llvm::Intrinsic::INTRINSIC,                                                 \
   0,                                                                          \
   Signature<__VA_ARGS__>::text},
#define LIBDEVICE_CLASS(NAME, MASK, ...)                                       \
  {"__nv_" #NAME, "",                                                          \
   nullptr,       llvm::Intrinsic::is_fpclass,                                 \
   llvm::MASK,    Signature<__VA_ARGS__>::text},

} // namespace

llvm::ArrayRef<HostMath> pyk::getHostMath() {
  static const HostMath table[] = {
#include "pyk/Libdevice/Libdevice.def"
  };
  return table;
}

const HostMath *pyk::findHostMath(llvm::StringRef device) {
  static const llvm::StringMap<const HostMath *> index = [] {
    llvm::StringMap<const HostMath *> rows;
    for (const HostMath &row : getHostMath())
      rows[row.device] = &row;
    return rows;
  }();
  return index.lookup(device);
}
