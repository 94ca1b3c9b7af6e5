// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a typed py.func becomes, before its statements.

#include "FunctionLowering.h"
#include "Arrays.h"
#include "Calls.h"
#include "Checks.h"
#include "ComplexNumbers.h"
#include "Debugger.h"
#include "Expressions.h"
#include "Iterators.h"
#include "Loops.h"
#include "NdRanges.h"
#include "Operators.h"
#include "Ranges.h"
#include "Records.h"
#include "Statements.h"
#include "Text.h"
#include "Times.h"
#include "Tuples.h"
#include "Variables.h"
#include "Vectors.h"
#include "Wrappers.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The pyk type of a number, a time or text in memory, or of a record with its
/// fields.
static Type signless(Type element) {
  if (auto other = dyn_cast<StoredTypeInterface>(element))
    return signless(other.getStored());
  if (auto record = dyn_cast<RecordType>(element))
    return record.mapTypes(signless);
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

void py::appendPartTypes(Type type, SmallVectorImpl<Type> &parts) {
  if (auto python = dyn_cast<PythonTypeInterface>(type)) {
    for (Type part : python.getParts())
      appendPartTypes(part, parts);
  } else if (auto tuple = dyn_cast<TupleType>(type)) {
    for (Type item : tuple.getTypes())
      appendPartTypes(item, parts);
  } else if (auto array = dyn_cast<ArrayType>(type)) {
    parts.push_back(array.withElementType(signless(array.getElementType())));
  } else if (isScalar(type)) {
    parts.push_back(signless(type));
  }
}

SmallVector<Type> py::getPartTypes(ArrayRef<Type> types) {
  SmallVector<Type> parts;
  for (Type type : types)
    appendPartTypes(type, parts);
  return parts;
}

/// Ends the function, whose parameters are those of code of another language,
/// by a call, so that nothing before a target's own stages knows what that
/// does.
static void callForeign(FunctionLowering &lowering, ForeignAttr code,
                        TypeRange results) {
  OpBuilder &builder = lowering.getBuilder();
  Location loc = lowering.getSource().getLoc();
  FlatSymbolRefAttr host;
  lowering.getSource().walk([&](py::CallOp call) {
    if (call.getTarget())
      host = call.getTargetAttr();
  });
  auto call = pyk::ForeignCallOp::create(
      builder, loc, results, code,
      lowering.getFunction().getFunctionBody().getArguments(), host);
  pyk::ReturnOp::create(builder, loc, call.getResults());
}

struct FunctionLowering::Parts {
  explicit Parts(FunctionLowering &lowering)
      : arrays(lowering), calls(lowering), checks(lowering),
        complexNumbers(lowering), expressions(lowering), iterators(lowering),
        loops(lowering), ndRanges(lowering), operators(lowering),
        ranges(lowering), records(lowering), statements(lowering),
        texts(lowering), times(lowering), tuples(lowering), variables(lowering),
        vectors(lowering), wrappers(lowering) {}

  ArrayLowering arrays;
  CallLowering calls;
  Checks checks;
  ComplexLowering complexNumbers;
  ExpressionLowering expressions;
  IteratorLowering iterators;
  LoopLowering loops;
  NdRangeLowering ndRanges;
  OperatorLowering operators;
  RangeLowering ranges;
  RecordLowering records;
  StatementLowering statements;
  TextLowering texts;
  TimeLowering times;
  TupleLowering tuples;
  Variables variables;
  VectorLowering vectors;
  WrapperLowering wrappers;
};

FunctionLowering::FunctionLowering(py::FuncOp source, OpBuilder &builder,
                                   const LoweringOptions &options)
    : source(source),
      typing(source.getNarrow() ? Typing::Narrow : Typing::Numba),
      builder(builder), options(options),
      flags(options.fma && !options.reproducible
                ? arith::FastMathFlags::contract
                : arith::FastMathFlags::none),
      parts(std::make_unique<Parts>(*this)) {}

FunctionLowering::~FunctionLowering() = default;

ArrayLowering &FunctionLowering::arrays() { return parts->arrays; }
CallLowering &FunctionLowering::calls() { return parts->calls; }
Checks &FunctionLowering::checks() { return parts->checks; }
ComplexLowering &FunctionLowering::complexNumbers() {
  return parts->complexNumbers;
}
ExpressionLowering &FunctionLowering::expressions() {
  return parts->expressions;
}
IteratorLowering &FunctionLowering::iterators() { return parts->iterators; }
LoopLowering &FunctionLowering::loops() { return parts->loops; }
NdRangeLowering &FunctionLowering::ndRanges() { return parts->ndRanges; }
OperatorLowering &FunctionLowering::operators() { return parts->operators; }
RangeLowering &FunctionLowering::ranges() { return parts->ranges; }
RecordLowering &FunctionLowering::records() { return parts->records; }
StatementLowering &FunctionLowering::statements() { return parts->statements; }
TextLowering &FunctionLowering::texts() { return parts->texts; }
TimeLowering &FunctionLowering::times() { return parts->times; }
TupleLowering &FunctionLowering::tuples() { return parts->tuples; }
Variables &FunctionLowering::variables() { return parts->variables; }
VectorLowering &FunctionLowering::vectors() { return parts->vectors; }
WrapperLowering &FunctionLowering::wrappers() { return parts->wrappers; }

bool FunctionLowering::isApproximate() {
  return source.getFastmath() && !options.reproducible;
}

arith::FastMathFlags FunctionLowering::getApproximation(Type type) {
  return isApproximate() && type.isF32()
             ? arith::FastMathFlags::afn | arith::FastMathFlags::arcp
             : arith::FastMathFlags::none;
}

void FunctionLowering::run() {
  SmallVector<Type> inputs, results;
  SmallVector<unsigned> firstPart;
  auto types = llvm::map_to_vector(*source.getArguments(), [](Attribute type) {
    return cast<TypeAttr>(type).getValue();
  });
  for (Type type : types) {
    firstPart.push_back(inputs.size());
    appendPartTypes(type, inputs);
  }
  firstPart.push_back(inputs.size());
  if (source.getResult())
    appendPartTypes(*source.getResult(), results);
  function = pyk::FuncOp::create(builder, source.getLoc(), source.getSymName(),
                                 builder.getFunctionType(inputs, results));
  function->setDiscardableAttrs(source->getDiscardableAttrDictionary());
  if (options.reproducible)
    kReproducible.set(function, builder.getUnitAttr());
  if (isApproximate() && source.isEntry())
    kFlushDenormals.set(function, builder.getUnitAttr());
  // It counts the elements of its arrays in 32 bits.
  if (typing == Typing::Narrow && source.getKernel())
    for (auto [index, type] : llvm::enumerate(inputs))
      if (auto array = dyn_cast<ArrayType>(type); array && array.getRank() != 0)
        function.setArgAttr(
            index, PykDialect::kFactsAttrName,
            FactsAttr::get(builder.getContext(), LaunchFact::Narrow));
  // What C calls fills a register with its result.
  if (kExport.isOn(source) && results.size() == 1 &&
      results.front().isInteger())
    function.setResultAttr(0,
                           source.getResult()->isSignedInteger()
                               ? LLVM::LLVMDialect::getSExtAttrName()
                               : LLVM::LLVMDialect::getZExtAttrName(),
                           builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = builder.createBlock(&function.getFunctionBody());
  for (Type type : inputs)
    entry->addArgument(type, source.getLoc());
  for (auto [position, name] :
       llvm::enumerate(source.getParameters().getAsRange<StringAttr>())) {
    ValueRange parts = entry->getArguments().slice(
        firstPart[position], firstPart[position + 1] - firstPart[position]);
    Binding held{types[position], {parts.begin(), parts.end()}};
    for (Value part : parts)
      if (isa<ArrayType>(part.getType()))
        part.setLoc(NameLoc::get(name, source.getLoc()));
    tellDebugger(*this, name, held, source.getLoc(), position + 1);
    variables().set(name, std::move(held));
  }

  if (auto foreign = kForeign.get(source)) {
    kForeign.take(function);
    return callForeign(*this, foreign, results);
  }
  statements().lowerFunction(source.getBody().front());
}
