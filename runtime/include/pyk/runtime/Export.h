// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyKRuntime is built with hidden visibility; what a program may call is marked
// here. The functions of ABI.h are visible too, but are marked where they are
// defined, because that header is all that compiled code knows.

#ifndef PYK_RUNTIME_EXPORT_H
#define PYK_RUNTIME_EXPORT_H

/// Marks a declaration as part of the public interface of PyKRuntime.
#define PYK_RUNTIME_EXPORT __attribute__((visibility("default")))

#endif // PYK_RUNTIME_EXPORT_H
