// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns LLVM IR for NVPTX into LLVM IR for the host that does the same: the
// steps, in the order in which bindToHost takes them. Private to lib/Target/CPU
// and its tests.

#ifndef PYK_LIB_TARGET_CPU_BINDTOHOST_H
#define PYK_LIB_TARGET_CPU_BINDTOHOST_H

#include "pyk/runtime/ABI.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <array>

namespace pyk {

/// The symbols of a bound module: a pyk_rt_thread_fn and a pyk_rt_blocks_fn.
inline constexpr llvm::StringLiteral threadEntryName = "pyk_cpu_thread";
inline constexpr llvm::StringLiteral blocksEntryName = "pyk_cpu_blocks";

/// What the runtime must know of a bound kernel beside its code.
struct BoundKernel {
  uint64_t staticSharedBytes = 0;
  /// Threads of a block at most; 0 if the kernel does not bound them.
  uint64_t maxThreads = 0;
  /// The kernel waits for other threads, so there is no entry for blocks.
  bool waits = false;
};

/// Rewrites `module`, in which `kernel` is a kernel for NVPTX, for `machine`.
/// It then defines the entries above and nothing else that is visible. On
/// failure the module is fit only to be destroyed.
llvm::Expected<BoundKernel> bindToHost(llvm::Module &module,
                                       llvm::StringRef kernel,
                                       const llvm::TargetMachine &machine);

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The number of hidden leading parameters of a bound function: the block, and
/// the thread's x, y and z in it.
inline constexpr unsigned hiddenParameterCount = 4;

/// Shared memory after makeHostSignatures: globals that stand for an address
/// until bindSharedMemory replaces them.
struct SharedMemory {
  llvm::SmallVector<llvm::GlobalVariable *> staticArrays;
  /// Null if there is none.
  llvm::GlobalVariable *dynamicArray = nullptr;
};

/// Gives every function the hidden parameters and passes them on at every call;
/// puts every pointer into address space 0. Names get the prefix `pyk.`, so
/// that none is taken for a function of C. Returns what became of `kernel`, a
/// function of the module. Fails on calls through pointers and on constants
/// that hold an address of the GPU.
llvm::Expected<llvm::Function *> makeHostSignatures(llvm::Function &kernel,
                                                    SharedMemory &shared);

/// What a bound function knows of its thread, made where it is first asked for.
class ThreadContext {
public:
  explicit ThreadContext(llvm::Function &function);

  llvm::Argument *getBlock() const { return block; }
  llvm::Value *getThread(unsigned dimension) const;
  /// A field of pyk_rt_block, loaded once in the entry block.
  llvm::Value *getBlockId(unsigned dimension);
  llvm::Value *getBlockDim(unsigned dimension);
  llvm::Value *getGridDim(unsigned dimension);
  llvm::Value *getDynamicSharedBytes();
  llvm::Value *getShared();
  /// The number of the thread in its block, x running fastest.
  llvm::Value *getLinearThread();
  /// A builder in the entry block, after what was asked for so far.
  llvm::IRBuilder<> &getEntryBuilder() { return builder; }

private:
  llvm::Value *load(llvm::Type *type, unsigned offset, const llvm::Twine &name,
                    uint64_t low, uint64_t high);

  llvm::Argument *block;
  std::array<llvm::Argument *, 3> thread;
  llvm::IRBuilder<> builder;
  llvm::DenseMap<unsigned, llvm::Value *> fields;
  llvm::Value *linear = nullptr;
};

/// Replaces what only the GPU has: special registers, barriers, fences, inline
/// PTX and libdevice. Sets `waits` if the module calls pyk_rt_barrier or
/// pyk_rt_yield. Fails on what has no counterpart, naming it.
llvm::Error bindCalls(llvm::Module &module, bool &waits);

/// Inserts before `call`, which calls a function of libdevice, what the host
/// has for it, and returns the result; the call stays. Fails if the host has no
/// such function, or one of another type.
llvm::Expected<llvm::Value *> callHostMath(llvm::CallInst &call);

/// Replaces conversions to and from bfloat, and its fma, by other types'
/// arithmetic.
void bindBFloats(llvm::Module &module);

/// Replaces shared arrays by offsets from the block's shared memory and returns
/// the number of bytes of the static ones.
llvm::Expected<uint64_t> bindSharedMemory(llvm::Module &module,
                                          const SharedMemory &shared);

/// Defines the entries that unpack arguments and run `kernel`, for one thread
/// and, unless it `waits`, for all threads of a range of blocks.
llvm::Error addEntryPoints(llvm::Function &kernel, bool waits);

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_BINDTOHOST_H
