/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program that has PyK's runtime and no compiler: loads the artifact that
 * compile-relaxed wrote, and launches both of its kernels.
 */
#include <pyk/runtime/Runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program if something failed. */
static void check(pyk_rt_status *status) {
  if (!status)
    return;
  fprintf(stderr, "run-artifact: %s\n", pyk_rt_status_message(status));
  exit(1);
}

/* Launches a kernel with a thread for each of four elements; `values` are the
 * addresses of its parameters, in the order of the manifest. */
static void launch(pyk_rt_module *module, pyk_rt_stream *stream,
                   const char *kernel, void **values) {
  pyk_rt_function *function;
  pyk_rt_launch_config config = {sizeof(config), {1, 1, 1}, {4, 1, 1}, 0, 0};
  check(pyk_rt_module_function(module, kernel, &function));
  check(pyk_rt_stream_launch(stream, function, &config, values));
  check(pyk_rt_stream_synchronize(stream));
  pyk_rt_function_release(function);
}

int main(int argc, char **argv) {
  static char bytes[1 << 20];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "run-artifact: expects an artifact\n");
    return 1;
  }
  size_t size = fread(bytes, 1, sizeof(bytes), file);
  fclose(file);

  const char *manifest;
  size_t manifest_bytes;
  check(pyk_rt_artifact_manifest(bytes, size, &manifest, &manifest_bytes));
  printf("manifest: %.*s\n", (int)manifest_bytes, manifest);

  pyk_rt_device *device;
  pyk_rt_module *module;
  pyk_rt_stream *stream;
  check(pyk_rt_device_get(PYK_RT_BACKEND_CPU, 0, &device));
  check(pyk_rt_module_load_image(device, argv[1], bytes, size, NULL, &module));
  check(pyk_rt_stream_default(device, PYK_RT_STREAM_DEFAULT, &stream));

  /* As the manifest says: neither kernel asks how long the array is. */
  float x[4] = {1, 2, 3, 4}, factor = 10;
  float *first = x;
  void *of_cancel[] = {&first};
  void *of_scale[] = {&factor, &first};
  launch(module, stream, "cancel", of_cancel);
  launch(module, stream, "scale", of_scale);
  printf("x: %g %g %g %g\n", x[0], x[1], x[2], x[3]);

  pyk_rt_stream_release(stream);
  pyk_rt_module_release(module);
  pyk_rt_device_release(device);
  return 0;
}
