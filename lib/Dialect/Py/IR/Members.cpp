// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes of types, and the search for their members.

#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

ArrayRef<StringRef> py::getOwners(Type type) {
  // As in NumPy's tree of classes of numbers.
  static constexpr StringRef kBool[] = {"generic"},
                             kInteger[] = {"int", "number", "generic"},
                             kFloat[] = {"float", "number", "generic"},
                             kComplex[] = {"complex", "number", "generic"},
                             kArray[] = {"ndarray"}, kTuple[] = {"tuple"};
  if (auto other = dyn_cast<PythonTypeInterface>(type))
    return other.getClasses();
  if (isBool(type))
    return kBool;
  if (isInteger(type))
    return kInteger;
  if (isReal(type))
    return kFloat;
  if (isComplex(type))
    return kComplex;
  if (isa<ArrayType>(type))
    return kArray;
  return isa<TupleType>(type) ? ArrayRef(kTuple) : ArrayRef<StringRef>();
}

const Intrinsic *py::lookupMember(Type type, StringRef name) {
  for (StringRef owner : getOwners(type))
    if (const Intrinsic *row = lookupIntrinsic((owner + "." + name).str()))
      return row;
  return nullptr;
}

SmallVector<StringRef> py::getMembers(Type type) {
  SmallVector<StringRef> names;
  for (StringRef owner : getOwners(type))
    for (const Intrinsic &row : getIntrinsics())
      if (StringRef name = row.name;
          name.consume_front(owner) && name.consume_front("."))
        names.push_back(name);
  return names;
}
