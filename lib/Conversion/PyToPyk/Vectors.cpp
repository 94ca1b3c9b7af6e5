// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's vectors: a value has a part for each component, and memory a field.

#include "Vectors.h"
#include "IntrinsicLowering.h"
#include "Operators.h"
#include "Records.h"
#include "pyk/Dialect/Py/IR/Vectors.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The components of `value`: numbers.
static SmallVector<Binding> getComponentsOf(FunctionLowering &lowering,
                                            const Binding &value,
                                            Location loc) {
  SmallVector<Binding> components;
  if (auto array = dyn_cast<ArrayType>(value.type)) {
    for (unsigned field = 0; field != array.getFields().size(); ++field)
      components.push_back(lowering.records().getField(value, field, loc));
    return components;
  }
  for (auto [type, part] :
       llvm::zip_equal(getComponents(value.type), value.parts))
    components.push_back({type, {part}});
  return components;
}

Binding VectorLowering::makeVector(ShortVectorType type,
                                   ArrayRef<Binding> arguments, Location loc) {
  Binding result{type, {}};
  for (const Binding &argument : arguments)
    for (const Binding &component : getComponentsOf(lowering, argument, loc))
      llvm::append_range(
          result.parts, lowering.convert(component, type.getBase(), loc).parts);
  return result;
}

Binding VectorLowering::makeVectorBinary(BinaryOperator kind,
                                         const Binding &lhs, const Binding &rhs,
                                         ShortVectorType type, Location loc) {
  Type base = type.getBase();
  auto getOperands = [&](const Binding &operand) {
    if (operand.type == type)
      return getComponentsOf(lowering, operand, loc);
    return SmallVector<Binding>(type.getLength(),
                                lowering.convert(operand, base, loc));
  };
  Binding result{type, {}};
  for (auto [a, b] : llvm::zip_equal(getOperands(lhs), getOperands(rhs)))
    llvm::append_range(
        result.parts,
        lowering.operators().makeBinary(kind, a, b, base, loc).parts);
  return result;
}

Binding VectorLowering::loadVector(Value array, ValueRange indices,
                                   ShortVectorType type, Location loc) {
  Value record = lowering.records().getRecord(array, indices, loc);
  Binding result{type, {}};
  for (unsigned field = 0; field != type.getLength(); ++field)
    result.parts.push_back(pyk::LoadOp::create(
        builder, loc, pyk::FieldOp::create(builder, loc, record, field),
        ValueRange()));
  return result;
}

void VectorLowering::storeVector(const Binding &vector, Value array,
                                 ValueRange indices, Location loc) {
  Value record = lowering.records().getRecord(array, indices, loc);
  for (auto [field, part] : llvm::enumerate(vector.parts))
    pyk::StoreOp::create(
        builder, loc, part,
        pyk::FieldOp::create(builder, loc, record, unsigned(field)),
        ValueRange());
}

static Binding lowerComponent(LoweredAttribute &read) {
  SmallVector<Binding> components =
      getComponentsOf(read.lowering, read.object, read.loc);
  return read.lowering.convert(components[read.getNumber("component")],
                               read.type, read.loc);
}

void py::addVectorLowering(LoweringRules &rules) {
  rules.add(intrinsics::LoweringRule::VectorComponent, lowerComponent);
}
