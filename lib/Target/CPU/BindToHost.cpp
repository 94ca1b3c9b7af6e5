// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prepares the module, runs the steps of BindToHost.h and checks the result.
// Debug information goes: it is for PTX, and the entries made here have none.

#include "BindToHost.h"
#include "pyk/Support/KernelLaunch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using namespace pyk;

static Expected<Function *> findKernel(Module &module, StringRef name) {
  Function *kernel = module.getFunction(name);
  if (kernel && !kernel->isDeclaration() &&
      kernel->getReturnType()->isVoidTy() && !kernel->isVarArg())
    return kernel;
  std::string found;
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel)
      found += (found.empty() ? "'" : ", '") + function.getName().str() + "'";
  return createStringError(
      "expects a kernel '" + name + "' but got " +
      (found.empty() ? "a module without kernels" : "only " + found));
}

Reached pyk::getReached(ArrayRef<Function *> kernels) {
  Reached reached;
  reached.insert_range(kernels);
  for (size_t i = 0; i < reached.size(); ++i)
    for (Instruction &instruction : instructions(*reached[i]))
      for (Value *operand : instruction.operands())
        if (auto *callee = dyn_cast<Function>(operand->stripPointerCasts()))
          reached.insert(callee);
  return reached;
}

/// Erases functions that `kernels` do not reach: what they contain need not run
/// on the host.
static void eraseUnreachable(Module &module, ArrayRef<Function *> kernels) {
  Reached reached = getReached(kernels);
  SmallVector<Function *> rest;
  for (Function &function : module)
    if (!reached.contains(&function))
      rest.push_back(&function);
  for (Function *function : rest)
    function->dropAllReferences();
  for (Function *function : rest) {
    function->removeDeadConstantUsers();
    if (function->use_empty())
      function->eraseFromParent();
  }
  for (GlobalVariable &global : make_early_inc_range(module.globals())) {
    global.removeDeadConstantUsers();
    if (global.use_empty())
      global.eraseFromParent();
  }
}

/// Metadata and lists of names speak to NVPTX only.
static void eraseAnnotations(Module &module) {
  StripDebugInfo(module);
  for (NamedMDNode &node : make_early_inc_range(module.named_metadata()))
    module.eraseNamedMetadata(&node);
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *list = module.getGlobalVariable(name))
      list->eraseFromParent();
}

/// The product of the extents that NVPTX is told, 0 if it is told none.
static uint64_t getMaxThreads(const Function &kernel) {
  uint64_t product = 0;
  StringRef extents = kernel.getFnAttribute("nvvm.maxntid").getValueAsString();
  for (StringRef text : split(extents, ',')) {
    uint64_t extent;
    if (!text.getAsInteger(10, extent))
      product = SaturatingMultiply(std::max<uint64_t>(product, 1), extent);
  }
  return product;
}

/// Makes plain accesses of atomic operations on shared memory, in functions
/// that run a whole block: no other thread of the machine reaches that memory.
static void lowerSharedAtomics(Module &module) {
  for (Function &function : module) {
    if (!function.hasFnAttribute(blockAttrName))
      continue;
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
        if (update->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
          lowerAtomicRMWInst(update);
      } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
        if (exchange->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
          lowerAtomicCmpXchgInst(exchange);
      }
  }
}

/// Keeps accesses to other memory on their side of atomic operations. Those of
/// CUDA order nothing, but a thread's accesses stay where its program has them;
/// the threads of a block share a loop here, and LLVM would carry an element
/// that a lock protects from iteration to iteration in a register. On x86 it
/// costs nothing. What a program wants in one order for all threads stays so.
static void orderAtomics(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
        if (update->getOrdering() != AtomicOrdering::SequentiallyConsistent)
          update->setOrdering(AtomicOrdering::AcquireRelease);
      } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
        if (exchange->getSuccessOrdering() ==
            AtomicOrdering::SequentiallyConsistent)
          continue;
        exchange->setSuccessOrdering(AtomicOrdering::AcquireRelease);
        exchange->setFailureOrdering(AtomicOrdering::Acquire);
      }
}

static Error verify(Module &module) {
  std::string text;
  raw_string_ostream stream(text);
  if (!verifyModule(module, &stream))
    return Error::success();
  // No test: it would need a mistake in the passes that bind.
  return createStringError("requires LLVM IR that is valid when bound to the "
                           "host: " +
                           text);
}

bool pyk::forEachUseOfMemory(Argument &array, function_ref<bool(Use &)> visit) {
  SmallVector<Value *> addresses = {&array};
  while (!addresses.empty()) {
    Value *address = addresses.pop_back_val();
    for (Use &use : address->uses()) {
      User *user = use.getUser();
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(user)) {
        addresses.push_back(user);
      } else if (isa<InsertValueInst, ExtractValueInst>(user)) {
        // Extents stand beside it.
        if (user->getType()->isPointerTy() || user->getType()->isStructTy())
          addresses.push_back(user);
      } else if (!visit(use)) {
        return false;
      }
    }
  }
  return true;
}

/// Whether one of these functions is one that suspends its thread.
static bool waits(const Reached &functions) {
  return any_of(functions, [](Function *function) {
    return is_contained({"pyk_rt_active_mask", "pyk_rt_barrier",
                         "pyk_rt_barrier_count", "pyk_rt_exchange",
                         "pyk_rt_grid_barrier", "pyk_rt_yield"},
                        function->getName());
  });
}

/// Whether one of these functions calls an address that the program gives.
static bool callsForeign(const Reached &functions) {
  for (Function *function : functions)
    for (Instruction &instruction : instructions(*function)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (call && isa<ConstantExpr>(call->getCalledOperand()))
        return true;
    }
  return false;
}

static bool waitsForGrid(const Reached &functions) {
  return any_of(functions, [](Function *function) {
    return function->getName() == "pyk_rt_grid_barrier";
  });
}

static BoundKernel describe(const Function &kernel) {
  BoundKernel bound;
  bound.name = kernel.getName().str();
  bound.maxThreads = getMaxThreads(kernel);
  bound.isOfBlock = kernel.hasFnAttribute(blockAttrName);
  kernel.getFnAttribute(blockAttrName)
      .getValueAsString()
      .getAsInteger(10, bound.blockThreads);
  bound.blocksOfRun = kernel.getFnAttributeAsParsedInteger(runAttrName, 1);
  return bound;
}

/// Adds to `kernels` those that they launch. A launch then names what the
/// kernel's row of the table will replace.
static void addLaunched(Module &module, SmallVectorImpl<Function *> &kernels,
                        std::vector<BoundKernel> &result) {
  Function *launch = module.getFunction(kKernelLaunchName);
  if (!launch)
    return;
  SmallVector<CallInst *> calls;
  for (size_t next = 0; next < kernels.size(); ++next) {
    Reached reached = getReached(kernels[next]);
    for (User *user : launch->users()) {
      auto *call = cast<CallInst>(user);
      auto *kernel = dyn_cast<Function>(call->getArgOperand(0));
      if (!kernel || !reached.contains(call->getFunction()))
        continue;
      if (!is_contained(kernels, kernel)) {
        kernels.push_back(kernel);
        result.push_back(describe(*kernel));
      }
      calls.push_back(call);
    }
  }
  for (CallInst *call : calls)
    if (auto *kernel = dyn_cast<Function>(call->getArgOperand(0)))
      call->setArgOperand(
          0, module.getOrInsertGlobal(getRowName(kernel->getName()),
                                      Type::getInt8Ty(module.getContext())));
}

Expected<std::vector<BoundKernel>> pyk::bindToHost(Module &module,
                                                   ArrayRef<StringRef> kernels,
                                                   const TargetMachine &machine,
                                                   bool isReversed) {
  std::vector<BoundKernel> result;
  SmallVector<Function *> functions;
  for (StringRef name : kernels) {
    Expected<Function *> kernel = findKernel(module, name);
    if (!kernel)
      return kernel.takeError();
    functions.push_back(*kernel);
    result.push_back(describe(**kernel));
  }
  addLaunched(module, functions, result);
  eraseAnnotations(module);
  eraseUnreachable(module, functions);
  lowerSharedAtomics(module);
  markPartialSums(module);
  orderAtomics(module);
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());

  bindShortFloats(module, machine);
  bindVectors(module, machine);
  SharedGlobals shared;
  if (Error error = makeHostSignatures(module, functions, shared))
    return error;
  if (Error error = bindCalls(module, machine))
    return error;
  std::vector<Reached> reached;
  for (Function *function : functions)
    reached.push_back(getReached(function));
  auto bytes = bindSharedMemory(module, shared, reached);
  if (!bytes)
    return bytes.takeError();
  for (size_t i = 0; i < functions.size(); ++i) {
    result[i].staticSharedBytes = (*bytes)[i];
    result[i].waitsForGrid = waitsForGrid(reached[i]);
    result[i].callsForeign = callsForeign(reached[i]);
    result[i].isReversed = isReversed;
    if (Error error =
            addEntryPoints(*functions[i], waits(reached[i]), result[i]))
      return error;
  }
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  if (Error error = verify(module))
    return error;
  return result;
}
