// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions by which LLVM's back ends are judged: each loads vectors, does
// one operation, and stores the result, so that accesses are next to what they
// may be fused with.

#ifndef PYK_TEST_UNIT_TARGET_CPU_BACKENDCASES_H
#define PYK_TEST_UNIT_TARGET_CPU_BACKENDCASES_H

#include "BackEndOperations.h"

namespace pyk::test {

/// How the elements of a vector lie in memory: next to each other, or at an
/// offset for each lane (gather and scatter).
enum class Access { Adjacent, Scattered };

/// Which lanes of an access are active.
struct Mask {
  enum Kind {
    /// All of them; there is no mask.
    All,
    /// Those of `bits`, which the code has as a constant.
    Constant,
    /// The first ones: their number is an argument.
    Prefix,
    /// An argument, a bool for each lane.
    Variable,
    /// Of those, the lanes of `bits`, a constant.
    Some
  };
  Kind kind = All;
  uint32_t bits = 0;
};

/// How the operands or the result of a case are accessed.
struct MaskedAccess {
  Access access = Access::Adjacent;
  Mask mask;
};

/// A function, and all that is known of it.
struct Case {
  const Operation *operation;
  unsigned lanes;
  /// Of all operands; inactive lanes are 0.
  MaskedAccess load;
  MaskedAccess store;

  unsigned countResults() const {
    return operation->resultLanes ? operation->resultLanes : lanes;
  }
  /// In a line.
  std::string describe() const;
};

/// The arguments of a case are pointers, at these positions.
enum CaseArgument : unsigned {
  ResultArgument,
  FirstOperandArgument,
  LoadMaskArgument = FirstOperandArgument + 3,
  StoreMaskArgument,
  LoadOffsetsArgument,
  StoreOffsetsArgument,
  CaseArgumentCount
};

/// Adds to `module` a pyk_rt_thread_fn for `test` that is called `name`.
llvm::Function *emitCase(llvm::Module &module, const Case &test,
                         llvm::StringRef name);

/// Which cases there are.
enum class Extent {
  /// Some of each kind.
  Sample,
  /// All operations, conversions with all masks, in loads and in stores.
  Everything
};

/// The cases for vectors of `lanes`, with operations of `conversions`,
/// `arithmetic` and `exchanges`. Vectors of more than `mostKnown` lanes have no
/// constant masks.
std::vector<Case> makeCases(unsigned lanes, unsigned mostKnown, Extent extent,
                            const std::vector<Operation> &conversions,
                            const std::vector<Operation> &arithmetic,
                            const std::vector<Operation> &exchanges);

} // namespace pyk::test

#endif // PYK_TEST_UNIT_TARGET_CPU_BACKENDCASES_H
