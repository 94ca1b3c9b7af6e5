// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the tests are built with a sanitizer that replaces functions of the
// system; GCC and Clang say so in two ways.

#ifndef PYK_TEST_UNIT_RUNTIME_SANITIZERS_H
#define PYK_TEST_UNIT_RUNTIME_SANITIZERS_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PYK_HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PYK_HAS_SANITIZER 1
#endif
#endif

#ifndef PYK_HAS_SANITIZER
#define PYK_HAS_SANITIZER 0
#endif

#endif // PYK_TEST_UNIT_RUNTIME_SANITIZERS_H
