// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdevice, NVIDIA's library of math functions for LLVM. PyK does not contain
// it: it is taken from an installed CUDA toolkit.

#ifndef PYK_LIB_TARGET_PTX_LIBDEVICE_H
#define PYK_LIB_TARGET_PTX_LIBDEVICE_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Links the functions of libdevice that `module` calls, and makes them
/// internal to it. Does nothing, and needs no libdevice, if it calls none.
llvm::Error linkLibdevice(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_LIBDEVICE_H
