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

  /// `text` in the room of `to`; what does not fit is left out.
  Binding convertText(const Binding &text, CharsType to, mlir::Location loc);
  /// How many codes it has, as an i64, and whether it has any.
  mlir::Value getTextLength(const Binding &text, mlir::Location loc);
  mlir::Value getTextTruth(const Binding &text, mlir::Location loc);
  /// Whether `lhs kind rhs` holds, by codes.
  mlir::Value compareTexts(CompareOperator kind, const Binding &lhs,
                           const Binding &rhs, mlir::Location loc);
  /// Where `part` begins in `text`, first or last, or -1; `isRequired` makes it
  /// an error that it does not.
  mlir::Value searchText(const Binding &text, const Binding &part,
                         bool isFromEnd, bool isRequired, mlir::Location loc);
  /// Whether all codes are below 128.
  mlir::Value isAscii(const Binding &text, mlir::Location loc);
  /// Whether `part` is somewhere in `text`.
  mlir::Value isPartOfText(const Binding &part, const Binding &text,
                           mlir::Location loc);
  /// An array of the bytes that are known.
  Binding getBytesArray(const Binding &bytes);
  /// The character of `text` at `index`, or its code if `type` is a number.
  Binding getCharacter(const Binding &text, const Binding &index,
                       mlir::Type type, mlir::Location loc);
  /// The code of a text of one character.
  Binding makeOrd(const Binding &text, mlir::Type type, mlir::Location loc);
  /// The element of an array of text, and what becomes one.
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
