// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format: a magic string and version, the length of the header, the header
// (a Python dictionary with the keys descr, fortran_order and shape, padded to
// a multiple of 64 bytes), then the elements. Version 2 only has more room for
// the length, version 3 another encoding; NumPy writes the oldest that will do.

#include "Npy.h"
#include "Errors.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pyk::run;

static constexpr StringLiteral kMagic = "\x93NUMPY";

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// What the header of a file says.
struct Header {
  std::string descr;
  bool isFortran = false;
  SmallVector<int64_t> shape;
};

} // namespace

/// What follows `'key':` in the dictionary `text`.
static std::optional<StringRef> findKey(StringRef text, StringRef key) {
  size_t position = text.find(("'" + key + "'").str());
  if (position == StringRef::npos)
    return std::nullopt;
  StringRef rest = text.drop_front(position + key.size() + 2).ltrim();
  if (!rest.consume_front(":"))
    return std::nullopt;
  return rest.ltrim();
}

static bool parseShape(StringRef text, SmallVectorImpl<int64_t> &shape) {
  size_t end = text.find(')');
  if (!text.consume_front("(") || end == StringRef::npos)
    return false;
  SmallVector<StringRef> parts;
  text.take_front(end - 1).split(parts, ',');
  for (auto [index, part] : enumerate(parts)) {
    int64_t extent;
    // A comma may stand after the last one, and there may be none.
    if (part.trim().empty() && index + 1 == parts.size())
      return true;
    if (part.trim().getAsInteger(10, extent) || extent < 0)
      return false;
    shape.push_back(extent);
  }
  return true;
}

static std::optional<Header> parseHeader(StringRef text) {
  Header header;
  auto descr = findKey(text, "descr");
  auto order = findKey(text, "fortran_order");
  auto shape = findKey(text, "shape");
  if (!descr || !order || !shape || !parseShape(*shape, header.shape))
    return std::nullopt;
  // Of records `descr` is a list; the message shows how it begins.
  header.descr = descr->consume_front("'")
                     ? descr->take_until([](char c) { return c == '\''; }).str()
                     : descr->take_front(16).str();
  header.isFortran = order->starts_with("True");
  if (!header.isFortran && !order->starts_with("False"))
    return std::nullopt;
  return header;
}

/// Splits the contents of a file into header text and elements.
static std::optional<std::pair<StringRef, StringRef>> split(StringRef file) {
  if (!file.consume_front(kMagic) || file.size() < 2)
    return std::nullopt;
  unsigned version = static_cast<unsigned char>(file[0]);
  file = file.drop_front(2);
  size_t bytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3 || file.size() < bytes)
    return std::nullopt;
  size_t length = bytes == 2 ? support::endian::read16le(file.data())
                             : support::endian::read32le(file.data());
  file = file.drop_front(bytes);
  if (file.size() < length)
    return std::nullopt;
  return std::pair(file.take_front(length), file.drop_front(length));
}

Error pyk::run::readNpy(StringRef path, const Element &element,
                        ArrayRef<int64_t> shape, MutableArrayRef<char> memory) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return usageError("cannot read '" + path +
                      "': " + buffer.getError().message());
  auto parts = split((*buffer)->getBuffer());
  std::optional<Header> header;
  if (parts)
    header = parseHeader(parts->first);
  auto fail = [&](const Twine &expected, const Twine &found) {
    return programError("'" + path + "': expects " + expected + " but got " +
                        found);
  };
  if (!header)
    return fail("a .npy file of version 1, 2 or 3", "something else");
  if (!isNpyName(header->descr, element))
    return fail("elements of type " + StringRef(element.shortName) + " ('" +
                    getNpyName(element) + "')",
                "'" + header->descr + "'");
  if (ArrayRef(header->shape) != shape)
    return fail("shape " + formatShape(shape), formatShape(header->shape));
  if (header->isFortran && shape.size() > 1)
    return fail("C order", "Fortran order");
  if (parts->second.size() != memory.size())
    return fail(Twine(memory.size()) + " bytes of elements",
                Twine(parts->second.size()));
  copy(parts->second, memory.begin());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string pyk::run::formatShape(ArrayRef<int64_t> shape) {
  return "[" + join(map_range(shape, itostr), "x") + "]";
}

Error pyk::run::writeNpy(StringRef path, const Element &element,
                         ArrayRef<int64_t> shape, ArrayRef<char> memory) {
  std::string header = "{'descr': '" + getNpyName(element) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : shape)
    header += itostr(extent) + ", ";
  header += "), }";
  size_t prefix = kMagic.size() + 4;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';

  std::error_code code;
  raw_fd_ostream os(path, code);
  if (!code) {
    os << kMagic << '\1' << '\0';
    os << char(header.size() & 0xFF) << char(header.size() >> 8) << header;
    os << StringRef(memory.data(), memory.size());
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return programError("cannot write '" + path + "': " + code.message());
  return Error::success();
}
