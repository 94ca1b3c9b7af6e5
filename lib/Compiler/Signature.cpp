// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument types from the signatures of the three stages. In stage gpu an array
// is a pointer and some of its sizes; what it holds is only known if the kernel
// makes an array of them.

#include "Signature.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

using namespace mlir;
using namespace pyk;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os);
  return text;
}

/// The type of numbers that MLIR writes so; null if there is none.
static const ElementType *findNumber(StringRef text) {
  const ElementType *found =
      llvm::find_if(ElementTypes, [&](const ElementType &element) {
        return text == StringRef(element.type);
      });
  return found == std::end(ElementTypes) ? nullptr : found;
}

/// Sets what `type` says about a number; false if it is none that memory holds.
static bool setNumber(ArgumentType &argument, Type type) {
  if (auto integer = dyn_cast<IntegerType>(type);
      integer && integer.isSignless() && integer.getWidth() != 1) {
    argument.isSignless = true;
    type = IntegerType::get(type.getContext(), integer.getWidth(),
                            IntegerType::Signed);
  }
  argument.number = findNumber(print(type));
  auto other = dyn_cast<StoredTypeInterface>(type);
  if (!argument.number && other)
    argument.number = findNumber(print(other.getStored()));
  return argument.number != nullptr;
}

static ArgumentType getArgumentType(Type type) {
  ArgumentType argument;
  argument.text = print(type);
  if (isa<NoneType>(type)) {
    argument.kind = ArgumentType::Kind::None;
  } else if (auto array = dyn_cast<ArrayType>(type)) {
    if (!setNumber(argument, array.getElementType()))
      return argument;
    argument.kind = ArgumentType::Kind::Array;
    argument.layout = array.getLayout();
    for (int64_t extent : array.getShape())
      argument.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  } else if (setNumber(argument, type)) {
    argument.kind = ArgumentType::Kind::Scalar;
  }
  return argument;
}

/// Appends what a launch passes for an argument of `type`: the items of a tuple
/// one by one, of a member of an enumeration its value, of an optional its
/// value and whether there is one.
static void appendLeaves(Type type, const Twine &name,
                         std::vector<ArgumentType> &types) {
  if (auto named = dyn_cast<py::NamedTupleType>(type)) {
    for (auto [field, item] :
         llvm::zip_equal(named.getFields().getAsRange<StringAttr>(),
                         named.getItems().getTypes()))
      appendLeaves(item, name + "." + field.getValue(), types);
  } else if (auto tuple = dyn_cast<TupleType>(type)) {
    for (auto [position, item] : llvm::enumerate(tuple.getTypes()))
      appendLeaves(item, name + "[" + Twine(position) + "]", types);
  } else if (auto member = dyn_cast<py::EnumType>(type)) {
    appendLeaves(member.getValue(), name, types);
  } else if (auto optional = dyn_cast<py::OptionalType>(type)) {
    appendLeaves(optional.getValue(), name, types);
    appendLeaves(IntegerType::get(type.getContext(), 1), name, types);
  } else {
    types.push_back(getArgumentType(type));
    types.back().name = name.str();
  }
}

std::vector<ArgumentType> pyk::getArgumentTypes(py::FuncOp kernel) {
  std::vector<ArgumentType> types;
  for (auto [type, name] :
       llvm::zip(kernel.getArgumentsAttr(), kernel.getParameters()))
    appendLeaves(cast<TypeAttr>(type).getValue(), cast<StringAttr>(name).str(),
                 types);
  return types;
}

std::vector<ArgumentType> pyk::getArgumentTypes(FuncOp kernel) {
  std::vector<ArgumentType> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(getArgumentType(type));
  return types;
}

/// Adds what the uses of `pointer`, the first element, say about the array.
static void refineArray(ArgumentType &argument, Value pointer) {
  for (Operation *user : pointer.getUsers())
    if (auto array = dyn_cast<FromPointerOp>(user)) {
      ArgumentType type = getArgumentType(array.getType());
      if (type.shape.size() >= argument.shape.size())
        argument = type;
    }
}

/// Whether a parameter of this kind names a dimension of an array. A parameter
/// of the array's memory holds a step in bytes instead.
static bool isOfDimension(ParameterKind kind) {
  return kind == ParameterKind::Extent || kind == ParameterKind::Stride;
}

FailureOr<std::vector<ArgumentType>>
pyk::getArgumentTypes(gpu::GPUFuncOp kernel, AbiAttr abi) {
  std::vector<ArgumentType> types;
  for (auto [parameter, value] :
       llvm::zip_equal(abi.getParameters(), kernel.getArguments())) {
    if (parameter.getKind() == ParameterKind::Failure)
      continue;
    unsigned index = parameter.getArgument();
    if (index >= types.size())
      types.resize(index + 1);
    ArgumentType &argument = types[index];
    bool isScalar = parameter.getKind() == ParameterKind::Scalar;
    if (argument.kind != ArgumentType::Kind::Other &&
        (isScalar || argument.kind == ArgumentType::Kind::Scalar))
      return kernel.emitOpError("expects one parameter for scalar argument ")
             << index;
    if (isScalar) {
      argument = getArgumentType(value.getType());
      continue;
    }
    if (argument.kind == ArgumentType::Kind::Other) {
      argument.kind = ArgumentType::Kind::Array;
      argument.text = "array";
      argument.hasRank = false;
    }
    if (parameter.getKind() == ParameterKind::Data) {
      refineArray(argument, value);
    } else if (isOfDimension(parameter.getKind()) &&
               argument.shape.size() <= parameter.getDimension()) {
      argument.shape.resize(parameter.getDimension() + 1, -1);
    }
  }
  return types;
}
