// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU target from end to end: bind, optimize, emit, link.

#include "BindToHost.h"
#include "CpuMachine.h"
#include "LinkImage.h"
#include "pyk/Target/Backend.h"
#include "pyk/Target/CPU.h"
#include "pyk/runtime/CpuImage.h"
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

namespace {

/// An image and what is in it.
struct Compiled {
  const CpuMachine *machine;
  std::string image;
  std::vector<BoundKernel> kernels;
};

} // namespace

static Expected<Compiled> compile(Module &module, ArrayRef<StringRef> kernels,
                                  const CpuOptions &options) {
  if (options.optimizationLevel > 3)
    return createStringError(
        "expects an optimization level of 0 to 3 but got " +
        Twine(options.optimizationLevel));
  auto machine = getCpuMachine(options.level);
  if (!machine)
    return machine.takeError();
  TargetMachine &codeMaker =
      getTargetMachine(**machine, options.optimizationLevel);
  auto bound = bindToHost(module, kernels, codeMaker, options.isReversed);
  if (!bound)
    return bound.takeError();
  for (const BoundKernel &kernel : *bound)
    if (!isUInt<32>(kernel.staticSharedBytes))
      return createStringError(
          "expects less than 4 GiB of shared arrays but got " +
          Twine(kernel.staticSharedBytes) + " bytes");
  bool hasVectors = llvm::all_of(
      *bound, [](const BoundKernel &kernel) { return kernel.isOfBlock; });
  optimizeForCpu(module, **machine, options.optimizationLevel, hasVectors);
  setLocalBytes(module, *bound);
  addKernelTable(module, *bound);
  auto object = emitObject(module, codeMaker);
  if (!object)
    return object.takeError();
  auto image = linkImage(**object, tableName, (*machine)->target);
  if (!image)
    return image.takeError();
  return Compiled{*machine, std::move(*image), std::move(*bound)};
}

Expected<std::string> pyk::compileForCpu(Module &module,
                                         ArrayRef<StringRef> kernels,
                                         const CpuOptions &options) {
  auto compiled = compile(module, kernels, options);
  if (!compiled)
    return compiled.takeError();
  return std::move(compiled->image);
}

Expected<DeviceCode> pyk::emitForCpu(LoweredModule module,
                                     const CpuOptions &options) {
  auto compiled = compile(
      *module.llvmModule,
      std::vector<StringRef>(module.kernels.begin(), module.kernels.end()),
      options);
  if (!compiled)
    return compiled.takeError();
  DeviceCode code;
  code.properties["abi_version"] = int64_t(PYK_RT_ABI_VERSION);
  // Those that others launch stand behind those that were asked for.
  for (const BoundKernel &kernel : compiled->kernels) {
    llvm::json::Object &properties = code.kernels.emplace_back().properties;
    properties["static_shared_bytes"] = int64_t(kernel.staticSharedBytes);
    properties["local_bytes"] = int64_t(kernel.localBytes);
  }
  if (runtime::runsHere(compiled->machine->target)) {
    auto loaded = runtime::loadCpuImage(compiled->image);
    if (!loaded.ok())
      // No test: it needs a system that forbids executable memory.
      return createStringError(loaded.status().message());
    for (auto [made, kernel] : zip(code.kernels, loaded.value().kernels))
      made.hostEntry = {loaded.value().owner, kernel.kernel};
  }
  code.bytes = std::move(compiled->image);
  return code;
}

Expected<std::string> pyk::printReference(Module &module,
                                          ArrayRef<StringRef> kernels,
                                          const CpuOptions &options) {
  auto machine = getCpuMachine(options.level);
  if (!machine)
    return machine.takeError();
  TargetMachine &codeMaker = getTargetMachine(**machine, 0);
  if (auto bound = bindToHost(module, kernels, codeMaker, options.isReversed);
      !bound)
    return bound.takeError();
  std::string text;
  raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}
