// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads do together: shuffles, votes and matches of a warp, barriers.

#include "Lanes.h"
#include "Machine.h"

#include <algorithm>

using namespace ptxmachine;

namespace {

/// The mask of an instruction, which all lanes must agree on.
/// `first` and `count`: the operands that lanes bring.
bool meet(Warp &warp, const Step &step, unsigned operand, unsigned first,
          unsigned count) {
  const uint64_t *masks = warp.read(step, operand);
  auto mask = uint32_t(masks[__builtin_ctz(warp.mask)]);
  bool isSame = true;
  forEachLane(warp.mask,
              [&](unsigned lane) { isSame &= uint32_t(masks[lane]) == mask; });
  if (isSame)
    return warp.meet(step, mask, first, count);
  // Lanes of several masks, one mask after the other.
  uint32_t left = warp.mask, others = 0;
  forEachLane(left, [&](unsigned lane) {
    if (uint32_t(masks[lane]) != mask)
      others |= uint32_t(1) << lane;
  });
  // The others come to it once more.
  forEachLane(others, [&](unsigned lane) { warp.comeAgain(lane); });
  warp.mask &= ~others;
  return warp.meet(step, mask, first, count);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

enum class Way { Up, Down, Butterfly, Index };

/// What a lane reads that takes no part: nobody's value.
constexpr uint64_t kNobody = 0xdeadbeef;

template <Way How>
void shuffle(Warp &warp, const Step &step) {
  // d, or d and p; a, b, c, mask.
  unsigned first = step.extra;
  if (!meet(warp, step, first + 3, first, 3))
    return;
  const Row &a = warp.getBrought(0), &b = warp.getBrought(1),
            &c = warp.getBrought(2);
  uint32_t inRange = 0;
  Row results;
  forEachLane(warp.mask, [&](unsigned lane) {
    unsigned value = b[lane] & 31, clamp = c[lane] & 31,
             segment = c[lane] >> 8 & 31;
    unsigned most = (lane & segment) | (clamp & ~segment);
    unsigned least = lane & segment;
    int from = 0;
    bool isThere = true;
    switch (How) {
    case Way::Up:
      from = int(lane) - int(value);
      isThere = from >= int(most);
      break;
    case Way::Down:
      from = int(lane + value);
      isThere = from <= int(most);
      break;
    case Way::Butterfly:
      from = int(lane ^ value);
      isThere = from <= int(most);
      break;
    case Way::Index:
      from = int(least | (value & ~segment));
      isThere = from <= int(most);
      break;
    }
    if (!isThere)
      from = int(lane);
    bool takesPart = (warp.mask >> from & 1) != 0;
    results[lane] = takesPart ? uint32_t(a[size_t(from)]) : kNobody;
    inRange |= uint32_t(isThere) << lane;
  });
  forEachLane(warp.mask, [&](unsigned lane) {
    warp.finishMeeting(0, lane, results[lane]);
    if (warp.getResults(lane) == 2)
      warp.finishMeeting(1, lane, inRange >> lane & 1);
  });
}

unsigned countResults(const Step &step) {
  return step.text->operands[0].kind == Operand::Kind::Vector ? 2 : 1;
}

void buildShuffle(Modifiers &modifiers, Step &step) {
  static constexpr Handler handlers[] = {shuffle<Way::Up>, shuffle<Way::Down>,
                                         shuffle<Way::Butterfly>,
                                         shuffle<Way::Index>};
  int way = modifiers.takeOneOf({"up", "down", "bfly", "idx"});
  if (!modifiers.take("sync") || way < 0 || !modifiers.take("b32"))
    modifiers.fail();
  step.isControl = true;
  step.extra = countResults(step);
  step.run = handlers[way];
}

//===----------------------------------------------------------------------===//
// Votes and matches
//===----------------------------------------------------------------------===//

enum class Vote { All, Any, Uniform, Ballot };

template <Vote How>
void vote(Warp &warp, const Step &step) {
  if (!meet(warp, step, 2, 1, 1))
    return;
  const Row &a = warp.getBrought(0);
  uint32_t trues = 0;
  forEachLane(warp.mask,
              [&](unsigned lane) { trues |= uint32_t(a[lane] & 1) << lane; });
  uint64_t result = How == Vote::All       ? trues == warp.mask
                    : How == Vote::Any     ? trues != 0
                    : How == Vote::Uniform ? trues == 0 || trues == warp.mask
                                           : trues;
  forEachLane(warp.mask,
              [&](unsigned lane) { warp.finishMeeting(0, lane, result); });
}

void buildVote(Modifiers &modifiers, Step &step) {
  static constexpr Handler handlers[] = {vote<Vote::All>, vote<Vote::Any>,
                                         vote<Vote::Uniform>,
                                         vote<Vote::Ballot>};
  int way = modifiers.takeOneOf({"all", "any", "uni", "ballot"});
  if (!modifiers.take("sync") || way < 0 ||
      !modifiers.take(way == 3 ? "b32" : "pred"))
    modifiers.fail();
  step.isControl = true;
  step.run = handlers[way];
}

/// The lanes with the same value; of all, if they have one, also a predicate.
template <typename T, bool IsAll>
void match(Warp &warp, const Step &step) {
  unsigned first = step.extra;
  if (!meet(warp, step, first + 1, first, 1))
    return;
  const Row &a = warp.getBrought(0);
  Row results;
  bool areAll = true;
  forEachLane(warp.mask, [&](unsigned lane) {
    uint32_t same = 0;
    forEachLane(warp.mask, [&](unsigned other) {
      same |= uint32_t(get<T>(a[other]) == get<T>(a[lane])) << other;
    });
    results[lane] = same;
    areAll &= same == warp.mask;
  });
  forEachLane(warp.mask, [&](unsigned lane) {
    warp.finishMeeting(0, lane,
                       !IsAll   ? results[lane]
                       : areAll ? warp.mask
                                : 0);
    if (warp.getResults(lane) == 2)
      warp.finishMeeting(1, lane, areAll);
  });
}

void buildMatch(Modifiers &modifiers, Step &step) {
  bool isAll = modifiers.takeOneOf({"any", "all"}) == 1;
  if (!modifiers.take("sync"))
    modifiers.fail();
  bool isWide = modifiers.takeType() == Type::B64;
  step.isControl = true;
  step.extra = countResults(step);
  if (isAll)
    step.run = isWide ? match<uint64_t, true> : match<uint32_t, true>;
  else
    step.run = isWide ? match<uint64_t, false> : match<uint32_t, false>;
}

/// redux.sync: one value of those of all lanes.
template <typename T, int Operation>
void reduce(Warp &warp, const Step &step) {
  if (!meet(warp, step, 2, 1, 1))
    return;
  const Row &a = warp.getBrought(0);
  bool isFirst = true;
  T result = 0;
  forEachLane(warp.mask, [&](unsigned lane) {
    T value = get<T>(a[lane]);
    if (isFirst)
      result = value;
    else if (Operation == 0)
      result = T(uint32_t(result) + uint32_t(value));
    else if (Operation == 1)
      result = std::min(result, value);
    else if (Operation == 2)
      result = std::max(result, value);
    else if (Operation == 3)
      result = T(result & value);
    else if (Operation == 4)
      result = T(result | value);
    else
      result = T(result ^ value);
    isFirst = false;
  });
  forEachLane(warp.mask, [&](unsigned lane) {
    warp.finishMeeting(0, lane, put<T>(result));
  });
}

void buildReduce(Modifiers &modifiers, Step &step) {
  static constexpr Handler ofUnsigned[] = {
      reduce<uint32_t, 0>, reduce<uint32_t, 1>, reduce<uint32_t, 2>,
      reduce<uint32_t, 3>, reduce<uint32_t, 4>, reduce<uint32_t, 5>};
  static constexpr Handler ofSigned[] = {
      reduce<int32_t, 0>, reduce<int32_t, 1>, reduce<int32_t, 2>,
      reduce<int32_t, 3>, reduce<int32_t, 4>, reduce<int32_t, 5>};
  int operation =
      modifiers.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  if (!modifiers.take("sync") || operation < 0)
    modifiers.fail();
  step.isControl = true;
  step.run =
      (isSigned(modifiers.takeType()) ? ofSigned : ofUnsigned)[operation];
}

void activeMask(Warp &warp, const Step &step) {
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) { d[lane] = warp.mask; });
}

/// One lane of the mask, the same for all: the lowest one.
void elect(Warp &warp, const Step &step) {
  unsigned first = step.extra;
  if (!meet(warp, step, first, first, 0))
    return;
  unsigned leader = unsigned(__builtin_ctz(warp.mask));
  forEachLane(warp.mask, [&](unsigned lane) {
    warp.finishMeeting(0, lane, leader);
    if (warp.getResults(lane) == 2)
      warp.finishMeeting(1, lane, lane == leader);
  });
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void meetInWarp(Warp &warp, const Step &step) { meet(warp, step, 0, 0, 0); }

/// What a barrier does beside waiting.
enum BarrierKind : uint32_t {
  Sync,
  Arrive,
  CountTrues,
  AllTrue,
  AnyTrue,
};

void waitAtBarrier(Warp &warp, const Step &step) {
  uint32_t kind = step.extra;
  bool hasResult = kind >= CountTrues;
  unsigned first = hasResult ? 1 : 0;
  auto operands = unsigned(step.operands.size());
  unsigned lane = unsigned(__builtin_ctz(warp.mask));
  uint64_t barrier = warp.read(step, first)[lane];
  bool hasCount = operands > first + 1 + (hasResult ? 1 : 0);
  uint64_t threads = hasCount ? warp.read(step, first + 1)[lane] : 0;
  uint32_t predicates = hasResult ? warp.readMask(step, operands - 1) : 0;
  warp.block.arrive(warp, step, unsigned(barrier), unsigned(threads),
                    kind != Arrive, predicates);
}

void buildBarrier(Modifiers &modifiers, Step &step) {
  modifiers.take("cta");
  step.isControl = true;
  if (modifiers.take("warp")) {
    if (!modifiers.take("sync"))
      modifiers.fail();
    step.run = meetInWarp;
    return;
  }
  step.isAligned = modifiers.take("aligned") || modifiers.getName() == "bar";
  int kind = modifiers.takeOneOf({"sync", "arrive"});
  if (kind < 0) {
    kind = 2 + modifiers.takeOneOf({"popc", "and", "or"});
    if (kind < 2 || !modifiers.take("red") ||
        !modifiers.take(kind == 2 ? "u32" : "pred"))
      modifiers.fail();
  }
  step.extra = uint32_t(kind);
  step.run = waitAtBarrier;
}

} // namespace

void Warp::finishBarrier(const Step &step, unsigned lane, unsigned trues,
                         bool areAllTrue) {
  uint32_t kind = step.extra;
  if (kind < CountTrues)
    return;
  uint64_t *d = row(frames[lane]->registers + step.operands[0].index);
  d[lane] = kind == CountTrues ? trues
            : kind == AllTrue  ? areAllTrue
                               : uint64_t(trues != 0);
}

void ptxmachine::addWarps(Table &table) {
  table["shfl"] = buildShuffle;
  table["vote"] = buildVote;
  table["match"] = buildMatch;
  table["redux"] = buildReduce;
  table["bar"] = buildBarrier;
  table["barrier"] = buildBarrier;
  table["activemask"] = [](Modifiers &modifiers, Step &step) {
    modifiers.take("b32");
    step.run = activeMask;
  };
  table["elect"] = [](Modifiers &modifiers, Step &step) {
    if (!modifiers.take("sync"))
      modifiers.fail();
    step.isControl = true;
    step.extra = countResults(step);
    step.run = elect;
  };
}
