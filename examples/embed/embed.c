/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compiles a kernel through the compiler's C interface and runs it on the CPU
 * through the runtime's.
 */
#include <pyk-c/PyK.h>
#include <pyk/runtime/Runtime.h>
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

/* Runs `kernel` on the elements of `x`. */
static pyk_rt_status *launch(const PykKernel *kernel, int32_t *x,
                             int64_t count) {
  pyk_rt_device *device = NULL;
  pyk_rt_module *module = NULL;
  pyk_rt_function *function = NULL;
  pyk_rt_stream *stream = NULL;
  const char *name = pyk_kernel_name(kernel);
  pyk_rt_signature signature = pyk_kernel_signature(kernel);
  /* The only argument, and the value of each parameter that is made of it. */
  int64_t stride = sizeof(*x);
  pyk_rt_argument argument = {x, &count, &stride, {0, 0}, NULL, 0};
  uint64_t slots[8];
  void *values[8];
  uint32_t bytes[8];
  for (size_t i = 0; i < signature.parameter_count; ++i)
    bytes[i] = signature.parameters[i].bytes;
  pyk_rt_host_kernel host = {name, pyk_kernel_entry(kernel), bytes,
                             signature.parameter_count};
  pyk_rt_launch_config config = {
      sizeof(config), {1, 1, 1}, {count, 1, 1}, 0, 0};

  pyk_rt_status *status =
      pyk_rt_refuse_launch(&signature, config.grid, config.block, &argument);
  if (!status)
    status = pyk_rt_add_shared_bytes(&signature, config.block, &argument,
                                     &config.dynamic_shared_bytes);
  if (!status)
    status = pyk_rt_device_get(PYK_RT_BACKEND_CPU, 0, &device);
  if (!status)
    status = pyk_rt_module_load_host(device, &host, 1, NULL, NULL, &module);
  if (!status)
    status = pyk_rt_module_function(module, name, &function);
  if (!status)
    status = pyk_rt_stream_default(device, PYK_RT_STREAM_DEFAULT, &stream);
  if (!status)
    pyk_rt_bind_arguments(&signature, &argument, slots, values);
  if (!status)
    status = pyk_rt_stream_launch(stream, function, &config, values);
  if (!status)
    status = pyk_rt_stream_synchronize(stream);
  pyk_rt_stream_release(stream);
  pyk_rt_function_release(function);
  pyk_rt_module_release(module);
  pyk_rt_device_release(device);
  return status;
}

int main(void) {
  PykError *error = NULL;
  PykCompileOptions options = {0};
  options.source.data = source;
  options.source.size = strlen(source);
  options.target = "cpu";
  PykModule *module = pyk_compile(&options, &error);
  if (!module) {
    fprintf(stderr, "%s\n", pyk_error_message(error));
    pyk_error_destroy(error);
    return 1;
  }

  int32_t x[4] = {1, 2, 3, 4};
  pyk_rt_status *status = launch(pyk_module_kernel(module, 0), x, 4);
  if (status)
    fprintf(stderr, "%s\n", pyk_rt_status_message(status));
  else
    printf("squares: %d %d %d %d\n", x[0], x[1], x[2], x[3]);
  pyk_rt_status_free(status);
  pyk_module_destroy(module);
  return x[3] != 16;
}
