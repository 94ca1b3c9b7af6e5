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

ParseResult pyk::parseRegions(OpAsmParser &parser, Region &first,
                              StringRef keyword, Region &second) {
  if (parseBlocks(parser, first))
    return failure();
  if (failed(parser.parseOptionalKeyword(keyword)) ||
      succeeded(parseBlocks(parser, second)))
    return success();
  // The caller destroys the region; forward references may use its values.
  for (Block &block : first)
    block.dropAllDefinedValueUses();
  return failure();
}

void pyk::printRegions(OpAsmPrinter &printer, Operation *, Region &first,
                       StringRef keyword, Region &second) {
  printer.printRegion(first);
  if (second.empty())
    return;
  printer << ' ' << keyword << ' ';
  printer.printRegion(second);
}
