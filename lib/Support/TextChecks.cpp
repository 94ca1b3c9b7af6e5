// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads MLIR text token by token, before the parser does. Comments are skipped;
// what strings hold counts only where a string is the name of an attribute.

#include "pyk/Support/TextChecks.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <algorithm>
#include <array>
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
  StringRef next();
  void skipBlanks();
  std::optional<Rejection> count(StringRef token);
  std::optional<Rejection> check(StringRef token);

  StringRef text;
  size_t place = 0;
  unsigned depth = 0;
  /// The tokens before the present one, the last one first.
  std::array<StringRef, 4> before;
  /// Whether the integers in the present brackets are positions in a struct;
  /// if so, the bracket that ends them.
  bool comesPosition = false;
  char endOfPositions = 0;
};

} // namespace

/// Whether `c` can be within a name or a number.
static bool isOfWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

/// Goes behind blanks and comments. The text may be several files, each behind
/// a comment.
void TextReader::skipBlanks() {
  while (place < text.size()) {
    StringRef rest = text.drop_front(place);
    if (rest.starts_with("//")) {
      if (rest.starts_with("// -----"))
        depth = 0;
      place += std::min(rest.find('\n'), rest.size());
    } else if (llvm::isSpace(rest.front())) {
      ++place;
    } else {
      return;
    }
  }
}

/// The next token; empty at the end.
StringRef TextReader::next() {
  skipBlanks();
  StringRef rest = text.drop_front(place);
  size_t size = 0;
  if (rest.empty())
    return {};
  if (rest.front() == '"') {
    for (size = 1; size < rest.size() && rest[size] != '"'; ++size)
      if (rest[size] == '\n')
        break;
      else if (rest[size] == '\\')
        ++size;
    size = std::min(size + 1, rest.size());
  } else if (rest.starts_with("->") || rest.starts_with(">=")) {
    size = 2;
  } else {
    size = 1;
    if (isOfWord(rest.front()) || StringRef("%^#!@-").contains(rest.front()))
      size += rest.drop_front().take_while(isOfWord).size();
  }
  place += size;
  return rest.take_front(size);
}

std::optional<Rejection> TextReader::find() {
  for (StringRef token = next(); !token.empty(); token = next()) {
    if (auto rejection = count(token))
      return rejection;
    if (auto rejection = check(token))
      return rejection;
    std::rotate(before.begin(), before.end() - 1, before.end());
    before[0] = token;
  }
  return std::nullopt;
}

/// Counts brackets.
std::optional<Rejection> TextReader::count(StringRef token) {
  if (token.size() != 1)
    return std::nullopt;
  char c = token.front();
  if (StringRef("([{<").contains(c) && ++depth > kMaxTextDepth)
    return Rejection{place - 1, "expects at most " +
                                    std::to_string(kMaxTextDepth) +
                                    " levels of nesting but got more"};
  if (StringRef(")]}>").contains(c))
    depth -= depth != 0;
  return std::nullopt;
}

/// Whether `token` is the name of the attribute `name`.
static bool isName(StringRef token, StringRef name) {
  return token == name || (token.consume_front("\"") &&
                           token.consume_back("\"") && token == name);
}

/// Checks a token by those before it.
std::optional<Rejection> TextReader::check(StringRef token) {
  size_t at = place - token.size();
  if (before[1] == "array" && before[0] == "<" &&
      (token == "index" || token.starts_with("!")))
    return Rejection{at, "expects elements of a width in a dense array but got "
                         "'" +
                             token.str() + "'"};
  int64_t number;
  bool isNumber = !token.getAsInteger(0, number);
  if (isName(before[0], "addr_space") && (token == "," || token == "}"))
    return Rejection{at, "expects an integer as 'addr_space'"};
  if (isName(before[1], "addr_space") && before[0] == "=" && !isNumber)
    return Rejection{at, "expects an integer as 'addr_space'"};

  // Positions follow the name of the op in brackets, or are an attribute.
  if (token.ends_with("insertvalue") || token.ends_with("extractvalue"))
    comesPosition = isOfWord(token.front());
  if (token == "[" && comesPosition)
    endOfPositions = ']';
  if (isName(before[3], "position") && before[2] == "=" &&
      before[1] == "array" && before[0] == "<")
    endOfPositions = '>';
  if (token == "[" || token == ":")
    comesPosition = false;
  bool isDigits =
      llvm::isDigit(token.ltrim('-').empty() ? '-' : token.ltrim('-').front());
  if (endOfPositions && isDigits && (!isNumber || !llvm::isInt<32>(number)))
    return Rejection{at, "expects positions of 32 bits but got '" +
                             token.str() + "'"};
  if (endOfPositions && token == StringRef(&endOfPositions, 1))
    endOfPositions = 0;
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
