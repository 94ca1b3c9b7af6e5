/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compiles a kernel through the C interface and runs it on the CPU.
 */
#include <pyk-c/PyK.h>
#include <stdio.h>
#include <string.h>

static const char source[] =
    "pyk.func @square(%x: !pyk.array<?xi32, c>) attributes {kernel} {\n"
    "  %i = pyk.grid x : i64\n"
    "  %v = pyk.load %x[%i] : !pyk.array<?xi32, c>\n"
    "  %w = arith.muli %v, %v : i32\n"
    "  pyk.store %w, %x[%i] : !pyk.array<?xi32, c>\n"
    "  pyk.return\n"
    "}\n";

int main(void) {
  PykError *error = NULL;
  PykCompileOptions options = {0};
  options.source.data = source;
  options.source.size = strlen(source);
  options.target = "cpu";
  PykKernel *kernel = pyk_compile(&options, &error);

  int32_t x[4] = {1, 2, 3, 4};
  int64_t shape = 4, stride = sizeof(int32_t);
  PykArgument array = {x, &shape, &stride};
  PykLaunchConfig config = {{1, 1, 1}, {4, 1, 1}, 0};
  if (kernel)
    error = pyk_kernel_launch(kernel, &config, &array, 1);
  if (error)
    fprintf(stderr, "%s\n", pyk_error_message(error));
  else
    printf("squares: %d %d %d %d\n", x[0], x[1], x[2], x[3]);

  int failed = error != NULL || x[3] != 16;
  pyk_error_destroy(error);
  pyk_kernel_destroy(kernel);
  return failed;
}
