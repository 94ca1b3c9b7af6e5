// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces of ops, and what must hold for every access to an element.

#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"
#include "PykAccess.h"

using namespace mlir;
using namespace pyk;

#include "pyk/Dialect/Pyk/IR/PykInterfaces.cpp.inc"

LogicalResult pyk::verifyAccess(AccessOpInterface access) {
  // load_c2, store_c2, atomic_c2, atomic_cas_c2
  ArrayType type = access.getArray().getType();
  int64_t given = access.getIndices().size();
  if (given != type.getRank())
    return access->emitOpError("expects ")
           << type.getRank() << " indices for a " << type.getRank()
           << "-dimensional array but got " << given;
  // load_c3, store_c4
  if (type.getRecord())
    return access->emitOpError("expects an array of numbers but got ") << type;
  return success();
}

LogicalResult pyk::verifyWrite(AccessOpInterface access) {
  // store_c3, atomic_c3, atomic_cas_c3
  if (access.getArray().getType().isReadOnly())
    return access->emitOpError("expects an array that can be written but got ")
           << access.getArray().getType();
  return verifyAccess(access);
}
