/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From the arguments of a launch to the parameters of a compiled kernel, and
 * what the kernel takes for granted of them. Everyone who launches comes here:
 * parameters are made of arguments in one place, which checks them first.
 */
#ifndef PYK_RUNTIME_ARGUMENTS_H
#define PYK_RUNTIME_ARGUMENTS_H

#include "pyk/runtime/ABI.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PYK_RT_API __attribute__((visibility("default")))
#else
#define PYK_RT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Extents of arrays are less than this, for all kernels. */
#define PYK_RT_EXTENT_LIMIT (INT64_C(1) << 48)

/* What PYK_RT_FACT_SMALL is less than. */
#define PYK_RT_SMALL_LIMIT (INT64_C(1) << 31)

/* What PYK_RT_FACT_NARROW is less than. */
#define PYK_RT_NARROW_LIMIT ((INT64_C(1) << 31) - (INT64_C(1) << 16))

/* What addresses of arrays are multiples of where a kernel takes
 * PYK_RT_FACT_ALIGNED for granted. */
#define PYK_RT_ALIGNMENT 16

/* What the blocks along each axis of a small grid are fewer than. */
#define PYK_RT_SMALL_GRID_LIMIT (INT64_C(1) << 21)

/* What a compiled kernel takes for an argument of a launch, or a part of one.
 */
typedef enum pyk_rt_parameter_kind {
  /* Array: the address of its first element. */
  PYK_RT_PARAMETER_DATA = 0,
  /* Array: the extent of a dimension, in elements, as int64_t. */
  PYK_RT_PARAMETER_EXTENT = 1,
  /* Array: the bytes between neighbours in a dimension, as int64_t. */
  PYK_RT_PARAMETER_STRIDE = 2,
  /* Scalar: its value. */
  PYK_RT_PARAMETER_SCALAR = 3,
  /* The address of a pyk_rt_failure in device memory, all zero at first; it
   * belongs to no argument and comes last. The manifest says what its codes
   * mean. */
  PYK_RT_PARAMETER_FAILURE = 4,
  /* Array: of the memory that it is part of, the least offset from its first
   * element at which there is a whole element, and how many such offsets follow
   * each other, as int64_t, counted in steps of `dimension` bytes. */
  PYK_RT_PARAMETER_MEMORY_FIRST = 5,
  PYK_RT_PARAMETER_MEMORY_COUNT = 6
} pyk_rt_parameter_kind;

/* One parameter of a compiled kernel. */
typedef struct pyk_rt_parameter {
  /* A pyk_rt_parameter_kind. */
  int32_t kind;
  /* Of the launch, from 0. */
  uint32_t argument;
  /* Of the array, from 0; 0 if the kind has none. Bytes of a step for
   * PYK_RT_PARAMETER_MEMORY_FIRST and PYK_RT_PARAMETER_MEMORY_COUNT. */
  uint32_t dimension;
  /* Of the value. */
  uint32_t bytes, alignment;
} pyk_rt_parameter;

/* What a kernel takes for granted of an argument; bits. */
typedef enum pyk_rt_fact {
  /* Integer: at least 0, and less than PYK_RT_SMALL_LIMIT. Array: so are its
   * extents, the number of its elements and the bytes from its first to its
   * last. */
  PYK_RT_FACT_SMALL = 1,
  /* Array: where the kernel writes to it or to another one, the two share no
   * memory. */
  PYK_RT_FACT_DISJOINT = 2,
  /* Array: the kernel writes to it, which can be no failure. */
  PYK_RT_FACT_WRITTEN = 4,
  /* Array: its extents and the number of its elements are less than
   * PYK_RT_NARROW_LIMIT. The program was typed for it. */
  PYK_RT_FACT_NARROW = 8,
  /* Array: the address of its first element is a multiple of
   * PYK_RT_ALIGNMENT. */
  PYK_RT_FACT_ALIGNED = 16,
  /* Array: the stride of its last dimension is the size of an element. */
  PYK_RT_FACT_UNIT = 32
} pyk_rt_fact;

/* What a kernel was compiled for, of one argument of a launch. */
typedef struct pyk_rt_formal {
  /* Of pyk_rt_fact. */
  uint32_t facts;
  /* Array: its dimensions. -1 for anything else, and if it is not used. */
  int32_t rank;
  /* Of the scalar, or of an element. */
  uint32_t bytes;
} pyk_rt_formal;

/* What a term of a size does with a stack of integers of 64 bits. */
typedef enum pyk_rt_size_kind {
  /* These push a number: `value`; that of `argument`, a scalar of `value`
   * bytes, signed or not; the elements of the array `argument` along
   * `dimension`; the threads of a block along the axis `dimension`. */
  PYK_RT_SIZE_CONSTANT = 0,
  PYK_RT_SIZE_SIGNED = 1,
  PYK_RT_SIZE_UNSIGNED = 2,
  PYK_RT_SIZE_EXTENT = 3,
  PYK_RT_SIZE_BLOCK = 4,
  /* These replace the two topmost numbers by their result, as Python has it. */
  PYK_RT_SIZE_ADD = 5,
  PYK_RT_SIZE_SUB = 6,
  PYK_RT_SIZE_MUL = 7,
  PYK_RT_SIZE_FLOOR_DIV = 8,
  PYK_RT_SIZE_FLOOR_MOD = 9,
  PYK_RT_SIZE_MIN = 10,
  PYK_RT_SIZE_MAX = 11,
  /* The topmost number is refused if it is less than 0. */
  PYK_RT_SIZE_LENGTH = 12,
  /* Takes the topmost number: an array of so many bytes begins at the next
   * multiple of `value` bytes; messages name it by its `line`. */
  PYK_RT_SIZE_PLACE = 13
} pyk_rt_size_kind;

/* One step of the computation of a launch's shared memory. */
typedef struct pyk_rt_size_term {
  /* A pyk_rt_size_kind. */
  int32_t kind;
  /* Of the launch, and of the array or the block; from 0. */
  uint32_t argument, dimension;
  /* Of the program, that makes the array; 0 if there is none. */
  uint32_t line;
  int64_t value;
} pyk_rt_size_term;

/* What a term of a kernel's bounds is: a range of integers of 64 bits. Terms
 * are named by their position. See `#pyk.bound_term` in the reference. */
typedef enum pyk_rt_bound_kind {
  /* `value`. */
  PYK_RT_BOUND_CONSTANT = 0,
  /* Argument `first`, a scalar of `value` bytes. */
  PYK_RT_BOUND_SCALAR = 1,
  /* Of the array `first`, along dimension `second`. */
  PYK_RT_BOUND_EXTENT = 2,
  PYK_RT_BOUND_STRIDE = 3,
  /* Along the axis `first`: all indices of threads, and of blocks; threads of a
   * block, and blocks of the grid. */
  PYK_RT_BOUND_THREAD = 4,
  PYK_RT_BOUND_BLOCK = 5,
  PYK_RT_BOUND_BLOCK_DIM = 6,
  PYK_RT_BOUND_GRID_DIM = 7,
  /* All integers of `value` bits. */
  PYK_RT_BOUND_ANY = 8,
  /* Results for numbers of the terms `first` and `second`; quotients are
   * rounded to 0. */
  PYK_RT_BOUND_ADD = 9,
  PYK_RT_BOUND_SUB = 10,
  PYK_RT_BOUND_MUL = 11,
  PYK_RT_BOUND_DIV = 12,
  PYK_RT_BOUND_REM = 13,
  PYK_RT_BOUND_MIN = 14,
  PYK_RT_BOUND_MAX = 15,
  PYK_RT_BOUND_AND = 16,
  PYK_RT_BOUND_OR = 17,
  PYK_RT_BOUND_SHL = 18,
  PYK_RT_BOUND_SHR = 19,
  /* The term `first` if it fits `value` bits, else all such integers; its
   * `value` bits as a number without sign. */
  PYK_RT_BOUND_SIGNED = 20,
  PYK_RT_BOUND_UNSIGNED = 21,
  /* What is in one of both terms. */
  PYK_RT_BOUND_EITHER = 22,
  /* What of the term `first` is at most the largest number of `second`, or at
   * least its least one, plus `value`. */
  PYK_RT_BOUND_CUT_ABOVE = 23,
  PYK_RT_BOUND_CUT_BELOW = 24,
  /* The term `first`, or nothing if `second` is empty. */
  PYK_RT_BOUND_WHEN = 25,
  /* What a loop counts from `first` to below `second` in steps of `third`. */
  PYK_RT_BOUND_COUNTER = 26,
  /* The term `first` if the term `second` lies within, else all integers. */
  PYK_RT_BOUND_STABLE = 27,
  /* Not so unless all numbers of the term `first` are offsets of elements in
   * the memory of the array `second`, in steps of `value` bytes. */
  PYK_RT_BOUND_INSIDE = 28,
  /* Not so unless they are at least 0 and below `value`. */
  PYK_RT_BOUND_WITHIN = 29,
  /* As PYK_RT_BOUND_REM, of quotients that are rounded down. */
  PYK_RT_BOUND_FLOOR_REM = 30,
  /* As PYK_RT_BOUND_SUB, of which conditions say that it is at least `value`.
   */
  PYK_RT_BOUND_DIFFERENCE = 31
} pyk_rt_bound_kind;

/* The `value` of operations on numbers without a sign: of negative ones they
 * may give anything. */
#define PYK_RT_BOUND_NO_SIGN 1

/* One term. */
typedef struct pyk_rt_bound_term {
  /* A pyk_rt_bound_kind. */
  int32_t kind;
  uint32_t first, second, third;
  int64_t value;
} pyk_rt_bound_term;

/* A compiled kernel, for who launches it; as long as that. */
typedef struct pyk_rt_signature {
  const pyk_rt_formal *formals;
  size_t formal_count;
  const pyk_rt_parameter *parameters;
  size_t parameter_count;
  /* Of pyk_rt_fact, of the grid: PYK_RT_FACT_SMALL says that its blocks along
   * each axis are fewer than PYK_RT_SMALL_GRID_LIMIT. */
  uint32_t facts;
  /* How much dynamic shared memory the kernel's own arrays take. */
  const pyk_rt_size_term *shared_sizes;
  size_t shared_size_count;
  /* The shape that all blocks of a launch have, x first; 0 if any will do. */
  int32_t block[3];
  /* What keeps those accesses in memory that are not checked one by one. */
  const pyk_rt_bound_term *bounds;
  size_t bound_count;
} pyk_rt_signature;

/* An argument of a launch, whose type is what the kernel was compiled for. */
typedef struct pyk_rt_argument {
  /* Array: the address of its first element, of the device. */
  void *data;
  /* Array: the extent of each dimension, in elements, and the bytes between
   * neighbours in it. */
  const int64_t *shape, *strides;
  /* Scalar: its value, from the first byte on. */
  uint64_t scalar[2];
  /* Array: the memory that it is part of, from `memory` on; null if nothing is
   * known but the array itself, whose elements are then its memory. */
  void *memory;
  uint64_t memory_bytes;
} pyk_rt_argument;

/* What of a launch may differ from what a kernel takes for granted; bits. All
 * but PYK_RT_ASSUME_EXTENTS are what a compilation is told to assume or not;
 * the grid counts among the sizes. */
typedef enum pyk_rt_assumption {
  PYK_RT_ASSUME_SCALARS = 1,
  PYK_RT_ASSUME_SIZES = 2,
  PYK_RT_ASSUME_DISJOINT = 4,
  /* An extent is PYK_RT_EXTENT_LIMIT or more, or PYK_RT_FACT_NARROW fails:
   * there is no kernel that takes it. */
  PYK_RT_ASSUME_EXTENTS = 8,
  PYK_RT_ASSUME_ALIGNED = 16,
  PYK_RT_ASSUME_STRIDES = 32,
  PYK_RT_ASSUME_BLOCK = 64,
  /* An access may leave the memory of its array, as far as the bounds tell. */
  PYK_RT_ASSUME_INSIDE = 128
} pyk_rt_assumption;

/* Checks a launch with `arguments`, one for each formal, as many blocks along
 * x, y and z as in `grid`, and as many threads of each as in `block`. Returns
 * what fails, of pyk_rt_assumption; 0 if the kernel may be launched so. */
PYK_RT_API uint32_t pyk_rt_check_launch(const pyk_rt_signature *signature,
                                        const int64_t *grid,
                                        const int64_t *block,
                                        const pyk_rt_argument *arguments);

/* Why pyk_rt_check_launch fails, as PYK_RT_INVALID_ARGUMENT; null if it does
 * not. */
PYK_RT_API struct pyk_rt_status *
pyk_rt_refuse_launch(const pyk_rt_signature *signature, const int64_t *grid,
                     const int64_t *block, const pyk_rt_argument *arguments);

/* Adds to `*shared_bytes`, the dynamic shared memory that the caller of a
 * launch asks for, what the arrays of the kernel take for `arguments` and as
 * many threads along x, y and z as in `block`. They come first. Fails with
 * PYK_RT_INVALID_ARGUMENT if an extent is negative, or if a size divides by 0,
 * leaves 64 bits or is more than a block can have. */
PYK_RT_API struct pyk_rt_status *
pyk_rt_add_shared_bytes(const pyk_rt_signature *signature, const int64_t *block,
                        const pyk_rt_argument *arguments,
                        int64_t *shared_bytes);

/* Makes what pyk_rt_stream_launch takes: `values` and `slots` have room for one
 * entry for each parameter. Each of `values` points to one of `slots`, or into
 * `arguments`. The slot of a PYK_RT_PARAMETER_FAILURE is 0. */
PYK_RT_API void pyk_rt_bind_arguments(const pyk_rt_signature *signature,
                                      const pyk_rt_argument *arguments,
                                      uint64_t *slots, void **values);

#ifdef __cplusplus
}
#endif

#endif /* PYK_RUNTIME_ARGUMENTS_H */
