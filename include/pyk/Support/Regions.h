// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two or three regions in the text of an op.

#ifndef PYK_SUPPORT_REGIONS_H
#define PYK_SUPPORT_REGIONS_H

#include "mlir/IR/OpImplementation.h"

namespace pyk {

/// Parses `first keyword second`, for `custom<Regions>(...)`; without the
/// keyword, `second` stays empty. What a format says of two regions itself
/// leaves, if the second is not right, uses of values of the first that no
/// longer exist.
mlir::ParseResult parseRegions(mlir::OpAsmParser &parser, mlir::Region &first,
                               llvm::StringRef keyword, mlir::Region &second);

/// Parses a third region, too, which may be absent like the second.
mlir::ParseResult parseRegions(mlir::OpAsmParser &parser, mlir::Region &first,
                               llvm::StringRef keyword, mlir::Region &second,
                               llvm::StringRef lastKeyword,
                               mlir::Region &third);

/// Prints what `parseRegions` parses.
void printRegions(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::Region &first, llvm::StringRef keyword,
                  mlir::Region &second);

/// Prints three regions.
void printRegions(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::Region &first, llvm::StringRef keyword,
                  mlir::Region &second, llvm::StringRef lastKeyword,
                  mlir::Region &third);

} // namespace pyk

#endif // PYK_SUPPORT_REGIONS_H
