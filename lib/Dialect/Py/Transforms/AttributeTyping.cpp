// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: attributes.

#include "AttributeTyping.h"
#include "IntrinsicTyping.h"
#include "Library.h"
#include "OperandTyping.h"
#include "RecordFields.h"
#include "Remedies.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

InFlightDiagnostic py::emitUnknownAttribute(AttributeOp op, Type type) {
  StringRef name = op.getName();
  auto array = dyn_cast<ArrayType>(type);
  if (array && array.isRecord())
    return emitUnknownField(op.getLoc(), array, name);
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  auto known = dyn_cast<StaticType>(type);
  if (auto module =
          known ? dyn_cast<ModuleAttr>(known.getValue()) : ModuleAttr()) {
    error << describe(type) << " is in a variable, of which '" << name
          << "' cannot be read";
    error.attachNote() << "a module is known by its own name: "
                       << module.getName() << "." << name;
    return error;
  }
  error << describe(type) << " has no attribute '" << name << "'";
  if (isText(type))
    error.attachNote() << kNoTextMade;
  if (!array)
    return error;
  SmallVector<StringRef> members = getMembers(array);
  if (RecordType record = array.getRecord())
    for (FieldAttr field : record.getFields())
      members.push_back(field.getName());
  StringRef nearest = findNearest(name, members);
  if (!nearest.empty())
    error.attachNote() << "did you mean '" << nearest << "'?";
  return error;
}

static FailureOr<Fact> getNamedItem(AttributeOp op, const Fact &object) {
  auto type = cast<NamedTupleType>(object.type);
  if (std::optional<unsigned> position = type.find(op.getName()))
    return getTupleItem(object, *position);
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  error << describe(type) << " has no attribute '" << op.getName() << "'";
  auto names =
      llvm::map_to_vector(type.getFields().getAsRange<StringAttr>(),
                          [](StringAttr name) { return name.getValue(); });
  StringRef nearest = findNearest(op.getName(), names);
  if (!nearest.empty())
    error.attachNote() << "did you mean '" << nearest << "'?";
  return error;
}

FailureOr<Fact> AttributeTyping::evaluate(AttributeOp op) {
  Fact object = inference.operands().getPresent(op.getObjectMutable());
  if (!object.type)
    return Fact();
  StringRef name = op.getName();
  if (isa<NamedTupleType>(object.type))
    return getNamedItem(op, object);
  if (auto member = dyn_cast<EnumType>(object.type)) {
    if (name == "value") {
      object.type = member.getValue();
      return object;
    }
    object = inference.operands().getPlain(op.getObjectMutable());
  }
  if (auto array = dyn_cast<ArrayType>(object.type))
    if (std::optional<unsigned> field = getAttributeField(array, name)) {
      FailureOr<Type> type = getField(op.getLoc(), array, *field);
      return failed(type) ? FailureOr<Fact>(failure())
                          : FailureOr<Fact>(makeTyped(*type));
    }
  if (const Intrinsic *row = lookupMember(object.type, name))
    return inferAttribute(inference, op, *row, object);
  if (getLibraryMethod(op, object.type, name))
    return makeTyped(MethodType::get(context, object.type, name));
  if (auto known = dyn_cast<StaticType>(object.type)) {
    if (auto intrinsic = dyn_cast<IntrinsicAttr>(known.getValue())) {
      std::string member = (intrinsic.getName() + "." + name).str();
      if (const Intrinsic *row = lookupIntrinsic(member)) {
        if (Type type = getValueType(*row, context))
          return makeTyped(type);
        return makeConstant(IntrinsicAttr::get(context, member));
      }
    }
  }
  return emitUnknownAttribute(op, object.type);
}
