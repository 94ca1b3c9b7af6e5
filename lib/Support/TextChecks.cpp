// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads MLIR text by brackets, words and numbers, outside of strings and
// comments, before the parser does.

#include "pyk/Support/TextChecks.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>

using namespace mlir;
using namespace pyk;

/// Deepest nesting of MLIR text that is read at all, since the parser and much
/// that follows recurse. The deepest Python program stays well below.
static constexpr unsigned kMaxTextDepth = 1000;

namespace {

/// A place in a text that is rejected, and why.
struct Rejection {
  size_t place;
  std::string message;
};

/// One traversal of a text.
class TextReader {
public:
  explicit TextReader(StringRef text) : text(text) {}

  /// The first place that is rejected.
  std::optional<Rejection> find();

private:
  std::optional<Rejection> readBracket();
  std::optional<Rejection> readWord();
  std::optional<Rejection> checkPositions() const;
  void skipString();

  StringRef rest() const { return text.drop_front(place); }

  StringRef text;
  size_t place = 0;
  unsigned depth = 0;
};

} // namespace

/// Whether `c` can be within the name of an attribute, a type or an operation.
static bool isOfWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

std::optional<Rejection> TextReader::find() {
  while (place < text.size()) {
    char c = text[place];
    std::optional<Rejection> rejection;
    if (rest().starts_with("//"))
      place += std::min(rest().find('\n'), rest().size());
    else if (c == '"')
      skipString();
    else if (rest().starts_with("->") || rest().starts_with(">="))
      place += 2;
    else if (isOfWord(c) || StringRef("%^#!@").contains(c))
      rejection = readWord();
    else
      rejection = readBracket();
    if (rejection)
      return rejection;
  }
  return std::nullopt;
}

/// Goes behind a string, or to the end of its line.
void TextReader::skipString() {
  for (++place; place < text.size(); ++place) {
    char c = text[place];
    if (c == '\\')
      ++place;
    else if (c == '"' || c == '\n')
      break;
  }
  ++place;
}

std::optional<Rejection> TextReader::readBracket() {
  char c = text[place];
  if (StringRef("([{<").contains(c) && ++depth > kMaxTextDepth)
    return Rejection{place, "expects at most " + std::to_string(kMaxTextDepth) +
                                " levels of nesting but got more"};
  if (StringRef(")]}>").contains(c))
    depth -= depth != 0;
  ++place;
  return std::nullopt;
}

/// Reads a word, and for some what follows it.
std::optional<Rejection> TextReader::readWord() {
  StringRef word = rest().take_front(1);
  word =
      rest().take_front(1 + rest().drop_front(1).take_while(isOfWord).size());
  place += word.size();
  StringRef next = rest().ltrim();
  size_t at = text.size() - next.size();
  if (word == "array" && next.consume_front("<") &&
      next.ltrim().take_while(isOfWord) == "index")
    return Rejection{at, "expects elements of a width in a dense array but got "
                         "'index'"};
  if (word == "addr_space" && next.consume_front("=")) {
    next = next.ltrim();
    if (!next.empty() && !llvm::isDigit(next.front()) && next.front() != '-')
      return Rejection{at, "expects an integer as 'addr_space'"};
  }
  if (word.ends_with("insertvalue") || word.ends_with("extractvalue"))
    return checkPositions();
  return std::nullopt;
}

/// Checks the integers in brackets on the rest of a line.
std::optional<Rejection> TextReader::checkPositions() const {
  StringRef line = rest().take_until([](char c) { return c == '\n'; });
  size_t begin = line.find('[');
  if (begin == StringRef::npos)
    return std::nullopt;
  SmallVector<StringRef> positions;
  line.drop_front(begin + 1).split(']').first.split(positions, ',');
  for (StringRef position : positions) {
    position = position.trim();
    int32_t value;
    if (position.ltrim('-').find_first_not_of("0123456789") ==
            StringRef::npos &&
        position.getAsInteger(10, value))
      return Rejection{size_t(position.data() - text.data()),
                       "expects positions of 32 bits but got '" +
                           position.str() + "'"};
  }
  return std::nullopt;
}

LogicalResult pyk::checkText(StringRef text, StringRef name,
                             MLIRContext *context) {
  if (isBytecode(llvm::MemoryBufferRef(text, name)))
    return success();
  std::optional<Rejection> rejection = TextReader(text).find();
  if (!rejection)
    return success();
  StringRef before = text.take_front(rejection->place);
  unsigned line = before.count('\n') + 1;
  unsigned column = before.size() - (before.rfind('\n') + 1) + 1;
  return emitError(FileLineColLoc::get(context, name, line, column))
         << rejection->message;
}
