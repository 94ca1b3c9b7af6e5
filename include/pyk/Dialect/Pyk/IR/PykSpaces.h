// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where LLVM has the memory of arrays. The numbers are NVPTX's until the host
// is known, which has one space for all.

#ifndef PYK_DIALECT_PYK_IR_PYKSPACES_H
#define PYK_DIALECT_PYK_IR_PYKSPACES_H

#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/NVPTXAddrSpace.h"

namespace pyk {

/// The LLVM address space of arrays in `space`. Constant arrays are reached
/// through generic pointers, because a large one does not fit into constant
/// memory.
inline unsigned getAddressSpace(Space space) {
  switch (space) {
  case Space::Global:
    return llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL;
  case Space::Shared:
    return llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
  case Space::Local:
  case Space::Constant:
  case Space::Generic:
    return llvm::NVPTXAS::ADDRESS_SPACE_GENERIC;
  }
  llvm_unreachable("a space of the enumeration");
}

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKSPACES_H
