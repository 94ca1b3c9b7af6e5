// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of compiled code that speak of values, which only a thread knows.

#ifndef PYK_RUNTIME_LIB_MESSAGEVALUES_H
#define PYK_RUNTIME_LIB_MESSAGEVALUES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pyk::runtime {

/// `message` with `values`, of which there are `count`, up to ten, in place of
/// {0}, {1} and so on.
std::string insertValues(std::string_view message, const int64_t *values,
                         size_t count);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_MESSAGEVALUES_H
