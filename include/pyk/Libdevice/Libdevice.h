// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of libdevice, NVIDIA's library of math functions, and their
// types; Libdevice.def is the source. What the host has for each is
// lib/Target/CPU/HostMath.h, made from the same source.

#ifndef PYK_LIBDEVICE_LIBDEVICE_H
#define PYK_LIBDEVICE_LIBDEVICE_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace pyk {

/// Where kernels have them.
inline constexpr llvm::StringLiteral kLibdevicePrefix = "cuda.libdevice.";

/// One function. Types are letters: `h` i16, `i` i32, `l` i64, `f` float, `d`
/// double.
struct LibdeviceFunction {
  /// Without `__nv_`.
  llvm::StringRef name;
  /// What it takes by value.
  std::string parameters;
  /// What it yields: by value if it yields anything so, then by pointers.
  std::string results;
  /// All of its C type: the result, `v` for none, then each parameter; a
  /// pointer is the letter of what it points to as a capital.
  std::string type;
};

/// The function of that name without `__nv_`, or null. The table lives as long
/// as the program.
const LibdeviceFunction *lookupLibdevice(llvm::StringRef name);

/// The type of a letter; integers as kernels see them, signed, or as ops do.
mlir::Type getLibdeviceType(char letter, mlir::MLIRContext *context,
                            mlir::IntegerType::SignednessSemantics signedness);

/// All functions, sorted by name.
llvm::ArrayRef<LibdeviceFunction> getLibdevice();

} // namespace pyk

#endif // PYK_LIBDEVICE_LIBDEVICE_H
