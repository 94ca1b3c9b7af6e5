// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders errors with the source line and a caret under what is meant. Columns
// of locations are counted in UTF-8 bytes, as CPython's ast and MLIR's parser
// give them; those of messages are counted in characters, and the caret line
// is padded by their widths so that it stands right below any text.

#include "pyk/Support/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pyk;

static InFlightDiagnostic emitKind(Location loc, StringRef kind) {
  InFlightDiagnostic diagnostic = emitError(loc);
  diagnostic.getUnderlyingDiagnostic()->getMetadata().push_back(
      DiagnosticArgument(kind));
  return diagnostic;
}

InFlightDiagnostic pyk::emitTypingError(Location loc) {
  return emitKind(loc, "TypingError");
}

InFlightDiagnostic pyk::emitTypeError(Location loc) {
  return emitKind(loc, "NumbaTypeError");
}

InFlightDiagnostic pyk::emitUnsupportedError(Location loc) {
  return emitKind(loc, "UnsupportedError");
}

InFlightDiagnostic pyk::emitLoweringError(Location loc) {
  return emitKind(loc, "LoweringError");
}

void SourceText::add(StringRef file, unsigned firstLine, StringRef text) {
  pieces[file].push_back({firstLine, text.str()});
}

/// The `index`-th line of `text`, from 0; empty if there are fewer.
static std::string getLineOf(StringRef text, unsigned index) {
  for (; index != 0 && !text.empty(); --index)
    text = text.split('\n').second;
  return text.split('\n').first.rtrim('\r').str();
}

std::string SourceText::getLine(StringRef file, unsigned line) const {
  if (auto found = pieces.find(file); found != pieces.end())
    for (const Piece &piece : found->second) {
      unsigned count = StringRef(piece.text).count('\n') + 1;
      if (line >= piece.firstLine && line < piece.firstLine + count)
        return getLineOf(piece.text, line - piece.firstLine);
    }
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer || line == 0)
    return {};
  return getLineOf((*buffer)->getBuffer(), line - 1);
}

FileLineColRange pyk::findSourceRange(Location loc) {
  FileLineColRange range;
  loc->walk([&](Location inner) {
    range = dyn_cast<FileLineColRange>(inner);
    return range ? WalkResult::interrupt() : WalkResult::advance();
  });
  return range;
}

namespace {

/// A character of a source line.
struct Character {
  /// Where it starts in the line.
  size_t offset;
  /// What to print for it, and how many columns of a terminal that takes.
  StringRef text;
  unsigned width;
};

} // namespace

/// The character at `offset` of `line`, and how many bytes it has there.
static std::pair<Character, size_t> getCharacter(StringRef line,
                                                 size_t offset) {
  // For what is no text: a control character or a byte of another encoding.
  static constexpr StringRef kReplacement = "\uFFFD";
  StringRef rest = line.drop_front(offset);
  size_t size = llvm::getNumBytesForUTF8(rest.front());
  const auto *bytes = reinterpret_cast<const llvm::UTF8 *>(rest.data());
  if (size > rest.size() || !llvm::isLegalUTF8Sequence(bytes, bytes + size))
    return {{offset, kReplacement, 1}, 1};
  StringRef text = rest.take_front(size);
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  if (width < 0)
    return {{offset, text == "\t" ? text : kReplacement, 1}, size};
  return {{offset, text, unsigned(width)}, size};
}

static SmallVector<Character> getCharacters(StringRef line) {
  SmallVector<Character> characters;
  for (size_t offset = 0; offset < line.size();) {
    auto [character, size] = getCharacter(line, offset);
    characters.push_back(character);
    offset += size;
  }
  return characters;
}

/// How many of `characters` start before `offset`.
static size_t countBefore(ArrayRef<Character> characters, size_t offset) {
  return llvm::partition_point(characters,
                               [&](const Character &character) {
                                 return character.offset < offset;
                               }) -
         characters.begin();
}

/// Column of the start of `range` in characters, from 1.
static unsigned getColumn(FileLineColRange range, const SourceText &sources) {
  std::string line = sources.getLine(range.getFilename(), range.getStartLine());
  unsigned column = range.getStartColumn();
  if (column == 0 || column > line.size() + 1)
    return column;
  return countBefore(getCharacters(line), column - 1) + 1;
}

/// Characters of a line that are quoted at most, and of those, how many before
/// the caret.
static constexpr size_t kMaxQuoted = 200, kMaxBefore = 100;

/// Prints the quoted line and the caret below it.
static void printQuote(raw_ostream &os, FileLineColRange range,
                       const SourceText &sources) {
  std::string line = sources.getLine(range.getFilename(), range.getStartLine());
  if (line.empty())
    return;
  SmallVector<Character> characters = getCharacters(line);
  ArrayRef<Character> quoted(characters);
  size_t start = countBefore(quoted, std::max(range.getStartColumn(), 1u) - 1);
  size_t end = quoted.size();
  if (range.getEndLine() == range.getStartLine())
    end = countBefore(quoted, std::max(range.getEndColumn(), 1u) - 1);

  size_t cut = 0;
  if (quoted.size() > kMaxQuoted && start > kMaxBefore)
    cut = std::min(start - kMaxBefore, quoted.size() - kMaxQuoted);
  bool isCutBehind = quoted.size() - cut > kMaxQuoted;
  quoted = quoted.drop_front(cut).take_front(kMaxQuoted);
  start -= cut;
  end = std::min(std::max(end, cut) - cut, quoted.size());

  os << "    " << (cut != 0 ? "..." : "");
  for (const Character &character : quoted)
    os << character.text;
  os << (isCutBehind ? "..." : "") << "\n    " << (cut != 0 ? "   " : "");
  for (const Character &character : quoted.take_front(start))
    if (character.text == "\t")
      os << '\t';
    else
      os.indent(character.width);
  os << '^';
  unsigned width = 0;
  if (end > start)
    for (const Character &character : quoted.slice(start, end - start))
      width += character.width;
  for (unsigned i = 1; i < width; ++i)
    os << '~';
  os << '\n';
}

/// Prints one message; the line is not quoted again if it has been, at
/// `quoted`.
static void printOne(raw_ostream &os, Location loc, StringRef label,
                     StringRef message, const SourceText &sources,
                     FileLineColRange quoted) {
  FileLineColRange range = findSourceRange(loc);
  // The module that a file implies is at its line 0.
  if (range && range.getStartLine() == 0)
    os << range.getFilename().getValue() << ": ";
  else if (range)
    os << range.getFilename().getValue() << ':' << range.getStartLine() << ':'
       << getColumn(range, sources) << ": ";
  os << label << ": " << message << '\n';
  if (range && range != quoted)
    printQuote(os, range, sources);
}

/// Sets where `message` is, and ends its text.
static void finish(RenderedMessage &message, FileLineColRange range,
                   const SourceText &sources) {
  while (!message.text.empty() && message.text.back() == '\n')
    message.text.pop_back();
  if (!range)
    return;
  message.file = range.getFilename().str();
  message.line = range.getStartLine();
  message.column = getColumn(range, sources);
}

RenderedMessage pyk::renderMessage(Location loc, StringRef label,
                                   StringRef message,
                                   const SourceText &sources) {
  RenderedMessage rendered;
  llvm::raw_string_ostream os(rendered.text);
  printOne(os, loc, label, message, sources, {});
  finish(rendered, findSourceRange(loc), sources);
  return rendered;
}

RenderedError pyk::render(Diagnostic &diagnostic, const SourceText &sources) {
  RenderedError error;
  error.kind = diagnostic.getMetadata().empty()
                   ? "LoweringError"
                   : diagnostic.getMetadata().front().getAsString().str();
  llvm::raw_string_ostream os(error.text);
  FileLineColRange range = findSourceRange(diagnostic.getLocation());
  printOne(os, diagnostic.getLocation(), "error", diagnostic.str(), sources,
           {});
  for (Diagnostic &note : diagnostic.getNotes())
    printOne(os, note.getLocation(), "note", note.str(), sources, range);
  finish(error, range, sources);
  return error;
}
