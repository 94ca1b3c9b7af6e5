// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter is a plain pointer or number: a driver can pass it as it is, and
// an extent that the kernel does not need costs nothing. Which of them an array
// needs follows from its uses alone, because the first block rebuilds the
// array by `pyk.from_pointer` and only address computation looks inside it.
// What is left out there is poison.

#include "KernelParameters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Which extents and strides an array argument needs
//===----------------------------------------------------------------------===//

namespace {

/// The extents and strides of one array that its uses read.
struct ArrayUse {
  explicit ArrayUse(ArrayType type)
      : type(type), extents(type.getRank()), strides(type.getRank()) {}

  /// The stride along `dimension`: a parameter, or a product of extents.
  void useStride(int64_t dimension) {
    switch (type.getLayout()) {
    case Layout::Any:
      strides.set(dimension);
      break;
    case Layout::C:
      extents.set(dimension + 1, type.getRank());
      break;
    case Layout::F:
      extents.set(0, dimension);
      break;
    }
  }
  void useAllStrides() {
    for (int64_t dimension = 0; dimension < type.getRank(); ++dimension)
      useStride(dimension);
  }
  void useAll() {
    extents.set();
    useAllStrides();
  }
  bool needsExtent(int64_t dimension) const {
    return extents[dimension] &&
           ShapedType::isDynamic(type.getShape()[dimension]);
  }

  ArrayType type;
  llvm::BitVector extents, strides;
};

} // namespace

/// Adds to `use` what `view` reads of its array, given what is read of `view`.
static void addViewUse(ArrayUse &use, ArrayViewOpInterface view,
                       const ArrayUse &other) {
  for (int64_t dimension : view.getPlacingDimensions())
    use.useStride(dimension);
  for (int64_t its = 0; its < other.type.getRank(); ++its) {
    ViewedDimension from = view.getViewedDimension(its);
    if (from.extent >= 0 && other.extents[its])
      use.extents.set(from.extent);
    if (from.stride >= 0 && other.strides[its])
      use.useStride(from.stride);
  }
}

static ArrayUse getArrayUse(Value array) {
  // An array comes before its views.
  SmallVector<Value> arrays{array};
  for (size_t next = 0; next < arrays.size(); ++next)
    for (Operation *user : arrays[next].getUsers())
      if (isa<ArrayViewOpInterface>(user))
        arrays.push_back(user->getResult(0));
  DenseMap<Value, ArrayUse> uses;
  for (Value viewed : llvm::reverse(arrays)) {
    ArrayUse use(cast<ArrayType>(viewed.getType()));
    for (Operation *user : viewed.getUsers())
      TypeSwitch<Operation *>(user)
          .Case([&](DimOp dim) { use.extents.set(dim.getDimension()); })
          .Case([&](StrideOp stride) { use.useStride(stride.getDimension()); })
          .Case([&](AccessOpInterface) { use.useAllStrides(); })
          .Case([&](ArrayViewOpInterface view) {
            addViewUse(use, view, uses.at(view->getResult(0)));
          })
          .Case([](AddressOp) {})
          .Default([&](Operation *) { use.useAll(); });
    uses.try_emplace(viewed, std::move(use));
  }
  return uses.at(array);
}

//===----------------------------------------------------------------------===//
// The parameters of a kernel
//===----------------------------------------------------------------------===//

namespace {

/// Adds parameters one Python argument after the other.
struct ParameterBuilder {
  ParameterBuilder(FuncOp kernel)
      : kernel(kernel), entry(&kernel.getBody().front()),
        builder(kernel.getLoc(), OpBuilder::atBlockBegin(entry)) {}

  void addArgument(unsigned index) {
    BlockArgument argument = entry->getArgument(index);
    builder.setLoc(argument.getLoc());
    if (isa<ArrayType>(argument.getType()))
      addArray(argument, index);
    else
      addScalar(argument, index);
  }

  void addScalar(BlockArgument argument, unsigned index) {
    Type type = argument.getType();
    bool isBool = type.isInteger(1);
    Value parameter = add(ParameterKind::Scalar, index, 0,
                          isBool ? Type(builder.getI8Type()) : type, index);
    if (isBool) {
      Value zero =
          arith::ConstantOp::create(builder, builder.getI8IntegerAttr(0));
      parameter = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                        parameter, zero);
    }
    argument.replaceAllUsesWith(parameter);
    if (bitEnumContainsAll(getFacts(argument), LaunchFact::Small))
      setRange(kSmallLimit);
  }

  void addArray(BlockArgument argument, unsigned index) {
    ArrayUse use = getArrayUse(argument);
    auto pointerType = LLVM::LLVMPointerType::get(builder.getContext(), 1);
    Value pointer = add(ParameterKind::Data, index, 0, pointerType, index);
    LaunchFact facts = getFacts(argument);
    if (bitEnumContainsAll(facts, LaunchFact::Disjoint)) {
      set(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
      if (!bitEnumContainsAny(facts, LaunchFact::Written))
        set(LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
    }
    if (bitEnumContainsAll(facts, LaunchFact::Aligned))
      set(LLVM::LLVMDialect::getAlignAttrName(),
          builder.getI64IntegerAttr(kLaunchAlignment));
    int64_t limit = kExtentLimit;
    if (bitEnumContainsAll(facts, LaunchFact::Narrow))
      limit = kNarrowLimit;
    else if (bitEnumContainsAll(facts, LaunchFact::Small))
      limit = kSmallLimit;
    SmallVector<Value> extents, strides;
    for (auto [dimension, extent] : llvm::enumerate(use.type.getShape()))
      if (ShapedType::isDynamic(extent))
        extents.push_back(use.extents[dimension]
                              ? addExtent(index, dimension, limit)
                              : makePoison());
    if (use.type.getLayout() == Layout::Any) {
      int64_t last = use.type.getRank() - 1;
      for (int64_t dimension = 0; dimension <= last; ++dimension)
        if (!use.strides[dimension])
          strides.push_back(makePoison());
        else if (dimension == last &&
                 bitEnumContainsAll(facts, LaunchFact::Unit))
          strides.push_back(arith::ConstantIntOp::create(
              builder, builder.getI64Type(), use.type.getElementBytes()));
        else
          strides.push_back(add(ParameterKind::Stride, index, dimension,
                                builder.getI64Type()));
    }
    argument.replaceAllUsesWith(
        FromPointerOp::create(builder, use.type, pointer, extents, strides));
  }

  /// The record of the first thread that fails.
  void addRecord() {
    builder.setLoc(kernel.getLoc());
    (void)add(ParameterKind::Failure, 0, 0,
              LLVM::LLVMPointerType::get(builder.getContext(), 1));
  }

  Value addExtent(unsigned index, unsigned dimension, int64_t limit) {
    bool isSmall = limit <= kSmallLimit;
    Value extent = add(ParameterKind::Extent, index, dimension,
                       isSmall ? builder.getI32Type() : builder.getI64Type());
    setRange(limit);
    if (!isSmall)
      return extent;
    return arith::ExtUIOp::create(builder, builder.getI64Type(), extent);
  }

  /// An extent or stride that no use reads.
  Value makePoison() {
    return ub::PoisonOp::create(builder, builder.getI64Type());
  }

  /// Says that the last parameter, an integer, is at least 0 and below `limit`.
  void setRange(int64_t limit) {
    unsigned width = made.types.back().getIntOrFloatBitWidth();
    set(LLVM::LLVMDialect::getRangeAttrName(),
        LLVM::ConstantRangeAttr::get(builder.getContext(), APInt(width, 0),
                                     APInt(width, limit)));
  }

  /// Gives the last parameter an attribute.
  void set(StringRef name, Attribute value) {
    NamedAttrList all(made.attributes.back());
    all.set(name, value);
    made.attributes.back() = all.getDictionary(builder.getContext());
  }

  /// A parameter, with the attributes of argument `attributesOf` if given.
  Value add(ParameterKind kind, unsigned argument, unsigned dimension,
            Type type, std::optional<unsigned> attributesOf = std::nullopt) {
    made.abi.push_back(
        ParameterAttr::get(builder.getContext(), kind, argument, dimension));
    made.types.push_back(type);
    NamedAttrList own(attributesOf ? kernel.getArgAttrDict(*attributesOf)
                                   : DictionaryAttr());
    // It stands on the kernel from here on.
    own.erase(PykDialect::kFactsAttrName);
    made.attributes.push_back(own.getDictionary(builder.getContext()));
    return entry->addArgument(type, builder.getLoc());
  }

  FuncOp kernel;
  Block *entry;
  ImplicitLocOpBuilder builder;
  KernelParameters made;
};

} // namespace

/// The facts of all arguments of `kernel`; null if it has none.
static ArrayAttr getFactsOfArguments(FuncOp kernel) {
  bool hasAny = false;
  SmallVector<Attribute> facts;
  for (BlockArgument argument : kernel.getArguments()) {
    LaunchFact its = getFacts(argument);
    hasAny |= its != LaunchFact::None;
    facts.push_back(FactsAttr::get(kernel.getContext(), its));
  }
  return hasAny ? ArrayAttr::get(kernel.getContext(), facts) : ArrayAttr();
}

KernelParameters pyk::replaceArguments(FuncOp kernel, bool mayFail) {
  ParameterBuilder parameters(kernel);
  parameters.made.facts = getFactsOfArguments(kernel);
  unsigned count = kernel.getNumArguments();
  for (unsigned index = 0; index < count; ++index)
    parameters.addArgument(index);
  if (mayFail)
    parameters.addRecord();
  parameters.entry->eraseArguments(0, count);
  return std::move(parameters.made);
}
