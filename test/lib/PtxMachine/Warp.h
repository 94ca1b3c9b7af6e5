// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 32 threads. Lanes at the same place, called from the same places, form a
// group, which executes an instruction together.

#ifndef PYK_TEST_LIB_PTXMACHINE_WARP_H
#define PYK_TEST_LIB_PTXMACHINE_WARP_H

#include "Fault.h"
#include "Program.h"

#include <array>
#include <deque>

namespace ptxmachine {

class Block;

using Row = std::array<uint64_t, kLanes>;

/// A function that runs, for all lanes that came by the same calls. Registers
/// and memory have columns for all lanes, so lanes that came at different times
/// share a frame.
struct Frame {
  const Code *code;
  Frame *caller;
  const CallSite *site;
  uint32_t returnStep;
  unsigned depth;
  /// The first row of its registers, and byte of its memory.
  uint64_t registers, memory;
};

/// A shuffle, vote, match or barrier of a warp: lanes wait until all of its
/// mask are there. They may have come to different instructions with the same
/// opcode, each with its own registers.
struct Meeting {
  const Step *step = nullptr;
  uint32_t mask = 0;

  bool isThatOf(const Meeting &other) const {
    return step && mask == other.mask &&
           step->text->opcode == other.step->text->opcode;
  }
};

class Warp {
public:
  Warp(Block &block, unsigned index, unsigned threads);

  /// Executes up to `budget` steps; how many it did.
  uint64_t run(uint64_t budget);

  bool isDone() const { return live == 0; }
  bool isReady() const { return (live & ~waiting) != 0; }
  uint32_t getLive() const { return live; }
  unsigned getThreads() const { return threads; }
  /// The lanes that wait at a barrier of the block go on.
  void release(uint32_t lanes) { waiting &= ~lanes; }
  /// What a lane waits for, for reports of deadlocks.
  std::string describeWaiting() const;

  // For handlers: of the group that executes.

  /// The lanes that execute the instruction.
  uint32_t mask = 0;
  /// The lanes of the group, guard or not.
  uint32_t group = 0;
  /// The condition code of each lane, which holds a carry.
  uint32_t carries = 0;
  void setCarry(unsigned lane, bool carry) {
    carries = (carries & ~(uint32_t(1) << lane)) | uint32_t(carry) << lane;
  }

  const uint64_t *read(const Step &step, unsigned operand);
  uint64_t *write(const Step &step, unsigned operand) {
    if (operand >= step.operands.size() ||
        step.operands[operand].kind != Source::Kind::Register)
      throw Fault(FaultKind::IllegalInstruction, "expects a register to write");
    return row(frame->registers + step.operands[operand].index);
  }
  /// The lanes of the group for which a predicate holds.
  uint32_t readMask(const Step &step, unsigned operand);

  /// The place in memory of a lane's access, checked.
  char *access(const Step &step, uint64_t address, unsigned lane,
               unsigned bytes, bool isWrite);
  /// The same for an address of a given space.
  char *access(Space space, uint64_t address, unsigned lane, unsigned bytes,
               bool isWrite);
  /// Throws Fault unless an access of so many bytes is aligned.
  void checkAlignment(uint64_t address, unsigned lane, unsigned bytes);
  char *local(uint64_t offset, unsigned lane);

  /// The lanes of `mask` go on at another step; the others behind this one.
  void goTo(uint32_t step);
  void goTo(unsigned lane, uint32_t step) { place[lane] = step; }
  void call(const Step &step, const Code *callee);
  void leaveFunction();
  void exit();
  /// The lanes of `mask` wait for others of the warp, with `count` operands
  /// from `first` on. True if all are there: then `mask` is all that meet.
  bool meet(const Step &step, uint32_t members, unsigned first, unsigned count);
  /// Operand `number` of those with which lanes have come to a meeting.
  const Row &getBrought(unsigned number) const { return brought[number]; }
  /// Writes a lane's result of a meeting, to the operand of its instruction.
  void finishMeeting(unsigned operand, unsigned lane, uint64_t value);
  /// How many results a lane's instruction has: one, or also a predicate.
  uint32_t getResults(unsigned lane) const {
    return meetings[lane].step->extra;
  }
  /// A lane executes the instruction once more, later.
  void comeAgain(unsigned lane) { place[lane] = now; }
  /// The lanes of `mask` wait for others of the block.
  void wait(uint32_t lanes) { waiting |= lanes; }
  /// A barrier of the block is complete: what the lane gets from it.
  void finishBarrier(const Step &step, unsigned lane, unsigned trues,
                     bool areAllTrue);
  /// Lets others go first.
  void yield() { hasYielded = true; }
  const Program &getProgram() const;
  /// The lane's thread in its block, and the block's index.
  std::string describe(unsigned lane) const;

  Block &block;
  Frame *frame = nullptr;

private:
  uint64_t *row(uint64_t index) { return registers.data() + index * kLanes; }
  void pickGroup();
  void runGroup(uint64_t &left);
  void enter(Frame *entered);
  Frame *findFrame(const Step &step, const Code *callee);
  void fillSpecials();
  const uint64_t *readSpecial(uint32_t special, Row &into);

  unsigned index, threads;
  uint32_t live = 0, waiting = 0;
  /// Of those that wait, the ones that wait for others of the warp.
  uint32_t atMeeting = 0;
  /// Where lanes are.
  std::array<uint32_t, kLanes> place = {};
  std::array<Frame *, kLanes> frames = {};
  std::array<Meeting, kLanes> meetings = {};
  std::array<Row, 3> brought = {};
  /// When lanes ran last, in turns of groups.
  std::array<uint64_t, kLanes> turns = {};
  uint64_t turn = 0;
  uint32_t now = 0;
  bool hasMoved = false, hasYielded = false;
  std::deque<Frame> allFrames;
  std::map<std::pair<std::pair<Frame *, uint32_t>, const Code *>, Frame *>
      callees;
  std::vector<uint64_t> registers;
  std::vector<char> memory;
  std::vector<Row> specials;
  /// Rows of operands that are in no register.
  std::array<Row, 12> scratch;
  unsigned nextScratch = 0;
};

/// Calls `does` with each lane of a mask.
template <typename Function>
void forEachLane(uint32_t mask, Function does) {
  if (mask == ~uint32_t(0)) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      does(lane);
    return;
  }
  for (; mask != 0; mask &= mask - 1)
    does(unsigned(__builtin_ctz(mask)));
}

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_WARP_H
