// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses which lanes run, follows calls, and checks each access to memory.

#include "Warp.h"

#include "Machine.h"

#include <algorithm>
#include <cstring>
#include <sstream>

using namespace ptxmachine;

/// How often other groups may run while one is ready: none waits for ever for a
/// loop that waits for it.
static constexpr uint64_t kMostTurns = 100;
/// Bytes of a thread's local memory.
static constexpr uint64_t kMostLocalBytes = 512 << 10;
/// Rows of registers of a warp's calls.
static constexpr uint64_t kMostRows = 1 << 20;

Warp::Warp(Block &block, unsigned index, unsigned threads)
    : block(block), index(index), threads(threads),
      live(threads == kLanes ? ~uint32_t(0) : (uint32_t(1) << threads) - 1) {
  const Launch &launch = block.launch;
  mask = group = live;
  allFrames.push_back({launch.kernel, nullptr, nullptr, 0, 0, 0, 0});
  enter(&allFrames.back());
  frames.fill(frame);
  // Parameters are the first variables of the kernel's frame.
  for (uint64_t offset = 0; offset < launch.parameters.size(); offset += 8)
    forEachLane(live, [&](unsigned lane) {
      std::memcpy(local(offset, lane), launch.parameters.data() + offset, 8);
    });
  fillSpecials();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Sets the lanes that execute next: the deepest ones, of these the ones at the
/// lowest place; any, if the order is random or they waited for long.
void Warp::pickGroup() {
  uint32_t ready = live & ~waiting;
  unsigned chosen = unsigned(__builtin_ctz(ready));
  unsigned oldest = chosen;
  forEachLane(ready, [&](unsigned lane) {
    if (turns[lane] < turns[oldest])
      oldest = lane;
    unsigned depth = frames[lane]->depth, best = frames[chosen]->depth;
    if (depth > best || (depth == best && place[lane] < place[chosen]))
      chosen = lane;
  });
  if (block.machine.isRandom()) {
    uint64_t skipped =
        block.machine.choose(uint64_t(__builtin_popcount(ready)));
    uint32_t left = ready;
    for (; skipped > 0; --skipped)
      left &= left - 1;
    chosen = unsigned(__builtin_ctz(left));
  }
  if (turn - turns[oldest] > kMostTurns || hasYielded)
    chosen = oldest;
  hasYielded = false;
  frame = frames[chosen];
  now = place[chosen];
  group = 0;
  ++turn;
  forEachLane(ready, [&](unsigned lane) {
    if (frames[lane] == frame && place[lane] == now) {
      group |= uint32_t(1) << lane;
      turns[lane] = turn;
    }
  });
}

uint64_t Warp::run(uint64_t budget) {
  uint64_t left = budget;
  try {
    while (left > 0 && isReady()) {
      pickGroup();
      runGroup(left);
    }
  } catch (const Fault &fault) {
    unsigned lane = unsigned(__builtin_ctz(mask ? mask : group));
    const Step &step = frame->code->steps[now];
    throw Fault(fault.kind, std::string(fault.what()) + "\n  in " +
                                frame->code->text->name + ", line " +
                                std::to_string(step.text->line) + ": " +
                                step.text->opcode + "\n  " + describe(lane));
  }
  return budget - left;
}

/// Executes steps of the group until its lanes part, wait or meet others.
void Warp::runGroup(uint64_t &left) {
  const std::vector<Step> &steps = frame->code->steps;
  for (bool isFirst = true; left > 0; isFirst = false) {
    const Step &step = steps[now];
    if (step.isLeader && !isFirst && (live & ~waiting) != group)
      break;
    --left;
    block.machine.counts.laneSteps += uint64_t(__builtin_popcount(group));
    mask = group;
    nextScratch = 0;
    if (step.guard >= 0) {
      const uint64_t *guard = row(frame->registers + uint64_t(step.guard));
      uint32_t trues = 0;
      forEachLane(group, [&](unsigned lane) {
        trues |= uint32_t(guard[lane] & 1) << lane;
      });
      mask &= step.isGuardNegated ? ~trues : trues;
    }
    if (!step.isControl) {
      if (mask != 0)
        step.run(*this, step);
      ++now;
      continue;
    }
    forEachLane(group, [&](unsigned lane) { place[lane] = now + 1; });
    hasMoved = true;
    if (mask != 0)
      step.run(*this, step);
    if (hasMoved)
      return;
  }
  forEachLane(group, [&](unsigned lane) { place[lane] = now; });
}

void Warp::goTo(uint32_t step) {
  if (mask == group) {
    // They stay together.
    now = step;
    hasMoved = false;
    forEachLane(group, [&](unsigned lane) { place[lane] = step; });
    return;
  }
  forEachLane(mask, [&](unsigned lane) { place[lane] = step; });
}

bool Warp::meet(const Step &step, uint32_t members, unsigned first,
                unsigned count) {
  const Meeting meeting = {&step, members};
  forEachLane(mask, [&](unsigned lane) {
    if (!(members >> lane & 1))
      throw Fault(FaultKind::IllegalInstruction,
                  "lane " + std::to_string(lane) + " is not in the mask of " +
                      step.text->opcode);
    meetings[lane] = meeting;
  });
  for (unsigned number = 0; number < count; ++number) {
    const uint64_t *values = read(step, first + number);
    forEachLane(mask,
                [&](unsigned lane) { brought[number][lane] = values[lane]; });
  }
  uint32_t there = mask;
  forEachLane(members & live & atMeeting, [&](unsigned lane) {
    if (meetings[lane].isThatOf(meeting))
      there |= uint32_t(1) << lane;
  });
  if (there != (members & live)) {
    waiting |= mask;
    atMeeting |= mask;
    return false;
  }
  waiting &= ~there;
  atMeeting &= ~there;
  mask = there;
  return true;
}

void Warp::finishMeeting(unsigned operand, unsigned lane, uint64_t value) {
  const Step &step = *meetings[lane].step;
  row(frames[lane]->registers + step.operands[operand].index)[lane] = value;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Makes room for a frame, and fills it with garbage for the lanes of `mask`.
void Warp::enter(Frame *entered) {
  const Code &code = *entered->code;
  uint64_t rows = entered->registers + code.registers + 1;
  uint64_t bytes = entered->memory + code.frameBytes;
  if (bytes > kMostLocalBytes || rows > kMostRows)
    throw Fault(FaultKind::IllegalAddress, "stack overflow");
  frame = entered;
  if (registers.size() < rows * kLanes)
    registers.resize(rows * kLanes, 0xe5c3b7d9e5c3b7d9);
  if (memory.size() < bytes * kLanes) {
    size_t before = memory.size();
    memory.resize(bytes * kLanes);
    poison(memory.data() + before, memory.size() - before);
  }
}

Frame *Warp::findFrame(const Step &step, const Code *callee) {
  uint32_t returnStep = now + 1;
  Frame *&found = callees[{{frame, returnStep}, callee}];
  if (!found) {
    allFrames.push_back({callee, frame,
                         &block.launch.program->getCallSite(step.extra),
                         returnStep, frame->depth + 1,
                         frame->registers + frame->code->registers + 1,
                         frame->memory + frame->code->frameBytes});
    found = &allFrames.back();
  }
  return found;
}

/// Whether a call passes as many bytes as a function declares.
static bool areSame(const std::vector<std::pair<uint64_t, uint64_t>> &passed,
                    const std::vector<Variable> &declared) {
  return passed.size() == declared.size() &&
         std::equal(passed.begin(), passed.end(), declared.begin(),
                    [](const auto &one, const Variable &other) {
                      return one.second == other.bytes;
                    });
}

void Warp::call(const Step &step, const Code *callee) {
  Frame *caller = frame;
  const CallSite &site = block.launch.program->getCallSite(step.extra);
  const Function &text = *callee->text;
  if (!areSame(site.arguments, text.parameters) ||
      !areSame(site.results, text.results))
    throw Fault(FaultKind::IllegalInstruction,
                "a call of " + text.name + " with other parameters");
  Frame *entered = findFrame(step, callee);
  enter(entered);
  forEachLane(mask, [&](unsigned lane) {
    for (uint32_t i = 0; i <= callee->registers; ++i)
      row(entered->registers + i)[lane] = 0xe5c3b7d9e5c3b7d9;
    for (uint64_t offset = 0; offset < callee->frameBytes; offset += 8)
      poison(local(entered->memory + offset, lane), 8);
    for (size_t i = 0; i < site.arguments.size(); ++i) {
      auto [from, bytes] = site.arguments[i];
      uint64_t to = callee->offsets[text.results.size() + i];
      for (uint64_t offset = 0; offset < bytes; offset += 8)
        std::memcpy(local(entered->memory + to + offset, lane),
                    local(caller->memory + from + offset, lane), 8);
    }
    frames[lane] = entered;
    place[lane] = 0;
  });
  hasMoved = true;
}

void Warp::leaveFunction() {
  if (!frame->caller) {
    exit();
    return;
  }
  const CallSite &site = *frame->site;
  forEachLane(mask, [&](unsigned lane) {
    for (size_t i = 0; i < site.results.size(); ++i) {
      auto [to, bytes] = site.results[i];
      uint64_t from = frame->code->offsets[i];
      for (uint64_t offset = 0; offset < bytes; offset += 8)
        std::memcpy(local(frame->caller->memory + to + offset, lane),
                    local(frame->memory + from + offset, lane), 8);
    }
    frames[lane] = frame->caller;
    place[lane] = frame->returnStep;
  });
}

void Warp::exit() {
  live &= ~mask;
  // Others of the warp may wait for those that have ended.
  forEachLane(live & atMeeting, [&](unsigned lane) {
    const Meeting meeting = meetings[lane];
    uint32_t there = 0;
    forEachLane(meeting.mask & live & atMeeting, [&](unsigned other) {
      if (meetings[other].isThatOf(meeting))
        there |= uint32_t(1) << other;
    });
    if (there != (meeting.mask & live))
      return;
    // They come to it once more, together.
    waiting &= ~there;
    atMeeting &= ~there;
    forEachLane(there, [&](unsigned other) { place[other] -= 1; });
  });
  block.checkBarriers();
}

//===----------------------------------------------------------------------===//
// Operands and memory
//===----------------------------------------------------------------------===//

const uint64_t *Warp::read(const Step &step, unsigned operand) {
  if (operand >= step.operands.size())
    throw Fault(FaultKind::IllegalInstruction, "expects more operands");
  const Source &source = step.operands[operand];
  const uint64_t *found = nullptr;
  switch (source.kind) {
  case Source::Kind::Register:
    found = row(frame->registers + source.index);
    break;
  case Source::Kind::Constant:
    found = block.launch.program->getConstant(source.index);
    break;
  case Source::Kind::Special:
    return readSpecial(source.index, scratch[nextScratch++ % scratch.size()]);
  case Source::Kind::Frame: {
    Row &into = scratch[nextScratch++ % scratch.size()];
    into.fill(frame->memory + source.offset);
    return into.data();
  }
  }
  if (!source.isNegated)
    return found;
  // Only predicates are.
  Row &into = scratch[nextScratch++ % scratch.size()];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    into[lane] = ~found[lane] & 1;
  return into.data();
}

uint32_t Warp::readMask(const Step &step, unsigned operand) {
  const uint64_t *values = read(step, operand);
  uint32_t trues = 0;
  forEachLane(group, [&](unsigned lane) {
    trues |= uint32_t(values[lane] & 1) << lane;
  });
  return trues;
}

/// A lane's memory lies in words of 8 bytes, one of each lane side by side.
char *Warp::local(uint64_t offset, unsigned lane) {
  return memory.data() + (offset / 8 * kLanes + lane) * 8 + offset % 8;
}

char *Warp::access(const Step &step, uint64_t address, unsigned lane,
                   unsigned bytes, bool isWrite) {
  return access(step.space, address, lane, bytes, isWrite);
}

static std::string hexadecimal(uint64_t number) {
  std::ostringstream text;
  text << "0x" << std::hex << number;
  return text.str();
}

char *Warp::access(Space space, uint64_t address, unsigned lane, unsigned bytes,
                   bool isWrite) {
  if (space == Space::Generic) {
    if (address - kSharedWindow < kWindowBytes) {
      space = Space::Shared;
      address -= kSharedWindow;
    } else if (address - kLocalWindow < kWindowBytes) {
      space = Space::Local;
      address -= kLocalWindow;
    }
  }
  const char *name = "global";
  char *found = nullptr;
  if (space == Space::Shared) {
    name = "shared";
    if (block.launch.program->isShared(address, bytes,
                                       block.launch.dynamicShared))
      found = block.shared.data() + address;
  } else if (space == Space::Local || space == Space::Param) {
    name = "local";
    uint64_t all = memory.size() / kLanes;
    if (address <= all && bytes <= all - address)
      found = local(address, lane);
  } else {
    found = block.machine.memory.find(address, bytes, isWrite);
  }
  checkAlignment(address, lane, bytes);
  if (found)
    return found;
  mask = uint32_t(1) << lane;
  throw Fault(FaultKind::IllegalAddress,
              "no memory of " + std::to_string(bytes) + " bytes to " +
                  (isWrite ? "write" : "read") + " at " + name + " address " +
                  hexadecimal(address));
}

void Warp::checkAlignment(uint64_t address, unsigned lane, unsigned bytes) {
  if (address % bytes == 0)
    return;
  mask = uint32_t(1) << lane;
  throw Fault(FaultKind::MisalignedAddress,
              "address " + hexadecimal(address) + " is no multiple of " +
                  std::to_string(bytes) + " bytes");
}

const Program &Warp::getProgram() const { return *block.launch.program; }

std::string Warp::describe(unsigned lane) const {
  const Launch &launch = block.launch;
  unsigned thread = index * kLanes + lane;
  std::ostringstream text;
  text << "kernel " << launch.kernel->text->name << ", block ("
       << block.index[0] << ", " << block.index[1] << ", " << block.index[2]
       << "), thread (" << thread % launch.block[0] << ", "
       << thread / launch.block[0] % launch.block[1] << ", "
       << thread / (launch.block[0] * launch.block[1]) << ")";
  return text.str();
}

std::string Warp::describeWaiting() const {
  std::ostringstream text;
  std::map<std::pair<const Frame *, uint32_t>, uint32_t> places;
  forEachLane(live, [&](unsigned lane) {
    places[{frames[lane], place[lane]}] |= uint32_t(1) << lane;
  });
  for (auto [where, lanes] : places) {
    auto [in, at] = where;
    bool isWaiting = (waiting & lanes) != 0;
    const Step &step = in->code->steps[isWaiting && at > 0 ? at - 1 : at];
    text << "  warp " << index << ", lanes " << hexadecimal(lanes)
         << (isWaiting ? " wait at " : " are at ") << step.text->opcode
         << ", line " << step.text->line << " of " << in->code->text->name
         << "\n";
  }
  return text.str();
}
