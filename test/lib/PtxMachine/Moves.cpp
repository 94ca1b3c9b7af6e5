// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves between registers, and addresses of spaces.

#include "Lanes.h"
#include "Memory.h"

using namespace ptxmachine;

namespace {

void move(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) { d[lane] = a[lane]; });
}

/// Several registers into one; `extra` is the bits of each.
void packParts(Warp &warp, const Step &step) {
  unsigned bits = step.extra;
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t *d = warp.write(step, 0);
  std::vector<const uint64_t *> parts;
  for (unsigned i = 1; i < step.operands.size(); ++i)
    parts.push_back(warp.read(step, i));
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t value = 0;
    for (unsigned i = 0; i < parts.size(); ++i)
      value |= (parts[i][lane] & mask) << (bits * i);
    d[lane] = value;
  });
}

void unpackParts(Warp &warp, const Step &step) {
  unsigned bits = step.extra;
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  auto parts = unsigned(step.operands.size() - 1);
  const uint64_t *a = warp.read(step, parts);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t value = a[lane];
    for (unsigned i = 0; i < parts; ++i)
      warp.write(step, i)[lane] = value >> (bits * i) & mask;
  });
}

void buildMove(Modifiers &modifiers, Step &step) {
  Type type = modifiers.takeType();
  const std::vector<Operand> &operands = step.text->operands;
  if (operands.size() != 2 || bytesOf(type) > 8)
    modifiers.fail();
  bool packs = operands[1].kind == Operand::Kind::Vector;
  bool unpacks = operands[0].kind == Operand::Kind::Vector;
  step.run = packs ? packParts : unpacks ? unpackParts : move;
  auto parts = unsigned(operands[packs ? 1 : 0].parts.size());
  if ((packs || unpacks) && parts != 2 && parts != 4 && parts != 8)
    modifiers.fail();
  if (packs || unpacks)
    step.extra = 8 * bytesOf(type) / parts;
}

/// From an address of a space to a generic one, or back: the window is added.
template <uint64_t Window>
void addWindow(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask,
              [&](unsigned lane) { d[lane] = a[lane] + step.offset + Window; });
}

void buildAddressConversion(Modifiers &modifiers, Step &step) {
  bool isBack = modifiers.take("to");
  // Parameters are local memory here.
  int space =
      modifiers.takeOneOf({"global", "const", "shared", "local", "param"});
  modifiers.take("cta");
  if (space < 0 || modifiers.takeType() == Type::U32)
    modifiers.fail();
  if (space < 2)
    step.run = addWindow<0>;
  else if (space == 2)
    step.run = isBack ? addWindow<-kSharedWindow> : addWindow<kSharedWindow>;
  else
    step.run = isBack ? addWindow<-kLocalWindow> : addWindow<kLocalWindow>;
}

/// Whether a generic address is of a space.
void testSpace(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    bool isShared = a[lane] - kSharedWindow < kWindowBytes;
    bool isLocal = a[lane] - kLocalWindow < kWindowBytes;
    d[lane] = step.space == Space::Shared  ? isShared
              : step.space == Space::Local ? isLocal
                                           : !isShared && !isLocal;
  });
}

void buildTestSpace(Modifiers &modifiers, Step &step) {
  static constexpr Space spaces[] = {Space::Global, Space::Shared,
                                     Space::Local};
  int space = modifiers.takeOneOf({"global", "shared", "local"});
  if (space < 0)
    modifiers.fail();
  step.space = spaces[space];
  step.run = testSpace;
}

} // namespace

void ptxmachine::addMoves(Table &table) {
  table["mov"] = buildMove;
  table["cvta"] = buildAddressConversion;
  table["isspacep"] = buildTestSpace;
}
