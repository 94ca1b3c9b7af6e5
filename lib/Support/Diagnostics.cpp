// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders errors with the source line and a caret under what is meant. Columns
// are counted in UTF-8 bytes, as CPython's ast gives them; the caret line pads
// by code points so that it stands right below non-ASCII text.

#include "pyk/Support/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/MemoryBuffer.h"
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

/// The place that `loc` stands for; null if it has none.
static FileLineColRange findPlace(Location loc) {
  FileLineColRange place;
  loc->walk([&](Location inner) {
    place = dyn_cast<FileLineColRange>(inner);
    return place ? WalkResult::interrupt() : WalkResult::advance();
  });
  return place;
}

static unsigned countCodePoints(StringRef text) {
  return llvm::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
}

/// Prints the quoted line and the caret below it.
static void printQuote(raw_ostream &os, FileLineColRange place,
                       const SourceText &sources) {
  std::string line = sources.getLine(place.getFilename(), place.getStartLine());
  if (line.empty())
    return;
  StringRef text = line;
  unsigned start =
      std::min<unsigned>(std::max(place.getStartColumn(), 1u) - 1, text.size());
  bool isOneLine = place.getEndLine() == place.getStartLine();
  unsigned end = isOneLine && place.getEndColumn() > start + 1
                     ? std::min<unsigned>(place.getEndColumn() - 1, text.size())
                     : (isOneLine ? start + 1 : text.size());
  os << "    " << text << "\n    ";
  for (char c : text.take_front(start))
    if ((c & 0xC0) != 0x80)
      os << (c == '\t' ? '\t' : ' ');
  os << '^';
  unsigned width = countCodePoints(text.slice(start, end));
  for (unsigned i = 1; i < width; ++i)
    os << '~';
  os << '\n';
}

/// Prints one message; the line is not quoted again if it has been, at
/// `quoted`.
static void printOne(raw_ostream &os, Diagnostic &diagnostic, StringRef label,
                     const SourceText &sources, FileLineColRange quoted) {
  FileLineColRange place = findPlace(diagnostic.getLocation());
  // The module that a file implies is at its line 0.
  if (place && place.getStartLine() == 0)
    os << place.getFilename().getValue() << ": ";
  else if (place)
    os << place.getFilename().getValue() << ':' << place.getStartLine() << ':'
       << place.getStartColumn() << ": ";
  os << label << ": " << diagnostic.str() << '\n';
  if (place && place != quoted)
    printQuote(os, place, sources);
}

RenderedError pyk::render(Diagnostic &diagnostic, const SourceText &sources) {
  RenderedError error;
  error.kind = diagnostic.getMetadata().empty()
                   ? "LoweringError"
                   : diagnostic.getMetadata().front().getAsString().str();
  llvm::raw_string_ostream os(error.text);
  printOne(os, diagnostic, "error", sources, {});
  FileLineColRange place = findPlace(diagnostic.getLocation());
  for (Diagnostic &note : diagnostic.getNotes())
    printOne(os, note, "note", sources, place);
  while (!error.text.empty() && error.text.back() == '\n')
    error.text.pop_back();
  if (place) {
    error.file = place.getFilename().str();
    error.line = place.getStartLine();
    error.column = place.getStartColumn();
  }
  return error;
}
