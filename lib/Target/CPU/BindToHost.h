// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns LLVM IR for NVPTX into LLVM IR for the host that does the same: the
// steps, in the order in which bindToHost takes them. Private to lib/Target/CPU
// and its tests.

#ifndef PYK_LIB_TARGET_CPU_BINDTOHOST_H
#define PYK_LIB_TARGET_CPU_BINDTOHOST_H

#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/runtime/ABI.h"
#include "pyk/runtime/Limits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <array>
#include <string>
#include <vector>

namespace pyk {

/// What the names of entries begin with, before a point and the kernel's name:
/// a pyk_rt_thread_fn and a pyk_rt_blocks_fn.
inline constexpr llvm::StringLiteral threadEntryName = "pyk_cpu_thread";
inline constexpr llvm::StringLiteral blocksEntryName = "pyk_cpu_blocks";

/// The symbol of the pyk_rt_kernel_table of a module whose kernels have a
/// table.
inline constexpr llvm::StringLiteral tableName = "pyk_cpu_module";

/// The symbol that stands for the row of the table that tells of a kernel,
/// which a kernel launches, until the table is there.
inline std::string getRowName(llvm::StringRef kernel) {
  return ("pyk_cpu_row." + kernel).str();
}

/// The attribute of functions that run a whole block: its value is how many
/// threads that has, if it is known.
inline constexpr llvm::StringLiteral blockAttrName = kTile.name;

/// The attribute of those which run several: its value is how many at most.
inline constexpr llvm::StringLiteral runAttrName = kRun.name;

/// The attribute of those in which x and another axis of the grid have each
/// other's names: its value is the number of the other one.
inline constexpr llvm::StringLiteral laneAxisAttrName = kLaneAxis.name;

/// The axis of the grid that `function` calls `dimension`.
unsigned getAxis(const llvm::Function &function, unsigned dimension);

/// What the runtime must know of a bound kernel.
struct BoundKernel {
  std::string name;
  /// Whether the function runs a whole block.
  bool isOfBlock = false;
  /// The threads of that block; 0 if they are not known.
  uint64_t blockThreads = 0;
  /// Blocks, neighbours along what it calls x, that it runs at a time at most:
  /// how many is in the place of a thread's index on x.
  uint64_t blocksOfRun = 1;
  /// Null if the function runs a whole block and waits for no other.
  llvm::Function *thread = nullptr;
  /// Null if the kernel waits for other threads, or is reversed.
  llvm::Function *blocks = nullptr;
  llvm::SmallVector<uint32_t> parameterBytes;
  uint64_t staticSharedBytes = 0;
  /// Threads of a block at most; 0 if the kernel does not bound them.
  uint64_t maxThreads = 0;
  /// Whether its threads may wait for all of the grid.
  bool waitsForGrid = false;
  /// Whether threads and blocks run from the last to the first.
  bool isReversed = false;
  /// Whether it calls code of other languages, whose frames nobody knows.
  bool callsForeign = false;
  /// Of one thread; known after optimization.
  uint64_t localBytes = 0;
};

/// Rewrites `module`, in which `kernels` are kernels for NVPTX, for `machine`,
/// and those that they launch, which come behind them. Threads run in order, or
/// in reverse.
/// It then defines the entries of each and nothing else that is visible. On
/// failure the module is fit only to be destroyed.
llvm::Expected<std::vector<BoundKernel>>
bindToHost(llvm::Module &module, llvm::ArrayRef<llvm::StringRef> kernels,
           const llvm::TargetMachine &machine, bool isReversed);

/// Adds the pyk_rt_kernel_table that tells of `kernels`, which are in `module`.
void addKernelTable(llvm::Module &module, llvm::ArrayRef<BoundKernel> kernels);

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The number of hidden leading parameters of a bound function: the block, and
/// the thread's x, y and z in it.
inline constexpr unsigned hiddenParameterCount = 4;

/// Functions that are reached from some, with these.
using Reached = llvm::SetVector<llvm::Function *>;

/// All functions that `kernels` call, directly or not, or refer to.
Reached getReached(llvm::ArrayRef<llvm::Function *> kernels);

/// Shared memory after makeHostSignatures: globals that stand for an address
/// until bindSharedMemory replaces them.
struct SharedGlobals {
  llvm::SmallVector<llvm::GlobalVariable *> staticArrays;
  /// Null if there is none.
  llvm::GlobalVariable *dynamicArray = nullptr;
};

/// Replaces conversions to and from bfloat, comparisons, its fma and its atomic
/// addition, by other types' arithmetic; of half, the fma and the conversion
/// from double, where `machine` has no arithmetic on half.
void bindShortFloats(llvm::Module &module, const llvm::TargetMachine &machine);

/// Whether `machine` has instructions for arithmetic on half.
bool hasHalfArithmetic(const llvm::TargetMachine &machine);

/// Expands operations on vectors that LLVM would do for one lane after the
/// other on `machine`: divisions of integers, conversions to integers that
/// saturate, and rounding of f16.
void bindVectors(llvm::Module &module, const llvm::TargetMachine &machine);

/// Gives every function the hidden parameters and passes them on at every call;
/// puts every pointer into address space 0; makes integers of bfloats, which
/// bindShortFloats must have left without arithmetic. Names get the prefix
/// `pyk.`, so that none is taken for a function of C. Replaces `kernels`,
/// functions of the module, by what became of them. Fails on calls through
/// pointers and on constants that hold an address of the GPU.
llvm::Error makeHostSignatures(llvm::Module &module,
                               llvm::MutableArrayRef<llvm::Function *> kernels,
                               SharedGlobals &shared);

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
  llvm::Value *getSums();
  llvm::Value *getBytesKept();
  /// The number of the thread in its block, x running fastest.
  llvm::Value *getLinearThread();
  /// Makes the block whose index is `x`, along what the function calls x, the
  /// current one before `position`. Returns the write.
  llvm::Value *enterBlock(llvm::Value *x, llvm::Instruction &position);
  /// A builder in the entry block, after what was asked for so far.
  llvm::IRBuilder<> &getEntryBuilder() { return builder; }

private:
  llvm::Value *load(llvm::Type *type, unsigned offset, const llvm::Twine &name,
                    uint64_t low, uint64_t high);

  /// The axes of the grid that the function calls x, y and z.
  std::array<unsigned, 3> axes;
  llvm::Argument *block;
  std::array<llvm::Argument *, 3> thread;
  llvm::IRBuilder<> builder;
  llvm::DenseMap<unsigned, llvm::Value *> fields;
  llvm::Value *linear = nullptr;
};

/// Lets the thread wait for those of its warp in the mask that the call gives.
llvm::Value *meetWarp(llvm::CallInst &call, ThreadContext &thread);

/// The value of a call by which threads of a warp give each other something, or
/// null if it is another call.
llvm::Value *computeOfWarp(llvm::CallInst &call, ThreadContext &thread);

/// Replaces what only the GPU has: special registers, barriers, fences, inline
/// PTX and libdevice. Fails on what has no counterpart, naming it.
llvm::Error bindCalls(llvm::Module &module, const llvm::TargetMachine &machine);

/// Where formulas of math functions are written: nowhere, since the processor
/// would be slow at them; in the place of each call; or in functions, which
/// keeps long kernels short (decision 14).
enum class Formulas { None, Inlined, Called };

/// Where to write the formulas of a function, of which `calls` are the calls.
Formulas chooseFormulas(llvm::ArrayRef<llvm::CallInst *> calls);

/// Inserts before `call`, which calls a function of libdevice, what the host
/// has for it, and returns the result; the call stays. `formulas` says where
/// formulas are written, which take vectors. Fails if the host has no such
/// function, or one of another type.
llvm::Expected<llvm::Value *> callHostMath(llvm::CallInst &call,
                                           Formulas formulas);

/// Replaces shared arrays by offsets from the block's shared memory and returns
/// for each kernel, given by the functions that it reaches, the number of bytes
/// of its static ones.
llvm::Expected<llvm::SmallVector<uint64_t>>
bindSharedMemory(llvm::Module &module, const SharedGlobals &shared,
                 llvm::ArrayRef<Reached> kernels);

/// Calls `visit` with each use of an address in the memory of `array`, a
/// parameter, but for those that make other addresses in it of one; false as
/// soon as it returns false.
bool forEachUseOfMemory(llvm::Argument &array,
                        llvm::function_ref<bool(llvm::Use &)> visit);

/// Marks atomic additions that a worker may collect, in functions that run a
/// block; before anything but the order of atomic operations is changed.
void markPartialSums(llvm::Module &module);

/// The tables in which a function collects additions.
struct PartialSums {
  struct Table {
    /// Where it begins among the bytes of all.
    uint64_t offset;
    /// Does what is left in it.
    llvm::Function *emptier;
  };
  uint64_t bytes = 0;
  llvm::SmallVector<Table> tables;
};

/// Lets `function`, which is bound, collect the additions that are marked, in
/// tables at the `sums` of its block.
PartialSums addPartialSums(llvm::Function &function);

/// Lets `function`, which is bound and runs a block of `threads`, store past
/// the caches what these cannot keep, as its block's `bytes_kept` says; false
/// if it stores nothing of the kind. What it stores so is seen by others after
/// endStreamingStores.
bool addStreamingStores(llvm::Function &function, uint64_t threads);
void endStreamingStores(llvm::IRBuilder<> &builder);

/// Defines the entries that unpack arguments and run `function`, for one thread
/// and, unless it `waits` or is reversed, for all threads of a range of blocks;
/// the latter alone if it runs a block. Sets them and the bytes of parameters
/// in `kernel`, which says the rest.
llvm::Error addEntryPoints(llvm::Function &function, bool waits,
                           BoundKernel &kernel);

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_BINDTOHOST_H
