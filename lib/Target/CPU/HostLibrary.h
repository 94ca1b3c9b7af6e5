// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols that compiled kernels may refer to. Private to lib/Target/CPU and
// its tests.

#ifndef PYK_LIB_TARGET_CPU_HOSTLIBRARY_H
#define PYK_LIB_TARGET_CPU_HOSTLIBRARY_H

#include "llvm/ADT/StringMap.h"

namespace pyk {

/// The address of each symbol; made on first use, then constant. Nothing else
/// of the process is visible to compiled kernels.
const llvm::StringMap<void *> &getHostLibrary();

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_HOSTLIBRARY_H
