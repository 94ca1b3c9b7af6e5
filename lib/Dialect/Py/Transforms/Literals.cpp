// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Literals in the text of a function: those that CPython computes with before
// anyone else sees them, and how wide they are.

#include "Folding.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

bool py::isLiteralText(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && !constant.getName();
}

/// The item of a literal tuple; null if there is none.
static Attribute foldSubscript(Attribute object, Attribute index) {
  auto items = dyn_cast<ArrayAttr>(object);
  auto position = dyn_cast<IntAttr>(index);
  if (!items || !position)
    return {};
  int64_t size = items.size();
  int64_t value = position.getValue().getValue().getSExtValue();
  value += value < 0 ? size : 0;
  return value >= 0 && value < size ? items[value] : Attribute();
}

void py::foldLiterals(FuncOp function) {
  function.walk([](Operation *op) {
    if (!isa<UnaryOp, BinaryOp, SubscriptOp, TupleOp>(op) ||
        !llvm::all_of(op->getOperands(), isLiteralText))
      return;
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      operands.push_back(operand.getDefiningOp<ConstantOp>().getValue());
    Attribute result;
    if (auto unary = dyn_cast<UnaryOp>(op))
      result = foldUnary(unary.getKind(), operands[0]);
    else if (auto binary = dyn_cast<BinaryOp>(op))
      result = binary.getInplace()
                   ? Attribute()
                   : foldBinary(binary.getKind(), operands[0], operands[1]);
    else if (isa<SubscriptOp>(op))
      result = foldSubscript(operands[0], operands[1]);
    else if (!cast<TupleOp>(op).getStarred())
      result = ArrayAttr::get(op->getContext(), operands);
    if (!result)
      return;
    OpBuilder builder(op);
    // One constant may be both operands.
    llvm::SmallSetVector<Value, 2> sources(op->operand_begin(),
                                           op->operand_end());
    op->getResult(0).replaceAllUsesWith(
        ConstantOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                           result, StringAttr()));
    op->erase();
    for (Value source : sources)
      if (Operation *constant = source.getDefiningOp();
          constant && constant->use_empty())
        constant->erase();
  });
}

/// `constant` with ints of 32 bits where these hold them, and with floats of 32
/// bits if `reals` says so.
static Attribute narrow(Attribute constant, bool reals) {
  MLIRContext *context = constant.getContext();
  if (auto items = dyn_cast<ArrayAttr>(constant))
    return ArrayAttr::get(context,
                          llvm::map_to_vector(items, [](Attribute item) {
                            return narrow(item, /*reals=*/true);
                          }));
  if (auto real = dyn_cast<FloatAttr>(constant);
      real && real.getType().isF64() && reals) {
    APFloat value = real.getValue();
    bool losesInfo;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return FloatAttr::get(Float32Type::get(context), value);
  }
  auto integer = dyn_cast<IntAttr>(constant);
  if (!integer || !integer.getValue().getType().isSignedInteger() ||
      !integer.getValue().getValue().isSignedIntN(32))
    return constant;
  auto type = IntegerType::get(context, 32, IntegerType::Signed);
  return IntAttr::get(
      context, IntegerAttr::get(type, integer.getValue().getValue().trunc(32)));
}

/// True if `user` converts a constant to a type of its own.
static bool isConverting(Operation *user) {
  if (auto call = dyn_cast<CallOp>(user)) {
    auto callee = call.getCallee().getDefiningOp<ConstantOp>();
    return callee && isa<TypeAttr>(callee.getValue());
  }
  return isa<BinaryOp, CompareOp, SetSubscriptOp>(user);
}

void py::narrowLiterals(FuncOp function) {
  if (ArrayAttr defaults = function.getDefaultsAttr())
    function.setDefaultsAttr(cast<ArrayAttr>(narrow(defaults, true)));
  function.walk([](ConstantOp op) {
    bool reals = llvm::none_of(op->getUsers(), isConverting);
    op.setValueAttr(narrow(op.getValue(), reals));
  });
}
