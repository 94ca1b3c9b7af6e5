// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes an image, which the runtime loads, of a relocatable object. Private to
// lib/Target/CPU.

#ifndef PYK_LIB_TARGET_CPU_LINKIMAGE_H
#define PYK_LIB_TARGET_CPU_LINKIMAGE_H

#include "pyk/runtime/CpuFeatures.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>

namespace pyk {

/// Links `object`, which is for `target` and whose symbol `module` is a
/// pyk_rt_kernel_table, and returns the bytes of the image
/// (pyk/runtime/CpuImage.h). Fails if it calls a function that the runtime
/// lacks, which the message names. May be called from any thread.
llvm::Expected<std::string> linkImage(const llvm::MemoryBuffer &object,
                                      llvm::StringRef module,
                                      const runtime::CpuTarget &target);

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_LINKIMAGE_H
