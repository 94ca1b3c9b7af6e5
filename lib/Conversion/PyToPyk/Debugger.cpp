// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What debuggers are told of variables: of each that is a number or an array of
// numbers, whenever it is set. SSA values have no names and go when nothing
// reads them any more, so an op says it that stays.

#include "Debugger.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// What debuggers take `type` for; null if they would not know it.
static Type getShown(Type type) {
  if (auto member = dyn_cast<EnumType>(type))
    return getShown(member.getValue());
  if (auto stored = dyn_cast<StoredTypeInterface>(type))
    type = stored.getStored();
  if (auto array = dyn_cast<ArrayType>(type)) {
    Type element = getShown(array.getElementType());
    return element && !isa<ArrayType>(element) ? array.withElementType(element)
                                               : Type();
  }
  return isa<IntegerType, FloatType, ComplexType>(type) ? type : Type();
}

void py::tellDebugger(FunctionLowering &lowering, StringAttr name,
                      const Binding &value, Location loc, int64_t argument) {
  if (lowering.getOptions().debugInfo != "full" || value.parts.size() != 1)
    return;
  Type shown = getShown(value.type);
  if (!shown)
    return;
  OpBuilder &b = lowering.getBuilder();
  pyk::DebugValueOp::create(
      b, loc, name, TypeAttr::get(shown), value.parts.front(),
      argument ? b.getI64IntegerAttr(argument) : IntegerAttr());
}
