// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of a text of PTX.

#ifndef PYK_TEST_LIB_PTXMACHINE_LEXER_H
#define PYK_TEST_LIB_PTXMACHINE_LEXER_H

#include <string>

namespace ptxmachine {

/// Words and punctuation of a text, with lines. A word may contain dots:
/// `add.rn.f32`, `.reg`, `%tid.x`, `0f3F800000`.
class Lexer {
public:
  explicit Lexer(const std::string &text) : text(text) { advance(); }

  const std::string &now() const { return word; }
  int line() const { return wordLine; }
  /// The line of the word that was taken last.
  int lastLine() const { return takenLine; }
  bool isDone() const { return word.empty(); }

  std::string take();
  /// Takes the word if it is `expected`.
  bool takeIf(const char *expected);
  /// Throws TextError unless the word is `expected`.
  void expect(const char *expected);
  [[noreturn]] void fail() const;
  /// Takes words up to a semicolon, and that, too.
  void skipStatement();
  /// Takes words from an opening brace to its closing one.
  void skipBraces();

private:
  void skipBlanks();
  bool continuesWord() const;
  void advance();

  const std::string &text;
  size_t at = 0;
  int currentLine = 1, wordLine = 1, takenLine = 1;
  std::string word;
};

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_LEXER_H
