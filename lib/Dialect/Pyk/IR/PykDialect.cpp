// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the dialect's parts and materializes constants for its folds.

#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;

#include "pyk/Dialect/Pyk/IR/PykDialect.cpp.inc"
#include "pyk/Dialect/Pyk/IR/PykEnums.cpp.inc"
static ParseResult parseDimension(AsmParser &parser, Dimension &dimension) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return parser.emitError(loc, "expects a dimension, x, y or z");
  std::optional<Dimension> found = symbolizeDimension(keyword);
  if (!found)
    return parser.emitError(loc, "expects a dimension, x, y or z, but got '")
           << keyword << "'";
  dimension = *found;
  return success();
}

static void printDimension(AsmPrinter &printer, Dimension dimension) {
  printer << stringifyDimension(dimension);
}

#define GET_ATTRDEF_CLASSES
#include "pyk/Dialect/Pyk/IR/PykAttributes.cpp.inc"

void PykDialect::initialize() {
  registerAttributes();
  registerInliner();
  registerTypes();
  registerAtomicOps();
  registerComplexOps();
  registerControlOps();
  registerFuncOps();
  registerHostOps();
  registerIndexOps();
  registerMemoryOps();
  registerNumericOps();
  registerRecordOps();
  registerSyncOps();
  registerViewOps();
}

LogicalResult PykDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned argument,
                                                   NamedAttribute attribute) {
  if (attribute.getName() != kFactsAttrName)
    return op->emitOpError("expects '")
           << kFactsAttrName << "' as an attribute of argument " << argument
           << " but got '" << attribute.getName().getValue() << "'";
  if (!isa<FactsAttr>(attribute.getValue()))
    return op->emitOpError("expects '")
           << kFactsAttrName << "' of argument " << argument
           << " to be #pyk.facts but got " << attribute.getValue();
  return success();
}

LogicalResult PykDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  return verifyOpAttribute(op, attribute);
}

void PykDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pyk/Dialect/Pyk/IR/PykAttributes.cpp.inc"
      >();
}

Attribute AbiAttr::parse(AsmParser &parser, Type) {
  SmallVector<ParameterAttr> parameters;
  auto parseParameter = [&] {
    return parser.parseCustomAttributeWithFallback(parameters.emplace_back());
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseParameter) ||
      parser.parseGreater())
    return {};
  return AbiAttr::get(parser.getContext(), parameters);
}

void AbiAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getParameters(), printer, [&](ParameterAttr parameter) {
    printer.printStrippedAttrOrType(parameter);
  });
  printer << "]>";
}

FieldAttr FieldAttr::parseBare(AsmParser &parser) {
  std::string name;
  SmallVector<int64_t> shape;
  Type type;
  int64_t offset;
  if (parser.parseString(&name) || parser.parseColon() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(type) || parser.parseKeyword("at") ||
      parser.parseInteger(offset))
    return {};
  return FieldAttr::get(parser.getContext(), name, offset, shape, type);
}

void FieldAttr::printBare(AsmPrinter &printer) const {
  printer.printString(getName());
  printer << " : ";
  for (int64_t extent : getShape())
    printer << extent << 'x';
  printer << getType() << " at " << getOffset();
}

Attribute FieldAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FieldAttr field = parseBare(parser);
  return field && succeeded(parser.parseGreater()) ? field : FieldAttr();
}

void FieldAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printBare(printer);
  printer << '>';
}

Operation *PykDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
