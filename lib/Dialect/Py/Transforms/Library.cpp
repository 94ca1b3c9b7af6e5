// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of PyK's library, by name.

#include "Library.h"
#include "pyk/Dialect/Py/IR/Members.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FuncOp py::getLibrary(Operation *op, StringRef name) {
  return SymbolTable::lookupNearestSymbolFrom<FuncOp>(
      op, StringAttr::get(op->getContext(), name));
}

FuncOp py::getLibraryMethod(Operation *op, Type type, StringRef name) {
  for (StringRef owner : getOwners(type))
    if (FuncOp method = getLibrary(op, (owner + "." + name).str()))
      return method;
  return {};
}
