// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of libdevice, NVIDIA's library of math functions: what
// Libdevice.td says of each, for the verifier, the lowerings and the binding to
// the host.

#ifndef PYK_LIBDEVICE_LIBDEVICE_H
#define PYK_LIBDEVICE_LIBDEVICE_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace pyk {

/// What NVIDIA's names begin with.
inline constexpr llvm::StringLiteral kLibdevicePrefix = "__nv_";

/// What stands between the name of a function and how many lanes vectors have
/// of which it computes each element; on the CPU alone.
inline constexpr llvm::StringLiteral kLibdeviceLanes = ".x";

/// What the host has in place of a function: one of C, a formula, or what LLVM
/// has.
struct LibdeviceHost {
  /// One that the runtime finds (HostSymbols.h), of the same type; empty where
  /// LLVM has something.
  llvm::StringLiteral function;
  /// Overloaded on the type of the result.
  llvm::Intrinsic::ID intrinsic = llvm::Intrinsic::not_intrinsic;
  /// For is_fpclass, whose result becomes an i32.
  unsigned classMask = 0;
  /// There is a formula, too, which is better where the processor has what it
  /// needs, and takes vectors.
  bool hasFormula = false;
  /// The formula holds of 0 but not of all arguments, for which another one
  /// takes longer.
  bool isPartial = false;
  /// The formula takes more than a hundred instructions, so that kernels call
  /// it as a function.
  bool isLong = false;
  /// It is the bits of the argument.
  bool isBitcast = false;
  /// It returns values through pointers; functions that return one value each
  /// are called in its place.
  bool isSplit = false;

  /// Whether it computes each element of vectors.
  bool takesVectors() const {
    return hasFormula || (function.empty() && !isSplit);
  }
};

/// One function of libdevice. Types are letters: `h` i16, `i` i32, `l` i64, `f`
/// float, `d` double.
struct LibdeviceOverload {
  /// NVIDIA's name, without the prefix.
  llvm::StringLiteral symbol;
  /// What it takes by value.
  llvm::StringLiteral parameters;
  /// What it yields: by value if it yields anything so, then by pointers.
  llvm::StringLiteral results;
  /// All of its C type: the result, `v` for none, then each parameter; a
  /// pointer is the letter of what it points to as a capital.
  llvm::StringLiteral type;
  /// The largest difference from the correctly rounded result that NVIDIA
  /// states, in units in its last place; below 0 if there is no such number.
  int maxUlp;
  /// All targets compute the same bits, on PTX without libdevice.
  bool isReproducible;
  LibdeviceHost host;
  /// An intrinsic of NVVM, which takes the same, for the instruction of a GPU
  /// that is the function; none if it is no single one.
  llvm::Intrinsic::ID nvvm = llvm::Intrinsic::not_intrinsic;

  /// What operands and results of `pyk.libdevice` have for it.
  mlir::FunctionType getOpType(mlir::MLIRContext *context) const;
};

/// What `pyk.libdevice` names: functions that compute the same of other types.
struct LibdeviceFunction {
  llvm::StringLiteral name;
  llvm::ArrayRef<LibdeviceOverload> overloads;

  /// The overload of that type, or null.
  const LibdeviceOverload *findOverload(mlir::FunctionType opType) const;
};

/// The function that `pyk.libdevice` calls `name`, or null. The table lives as
/// long as the program.
const LibdeviceFunction *lookupLibdevice(llvm::StringRef name);

/// The function that NVIDIA calls `symbol`, without the prefix, or null.
const LibdeviceOverload *lookupLibdeviceSymbol(llvm::StringRef symbol);

/// All functions, sorted by name.
llvm::ArrayRef<LibdeviceFunction> getLibdevice();

/// All overloads, sorted by symbol.
llvm::ArrayRef<const LibdeviceOverload *> getLibdeviceOverloads();

} // namespace pyk

#endif // PYK_LIBDEVICE_LIBDEVICE_H
