// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores. All threads see each other's at once: what a fence would
// do is not tested.

#include "Lanes.h"

#include <array>

using namespace ptxmachine;

namespace {

/// The order, scope, cache hints and space of an access.
void takeAccess(Modifiers &modifiers, Step &step) {
  static constexpr Space spaces[] = {Space::Global, Space::Const, Space::Shared,
                                     Space::Local, Space::Param};
  modifiers.takeOneOf(
      {"weak", "relaxed", "acquire", "release", "volatile", "mmio"});
  modifiers.takeOneOf({"cta", "cluster", "gpu", "sys"});
  int space =
      modifiers.takeOneOf({"global", "const", "shared", "local", "param"});
  step.space = space < 0 ? Space::Generic : spaces[space];
  modifiers.takeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  modifiers.take("nc");
  modifiers.takeOneOf({"L1::evict_normal", "L1::evict_unchanged",
                       "L1::evict_first", "L1::evict_last", "L1::no_allocate"});
  modifiers.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
}

/// `Count` values of `Bytes` bytes each; signed ones fill their registers.
template <typename T>
void load(Warp &warp, const Step &step) {
  unsigned count = step.extra;
  const uint64_t *address = warp.read(step, count);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t from = address[lane] + step.offset;
    // All of a vector is aligned as a whole.
    warp.checkAlignment(from, lane, count * sizeof(T));
    for (unsigned i = 0; i < count; ++i) {
      T value;
      std::memcpy(
          &value,
          warp.access(step, from + i * sizeof(T), lane, sizeof(T), false),
          sizeof(T));
      warp.write(step, i)[lane] = put<T>(value);
    }
  });
}

template <typename T>
void store(Warp &warp, const Step &step) {
  unsigned count = step.extra;
  const uint64_t *address = warp.read(step, 0);
  std::array<const uint64_t *, 8> values;
  for (unsigned i = 0; i < count; ++i)
    values[i] = warp.read(step, i + 1);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t to = address[lane] + step.offset;
    warp.checkAlignment(to, lane, count * sizeof(T));
    for (unsigned i = 0; i < count; ++i) {
      T value = get<T>(values[i][lane]);
      std::memcpy(warp.access(step, to + i * sizeof(T), lane, sizeof(T), true),
                  &value, sizeof(T));
    }
  });
}

template <bool IsLoad>
void build(Modifiers &modifiers, Step &step) {
  takeAccess(modifiers, step);
  int vector = modifiers.takeOneOf({"v2", "v4", "v8"});
  step.extra = vector < 0 ? 1 : 2U << vector;
  if (step.operands.size() != step.extra + 1)
    modifiers.fail();
  auto make = [](auto of) -> Handler {
    using T = decltype(of);
    return IsLoad ? load<T> : store<T>;
  };
  switch (modifiers.takeType()) {
  case Type::B8:
  case Type::U8:
    step.run = make(uint8_t());
    return;
  case Type::S8:
    step.run = make(int8_t());
    return;
  case Type::B16:
  case Type::U16:
  case Type::F16:
  case Type::BF16:
    step.run = make(uint16_t());
    return;
  case Type::S16:
    step.run = make(int16_t());
    return;
  case Type::B32:
  case Type::U32:
  case Type::F32:
  case Type::F16x2:
    step.run = make(uint32_t());
    return;
  case Type::S32:
    step.run = make(int32_t());
    return;
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F64:
    step.run = make(uint64_t());
    return;
  default:
    modifiers.fail();
  }
}

/// What changes nothing here.
void doNothing(Warp &, const Step &) {}

void buildFence(Modifiers &modifiers, Step &step) {
  modifiers.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  // Between addresses that name the same memory: they do here.
  bool isOfAliases = modifiers.take("proxy") && modifiers.take("alias");
  if (!isOfAliases &&
      modifiers.takeOneOf({"cta", "cluster", "gpu", "gl", "sys"}) < 0)
    modifiers.fail();
  step.run = doNothing;
}

/// prefetch and prefetchu; the address may be anything.
void buildPrefetch(Modifiers &modifiers, Step &step) {
  modifiers.takeOneOf({"global", "local"});
  if (modifiers.takeOneOf({"L1", "L2"}) < 0)
    modifiers.fail();
  step.run = doNothing;
}

} // namespace

void ptxmachine::addMemory(Table &table) {
  table["ld"] = build<true>;
  table["ldu"] = build<true>;
  table["st"] = build<false>;
  table["fence"] = buildFence;
  table["membar"] = buildFence;
  table["prefetch"] = buildPrefetch;
  table["prefetchu"] = buildPrefetch;
}
