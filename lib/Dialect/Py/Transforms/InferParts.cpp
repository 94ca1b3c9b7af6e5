// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: attributes, elements and items.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Attributes that arrays have in kernels.
static constexpr StringRef kArrayAttributes[] = {
    "dtype", "itemsize", "nbytes", "ndim", "shape", "size", "strides"};

StringRef py::findNearest(StringRef name, ArrayRef<StringRef> candidates) {
  StringRef best;
  // A third of the letters may be wrong, but not all.
  // Nor do those of the module count, which are right.
  unsigned length = name.size() - (name.rfind('.') + 1);
  unsigned distance =
      std::min<unsigned>(std::max<unsigned>(1, (length + 2) / 3) + 1, length);
  for (StringRef candidate : candidates)
    if (unsigned own = name.edit_distance(candidate); own < distance) {
      best = candidate;
      distance = own;
    }
  return best;
}

FailureOr<Fact> FunctionInference::evaluate(AttributeOp op) {
  Fact object = get(op.getObject());
  if (!object.type)
    return Fact();
  auto int64 = IntegerType::get(context, 64, IntegerType::Signed);
  StringRef name = op.getName();
  if (auto array = dyn_cast<ArrayType>(object.type)) {
    int64_t rank = array.getRank();
    if (name == "size" || name == "itemsize" || name == "nbytes")
      return makeTyped(int64);
    if (name == "ndim") {
      Fact result =
          makeConstant(IntAttr::get(context, IntegerAttr::get(int64, rank)));
      result.isLiteral = branches.isArgument(op.getObject());
      return result;
    }
    if (name == "shape" || name == "strides")
      return makeTyped(TupleType::get(context, SmallVector<Type>(rank, int64)));
    if (name == "dtype")
      return makeConstant(TypeAttr::get(array.getElementType()));
  }
  if (auto known = dyn_cast<StaticType>(object.type))
    if (auto intrinsic = dyn_cast<IntrinsicAttr>(known.getValue())) {
      std::string member = (intrinsic.getName() + "." + name).str();
      if (const Intrinsic *row = lookupIntrinsic(member)) {
        if (row->typing == intrinsics::IndexValue)
          return makeTyped(IntegerType::get(context, 32, IntegerType::Signed));
        return makeConstant(IntrinsicAttr::get(context, member));
      }
    }
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  error << describe(object.type) << " has no attribute '" << name << "'";
  if (!isa<ArrayType>(object.type))
    return error;
  StringRef nearest = findNearest(name, kArrayAttributes);
  if (!nearest.empty())
    error.attachNote() << "did you mean '" << nearest << "'?";
  return error;
}

FailureOr<Type> FunctionInference::getElement(Value index, ArrayType array) {
  SmallVector<Type> indices{get(index).type};
  auto tuple = dyn_cast<TupleType>(indices.front());
  if (tuple)
    indices.assign(tuple.begin(), tuple.end());
  auto items = index.getDefiningOp<TupleOp>();
  for (auto [position, type] : llvm::enumerate(indices)) {
    if (isInteger(type))
      continue;
    Location loc = items ? items.getItems()[position].getLoc() : index.getLoc();
    InFlightDiagnostic error = emitTypingError(loc);
    error << "expects integers as indices of " << describe(array) << " but got "
          << describe(type);
    if (isScalar(type))
      error.attachNote() << "convert it with int(...)";
    return error;
  }
  int64_t rank = array.getRank(), given = indices.size();
  if (given != rank)
    return emitTypingError(index.getLoc())
           << "expects " << rank << (rank == 1 ? " index" : " indices")
           << " for " << describe(array) << " but got " << given;
  return array.getElementType();
}

FailureOr<Fact> FunctionInference::evaluate(SubscriptOp op) {
  Fact object = get(op.getObject()), index = get(op.getIndex());
  if (!object.type || !index.type)
    return Fact();
  if (auto array = dyn_cast<ArrayType>(object.type)) {
    FailureOr<Type> element = getElement(op.getIndex(), array);
    return failed(element) ? FailureOr<Fact>(failure())
                           : FailureOr<Fact>(makeTyped(*element));
  }
  auto callee = dyn_cast<StaticType>(object.type);
  if (auto function = callee ? dyn_cast<FlatSymbolRefAttr>(callee.getValue())
                             : FlatSymbolRefAttr()) {
    InFlightDiagnostic error = emitTypingError(op.getObject().getLoc());
    error << "'" << function.getValue() << "' cannot be launched from a kernel";
    error.attachNote() << "called without a grid and a block, it is run by "
                          "each thread";
    return error;
  }
  auto tuple = dyn_cast<TupleType>(object.type);
  if (!tuple)
    return emitTypingError(op.getObject().getLoc())
           << "expects an array or a tuple to index but got "
           << describe(object.type);
  if (!isInteger(index.type))
    return emitTypingError(op.getIndex().getLoc())
           << "expects an integer as index of a tuple but got "
           << describe(index.type);
  positions.erase(op);
  // A name with one assignment is a constant here too.
  Attribute known =
      index.constant ? index.constant : branches.getConstant(op.getIndex());
  IntegerAttr position = dyn_cast_if_present<IntegerAttr>(known);
  if (auto integer = dyn_cast_if_present<IntAttr>(known))
    position = integer.getValue();
  int64_t size = tuple.size();
  if (position && !isa<BoolAttr>(position)) {
    int64_t value = position.getValue().getSExtValue();
    if (value < -size || value >= size)
      return emitTypingError(op.getIndex().getLoc())
             << "expects an index from " << -size << " to " << size - 1
             << " for " << describe(tuple) << " but got " << value;
    value += value < 0 ? size : 0;
    positions[op] = value;
    Fact item = makeTyped(tuple.getType(value));
    auto items = dyn_cast_if_present<ArrayAttr>(object.constant);
    if (items && !isa<UnitAttr>(items[value])) {
      item.constant = items[value];
      item.isLiteral = object.isLiteral;
    }
    return item;
  }
  if (size == 0 || !llvm::all_equal(tuple.getTypes()))
    return emitTypingError(op.getIndex().getLoc())
           << "expects a constant index for " << describe(tuple)
           << ", whose items differ in type";
  return makeTyped(tuple.getType(0));
}

FailureOr<Fact> FunctionInference::evaluate(TupleOp op) {
  SmallVector<Type> types;
  SmallVector<Attribute> constants;
  Fact result;
  result.isLiteral = true;
  for (Value item : op.getItems()) {
    Fact fact = get(item);
    if (!fact.type)
      return Fact();
    types.push_back(fact.type);
    constants.push_back(fact.constant ? fact.constant : UnitAttr::get(context));
    result.isLiteral &= !fact.constant || fact.isLiteral;
  }
  result.type = TupleType::get(context, types);
  result.constant = makeTupleConstant(context, constants);
  result.isLiteral &= result.constant != nullptr;
  return result;
}
