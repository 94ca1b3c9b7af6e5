// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk-run does with MLIR. The tool loads it on demand: a Python program
// must not wait until the dynamic linker is done with MLIR.

#ifndef PYK_TOOLS_PYKRUN_H
#define PYK_TOOLS_PYKRUN_H

extern "C" {

/// Runs the command line of `pyk-run` for a file that is no Python program.
/// Returns the exit status: 1 for an error of the program, 2 for a wrong
/// command line; the message is on standard error by then.
__attribute__((visibility("default"))) int pyk_run_main(int argc, char **argv);

} // extern "C"

#endif // PYK_TOOLS_PYKRUN_H
