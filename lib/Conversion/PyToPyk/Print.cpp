// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of print: one format for all that a line has.

#include "ComplexNumbers.h"
#include "IntrinsicLowering.h"
#include "Tuples.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

static Binding lowerPrint(LoweredCall &call) {
  FunctionLowering &lowering = call.lowering;
  Location loc = call.loc;
  MLIRContext *context = call.context;
  std::string format;
  SmallVector<Value> numbers;
  auto addValue = [&](StringRef directive, Value value) {
    format += directive;
    numbers.push_back(value);
  };
  auto addNumber = [&](StringRef directive, const Binding &number, Type type) {
    addValue(directive,
             lowering.convert(number.parts.front(), number.type, type, loc));
  };
  auto wide = [&](IntegerType::SignednessSemantics sign) {
    return IntegerType::get(context, 64, sign);
  };
  Type real = call.builder.getF64Type();
  std::function<void(const Binding &)> add = [&](const Binding &argument) {
    if (auto tuple = dyn_cast<TupleType>(argument.type)) {
      format += '(';
      for (unsigned item = 0; item != tuple.size(); ++item) {
        format += item == 0 ? "" : ", ";
        add(getItem(argument, item));
      }
      format += tuple.size() == 1 ? ",)" : ")";
    } else if (argument.type.isInteger(1)) {
      addValue("%s", argument.parts.front());
    } else if (isa<FloatType>(argument.type)) {
      addNumber("%f", argument, real);
    } else if (isComplex(argument.type)) {
      Type part = getPartType(argument.type);
      Value number = argument.parts.front();
      addNumber("(%f", {part, {getReal(lowering.getBuilder(), number, loc)}},
                real);
      addNumber("%+fj)", {part, {getImag(lowering.getBuilder(), number, loc)}},
                real);
    } else if (argument.type.isUnsignedInteger()) {
      addNumber("%llu", argument, wide(IntegerType::Unsigned));
    } else if (isScalar(argument.type)) {
      addNumber("%lld", argument, wide(IntegerType::Signed));
    } else if (auto text = dyn_cast<StringAttr>(
                   cast<StaticType>(argument.type).getValue())) {
      for (char character : text.getValue())
        format.append(character == '%' ? 2 : 1, character);
    } else {
      StringRef name =
          cast<IntrinsicAttr>(cast<StaticType>(argument.type).getValue())
              .getName();
      StringRef before = "(";
      for (StringRef dimension : {".x", ".y", ".z"}) {
        const Intrinsic *row = lookupIntrinsic((name + dimension).str());
        format += before;
        Type i32 = IntegerType::get(context, 32, IntegerType::Signed);
        addNumber("%lld",
                  {i32, {makeIndexValue(lowering.getBuilder(), *row, loc)}},
                  wide(IntegerType::Signed));
        before = ", ";
      }
      format += ')';
    }
  };
  for (const Binding &argument : call.arguments) {
    if (&argument != call.arguments.begin())
      format += ' ';
    add(argument);
  }
  format += '\n';
  pyk::PrintOp::create(call.builder, loc, format, numbers);
  return {call.type, {}};
}

void py::addPrintLowering(LoweringRules &rules) {
  rules.add(intrinsics::LoweringRule::Print, lowerPrint);
}
