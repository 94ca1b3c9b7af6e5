// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that stand for others. An instance of a namedtuple has the parts of
// its tuple, a member of an enumeration those of its value, and an optional
// those of its value and, as the last part, whether there is one.

#include "Wrappers.h"
#include "Checks.h"
#include "Constants.h"
#include "Scalars.h"
#include "Tuples.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Value py::isPresent(OpBuilder &builder, const Binding &binding, Location loc) {
  if (isa<OptionalType>(binding.type))
    return binding.parts.back();
  return makeInteger(builder, !isa<NoneType>(binding.type), builder.getI1Type(),
                     loc);
}

Binding py::getInner(const Binding &binding) {
  ArrayRef<Value> parts = binding.parts;
  if (isa<OptionalType>(binding.type))
    parts = parts.drop_back();
  return {unwrapOnce(binding.type), {parts.begin(), parts.end()}};
}

Binding WrapperLowering::convertToOptional(const Binding &binding,
                                           OptionalType to, Location loc) {
  Binding result;
  if (isa<NoneType>(binding.type))
    result = makeUndefined(builder, to.getValue(), loc);
  else
    result = lowering.convert(
        isa<OptionalType>(binding.type) ? getInner(binding) : binding,
        to.getValue(), loc);
  result.type = to;
  result.parts.push_back(isPresent(builder, binding, loc));
  return result;
}

/// `binding` as `to`, for which it stands.
Binding WrapperLowering::unwrap(const Binding &binding, Type to, Location loc) {
  if (binding.type == to)
    return binding;
  if (Type inner = unwrapOnce(binding.type)) {
    lowering.checks().require(isPresent(builder, binding, loc), "TypeError",
                              "expected " + describe(inner) + " but got None",
                              loc);
    return unwrap(getInner(binding), to, loc);
  }
  Binding result{to, {}};
  for (auto [position, type] : llvm::enumerate(cast<TupleType>(to).getTypes()))
    llvm::append_range(result.parts,
                       unwrap(getItem(binding, position), type, loc).parts);
  return result;
}

Binding WrapperLowering::evaluate(UnwrapOp op) {
  return unwrap(lowering.get(op.getValue()), op.getType(), op.getLoc());
}

Binding WrapperLowering::makeNamedTuple(CallOp op, NamedTupleClassAttr own,
                                        ArrayRef<Binding> arguments) {
  Location loc = op.getLoc();
  Binding result{op.getType(), {}};
  TupleType items = getTuple(op.getType());
  size_t positional = arguments.size();
  if (op.getKeywords())
    positional -= op.getKeywords()->size();
  for (auto [position, field, given, type] :
       llvm::enumerate(own.getFields(), own.getDefaults(), items.getTypes())) {
    size_t index = position;
    if (position >= positional) {
      auto keywords = op.getKeywords().value_or(ArrayAttr::get(context, {}));
      index = positional + (llvm::find(keywords, field) - keywords.begin());
    }
    Binding item = index < arguments.size() ? arguments[index]
                                            : makeConstant(builder, given, loc);
    llvm::append_range(result.parts, lowering.convert(item, type, loc).parts);
  }
  return result;
}
