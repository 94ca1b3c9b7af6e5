// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of values that are made of others, or of nothing that exists when
// the kernel runs: members of enumerations, functions, methods, slices.

#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Values that are known while compiling
//===----------------------------------------------------------------------===//

SmallVector<Type> StaticType::getParts() const { return {}; }

ArrayRef<StringRef> StaticType::getClasses() const {
  static constexpr StringRef kDtype[] = {"dtype"};
  if (std::optional<CharsKind> kind = getCharsKind(*this))
    return getClassesOfText(*kind);
  return getDtypeObject(*this) ? ArrayRef(kDtype) : ArrayRef<StringRef>();
}

Type StaticType::getYielded() const {
  // Of bytes, as Numba has it; text is none that a loop runs over.
  return getCharsKind(*this) == CharsKind::Bytes
             ? IntegerType::get(getContext(), 8, IntegerType::Unsigned)
             : Type();
}

Type StaticType::unifyWith(Type other) const {
  return unifyTexts(*this, other);
}

bool StaticType::canBeOptional() const { return true; }

void StaticType::writeDescription(llvm::raw_ostream &os) const {
  Attribute value = getValue();
  if (auto intrinsic = dyn_cast<IntrinsicAttr>(value))
    os << intrinsic.getName(); // cuda.threadIdx is no function
  else if (auto function = dyn_cast<FlatSymbolRefAttr>(value))
    os << "function " << function.getValue();
  else if (auto dtype = dyn_cast<TypeAttr>(value))
    os << "dtype " << describe(dtype.getValue());
  else if (auto module = dyn_cast<ModuleAttr>(value))
    os << "module " << module.getName();
  else if (isa<StringAttr, BytesAttr>(value))
    os << (isa<StringAttr>(value) ? "str" : "bytes");
  else if (auto named = dyn_cast<NamedTupleClassAttr>(value))
    os << "class " << getShortName(named.getName());
  else if (isa<EllipsisAttr>(value))
    os << "ellipsis";
  else if (auto object = dyn_cast<ObjectAttr>(value))
    os << object.getName();
  else
    os << "constant array";
}

//===----------------------------------------------------------------------===//
// Namedtuples
//===----------------------------------------------------------------------===//

std::optional<unsigned> NamedTupleType::find(StringRef name) const {
  auto fields = getFields().getAsRange<StringAttr>();
  auto found = llvm::find_if(
      fields, [&](StringAttr field) { return field.getValue() == name; });
  if (found == fields.end())
    return std::nullopt;
  return std::distance(fields.begin(), found);
}

LogicalResult
NamedTupleType::verify(function_ref<InFlightDiagnostic()> emitError,
                       StringRef name, ArrayAttr fields, TupleType items) {
  // named_tuple_c1
  if (!llvm::all_of(fields, llvm::IsaPred<StringAttr>) ||
      fields.size() != items.size())
    return emitError() << "expects names for " << items.size()
                       << " items but got " << fields;
  return success();
}

SmallVector<Type> NamedTupleType::getParts() const { return {getItems()}; }

Type NamedTupleType::getInner() const { return getItems(); }

Type NamedTupleType::unifyWith(Type other) const {
  // Classes are nominal: those with the same fields are two types.
  auto named = dyn_cast<NamedTupleType>(other);
  if (!named || named.getName() != getName() ||
      named.getFields() != getFields())
    return {};
  auto items = cast_if_present<TupleType>(unify(getItems(), named.getItems()));
  return items ? get(getContext(), getName(), getFields(), items) : Type();
}

void NamedTupleType::writeDescription(llvm::raw_ostream &os) const {
  os << getShortName(getName()) << '(';
  llvm::interleaveComma(llvm::zip_equal(getFields().getAsRange<StringAttr>(),
                                        getItems().getTypes()),
                        os, [&](auto field) {
                          os << std::get<0>(field).getValue() << ": "
                             << describe(std::get<1>(field));
                        });
  os << ')';
}

//===----------------------------------------------------------------------===//
// Members of enumerations
//===----------------------------------------------------------------------===//

SmallVector<Type> EnumType::getParts() const { return {getValue()}; }

Type EnumType::getInner() const { return getInteger() ? getValue() : Type(); }

Type EnumType::unifyWith(Type other) const {
  if (Type joined = joinTexts(*this, other))
    return joined;
  // Integers of different enumerations are just integers, and so are texts.
  auto getOwn = [](Type type) {
    auto member = dyn_cast<EnumType>(type);
    return member && member.getInteger() ? member.getValue() : type;
  };
  Type own = getOwn(*this), others = getOwn(other);
  return isScalar(own) && isScalar(others) ? unify(own, others)
                                           : unifyTexts(own, others);
}

bool EnumType::canBeOptional() const { return true; }

void EnumType::writeDescription(llvm::raw_ostream &os) const {
  os << "member of " << getShortName(getName());
}

//===----------------------------------------------------------------------===//
// Values that may be None
//===----------------------------------------------------------------------===//

SmallVector<Type> OptionalType::getParts() const {
  return {getValue(), IntegerType::get(getContext(), 1)};
}

Type OptionalType::getInner() const { return getValue(); }

Type OptionalType::unifyWith(Type other) const {
  auto optional = dyn_cast<OptionalType>(other);
  Type value = unify(getValue(), optional ? optional.getValue() : other);
  return value ? makeOptional(value) : value;
}

void OptionalType::writeDescription(llvm::raw_ostream &os) const {
  os << describe(getValue()) << " or None";
}

//===----------------------------------------------------------------------===//
// Functions, methods and kernels
//===----------------------------------------------------------------------===//

SmallVector<Type> MethodType::getParts() const { return {getObject()}; }

ArrayRef<StringRef> MethodType::getClasses() const {
  // The memory of an array is what its attribute `ctypes` yields.
  static constexpr StringRef kMemory[] = {"ctypes"};
  const Intrinsic *row = lookupMember(getObject(), getName());
  return row && row->typing == intrinsics::TypingRule::ArrayMemory
             ? ArrayRef(kMemory)
             : ArrayRef<StringRef>();
}

void MethodType::writeDescription(llvm::raw_ostream &os) const {
  os << "method '" << getName() << "' of " << describe(getObject());
}

SmallVector<Type> ClosureType::getParts() const {
  SmallVector<Type> parts{getDefaults()};
  if (getCaptures())
    parts.push_back(getCaptures());
  return parts;
}

Type ClosureType::unifyWith(Type other) const {
  auto closure = dyn_cast<ClosureType>(other);
  if (!closure || closure.getFunction() != getFunction() ||
      !closure.getCaptures() != !getCaptures())
    return {};
  auto defaults =
      cast_if_present<TupleType>(unify(getDefaults(), closure.getDefaults()));
  auto captures =
      cast_if_present<TupleType>(unify(getCaptures(), closure.getCaptures()));
  if (!defaults || !captures != !getCaptures())
    return {};
  return get(getContext(), getFunction(), defaults, getVariables(), captures);
}

void ClosureType::writeDescription(llvm::raw_ostream &os) const {
  os << "function " << getFunction().getValue();
}

SmallVector<Type> ConfiguredKernelType::getParts() const {
  return SmallVector<Type>(kShapeParts, IntegerType::get(getContext(), 64));
}

void ConfiguredKernelType::writeDescription(llvm::raw_ostream &os) const {
  os << "kernel " << getKernel().getValue() << " with a grid and a block";
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

SmallVector<Type> SliceType::getParts() const {
  return {getLower(), getUpper(), getStep()};
}

ArrayRef<StringRef> SliceType::getClasses() const {
  static constexpr StringRef kClasses[] = {"slice"};
  return kClasses;
}

void SliceType::writeDescription(llvm::raw_ostream &os) const {
  os << "slice(" << describe(getLower()) << ", " << describe(getUpper()) << ", "
     << describe(getStep()) << ")";
}
