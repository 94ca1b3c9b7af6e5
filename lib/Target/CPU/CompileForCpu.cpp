// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU target from end to end: bind, optimize, emit, link.

#include "BindToHost.h"
#include "HostMachine.h"
#include "LinkImage.h"
#include "pyk/Target/CPU.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pyk;

/// What a kernel that calls itself may take beyond one round of it: nothing
/// bounds its depth, so this is a choice, as CUDA's stack limit is.
static constexpr uint64_t recursionBytes = 256 * 1024;

/// Room for the frames of code of other languages.
static constexpr uint64_t foreignBytes = 256 * 1024;

static uint64_t getFrameBytes(const Function &function) {
  const DataLayout &layout = function.getDataLayout();
  uint64_t bytes = 0;
  for (const Instruction &instruction : instructions(function))
    if (auto *local = dyn_cast<AllocaInst>(&instruction))
      if (std::optional<TypeSize> size = local->getAllocationSize(layout))
        bytes += alignTo(size->getFixedValue(), local->getAlign());
  return bytes;
}

/// Sets the most that the local arrays of one thread of each kernel take at a
/// time: over all chains of calls, the sum of their frames. Counted after
/// optimization, when inlining is done. Nobody counts what code generation
/// spills; the runtime has room for that, and frames are probed.
static void setLocalBytes(Module &module,
                          MutableArrayRef<BoundKernel> kernels) {
  CallGraph graph(module);
  DenseMap<const CallGraphNode *, uint64_t> chains;
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
  }
  for (BoundKernel &kernel : kernels) {
    uint64_t foreign = kernel.callsForeign ? foreignBytes : 0;
    for (Function *entry : {kernel.thread, kernel.blocks})
      if (entry)
        kernel.localBytes =
            std::max(kernel.localBytes, chains.lookup(graph[entry]) + foreign);
  }
}

Expected<std::string> pyk::compileForCpu(Module &module,
                                         ArrayRef<StringRef> kernels,
                                         const CpuOptions &options) {
  if (options.optimizationLevel > 3)
    return createStringError(
        "expects an optimization level of 0 to 3 but got " +
        Twine(options.optimizationLevel));
  auto machine = getHostMachine(options.optimizationLevel);
  if (!machine)
    return machine.takeError();
  auto bound = bindToHost(module, kernels, **machine);
  if (!bound)
    return bound.takeError();
  for (const BoundKernel &kernel : *bound)
    if (!isUInt<32>(kernel.staticSharedBytes))
      return createStringError(
          "expects less than 4 GiB of shared arrays but got " +
          Twine(kernel.staticSharedBytes) + " bytes");
  bool hasVectors = llvm::all_of(
      *bound, [](const BoundKernel &kernel) { return kernel.isOfBlock; });
  optimizeForHost(module, **machine, options.optimizationLevel, hasVectors);
  setLocalBytes(module, *bound);
  addKernelTable(module, *bound);
  auto object = emitObject(module, **machine);
  if (!object)
    return object.takeError();
  return linkImage(**object, tableName);
}

Expected<std::string> pyk::printReference(Module &module,
                                          ArrayRef<StringRef> kernels) {
  auto machine = getHostMachine(/*optimizationLevel=*/0);
  if (!machine)
    return machine.takeError();
  if (auto bound = bindToHost(module, kernels, **machine); !bound)
    return bound.takeError();
  std::string text;
  raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}
