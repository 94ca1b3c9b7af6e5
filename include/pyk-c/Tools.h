/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the command-line tools do. libPyKC has it, so that pyk-run can load it
 * only when it is needed, and so that Python can do the same without a tool.
 */
#ifndef PYK_C_TOOLS_H
#define PYK_C_TOOLS_H

#include "pyk-c/PyK.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the command line of `pyk-run` for a file that is no Python program.
 * Returns the exit status: 1 for an error of the program, 2 for a wrong command
 * line; the message is on standard error by then. */
PYK_C_API int pyk_run_main(int argc, char **argv);

/* Whether pyk-run's command line names a Python program. Of `-`, and of a file
 * that ends in neither .py nor .mlir, the text decides; standard input begins
 * with it once more. */
PYK_C_API int pyk_run_is_python(int argc, char **argv);

/* Runs the command line of `pyk-opt` and returns the exit status. */
PYK_C_API int pyk_opt_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif /* PYK_C_TOOLS_H */
