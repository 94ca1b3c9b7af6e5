/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The runtime's objects (devices, buffers, modules, functions, streams and
 * events) as a plain C interface, for callers that another compiler built: the
 * Python extension above all. Each function does what the C++ member of the
 * same name in Device.h, Buffer.h, Module.h, Stream.h or Event.h does.
 *
 * Failures. A function that can fail returns a status: null means success,
 * anything else is a failure that the caller frees. Nothing is written through
 * an out parameter when a function fails. No function throws, prints or ends
 * the process.
 *
 * Ownership. What comes out of an out parameter belongs to the caller, who
 * gives it to the release function of its kind, once. An object keeps its
 * device alive, and a function its module, so the order of releases does not
 * matter. Null may be released. Strings that are returned belong to the object
 * that was asked.
 *
 * Threads. Every function may be called from any thread; one object may be used
 * by several threads at once, except that nobody may use it while it is
 * released.
 *
 * Addresses. A device address is an integer. On the CPU it is the address of
 * host memory, so that a kernel may be handed any host array.
 */
#ifndef PYK_RUNTIME_RUNTIME_H
#define PYK_RUNTIME_RUNTIME_H

#include "pyk/runtime/ABI.h"
#include "pyk/runtime/Arguments.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this file; a change that a compiled caller would notice counts it
 * up. Structures begin with their size instead, so that they can grow. */
#define PYK_RT_INTERFACE_VERSION 4

/* Returns PYK_RT_INTERFACE_VERSION of the library that is loaded. */
PYK_RT_API int32_t pyk_rt_interface_version(void);

/* Lets each later launch or wait call `check`, about every 25 ms and on the
 * thread that launches or waits, and fail with PYK_RT_CANCELLED once it returns
 * nonzero; null, as at first, asks nobody. On the CPU the work that it runs or
 * waits for ends early; that of a GPU cannot be stopped, and goes on. */
PYK_RT_API void pyk_rt_set_interrupt_check(int (*check)(void));

/*===-- Statuses ----------------------------------------------------------===*/

/* A failure: what was being done, what went wrong and what to do. */
typedef struct pyk_rt_status pyk_rt_status;

/* What kind of failure it is; pyk::runtime::StatusCode. */
typedef enum pyk_rt_code {
  PYK_RT_OK = 0,
  PYK_RT_INVALID_ARGUMENT = 1,
  PYK_RT_FAILED_PRECONDITION = 2,
  PYK_RT_OUT_OF_MEMORY = 3,
  PYK_RT_UNAVAILABLE = 4,
  PYK_RT_NOT_FOUND = 5,
  PYK_RT_UNSUPPORTED = 6,
  PYK_RT_INVALID_IMAGE = 7,
  PYK_RT_LAUNCH_FAILED = 8,
  PYK_RT_DEVICE_LOST = 9,
  PYK_RT_DRIVER_FAILED = 10,
  PYK_RT_ILLEGAL_ADDRESS = 11,
  PYK_RT_CANCELLED = 12
} pyk_rt_code;

/* The kind of failure, a pyk_rt_code; PYK_RT_OK for null. */
PYK_RT_API int32_t pyk_rt_status_code(const pyk_rt_status *status);

/* "<what was being done>: <what went wrong>; <what to do>"; "" for null. */
PYK_RT_API const char *pyk_rt_status_message(const pyk_rt_status *status);

/* The native call that failed, as CUDA documents it ("cuMemAlloc"); "" if the
 * failure is not one of a native call. After PYK_RT_DEVICE_LOST these three
 * name the first failure, the one that lost the device. */
PYK_RT_API const char *pyk_rt_status_native_call(const pyk_rt_status *status);

/* What it returned, as a number (2); 0 if there is no native call. */
PYK_RT_API int32_t pyk_rt_status_native_code(const pyk_rt_status *status);

/* What it returned, as a name ("CUDA_ERROR_OUT_OF_MEMORY"); "" likewise. */
PYK_RT_API const char *pyk_rt_status_native_name(const pyk_rt_status *status);

/* Ends the use of a status; null may be freed. */
PYK_RT_API void pyk_rt_status_free(pyk_rt_status *status);

/*===-- Warnings ----------------------------------------------------------===*/

/* What a launch on the CPU has to tell that is no failure: threads would have
 * left the memory of an array, and have not. */
typedef struct pyk_rt_warning pyk_rt_warning;

/* Takes the oldest warning of launches that have ended; null if there is none.
 * Each kernel and line of a program warns once a process. */
PYK_RT_API pyk_rt_warning *pyk_rt_take_warning(void);

/* What it says. */
PYK_RT_API const char *pyk_rt_warning_message(const pyk_rt_warning *warning);
/* The file of the program, "" if none is known. */
PYK_RT_API const char *pyk_rt_warning_file(const pyk_rt_warning *warning);
/* The line of the file. */
PYK_RT_API int32_t pyk_rt_warning_line(const pyk_rt_warning *warning);

/* Ends the use of a warning; null may be freed. */
PYK_RT_API void pyk_rt_warning_free(pyk_rt_warning *warning);

/*===-- What kernels print ------------------------------------------------===*/

/* Whether what kernels print on the CPU is kept for pyk_rt_take_printed; if
 * not, the default, it goes to C's standard output, and so does what is still
 * kept. A GPU's driver prints by itself. */
PYK_RT_API void pyk_rt_keep_printed(int32_t kept);

/* Text that launches have printed. */
typedef struct pyk_rt_printed pyk_rt_printed;

/* Takes what is kept, of launches that have ended and in their order; null if
 * there is nothing. */
PYK_RT_API pyk_rt_printed *pyk_rt_take_printed(void);

/* Its text, of `bytes` bytes. */
PYK_RT_API const char *pyk_rt_printed_text(const pyk_rt_printed *printed,
                                           size_t *bytes);

/* Ends the use of a text; null may be freed. */
PYK_RT_API void pyk_rt_printed_free(pyk_rt_printed *printed);

/*===-- Failures of threads -----------------------------------------------===*/

/* Where a program fails, and what it says then. */
typedef struct pyk_rt_failure_source {
  size_t struct_bytes; /* sizeof(pyk_rt_failure_source) */
  const char *function, *file;
  int32_t line;
  /* Null if it says nothing. */
  const char *message;
  size_t message_bytes;
  /* Whether {0} and {1} in the message stand for the values of the record. */
  int32_t speaks_of_values;
} pyk_rt_failure_source;

/* Says what the record of a thread that has failed means: its first `bytes`
 * bytes go to `text`, which may be null if that is 0, with no 0 at the end.
 * Returns how many it has; 0 if `source` is smaller than it says here, or if
 * there is no memory. */
PYK_RT_API size_t pyk_rt_describe_failure(const pyk_rt_failure *failure,
                                          const pyk_rt_failure_source *source,
                                          char *text, size_t bytes);

/*===-- Devices -----------------------------------------------------------===*/

/* A GPU, or the CPU as one. */
typedef struct pyk_rt_device pyk_rt_device;
/* Memory that devices reach. */
typedef struct pyk_rt_buffer pyk_rt_buffer;
/* An ordered queue of work. */
typedef struct pyk_rt_stream pyk_rt_stream;
/* A point in the work of a stream. */
typedef struct pyk_rt_event pyk_rt_event;
/* Code that a device has loaded. */
typedef struct pyk_rt_module pyk_rt_module;
/* A kernel of a loaded module. pyk_rt_kernel (ABI.h) is compiled host code. */
typedef struct pyk_rt_function pyk_rt_function;

/* What drives devices. */
typedef enum pyk_rt_backend {
  PYK_RT_BACKEND_CPU = 0,
  PYK_RT_BACKEND_CUDA = 1
} pyk_rt_backend;

/* How many devices `backend` has. Fails with PYK_RT_UNAVAILABLE, saying why, if
 * it cannot be used on this machine: no driver, too old a driver. A driver that
 * sees no device is a success with 0. */
PYK_RT_API pyk_rt_status *pyk_rt_backend_device_count(int32_t backend,
                                                      int32_t *count);

/* The driver's version as CUDA counts (12040 is 12.4); 0 for the CPU. */
PYK_RT_API pyk_rt_status *pyk_rt_backend_driver_version(int32_t backend,
                                                        int32_t *version);

/* The device of that index. All calls give handles of one and the same device.
 */
PYK_RT_API pyk_rt_status *pyk_rt_device_get(int32_t backend, int32_t index,
                                            pyk_rt_device **device);
PYK_RT_API void pyk_rt_device_release(pyk_rt_device *device);

/* Its backend, a pyk_rt_backend. */
PYK_RT_API int32_t pyk_rt_device_backend(const pyk_rt_device *device);
/* Its number among the backend's devices, from 0. */
PYK_RT_API int32_t pyk_rt_device_index(const pyk_rt_device *device);
/* What the driver or the system calls it. */
PYK_RT_API const char *pyk_rt_device_name(const pyk_rt_device *device);
/* "GPU-" and the hexadecimal digits of the UUID in groups of 8-4-4-4-12. */
PYK_RT_API const char *pyk_rt_device_uuid(const pyk_rt_device *device);

/* The value of an attribute. `name` is CUDA's without its prefix, such as
 * "MULTIPROCESSOR_COUNT" (DeviceAttributes.def has them all); the compute
 * capability is COMPUTE_CAPABILITY_MAJOR and ..._MINOR. Fails with
 * PYK_RT_NOT_FOUND for other names and PYK_RT_UNSUPPORTED if the device does
 * not know it. */
PYK_RT_API pyk_rt_status *pyk_rt_device_attribute(pyk_rt_device *device,
                                                  const char *name,
                                                  int64_t *value);

/* The names of all attributes, in the order of CUDA's numbers; null from
 * `index` on which there is none. */
PYK_RT_API const char *pyk_rt_device_attribute_name(int32_t index);

/* Bytes that are free and bytes in all. Device memory that the runtime holds in
 * reserve counts as free. */
PYK_RT_API pyk_rt_status *pyk_rt_device_memory_info(pyk_rt_device *device,
                                                    uint64_t *free_bytes,
                                                    uint64_t *total_bytes);

/* Tells a profiler that watches the process to record from now on (1), or no
 * longer (0). Without one, and on the CPU, nothing happens. */
PYK_RT_API pyk_rt_status *pyk_rt_device_set_profiling(pyk_rt_device *device,
                                                      int32_t on);

/* Waits for all work of the device. Also reports the first failure of a release
 * since the last call. */
PYK_RT_API pyk_rt_status *pyk_rt_device_synchronize(pyk_rt_device *device);

/* Gives back all that the device holds. Buffers, modules, streams and events
 * made before are dead: using them fails with PYK_RT_FAILED_PRECONDITION,
 * releasing them is right and needed. */
PYK_RT_API pyk_rt_status *pyk_rt_device_reset(pyk_rt_device *device);

/* Calls `release` with `held`, once, when all work that is queued now has
 * ended: at once if nothing is queued, else on a thread of the runtime or the
 * driver, where it must not use the runtime. Of a GPU's streams, those that do
 * not wait for the default stream are not waited for. */
PYK_RT_API void pyk_rt_device_hold_until_done(pyk_rt_device *device, void *held,
                                              void (*release)(void *held));

/* The primary context (CUcontext) as an integer, retained while the device
 * lives or until it is reset; 0 for the CPU. */
PYK_RT_API pyk_rt_status *pyk_rt_device_context(pyk_rt_device *device,
                                                uint64_t *context);

/*===-- Buffers -----------------------------------------------------------===*/

/* Kinds of memory. */
typedef enum pyk_rt_memory {
  /* Of the device; on the GPU the host cannot read it. */
  PYK_RT_MEMORY_DEVICE = 0,
  /* Of the host, page-locked: copies run beside the host. */
  PYK_RT_MEMORY_PINNED = 1,
  /* The same, and kernels may use it at its device address. */
  PYK_RT_MEMORY_MAPPED = 2,
  /* Moves between host and device by itself, at one address. */
  PYK_RT_MEMORY_MANAGED = 3
} pyk_rt_memory;

/* Allocates `bytes` bytes; 0 gives a buffer without memory. Device memory is
 * ready, and later freed, in the order of `stream` (null: the default stream);
 * the other kinds are ready at once. */
PYK_RT_API pyk_rt_status *pyk_rt_buffer_allocate(pyk_rt_device *device,
                                                 int32_t memory, size_t bytes,
                                                 pyk_rt_stream *stream,
                                                 pyk_rt_buffer **buffer);

/* Page-locks the caller's memory as PYK_RT_MEMORY_PINNED or ..._MAPPED until
 * the buffer is released, longer than which the memory must live. */
PYK_RT_API pyk_rt_status *pyk_rt_buffer_register(pyk_rt_device *device,
                                                 int32_t memory, void *host,
                                                 size_t bytes,
                                                 pyk_rt_buffer **buffer);

/* 0 if the device cannot reach it (pinned memory), or without memory. */
PYK_RT_API uint64_t pyk_rt_buffer_device_address(const pyk_rt_buffer *buffer);
/* Null if the host cannot reach it (device memory of a GPU). */
PYK_RT_API void *pyk_rt_buffer_host_address(const pyk_rt_buffer *buffer);
/* The bytes that were asked for. */
PYK_RT_API size_t pyk_rt_buffer_bytes(const pyk_rt_buffer *buffer);

/* Frees the memory once the work that was queued before has ended: in the order
 * of the stream it was allocated on. Never waits for device memory. A failure
 * is reported by the device's next pyk_rt_device_synchronize. */
PYK_RT_API void pyk_rt_buffer_release(pyk_rt_buffer *buffer);

/*===-- Modules and functions ---------------------------------------------===*/

/* How the driver's JIT compiles. */
typedef struct pyk_rt_image_options {
  size_t struct_bytes; /* sizeof(pyk_rt_image_options) */
  /* Registers per thread at most; 0 leaves it to the JIT. */
  int32_t max_registers;
  /* 0 to 4; -1 is the JIT's default. */
  int32_t optimization_level;
  /* Whether the machine code carries line numbers. */
  int32_t line_info;
  /* Whether it carries what debuggers want; the JIT does not optimize then, so
   * the level must be 0 or -1. */
  int32_t debug_info;
  /* Paths of `link_count` files that it is linked with: .ptx, .cubin, .fatbin,
   * .o or .a. */
  const char *const *links;
  size_t link_count;
} pyk_rt_image_options;

/* Loads an artifact, which pyk-run --emit=artifact writes, or what one has for
 * this kind of device: PTX text or a cubin, or on the CPU an image. `options`,
 * which only a JIT heeds, may be null. PYK_RT_INVALID_IMAGE: the bytes are
 * damaged, or the JIT refuses them, whose log is in the message then;
 * PYK_RT_UNSUPPORTED: they are for another kind of device, or for a processor
 * that can do more. The bytes may go after the return. */
PYK_RT_API pyk_rt_status *
pyk_rt_module_load_image(pyk_rt_device *device, const char *name,
                         const void *image, size_t image_bytes,
                         const pyk_rt_image_options *options,
                         pyk_rt_module **module);

/* The manifest of an artifact, JSON that lies within `artifact`; it says what a
 * launch of each kernel passes. PYK_RT_INVALID_IMAGE: the bytes are no
 * artifact, or damaged. */
PYK_RT_API pyk_rt_status *pyk_rt_artifact_manifest(const void *artifact,
                                                   size_t artifact_bytes,
                                                   const char **manifest,
                                                   size_t *manifest_bytes);

typedef struct pyk_rt_host_kernel {
  const char *name;
  /* Alive as long as `owner`. */
  const pyk_rt_kernel *kernel;
  /* The bytes of each parameter's value, in order: launches that are queued
   * copy them. */
  const uint32_t *parameter_bytes;
  size_t parameter_count;
} pyk_rt_host_kernel;

/* Makes a module of kernels that the CPU target compiled; cpu only. The runtime
 * calls `release_owner(owner)`, unless null, on some thread when neither the
 * module nor a function nor a launch of it is left, and also if this fails. The
 * array may go after the return. */
PYK_RT_API pyk_rt_status *pyk_rt_module_load_host(
    pyk_rt_device *device, const pyk_rt_host_kernel *kernels, size_t count,
    void *owner, void (*release_owner)(void *owner), pyk_rt_module **module);

PYK_RT_API void pyk_rt_module_release(pyk_rt_module *module);

/* The kernel of that name. Fails with PYK_RT_NOT_FOUND. */
PYK_RT_API pyk_rt_status *pyk_rt_module_function(pyk_rt_module *module,
                                                 const char *name,
                                                 pyk_rt_function **function);

/* Where the module keeps the variable of that name, and its size. Fails with
 * PYK_RT_NOT_FOUND. */
PYK_RT_API pyk_rt_status *pyk_rt_module_symbol(pyk_rt_module *module,
                                               const char *name,
                                               uint64_t *address,
                                               size_t *bytes);

PYK_RT_API void pyk_rt_function_release(pyk_rt_function *function);

/* What a kernel needs of its device. */
typedef struct pyk_rt_function_info {
  size_t struct_bytes; /* sizeof(pyk_rt_function_info) */
  int32_t registers_per_thread;
  int32_t max_threads_per_block;
  int64_t static_shared_bytes;
  int64_t local_bytes_per_thread;
  int64_t constant_bytes;
  /* What a launch may ask for at present. */
  int64_t max_dynamic_shared_bytes;
} pyk_rt_function_info;

/* Fills `info`, whose struct_bytes the caller has set. */
PYK_RT_API pyk_rt_status *pyk_rt_function_get_info(pyk_rt_function *function,
                                                   pyk_rt_function_info *info);

/* Lets launches ask for up to `bytes` of dynamic shared memory, beyond the 48
 * KiB that need no permission. */
PYK_RT_API pyk_rt_status *
pyk_rt_function_set_max_dynamic_shared(pyk_rt_function *function,
                                       int64_t bytes);

/* Prefers shared memory: -1 for the default, or 0 to 100 percent. A hint; the
 * CPU ignores it. */
PYK_RT_API pyk_rt_status *
pyk_rt_function_set_carveout(pyk_rt_function *function, int32_t percent);

/* What to prefer where cache and shared memory share their place. */
typedef enum pyk_rt_cache {
  PYK_RT_CACHE_DEFAULT = 0,
  PYK_RT_CACHE_PREFER_SHARED = 1,
  PYK_RT_CACHE_PREFER_L1 = 2,
  PYK_RT_CACHE_EQUAL = 3
} pyk_rt_cache;

/* Prefers first-level cache or shared memory. A hint; the CPU ignores it. */
PYK_RT_API pyk_rt_status *pyk_rt_function_set_cache(pyk_rt_function *function,
                                                    int32_t preference);

/* How many blocks of `block_threads` threads run at a time on one
 * multiprocessor. */
PYK_RT_API pyk_rt_status *
pyk_rt_function_active_blocks(pyk_rt_function *function, int32_t block_threads,
                              size_t dynamic_shared_bytes, int32_t *blocks);

/* The block size, at most `limit` (0: no limit), that fills the device best,
 * and the least number of blocks that does. */
PYK_RT_API pyk_rt_status *
pyk_rt_function_best_block(pyk_rt_function *function,
                           size_t dynamic_shared_bytes, int32_t limit,
                           int32_t *min_grid, int32_t *block_threads);

/*===-- Streams -----------------------------------------------------------===*/

/* Makes a stream. It keeps order with the legacy default stream unless
 * `non_blocking` is not 0. */
PYK_RT_API pyk_rt_status *pyk_rt_stream_create(pyk_rt_device *device,
                                               int32_t non_blocking,
                                               pyk_rt_stream **stream);

typedef enum pyk_rt_default_stream {
  /* What "no stream" means: the legacy default stream. */
  PYK_RT_STREAM_DEFAULT = 0,
  PYK_RT_STREAM_LEGACY = 1,
  PYK_RT_STREAM_PER_THREAD = 2
} pyk_rt_default_stream;

/* One of the streams that every device has. */
PYK_RT_API pyk_rt_status *pyk_rt_stream_default(pyk_rt_device *device,
                                                int32_t which,
                                                pyk_rt_stream **stream);

/* A stream that somebody else owns (CUstream as an integer; on the CPU, the
 * handle of one of the device's streams), who keeps it alive longer. */
PYK_RT_API pyk_rt_status *pyk_rt_stream_external(pyk_rt_device *device,
                                                 uint64_t handle,
                                                 pyk_rt_stream **stream);

/* Work that is queued still runs. */
PYK_RT_API void pyk_rt_stream_release(pyk_rt_stream *stream);

/* CUstream as an integer; 0, 1 and 2 are the streams that every device has. */
PYK_RT_API uint64_t pyk_rt_stream_handle(const pyk_rt_stream *stream);

/* How many threads run a kernel, and what each block gets. */
typedef struct pyk_rt_launch_config {
  size_t struct_bytes; /* sizeof(pyk_rt_launch_config) */
  int64_t grid[3];     /* blocks: x, y, z */
  int64_t block[3];    /* threads of one block: x, y, z */
  int64_t dynamic_shared_bytes;
  /* Not 0: all blocks run at a time, so that the grid may synchronize. */
  int32_t cooperative;
} pyk_rt_launch_config;

/* Launches; `arguments[k]` points at the value of the k-th parameter, as
 * pyk_rt_bind_arguments makes them of arguments that are checked, which is
 * copied before the return (null is accepted for a kernel without parameters).
 * A failure of the kernel itself shows when the stream is synchronized. */
PYK_RT_API pyk_rt_status *
pyk_rt_stream_launch(pyk_rt_stream *stream, pyk_rt_function *function,
                     const pyk_rt_launch_config *config,
                     void *const *arguments);

/* Copies `bytes` bytes. With `wait` 0 the copy is queued only, and host memory
 * must live and stay as it is until the stream has come so far; otherwise it is
 * done at the return. */
PYK_RT_API pyk_rt_status *
pyk_rt_stream_copy_to_device(pyk_rt_stream *stream, uint64_t to,
                             const void *from, size_t bytes, int32_t wait);
PYK_RT_API pyk_rt_status *pyk_rt_stream_copy_to_host(pyk_rt_stream *stream,
                                                     void *to, uint64_t from,
                                                     size_t bytes,
                                                     int32_t wait);
PYK_RT_API pyk_rt_status *pyk_rt_stream_copy_on_device(pyk_rt_stream *stream,
                                                       uint64_t to,
                                                       uint64_t from,
                                                       size_t bytes);

typedef enum pyk_rt_direction {
  PYK_RT_TO_DEVICE = 0,
  PYK_RT_TO_HOST = 1,
  PYK_RT_ON_DEVICE = 2
} pyk_rt_direction;

/* A copy of rows that do not lie together. */
typedef struct pyk_rt_copy_2d {
  size_t struct_bytes; /* sizeof(pyk_rt_copy_2d) */
  int32_t direction;   /* a pyk_rt_direction */
  /* Addresses of the first row, of host or device as the direction says. */
  uint64_t to, from;
  /* Bytes from one row to the next, at least `row_bytes`. */
  size_t to_pitch, from_pitch;
  /* Bytes of a row that are copied, and the number of rows. */
  size_t row_bytes, rows;
} pyk_rt_copy_2d;

/* Copies rows; `wait` as above. */
PYK_RT_API pyk_rt_status *pyk_rt_stream_copy_rows(pyk_rt_stream *stream,
                                                  const pyk_rt_copy_2d *copy,
                                                  int32_t wait);

/* Sets `count` elements of `element_bytes` (1, 2 or 4) bytes to the low bytes
 * of `value`. */
PYK_RT_API pyk_rt_status *pyk_rt_stream_fill(pyk_rt_stream *stream, uint64_t to,
                                             uint32_t value,
                                             int32_t element_bytes,
                                             size_t count);

/* Later work of `stream` waits for what `event` recorded last. */
PYK_RT_API pyk_rt_status *pyk_rt_stream_wait_event(pyk_rt_stream *stream,
                                                   pyk_rt_event *event);

/* Calls `callback(status, context)` once all earlier work has ended, on a
 * thread of the runtime or of the driver; `status` is null, or why the work
 * failed, and belongs to the runtime. The callback calls no function of the
 * runtime but those on statuses. Called once if this succeeds, never if it
 * fails. */
PYK_RT_API pyk_rt_status *pyk_rt_stream_add_callback(
    pyk_rt_stream *stream,
    void (*callback)(const pyk_rt_status *status, void *context),
    void *context);

/* Whether all work has ended: 1 or 0. Fails if some of it has. */
PYK_RT_API pyk_rt_status *pyk_rt_stream_query(pyk_rt_stream *stream,
                                              int32_t *done);

/* Waits until all work has ended. Fails if some of it has. */
PYK_RT_API pyk_rt_status *pyk_rt_stream_synchronize(pyk_rt_stream *stream);

/*===-- Events ------------------------------------------------------------===*/

/* Makes an event; one without timing is cheaper. */
PYK_RT_API pyk_rt_status *pyk_rt_event_create(pyk_rt_device *device,
                                              int32_t timing,
                                              pyk_rt_event **event);
PYK_RT_API void pyk_rt_event_release(pyk_rt_event *event);

/* CUevent as an integer. */
PYK_RT_API uint64_t pyk_rt_event_handle(const pyk_rt_event *event);

/* The event happens when all earlier work of `stream` has ended. */
PYK_RT_API pyk_rt_status *pyk_rt_event_record(pyk_rt_event *event,
                                              pyk_rt_stream *stream);

/* Whether it has happened: 1 or 0; 1 if it was never recorded. */
PYK_RT_API pyk_rt_status *pyk_rt_event_query(pyk_rt_event *event,
                                             int32_t *done);
PYK_RT_API pyk_rt_status *pyk_rt_event_synchronize(pyk_rt_event *event);

/* Milliseconds from `start` to `end`, which have both happened and have timing;
 * otherwise fails with PYK_RT_FAILED_PRECONDITION. */
PYK_RT_API pyk_rt_status *pyk_rt_event_elapsed(pyk_rt_event *start,
                                               pyk_rt_event *end,
                                               double *milliseconds);

#ifdef __cplusplus
}
#endif

#endif /* PYK_RUNTIME_RUNTIME_H */
