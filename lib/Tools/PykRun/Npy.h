// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays in NumPy's .npy files.

#ifndef PYK_LIB_TOOLS_PYKRUN_NPY_H
#define PYK_LIB_TOOLS_PYKRUN_NPY_H

#include "Element.h"

namespace pyk::run {

/// Reads the file `path`, which must hold an array of just this type and shape
/// in C order, to `memory`. A file that cannot be opened is a usage error.
llvm::Error readNpy(llvm::StringRef path, const Element &element,
                    llvm::ArrayRef<int64_t> shape,
                    llvm::MutableArrayRef<char> memory);

/// Writes an array in C order to the file `path`.
llvm::Error writeNpy(llvm::StringRef path, const Element &element,
                     llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<char> memory);

/// `shape` as on the command line, such as `3x4`.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace pyk::run

#endif // PYK_LIB_TOOLS_PYKRUN_NPY_H
