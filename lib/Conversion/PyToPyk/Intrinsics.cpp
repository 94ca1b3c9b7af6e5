// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics: what Intrinsics.td says that each becomes.

#include "Ranges.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Intrinsics/Libdevice.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Value FunctionLowering::makeIndexValue(const Intrinsic &intrinsic,
                                       Location loc) {
  Type i32 = builder.getI32Type();
  auto [name, dimension] = StringRef(intrinsic.lowering).split(' ');
  int64_t number;
  if (!name.getAsInteger(10, number))
    return makeInteger(number, i32, loc);
  OperationState state(loc, name);
  state.addTypes(i32);
  if (!dimension.empty())
    state.addAttribute(
        "dimension",
        DimensionAttr::get(context, *symbolizeDimension(dimension)));
  return builder.create(state)->getResult(0);
}

Value FunctionLowering::makeMagnitude(Value value, Location loc) {
  // The smallest number is its own magnitude: negation wraps.
  Value zero = makeZero(value.getType(), loc);
  Value negated = arith::SubIOp::create(builder, loc, zero, value);
  Value isNegative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, value, zero);
  return arith::SelectOp::create(builder, loc, isNegative, negated, value);
}

void FunctionLowering::print(ArrayRef<Binding> arguments, Location loc) {
  std::string format;
  SmallVector<Value> numbers;
  // What one op cannot write as a whole is written piece by piece.
  auto flush = [&] {
    pyk::PrintOp::create(builder, loc, format, numbers);
    format.clear();
    numbers.clear();
  };
  auto addValue = [&](StringRef directive, Value value) {
    if (numbers.size() == kMaxPrintedValues)
      flush();
    format += directive;
    numbers.push_back(value);
  };
  auto addNumber = [&](StringRef directive, const Binding &number, Type type) {
    addValue(directive, convert(number.parts.front(), number.type, type, loc));
  };
  auto wide = [&](IntegerType::SignednessSemantics sign) {
    return IntegerType::get(context, 64, sign);
  };
  Type real = builder.getF64Type();
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
      addNumber("(%f", {part, {getReal(number, loc)}}, real);
      addNumber("%+fj)", {part, {getImag(number, loc)}}, real);
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
        addNumber("%lld", {i32, {makeIndexValue(*row, loc)}},
                  wide(IntegerType::Signed));
        before = ", ";
      }
      format += ')';
    }
  };
  for (const Binding &argument : arguments) {
    if (&argument != arguments.begin())
      format += ' ';
    add(argument);
  }
  format += '\n';
  flush();
}

Binding FunctionLowering::evaluateIntrinsic(CallOp op,
                                            const Intrinsic &intrinsic,
                                            ArrayRef<Binding> arguments) {
  using namespace intrinsics;
  Location loc = op.getLoc();
  Type type = op.getType();
  auto convertTo = [&](const Binding &binding, Type target) {
    return convert(binding.parts.front(), binding.type, target, loc);
  };
  /// The op that the table names, on `operands`.
  auto build = [&](ValueRange operands, Type result) -> Value {
    StringRef lowering = intrinsic.lowering;
    if (lowering.consume_front("*")) {
      double factor = 0;
      lowering.getAsDouble(factor);
      return arith::MulFOp::create(builder, loc, operands[0],
                                   makeFloat(factor, result, loc), flags);
    }
    if (lowering.consume_front("libdevice ")) {
      // The functions on float32 have an f at their end.
      std::string function =
          (lowering + (operands[0].getType().isF32() ? "f" : "")).str();
      return pyk::LibdeviceOp::create(builder, loc, result, function, operands)
          .getResult(0);
    }
    OperationState state(loc, lowering);
    state.addOperands(operands);
    state.addTypes(result);
    return builder.create(state)->getResult(0);
  };

  /// What zip or enumerate yields, an iterator if the program keeps it.
  auto makeKept = [&](Binding result) {
    auto iterator = dyn_cast<IteratorType>(type);
    if (!iterator)
      return result;
    result.type = iterator.getSource();
    return makeIterator(result, loc);
  };

  switch (intrinsic.typing) {
  case FloatUnary:
  case FloatUnaryF16:
  case FloatUnaryBF16:
  case FloatUnaryShort:
  case FloatBinary:
  case Fma:
  case FmaBFloat16: {
    SmallVector<Value> operands;
    for (const Binding &argument : arguments)
      operands.push_back(convertTo(argument, type));
    return {type, {build(operands, type)}};
  }
  case BitCast: {
    Type from =
        getDtype(StringRef(intrinsic.lowering).split(' ').first, context);
    SmallVector<Type, 1> target;
    appendPartTypes(type, target);
    return {type,
            {builder.createOrFold<arith::BitcastOp>(
                loc, target.front(), convertTo(arguments[0], from))}};
  }
  case FloatExponent: {
    // Exponents that 32 bits do not hold are as good as the largest they do.
    Type wide = IntegerType::get(context, 64, IntegerType::Signed);
    Value exponent = convertTo(arguments[1], wide);
    if (arguments[1].type.isUnsignedInteger(64))
      exponent = builder.createOrFold<arith::MinUIOp>(
          loc, exponent, makeInteger(INT32_MAX, builder.getI64Type(), loc));
    exponent = builder.createOrFold<arith::MinSIOp>(
        loc, exponent, makeInteger(INT32_MAX, builder.getI64Type(), loc));
    exponent = builder.createOrFold<arith::MaxSIOp>(
        loc, exponent, makeInteger(INT32_MIN, builder.getI64Type(), loc));
    exponent = builder.createOrFold<arith::TruncIOp>(loc, builder.getI32Type(),
                                                     exponent);
    return {type, {build({convertTo(arguments[0], type), exponent}, type)}};
  }
  case FloatToExponent: {
    Type own = arguments[0].type;
    Type real = isa<FloatType>(own) && !own.isF64() ? Type(builder.getF32Type())
                                                    : builder.getF64Type();
    return {type, {build(convertTo(arguments[0], real), builder.getI32Type())}};
  }
  case Common:
  case CommonNumber:
  case CommonReal: {
    auto tuple = dyn_cast<TupleType>(type);
    Type element = tuple ? tuple.getType(0) : type;
    Binding result{type, {}};
    for (const Binding &argument : arguments)
      result.parts.push_back(convertTo(argument, element));
    return result;
  }
  case IsInstance: {
    Value is =
        makeInteger(*isInstance(arguments[0].type, arguments[1].type, typing),
                    builder.getI1Type(), loc);
    return {type,
            {builder.createOrFold<arith::AndIOp>(
                loc, is, isPresent(arguments[0], loc))}};
  }
  case ClassOf:
    return {type, {}};
  case Libdevice: {
    const LibdeviceFunction *function = lookupLibdevice(intrinsic.lowering);
    SmallVector<Value> operands;
    for (auto [argument, letter] :
         llvm::zip_equal(arguments, function->parameters))
      operands.push_back(convertTo(
          argument, getLibdeviceType(letter, context, IntegerType::Signed)));
    SmallVector<Type> results;
    appendPartTypes(type, results);
    auto call = pyk::LibdeviceOp::create(builder, loc, results, function->name,
                                         operands);
    return {type, llvm::to_vector_of<Value>(call.getResults())};
  }
  case IsNat:
    return {type, {isNat(arguments[0].parts.front(), loc)}};
  case LeastReal:
  case Like:
    return convert(arguments[0], type, loc);
  case FloatPredicate: {
    Type real = isa<FloatType>(arguments[0].type) ? arguments[0].type
                                                  : builder.getF64Type();
    return {type, {build(convertTo(arguments[0], real), builder.getI1Type())}};
  }
  case Abs: {
    if (isComplex(arguments[0].type)) {
      Type part = getPartType(arguments[0].type);
      Value size = complex::AbsOp::create(builder, loc, part,
                                          arguments[0].parts.front());
      return convert(Binding{part, {size}}, type, loc);
    }
    Value value = convertTo(arguments[0], type);
    if (isa<FloatType>(type))
      value = math::AbsFOp::create(builder, loc, value);
    else if (type.isSignedInteger() || isa<TimeType>(type))
      value = makeMagnitude(value, loc);
    return {type, {value}};
  }
  case MinMax: {
    bool isMin = intrinsic.lowering == "min";
    Value result;
    SmallVector<Binding> items(arguments);
    if (auto tuple = dyn_cast<TupleType>(arguments[0].type)) {
      items.clear();
      for (unsigned position = 0; position != tuple.size(); ++position)
        items.push_back(getItem(arguments[0], position));
    }
    for (const Binding &argument : items) {
      Value value = convertTo(argument, type);
      if (!result)
        result = value;
      else if (isa<TimeType>(type))
        // As Python has it, so that the first stays beside NaT.
        result = arith::SelectOp::create(
            builder, loc,
            makeTimeComparison(isMin ? CompareOperator::Lt
                                     : CompareOperator::Gt,
                               value, result, loc),
            value, result);
      else if (isa<FloatType>(type))
        result = isMin ? arith::MinNumFOp::create(builder, loc, result, value)
                             .getResult()
                       : arith::MaxNumFOp::create(builder, loc, result, value)
                             .getResult();
      else if (type.isSignedInteger())
        result = isMin ? arith::MinSIOp::create(builder, loc, result, value)
                             .getResult()
                       : arith::MaxSIOp::create(builder, loc, result, value)
                             .getResult();
      else
        result = isMin ? arith::MinUIOp::create(builder, loc, result, value)
                             .getResult()
                       : arith::MaxUIOp::create(builder, loc, result, value)
                             .getResult();
    }
    return {type, {result}};
  }
  case Pow: {
    Binding exponent =
        convert(arguments[1],
                getOperandType(op.getInputs()[1], arguments[1].type,
                               arguments[0].type, typing),
                loc);
    Type own = getBinaryType(BinaryOperator::Pow, arguments[0].type,
                             exponent.type, typing);
    return convert(
        makeBinary(BinaryOperator::Pow, arguments[0], exponent, own, loc), type,
        loc);
  }
  case Round: {
    if (arguments.size() == 2)
      return {type, {makeRounded(arguments[0], arguments[1], type, loc)}};
    if (!isa<FloatType>(arguments[0].type))
      return convert(arguments[0], type, loc);
    Value rounded =
        math::RoundEvenOp::create(builder, loc, arguments[0].parts.front());
    return {type, {convert(rounded, arguments[0].type, type, loc)}};
  }
  case ToBool:
    return {type, {getTruth(arguments[0], loc)}};
  case ToInt:
  case ToFloat:
    return convert(arguments[0], type, loc);
  case ToComplex:
  case ComplexUnary:
  case ComplexUnaryWide:
  case ComplexLog:
  case ComplexPredicate:
  case ComplexPhase:
  case ComplexPolar:
  case ComplexRect:
    return evaluateComplex(intrinsic, arguments, type, loc);
  case Len: {
    if (auto tuple = dyn_cast<TupleType>(arguments[0].type))
      return {type, {makeInteger(tuple.size(), builder.getI64Type(), loc)}};
    if (isText(arguments[0].type))
      return {type, {getTextLength(arguments[0], loc)}};
    if (isa<ArrayType>(arguments[0].type))
      return {type, {getDim(arguments[0].parts.front(), 0, loc)}};
    return {type, {countFromZero(arguments[0], loc).stop}};
  }
  case ToText:
    return arguments[0];
  case Ord:
    return makeOrd(arguments[0], type, loc);
  case intrinsics::Range: {
    IntegerType element = cast<RangeType>(type).getElementType();
    Type part = IntegerType::get(context, element.getWidth());
    Value start = makeInteger(0, part, loc), step = makeInteger(1, part, loc);
    SmallVector<Value> given;
    for (const Binding &argument : arguments)
      given.push_back(convertTo(argument, element));
    if (given.size() == 3)
      checkNotZero(given[2], "ValueError", "range() arg 3 must not be zero",
                   options.reportErrors, loc);
    if (given.size() == 1)
      return {type, {start, given[0], step}};
    return {type, {given[0], given[1], given.size() == 3 ? given[2] : step}};
  }
  case Zip: {
    Binding result{type, {}};
    for (const Binding &argument : arguments)
      llvm::append_range(result.parts, argument.parts);
    return makeKept(result);
  }
  case Enumerate: {
    Binding result{type, arguments[0].parts};
    Type number = IntegerType::get(context, 64, IntegerType::Signed);
    result.parts.push_back(arguments.size() == 2
                               ? convertTo(arguments[1], number)
                               : makeInteger(0, builder.getI64Type(), loc));
    return makeKept(result);
  }
  case Iter:
    return arguments[0].type == type ? arguments[0]
                                     : makeIterator(arguments[0], loc);
  case Next:
    return takeNext(arguments[0], loc);
  case NdIndex: {
    Type number = IntegerType::get(context, 64, IntegerType::Signed);
    Value zero = makeInteger(0, builder.getI64Type(), loc);
    Binding result{type, {}};
    auto add = [&](const Binding &extent) {
      result.parts.push_back(builder.createOrFold<arith::MaxSIOp>(
          loc, convertTo(extent, number), zero));
    };
    auto tuple = arguments.size() == 1 ? dyn_cast<TupleType>(arguments[0].type)
                                       : TupleType();
    for (unsigned item = 0; tuple && item != tuple.size(); ++item)
      add(getItem(arguments[0], item));
    if (!tuple)
      llvm::for_each(arguments, add);
    return result;
  }
  case NdIter:
    return {type, arguments[0].parts};
  case GridIndex: {
    unsigned rank = isa<TupleType>(type) ? cast<TupleType>(type).size() : 1;
    Binding result{type, {}};
    for (unsigned dimension = 0; dimension != rank; ++dimension) {
      OperationState state(loc, intrinsic.lowering);
      state.addTypes(typing == Typing::Narrow ? builder.getI32Type()
                                              : builder.getI64Type());
      state.addAttribute(
          "dimension",
          DimensionAttr::get(context, static_cast<Dimension>(dimension)));
      result.parts.push_back(builder.create(state)->getResult(0));
    }
    return result;
  }
  case Barrier: {
    auto [name, scope] = StringRef(intrinsic.lowering).split(' ');
    OperationState state(loc, name);
    if (!scope.empty())
      state.addAttribute("scope",
                         ScopeAttr::get(context, *symbolizeScope(scope)));
    builder.create(state);
    return {type, {}};
  }
  case Atomic:
  case AtomicCas:
  case FirstCas:
    return makeAtomic(op, intrinsic, arguments);
  case AllocArray: {
    SmallVector<Type, 1> parts;
    appendPartTypes(type, parts);
    auto array = cast<ArrayType>(parts.front());
    int64_t alignment =
        std::max(op.getAlignment().value_or(1), uint64_t(kOwnedAlignment));
    if (array.hasStaticShape())
      return {type, {pyk::AllocOp::create(builder, loc, array, alignment)}};
    return {type,
            {pyk::DynamicSharedOp::create(builder, loc, array, alignment)}};
  }
  case ConstantArray:
    return arguments[0];
  case intrinsics::Print:
    print(arguments, loc);
    return {type, {}};
  case IndexValue:
  case Dim3:
    break;
  }
  llvm_unreachable("inference refuses the call");
}
