// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic access: verification.

#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "PykAccess.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.cpp.inc"

void PykDialect::registerAtomicOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.cpp.inc"
      >();
}

LogicalResult AtomicOp::verify() {
  // atomic_c1
  if (isa<FloatType>(getResult().getType()) &&
      llvm::is_contained({AtomicKind::And, AtomicKind::Or, AtomicKind::Xor,
                          AtomicKind::Inc, AtomicKind::Dec},
                         getKind()))
    return emitOpError("expects integers for '")
           << stringifyAtomicKind(getKind()) << "' but got "
           << getResult().getType();
  return verifyWrite(*this);
}

/// Its operands' types see to atomic_cas_c1.
LogicalResult AtomicCasOp::verify() { return verifyWrite(*this); }
