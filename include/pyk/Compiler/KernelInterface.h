// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch has to know of compiled kernels. Plain data: attributes die
// with their context.

#ifndef PYK_COMPILER_KERNELINTERFACE_H
#define PYK_COMPILER_KERNELINTERFACE_H

#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Support/ElementTypes.h"
#include "pyk/runtime/Arguments.h"
#include <string>
#include <vector>

namespace pyk {

/// What one argument of a launch must be, as far as the source says.
struct ArgumentType {
  enum class Kind { None, Scalar, Array, Other };
  Kind kind = Kind::Other;
  /// The scalar's type, or that of the array's elements; null if that is
  /// unknown.
  const ElementType *number = nullptr;
  /// Whether it may be unsigned or a bool as well: from stage gpu on.
  bool isSignless = false;
  /// Array: extents, negative where any is accepted.
  llvm::SmallVector<int64_t, 4> shape;
  /// Array: false if it may have more dimensions than `shape`.
  bool hasRank = true;
  Layout layout = Layout::C;
  /// The type as MLIR prints it; empty if the kernel does not use it.
  std::string text;
  /// What the source calls it; may be empty.
  std::string name;
};

/// What one code in the record of a thread that failed stands for; as
/// `FailureAttr`.
struct KernelFailure {
  std::string error, message, function, file;
  unsigned line;
  int64_t exception;
};

/// A kernel without its code.
struct KernelInterface {
  /// Name of the entry in PTX or object code.
  std::string name;
  std::vector<ArgumentType> argumentTypes;
  std::vector<pyk_rt_parameter> parameters;
  /// Whether the kernel takes a small grid for granted.
  bool hasSmallGrid = false;
  /// The shape that all its blocks have; 0 if it takes any.
  int32_t block[3] = {0, 0, 0};
  /// What the kernel takes for granted of each argument.
  std::vector<pyk_rt_formal> formals;
  /// What its launches add to the dynamic shared memory.
  std::vector<pyk_rt_size_term> sharedSizes;
  /// What launches prove of accesses.
  std::vector<pyk_rt_bound_term> bounds;
  /// What bounds its launches: threads of a block, blocks at least on each
  /// multiprocessor, blocks of a cluster; empty if nothing does.
  std::vector<int32_t> launchBounds;
  /// Whether its threads may print.
  bool prints = false;
  /// Whether its threads may launch kernels.
  bool launches = false;
  /// Whether all blocks of its launches have to run at a time.
  bool isCooperative = false;
  /// Whether it uses shared memory whose size a launch says.
  bool usesDynamicShared = false;
};

/// The kernels of a module without their code.
struct ModuleInterface {
  std::vector<KernelInterface> kernels;
  /// Names of what code of other languages calls.
  std::vector<std::string> exports;
  /// What codes of failures stand for, from 1.
  std::vector<KernelFailure> failures;
};

} // namespace pyk

#endif // PYK_COMPILER_KERNELINTERFACE_H
