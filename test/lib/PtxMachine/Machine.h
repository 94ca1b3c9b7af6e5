// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a launch: the blocks of a grid, their warps by turns.

#ifndef PYK_TEST_LIB_PTXMACHINE_MACHINE_H
#define PYK_TEST_LIB_PTXMACHINE_MACHINE_H

#include "Memory.h"
#include "Warp.h"

#include <atomic>
#include <random>

namespace ptxmachine {

/// How a machine runs kernels.
struct Settings {
  /// The order of groups, warps and blocks is random, by this seed; 0: it is
  /// the same for all launches.
  uint64_t seed = 0;
  /// Steps of warps that a launch may take.
  uint64_t limit = uint64_t(1) << 36;
  /// Compute capability, as 10 * major + minor.
  unsigned capability = 90;
  /// Whether what kernels print is dropped.
  bool isSilent = false;
  /// Becomes true when kernels have to end; null: never.
  const std::atomic<bool> *stop = nullptr;
};

struct Launch {
  const Program *program = nullptr;
  const Code *kernel = nullptr;
  std::array<unsigned, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint64_t dynamicShared = 0;
  /// The bytes of the kernel's parameters, one after the other as its frame has
  /// them.
  std::vector<char> parameters;
  /// Adds the next parameter; `value` has its bytes.
  void addParameter(const char *value, const Variable &parameter);
  bool isCooperative = false;
  /// The address of what barriers of the grid use, and that of its size.
  uint64_t workspace = 0;
};

/// What is counted over all launches.
struct Counts {
  uint64_t launches = 0, steps = 0, laneSteps = 0;
};

class Machine;

/// A barrier of a block.
struct Barrier {
  /// The lanes of each warp that wait, or have arrived and went on.
  std::vector<uint32_t> arrived, waiting;
  /// The instruction that lanes of each warp came by last.
  std::vector<const Step *> lastSteps;
  /// Threads that it needs; 0: all that are alive.
  unsigned expected = 0;
  /// Of the predicates that lanes came with.
  unsigned trues = 0;
  bool areAllTrue = true;
  /// Where each lane's result goes: a step of it, by warp and lane.
  std::vector<std::pair<unsigned, const Step *>> results;
};

class Block {
public:
  Block(Machine &machine, const std::array<unsigned, 3> &index);

  /// Runs its warps by turns; how many steps they did.
  uint64_t run();
  bool isDone() const;

  /// The lanes of the warp's mask arrive at a barrier; they wait unless they
  /// only arrive.
  void arrive(Warp &warp, const Step &step, unsigned barrier, unsigned expected,
              bool waits, uint32_t predicates);
  /// Threads have ended: barriers may be complete.
  void checkBarriers();

  std::string describeWaiting() const;

  Machine &machine;
  const Launch &launch;
  std::array<unsigned, 3> index;
  unsigned threads;
  std::vector<char> shared;
  std::vector<std::unique_ptr<Warp>> warps;

private:
  void complete(Barrier &barrier);
  bool isComplete(const Barrier &barrier) const;

  std::map<unsigned, Barrier> barriers;
};

class Machine {
public:
  Machine(const Settings &settings, Memory &memory, Counts &counts)
      : settings(settings), memory(memory), counts(counts),
        random(settings.seed) {}

  /// Runs a launch, and those that it makes. Throws Fault.
  void run(const Launch &launch);

  /// A number below `bound`, if the order is random; else 0.
  uint64_t choose(uint64_t bound) {
    return settings.seed && bound > 1 ? random() % bound : 0;
  }
  bool isRandom() const { return settings.seed != 0; }

  const Launch &getLaunch() const { return *launch; }
  /// Launches of kernels by kernels, which run when this one has ended.
  std::vector<Launch> launches;

  const Settings &settings;
  Memory &memory;
  Counts &counts;

private:
  void runGrid();

  const Launch *launch = nullptr;
  std::mt19937_64 random;
};

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_MACHINE_H
