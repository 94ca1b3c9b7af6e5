// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the functions that code compiled for the CPU may call, for whoever puts
// such code into the process; HostSymbols.def lists them.

#ifndef PYK_RUNTIME_HOSTSYMBOLS_H
#define PYK_RUNTIME_HOSTSYMBOLS_H

#include "pyk/runtime/Export.h"

#include <string_view>

namespace pyk::runtime {

/// The address of the function that compiled code calls `name`, or null if
/// there is none. May be called from any thread.
PYK_RUNTIME_EXPORT const void *findHostSymbol(std::string_view name);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_HOSTSYMBOLS_H
