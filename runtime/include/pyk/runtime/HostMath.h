/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions of libdevice that libm lacks, and those that libm computes less
 * exactly or whose corner cases differ from libm's: pyk_rt_math_<name>, after
 * libdevice's __nv_<name>, with its type. Compiled code calls them, and libm's,
 * without a table between; a program that links such code with this library
 * gets both.
 */
#ifndef PYK_RUNTIME_HOSTMATH_H
#define PYK_RUNTIME_HOSTMATH_H

#include "pyk/runtime/Export.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HOST_MATH(RESULT, NAME, PARAMETERS)                                    \
  PYK_RUNTIME_EXPORT RESULT pyk_rt_math_##NAME PARAMETERS;
#include "pyk/runtime/HostSymbols.def"

#ifdef __cplusplus
}
#endif

#endif /* PYK_RUNTIME_HOSTMATH_H */
