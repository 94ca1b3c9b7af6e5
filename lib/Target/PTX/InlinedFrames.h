// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls a line of PTX was inlined through. PTX can say it; LLVM's printer
// writes the line alone.

#ifndef PYK_LIB_TARGET_PTX_INLINEDFRAMES_H
#define PYK_LIB_TARGET_PTX_INLINEDFRAMES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Version of PTX, times ten, from which on it has frames.
inline constexpr unsigned kFramesVersion = 72;

/// Whether instructions of `module` have lines.
bool hasLines(const llvm::Module &module);

/// The locations in the program of the instructions of a module. LLVM's printer
/// takes them as columns, whose numbers are exchanged for the locations in its
/// text.
class InlinedFrames {
public:
  /// Gives each place of `module`, whose optimization is over, a column of its
  /// own. A module of more locations than columns keeps its own, without
  /// frames.
  explicit InlinedFrames(llvm::Module &module);

  /// `ptx`, which was printed of the module, with the locations in full. Must
  /// be called before the module's context goes.
  std::string write(llvm::StringRef ptx) const;

private:
  /// By column, from 1.
  llvm::SmallVector<const llvm::DILocation *> locations;
};

/// `ptx` with another character for each quote in names of files, which
/// strings of PTX cannot hold.
std::string replaceQuotesInPaths(llvm::StringRef ptx);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_INLINEDFRAMES_H
