// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: parts of arrays, stores into them, their attributes
// and methods. What an index selects is decided by Indexing.h.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Pyk/IR/PykOps.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

FailureOr<Fact> FunctionInference::evaluate(SliceOp op) {
  SmallVector<Type, 3> types;
  for (OpOperand &operand : op->getOpOperands()) {
    types.push_back(getPlain(operand).type);
    if (!types.back())
      return Fact();
    if (!isReal(types.back()) && !isa<NoneType>(types.back()))
      return emitTypingError(operand.get().getLoc())
             << "expects integers as bounds of a slice but got "
             << describe(types.back());
  }
  auto step = dyn_cast_if_present<IntAttr>(get(op.getStep()).constant);
  if (step && step.getValue().getValue().isZero())
    return emitTypingError(op.getStep().getLoc())
           << "expects the step of a slice to be other than 0";
  return makeTyped(SliceType::get(context, types[0], types[1], types[2]));
}

FailureOr<Type> FunctionInference::getIndexed(Value index, ArrayType array) {
  SmallVector<Type> items = getIndexItems(get(index).type);
  auto display = index.getDefiningOp<TupleOp>();
  for (auto [position, item] : llvm::enumerate(items)) {
    if (isIndexItem(item))
      continue;
    Location loc =
        display ? display.getItems()[position].getLoc() : index.getLoc();
    InFlightDiagnostic error = emitTypingError(loc);
    error << "expects integers and slices as indices of " << describe(array)
          << " but got " << describe(item);
    if (isReal(item))
      error.attachNote() << "convert it with int(...)";
    else if (isa<ArrayType>(item))
      error.attachNote() << "an array cannot be an index; loop over its items";
    return error;
  }
  if (llvm::count_if(items, isEllipsis) > 1)
    return emitTypingError(index.getLoc())
           << "expects at most one '...' in the index of an array";
  int64_t rank = array.getRank(), given = countNamed(items);
  if (given > rank)
    return emitTypingError(index.getLoc())
           << "expects at most " << rank << (rank == 1 ? " index" : " indices")
           << " for " << describe(array) << " but got " << given;
  return indexArray(array, items).result;
}

bool py::canBroadcast(ArrayType value, ArrayType target) {
  ArrayRef<int64_t> extents = value.getShape();
  return llvm::all_of_zip(extents, target.getShape().take_back(extents.size()),
                          [](int64_t extent, int64_t wanted) {
                            return ShapedType::isDynamic(extent) ||
                                   ShapedType::isDynamic(wanted) ||
                                   extent == wanted || extent == 1;
                          });
}

LogicalResult py::checkWritable(Location loc, ArrayType array) {
  if (!array.isReadOnly())
    return success();
  return emitTypingError(loc)
         << "expects " << (array.isRecord() ? "a record" : "an array")
         << " that can be written but got "
         << (array.getReadonly() ? describe(array) : "one in constant memory");
}

/// What `type` is, or what its elements are, if they are records.
static RecordType getRecordOf(Type type) {
  auto array = dyn_cast<ArrayType>(type);
  return array ? array.getRecord() : RecordType();
}

LogicalResult FunctionInference::checkStore(Value stored, ArrayType object,
                                            Type target) {
  Type value = get(stored).type;
  if (RecordType record = getRecordOf(target); record != getRecordOf(value)) {
    InFlightDiagnostic error = emitTypingError(stored.getLoc());
    if (record)
      return error << "expects " << describe(record) << " to store in "
                   << describe(object) << " but got " << describe(value);
    error << "expects a number to store in " << describe(object) << " but got "
          << describe(value);
    error.attachNote() << "a number is in a field of it";
    return error;
  }
  auto view = dyn_cast<ArrayType>(target);
  Type element = view ? view.getElementType() : target;
  // A text is stored in text alone, and a number in anything else.
  auto isItem = [&](Type type) {
    return isNumberOrTime(type) || (isText(type) && isText(element));
  };
  if (isItem(value))
    return checkConvertible(stored.getLoc(), value, element);
  int64_t rank = view ? view.getRank() : 0;
  if (auto tuple = dyn_cast<TupleType>(value); tuple && rank == 1) {
    int64_t length = tuple.size();
    int64_t extent = view.getShape().front();
    if (extent != ArrayType::kDynamic && extent != length)
      return emitTypingError(stored.getLoc())
             << "cannot store a tuple of " << length << " items in "
             << describe(view) << ", which has " << extent;
    for (Type item : tuple.getTypes()) {
      if (!isItem(item))
        return emitTypingError(stored.getLoc())
               << "expects a tuple of numbers to store in " << describe(object)
               << " but got " << describe(value);
      if (failed(checkConvertible(stored.getLoc(), item, element)))
        return failure();
    }
    return success();
  }
  auto source = dyn_cast<ArrayType>(value);
  if (!source || (rank == 0 && source.getRank() != 0))
    return emitTypingError(stored.getLoc())
           << (view ? "expects a number or an array to store in "
                    : "expects a number to store in ")
           << describe(object) << " but got " << describe(value);
  if (source.getRank() > rank)
    return emitTypingError(stored.getLoc())
           << "expects an array of at most " << rank
           << (rank == 1 ? " dimension" : " dimensions") << " to store in "
           << describe(target) << " but got " << describe(value);
  if (view && !canBroadcast(source, view)) {
    InFlightDiagnostic error = emitTypingError(stored.getLoc());
    error << "cannot store an array of shape (";
    llvm::interleaveComma(source.getShape(), error);
    error << ") in one of shape (";
    llvm::interleaveComma(view.getShape(), error);
    return error << ")";
  }
  return checkConvertible(stored.getLoc(), source.getElementType(), element);
}

//===----------------------------------------------------------------------===//
// Attributes and methods
//===----------------------------------------------------------------------===//

/// Attributes of arrays that are methods.
static constexpr StringRef kMethods[] = {"fill",    "item",      "ravel",
                                         "reshape", "transpose", "view"};

/// The name of the library's function that is the method `name` of values of
/// `type`; empty if it has none.
std::string FunctionInference::getMethod(Operation *op, Type type,
                                         StringRef name) {
  StringRef owner = isa<ArrayType>(type)   ? "ndarray"
                    : isa<SliceType>(type) ? "slice"
                    : isInteger(type)      ? "int"
                                           : "";
  std::string method = (owner + "." + name).str();
  return getLibrary(op, method) ? method : "";
}

/// The type of `array` with its dimensions reversed.
static ArrayType reverse(ArrayType array) {
  if (array.getRank() < 2)
    return array;
  SmallVector<int64_t> shape(llvm::reverse(array.getShape()));
  Layout layout = array.getLayout();
  if (layout != Layout::Any)
    layout = layout == Layout::C ? Layout::F : Layout::C;
  return array.withShape(shape, layout);
}

/// True if the elements of `array` follow each other in the order of its
/// indices.
static bool isInOrder(ArrayType array) {
  return array.getLayout() == Layout::C ||
         (array.getLayout() == Layout::F && array.getRank() < 2);
}

/// The type of the elements of `array` in one dimension.
static ArrayType flatten(ArrayType array) {
  if (array.getRank() == 1)
    return array;
  int64_t count =
      array.hasStaticShape() ? array.getNumElements() : ArrayType::kDynamic;
  return array.withShape(count, Layout::C);
}

FailureOr<Type> FunctionInference::getArrayAttribute(AttributeOp op,
                                                     ArrayType array) {
  StringRef name = op.getName();
  if (std::optional<unsigned> field = getAttributeField(array, name))
    return getField(op.getLoc(), array, *field);
  auto int64 = IntegerType::get(context, 64, IntegerType::Signed);
  if (name == "size" || name == "itemsize" || name == "nbytes")
    return Type(int64);
  if (name == "shape" || name == "strides")
    return Type(
        TupleType::get(context, SmallVector<Type>(array.getRank(), int64)));
  if (name == "T")
    return Type(reverse(array));
  if (isComplex(array.getElementType()) && (name == "real" || name == "imag"))
    return Type(array.getFieldType(name == "imag"));
  if (name == "imag")
    return emitTypingError(op.getLoc())
           << "expects an array of complex numbers for 'imag' but got "
           << describe(array);
  if (name == "real" && !array.getRecord())
    return Type(array);
  if (name == "flat")
    return array.getRank() == 1 || isInOrder(array)
               ? Type(flatten(array))
               : FlatType::get(context, array);
  if (llvm::is_contained(kMethods, name) || name == kAddress ||
      !getMethod(op, array, name).empty())
    return Type(MethodType::get(context, array, name));
  if (array.isRecord())
    return emitUnknownField(op.getLoc(), array, name);
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  error << describe(array) << " has no attribute '" << name << "'";
  SmallVector<StringRef> known(getArrayAttributes());
  if (RecordType record = array.getRecord())
    for (FieldAttr field : record.getFields())
      known.push_back(field.getName());
  StringRef nearest = findNearest(name, known);
  if (!nearest.empty())
    error.attachNote() << "did you mean '" << nearest << "'?";
  return error;
}

FailureOr<Fact> FunctionInference::evaluateMethod(CallOp op, MethodType method,
                                                  ArrayRef<Fact> arguments) {
  auto array = dyn_cast<ArrayType>(method.getObject());
  StringRef name = method.getName();
  auto makeFact = [](FailureOr<Type> type) {
    return failed(type) ? FailureOr<Fact>(failure())
                        : FailureOr<Fact>(makeTyped(*type));
  };
  if (std::string own = getMethod(op, method.getObject(), name); !own.empty()) {
    Fact object = makeTyped(method.getObject());
    return callFunction(op, getLibrary(op, own), arguments, &object);
  }
  if (op.getKeywords())
    return emitTypingError(op.getLoc())
           << "'" << name << "' takes no keyword arguments";
  if (isText(method.getObject()))
    return evaluateTextMethod(op, method, arguments);
  if (name == "reshape")
    return makeFact(getReshaped(op, array, arguments));
  if (name == "transpose")
    return makeFact(getTransposed(op, array, arguments));
  size_t expected = name == "fill" || name == "view" || name == "index";
  if (arguments.size() != expected)
    return emitTypingError(op.getLoc())
           << "'" << name << "' takes " << expected
           << (expected == 1 ? " argument" : " arguments") << " but "
           << arguments.size()
           << (arguments.size() == 1 ? " was given" : " were given");
  if (auto tuple = dyn_cast<TupleType>(method.getObject()))
    return findItem(op, tuple, arguments[0].type);
  if (!array && name == "view")
    return makeFact(getReinterpreted(op, method.getObject(), arguments[0]));
  if (!array) // conjugate and item of a number
    return makeTyped(method.getObject());
  if (name == "view")
    return makeFact(getReinterpreted(op, array, arguments[0].type));
  if (name == "item")
    return makeTyped(array.getElement());
  if (name == "ravel") {
    if (!isInOrder(array))
      return emitTypingError(op.getLoc())
             << "expects an array of layout C for 'ravel' but got "
             << describe(array);
    return makeTyped(flatten(array));
  }
  if (failed(checkWritable(op.getCallee().getLoc(), array)))
    return failure();
  if (array.getRecord())
    return emitTypingError(op.getLoc())
           << "'fill' expects an array of numbers but got " << describe(array);
  Location loc = op.getInputs()[0].getLoc();
  if (!isNumberOrTime(arguments[0].type) && !isText(arguments[0].type))
    return emitTypingError(loc)
           << "'fill' expects a number but got " << describe(arguments[0].type);
  if (failed(checkConvertible(loc, arguments[0].type, array.getElementType())))
    return failure();
  return makeTyped(NoneType::get(context));
}

/// The numbers that a method is given one by one or as one tuple, with what is
/// known of them.
static SmallVector<std::pair<Type, Attribute>>
spread(ArrayRef<Fact> arguments) {
  SmallVector<std::pair<Type, Attribute>> numbers;
  auto tuple = arguments.size() == 1 ? dyn_cast<TupleType>(arguments[0].type)
                                     : TupleType();
  if (!tuple) {
    for (const Fact &argument : arguments)
      numbers.push_back({argument.type, argument.constant});
    return numbers;
  }
  auto known = dyn_cast_if_present<ArrayAttr>(arguments[0].constant);
  for (auto [position, type] : llvm::enumerate(tuple.getTypes()))
    numbers.push_back({type, known ? known[position] : Attribute()});
  return numbers;
}

FailureOr<Type> FunctionInference::getReshaped(CallOp op, ArrayType array,
                                               ArrayRef<Fact> arguments) {
  if (!isInOrder(array))
    return emitTypingError(op.getLoc())
           << "expects an array of layout C to reshape but got "
           << describe(array);
  if (arguments.empty())
    return emitTypingError(op.getLoc()) << "'reshape' takes a shape";
  SmallVector<int64_t> shape;
  int64_t open = 0;
  for (auto [type, constant] : spread(arguments)) {
    if (!isInteger(type))
      return emitTypingError(op.getLoc())
             << "expects integers as a shape but got " << describe(type);
    auto known = dyn_cast_if_present<IntAttr>(constant);
    int64_t extent = known ? known.getValue().getValue().getSExtValue()
                           : ArrayType::kDynamic;
    open += known && extent < 0;
    shape.push_back(extent < 0 ? ArrayType::kDynamic : extent);
  }
  if (open > 1)
    return emitTypingError(op.getLoc())
           << "expects at most one extent of -1 in a shape";
  return Type(array.withShape(shape, Layout::C));
}

FailureOr<Type> FunctionInference::getReinterpreted(CallOp op, ArrayType array,
                                                    Type dtype) {
  Type element = getNamedDtype(dtype);
  if (!element)
    return emitTypingError(op.getInputs()[0].getLoc())
           << "'view' expects a dtype but got " << describe(dtype);
  ArrayType result = pyk::ReinterpretOp::getReinterpretedType(array, element);
  if (result)
    return Type(result);
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  error << "cannot view " << describe(array) << " as " << describe(element);
  error.attachNote() << "elements of another size have to be a multiple of the "
                        "other in an array of layout C";
  return error;
}

FailureOr<Type> FunctionInference::getReinterpreted(CallOp op, Type number,
                                                    const Fact &dtype) {
  Type result = getNamedDtype(dtype.type);
  if (result && isReal(result) && !isBool(result) &&
      result.getIntOrFloatBitWidth() == number.getIntOrFloatBitWidth())
    return result;
  return emitTypingError(op.getInputs()[0].getLoc())
         << "'view' expects a dtype of numbers of the size of "
         << describe(number) << " but got " << describe(dtype.type);
}

FailureOr<Type> FunctionInference::getTransposed(CallOp op, ArrayType array,
                                                 ArrayRef<Fact> arguments) {
  if (arguments.empty())
    return Type(reverse(array));
  int64_t rank = array.getRank();
  SmallVector<int64_t> &order = selections[op];
  order.clear();
  for (auto [type, constant] : spread(arguments)) {
    auto known = dyn_cast_if_present<IntAttr>(constant);
    int64_t axis = known ? known.getValue().getValue().getSExtValue() : rank;
    order.push_back(axis < 0 ? axis + rank : axis);
  }
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(rank)))
    return emitTypingError(op.getLoc())
           << "expects each dimension of " << describe(array)
           << " once, as constants, to transpose it";
  SmallVector<int64_t> shape;
  for (int64_t dimension : order)
    shape.push_back(array.getShape()[dimension]);
  return Type(
      array.withShape(shape, rank < 2 ? array.getLayout() : Layout::Any));
}
