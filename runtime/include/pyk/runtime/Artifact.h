// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form in which compiled kernels outlive the compiler: what is to be known
// of them, and their code, in one (rationale/artifacts.md).

#ifndef PYK_RUNTIME_ARTIFACT_H
#define PYK_RUNTIME_ARTIFACT_H

#include "pyk/runtime/Export.h"
#include "pyk/runtime/Status.h"

#include <string>
#include <string_view>

namespace pyk::runtime {

/// An artifact that was read: views of its bytes.
struct Artifact {
  /// JSON, as python-dialect-docs/reference/manifest.md says.
  std::string_view manifest;
  /// What a device loads.
  std::string_view code;
};

/// The bytes of an artifact.
PYK_RUNTIME_EXPORT std::string writeArtifact(const Artifact &artifact);

/// Whether the bytes begin as those of an artifact.
PYK_RUNTIME_EXPORT bool isArtifact(std::string_view bytes);

/// What `bytes`, which `writeArtifact` made on any machine, hold. Fails with
/// InvalidImage if they are no artifact, are cut off or are of another version
/// of the format.
PYK_RUNTIME_EXPORT Result<Artifact> readArtifact(std::string_view bytes);

/// The code of an artifact; other bytes are code themselves. Fails as above.
PYK_RUNTIME_EXPORT Result<std::string_view> getCode(std::string_view bytes);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_ARTIFACT_H
