// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of scalars and of the elements of arrays: how they are called on
// the command line and in .npy files, and how one value is read and printed.

#ifndef PYK_LIB_TOOLS_PYKRUN_ELEMENT_H
#define PYK_LIB_TOOLS_PYKRUN_ELEMENT_H

#include "pyk/Support/ElementTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace pyk::run {

using Element = ElementType;

/// The type that `--arg` calls `name`; null if there is none.
const Element *findElement(llvm::StringRef name);

/// The names that `--arg` has for all types.
std::string listElements();

/// `descr` of `element` in .npy files, on this (little-endian) machine.
std::string getNpyName(const Element &element);

/// Whether `descr` of a .npy file may stand for `element`. Of what NumPy has
/// from ml_dtypes, several do.
bool isNpyName(llvm::StringRef descr, const Element &element);

/// Writes the value that `text` stands for to `memory`. Fails if it stands for
/// none of this type.
llvm::Error parseValue(const Element &element, llvm::StringRef text,
                       char *memory);

/// Writes `value`, converted as by a C cast, to `memory`.
void storeInteger(const Element &element, uint64_t value, char *memory);

/// Writes a value made from random bits, of which `next` yields 64 at a time,
/// to `memory`: any value of an integer type, or floats from 0 to 1.
void storeRandom(const Element &element, llvm::function_ref<uint64_t()> next,
                 char *memory);

/// The value at `memory` as Python prints it: of floats the fewest digits that
/// stand for no other value of the type.
std::string formatValue(const Element &element, const char *memory);

} // namespace pyk::run

#endif // PYK_LIB_TOOLS_PYKRUN_ELEMENT_H
