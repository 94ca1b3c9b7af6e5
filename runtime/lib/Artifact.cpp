// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact is eight bytes that say what it is, then four little-endian
// numbers of eight bytes: the version of the format, the bytes of the manifest,
// those of the code, and a checksum of both, which follow in this order. The
// checksum finds damage, not tampering: an artifact is trusted as a program is.

#include "pyk/runtime/Artifact.h"

using namespace pyk::runtime;

static constexpr std::string_view magic = "\x7fPyKART\n";
static constexpr uint64_t version = 2;
static constexpr size_t numberBytes = 8;
static constexpr size_t headerBytes = magic.size() + 4 * numberBytes;

static void append(std::string &bytes, uint64_t number) {
  for (size_t i = 0; i < numberBytes; ++i)
    bytes += static_cast<char>(number >> 8 * i & 0xff);
}

/// The number that begins at `offset`.
static uint64_t read(std::string_view bytes, size_t offset) {
  uint64_t number = 0;
  for (size_t i = 0; i < numberBytes; ++i)
    number |= uint64_t(static_cast<unsigned char>(bytes[offset + i])) << 8 * i;
  return number;
}

/// The FNV-1a hash of `bytes`, eight at a time.
static uint64_t getChecksum(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](uint64_t number) {
    hash = (hash ^ number) * 0x100000001b3;
    // Multiplication carries bits upwards only.
    hash ^= hash >> 32;
  };
  size_t whole = bytes.size() / numberBytes * numberBytes;
  for (size_t i = 0; i != whole; i += numberBytes)
    add(read(bytes, i));
  for (char byte : bytes.substr(whole))
    add(static_cast<unsigned char>(byte));
  return hash;
}

std::string pyk::runtime::writeArtifact(const Artifact &artifact) {
  std::string bytes;
  bytes.reserve(headerBytes + artifact.manifest.size() + artifact.code.size());
  bytes += magic;
  append(bytes, version);
  append(bytes, artifact.manifest.size());
  append(bytes, artifact.code.size());
  std::string rest(artifact.manifest);
  rest += artifact.code;
  append(bytes, getChecksum(rest));
  return bytes += rest;
}

bool pyk::runtime::isArtifact(std::string_view bytes) {
  return bytes.substr(0, magic.size()) == magic;
}

Result<Artifact> pyk::runtime::readArtifact(std::string_view bytes) {
  auto broken = [](std::string_view problem) {
    return Status::failure(StatusCode::InvalidImage, "reading an artifact",
                           problem, "write it again with this version of PyK");
  };
  if (!isArtifact(bytes))
    return broken("these bytes are none");
  if (bytes.size() < headerBytes)
    return broken("it ends within its header");
  if (uint64_t found = read(bytes, magic.size()); found != version)
    return broken("it is of version " + std::to_string(found) +
                  " of the format, and this reads version " +
                  std::to_string(version));
  uint64_t manifest = read(bytes, magic.size() + numberBytes);
  uint64_t code = read(bytes, magic.size() + 2 * numberBytes);
  std::string_view rest = bytes.substr(headerBytes);
  if (manifest > rest.size() || code != rest.size() - manifest)
    return broken("it has " + std::to_string(rest.size()) +
                  " bytes behind its header instead of " +
                  std::to_string(manifest + code));
  if (read(bytes, magic.size() + 3 * numberBytes) != getChecksum(rest))
    return broken("its checksum is not that of its bytes");
  return Artifact{rest.substr(0, manifest), rest.substr(manifest)};
}

Result<std::string_view> pyk::runtime::getCode(std::string_view bytes) {
  if (!isArtifact(bytes))
    return bytes;
  Result<Artifact> artifact = readArtifact(bytes);
  if (!artifact.ok())
    return artifact.status();
  return artifact.value().code;
}
