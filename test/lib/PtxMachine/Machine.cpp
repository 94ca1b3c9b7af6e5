// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks take turns, and so do the warps of each; barriers of a block are here,
// since they are about several warps.

#include "Machine.h"

#include <algorithm>
#include <deque>

using namespace ptxmachine;

/// Blocks that are there at once, unless all of a grid have to.
static constexpr size_t kResidentBlocks = 48;
/// Steps of a warp before the next one's turn.
static constexpr uint64_t kTurn = 2000;

//===----------------------------------------------------------------------===//
// Block
//===----------------------------------------------------------------------===//

Block::Block(Machine &machine, const std::array<unsigned, 3> &index)
    : machine(machine), launch(machine.getLaunch()), index(index),
      threads(launch.block[0] * launch.block[1] * launch.block[2]),
      shared(launch.program->getSharedBytes() + launch.dynamicShared + 4) {
  poison(shared.data(), shared.size());
  for (unsigned first = 0; first < threads; first += kLanes)
    warps.push_back(std::make_unique<Warp>(*this, first / kLanes,
                                           std::min(kLanes, threads - first)));
}

uint64_t Block::run() {
  uint64_t steps = 0;
  size_t first = machine.choose(warps.size());
  for (size_t i = 0; i < warps.size(); ++i) {
    Warp &warp = *warps[(first + i) % warps.size()];
    if (warp.isReady())
      steps += warp.run(machine.isRandom() ? 1 + machine.choose(400) : kTurn);
  }
  return steps;
}

bool Block::isDone() const {
  return std::all_of(warps.begin(), warps.end(),
                     [](const auto &warp) { return warp->isDone(); });
}

void Block::arrive(Warp &warp, const Step &step, unsigned id, unsigned expected,
                   bool waits, uint32_t predicates) {
  Barrier &barrier = barriers[id];
  barrier.arrived.resize(warps.size());
  barrier.waiting.resize(warps.size());
  if (expected % kLanes != 0 || id >= 16)
    throw Fault(FaultKind::IllegalInstruction,
                "a barrier is numbered 0 to 15 and for whole warps");
  if (barrier.expected != 0 && expected != 0 && barrier.expected != expected)
    throw Fault(FaultKind::IllegalInstruction,
                "barrier " + std::to_string(id) + " is waited at by " +
                    std::to_string(barrier.expected) + " and by " +
                    std::to_string(expected) + " threads");
  barrier.expected = std::max(barrier.expected, expected);
  unsigned number = 0;
  while (warps[number].get() != &warp)
    ++number;
  if (barrier.arrived[number] & warp.mask)
    throw Fault(FaultKind::IllegalInstruction,
                "a thread arrives twice at barrier " + std::to_string(id));
  barrier.lastSteps.resize(warps.size());
  const Step *&last = barrier.lastSteps[number];
  if (barrier.arrived[number] != 0 && last != &step &&
      (last->isAligned || step.isAligned))
    throw Fault(FaultKind::IllegalInstruction,
                "threads of one warp are at two barriers, one of which is "
                "aligned: this one, and that of line " +
                    std::to_string(last->text->line));
  last = &step;
  barrier.arrived[number] |= warp.mask;
  barrier.trues += unsigned(__builtin_popcount(warp.mask & predicates));
  barrier.areAllTrue &= (warp.mask & ~predicates) == 0;
  if (waits) {
    barrier.waiting[number] |= warp.mask;
    warp.wait(warp.mask);
    forEachLane(warp.mask, [&](unsigned lane) {
      barrier.results.emplace_back(number * kLanes + lane, &step);
    });
  }
  if (isComplete(barrier))
    complete(barrier);
}

bool Block::isComplete(const Barrier &barrier) const {
  unsigned arrived = 0;
  bool isAnyThere = false;
  for (size_t i = 0; i < barrier.arrived.size(); ++i) {
    isAnyThere |= barrier.arrived[i] != 0;
    bool isWhole = (warps[i]->getLive() & ~barrier.arrived[i]) == 0;
    if (barrier.expected == 0 && !isWhole)
      return false;
    // Of a warp all threads come, or none.
    if (barrier.arrived[i] != 0 && isWhole)
      arrived += kLanes;
  }
  return isAnyThere && arrived >= barrier.expected;
}

void Block::complete(Barrier &barrier) {
  for (auto [thread, step] : barrier.results)
    warps[thread / kLanes]->finishBarrier(*step, thread % kLanes, barrier.trues,
                                          barrier.areAllTrue);
  for (size_t i = 0; i < warps.size(); ++i)
    warps[i]->release(barrier.waiting[i]);
  barrier = Barrier();
  barrier.arrived.resize(warps.size());
  barrier.waiting.resize(warps.size());
}

void Block::checkBarriers() {
  for (auto &[id, barrier] : barriers)
    if (!barrier.arrived.empty() && isComplete(barrier))
      complete(barrier);
}

std::string Block::describeWaiting() const {
  std::string text;
  for (const std::unique_ptr<Warp> &warp : warps)
    if (!warp->isDone())
      text += warp->describeWaiting();
  return text;
}

//===----------------------------------------------------------------------===//
// Machine
//===----------------------------------------------------------------------===//

void Machine::run(const Launch &first) {
  std::deque<Launch> left = {first};
  while (!left.empty()) {
    Launch next = std::move(left.front());
    left.pop_front();
    launch = &next;
    ++counts.launches;
    runGrid();
    // What a kernel launches runs when it has ended, before what follows it.
    left.insert(left.begin(), launches.begin(), launches.end());
    launches.clear();
  }
}

void Machine::runGrid() {
  const std::array<unsigned, 3> &grid = launch->grid;
  uint64_t blocks = uint64_t(grid[0]) * grid[1] * grid[2];
  size_t atOnce = launch->isCooperative ? blocks : kResidentBlocks;
  std::vector<std::unique_ptr<Block>> resident;
  uint64_t next = 0, steps = 0;
  while (next < blocks || !resident.empty()) {
    for (; next < blocks && resident.size() < atOnce; ++next)
      resident.push_back(std::make_unique<Block>(
          *this,
          std::array<unsigned, 3>{
              unsigned(next % grid[0]), unsigned(next / grid[0] % grid[1]),
              unsigned(next / (uint64_t(grid[0]) * grid[1]))}));
    uint64_t done = 0;
    size_t first = choose(resident.size());
    for (size_t i = 0; i < resident.size(); ++i)
      done += resident[(first + i) % resident.size()]->run();
    size_t before = resident.size();
    resident.erase(
        std::remove_if(resident.begin(), resident.end(),
                       [](const auto &block) { return block->isDone(); }),
        resident.end());
    steps += done;
    counts.steps += done;
    if (done == 0 && before == resident.size())
      throw Fault(FaultKind::LaunchTimeout, "deadlock: no thread can go on\n" +
                                                resident[0]->describeWaiting());
    if (settings.stop && *settings.stop)
      throw Fault(FaultKind::LaunchTimeout, "the machine is stopped");
    if (steps > settings.limit)
      throw Fault(FaultKind::LaunchTimeout,
                  "no end after " + std::to_string(steps) +
                      " steps of warps\n" + resident[0]->describeWaiting());
  }
}
