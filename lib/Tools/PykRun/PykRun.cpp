// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placeholder.

#include "pyk/Tools/PykRun.h"

int pyk_run_main(int argc, char **argv) { return 2; }
