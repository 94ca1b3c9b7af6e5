// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of values of PTX, and what is to be known of them.

#ifndef PYK_TEST_LIB_PTXMACHINE_TYPES_H
#define PYK_TEST_LIB_PTXMACHINE_TYPES_H

#include <cstdint>
#include <string_view>

namespace ptxmachine {

enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  U16x2,
  S16x2,
  F16,
  F16x2,
  BF16,
  BF16x2,
  F32,
  F64,
  TF32,
  E4M3x2,
  E5M2x2,
};

/// The type of that name, such as "f32"; None if there is none.
Type parseType(std::string_view name);

/// Bytes of a value in memory; 0 of None and of Pred.
unsigned bytesOf(Type type);

inline bool isSigned(Type type) {
  return type >= Type::S8 && type <= Type::S64;
}
inline bool isInteger(Type type) {
  return type >= Type::U8 && type <= Type::S64;
}
/// Bits of no further meaning.
inline bool isBits(Type type) { return type >= Type::B8 && type <= Type::B128; }
inline bool isFloat(Type type) {
  return type >= Type::F16 && type <= Type::F64;
}

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_TYPES_H
