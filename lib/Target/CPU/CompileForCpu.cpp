// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU target from end to end: bind, optimize, emit, link.

#include "BindToHost.h"
#include "HostMachine.h"
#include "Jit.h"
#include "pyk/Target/CPU.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pyk;

struct CpuKernel::Code {
  LinkedCode code;
};

CpuKernel::CpuKernel(const pyk_rt_kernel &entry, std::unique_ptr<Code> code)
    : entry(entry), code(std::move(code)) {}

CpuKernel::~CpuKernel() = default;

/// What a kernel that calls itself may take beyond one round of it: nothing
/// bounds its depth, so this is a choice, as CUDA's stack limit is.
static constexpr uint64_t recursionBytes = 256 * 1024;

static uint64_t getFrameBytes(const Function &function) {
  const DataLayout &layout = function.getDataLayout();
  uint64_t bytes = 0;
  for (const Instruction &instruction : instructions(function))
    if (auto *local = dyn_cast<AllocaInst>(&instruction))
      if (std::optional<TypeSize> size = local->getAllocationSize(layout))
        bytes += alignTo(size->getFixedValue(), local->getAlign());
  return bytes;
}

/// The most that the local arrays of one thread take at a time: over all chains
/// of calls, the sum of their frames. Counted after optimization, when inlining
/// is done.
static uint64_t getLocalBytes(Module &module) {
  CallGraph graph(module);
  DenseMap<const CallGraphNode *, uint64_t> chains;
  uint64_t most = 0;
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    uint64_t frames = 0, below = 0;
    for (CallGraphNode *node : *component) {
      if (node->getFunction())
        frames += getFrameBytes(*node->getFunction());
      for (auto &call : *node)
        below = std::max(below, chains.lookup(call.second));
    }
    bool isProgram = (*component)[0]->getFunction() != nullptr;
    uint64_t extra = isProgram && component.hasCycle() ? recursionBytes : 0;
    for (CallGraphNode *node : *component)
      chains[node] = frames + below + extra;
    most = std::max(most, frames + below + extra);
  }
  return most;
}

Expected<std::unique_ptr<CpuKernel>>
pyk::compileForCpu(Module &module, StringRef kernel,
                   const CpuOptions &options) {
  if (options.optimizationLevel > 3)
    return createStringError(
        "expects an optimization level of 0 to 3 but got " +
        Twine(options.optimizationLevel));
  auto machine = getHostMachine(options.optimizationLevel);
  if (!machine)
    return machine.takeError();
  pyk_rt_kernel entry = {};
  entry.abi_version = PYK_RT_ABI_VERSION;
  Expected<BoundKernel> bound = bindToHost(module, kernel, **machine);
  if (!bound)
    return bound.takeError();
  if (!isUInt<32>(bound->staticSharedBytes))
    return createStringError(
        "expects less than 4 GiB of shared arrays but got " +
        Twine(bound->staticSharedBytes) + " bytes");
  entry.static_shared_bytes = uint32_t(bound->staticSharedBytes);
  entry.max_threads =
      uint32_t(std::min<uint64_t>(bound->maxThreads, UINT32_MAX));
  optimizeForHost(module, **machine, options.optimizationLevel);
  entry.local_bytes = getLocalBytes(module);
  auto object = emitObject(module, **machine);
  if (!object)
    return object.takeError();

  SmallVector<StringRef> symbols = {threadEntryName};
  if (!bound->waits)
    symbols.push_back(blocksEntryName);
  Expected<LinkedCode> code = LinkedCode::link(std::move(*object), symbols);
  if (!code)
    return code.takeError();
  entry.thread = reinterpret_cast<pyk_rt_thread_fn>(code->getAddress(0));
  if (!bound->waits)
    entry.blocks = reinterpret_cast<pyk_rt_blocks_fn>(code->getAddress(1));
  return std::unique_ptr<CpuKernel>(new CpuKernel(
      entry,
      std::make_unique<CpuKernel::Code>(CpuKernel::Code{std::move(*code)})));
}

Expected<std::string> pyk::printReference(Module &module, StringRef kernel) {
  auto machine = getHostMachine(/*optimizationLevel=*/0);
  if (!machine)
    return machine.takeError();
  if (auto bound = bindToHost(module, kernel, **machine); !bound)
    return bound.takeError();
  std::string text;
  raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}
