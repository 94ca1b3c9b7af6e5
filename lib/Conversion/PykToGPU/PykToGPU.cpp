// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels get their parameters, and a gpu.module to live in.
//
// No dialect conversion takes place: types do not change, so that moving the
// bodies and replacing op by op is enough, and quick.

#include "ExpandIndices.h"
#include "Exports.h"
#include "KernelParameters.h"
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
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
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
  KernelParameters parameters = replaceArguments(kernel, mayFail);
  auto function =
      gpu::GPUFuncOp::create(builder, kernel.getLoc(), name,
                             builder.getFunctionType(parameters.types, {}));
  copyOtherAttributes(kernel, function);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  kAbi.set(function, AbiAttr::get(builder.getContext(), parameters.abi));
  if (parameters.facts)
    kFacts.set(function, parameters.facts);
  for (auto [index, attributes] : llvm::enumerate(parameters.attributes))
    if (!attributes.empty())
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

/// Moves the shared arrays of each function to its first block: passes that
/// copy code elsewhere then make no second array of one.
static void moveSharedArrays(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    SmallVector<AllocOp> arrays;
    function.walk([&](AllocOp array) {
      if (array.getType().getSpace() == Space::Shared)
        arrays.push_back(array);
    });
    Block &entry = function.getFunctionBody().front();
    for (AllocOp array : llvm::reverse(arrays))
      array->moveBefore(&entry, entry.begin());
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Names of the functions whose threads may fail there or in what they call, or
/// launch.
static SetVector<StringAttr> findFailing(ModuleOp module) {
  SetVector<StringAttr> failing;
  DenseMap<StringAttr, SmallVector<StringAttr>> callers;
  for (auto function : module.getOps<FuncOp>()) {
    StringAttr name = function.getSymNameAttr();
    function.walk([&](Operation *op) {
      auto check = dyn_cast<CheckOp>(op);
      auto foreign = dyn_cast<ForeignCallOp>(op);
      if (auto call = dyn_cast<CallOp>(op))
        callers[call.getCalleeAttr().getAttr()].push_back(name);
      else if (auto launch = dyn_cast<LaunchOp>(op))
        callers[launch.getKernelAttr().getAttr()].push_back(name);
      else if (foreign && foreign.getHostAttr())
        callers[foreign.getHostAttr().getAttr()].push_back(name);
      else if (check && check.getFailureAttr())
        failing.insert(name);
    });
  }
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
      return function.getKernel() || kExport.isOn(function);
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
    llvm::StringSet<> outerNames;
    auto isTaken = [&](StringRef name) {
      return outerNames.contains(name) || gpuModule.lookupSymbol(name);
    };
    FailureOr<SmallVector<Export>> exports =
        takeExports(ArrayRef(functions).take_front(entryCount), getIdentifier);
    if (failed(exports))
      return signalPassFailure();
    for (const Export &entry : *exports)
      outerNames.insert(entry.name);
    // A linker knows these, and not what calls them.
    module.walk([&](ForeignCallOp call) {
      outerNames.insert(call.getCode().getName());
    });
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
    gpuModule.walk(
        [&](LaunchOp launch) { launch.setKernel(names[launch.getKernel()]); });
    gpuModule.walk([&](ForeignCallOp call) {
      if (auto host = call.getHost())
        call.setHost(names[*host]);
    });
    for (FuncOp function : functions)
      function->erase();
    moveSharedArrays(gpuModule);
  }
};

} // namespace
