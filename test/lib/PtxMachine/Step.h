// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions as a warp executes them.

#ifndef PYK_TEST_LIB_PTXMACHINE_STEP_H
#define PYK_TEST_LIB_PTXMACHINE_STEP_H

#include "Text.h"

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace ptxmachine {

struct Code;
struct Step;
class Warp;

/// Executes an instruction for the lanes of the warp's `mask`.
using Handler = void (*)(Warp &, const Step &);

/// The threads of a warp.
constexpr unsigned kLanes = 32;

/// Where the 32 values of an operand are, one for each lane.
struct Source {
  enum class Kind : uint8_t {
    /// A row of the function's registers.
    Register,
    /// A row of the program's constants.
    Constant,
    /// A special register.
    Special,
    /// The address of a variable of the function's memory, plus `offset`.
    Frame,
  };
  Kind kind = Kind::Constant;
  bool isNegated = false;
  uint32_t index = 0;
  uint64_t offset = 0;
};

/// An instruction whose operands are known.
struct Step {
  Handler run = nullptr;
  /// What it writes and reads, in the order of the text. What goes to `_` is
  /// written to a register that nobody reads. Of an address, the base.
  std::vector<Source> operands;
  /// The register of its guard; -1: it is executed always.
  int guard = -1;
  bool isGuardNegated = false;
  /// Whether a label stands before it: lanes of others may wait there.
  bool isLeader = false;
  /// Whether lanes go somewhere else than to the next step, or wait.
  bool isControl = false;
  /// Whether it is a barrier that all threads of a warp have to execute.
  bool isAligned = false;
  Space space = Space::Generic;
  /// What is added to an address.
  uint64_t offset = 0;
  /// What only one kind of instruction needs: a step to go to, a barrier's
  /// kind, a mask of what there is.
  uint32_t extra = 0;
  /// The function that is called, if that is known; the steps of a table.
  const Code *callee = nullptr;
  std::vector<uint32_t> targets;
  const Instruction *text = nullptr;
};

/// A function, ready to run.
struct Code {
  const Function *text = nullptr;
  std::vector<Step> steps;
  /// Rows of registers, with one behind them for what goes to `_`.
  uint32_t registers = 0;
  /// Bytes of memory of each lane: parameters and local variables; and where
  /// each variable of the function begins in them, or in shared memory.
  uint64_t frameBytes = 0;
  std::vector<uint64_t> offsets;
  /// Where the shared variables are that its own instructions name.
  std::set<uint64_t> sharedOffsets;
  /// Bytes of the shared variables that it and its callees use.
  uint64_t sharedBytes = 0;
};

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_STEP_H
