// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op's regions are destroyed before its parser gives up, and what refers to
// their values has to be told.

#include "pyk/Support/Regions.h"

using namespace mlir;

/// Parses a region of at least one block.
static ParseResult parseBlocks(OpAsmParser &parser, Region &region) {
  if (parser.parseRegion(region))
    return failure();
  if (region.empty())
    region.emplaceBlock();
  return success();
}

/// Parses `keyword region` if the keyword is there. If that fails, the caller
/// destroys the regions `before`; forward references may use their values.
static ParseResult parseOptional(OpAsmParser &parser, StringRef keyword,
                                 Region &region, ArrayRef<Region *> before) {
  if (failed(parser.parseOptionalKeyword(keyword)) ||
      succeeded(parseBlocks(parser, region)))
    return success();
  for (Region *other : before)
    for (Block &block : *other)
      block.dropAllDefinedValueUses();
  return failure();
}

ParseResult pyk::parseRegions(OpAsmParser &parser, Region &first,
                              StringRef keyword, Region &second) {
  return failure(parseBlocks(parser, first) ||
                 parseOptional(parser, keyword, second, {&first}));
}

ParseResult pyk::parseRegions(OpAsmParser &parser, Region &first,
                              StringRef keyword, Region &second,
                              StringRef lastKeyword, Region &third) {
  return failure(parseRegions(parser, first, keyword, second) ||
                 parseOptional(parser, lastKeyword, third, {&first, &second}));
}

static void printOptional(OpAsmPrinter &printer, StringRef keyword,
                          Region &region) {
  if (region.empty())
    return;
  printer << ' ' << keyword << ' ';
  printer.printRegion(region);
}

void pyk::printRegions(OpAsmPrinter &printer, Operation *, Region &first,
                       StringRef keyword, Region &second) {
  printer.printRegion(first);
  printOptional(printer, keyword, second);
}

void pyk::printRegions(OpAsmPrinter &printer, Operation *, Region &first,
                       StringRef keyword, Region &second, StringRef lastKeyword,
                       Region &third) {
  printer.printRegion(first);
  printOptional(printer, keyword, second);
  printOptional(printer, lastKeyword, third);
}
