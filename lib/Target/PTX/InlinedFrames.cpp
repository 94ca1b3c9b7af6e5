// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `.loc 1 8 9, function_name $L__pyk_name0, inlined_at 1 15 16` says that what
// follows is from line 8 of a function that line 15 called. The place of a call
// must stand in a `.loc` of the same function before it is named, calls further
// out first. Names of functions are strings of the section .debug_str.

#include "InlinedFrames.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pyk;

/// DILocation has 16 bits for a column, and 0 is none.
static constexpr size_t kMaxColumn = UINT16_MAX;

bool pyk::hasLines(const Module &module) {
  return !module.debug_compile_units().empty();
}

InlinedFrames::InlinedFrames(Module &module) {
  MapVector<const DILocation *, SmallVector<Instruction *>> users;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (const DILocation *place = instruction.getDebugLoc())
        users[place].push_back(&instruction);
  if (users.size() > kMaxColumn)
    return;
  for (auto &[place, instructions] : users) {
    places.push_back(place);
    // Line 0 stands for no place.
    if (place->getLine() == 0)
      continue;
    DILocation *numbered =
        DILocation::get(place->getContext(), place->getLine(), places.size(),
                        place->getScope(), place->getInlinedAt());
    for (Instruction *instruction : instructions)
      instruction->setDebugLoc(numbered);
  }
}

namespace {

/// Writes the text with places in full, line after line.
class FrameWriter {
public:
  FrameWriter(ArrayRef<const DILocation *> places, StringRef ptx);

  std::string run();

private:
  void writeLocation(StringRef line);
  /// `.loc` for `place`, and before it those of calls that had none yet.
  void write(const DILocation *place);
  void writePosition(const DILocation *place);
  void writeNames();

  /// Number of the file of `place`; empty if the text has no such file.
  StringRef getFile(const DILocation *place) const;
  bool canNameCall(const DILocation *place) const;

  ArrayRef<const DILocation *> places;
  StringRef ptx;
  StringMap<StringRef> files;
  /// Calls of the current function that a `.loc` has named.
  DenseSet<const DILocation *> written;
  MapVector<StringRef, unsigned> names;
  std::string text;
  raw_string_ostream os{text};
};

} // namespace

static std::string getPath(const DIFile *file) {
  SmallString<128> path(file->getFilename());
  if (!sys::path::is_absolute(path)) {
    path = file->getDirectory();
    sys::path::append(path, file->getFilename());
  }
  return std::string(path);
}

/// `path` as LLVM writes it between quotes.
static std::string escape(StringRef path) {
  std::string text;
  for (unsigned char c : path) {
    size_t special = StringRef("\b\f\n\r\t").find(char(c));
    if (c == '"' || c == '\\')
      text += {'\\', char(c)};
    else if (isPrint(c))
      text += char(c);
    else if (special != StringRef::npos)
      text += {'\\', "bfnrt"[special]};
    else
      for (char digit : {'\\', char('0' + (c >> 6)), char('0' + (c >> 3 & 7)),
                         char('0' + (c & 7))})
        text += digit;
  }
  return text;
}

FrameWriter::FrameWriter(ArrayRef<const DILocation *> places, StringRef ptx)
    : places(places), ptx(ptx) {
  for (StringRef line : split(ptx, '\n'))
    if (line.consume_front("\t.file\t")) {
      auto [number, path] = line.split(' ');
      files[path.drop_front().drop_back()] = number;
    }
}

StringRef FrameWriter::getFile(const DILocation *place) const {
  return files.lookup(escape(getPath(place->getFile())));
}

/// Whether the text has the files of all calls around `place`.
bool FrameWriter::canNameCall(const DILocation *place) const {
  for (; place; place = place->getInlinedAt())
    if (place->getLine() == 0 || getFile(place).empty())
      return false;
  return true;
}

void FrameWriter::writePosition(const DILocation *place) {
  os << getFile(place) << ' ' << place->getLine() << ' ' << place->getColumn();
}

void FrameWriter::write(const DILocation *place) {
  const DILocation *call = place->getInlinedAt();
  if (call && written.insert(call).second)
    write(call);
  os << "\t.loc\t";
  writePosition(place);
  if (call) {
    StringRef name = place->getScope()->getSubprogram()->getName();
    unsigned number = names.try_emplace(name, names.size()).first->second;
    os << ", function_name $L__pyk_name" << number << ", inlined_at ";
    writePosition(call);
  }
  os << '\n';
}

void FrameWriter::writeLocation(StringRef line) {
  // What is merged of several places has line 0, or no column.
  SmallVector<StringRef, 3> numbers;
  line.drop_front(StringRef("\t.loc\t").size()).split(numbers, ' ');
  unsigned column = 0;
  bool isPlace = numbers.size() == 3 && numbers[1] != "0" &&
                 !numbers[2].getAsInteger(10, column) && column != 0 &&
                 column <= places.size();
  if (!isPlace) {
    os << "\t.loc\t" << numbers[0] << ' ' << numbers[1] << " 0\n";
    return;
  }
  const DILocation *place = places[column - 1];
  if (canNameCall(place))
    write(place);
  else
    os << "\t.loc\t" << numbers[0] << ' ' << place->getLine() << ' '
       << place->getColumn() << '\n';
}

void FrameWriter::writeNames() {
  if (names.empty())
    return;
  os << "\t.section\t.debug_str\n\t{\n";
  for (auto [name, number] : names) {
    os << "$L__pyk_name" << number << ":\n\t.b8 ";
    for (unsigned char byte : name)
      os << unsigned(byte) << ',';
    os << "0\n";
  }
  os << "\t}\n";
}

std::string FrameWriter::run() {
  // The text ends with a line feed, behind which nothing is.
  for (StringRef line : split(ptx.drop_back(ptx.ends_with("\n")), '\n')) {
    if (line.starts_with("\t.loc\t")) {
      writeLocation(line);
      continue;
    }
    if (line == "}")
      written.clear();
    os << line << '\n';
  }
  writeNames();
  return std::move(text);
}

std::string pyk::replaceQuotesInPaths(StringRef ptx) {
  std::string text;
  for (StringRef line : split(ptx, '\n')) {
    bool isFile = line.starts_with("\t.file\t");
    for (size_t i = 0; i < line.size(); ++i) {
      bool isEscaped = isFile && line[i] == '\\' && i + 1 < line.size();
      if (!isEscaped) {
        text += line[i];
        continue;
      }
      ++i;
      if (line[i] == '"')
        text += '\'';
      else
        text += {'\\', line[i]};
    }
    text += '\n';
  }
  text.pop_back();
  return text;
}

std::string InlinedFrames::write(StringRef ptx) const {
  // The columns of a module with too many places are its own.
  if (places.empty())
    return ptx.str();
  return FrameWriter(places, ptx).run();
}
