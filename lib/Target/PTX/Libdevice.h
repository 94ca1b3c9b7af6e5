// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdevice, NVIDIA's library of math functions for LLVM. PyK does not contain
// it: it is taken from an installed CUDA toolkit.

#ifndef PYK_LIB_TARGET_PTX_LIBDEVICE_H
#define PYK_LIB_TARGET_PTX_LIBDEVICE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace pyk {

/// The library, whose functions are read when they are needed. Fails if it is
/// not found; the message speaks of `needed`, a function.
llvm::Expected<std::unique_ptr<llvm::Module>>
openLibdevice(llvm::StringRef needed, llvm::LLVMContext &context);

/// Links the functions of libdevice that `module` calls, and makes them
/// internal to it. Does nothing, and needs no libdevice, if it calls none.
llvm::Error linkLibdevice(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_LIBDEVICE_H
