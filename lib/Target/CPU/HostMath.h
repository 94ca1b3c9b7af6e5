// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host has for each function of libdevice. Private to lib/Target/CPU
// and its tests.

#ifndef PYK_LIB_TARGET_CPU_HOSTMATH_H
#define PYK_LIB_TARGET_CPU_HOSTMATH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace pyk {

/// A function of libdevice and what stands for it on the host: an intrinsic of
/// LLVM, a test of the class of a number, or a function of HostSymbols.def.
struct HostMath {
  /// The name in libdevice, `__nv_` included.
  llvm::StringRef device;
  /// The function called on the host; empty where there is an intrinsic.
  llvm::StringRef host;
  /// Overloaded on the type of the result.
  llvm::Intrinsic::ID intrinsic;
  /// Mask of `llvm.is.fpclass`, or 0.
  unsigned classMask;
  /// Type of the result, then of each parameter: `h` i16, `i` i32, `l` i64, `f`
  /// float, `d` double, `p` pointer, `v` void.
  llvm::StringRef signature;
};

/// All of Libdevice.def, in its order.
llvm::ArrayRef<HostMath> getHostMath();

/// The row of `device`, or null if libdevice's function has no counterpart.
const HostMath *findHostMath(llvm::StringRef device);

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_HOSTMATH_H
