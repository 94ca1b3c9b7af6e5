/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C interface of the PyK compiler: compile kernels, look at them, and know
 * what a launch passes to them; pyk/runtime/Runtime.h loads and launches them.
 * It is how the Python extension and programs without C++ use PyK; it exposes
 * no MLIR type, so a client needs no LLVM header and no matching compiler.
 * Strings are UTF-8, not null-terminated unless they are `char *`.
 */
#ifndef PYK_C_PYK_H
#define PYK_C_PYK_H

#include "pyk/runtime/Arguments.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PYK_C_API __attribute__((visibility("default")))

/* Version of this interface; pyk_api_version() must answer the same. */
#define PYK_C_API_VERSION 6u

/* Text that belongs to the object it was asked of. */
typedef struct PykStringRef {
  const char *data;
  size_t size;
} PykStringRef;

/* Why a call did not succeed. Owned by the caller; see pyk_error_destroy. */
typedef struct PykError PykError;

/* The exception class a Python program expects, for example "TypingError",
 * "LoweringError", "UnsupportedError", "ValueError", "CudaSupportError". */
PYK_C_API const char *pyk_error_kind(const PykError *error);
/* The whole text as pyk-run prints it: message, place in the user's file,
 * source line, caret, notes. */
PYK_C_API const char *pyk_error_message(const PykError *error);
/* The file of the place the error is about, or "" if there is none. */
PYK_C_API const char *pyk_error_file(const PykError *error);
/* One-based line in that file, or 0. */
PYK_C_API int pyk_error_line(const PykError *error);
/* Column in that line, in characters from 1, or 0. */
PYK_C_API int pyk_error_column(const PykError *error);
/* Frees an error; null is allowed. */
PYK_C_API void pyk_error_destroy(PykError *error);

/* The version of PyK, such as "0.1.0". */
PYK_C_API const char *pyk_version(void);

/* The PYK_C_API_VERSION that the library was built with. */
PYK_C_API uint32_t pyk_api_version(void);

/* An option, one that pyk_compile_option names, and its value. */
typedef struct PykCompileOption {
  const char *name;
  /* One of its words, such as "true", or what it takes, such as "sm_90". */
  const char *value;
} PykCompileOption;

/* What to compile, and into what. Zero-initialize, then set `source`, and
 * `target` or `emit`. */
typedef struct PykCompileOptions {
  /* An `ast` buffer (python-dialect-docs/reference/ast-buffer.md) or MLIR text
   * in any stage from py to gpu; told apart by the first character, which is
   * `{` for a buffer. */
  PykStringRef source;
  /* Name for messages about `source` itself; null means "<kernel>". */
  const char *source_name;
  /* One that pyk_target names, such as "cpu" or "cuda"; null if only `emit` and
   * `dump_stages` count, so that there is nothing to launch. */
  const char *target;
  /* The only kernel that is wanted; null for all. */
  const char *kernel;
  /* A stage whose text is wanted, one that pyk_stage names; null if none. */
  const char *emit;
  /* Folder that receives one numbered file for each stage; null if none. */
  const char *dump_stages;
  /* Not 0 if remarks on the speed of kernels are wanted. */
  int explain;
  /* What the code depends on beside the source; others have their defaults. */
  const PykCompileOption *options;
  size_t num_options;
} PykCompileOptions;

/* Compiled kernels. Immutable, so any number of threads may use them. */
typedef struct PykModule PykModule;

/* A kernel of a module; as long as that. */
typedef struct PykKernel PykKernel;

/* Compiles all kernels of a source. Returns null and sets `*error` on failure.
 */
PYK_C_API PykModule *pyk_compile(const PykCompileOptions *options,
                                 PykError **error);
/* Frees a module, whose kernels no launch may use any more; null is allowed. */
PYK_C_API void pyk_module_destroy(PykModule *module);

/* The text of the stage that PykCompileOptions::emit named, else empty. */
PYK_C_API PykStringRef pyk_module_emitted(const PykModule *module);
/* The module's manifest as JSON, as python-dialect-docs/reference/manifest.md
 * says. */
PYK_C_API PykStringRef pyk_module_manifest(const PykModule *module);
/* Manifest and code as one, which pyk_rt_module_load_image loads in any
 * process; empty if PykCompileOptions::target was null. */
PYK_C_API PykStringRef pyk_module_artifact(const PykModule *module);
/* The pyk-opt command line that repeats the compilation from the stage that
 * was read, down to LLVM IR. */
PYK_C_API PykStringRef pyk_module_reproduce(const PykModule *module);
/* What PykCompileOptions::explain asked for, by its place: how a kernel runs,
 * of which code for blocks of any shape says nothing on the CPU,
 * or what is slow in it, in the order of lines; message, place in the user's
 * file, source line and caret. `data` is null from the index on that is their
 * number. */
PYK_C_API PykStringRef pyk_module_remark(const PykModule *module, size_t index);
/* Milliseconds by stage as JSON: {"py": 0.4, "pyk": 0.9, ...}. */
PYK_C_API PykStringRef pyk_module_times(const PykModule *module);
/* PTX, for pyk_rt_module_load_image; empty if the target is "cpu". */
PYK_C_API PykStringRef pyk_module_ptx(const PykModule *module);

/* A kernel by its place in the module; null from the index on that is their
 * number. */
PYK_C_API const PykKernel *pyk_module_kernel(const PykModule *module,
                                             size_t index);

/* What the compiled kernel takes, and takes for granted of a launch; it is as
 * long as `kernel`. */
PYK_C_API pyk_rt_signature pyk_kernel_signature(const PykKernel *kernel);

/* The entry in PTX or object code; as long as `kernel`. */
PYK_C_API const char *pyk_kernel_name(const PykKernel *kernel);

/* Not 0 if its threads may print. What the host has printed before should then
 * be flushed before a launch. */
PYK_C_API int pyk_kernel_prints(const PykKernel *kernel);

/* Not 0 if all blocks of its launches have to run at a time: what
 * pyk_rt_launch_config calls `cooperative`. */
PYK_C_API int pyk_kernel_is_cooperative(const PykKernel *kernel);

/* Host code, for pyk_rt_module_load_host; null if the target is "cuda"
 * or the code is for other processors than this one. Lives
 * as long as `kernel`. */
PYK_C_API const struct pyk_rt_kernel *pyk_kernel_entry(const PykKernel *kernel);

/* Null if PTX can be made for the compute capability `chip`, such as "sm_90";
 * else an error of kind "ValueError" that lists those that are known. */
PYK_C_API PykError *pyk_check_chip(const char *chip);

/* Calls `take` with the type, as MLIR prints it ("f32", "si64", "none"), of
 * what the function in `source` returns for the types of arguments that it has
 * there; it may be one that kernels call. `source` and `source_name` are as in
 * PykCompileOptions, in stage py. Returns null, or an error without a call. */
PYK_C_API PykError *
pyk_infer_result(PykStringRef source, const char *source_name,
                 void (*take)(void *user, PykStringRef type), void *user);

/* The name of a target that kernels can be compiled for, in alphabetical order;
 * null from the index on that is their number. */
PYK_C_API const char *pyk_target(size_t index);

/* The name of a stage whose text there is, each after the one that it is made
 * from, and the target whose own it is; null for one that all share. Null from
 * the index on that is their number. */
PYK_C_API const char *pyk_stage(size_t index, const char **target);

/* The name of an option of compilations, in alphabetical order, such as "fma",
 * all values that it may have, such as "true|false" ("" if it takes others),
 * and what it does. Null from the index on that is their number. */
PYK_C_API const char *pyk_compile_option(size_t index, const char **words,
                                         const char **help);

/* The name of a function of libdevice, without `__nv_`, that kernels can call,
 * and its type: a letter for the result, `v` for none, and one for each
 * parameter. `h`, `i` and `l` are integers of 16, 32 and 64 bits, `f` and `d`
 * floats of 32 and 64; a capital is a pointer to where a result is written.
 * Null from the index on that is their number. */
PYK_C_API const char *pyk_libdevice_function(size_t index, const char **type);

#ifdef __cplusplus
}
#endif

#endif /* PYK_C_PYK_H */
