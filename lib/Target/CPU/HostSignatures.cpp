// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives functions the parameters and pointers they have on the host. Bodies are
// moved into functions of the new type, and types are changed in place. x86-64
// and AArch64 would take NVPTX's address spaces for flat ones too; they go all
// the same, because LLVM knows less about pointers outside space 0 (whether
// null is an address, which library calls may touch them), and because IR that
// names a GPU's memories would be no honest picture of what the host runs.
//
// A bfloat, with which nothing computes any more, becomes the integer of its
// bits. LLVM converts to float and back what it passes, chooses or puts into
// vectors, which takes subnormals for zeros on machines that have an
// instruction for it, and calls a function on others.

#include "BindToHost.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace pyk;
using runtime::LaunchLimits;

namespace {

/// Maps each type to the one with all pointers in address space 0 and integers
/// for bfloats.
class HostTypes : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *type) override {
    auto known = converted.find(type);
    if (known != converted.end())
      return known->second;
    Type *result = convert(type);
    converted[type] = result;
    return result;
  }

private:
  Type *convert(Type *type) {
    if (type->isPointerTy())
      return PointerType::get(type->getContext(), 0);
    if (type->isBFloatTy())
      return Type::getInt16Ty(type->getContext());
    if (auto *vector = dyn_cast<VectorType>(type))
      return VectorType::get(remapType(vector->getElementType()),
                             vector->getElementCount());
    if (auto *array = dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()),
                                  array->getNumElements());
    if (auto *function = dyn_cast<FunctionType>(type))
      return FunctionType::get(remapType(function->getReturnType()),
                               convertAll(function->params()),
                               function->isVarArg());
    if (auto *record = dyn_cast<StructType>(type)) {
      SmallVector<Type *> elements = convertAll(record->elements());
      if (ArrayRef<Type *>(elements) == record->elements())
        return record;
      if (record->isLiteral())
        return StructType::get(type->getContext(), elements,
                               record->isPacked());
      return StructType::create(type->getContext(), elements, record->getName(),
                                record->isPacked());
    }
    return type;
  }

  SmallVector<Type *> convertAll(ArrayRef<Type *> types) {
    SmallVector<Type *> result;
    for (Type *type : types)
      result.push_back(remapType(type));
    return result;
  }

  DenseMap<Type *, Type *> converted;
};

/// Maps constants of bfloats to those of their bits.
class BitsOfBFloats : public ValueMaterializer {
public:
  Value *materialize(Value *value) override {
    Type *i16 = Type::getInt16Ty(value->getContext());
    if (auto *number = dyn_cast<ConstantFP>(value);
        number && number->getType()->isBFloatTy())
      return ConstantInt::get(i16, number->getValueAPF().bitcastToAPInt());
    auto *data = dyn_cast<ConstantDataArray>(value);
    if (!data || !data->getElementType()->isBFloatTy())
      return nullptr;
    return ConstantDataArray::getRaw(data->getRawDataValues(),
                                     data->getNumElements(), i16);
  }
};

/// The work on one module.
class HostSignatures {
public:
  HostSignatures(Module &module, SharedGlobals &shared)
      : module(module), context(module.getContext()), shared(shared) {}

  Error run(MutableArrayRef<Function *> kernels);

private:
  void expandConstantCasts();
  void mapGlobal(GlobalVariable &global);
  void mapDeclaration(Function &function);
  Function *mapDefinition(Function &function);
  void remap(Function &function);
  Error passHiddenArguments(Function &caller);
  Error mapInitializers();
  Error eraseOriginals();

  Module &module;
  LLVMContext &context;
  SharedGlobals &shared;
  HostTypes types;
  BitsOfBFloats bits;
  ValueToValueMapTy values;
  SmallPtrSet<Function *, 8> bound;
  SmallVector<std::pair<GlobalVariable *, GlobalVariable *>> globals;
  SmallVector<GlobalValue *> replaced;
};

} // namespace

/// The casts between address spaces that `roots` contain.
static SmallVector<Constant *> findCasts(SetVector<Constant *> constants) {
  SmallVector<Constant *> casts;
  for (size_t i = 0; i < constants.size(); ++i) {
    auto *expression = dyn_cast<ConstantExpr>(constants[i]);
    if (expression && expression->getOpcode() == Instruction::AddrSpaceCast)
      casts.push_back(expression);
    for (Value *operand : constants[i]->operands())
      if (isa<ConstantExpr, ConstantAggregate>(operand))
        constants.insert(cast<Constant>(operand));
  }
  return casts;
}

/// Casts between address spaces in constants become instructions, which can be
/// erased when the spaces are gone; a constant of that kind cannot be remapped.
void HostSignatures::expandConstantCasts() {
  SetVector<Constant *> constants;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      for (Value *operand : instruction.operands())
        if (isa<ConstantExpr, ConstantAggregate>(operand))
          constants.insert(cast<Constant>(operand));
  SmallVector<Constant *> casts = findCasts(std::move(constants));
  if (!casts.empty())
    convertUsersOfConstantsToInstructions(casts, nullptr, true,
                                          /*IncludeSelf=*/true);
}

void HostSignatures::mapGlobal(GlobalVariable &global) {
  bool isShared = global.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  auto *host = new GlobalVariable(
      module, types.remapType(global.getValueType()), global.isConstant(),
      isShared || global.isDeclaration() ? GlobalValue::ExternalLinkage
                                         : GlobalValue::InternalLinkage,
      /*Initializer=*/nullptr, "", &global);
  host->takeName(&global);
  host->setAlignment(global.getAlign());
  host->setUnnamedAddr(global.getUnnamedAddr());
  if (isShared && !global.hasInitializer())
    shared.dynamicArray = host;
  else if (isShared)
    shared.staticArrays.push_back(host);
  values[&global] = host;
  globals.emplace_back(&global, host);
  replaced.push_back(&global);
}

void HostSignatures::mapDeclaration(Function &function) {
  auto *type = cast<FunctionType>(types.remapType(function.getFunctionType()));
  if (type == function.getFunctionType())
    return;
  Function *host = nullptr;
  SmallVector<Type *> overloads;
  if (function.isIntrinsic()) {
    // One that is only for certain address spaces keeps its type and is
    // reported later, as one that the host does not have.
    if (!Intrinsic::getIntrinsicSignature(function.getIntrinsicID(), type,
                                          overloads))
      return;
    host = Intrinsic::getOrInsertDeclaration(&module, function.getIntrinsicID(),
                                             overloads);
  } else {
    host = Function::Create(type, function.getLinkage(), "", module);
    host->takeName(&function);
  }
  values[&function] = host;
  replaced.push_back(&function);
}

/// Of a function's attributes only those stay that are true on the host: it
/// reads its thread's block, so `memory(none)` no longer is.
static AttributeSet getHostAttributes(LLVMContext &context,
                                      AttributeSet attributes) {
  AttrBuilder result(context);
  for (Attribute::AttrKind kind :
       {Attribute::AlwaysInline, Attribute::NoInline, Attribute::InlineHint,
        Attribute::MustProgress, Attribute::NoReturn, Attribute::WillReturn})
    if (attributes.hasAttribute(kind))
      result.addAttribute(kind);
  for (StringRef name : {StringRef(laneAxisAttrName),
                         StringRef(PykDialect::kReproducibleAttrName)})
    if (attributes.hasAttribute(name))
      result.addAttribute(attributes.getAttribute(name));
  result.addAttribute(Attribute::NoUnwind);
  return AttributeSet::get(context, result);
}

static AttributeList shiftAttributes(LLVMContext &context,
                                     AttributeList attributes,
                                     ArrayRef<AttributeSet> hidden,
                                     unsigned count) {
  SmallVector<AttributeSet> parameters(hidden);
  for (unsigned i = 0; i < count; ++i)
    parameters.push_back(attributes.getParamAttrs(i));
  return AttributeList::get(context,
                            getHostAttributes(context, attributes.getFnAttrs()),
                            attributes.getRetAttrs(), parameters);
}

/// What holds of the hidden parameters of every launch: CUDA's limits, which
/// the runtime enforces.
static SmallVector<AttributeSet> getHiddenAttributes(LLVMContext &context) {
  AttrBuilder block(context);
  block.addAttribute(Attribute::NoAlias);
  block.addAttribute(Attribute::NonNull);
  block.addAttribute(Attribute::NoUndef);
  block.addAlignmentAttr(Align(alignof(pyk_rt_block)));
  block.addDereferenceableAttr(sizeof(pyk_rt_block));
  SmallVector<AttributeSet> result = {AttributeSet::get(context, block)};
  for (int64_t limit : LaunchLimits::block) {
    AttrBuilder thread(context);
    thread.addAttribute(Attribute::NoUndef);
    thread.addRangeAttr(ConstantRange(APInt(32, 0), APInt(32, limit)));
    result.push_back(AttributeSet::get(context, thread));
  }
  return result;
}

Function *HostSignatures::mapDefinition(Function &function) {
  auto *type = cast<FunctionType>(types.remapType(function.getFunctionType()));
  Type *i32 = Type::getInt32Ty(context);
  SmallVector<Type *> parameters = {PointerType::get(context, 0), i32, i32,
                                    i32};
  append_range(parameters, type->params());
  Function *host = Function::Create(
      FunctionType::get(type->getReturnType(), parameters, false),
      GlobalValue::InternalLinkage, "pyk." + function.getName(), module);
  host->setAttributes(shiftAttributes(context, function.getAttributes(),
                                      getHiddenAttributes(context),
                                      function.arg_size()));
  static constexpr const char *names[] = {"block", "tid.x", "tid.y", "tid.z"};
  for (unsigned i = 0; i < hiddenParameterCount; ++i)
    host->getArg(i)->setName(names[i]);
  for (Argument &argument : function.args()) {
    Argument *to = host->getArg(argument.getArgNo() + hiddenParameterCount);
    to->takeName(&argument);
    argument.mutateType(to->getType());
    argument.replaceAllUsesWith(to);
  }
  host->splice(host->begin(), &function);
  values[&function] = host;
  replaced.push_back(&function);
  bound.insert(host);
  return host;
}

void HostSignatures::remap(Function &function) {
  ValueMapper mapper(values, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals,
                     &types, &bits);
  SmallVector<Instruction *> casts;
  for (Instruction &instruction : instructions(function)) {
    mapper.remapInstruction(instruction);
    if (isa<AddrSpaceCastInst>(instruction))
      casts.push_back(&instruction);
  }
  for (Instruction *cast : casts) {
    cast->replaceAllUsesWith(cast->getOperand(0));
    cast->eraseFromParent();
  }
}

Error HostSignatures::passHiddenArguments(Function &caller) {
  for (Instruction &instruction : make_early_inc_range(instructions(caller))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || call->isInlineAsm())
      continue;
    auto *callee = dyn_cast<Function>(call->getCalledOperand());
    if (!callee || !isa<CallInst>(call))
      return createStringError("requires direct calls, but '" +
                               caller.getName() + "' calls a pointer");
    if (!bound.contains(callee))
      continue;
    SmallVector<Value *> arguments;
    for (unsigned i = 0; i < hiddenParameterCount; ++i)
      arguments.push_back(caller.getArg(i));
    append_range(arguments, call->args());
    SmallVector<AttributeSet> none(hiddenParameterCount);
    auto *hostCall = CallInst::Create(callee->getFunctionType(), callee,
                                      arguments, "", call->getIterator());
    hostCall->setAttributes(shiftAttributes(context, call->getAttributes(),
                                            none, call->arg_size()));
    if (isa<FPMathOperator>(call))
      hostCall->copyFastMathFlags(call);
    hostCall->takeName(call);
    call->replaceAllUsesWith(hostCall);
    call->eraseFromParent();
  }
  return Error::success();
}

/// Needs `values` to be complete.
Error HostSignatures::mapInitializers() {
  for (auto [global, host] : globals) {
    if (global->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED ||
        !global->hasInitializer())
      continue;
    SetVector<Constant *> roots;
    roots.insert(global->getInitializer());
    if (!findCasts(std::move(roots)).empty())
      return createStringError("requires constants without addresses, but '" +
                               host->getName() + "' holds one");
    host->setInitializer(MapValue(global->getInitializer(), values,
                                  RF_NoModuleLevelChanges, &types, &bits));
  }
  return Error::success();
}

Error HostSignatures::eraseOriginals() {
  values.clear();
  for (auto [global, host] : globals)
    if (global->hasInitializer())
      global->setInitializer(nullptr);
  for (GlobalValue *original : replaced) {
    original->removeDeadConstantUsers();
    if (!original->use_empty())
      return createStringError("requires constants without addresses, but one "
                               "holds that of '" +
                               original->getName() + "'");
    original->eraseFromParent();
  }
  return Error::success();
}

Error HostSignatures::run(MutableArrayRef<Function *> kernels) {
  expandConstantCasts();
  SmallVector<GlobalVariable *> variables(make_pointer_range(module.globals()));
  for (GlobalVariable *variable : variables)
    mapGlobal(*variable);
  SmallVector<Function *> functions(make_pointer_range(module));
  SmallVector<Function *> hosts;
  for (Function *function : functions) {
    if (function->isDeclaration())
      mapDeclaration(*function);
    else
      hosts.push_back(mapDefinition(*function));
  }
  for (Function *&kernel : kernels)
    kernel = cast<Function>(values.lookup(kernel));
  if (Error error = mapInitializers())
    return error;
  for (Function *host : hosts)
    remap(*host);
  for (Function *host : hosts)
    if (Error error = passHiddenArguments(*host))
      return error;
  return eraseOriginals();
}

Error pyk::makeHostSignatures(Module &module,
                              MutableArrayRef<Function *> kernels,
                              SharedGlobals &shared) {
  return HostSignatures(module, shared).run(kernels);
}
