// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text: str and bytes.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_TEXT_H
#define PYK_LIB_CONVERSION_PYTOPYK_TEXT_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Lowers what reads, compares and stores text.
class TextLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  Binding convertText(const Binding &text, CharsType to, mlir::Location loc);
  mlir::Value getTextLength(const Binding &text, mlir::Location loc);
  mlir::Value getTextTruth(const Binding &text, mlir::Location loc);
  mlir::Value compareTexts(CompareOperator kind, const Binding &lhs,
                           const Binding &rhs, mlir::Location loc);
  /// Where `part` begins in `text`, first or last, or -1; `isRequired` makes it
  /// an error that it does not.
  mlir::Value searchText(const Binding &text, const Binding &part,
                         bool isFromEnd, bool isRequired, mlir::Location loc);
  mlir::Value isAscii(const Binding &text, mlir::Location loc);
  mlir::Value isPartOfText(const Binding &part, const Binding &text,
                           mlir::Location loc);
  /// An array of the bytes that are known.
  Binding getBytesArray(const Binding &bytes);
  Binding getCharacter(const Binding &text, const Binding &index,
                       mlir::Type type, mlir::Location loc);
  Binding makeOrd(const Binding &text, mlir::Type type, mlir::Location loc);
  Binding loadText(mlir::Value array, mlir::ValueRange indices, CharsType type,
                   mlir::Location loc);
  void storeText(const Binding &text, mlir::Value array,
                 mlir::ValueRange indices, CharsType type, mlir::Location loc);

private:
  /// The codes of a text, which may be known.
  llvm::SmallVector<mlir::Value> getTextCodes(const Binding &text,
                                              mlir::Location loc);
  mlir::Value isCode(mlir::Value code, mlir::Location loc);
  /// Whether `part` is in `text` from each of its places on.
  llvm::SmallVector<mlir::Value>
  getMatches(const Binding &part, const Binding &text, mlir::Location loc);
  mlir::Value getStoredCodes(mlir::Value array, mlir::ValueRange indices,
                             mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_TEXT_H
