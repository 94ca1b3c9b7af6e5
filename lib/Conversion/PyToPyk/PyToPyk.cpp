// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-py-to-pyk: the pass. Each typed py.func is read once and a pyk.func
// is built beside it; no pattern is matched, because SSA form needs the order
// of statements, which a walk has and a pattern has not.

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "pyk/Conversion/Passes.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Support/Diagnostics.h"

namespace pyk {
#define GEN_PASS_DEF_CONVERTPYTOPYKPASS
#include "pyk/Conversion/Passes.h.inc"
} // namespace pyk

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

FunctionLowering::FunctionLowering(py::FuncOp source, OpBuilder &builder,
                                   const LoweringOptions &options)
    : source(source),
      typing(source.getNarrow() ? Typing::Narrow : Typing::Numba),
      builder(builder), context(source.getContext()), options(options),
      flags(options.fma ? arith::FastMathFlags::contract
                        : arith::FastMathFlags::none),
      liveness(source) {}

arith::FastMathFlags FunctionLowering::getApproximation(Type type) {
  return source.getFastmath() && type.isF32()
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
                                 FunctionType::get(context, inputs, results));
  function->setDiscardableAttrs(source->getDiscardableAttrDictionary());
  if (source.getFastmath() && source.isEntry())
    function->setAttr(PykDialect::kFlushDenormalsAttrName,
                      builder.getUnitAttr());
  // It counts the elements of its arrays in 32 bits.
  if (typing == Typing::Narrow && source.getKernel())
    for (auto [index, type] : llvm::enumerate(inputs))
      if (auto array = dyn_cast<ArrayType>(type); array && array.getRank() != 0)
        function.setArgAttr(index, PykDialect::kFactsAttrName,
                            FactsAttr::get(context, LaunchFact::Narrow));
  // What C calls fills a register with its result.
  if (source->hasAttr(PykDialect::kExportAttrName) && results.size() == 1 &&
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
    variables[name] = {types[position], {parts.begin(), parts.end()}};
    for (Value part : parts)
      if (isa<ArrayType>(part.getType()))
        part.setLoc(NameLoc::get(name, source.getLoc()));
    tellDebugger(*this, name, variables[name], source.getLoc(), position + 1);
  }

  if (auto foreign =
          source->getAttrOfType<ForeignAttr>(PykDialect::kForeignAttrName)) {
    function->removeAttr(PykDialect::kForeignAttrName);
    return callForeign(foreign, results);
  }
  Block &body = source.getBody().front();
  Frame frame{body.begin(), body.end()};
  if (canNest(frame, Tail::Return)) {
    SmallVector<Value> values = lowerTail(frame, Tail::Return);
    pyk::ReturnOp::create(builder, source.getLoc(), values);
  } else if (lowerBlock(body)) {
    pyk::ReturnOp::create(builder, source.getLoc(), makeEndResult());
  }
}

/// The functions that code of other languages calls, and all that these reach.
static llvm::SmallPtrSet<Operation *, 8> findExported(ModuleOp module) {
  llvm::SmallPtrSet<Operation *, 8> exported;
  SmallVector<py::FuncOp> waiting;
  auto add = [&](py::FuncOp function) {
    if (function && exported.insert(function).second)
      waiting.push_back(function);
  };
  for (auto function : module.getOps<py::FuncOp>())
    if (function->hasAttr(PykDialect::kExportAttrName))
      add(function);
  if (waiting.empty())
    return exported;
  SymbolTable symbols(module);
  while (!waiting.empty())
    waiting.pop_back_val().walk([&](Operation *op) {
      if (FlatSymbolRefAttr target = py::getTarget(op))
        add(symbols.lookup<py::FuncOp>(target.getValue()));
    });
  return exported;
}

namespace {
struct ConvertPyToPykPass
    : pyk::impl::ConvertPyToPykPassBase<ConvertPyToPykPass> {
  using ConvertPyToPykPassBase::ConvertPyToPykPassBase;

  void runOnOperation() override {
    SmallVector<py::FuncOp> functions(getOperation().getOps<py::FuncOp>());
    OpBuilder builder(&getContext());
    llvm::SmallPtrSet<Operation *, 8> exported = findExported(getOperation());
    for (py::FuncOp source : functions) {
      if (!source.getArguments() || !source.getResult()) {
        source.emitOpError("requires inferred types; run py-infer-types first");
        return signalPassFailure();
      }
      builder.setInsertionPointAfter(source);
      // Errors are about what the program says; the library has none of its
      // own. Nobody would hear of one where other code calls.
      bool isOwn = !source.getLibrary() && !exported.contains(source);
      LoweringOptions options;
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  options.member = member;
#include "pyk/Pipelines/CompileOptions.inc"
      options.checkBounds &= isOwn;
      options.reportErrors &= isOwn;
      // The library has no variables of the program.
      if (source.getLibrary())
        options.debugInfo = "none";
      FunctionLowering lowering(source, builder, options);
      lowering.run();
      auto function = cast<pyk::FuncOp>(source->getNextNode());
      function.setKernel(source.getKernel());
    }
    for (py::FuncOp source : functions)
      source.erase();
  }
};
} // namespace
