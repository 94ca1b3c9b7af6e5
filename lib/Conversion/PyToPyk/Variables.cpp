// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variables hold, and what of it control carries.

#include "Variables.h"
#include "Scalars.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Variables::Variables(FunctionLowering &lowering)
    : LoweringPart(lowering), liveness(lowering.getSource()) {}

const Binding *Variables::find(StringAttr name) const {
  auto found = bindings.find(name);
  return found == bindings.end() ? nullptr : &found->second;
}

void Variables::set(StringAttr name, Binding value) {
  bindings[name] = std::move(value);
}

SmallVector<Slot> Variables::getSlots(DictionaryAttr slots, const Names &live) {
  SmallVector<Slot> result;
  if (slots)
    for (NamedAttribute entry : slots)
      if (live.contains(entry.getName()))
        result.push_back(
            {entry.getName(), cast<TypeAttr>(entry.getValue()).getValue()});
  return result;
}

SmallVector<Value> Variables::gather(ArrayRef<Slot> slots, Location loc) {
  SmallVector<Value> result;
  for (const Slot &slot : slots) {
    const Binding *held = find(slot.name);
    Binding binding = held ? lowering.convert(*held, slot.type, loc)
                           : makeUndefined(builder, slot.type, loc);
    llvm::append_range(result, binding.parts);
  }
  return result;
}

void Variables::bind(ArrayRef<Slot> slots, ValueRange values) {
  for (const Slot &slot : slots) {
    SmallVector<Type> parts;
    appendPartTypes(slot.type, parts);
    ValueRange own = values.take_front(parts.size());
    bindings[slot.name] = {slot.type, {own.begin(), own.end()}};
    values = values.drop_front(parts.size());
  }
}

void Variables::forget(Operation *op) {
  for (Region &region : op->getRegions().drop_back())
    region.walk([&](SetOp set) { bindings.erase(set.getNameAttr()); });
}
