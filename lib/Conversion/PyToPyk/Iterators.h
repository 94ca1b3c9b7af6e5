// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterators, of which elements are taken one by one.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_ITERATORS_H
#define PYK_LIB_CONVERSION_PYTOPYK_ITERATORS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Lowers iterators: what they run over, and how many elements of it are taken.
class IteratorLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  /// Whether `iterable` is an iterator, or runs over one.
  bool hasIterator(const Binding &iterable);
  /// The next element of what has iterators in it, or element `counter` of what
  /// has none. `leave` ends all unless the condition holds that it is given.
  Binding takeElement(const Binding &iterable, mlir::Value counter,
                      llvm::function_ref<void(mlir::Value)> leave,
                      mlir::Location loc);
  /// An iterator over `source` of which nothing is taken.
  Binding makeIterator(const Binding &source, mlir::Location loc);
  /// The next element; the thread ends if there is none.
  Binding takeNext(const Binding &iterator, mlir::Location loc);

private:
  /// How many elements of an iterator have been taken.
  mlir::Value getTaken(const Binding &iterator, mlir::Location loc);
  void setTaken(const Binding &iterator, mlir::Value count, mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_ITERATORS_H
