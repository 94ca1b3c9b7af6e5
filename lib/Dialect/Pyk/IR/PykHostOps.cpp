// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing, failures and variables for debuggers: verification.

#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/runtime/ABI.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykHostOps.cpp.inc"

void PykDialect::registerHostOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykHostOps.cpp.inc"
      >();
}

/// Whether `text` and `file` can be given to the host: they are lines of one
/// text there.
static LogicalResult verifyLines(Operation *op, StringRef text,
                                 StringRef file) {
  for (StringRef line : {text, file})
    if (line.contains('\0') || line.contains('\n'))
      return op->emitOpError(
          "expects text of one line without null characters");
  return success();
}

LogicalResult OutsideLanesOp::verify() {
  // outside_lanes_c1
  ArrayRef<int32_t> forms = getForms();
  if (forms.empty() || forms.size() > 1 + kMaxToldIndices)
    return emitOpError("expects 1 to ")
           << 1 + kMaxToldIndices << " forms but got " << forms.size();
  for (int32_t form : forms)
    if (form < PYK_RT_UNIFORM || form > PYK_RT_BY_LANE)
      return emitOpError("expects forms of 1 to 3 but got ") << form;
  // outside_lanes_c2
  if (getLanes() < 1 || getLanes() > 64)
    return emitOpError("expects 1 to 64 lanes but got ") << getLanes();
  if (getVectors() < 1 || getVectors() > 1024)
    return emitOpError("expects 1 to 1024 vectors but got ") << getVectors();
  // outside_lanes_c3
  return verifyLines(*this, getText(), getFile());
}

LogicalResult OutsideOp::verify() {
  // outside_c1
  if (getIndices().size() > kMaxToldIndices)
    return emitOpError("expects at most ")
           << kMaxToldIndices << " indices but got " << getIndices().size();
  // outside_c2
  return verifyLines(*this, getText(), getFile());
}

LogicalResult PrintOp::verify() {
  // print_c1
  auto isWanted = [](StringRef directive, Type type) {
    if (directive == "lld" || directive == "llu")
      return type.isInteger(64);
    return directive.ends_with("f") ? type.isF64() : type.isInteger(1);
  };
  ValueRange rest = getValues();
  StringRef format = getFormat();
  for (size_t at; (at = format.find('%')) != StringRef::npos;) {
    format = format.drop_front(at + 1);
    if (format.consume_front("%"))
      continue;
    StringRef directive;
    for (StringRef known : {"lld", "llu", "f", "+f", "s"})
      if (format.starts_with(known))
        directive = known;
    if (directive.empty())
      return emitOpError("expects %lld, %llu, %f, %+f, %s or %% but got '%")
             << format.take_front(1) << "'";
    format = format.drop_front(directive.size());
    if (rest.empty())
      return emitOpError("expects a value for each directive");
    if (!isWanted(directive, rest.front().getType()))
      return emitOpError("cannot write ")
             << rest.front().getType() << " as '%" << directive << "'";
    rest = rest.drop_front();
  }
  if (!rest.empty())
    return emitOpError("expects a directive for each value");
  // print_c2
  if (getFormat().contains('\0'))
    return emitOpError("expects text without null characters");
  return success();
}

LogicalResult CheckOp::verify() {
  // check_c1
  size_t most = getFailure() ? kMaxFailureValues : 0;
  if (getValues().size() > most)
    return emitOpError("expects at most ")
           << most << " values but got " << getValues().size();
  return success();
}

/// `number` without a sign; null if it is no number.
static Type getSignless(Type number) {
  if (auto integer = dyn_cast<IntegerType>(number))
    return IntegerType::get(number.getContext(), integer.getWidth());
  return isa<FloatType, ComplexType>(number) ? number : Type();
}

LogicalResult DebugValueOp::verify() {
  // debug_value_c1
  Type type = getType(), held = getValue().getType();
  // Of arrays, passes find out more than a program's types say.
  auto array = dyn_cast<ArrayType>(type), heldArray = dyn_cast<ArrayType>(held);
  bool fits = array && heldArray ? getSignless(array.getElementType()) ==
                                       heldArray.getElementType()
                                 : getSignless(type) == held;
  if (!fits)
    return emitOpError("expects a number or an array of numbers of type ")
           << type << " but got " << held;
  return success();
}

LogicalResult CheckOp::canonicalize(CheckOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}
