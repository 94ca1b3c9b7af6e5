// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors about the user's program, and how they are shown.
//
// An error says which exception class a Python program expects to catch; the
// class travels as metadata of MLIR's diagnostic, so that passes report errors
// in the ordinary way and every tool shows them.

#ifndef PYK_SUPPORT_DIAGNOSTICS_H
#define PYK_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace pyk {

/// Starts an error of Numba's class `TypingError` at `loc`.
mlir::InFlightDiagnostic emitTypingError(mlir::Location loc);

/// Starts an error of Numba's class `NumbaTypeError` at `loc`, where programs
/// expect Python's own TypeError, too.
mlir::InFlightDiagnostic emitTypeError(mlir::Location loc);

/// Starts an error of Numba's class `UnsupportedError` at `loc`.
mlir::InFlightDiagnostic emitUnsupportedError(mlir::Location loc);

/// Starts an error of Numba's class `LoweringError` at `loc`.
mlir::InFlightDiagnostic emitLoweringError(mlir::Location loc);

/// The place in the program that `loc` stands for; null if it has none.
mlir::FileLineColRange findSourceRange(mlir::Location loc);

/// `name`, qualified by its module, as programs write it: builtins have no
/// module there.
inline llvm::StringRef getWrittenName(llvm::StringRef name) {
  if (!name.consume_front("builtins."))
    name.consume_front("pyk.");
  return name;
}

/// Text of source files, for the lines that messages quote.
class SourceText {
public:
  /// Remembers `text`, whose first line is line `firstLine` of `file`.
  void add(llvm::StringRef file, unsigned firstLine, llvm::StringRef text);
  /// One line of `file` without its end; read from disk if `add` did not
  /// give it. Empty if unknown.
  std::string getLine(llvm::StringRef file, unsigned line) const;

private:
  struct Piece {
    unsigned firstLine;
    std::string text;
  };
  llvm::StringMap<llvm::SmallVector<Piece, 1>> pieces;
};

/// A message as a user sees it.
struct RenderedMessage {
  /// Message, place, source line, caret and notes, each on lines of their own;
  /// no line end behind the last.
  std::string text;
  /// The place that it is about, its column in characters from 1; empty and 0
  /// if it has none.
  std::string file;
  unsigned line = 0, column = 0;
};

/// Shows `message`, as one of the sort `label`, such as "remark", at `loc`,
/// quoting lines from `sources`.
RenderedMessage renderMessage(mlir::Location loc, llvm::StringRef label,
                              llvm::StringRef message,
                              const SourceText &sources);

/// An error as a user sees it.
struct RenderedError : RenderedMessage {
  /// Exception class, such as `TypingError`.
  std::string kind;
};

/// Shows `diagnostic`, quoting lines from `sources`.
RenderedError render(mlir::Diagnostic &diagnostic, const SourceText &sources);

} // namespace pyk

#endif // PYK_SUPPORT_DIAGNOSTICS_H
