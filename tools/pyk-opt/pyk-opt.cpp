// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool that runs passes on MLIR; what it does is in lib/Tools/PykOpt.

#include "pyk-c/Tools.h"

int main(int argc, char **argv) { return pyk_opt_main(argc, argv); }
