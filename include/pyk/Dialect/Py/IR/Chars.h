// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text: strings and bytes that are known at compile time, and characters that
// are not.

#ifndef PYK_DIALECT_PY_IR_CHARS_H
#define PYK_DIALECT_PY_IR_CHARS_H

#include "pyk/Dialect/Py/IR/PyAttributes.h"
#include <optional>

namespace pyk::py {

/// Most characters of a text that is known only when the kernel runs.
constexpr unsigned kMaxTextLength = 256;

/// What the text of a value of `type` consists of; nothing if it is no text.
std::optional<CharsKind> getCharsKind(mlir::Type type);

/// The classes that text has the attributes and methods of.
mlir::ArrayRef<llvm::StringRef> getClassesOfText(CharsKind kind);

/// True for strings, bytes and characters.
bool isText(mlir::Type type);

/// True if `type` is a text that is known at compile time.
bool isKnownText(mlir::Type type);

/// The codes of the text that is known at compile time and has this type.
mlir::SmallVector<uint32_t> getCodes(mlir::Type type);

/// Whether a text of type `part` can be looked for in one of type `text`: each
/// code of one is compared with each of the other.
bool canSearch(mlir::Type part, mlir::Type text);

/// The type of characters that a text of `type` converts to without a loss;
/// null for one that ends in NUL, which they cannot tell from a shorter one,
/// and for one that is too long.
CharsType getChars(mlir::Type type);

/// The type of what is a text of type `a` or one of type `b`; null if one of
/// them is no text, or they are of two kinds.
mlir::Type unifyTexts(mlir::Type a, mlir::Type b);

/// The type that `a` and `b` are where they differ but in texts; null if they
/// differ in more.
mlir::Type joinTexts(mlir::Type a, mlir::Type b);

} // namespace pyk::py

#endif // PYK_DIALECT_PY_IR_CHARS_H
