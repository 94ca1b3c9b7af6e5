// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches, calls, and what ends threads.

#include "Lanes.h"

using namespace ptxmachine;

namespace {

void branch(Warp &warp, const Step &step) { warp.goTo(step.targets[0]); }

void branchByTable(Warp &warp, const Step &step) {
  const uint64_t *index = warp.read(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t chosen = uint32_t(index[lane]);
    if (chosen >= step.targets.size())
      throw Fault(FaultKind::IllegalInstruction,
                  "brx.idx with an index of " + std::to_string(chosen));
    warp.goTo(lane, step.targets[chosen]);
  });
}

/// A call of a function that is known, of the system, or in a register.
void call(Warp &warp, const Step &step) {
  if (step.callee) {
    warp.call(step, step.callee);
    return;
  }
  const CallSite &site = warp.getProgram().getCallSite(step.extra);
  if (site.system) {
    site.system(warp, site);
    return;
  }
  // Lanes with one function after those with another.
  const uint64_t *address = warp.read(step, 0);
  uint64_t chosen = address[__builtin_ctz(warp.mask)];
  uint32_t same = 0;
  forEachLane(warp.mask, [&](unsigned lane) {
    if (address[lane] == chosen)
      same |= uint32_t(1) << lane;
    else
      warp.comeAgain(lane);
  });
  warp.mask = same;
  const Code *callee = warp.getProgram().findByAddress(chosen);
  if (!callee)
    throw Fault(FaultKind::IllegalAddress, "a call of no function");
  warp.call(step, callee);
}

void trap(Warp &, const Step &) {
  throw Fault(FaultKind::LaunchFailed, "trap");
}

void sleep(Warp &warp, const Step &) { warp.yield(); }

} // namespace

void ptxmachine::addControl(Table &table) {
  table["bra"] = [](Modifiers &modifiers, Step &step) {
    modifiers.take("uni");
    step.isControl = true;
    step.run = branch;
    if (step.targets.size() != 1)
      modifiers.fail();
  };
  table["brx"] = [](Modifiers &modifiers, Step &step) {
    modifiers.take("uni");
    step.isControl = true;
    step.run = branchByTable;
    if (!modifiers.take("idx"))
      modifiers.fail();
  };
  table["call"] = [](Modifiers &modifiers, Step &step) {
    modifiers.take("uni");
    step.isControl = true;
    step.run = call;
  };
  table["ret"] = [](Modifiers &modifiers, Step &step) {
    modifiers.take("uni");
    step.isControl = true;
    step.run = [](Warp &warp, const Step &) { warp.leaveFunction(); };
  };
  table["exit"] = [](Modifiers &, Step &step) {
    step.isControl = true;
    step.run = [](Warp &warp, const Step &) { warp.exit(); };
  };
  table["trap"] = [](Modifiers &, Step &step) { step.run = trap; };
  table["brkpt"] = table["trap"];
  table["nanosleep"] = [](Modifiers &modifiers, Step &step) {
    modifiers.take("u32");
    step.isControl = true;
    step.run = sleep;
  };
}
