// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts formulas in the place of calls, or one function for each formula, which
// long kernels call. Lanes for which a formula does not hold are rare: if there
// is one, a function that is not inlined computes it by another formula.

#include "Formulas.h"
#include "Functions.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pyk;

namespace {

/// The formula of a function, and that for scalars where it does not hold.
struct Row {
  Formula (*compute)(ArrayRef<Real>) = nullptr;
  Formula (*computeRare)(ArrayRef<Real>) = nullptr;
};

} // namespace

template <auto function>
static Formula computeOfOne(ArrayRef<Real> x) {
  return function(x[0]);
}

template <auto function>
static Formula computeOfTwo(ArrayRef<Real> x) {
  return function(x[0], x[1]);
}

static Row getRow(StringRef name) {
  using R = Row;
  return StringSwitch<Row>(name)
      .Case("acos", R{computeOfOne<computeAcos>})
      .Case("acosh", R{computeOfOne<computeAcosh>})
      .Case("asin", R{computeOfOne<computeAsin>})
      .Case("asinh", R{computeOfOne<computeAsinh>})
      .Case("atan", R{computeOfOne<computeAtan>})
      .Case("atan2", R{computeOfTwo<computeAtan2>})
      .Case("atanh", R{computeOfOne<computeAtanh>})
      .Case("cbrt", R{computeOfOne<computeCbrt>})
      .Case("cos", R{computeOfOne<computeCos>, computeOfOne<computeLargeCos>})
      .Case("cosh", R{computeOfOne<computeCosh>})
      .Case("erf", R{computeOfOne<computeErf>})
      .Case("erfc", R{computeOfOne<computeErfc>})
      .Case("exp", R{computeOfOne<computeExp>})
      .Case("exp10", R{computeOfOne<computeExp10>})
      .Case("exp2", R{computeOfOne<computeExp2>})
      .Case("expm1", R{computeOfOne<computeExpm1>})
      .Case("fdim", R{computeOfTwo<computeFdim>})
      .Case("fmod", R{computeOfTwo<computeFmod>, computeOfTwo<computeLongFmod>})
      .Case("hypot", R{computeOfTwo<computeHypot>})
      .Case("ldexp", R{computeOfTwo<computeLdexp>})
      .Case("log", R{computeOfOne<computeLog>})
      .Case("log10", R{computeOfOne<computeLog10>})
      .Case("log1p", R{computeOfOne<computeLog1p>})
      .Case("log2", R{computeOfOne<computeLog2>})
      .Case("nextafter", R{computeOfTwo<computeNextafter>})
      .Case("pow", R{computeOfTwo<computePow>})
      .Case("remainder", R{computeOfTwo<computeRemainder>,
                           computeOfTwo<computeLongRemainder>})
      .Case("scalbn", R{computeOfTwo<computeLdexp>})
      .Case("pyk_rt_math_cospi", R{computeOfOne<computeCospi>})
      .Case("pyk_rt_math_erfcinv", R{computeOfOne<computeErfcinv>})
      .Case("pyk_rt_math_erfcx", R{computeOfOne<computeErfcx>})
      .Case("pyk_rt_math_erfinv", R{computeOfOne<computeErfinv>})
      .Case("pyk_rt_math_j0",
            R{computeOfOne<computeJ0>, computeOfOne<computeLargeJ0>})
      .Case("pyk_rt_math_j1",
            R{computeOfOne<computeJ1>, computeOfOne<computeLargeJ1>})
      .Case("pyk_rt_math_jn",
            R{computeOfTwo<computeJn>, computeOfTwo<computeAnyJn>})
      .Case("pyk_rt_math_lgamma", R{computeOfOne<computeLgamma>})
      .Case("pyk_rt_math_normcdf", R{computeOfOne<computeNormcdf>})
      .Case("pyk_rt_math_normcdfinv", R{computeOfOne<computeNormcdfinv>})
      .Case("pyk_rt_math_powi", R{computeOfTwo<computePowi>})
      .Case("pyk_rt_math_rcbrt", R{computeOfOne<computeRcbrt>})
      .Case("pyk_rt_math_rsqrt", R{computeOfOne<computeRsqrt>})
      .Case("pyk_rt_math_sinpi", R{computeOfOne<computeSinpi>})
      .Case("pyk_rt_math_tgamma", R{computeOfOne<computeTgamma>})
      .Case("pyk_rt_math_y0",
            R{computeOfOne<computeY0>, computeOfOne<computeLargeY0>})
      .Case("pyk_rt_math_y1",
            R{computeOfOne<computeY1>, computeOfOne<computeLargeY1>})
      .Case("pyk_rt_math_yn",
            R{computeOfTwo<computeYn>, computeOfTwo<computeAnyYn>})
      .Case("sin", R{computeOfOne<computeSin>, computeOfOne<computeLargeSin>})
      .Case("sinh", R{computeOfOne<computeSinh>})
      .Case("tan", R{computeOfOne<computeTan>, computeOfOne<computeLargeTan>})
      .Case("tanh", R{computeOfOne<computeTanh>})
      .Default(R{});
}

/// A function of the module that reads no memory but constants.
static Function *createFunction(Module &module, const Twine &name,
                                FunctionType *type) {
  Function *function =
      Function::Create(type, GlobalValue::InternalLinkage, name, module);
  function->setMemoryEffects(MemoryEffects::none());
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::NoFree,
                                   Attribute::NoSync, Attribute::WillReturn})
    function->addFnAttr(kind);
  return function;
}

/// A function that takes vectors, which lanes of the first are to be replaced,
/// and the arguments of `callee`, and calls that for these lanes.
static Function *getLaneFunction(Function *callee, FixedVectorType *type) {
  Module &module = *callee->getParent();
  unsigned lanes = type->getNumElements();
  std::string name = (callee->getName() + kLibdeviceLanes + Twine(lanes)).str();
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  Type *mask = FixedVectorType::get(Type::getInt1Ty(context), lanes);
  SmallVector<Type *> parameters = {type, mask};
  for (Type *scalar : callee->getFunctionType()->params())
    parameters.push_back(FixedVectorType::get(scalar, lanes));
  Function *function =
      createFunction(module, name, FunctionType::get(type, parameters, false));
  function->addFnAttr(Attribute::Cold);
  function->addFnAttr(Attribute::NoInline);
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

/// The function that computes `name` for the scalars of one lane of `call` by
/// the second formula of `row`.
static Function *getRareFunction(CallInst &call, StringRef name,
                                 const Row &row) {
  Module &module = *call.getModule();
  Type *type = call.getType()->getScalarType();
  std::string full = ("pyk_rare." + name).str();
  if (type->isFloatTy())
    full += "f";
  if (Function *known = module.getFunction(full))
    return known;
  auto types = map_to_vector(call.args(), [](const Use &argument) {
    return argument->getType()->getScalarType();
  });
  Function *function =
      createFunction(module, full, FunctionType::get(type, types, false));
  function->addFnAttr(Attribute::Cold);
  function->addFnAttr(Attribute::NoInline);
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "entry", function));
  SmallVector<Real> arguments;
  // Inactive lanes may have poison.
  for (Argument &argument : function->args())
    arguments.push_back({&b, b.CreateFreeze(&argument)});
  b.CreateRet(row.computeRare(arguments).value.value);
  return function;
}

/// `formula` at the place of `call`, and the result of `rare` where it fails.
static Value *replaceFailures(CallInst &call, const Formula &formula,
                              Function *rare) {
  IRBuilder<> builder(&call);
  // Inactive lanes may have poison.
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
    rare = getLaneFunction(rare, vector);
  }
  llvm::append_range(arguments, call.args());
  Value *called = builder.CreateCall(rare, arguments);
  builder.SetInsertPoint(&call);
  PHINode *result = builder.CreatePHI(call.getType(), 2);
  result->addIncoming(formula.value.value, before);
  result->addIncoming(called, end->getParent());
  return result;
}

Value *pyk::computeFormula(CallInst &call, StringRef name) {
  Type *type = call.getType()->getScalarType();
  if (type->isFloatTy())
    name.consume_back("f");
  Row row = getRow(name);
  assert(row.compute && "a row that has a formula names it");
  IRBuilder<> builder(&call);
  SmallVector<Real> arguments;
  for (Value *argument : call.args())
    arguments.push_back({&builder, argument});
  Formula formula = row.compute(arguments);
  if (!formula.fails)
    return formula.value.value;
  return replaceFailures(call, formula, getRareFunction(call, name, row));
}

Value *pyk::callFormula(CallInst &call, StringRef name, FormulaCalls calls) {
  Module &module = *call.getModule();
  std::string full = ("pyk_formula." + name).str();
  if (auto *vector = dyn_cast<FixedVectorType>(call.getType()))
    full += (kLibdeviceLanes + Twine(vector->getNumElements())).str();
  Function *function = module.getFunction(full);
  SmallVector<Value *> arguments(call.args());
  if (!function) {
    function = createFunction(module, full, call.getFunctionType());
    if (calls == FormulaCalls::Stay)
      function->addFnAttr(Attribute::NoInline);
    IRBuilder<> builder(
        BasicBlock::Create(module.getContext(), "entry", function));
    CallInst *inner = builder.CreateCall(
        call.getCalledFunction(),
        map_to_vector(function->args(),
                      [](Argument &x) -> Value * { return &x; }));
    builder.CreateRet(inner);
    inner->replaceAllUsesWith(computeFormula(*inner, name));
    inner->eraseFromParent();
  }
  return IRBuilder<>(&call).CreateCall(function, arguments);
}

/// PTX's min or max: a NaN loses against a number, and -0 is below +0.
/// `llvm.minimumnum` says the same, but LLVM 22 lowers it wrongly for x86 where
/// it knows that one operand is no NaN. `llvm.minnum` leaves zeros open: equal
/// numbers differ in nothing but the sign, which is combined here.
static Value *createMinMax(IRBuilder<> &builder, bool isMax, Value *a,
                           Value *b) {
  Value *result = builder.CreateBinaryIntrinsic(
      isMax ? Intrinsic::maxnum : Intrinsic::minnum, a, b);
  Type *bits = a->getType()->getWithNewType(
      builder.getIntNTy(a->getType()->getScalarSizeInBits()));
  Value *aBits = builder.CreateBitCast(a, bits);
  Value *bBits = builder.CreateBitCast(b, bits);
  Value *equal =
      isMax ? builder.CreateAnd(aBits, bBits) : builder.CreateOr(aBits, bBits);
  return builder.CreateSelect(builder.CreateFCmpOEQ(a, b),
                              builder.CreateBitCast(equal, a->getType()),
                              result);
}

Value *pyk::computeInstruction(CallInst &call, const LibdeviceHost &host) {
  if (!host.function.empty())
    return nullptr;
  IRBuilder<> builder(&call);
  if (isa<FPMathOperator>(call))
    builder.setFastMathFlags(call.getFastMathFlags());
  SmallVector<Value *> arguments(call.args());
  if (host.isBitcast)
    return builder.CreateBitCast(arguments[0], call.getType());
  if (host.classMask) {
    Value *test = builder.createIsFPClass(arguments[0], host.classMask);
    return builder.CreateZExt(test, call.getType());
  }
  bool isMax = host.intrinsic == Intrinsic::maximumnum;
  if (call.getModule()->getTargetTriple().isNVPTX())
    return builder.CreateIntrinsic(host.intrinsic, {call.getType()}, arguments);
  if (isMax || host.intrinsic == Intrinsic::minimumnum)
    return createMinMax(builder, isMax, arguments[0], arguments[1]);
  return builder.CreateIntrinsic(host.intrinsic, {call.getType()}, arguments);
}

bool pyk::isReproducible(const Function &function) {
  return function.hasFnAttribute(PykDialect::kReproducibleAttrName);
}

static Type *getType(LLVMContext &context, char letter) {
  switch (letter) {
  case 'h':
    return Type::getInt16Ty(context);
  case 'i':
    return Type::getInt32Ty(context);
  case 'l':
    return Type::getInt64Ty(context);
  case 'f':
    return Type::getFloatTy(context);
  case 'd':
    return Type::getDoubleTy(context);
  default:
    return Type::getVoidTy(context);
  }
}

FunctionType *pyk::getFunctionType(const LibdeviceOverload &function,
                                   LLVMContext &context) {
  StringRef signature = function.type;
  SmallVector<Type *> parameters;
  for (char letter : signature.drop_front())
    parameters.push_back(isUpper(letter) ? PointerType::get(context, 0)
                                         : getType(context, letter));
  return FunctionType::get(getType(context, signature.front()), parameters,
                           false);
}

static std::string print(const Type &type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

Error pyk::expectType(const CallInst &call, const FunctionType &expected) {
  if (call.getFunctionType() == &expected)
    return Error::success();
  return createStringError("expects '" + call.getCalledOperand()->getName() +
                           "' of type " + print(expected) + " but got " +
                           print(*call.getFunctionType()));
}
