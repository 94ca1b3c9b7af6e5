// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations on vectors that PyK asks LLVM's back ends for: each as LLVM IR
// and as code for one element after the other, which says what is right. The
// latter knows nothing of LLVM's code generation: integers are computed in 64
// bits, floats by APFloat.

#ifndef PYK_TEST_UNIT_TARGET_CPU_BACKENDOPERATIONS_H
#define PYK_TEST_UNIT_TARGET_CPU_BACKENDOPERATIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <functional>
#include <string>
#include <vector>

namespace pyk::test {

/// Types of elements. In memory, a Bool is a byte that is 0 or 1.
enum class Element { Bool, I8, I16, I32, I64, Half, Float, Double };

bool isFloat(Element element);
/// Of a register; a Bool has one.
unsigned getBits(Element element);
/// Of memory.
unsigned getBytes(Element element);
llvm::StringRef getName(Element element);
llvm::Type *getType(llvm::LLVMContext &context, Element element);

/// The bits of the elements of a vector.
using Lanes = llvm::SmallVector<uint64_t, 32>;

/// Values for tests of `element`: extreme ones, and any others by `random`.
uint64_t makeValue(Element element, uint64_t random);

/// An operation on up to three vectors.
struct Operation {
  std::string name;
  /// The elements of the operands and of the result.
  Element from, to;
  unsigned operands;
  /// How many elements the result has; as many as the operands if 0.
  unsigned resultLanes = 0;
  /// Whether a NaN of the result has to have the expected bits.
  bool keepsNaNs = false;
  /// Whether a zero of the result may have either sign.
  bool mixesZeros = false;
  std::function<llvm::Value *(llvm::IRBuilder<> &,
                              llvm::ArrayRef<llvm::Value *>)>
      emit = {};
  std::function<Lanes(llvm::ArrayRef<Lanes>)> evaluate = {};

  /// Whether `found`, the bits of an element of the result, is right where
  /// `expected` was computed.
  bool accepts(uint64_t expected, uint64_t found) const;
};

/// The operations that move or convert each element on its own, which accesses
/// to memory may be fused with.
std::vector<Operation> getConversions();

/// Arithmetic, comparisons and choices, element by element.
std::vector<Operation> getArithmetic();

/// Shuffles and reductions of vectors of `lanes`.
std::vector<Operation> getExchanges(unsigned lanes);

} // namespace pyk::test

#endif // PYK_TEST_UNIT_TARGET_CPU_BACKENDOPERATIONS_H
