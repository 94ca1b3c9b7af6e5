/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Control of the stand-in for the CUDA driver: a library that a test loads in
 * place of libcuda.so.1 (PYK_LIBCUDA names it) on a machine without a GPU. It
 * keeps host memory behind device addresses, which no host pointer equals,
 * checks handles and lifetimes, records calls and fails any of them on request.
 * A thread of each stream does its work; calls return when that is done unless
 * streams are asynchronous. A launch executes the kernel's PTX on the machine
 * in test/lib/PtxMachine, or calls the host function that was registered for
 * the kernel.
 *
 * The environment variable PYK_STANDIN, read when the library is loaded and at
 * each standin_reset, holds settings separated by commas: devices=N,
 * version=13000, memory=BYTES, hide=SYMBOL, fail=CALL:OCCURRENCE:RESULT, and of
 * the machine capability=90, limit=STEPS of a launch, seed=N for a random order
 * of threads, async=1 for streams that work while the program goes on,
 * execute=0 for launches that do nothing, reach-host=1 for kernels that reach
 * the memory of the process, and record=FILE, to which launches, steps and
 * instructions are added at the end.
 */
#ifndef PYK_TEST_LIB_STANDINDRIVER_STANDIN_H
#define PYK_TEST_LIB_STANDINDRIVER_STANDIN_H

#include <stddef.h>
#include <stdint.h>

#define STANDIN_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* Forgets everything: objects, records, requests and settings. */
STANDIN_API void standin_reset(void);

/* How many devices there are, from the next cuDeviceGetCount on. At first 1. */
STANDIN_API void standin_set_devices(int32_t count);

/* The CUDA version: newer symbols are gone. At first 13000. */
STANDIN_API void standin_set_version(int32_t version);

/* Bytes of memory of each device. At first 1 GiB. */
STANDIN_API void standin_set_memory(uint64_t bytes);

/* Lets cuGetProcAddress not find `symbol`. */
STANDIN_API void standin_hide(const char *symbol);

/* Lets the `occurrence`-th call of `call` from now on (1: the next) return
 * `result` and do nothing. `call` may be "*" for calls of any name. A result
 * that loses the context does so. */
STANDIN_API void standin_fail(const char *call, int32_t occurrence,
                              int32_t result);

/* The same for `occurrence` 1 of the next call that waits for work: a kernel
 * that was launched before is at fault. */
STANDIN_API void standin_fail_work(int32_t result);

/* Whether work ends: while `on` is 1 none does that is or will be queued,
 * queries answer "not ready", and what waits for work waits, copies between
 * host and device and what frees memory or code among them. While it is 2, that
 * is so for work on streams that keep no order with the default one. The work
 * that is done meanwhile is an accident of the stand-in. */
STANDIN_API void standin_set_busy(int32_t on);

/* The order of threads is random from the next launch on, by this seed; 0: it
 * is not. Returns the seed of before. */
STANDIN_API uint64_t standin_set_seed(uint64_t seed);

/* Not 0: what kernels print is dropped, and why they fail is not written. */
STANDIN_API void standin_set_silent(int32_t on);

/* How often `call` was called since the reset; null: all calls. */
STANDIN_API int32_t standin_calls(const char *call);

/* The name of the call at `index` since the reset; null from the end on. */
STANDIN_API const char *standin_call(int32_t index);

/* How many contexts, streams, events, modules, pools, allocations and
 * registrations are alive, and how many their contexts outlived them not. */
STANDIN_API int32_t standin_live(void);

/* What was done that no program may do (a handle used after its end, memory
 * freed twice, objects left in a context that was released), one line each;
 * "" if nothing was. Valid until the next call. */
STANDIN_API const char *standin_misuses(void);

/* A launch, as the host function of its kernel sees it. */
typedef struct standin_launch {
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared_bytes;
  /* Addresses of the arguments' values. */
  void *const *arguments;
} standin_launch;

/* Lets launches of kernels named `name` call `run`; null: nothing. */
STANDIN_API void standin_set_kernel(const char *name,
                                    void (*run)(const standin_launch *));

/* What the last module was loaded with for `option`, a CU_JIT_...; -1: nothing.
 * Buffers count as their addresses. */
STANDIN_API int64_t standin_jit_option(int32_t option);

/* The host memory behind a device address; null if there is none alive. */
STANDIN_API void *standin_memory(uint64_t address);

#ifdef __cplusplus
}
#endif

#endif /* PYK_TEST_LIB_STANDINDRIVER_STANDIN_H */
