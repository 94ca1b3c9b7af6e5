// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool that runs passes on MLIR; what it does is in lib/Tools/PykOpt.

#include "pyk-c/Tools.h"

#ifdef PYK_INCLUDE_TESTS
namespace pyk::test {
void registerTestPrintLaneShapePass();
} // namespace pyk::test
#endif

int main(int argc, char **argv) {
#ifdef PYK_INCLUDE_TESTS
  pyk::test::registerTestPrintLaneShapePass();
#endif
  return pyk_opt_main(argc, argv);
}
