// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts formulas in the place of calls, or one function for each formula, which
// long kernels call. Lanes for which a formula does not hold are rare: if there
// is one, a function that is not inlined calls libm for it.

#include "../BindToHost.h"
#include "Functions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pyk;

using Compute = Formula (*)(ArrayRef<Real>);

template <auto function>
static Formula computeOfOne(ArrayRef<Real> x) {
  return function(x[0]);
}

template <auto function>
static Formula computeOfTwo(ArrayRef<Real> x) {
  return function(x[0], x[1]);
}

static Compute getFormula(StringRef name) {
  return StringSwitch<Compute>(name)
      .Case("acos", computeOfOne<computeAcos>)
      .Case("asin", computeOfOne<computeAsin>)
      .Case("atan", computeOfOne<computeAtan>)
      .Case("atan2", computeOfTwo<computeAtan2>)
      .Case("cbrt", computeOfOne<computeCbrt>)
      .Case("cos", computeOfOne<computeCos>)
      .Case("cosh", computeOfOne<computeCosh>)
      .Case("erf", computeOfOne<computeErf>)
      .Case("erfc", computeOfOne<computeErfc>)
      .Case("exp", computeOfOne<computeExp>)
      .Case("exp10", computeOfOne<computeExp10>)
      .Case("exp2", computeOfOne<computeExp2>)
      .Case("expm1", computeOfOne<computeExpm1>)
      .Case("fmod", computeOfTwo<computeFmod>)
      .Case("hypot", computeOfTwo<computeHypot>)
      .Case("log", computeOfOne<computeLog>)
      .Case("log10", computeOfOne<computeLog10>)
      .Case("log1p", computeOfOne<computeLog1p>)
      .Case("log2", computeOfOne<computeLog2>)
      .Case("pow", computeOfTwo<computePow>)
      .Case("pyk_rt_math_rsqrt", computeOfOne<computeRsqrt>)
      .Case("sin", computeOfOne<computeSin>)
      .Case("sinh", computeOfOne<computeSinh>)
      .Case("tan", computeOfOne<computeTan>)
      .Case("tanh", computeOfOne<computeTanh>)
      .Default(nullptr);
}

/// A function that takes vectors, which lanes of the first are to be replaced,
/// and the arguments of `callee`, and calls that for these lanes.
static Function *getLaneFunction(FunctionCallee callee, FixedVectorType *type,
                                 Module &module) {
  unsigned lanes = type->getNumElements();
  std::string name =
      ("pyk_lanes." + callee.getCallee()->getName() + ".x" + Twine(lanes))
          .str();
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  Type *mask = FixedVectorType::get(Type::getInt1Ty(context), lanes);
  SmallVector<Type *> parameters = {type, mask};
  parameters.append(callee.getFunctionType()->getNumParams(), type);
  Function *function =
      Function::Create(FunctionType::get(type, parameters, false),
                       GlobalValue::InternalLinkage, name, module);
  for (Attribute::AttrKind kind :
       {Attribute::Cold, Attribute::NoInline, Attribute::NoUnwind})
    function->addFnAttr(kind);
  auto makeBlock = [&](StringRef name) {
    return BasicBlock::Create(context, name, function);
  };
  BasicBlock *entry = makeBlock("entry"), *loop = makeBlock("loop"),
             *call = makeBlock("call"), *next = makeBlock("next"),
             *end = makeBlock("end");
  IRBuilder<> b(entry);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode *lane = b.CreatePHI(b.getInt32Ty(), 2);
  PHINode *all = b.CreatePHI(type, 2);
  b.CreateCondBr(b.CreateExtractElement(function->getArg(1), lane), call, next);
  b.SetInsertPoint(call);
  SmallVector<Value *> arguments;
  for (Argument &argument : drop_begin(function->args(), 2))
    arguments.push_back(b.CreateExtractElement(&argument, lane));
  Value *with =
      b.CreateInsertElement(all, b.CreateCall(callee, arguments), lane);
  b.CreateBr(next);
  b.SetInsertPoint(next);
  PHINode *result = b.CreatePHI(type, 2);
  result->addIncoming(all, loop);
  result->addIncoming(with, call);
  Value *following = b.CreateAdd(lane, b.getInt32(1));
  b.CreateCondBr(b.CreateICmpEQ(following, b.getInt32(lanes)), end, loop);
  lane->addIncoming(b.getInt32(0), entry);
  lane->addIncoming(following, next);
  all->addIncoming(function->getArg(0), entry);
  all->addIncoming(result, next);
  b.SetInsertPoint(end);
  b.CreateRet(result);
  return function;
}

/// `formula` at the place of `call`, and `callee`'s result where it fails.
static Value *replaceFailures(CallInst &call, const Formula &formula,
                              FunctionCallee callee) {
  IRBuilder<> builder(&call);
  // Threads that are off may have any argument.
  Value *fails = builder.CreateFreeze(formula.fails->value);
  auto *vector = dyn_cast<FixedVectorType>(call.getType());
  MDNode *rarely = MDBuilder(call.getContext()).createUnlikelyBranchWeights();
  Instruction *end = SplitBlockAndInsertIfThen(
      vector ? builder.CreateOrReduce(fails) : fails, call.getIterator(),
      /*Unreachable=*/false, rarely);
  BasicBlock *before = end->getParent()->getSinglePredecessor();
  builder.SetInsertPoint(end);
  SmallVector<Value *> arguments;
  if (vector) {
    arguments = {formula.value.value, fails};
    callee = getLaneFunction(callee, vector, *call.getModule());
  }
  llvm::append_range(arguments, call.args());
  Value *called = builder.CreateCall(callee, arguments);
  builder.SetInsertPoint(&call);
  PHINode *result = builder.CreatePHI(call.getType(), 2);
  result->addIncoming(formula.value.value, before);
  result->addIncoming(called, end->getParent());
  return result;
}

Value *pyk::computeFormula(CallInst &call, FunctionCallee callee) {
  StringRef name = callee.getCallee()->getName();
  if (call.getType()->getScalarType()->isFloatTy())
    name.consume_back("f");
  Compute compute = getFormula(name);
  assert(compute && "a row that has a formula names it");
  IRBuilder<> builder(&call);
  SmallVector<Real> arguments;
  for (Value *argument : call.args())
    arguments.push_back({&builder, argument});
  Formula formula = compute(arguments);
  return formula.fails ? replaceFailures(call, formula, callee)
                       : formula.value.value;
}

Value *pyk::callFormula(CallInst &call, FunctionCallee callee) {
  Module &module = *call.getModule();
  std::string name = ("pyk_formula." + callee.getCallee()->getName()).str();
  if (auto *vector = dyn_cast<FixedVectorType>(call.getType()))
    name += ".x" + std::to_string(vector->getNumElements());
  Function *function = module.getFunction(name);
  SmallVector<Value *> arguments(call.args());
  if (!function) {
    function = Function::Create(call.getFunctionType(),
                                GlobalValue::InternalLinkage, name, module);
    function->setMemoryEffects(MemoryEffects::none());
    for (Attribute::AttrKind kind :
         {Attribute::NoInline, Attribute::NoUnwind, Attribute::NoFree,
          Attribute::NoSync, Attribute::WillReturn})
      function->addFnAttr(kind);
    IRBuilder<> builder(
        BasicBlock::Create(module.getContext(), "entry", function));
    CallInst *inner = builder.CreateCall(
        call.getCalledFunction(),
        map_to_vector(function->args(),
                      [](Argument &x) -> Value * { return &x; }));
    builder.CreateRet(inner);
    inner->replaceAllUsesWith(computeFormula(*inner, callee));
    inner->eraseFromParent();
  }
  return IRBuilder<>(&call).CreateCall(function, arguments);
}
