// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of artifacts, and bytes that are none. That compiled ones run is
// tested where they are compiled.

#include "pyk/runtime/Artifact.h"
#include "ConformanceSupport.h"
#include "pyk/runtime/Runtime.h"

using namespace pyk::runtime;
using namespace pyk::runtime::test;

static const Artifact kArtifact = {"{\"version\":1}", {"code\0more", 9}};

// Files of the same version stay readable, on every machine.
TEST(ArtifactTest, HasOneForm) {
  const char expected[] = "\x7fPyKART\n"
                          "\x02\0\0\0\0\0\0\0"
                          "\x0d\0\0\0\0\0\0\0"
                          "\x09\0\0\0\0\0\0\0"
                          "\x99\x3f\x46\xa3\x28\x31\x3e\xc2"
                          "{\"version\":1}"
                          "code\0more";
  EXPECT_EQ(writeArtifact(kArtifact),
            std::string(expected, sizeof(expected) - 1));
}

TEST(ArtifactTest, IsReadAsWritten) {
  std::string bytes = writeArtifact(kArtifact);
  EXPECT_TRUE(isArtifact(bytes));
  Artifact artifact = valueOf(readArtifact(bytes));
  EXPECT_EQ(artifact.manifest, kArtifact.manifest);
  EXPECT_EQ(artifact.code, kArtifact.code);

  const char *manifest = nullptr;
  size_t manifestBytes = 0;
  EXPECT_EQ(pyk_rt_artifact_manifest(bytes.data(), bytes.size(), &manifest,
                                     &manifestBytes),
            nullptr);
  EXPECT_EQ(std::string(manifest, manifestBytes), kArtifact.manifest);
}

TEST(ArtifactTest, OtherBytesAreRefused) {
  const std::string prefix = "reading an artifact: ";
  const std::string again = "; write it again with this version of PyK";
  std::string bytes = writeArtifact(kArtifact);
  EXPECT_FALSE(isArtifact("PTX"));
  expectFailure(readArtifact("PTX"), StatusCode::InvalidImage,
                prefix + "these bytes are none" + again);
  expectFailure(readArtifact(bytes.substr(0, 20)), StatusCode::InvalidImage,
                prefix + "it ends within its header" + again);
  expectFailure(readArtifact(bytes + "!"), StatusCode::InvalidImage,
                prefix + "it has 23 bytes behind its header instead of 22" +
                    again);
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(readArtifact(std::string_view(bytes).substr(0, length)).ok());
  std::string other = bytes;
  other[8] = 1;
  expectFailure(readArtifact(other), StatusCode::InvalidImage,
                prefix +
                    "it is of version 1 of the format, and this reads version "
                    "2" +
                    again);
  // Each byte that follows counts.
  for (size_t place = 32; place < bytes.size(); ++place) {
    std::string damaged = bytes;
    damaged[place] ^= 1;
    expectFailure(readArtifact(damaged), StatusCode::InvalidImage,
                  prefix + "its checksum is not that of its bytes" + again);
  }
  // Sizes whose sum is that of the bytes, modulo 2^64.
  std::string wrapped = bytes;
  wrapped.replace(16, 16, std::string(8, '\xff') + '\x17' + std::string(7, 0));
  EXPECT_FALSE(readArtifact(wrapped).ok());

  const char *manifest = nullptr;
  size_t manifestBytes = 0;
  pyk_rt_status *status =
      pyk_rt_artifact_manifest("PTX", 3, &manifest, &manifestBytes);
  ASSERT_NE(status, nullptr);
  EXPECT_EQ(pyk_rt_status_code(status), PYK_RT_INVALID_IMAGE);
  pyk_rt_status_free(status);
  EXPECT_EQ(manifest, nullptr);
}
