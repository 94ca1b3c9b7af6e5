// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: intrinsics. The rules are those that Intrinsics.td
// names.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Intrinsics/Libdevice.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The float types that math functions compute in.
static SmallVector<Type> getFloats(MLIRContext *context) {
  return {Float32Type::get(context), Float64Type::get(context)};
}

/// f32 if it holds a number of `type`, else f64.
static Type getLeastReal(Type type) {
  SmallVector<SmallVector<Type, 3>> overloads;
  for (Type real : getFloats(type.getContext()))
    overloads.push_back({real});
  return overloads[*selectOverload(overloads, type)][0];
}

FailureOr<Fact> FunctionInference::evaluateIntrinsic(CallOp op,
                                                     const Intrinsic &intrinsic,
                                                     ArrayRef<Fact> arguments) {
  using namespace intrinsics;
  auto integer = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Signed);
  };
  StringRef name = getWrittenName(intrinsic.name);
  auto boolean = IntegerType::get(context, 1);
  auto f64 = Float64Type::get(context);
  Type complex64 = ComplexType::get(Float32Type::get(context)),
       complex128 = ComplexType::get(f64);
  auto expectCount = [&](size_t least, size_t most) -> LogicalResult {
    if (op.getKeywords() && intrinsic.typing != AllocArray &&
        intrinsic.typing != GridIndex)
      return emitTypingError(op.getLoc())
             << "'" << name << "' takes no keyword arguments";
    if (arguments.size() >= least && arguments.size() <= most)
      return success();
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "'" << name << "' takes " << least;
    if (most != least)
      error << " to " << most;
    return error << (most == 1 ? " argument" : " arguments") << " but "
                 << arguments.size()
                 << (arguments.size() == 1 ? " was given" : " were given");
  };
  SmallVector<Type> types;
  for (const Fact &argument : arguments)
    types.push_back(argument.type);
  // The items of one tuple stand where that does.
  auto locate = [&](size_t position) {
    bool isOneTuple = types.size() != op.getInputs().size();
    return op.getInputs()[isOneTuple ? 0 : position].getLoc();
  };
  auto expectNumbers = [&]() -> LogicalResult {
    for (auto [position, type] : llvm::enumerate(types))
      if (!isScalar(type)) {
        InFlightDiagnostic error = emitTypingError(locate(position));
        error << "'" << name << "' expects a number but got " << describe(type);
        if (isa<TimeType>(type))
          error.attachNote() << kCountOfTime;
        return error;
      }
    return success();
  };
  auto expectReals = [&]() -> LogicalResult {
    if (failed(expectNumbers()))
      return failure();
    auto *number = llvm::find_if(types, isComplex);
    if (number == types.end())
      return success();
    InFlightDiagnostic error = emitTypingError(locate(number - types.begin()));
    error << "'" << name << "' expects a real number but got "
          << describe(*number);
    std::string other = ("c" + name).str();
    if (lookupIntrinsic(other))
      error.attachNote() << "'" << other << "' takes complex numbers";
    else
      error.attachNote() << "take a part of it, .real or .imag, or abs(...)";
    return error;
  };

  if (!op.getKeywords())
    if (Type type = getTimeResult(intrinsic.typing, types))
      return makeTyped(type);
  switch (intrinsic.typing) {
  case FloatUnary:
  case FloatUnaryF16:
  case FloatUnaryBF16:
  case FloatUnaryShort: {
    if (failed(expectCount(1, 1)) || failed(expectReals()))
      return failure();
    if (!isa<FloatType>(types[0]))
      return makeTyped(f64);
    bool isKept = types[0].isF16()    ? intrinsic.typing == FloatUnaryF16
                  : types[0].isBF16() ? intrinsic.typing == FloatUnaryBF16
                                      : true;
    isKept |= intrinsic.typing == FloatUnaryShort;
    return makeTyped(isKept ? types[0] : Float32Type::get(context));
  }
  case FloatBinary: {
    if (failed(expectCount(2, 2)) || failed(expectReals()))
      return failure();
    // Some take integers as such, or as an exponent; none computes in them.
    SmallVector<SmallVector<Type, 3>> overloads;
    auto uint64 = IntegerType::get(context, 64, IntegerType::Unsigned);
    if (intrinsic.name == "math.atan2" || intrinsic.name == "math.hypot") {
      overloads.push_back({integer(64), integer(64)});
      overloads.push_back({uint64, uint64});
    }
    for (Type type : getFloats(context))
      overloads.push_back({type, type});
    if (intrinsic.name == "math.pow")
      for (Type type : getFloats(context))
        overloads.push_back({type, integer(32)});
    Type result = overloads[*selectOverload(overloads, types)][0];
    return makeTyped(isa<FloatType>(result) ? result : f64);
  }
  case LeastReal:
    if (failed(expectCount(1, 1)) || failed(expectReals()))
      return failure();
    return makeTyped(getLeastReal(types[0]));
  case FloatExponent:
    if (failed(expectCount(2, 2)) || failed(expectReals()))
      return failure();
    if (!isInteger(types[1]))
      return emitTypingError(locate(1))
             << "'" << name << "' expects an integer as exponent but got "
             << describe(types[1]);
    return makeTyped(getLeastReal(types[0]));
  case FloatToExponent:
  case FloatPredicate:
    if (failed(expectCount(1, 1)) || failed(expectReals()))
      return failure();
    return makeTyped(intrinsic.typing == FloatPredicate ? boolean
                                                        : integer(32));
  case Common:
  case CommonNumber:
  case CommonReal: {
    if (failed(expectCount(1, 3)) || failed(expectNumbers()))
      return failure();
    Type type = getLoopType(types, intrinsic.typing == CommonReal);
    if (isBool(type) && intrinsic.typing == CommonNumber)
      type = integer(8);
    if (types.size() == 1)
      return makeTyped(type);
    return makeTyped(
        TupleType::get(context, SmallVector<Type>(types.size(), type)));
  }
  case Libdevice: {
    size_t count = lookupLibdevice(intrinsic.lowering)->parameters.size();
    if (failed(expectCount(count, count)) || failed(expectReals()))
      return failure();
    return makeTyped(getLibdeviceResult(intrinsic.lowering, context));
  }
  case IsNat:
    // No test: a call of the library's function is told what that takes.
    return emitTypingError(op.getLoc()) << "'" << name << "' expects a time";
  case Like:
    if (failed(expectCount(2, 2)) || failed(expectNumbers()) ||
        failed(checkConvertible(locate(0), types[0], types[1])))
      return failure();
    return makeTyped(types[1]);
  case IsInstance: {
    if (failed(expectCount(2, 2)))
      return failure();
    std::optional<bool> is = isInstance(types[0], types[1], typing);
    if (is)
      return isa<OptionalType>(types[0])
                 ? makeTyped(boolean)
                 : makeConstant(BoolAttr::get(context, *is));
    InFlightDiagnostic error = emitTypingError(locate(1));
    error << "'" << name << "' expects classes of numbers, tuple or "
          << "numpy.ndarray but got " << describe(types[1]);
    return error;
  }
  case ClassOf:
    if (failed(expectCount(1, 1)) || failed(expectNumbers()))
      return failure();
    return makeConstant(TypeAttr::get(types[0]));
  case Fma: {
    if (failed(expectCount(3, 3)) || failed(expectReals()))
      return failure();
    SmallVector<SmallVector<Type, 3>> overloads;
    for (Type type : getFloats(context))
      overloads.push_back({type, type, type});
    return makeTyped(overloads[*selectOverload(overloads, types)][0]);
  }
  case FmaBFloat16:
    if (failed(expectCount(3, 3)) || failed(expectReals()))
      return failure();
    return makeTyped(BFloat16Type::get(context));
  case BitCast:
    if (failed(expectCount(1, 1)) || failed(expectReals()))
      return failure();
    return makeTyped(
        getDtype(StringRef(intrinsic.lowering).split(' ').second, context));
  case Abs:
    if (failed(expectCount(1, 1)) || failed(expectNumbers()))
      return failure();
    if (types[0].isBF16())
      return makeTyped(Float32Type::get(context));
    return makeTyped(isBool(types[0]) ? integer(8) : getPartType(types[0]));
  case MinMax: {
    if (types.size() == 1 && isa<ArrayType, RangeType>(types[0]))
      if (FuncOp function = getLibrary(op, intrinsic.name))
        return callFunction(op, function, arguments);
    // A tuple stands for its items.
    TupleType tuple = types.size() == 1 ? getTuple(types[0]) : TupleType();
    if (tuple)
      types.assign(tuple.begin(), tuple.end());
    if ((!tuple && failed(expectCount(2, 32))) || failed(expectReals()))
      return failure();
    if (llvm::any_of(types, isBool) && !llvm::all_of(types, isBool))
      return emitTypingError(op.getLoc())
             << "'" << name << "' cannot mix bool and other numbers";
    Type result;
    for (unsigned position : sortByWidth(types))
      result = unify(result, types[position]);
    return makeTyped(result);
  }
  case Pow:
    if (failed(expectCount(2, 2)) || failed(expectNumbers()))
      return failure();
    return makeTyped(getBinaryType(
        BinaryOperator::Pow, types[0],
        getOperandType(op.getInputs()[1], types[1], types[0], typing), typing));
  case Round: {
    if (failed(expectCount(1, 2)) || failed(expectReals()))
      return failure();
    if (types.size() == 1)
      return makeTyped(integer(64));
    if (!isInteger(types[1]))
      return emitTypingError(locate(1))
             << "'" << name
             << "' expects an integer as number of digits but got "
             << describe(types[1]);
    return makeTyped(getLeastReal(types[0]));
  }
  case ToBool:
    llvm::transform(types, types.begin(), unwrapAll);
    if (failed(expectCount(1, 1)))
      return failure();
    if (!getTuple(types[0]) && !isText(types[0]) && failed(expectNumbers()))
      return failure();
    return makeTyped(boolean);
  case ToInt:
    if (failed(expectCount(1, 1)) || failed(expectReals()))
      return failure();
    return makeTyped(isInteger(types[0]) ? types[0] : integer(64));
  case ToFloat:
    if (failed(expectCount(1, 1)) || failed(expectReals()))
      return failure();
    if (isBool(types[0]))
      return emitTypingError(locate(0)) << "'" << name << "' cannot take bool";
    return makeTyped(isa<FloatType>(types[0]) ? types[0] : f64);
  case ToComplex: {
    if (failed(expectCount(1, 2)) || failed(expectNumbers()) ||
        (types.size() == 2 && failed(expectReals())))
      return failure();
    bool areF32 = llvm::all_of(types, [](Type type) { return type.isF32(); });
    return makeTyped(areF32 ? complex64 : complex128);
  }
  case ComplexUnary:
  case ComplexUnaryWide:
  case ComplexLog:
  case ComplexPredicate:
  case ComplexPhase:
  case ComplexPolar: {
    size_t most = intrinsic.typing == ComplexLog ? 2 : 1;
    if (failed(expectCount(1, most)) || failed(expectNumbers()))
      return failure();
    return makeTyped(getComplexResult(intrinsic.typing, types));
  }
  case ComplexRect: {
    if (failed(expectCount(2, 2)) || failed(expectReals()))
      return failure();
    SmallVector<SmallVector<Type, 3>> overloads;
    for (Type type : getFloats(context))
      overloads.push_back({type, type});
    return makeTyped(
        ComplexType::get(overloads[*selectOverload(overloads, types)][0]));
  }
  case Len: {
    if (failed(expectCount(1, 1)))
      return failure();
    if (auto tuple = dyn_cast<TupleType>(types[0])) {
      Fact size = makeConstant(
          IntAttr::get(context, IntegerAttr::get(integer(64), tuple.size())));
      size.isLiteral = branches.isArgument(op.getInputs()[0]);
      return size;
    }
    if (auto range = dyn_cast<RangeType>(types[0]))
      return makeTyped(range.getElementType());
    auto array = dyn_cast<ArrayType>(types[0]);
    bool hasLength = array ? array.getRank() != 0 : isa<FlatType>(types[0]);
    if (!hasLength && !isText(types[0]))
      return emitTypingError(locate(0))
             << "'" << name << "' expects an array or a tuple but got "
             << describe(types[0]);
    return makeTyped(integer(64));
  }
  case Ord:
  case ToText:
    if (failed(expectCount(1, 1)))
      return failure();
    return intrinsic.typing == Ord ? evaluateOrd(locate(0), types[0])
                                   : evaluateText(locate(0), name, types[0]);
  case intrinsics::Range: {
    if (failed(expectCount(1, 3)) || failed(expectReals()))
      return failure();
    SmallVector<IntegerType> candidates{
        integer(32), integer(64),
        IntegerType::get(context, 64, IntegerType::Unsigned)};
    SmallVector<SmallVector<Type, 3>> overloads;
    for (Type type : candidates)
      overloads.push_back(SmallVector<Type, 3>(types.size(), type));
    return makeTyped(
        RangeType::get(context, candidates[*selectOverload(overloads, types)]));
  }
  case Enumerate:
  case Zip:
  case Iter:
  case Next:
  case NdIndex:
  case NdIter: {
    bool isMany = intrinsic.typing == NdIndex || intrinsic.typing == Zip;
    size_t most = isMany ? 32 : intrinsic.typing == Enumerate ? 2 : 1;
    if (failed(expectCount(isMany ? 0 : 1, most)))
      return failure();
    return evaluateIterable(op, intrinsic, types);
  }
  case GridIndex: {
    if (failed(expectCount(1, 1)))
      return failure();
    if (op.getKeywords() &&
        (*op.getKeywords())[0] != StringAttr::get(context, "ndim"))
      return emitTypingError(locate(0))
             << "'" << name << "' has no parameter " << (*op.getKeywords())[0];
    auto rank = dyn_cast_if_present<IntAttr>(arguments[0].constant);
    int64_t value = rank ? rank.getValue().getValue().getSExtValue() : 0;
    if (value < 1 || value > 3)
      return emitTypingError(locate(0))
             << "'" << name << "' expects a constant 1, 2 or 3 but got "
             << (rank ? std::to_string(value) : describe(types[0]));
    Type index = integer(typing == Typing::Narrow ? 32 : 64);
    if (value == 1)
      return makeTyped(index);
    return makeTyped(TupleType::get(context, SmallVector<Type>(value, index)));
  }
  case Barrier:
    if (failed(expectCount(0, 0)))
      return failure();
    return makeTyped(NoneType::get(context));
  case Atomic:
  case AtomicCas:
  case FirstCas: {
    size_t count = intrinsic.typing == AtomicCas ? 4 : 3;
    if (failed(expectCount(count, count)))
      return failure();
    return evaluateAtomic(op, intrinsic, arguments);
  }
  case AllocArray:
    return evaluateAlloc(op, intrinsic, arguments);
  case ConstantArray: {
    if (failed(expectCount(1, 1)))
      return failure();
    auto array = dyn_cast<ArrayType>(types[0]);
    if (!array || array.getSpace() != Space::Constant)
      return emitTypingError(locate(0))
             << "'" << name
             << "' expects an array known at compile time but got "
             << describe(types[0]);
    return arguments[0];
  }
  case intrinsics::Print:
    if (failed(expectCount(0, arguments.size())) || failed(checkPrinted(op)))
      return failure();
    return makeTyped(NoneType::get(context));
  case IndexValue:
  case Dim3:
    return emitTypingError(op.getLoc())
           << "'" << name << "' is a value, not a function";
  }
  llvm_unreachable("all rules are handled");
}
