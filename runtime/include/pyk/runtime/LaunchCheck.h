// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of a launch's arguments (Arguments.h) for C++.

#ifndef PYK_RUNTIME_LAUNCHCHECK_H
#define PYK_RUNTIME_LAUNCHCHECK_H

#include "pyk/runtime/Arguments.h"
#include "pyk/runtime/Export.h"
#include "pyk/runtime/Status.h"

namespace pyk::runtime {

/// Fails with InvalidArgument, naming the first argument at fault, where
/// `pyk_rt_check_launch` finds something. `doing` begins the message.
PYK_RUNTIME_EXPORT Status checkLaunch(std::string_view doing,
                                      const pyk_rt_signature &signature,
                                      const int64_t *grid, const int64_t *block,
                                      const pyk_rt_argument *arguments);

/// As `pyk_rt_add_shared_bytes`; `doing` begins the message.
PYK_RUNTIME_EXPORT Status addSharedBytes(std::string_view doing,
                                         const pyk_rt_signature &signature,
                                         const int64_t *block,
                                         const pyk_rt_argument *arguments,
                                         int64_t &sharedBytes);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LAUNCHCHECK_H
