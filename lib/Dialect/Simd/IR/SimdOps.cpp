// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the vectors of an op belong to one tile.

#include "pyk/Dialect/Simd/IR/SimdOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

#include "pyk/Dialect/Simd/IR/SimdDialect.cpp.inc"

#define GET_OP_CLASSES
#include "pyk/Dialect/Simd/IR/SimdOps.cpp.inc"

void SimdDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Simd/IR/SimdOps.cpp.inc"
      >();
}

LogicalResult SimdDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  return verifyOpAttribute(op, attribute);
}

VectorType pyk::simd::getCompactType(ArrayRef<int64_t> shape, Type element) {
  return VectorType::get(shape, element);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static LogicalResult verifyAccess(Operation *op, ArrayType array,
                                  VectorType value, VectorType offset,
                                  Value mask) {
  // load_c1, store_c1
  if (!array.getElementType().isIntOrFloat())
    return op->emitOpError("expects an array of numbers but got ") << array;
  if (value != getCompactType(offset.getShape(), array.getElementType()))
    return op->emitOpError("expects a value of type ")
           << getCompactType(offset.getShape(), array.getElementType())
           << " but got " << value;
  // load_c2, store_c2
  if (mask && cast<VectorType>(mask.getType()).getShape() != offset.getShape())
    return op->emitOpError("expects a mask with the shape of the offset, ")
           << offset << ", but got " << mask.getType();
  return success();
}

LogicalResult LoadOp::verify() {
  // load_c3
  if (std::optional<uint64_t> step = getStep();
      step && (*step <= 1 || getContiguous()))
    return emitOpError("expects a step that is none of 0 and 1, of elements "
                       "that are not contiguous");
  // load_c4
  if (getTransposed() && (getContiguous() || getStep()))
    return emitOpError("expects no other order of elements that are "
                       "transposed");
  return verifyAccess(*this, cast<ArrayType>(getArray().getType()),
                      cast<VectorType>(getType()),
                      cast<VectorType>(getOffset().getType()), getMask());
}

LogicalResult StoreOp::verify() {
  // store_c3
  if (getTransposed() && getContiguous())
    return emitOpError("expects no other order of elements that are "
                       "transposed");
  return verifyAccess(*this, cast<ArrayType>(getArray().getType()),
                      cast<VectorType>(getValue().getType()),
                      cast<VectorType>(getOffset().getType()), getMask());
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

static LogicalResult verifyReduction(Operation *op) {
  // any_c1, all_c1
  auto mask = cast<VectorType>(op->getOperand(0).getType());
  auto result = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!result)
    return success();
  for (auto [from, to] : llvm::zip(mask.getShape(), result.getShape()))
    if (to != from && to != 1)
      return op->emitOpError("expects 1 or the dimensions of ")
             << mask << " but got " << result;
  return success();
}

LogicalResult AnyOp::verify() { return verifyReduction(*this); }

LogicalResult AllOp::verify() { return verifyReduction(*this); }

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

static LogicalResult verifyWarps(Operation *op, Value value, Value other) {
  // shuffle_c1, ballot_c1
  auto type = cast<VectorType>(value.getType());
  auto otherType = cast<VectorType>(other.getType());
  if (type.getShape() != otherType.getShape())
    return op->emitOpError("expects vectors of one shape but got ")
           << type << " and " << otherType;
  if (type.getDimSize(2) == 1 || kWarp % type.getDimSize(2) != 0)
    return op->emitOpError("expects lanes that divide a warp but got ") << type;
  return success();
}

LogicalResult ShuffleOp::verify() {
  return verifyWarps(*this, getValue(), getSource());
}

LogicalResult BallotOp::verify() {
  return verifyWarps(*this, getPredicate(), getResult());
}

//===----------------------------------------------------------------------===//
// simd.serial
//===----------------------------------------------------------------------===//

ParseResult SerialOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SmallVector<Type> inputTypes;
  auto parseInput = [&] {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(inputs.emplace_back()) ||
                   parser.parseColonType(inputTypes.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseInput))
    return failure();
  for (auto [argument, type] : llvm::zip(arguments, inputTypes))
    argument.type = getElementTypeOrSelf(type);
  if (parser.resolveOperands(inputs, inputTypes, parser.getNameLoc(),
                             result.operands))
    return failure();
  int32_t masks = 0;
  if (succeeded(parser.parseOptionalKeyword("mask"))) {
    OpAsmParser::UnresolvedOperand mask;
    Type type;
    if (parser.parseOperand(mask) || parser.parseColonType(type) ||
        parser.resolveOperand(mask, type, result.operands))
      return failure();
    masks = 1;
  }
  if (succeeded(parser.parseOptionalArrow()) &&
      (parser.parseLParen() || parser.parseTypeList(result.types) ||
       parser.parseRParen()))
    return failure();
  result.getOrAddProperties<SerialOp::Properties>().operandSegmentSizes = {
      static_cast<int32_t>(inputs.size()), masks};
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  SerialOp::ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void SerialOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getInputs()),
                        printer, [&](auto pair) {
                          auto [argument, input] = pair;
                          printer << argument << " = " << input << " : "
                                  << input.getType();
                        });
  printer << ")";
  if (Value mask = getMask())
    printer << " mask " << mask << " : " << mask.getType();
  if (getNumResults() != 0)
    printer << " -> (" << getResultTypes() << ")";
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/getNumResults() != 0);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
}

LogicalResult SerialOp::verify() {
  // serial_c1
  SmallVector<Type> types(getOperandTypes());
  llvm::append_range(types, getResultTypes());
  if (types.empty())
    return emitOpError("expects a vector, a mask or a result");
  for (Type type : types)
    if (cast<VectorType>(type).getShape() !=
        cast<VectorType>(types.front()).getShape())
      return emitOpError("expects vectors of one shape but got ")
             << types.front() << " and " << type;
  // serial_c2
  Block &body = getBody().front();
  if (body.getNumArguments() != getInputs().size())
    return emitOpError("expects ")
           << getInputs().size() << " arguments of its body but got "
           << body.getNumArguments();
  for (auto [argument, input] : llvm::zip(body.getArguments(), getInputs()))
    if (argument.getType() != getElementTypeOrSelf(input))
      return emitOpError("expects an argument of its body of type ")
             << getElementTypeOrSelf(input) << " but got "
             << argument.getType();
  Operation *yield = body.getTerminator();
  SmallVector<Type> elements;
  for (Type type : getResultTypes())
    elements.push_back(getElementTypeOrSelf(type));
  if (SmallVector<Type>(yield->getOperandTypes()) != elements)
    return emitOpError("expects its body to yield the elements of its results");
  return success();
}
