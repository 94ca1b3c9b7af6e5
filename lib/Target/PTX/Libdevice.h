// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdevice, NVIDIA's library of math functions for LLVM. PyK does not contain
// it: it is taken from an installed CUDA toolkit. Without one, PyK's own
// formulas are in its place.

#ifndef PYK_LIB_TARGET_PTX_LIBDEVICE_H
#define PYK_LIB_TARGET_PTX_LIBDEVICE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class CallInst;
class LLVMContext;
class Module;
class Value;
} // namespace llvm

namespace pyk {

struct LibdeviceOverload;

/// The flag of modules in which libdevice flushes denormals, as LLVM calls it.
inline constexpr llvm::StringLiteral kFlushFlag = "nvvm-reflect-ftz";

/// The library, whose functions are read when they are needed; null if there is
/// none. Fails if it is named and cannot be read.
llvm::Expected<std::unique_ptr<llvm::Module>>
openLibdevice(llvm::LLVMContext &context);

/// Defines the functions of libdevice that `module` calls: links them, and
/// makes them internal to it; or, without libdevice and in reproducible
/// kernels, computes them by formulas (lib/Target/Math) and instructions. Fails
/// on those that have neither then.
llvm::Error bindLibdevice(llvm::Module &module);

/// What `call`, of a function that has that row, computes, by instructions of
/// the GPU at its place; null if there are no such. The call stays.
llvm::Value *computeLibdeviceInstruction(llvm::CallInst &call,
                                         const LibdeviceOverload &row);

/// Emits what libdevice's function of that row, one that approximates,
/// computes, before `call`; null if it is none of these. The call stays.
llvm::Value *approximateLibdevice(llvm::CallInst &call,
                                  const LibdeviceOverload &row);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_LIBDEVICE_H
