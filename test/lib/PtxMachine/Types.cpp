// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of the types' names and sizes.

#include "Types.h"

#include <iterator>

using namespace ptxmachine;

namespace {

struct Description {
  std::string_view name;
  Type type;
  unsigned bytes;
};

constexpr Description descriptions[] = {
    {"pred", Type::Pred, 0},     {"b8", Type::B8, 1},
    {"b16", Type::B16, 2},       {"b32", Type::B32, 4},
    {"b64", Type::B64, 8},       {"b128", Type::B128, 16},
    {"u8", Type::U8, 1},         {"u16", Type::U16, 2},
    {"u32", Type::U32, 4},       {"u64", Type::U64, 8},
    {"s8", Type::S8, 1},         {"s16", Type::S16, 2},
    {"s32", Type::S32, 4},       {"s64", Type::S64, 8},
    {"u16x2", Type::U16x2, 4},   {"s16x2", Type::S16x2, 4},
    {"f16", Type::F16, 2},       {"f16x2", Type::F16x2, 4},
    {"bf16", Type::BF16, 2},     {"bf16x2", Type::BF16x2, 4},
    {"f32", Type::F32, 4},       {"f64", Type::F64, 8},
    {"tf32", Type::TF32, 4},     {"e4m3x2", Type::E4M3x2, 2},
    {"e5m2x2", Type::E5M2x2, 2},
};

} // namespace

Type ptxmachine::parseType(std::string_view name) {
  for (const Description &description : descriptions)
    if (description.name == name)
      return description.type;
  return Type::None;
}

unsigned ptxmachine::bytesOf(Type type) {
  for (const Description &description : descriptions)
    if (description.type == type)
      return description.bytes;
  return 0;
}
