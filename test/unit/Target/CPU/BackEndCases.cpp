// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a case is what the CPU's vectorizer (lib/Dialect/Simd/Transforms,
// AccessUnroller.cpp) and PykToLLVM write for the same.

#include "BackEndCases.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

#include <random>

using namespace llvm;
using namespace pyk;
using namespace pyk::test;
using pyk::test::Operation;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::string describe(const MaskedAccess &access, StringRef adjacent,
                            StringRef scattered) {
  static constexpr StringRef masks[] = {"all lanes", "constant mask",
                                        "prefix mask", "variable mask",
                                        "variable mask and"};
  StringRef name = access.access == Access::Adjacent ? adjacent : scattered;
  std::string text = (name + " of " + masks[access.mask.kind]).str();
  if (access.mask.kind == Mask::Constant || access.mask.kind == Mask::Some)
    text += " " + ("0x" + utohexstr(access.mask.bits));
  return text;
}

std::string Case::describe() const {
  return (Twine(operation->name) + ", " + Twine(lanes) + " lanes, " +
          ::describe(load, "load", "gather") + ", " +
          ::describe(store, "store", "scatter"))
      .str();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {

/// Writes the code of one case.
class CaseEmitter {
public:
  CaseEmitter(Function &function, const Case &test)
      : test(test), b(BasicBlock::Create(function.getContext(), "", &function)),
        arguments(function.getArg(4)) {}

  void run();

private:
  Value *getArgument(unsigned position) {
    Value *address = b.CreateConstGEP1_32(b.getPtrTy(), arguments, position);
    return b.CreateLoad(b.getPtrTy(), address);
  }
  /// The type of `element` in memory.
  Type *getHeldType(Element element) {
    return element == Element::Bool ? b.getInt8Ty()
                                    : getType(b.getContext(), element);
  }
  Type *makeVector(Type *element) {
    return FixedVectorType::get(element, test.lanes);
  }
  Value *makeConstantMask(uint32_t bits);
  /// Null for all lanes.
  Value *makeMask(const Mask &mask, unsigned argument);
  /// The addresses of elements of type `held`, at offsets from `base`.
  Value *makePointers(Value *base, Type *held, unsigned argument);
  Value *load(unsigned operand, Value *mask);
  void store(Value *result, Value *mask);

  const Case &test;
  IRBuilder<> b;
  Value *arguments;
};

} // namespace

Value *CaseEmitter::makeConstantMask(uint32_t bits) {
  SmallVector<Constant *> lanes;
  for (unsigned lane = 0; lane < test.lanes; ++lane)
    lanes.push_back(b.getInt1(bits >> lane & 1));
  return ConstantVector::get(lanes);
}

Value *CaseEmitter::makeMask(const Mask &mask, unsigned argument) {
  switch (mask.kind) {
  case Mask::All:
    return nullptr;
  case Mask::Constant:
    return makeConstantMask(mask.bits);
  case Mask::Prefix: {
    // As `i < n` of the threads of a block.
    SmallVector<Constant *> numbers;
    for (unsigned lane = 0; lane < test.lanes; ++lane)
      numbers.push_back(b.getInt64(lane));
    Value *count = b.CreateLoad(b.getInt64Ty(), getArgument(argument));
    return b.CreateICmpSLT(ConstantVector::get(numbers),
                           b.CreateVectorSplat(test.lanes, count));
  }
  case Mask::Variable:
  case Mask::Some: {
    Value *bools = b.CreateAlignedLoad(makeVector(b.getInt8Ty()),
                                       getArgument(argument), Align(1));
    Value *lanes = b.CreateIsNotNull(bools);
    return mask.kind == Mask::Variable
               ? lanes
               : b.CreateAnd(lanes, makeConstantMask(mask.bits));
  }
  }
  llvm_unreachable("unknown kind of mask");
}

Value *CaseEmitter::makePointers(Value *base, Type *held, unsigned argument) {
  Value *offsets = b.CreateAlignedLoad(makeVector(b.getInt64Ty()),
                                       getArgument(argument), Align(8));
  return b.CreateGEP(held, base, offsets);
}

Value *CaseEmitter::load(unsigned operand, Value *mask) {
  Element element = test.operation->from;
  Type *held = getHeldType(element), *type = makeVector(held);
  Align align(getBytes(element));
  Value *base = getArgument(FirstOperandArgument + operand), *loaded;
  Constant *zero = Constant::getNullValue(type);
  if (test.load.access == Access::Scattered)
    loaded = b.CreateMaskedGather(
        type, makePointers(base, held, LoadOffsetsArgument), align,
        mask ? mask : makeConstantMask(~0U), zero);
  else if (mask)
    loaded = b.CreateMaskedLoad(type, base, align, mask, zero);
  else
    loaded = b.CreateAlignedLoad(type, base, align);
  return element == Element::Bool ? b.CreateIsNotNull(loaded) : loaded;
}

void CaseEmitter::store(Value *result, Value *mask) {
  Element element = test.operation->to;
  Type *held = getHeldType(element);
  Align align(getBytes(element));
  Value *base = getArgument(ResultArgument);
  if (element == Element::Bool)
    result = b.CreateZExt(result, result->getType()->getWithNewType(held));
  if (test.store.access == Access::Scattered)
    b.CreateMaskedScatter(result,
                          makePointers(base, held, StoreOffsetsArgument), align,
                          mask ? mask : makeConstantMask(~0U));
  else if (mask)
    b.CreateMaskedStore(result, base, align, mask);
  else
    b.CreateAlignedStore(result, base, align);
}

void CaseEmitter::run() {
  Value *loadMask = makeMask(test.load.mask, LoadMaskArgument);
  Value *storeMask = makeMask(test.store.mask, StoreMaskArgument);
  SmallVector<Value *, 3> operands;
  for (unsigned operand = 0; operand < test.operation->operands; ++operand)
    operands.push_back(load(operand, loadMask));
  store(test.operation->emit(b, operands), storeMask);
  b.CreateRetVoid();
}

Function *test::emitCase(Module &module, const Case &test, StringRef name) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0);
  Type *i32 = Type::getInt32Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context),
                                 {pointer, i32, i32, i32, pointer},
                                 /*isVarArg=*/false);
  Function *function =
      Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->addFnAttr(Attribute::NoUnwind);
  CaseEmitter(*function, test).run();
  return function;
}

//===----------------------------------------------------------------------===//
// The cases
//===----------------------------------------------------------------------===//

/// No lane, each single one, the first ones, and some others.
static std::vector<Mask> makeConstantMasks(unsigned lanes) {
  std::vector<Mask> masks = {{Mask::Constant, 0}};
  auto all = static_cast<uint32_t>((uint64_t(1) << lanes) - 1);
  for (unsigned lane = 0; lane < lanes; ++lane)
    masks.push_back({Mask::Constant, uint32_t(1) << lane});
  for (unsigned count = 2; count <= lanes; ++count)
    masks.push_back(
        {Mask::Constant, static_cast<uint32_t>((uint64_t(1) << count) - 1)});
  std::mt19937 random(lanes);
  for (int number = 0; number < 4; ++number)
    masks.push_back({Mask::Constant, static_cast<uint32_t>(random()) & all});
  return masks;
}

static void addConversion(const Operation &operation, unsigned lanes,
                          unsigned mostKnown, Extent extent,
                          std::mt19937 &random, std::vector<Case> &cases) {
  static constexpr Access accesses[] = {Access::Adjacent, Access::Scattered};
  auto half = static_cast<uint32_t>((uint64_t(1) << lanes / 2) - 1);
  std::vector<Mask> masks = {{Mask::All}, {Mask::Prefix}, {Mask::Variable}};
  if (lanes <= mostKnown) {
    masks.insert(masks.end(),
                 {{Mask::Some, half}, {Mask::Some, 1U << (lanes - 1)}});
    append_range(masks, makeConstantMasks(lanes));
  }
  for (const Mask &mask : masks)
    for (Access access : accesses) {
      Case loads{&operation, lanes, {access, mask}, {}};
      Case stores{&operation, lanes, {}, {access, mask}};
      for (const Case &test : {loads, stores})
        if (extent == Extent::Everything || random() % 32 == 0)
          cases.push_back(test);
    }
  for (Mask::Kind kind : {Mask::Prefix, Mask::Variable})
    for (Access from : accesses)
      for (Access to : accesses)
        if (extent == Extent::Everything || random() % 16 == 0)
          cases.push_back({&operation, lanes, {from, {kind}}, {to, {kind}}});
}

std::vector<Case> test::makeCases(unsigned lanes, unsigned mostKnown,
                                  Extent extent,
                                  const std::vector<Operation> &conversions,
                                  const std::vector<Operation> &arithmetic,
                                  const std::vector<Operation> &exchanges) {
  std::vector<Case> cases;
  std::mt19937 random(lanes);
  for (const Operation &operation : conversions)
    addConversion(operation, lanes, mostKnown, extent, random, cases);
  MaskedAccess masked{Access::Adjacent, {Mask::Variable}};
  for (const Operation &operation : arithmetic) {
    if (extent == Extent::Everything || random() % 4 == 0)
      cases.push_back({&operation, lanes, {}, {}});
    if (extent == Extent::Everything || random() % 8 == 0)
      cases.push_back({&operation, lanes, masked, masked});
  }
  for (const Operation &operation : exchanges)
    if (extent == Extent::Everything || random() % 4 == 0)
      cases.push_back({&operation, lanes, {}, {}});
  return cases;
}
