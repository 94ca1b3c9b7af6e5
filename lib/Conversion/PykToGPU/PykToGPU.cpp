// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels get their parameters, and a gpu.module to live in.
//
// A parameter is a plain pointer or number: a driver can pass it as it is, and
// an extent that the kernel does not need costs nothing. Which of them an array
// needs follows from its uses alone, because the first block rebuilds the
// array by `pyk.from_pointer` and only address computation looks inside it.
// What is left out there is poison.
//
// No dialect conversion takes place: types do not change, so that moving the
// bodies and replacing op by op is enough, and quick.

#include "ExpandIndices.h"
#include "Exports.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Conversion/Passes.h"
#include "pyk/Dialect/Pyk/IR/PykCalls.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ConvertUTF.h"

namespace pyk {
#define GEN_PASS_DEF_CONVERTPYKTOGPUPASS
#include "pyk/Conversion/Passes.h.inc"
} // namespace pyk

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

/// Adds the parameters of a kernel to its first block, one Python argument
/// after the other, and rebuilds the arguments from them.
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
  }

  void addArray(BlockArgument argument, unsigned index) {
    ArrayUse use = getArrayUse(argument);
    auto pointerType = LLVM::LLVMPointerType::get(builder.getContext(), 1);
    Value pointer = add(ParameterKind::Data, index, 0, pointerType, index);
    SmallVector<Value> extents, strides;
    for (auto [dimension, extent] : llvm::enumerate(use.type.getShape()))
      if (ShapedType::isDynamic(extent))
        extents.push_back(addSize(ParameterKind::Extent, index, dimension,
                                  use.extents[dimension]));
    if (use.type.getLayout() == Layout::Any)
      for (int64_t dimension = 0; dimension < use.type.getRank(); ++dimension)
        strides.push_back(addSize(ParameterKind::Stride, index, dimension,
                                  use.strides[dimension]));
    argument.replaceAllUsesWith(
        FromPointerOp::create(builder, use.type, pointer, extents, strides));
  }

  /// The record of the first thread that fails.
  void addRecord() {
    builder.setLoc(kernel.getLoc());
    (void)add(ParameterKind::Failure, 0, 0,
              LLVM::LLVMPointerType::get(builder.getContext(), 1));
  }

  /// An extent or stride; poison if no use reads it.
  Value addSize(ParameterKind kind, unsigned index, unsigned dimension,
                bool isUsed) {
    if (isUsed && kind == ParameterKind::Extent) {
      Value extent = add(kind, index, dimension, builder.getI64Type());
      attributes.back() = builder.getDictionaryAttr(builder.getNamedAttr(
          LLVM::LLVMDialect::getRangeAttrName(),
          LLVM::ConstantRangeAttr::get(builder.getContext(), APInt(64, 0),
                                       APInt(64, kExtentLimit))));
      return extent;
    }
    if (isUsed)
      return add(kind, index, dimension, builder.getI64Type());
    return ub::PoisonOp::create(builder, builder.getI64Type());
  }

  /// A parameter, with the attributes of argument `attributesOf` if given.
  Value add(ParameterKind kind, unsigned argument, unsigned dimension,
            Type type, std::optional<unsigned> attributesOf = std::nullopt) {
    abi.push_back(
        ParameterAttr::get(builder.getContext(), kind, argument, dimension));
    types.push_back(type);
    attributes.push_back(attributesOf ? kernel.getArgAttrDict(*attributesOf)
                                      : DictionaryAttr());
    return entry->addArgument(type, builder.getLoc());
  }

  FuncOp kernel;
  Block *entry;
  ImplicitLocOpBuilder builder;
  SmallVector<ParameterAttr> abi;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// `name` as an identifier that PTX accepts and nothing else of the module
/// has. What is no letter, digit or underscore becomes one, or `_u` and its
/// code point in hexadecimal. Names that LLVM, libdevice or PTX claim get a
/// prefix.
static std::string getIdentifier(StringRef name,
                                 function_ref<bool(StringRef)> isTaken) {
  std::string identifier;
  const auto *next = reinterpret_cast<const llvm::UTF8 *>(name.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(name.end());
  while (next != end) {
    llvm::UTF32 code = *next;
    if (code < 0x80)
      ++next;
    else if (llvm::convertUTF8Sequence(&next, end, &code,
                                       llvm::strictConversion) !=
             llvm::conversionOK)
      code = *next++;
    if (code >= 0x80)
      identifier += "_u" + llvm::utohexstr(code);
    else
      identifier += llvm::isAlnum(code) ? static_cast<char>(code) : '_';
  }
  StringRef view(identifier);
  if (view.empty() || llvm::isDigit(view.front()) || view == "_" ||
      view == "WARP_SZ" || view.starts_with("__") || view.starts_with("llvm"))
    identifier.insert(0, "pyk_");
  std::string unique = identifier;
  for (unsigned count = 1; isTaken(unique); ++count)
    unique = identifier + "_" + llvm::utostr(count);
  return unique;
}

/// Gives `converted` the attributes of `function` that any op may carry.
static void copyOtherAttributes(FuncOp function, Operation *converted) {
  for (NamedAttribute attribute : function->getDiscardableAttrs())
    converted->setAttr(attribute.getName(), attribute.getValue());
}

static void convertKernel(FuncOp kernel, StringRef name, bool mayFail,
                          OpBuilder &builder) {
  ParameterBuilder parameters(kernel);
  unsigned count = kernel.getNumArguments();
  for (unsigned index = 0; index < count; ++index)
    parameters.addArgument(index);
  if (mayFail)
    parameters.addRecord();
  parameters.entry->eraseArguments(0, count);

  auto function =
      gpu::GPUFuncOp::create(builder, kernel.getLoc(), name,
                             builder.getFunctionType(parameters.types, {}));
  copyOtherAttributes(kernel, function);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(PykDialect::kAbiAttrName,
                    AbiAttr::get(builder.getContext(), parameters.abi));
  for (auto [index, attributes] : llvm::enumerate(parameters.attributes))
    if (attributes)
      function.setArgAttrs(index, attributes);
  function.getBody().takeBody(kernel.getBody());
}

static void convertDeviceFunction(FuncOp function, StringRef name,
                                  bool isRecursive, OpBuilder &builder) {
  auto converted = func::FuncOp::create(builder, function.getLoc(), name,
                                        function.getFunctionType());
  copyOtherAttributes(function, converted);
  converted.setPrivate();
  converted->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  // It may hold a barrier; LLVM drops the attribute where none is found.
  converted->setAttr("convergent", builder.getUnitAttr());
  if (!isRecursive)
    converted->setAttr("always_inline", builder.getUnitAttr());
  if (ArrayAttr attributes = function.getArgAttrsAttr())
    converted.setArgAttrsAttr(attributes);
  converted.getBody().takeBody(function.getBody());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Names of the functions whose threads may fail there or in what they call.
static SetVector<StringAttr> findFailing(ModuleOp module) {
  SetVector<StringAttr> failing;
  DenseMap<StringAttr, SmallVector<StringAttr>> callers;
  module.walk([&](Operation *op) {
    auto check = dyn_cast<CheckOp>(op);
    auto call = dyn_cast<CallOp>(op);
    if (!call && !(check && check.getFailureAttr()))
      return;
    StringAttr function = op->getParentOfType<FuncOp>().getSymNameAttr();
    if (call)
      callers[call.getCalleeAttr().getAttr()].push_back(function);
    else
      failing.insert(function);
  });
  for (size_t next = 0; next < failing.size(); ++next)
    for (StringAttr caller : callers[failing[next]])
      failing.insert(caller);
  return failing;
}

namespace {

struct ConvertPykToGPUPass
    : pyk::impl::ConvertPykToGPUPassBase<ConvertPykToGPUPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto isEntry = [](FuncOp function) {
      return function.getKernel() ||
             function->hasAttr(PykDialect::kExportAttrName);
    };
    // Entries first, so that they get their names unchanged if they can.
    auto functions = llvm::filter_to_vector(module.getOps<FuncOp>(), isEntry);
    size_t entryCount = functions.size();
    llvm::append_range(
        functions,
        llvm::make_filter_range(module.getOps<FuncOp>(), std::not_fn(isEntry)));
    if (entryCount == 0) {
      module.emitError("expects a kernel or an exported function but got none");
      return signalPassFailure();
    }
    expandIndexOps(module);

    CallGraph calls(module);
    SetVector<StringAttr> failing = findFailing(module);
    auto builder = OpBuilder::atBlockEnd(module.getBody());
    auto gpuModule = gpu::GPUModuleOp::create(builder, module.getLoc(), "pyk");
    builder.setInsertionPointToStart(gpuModule.getBody());
    DenseMap<StringRef, std::string> names;
    llvm::StringSet<> exportedNames;
    auto isTaken = [&](StringRef name) {
      return exportedNames.contains(name) || gpuModule.lookupSymbol(name);
    };
    FailureOr<SmallVector<Export>> exports =
        takeExports(ArrayRef(functions).take_front(entryCount), getIdentifier);
    if (failed(exports))
      return signalPassFailure();
    for (const Export &entry : *exports)
      exportedNames.insert(entry.name);
    for (FuncOp function : functions) {
      std::string name = getIdentifier(function.getSymName(), isTaken);
      if (function.getKernel())
        convertKernel(function, name,
                      failing.contains(function.getSymNameAttr()), builder);
      else
        convertDeviceFunction(function, name, calls.isRecursive(function),
                              builder);
      names[function.getSymName()] = name;
    }
    for (Export &entry : *exports)
      addExportedFunction(entry, names[entry.function.getSymName()], builder);
    gpuModule.walk([&](CallOp call) {
      OpBuilder builder(call);
      auto converted =
          func::CallOp::create(builder, call.getLoc(), names[call.getCallee()],
                               call.getResultTypes(), call.getOperands());
      call->replaceAllUsesWith(converted);
      call->erase();
    });
    for (FuncOp function : functions)
      function->erase();
  }
};

} // namespace
