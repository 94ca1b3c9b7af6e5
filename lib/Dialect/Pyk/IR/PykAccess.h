// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold for every access to an element, whatever its family.

#ifndef PYK_LIB_DIALECT_PYK_IR_PYKACCESS_H
#define PYK_LIB_DIALECT_PYK_IR_PYKACCESS_H

#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"

namespace pyk {

/// Checks what all accesses have in common.
llvm::LogicalResult verifyAccess(AccessOpInterface access);

/// Checks that, and that `access` may write.
llvm::LogicalResult verifyWrite(AccessOpInterface access);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_IR_PYKACCESS_H
