// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks facts up, wherever the stage keeps them.

#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;

/// The facts of the argument that parameter `index` of `kernel`, which is in
/// stage gpu, belongs to.
static LaunchFact getFactsOfParameter(Operation *kernel, unsigned index) {
  auto abi = kAbi.get(kernel);
  auto facts = kFacts.get(kernel);
  if (!abi || !facts || index >= abi.getParameters().size())
    return LaunchFact::None;
  ParameterAttr parameter = abi.getParameters()[index];
  if (parameter.getKind() == ParameterKind::Failure ||
      parameter.getArgument() >= facts.size())
    return LaunchFact::None;
  return cast<FactsAttr>(facts[parameter.getArgument()]).getValue();
}

LaunchFact pyk::getFacts(Value value) {
  if (auto array = value.getDefiningOp<FromPointerOp>())
    value = array.getPointer();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return LaunchFact::None;
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return LaunchFact::None;
  unsigned index = argument.getArgNumber();
  if (auto facts = function.getArgAttrOfType<FactsAttr>(
          index, PykDialect::kFactsAttrName))
    return facts.getValue();
  return getFactsOfParameter(function, index);
}

bool pyk::isSmallArray(Value array) {
  // A part of an array is no longer than that.
  while (auto view = array.getDefiningOp<ViewOp>())
    array = view.getArray();
  auto type = cast<ArrayType>(array.getType());
  if (type.hasStaticShape() && type.getLayout() != Layout::Any) {
    int64_t bytes = type.getElementBytes();
    for (int64_t extent : type.getShape())
      if (extent >= kSmallLimit || llvm::MulOverflow(bytes, extent, bytes))
        return false;
    return bytes < kSmallLimit;
  }
  return bitEnumContainsAll(getFacts(array), LaunchFact::Small);
}

bool pyk::hasFewElements(Value array) {
  if (isSmallArray(array))
    return true;
  while (auto view = array.getDefiningOp<ViewOp>())
    array = view.getArray();
  return bitEnumContainsAll(getFacts(array), LaunchFact::Narrow);
}

bool pyk::hasSmallGrid(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function && kSmallGrid.isOn(function);
}

std::string pyk::stringifyFacts(ArrayAttr facts) {
  std::string text;
  for (auto [index, attribute] : llvm::enumerate(facts)) {
    LaunchFact its = cast<FactsAttr>(attribute).getValue();
    its = bitEnumClear(its, LaunchFact::Written);
    if (its == LaunchFact::None)
      continue;
    text += (text.empty() ? "argument " : "; argument ") +
            std::to_string(index) + ": ";
    for (char c : stringifyLaunchFact(its))
      text += c == '|' ? ", " : std::string(1, c);
  }
  return text;
}
