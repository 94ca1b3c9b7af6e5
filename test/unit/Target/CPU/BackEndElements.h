// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements as numbers, for the code that says which results of operations are
// right. Private to BackEnd*.cpp.

#ifndef PYK_TEST_UNIT_TARGET_CPU_BACKENDELEMENTS_H
#define PYK_TEST_UNIT_TARGET_CPU_BACKENDELEMENTS_H

#include "BackEndOperations.h"
#include "llvm/ADT/APFloat.h"

namespace pyk::test {

inline constexpr Element kIntegers[] = {Element::I8, Element::I16, Element::I32,
                                        Element::I64};
inline constexpr Element kFloats[] = {Element::Half, Element::Float,
                                      Element::Double};

/// The lowest bits of `value` that `element` has.
uint64_t truncate(Element element, uint64_t value);
/// The integer that `bits` are, with a sign.
int64_t toSigned(Element element, uint64_t bits);
llvm::APFloat toFloat(Element element, uint64_t bits);
uint64_t toBits(const llvm::APFloat &value);
/// `value` rounded to `element`.
uint64_t roundTo(Element element, llvm::APFloat value);

/// What computes one element of the result of those of the operands.
using ElementFunction = std::function<uint64_t(llvm::ArrayRef<uint64_t>)>;

/// An operation that computes each element on its own.
Operation makeElementwise(std::string name, Element from, Element to,
                          unsigned operands, decltype(Operation::emit) emit,
                          ElementFunction compute);

} // namespace pyk::test

#endif // PYK_TEST_UNIT_TARGET_CPU_BACKENDELEMENTS_H
