// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words are found one at a time; comments and blanks are skipped.

#include "Lexer.h"

#include "Text.h"

#include <algorithm>
#include <cctype>

using namespace ptxmachine;

static bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '$' || c == '%';
}

void Lexer::skipBlanks() {
  for (; at < text.size(); ++at) {
    if (text[at] == '\n') {
      ++currentLine;
    } else if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (text.compare(at, 2, "/*") == 0) {
      size_t end = std::min(text.find("*/", at + 2), text.size() - 2);
      currentLine += int(std::count(text.begin() + std::ptrdiff_t(at),
                                    text.begin() + std::ptrdiff_t(end), '\n'));
      at = end + 1;
    } else if (!std::isspace(static_cast<unsigned char>(text[at]))) {
      return;
    }
  }
}

/// Whether what comes next belongs to the word: `L1::evict_last` is one.
bool Lexer::continuesWord() const {
  bool isNext = isWordCharacter(text[at]);
  size_t length = word.size();
  if (word.back() == ':')
    return length > 1 &&
           (word[length - 2] == ':' ? isNext : text[at] == ':' && length > 2);
  return isWordCharacter(word.back()) &&
         (isNext || text.compare(at, 2, "::") == 0);
}

void Lexer::advance() {
  skipBlanks();
  wordLine = currentLine;
  word.clear();
  if (at >= text.size() || text[at] == '\0')
    return;
  if (text[at] == '"') {
    size_t end = std::min(text.find('"', at + 1), text.size() - 1);
    word = text.substr(at, end + 1 - at);
    at = end + 1;
    return;
  }
  do
    word += text[at++];
  while (at < text.size() && continuesWord());
}

std::string Lexer::take() {
  std::string taken = word;
  takenLine = wordLine;
  advance();
  return taken;
}

bool Lexer::takeIf(const char *expected) {
  if (word != expected)
    return false;
  take();
  return true;
}

void Lexer::expect(const char *expected) {
  if (!takeIf(expected))
    fail();
}

void Lexer::fail() const {
  throw TextError(wordLine,
                  "fatal   : Parsing error near '" + word + "': syntax error");
}

void Lexer::skipStatement() {
  while (!isDone() && take() != ";") {
  }
}

void Lexer::skipBraces() {
  int depth = 0;
  do {
    if (now() == "{")
      ++depth;
    else if (now() == "}")
      --depth;
    take();
  } while (depth > 0 && !isDone());
}
