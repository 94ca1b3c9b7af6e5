// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the dialect's parts and materializes constants for its folds.

#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
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
  if (attribute.getName() == kFactsAttrName &&
      !isa<FactsAttr>(attribute.getValue()))
    return op->emitOpError("expects '")
           << kFactsAttrName << "' of argument " << argument
           << " to be #pyk.facts but got " << attribute.getValue();
  return success();
}

/// Whether `value` is a list of attributes of one kind.
template <typename Item>
static bool isListOf(Attribute value) {
  auto list = dyn_cast<ArrayAttr>(value);
  return list && llvm::all_of(list, llvm::IsaPred<Item>);
}

LogicalResult PykDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  if (attribute.getName() == kFactsAttrName &&
      !isListOf<FactsAttr>(attribute.getValue()))
    return op->emitOpError("expects '")
           << kFactsAttrName << "' to be a list of #pyk.facts but got "
           << attribute.getValue();
  if (attribute.getName() == kExportAttrName &&
      !isa<ExportAttr>(attribute.getValue()))
    return op->emitOpError("expects '")
           << kExportAttrName << "' to be a #pyk.export but got "
           << attribute.getValue();
  for (StringRef name :
       {StringRef(kFlushDenormalsAttrName), StringRef(kSmallGridAttrName),
        StringRef(kGuardedAttrName)})
    if (attribute.getName() == name && !isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError("expects '")
             << name << "' to be a unit attribute but got "
             << attribute.getValue();
  if (attribute.getName() == kSharedSizesAttrName &&
      !isListOf<SizeTermAttr>(attribute.getValue()))
    return op->emitOpError("expects '")
           << kSharedSizesAttrName
           << "' to be a list of #pyk.size_term but got "
           << attribute.getValue();
  if (attribute.getName() == kBoundsAttrName &&
      !isListOf<BoundTermAttr>(attribute.getValue()))
    return op->emitOpError("expects '")
           << kBoundsAttrName << "' to be a list of #pyk.bound_term but got "
           << attribute.getValue();
  if (attribute.getName() != kLaunchBoundsAttrName)
    return success();
  auto bounds = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
  if (!bounds || bounds.empty() || bounds.size() > 3 ||
      llvm::any_of(bounds.asArrayRef(),
                   [](int32_t bound) { return bound < 1; }))
    return op->emitOpError("expects '")
           << kLaunchBoundsAttrName
           << "' to be one to three i32 above 0 but got "
           << attribute.getValue();
  return success();
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
