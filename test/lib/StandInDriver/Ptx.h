// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As much of PTX as the stand-in's "JIT" needs: which kernels and variables a
// text has, how large their parameters are, and whether it is PTX at all.

#ifndef PYK_TEST_LIB_STANDINDRIVER_PTX_H
#define PYK_TEST_LIB_STANDINDRIVER_PTX_H

#include <cstdint>
#include <string>
#include <vector>

namespace standin {

/// A kernel of a PTX text.
struct PtxKernel {
  std::string name;
  /// Bytes of each parameter.
  std::vector<uint32_t> parameterBytes;
  int64_t staticSharedBytes = 0;
  int maxThreads = 1024;
};

/// A variable of a PTX text.
struct PtxVariable {
  std::string name;
  size_t bytes;
};

/// A PTX text.
struct PtxModule {
  std::vector<PtxKernel> kernels;
  std::vector<PtxVariable> variables;
};

/// Reads `text`. Returns false, with the reason in `log`, if it is no PTX.
bool parsePtx(const std::string &text, PtxModule &module, std::string &log);

} // namespace standin

#endif // PYK_TEST_LIB_STANDINDRIVER_PTX_H
