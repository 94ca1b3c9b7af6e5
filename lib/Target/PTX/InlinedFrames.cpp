// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `.loc 1 8 9, function_name $L__pyk_name0, inlined_at 1 15 16` says that what
// follows is from line 8 of a function that line 15 called. The location of a
// call must stand in a `.loc` of the same function before it is named, calls
// further out first. Names of functions are strings of the section .debug_str.

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
      if (const DILocation *location = instruction.getDebugLoc())
        users[location].push_back(&instruction);
  if (users.size() > kMaxColumn)
    return;
  for (auto &[location, instructions] : users) {
    locations.push_back(location);
    // Line 0 stands for no location.
    if (location->getLine() == 0)
      continue;
    DILocation *numbered = DILocation::get(
        location->getContext(), location->getLine(), locations.size(),
        location->getScope(), location->getInlinedAt());
    for (Instruction *instruction : instructions)
      instruction->setDebugLoc(numbered);
  }
}

namespace {

/// Writes the text with locations in full, line after line.
class FrameWriter {
public:
  FrameWriter(ArrayRef<const DILocation *> locations, StringRef ptx);

  std::string run();

private:
  void writeLocation(StringRef line);
  /// `.loc` for `location`, and before it those of calls that had none yet.
  void write(const DILocation *location);
  void writePosition(const DILocation *location);
  void writeNames();

  /// Number of the file of `location`; empty if the text has no such file.
  StringRef getFile(const DILocation *location) const;
  bool canNameCall(const DILocation *location) const;

  ArrayRef<const DILocation *> locations;
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

FrameWriter::FrameWriter(ArrayRef<const DILocation *> locations, StringRef ptx)
    : locations(locations), ptx(ptx) {
  for (StringRef line : split(ptx, '\n'))
    if (line.consume_front("\t.file\t")) {
      auto [number, path] = line.split(' ');
      files[path.drop_front().drop_back()] = number;
    }
}

StringRef FrameWriter::getFile(const DILocation *location) const {
  return files.lookup(escape(getPath(location->getFile())));
}

/// Whether the text has the files of all calls around `location`.
bool FrameWriter::canNameCall(const DILocation *location) const {
  for (; location; location = location->getInlinedAt())
    if (location->getLine() == 0 || getFile(location).empty())
      return false;
  return true;
}

void FrameWriter::writePosition(const DILocation *location) {
  os << getFile(location) << ' ' << location->getLine() << ' '
     << location->getColumn();
}

void FrameWriter::write(const DILocation *location) {
  const DILocation *call = location->getInlinedAt();
  if (call && written.insert(call).second)
    write(call);
  os << "\t.loc\t";
  writePosition(location);
  if (call) {
    StringRef name = location->getScope()->getSubprogram()->getName();
    unsigned number = names.try_emplace(name, names.size()).first->second;
    os << ", function_name $L__pyk_name" << number << ", inlined_at ";
    writePosition(call);
  }
  os << '\n';
}

void FrameWriter::writeLocation(StringRef line) {
  // What is merged of several locations has line 0, or no column.
  SmallVector<StringRef, 3> numbers;
  line.drop_front(StringRef("\t.loc\t").size()).split(numbers, ' ');
  unsigned column = 0;
  bool isLocation = numbers.size() == 3 && numbers[1] != "0" &&
                    !numbers[2].getAsInteger(10, column) && column != 0 &&
                    column <= locations.size();
  if (!isLocation) {
    os << "\t.loc\t" << numbers[0] << ' ' << numbers[1] << " 0\n";
    return;
  }
  const DILocation *location = locations[column - 1];
  if (canNameCall(location))
    write(location);
  else
    os << "\t.loc\t" << numbers[0] << ' ' << location->getLine() << ' '
       << location->getColumn() << '\n';
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
  // The columns of a module with too many locations are its own.
  if (locations.empty())
    return ptx.str();
  return FrameWriter(locations, ptx).run();
}
