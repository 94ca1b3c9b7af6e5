// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of ElementTypes.td: the numbers that arrays are made of. Without
// headers of LLVM, for Python's extension has none.

#ifndef PYK_SUPPORT_ELEMENTTYPES_H
#define PYK_SUPPORT_ELEMENTTYPES_H

#include <string_view>

namespace pyk {

/// What a number is.
enum class ElementKind { Bool, Signed, Unsigned, Float, Complex };

/// A type of numbers.
struct ElementType {
  /// Numba's name for it, and NumPy's unless NumPy lacks it.
  std::string_view name;
  /// How MLIR writes it.
  std::string_view type;
  ElementKind kind;
  unsigned bytes;
  /// What pyk-run calls it.
  std::string_view shortName;
  /// The class of ml_dtypes that NumPy has it from; else empty.
  std::string_view inMlDtypes;

  /// NumPy's letter for types of this kind.
  constexpr char getLetter() const {
    return inMlDtypes.empty() ? "biufc"[int(kind)] : 'V';
  }
};

#define GET_ElementTypes_IMPL
#include "pyk/Support/ElementTypes.inc"

/// The type that Numba or ml_dtypes calls `name`; null if there is none.
constexpr const ElementType *findElementType(std::string_view name) {
  for (const ElementType &element : ElementTypes)
    if (name == element.name || (!name.empty() && name == element.inMlDtypes))
      return &element;
  return nullptr;
}

} // namespace pyk

#endif // PYK_SUPPORT_ELEMENTTYPES_H
