// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the table from Libdevice.def. That the runtime has each function with
// the type that the table states is a matter of the unit tests.

#include "HostMath.h"
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/StringMap.h"

using namespace pyk;

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

#define LIBDEVICE_CALL(NAME, HOST, ...)                                        \
  {"__nv_" #NAME, #HOST, llvm::Intrinsic::not_intrinsic, 0,                    \
   Signature<__VA_ARGS__>::text},
#define LIBDEVICE_INTRINSIC(NAME, INTRINSIC, ...)                              \
  {"__nv_" #NAME, "", llvm::Intrinsic::INTRINSIC, 0,                           \
   Signature<__VA_ARGS__>::text},
#define LIBDEVICE_CLASS(NAME, MASK, ...)                                       \
  {"__nv_" #NAME, "", llvm::Intrinsic::is_fpclass, llvm::MASK,                 \
   Signature<__VA_ARGS__>::text},

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
