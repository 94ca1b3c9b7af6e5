/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The binary interface of compiled kernels and the runtime: all functions
 * and structures by which code of the CPU target and the runtime call each
 * other and share memory. A change here is a change of lib/Target/CPU, which
 * emits these calls and offsets, of PYK_RT_ABI_VERSION, and of the test that
 * pins the layout.
 */
#ifndef PYK_RUNTIME_ABI_H
#define PYK_RUNTIME_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this file. A compiled kernel carries the version it was made for;
 * the runtime refuses any other. */
#define PYK_RT_ABI_VERSION 13u

/* One block of a launch while it runs, and what a worker has for blocks that
 * run one after the other. The runtime owns it and keeps it at one address from
 * the first to the last thread that is given it. Dimensions are in the order x,
 * y, z. */
typedef struct pyk_rt_block {
  /* The block that runs: messages about faults and printed text name it. The
   * runtime writes it for `thread` and for the first block of `blocks`, which
   * writes it whenever it goes to another one. Compiled code only reads the
   * rest. */
  int32_t block_id[3];
  int32_t block_dim[3];
  int32_t grid_dim[3];
  /* Bytes of dynamic shared memory, which follow the static ones (aligned to
   * 16 bytes). */
  int32_t dynamic_shared_bytes;
  /* Static, then dynamic shared memory of this block; 128-byte aligned. */
  char *shared;
  /* What a function that runs blocks has for them all; the runtime does not
   * look at it. */
  void *sums;
  /* Bytes of an array for each thread of the launch that caches are expected to
   * keep until another launch reads it: who writes more may store past them. */
  uint32_t bytes_kept;
} pyk_rt_block;

/* The first thread of a launch that failed. A kernel that checks gets the
 * address of one as its last parameter. The host sets all of it to 0 before the
 * launch; the thread that changes `code` from 0 writes the rest. */
typedef struct pyk_rt_failure {
  /* 0: none; else the position of the failure in the kernel's list, from 1. */
  int32_t code;
  int32_t block_id[3];
  int32_t thread_id[3];
  int32_t reserved;
  /* What its message speaks of. */
  int64_t values[2];
} pyk_rt_failure;

/* A kernel owns nothing that is to be given back: it may be left between any
 * two of its instructions, for good, when its launch is to end. */

/* Runs one thread of `block`, or, of a kernel that says `thread_runs_block`,
 * all of them: its indices are then 0. `arguments[k]` points at the value of
 * the k-th parameter of the kernel's ABI, as for cuLaunchKernel. */
typedef void (*pyk_rt_thread_fn)(pyk_rt_block *block, int32_t thread_x,
                                 int32_t thread_y, int32_t thread_z,
                                 void *const *arguments);

/* Runs all threads of the blocks from `begin`, which is that of `block`, to
 * before `end`; `begin` is less than `end`. Blocks are numbered with x running
 * fastest. Those that have shared memory run one after the other, and use that
 * of `block`. */
typedef void (*pyk_rt_blocks_fn)(pyk_rt_block *block, uint64_t begin,
                                 uint64_t end, void *const *arguments);

/* A kernel as the CPU target makes it. */
typedef struct pyk_rt_kernel {
  uint32_t abi_version;
  /* Bytes of static shared memory of one block. */
  uint32_t static_shared_bytes;
  /* Bytes of stack that one thread may need for its local arrays, beyond what
   * ordinary frames take. */
  uint64_t local_bytes;
  /* Null if there is `blocks`, and threads are never run alone. */
  pyk_rt_thread_fn thread;
  /* Null if the kernel calls a function that suspends the calling thread: its
   * threads then need a fiber each. Null, too, if `is_reversed`. */
  pyk_rt_blocks_fn blocks;
  /* Threads of a block at most; 0 leaves it to the device. */
  uint32_t max_threads;
  uint32_t parameter_count;
  /* The bytes of each parameter's value: a launch that is queued copies them.
   */
  const uint32_t *parameter_bytes;
  /* Its name, ended by a zero byte. */
  const char *name;
  /* Not 0 if it calls pyk_rt_grid_barrier: all blocks of a launch must then
   * have room at a time. */
  uint32_t waits_for_grid;
  /* Not 0 if `thread` runs all threads of a block: one fiber does. */
  uint32_t thread_runs_block;
  /* Not 0 if threads begin with the last of a block, and blocks with the last
   * of the grid. `blocks` is null then. */
  uint32_t is_reversed;
  uint32_t reserved; /* 0 */
} pyk_rt_kernel;

/* What an image of compiled code holds: its kernels. Constant data of the image
 * itself, so that who loads one finds everything there. */
typedef struct pyk_rt_kernel_table {
  uint32_t kernel_count;
  uint32_t reserved;
  const pyk_rt_kernel *kernels;
} pyk_rt_kernel_table;

/* Suspends the calling thread until every thread of its block that has not
 * finished has called pyk_rt_barrier as often as this one. Called on a fiber
 * of the runtime, only by kernels whose `blocks` is null. */
void pyk_rt_barrier(pyk_rt_block *block);

/* The same barrier; returns how many of those threads gave a `predicate` that
 * is not 0. Threads that came to it by pyk_rt_barrier give 0. */
int32_t pyk_rt_barrier_count(pyk_rt_block *block, uint32_t predicate);

/* Suspends the calling thread until every thread of the launch has called
 * pyk_rt_grid_barrier as often as this one; in its block it is a barrier as
 * pyk_rt_barrier is. The launch fails if a block has ended meanwhile. Called as
 * pyk_rt_barrier, by kernels that say `waits_for_grid`. */
void pyk_rt_grid_barrier(pyk_rt_block *block);

/* Lets the other threads of the launch run before the calling one goes on: the
 * calling thread waits for memory that another thread is to change. Called on
 * a fiber of the runtime, only by kernels whose `blocks` is null. */
void pyk_rt_yield(pyk_rt_block *block);

/* Gives `value` to the threads of the calling one's warp in `mask`, whose bits
 * are lanes, and waits until each of them that has not ended has come here with
 * the same mask. `values` receives what each lane of `mask` gave, 0 for one
 * that has ended; room for 32. A warp is 32 threads whose linear indices follow
 * each other. The launch fails if `mask` lacks the caller's own lane, or if all
 * threads of the block wait for each other. Called as pyk_rt_barrier. */
void pyk_rt_exchange(pyk_rt_block *block, uint32_t mask, uint64_t value,
                     uint64_t *values);

/* Fails the launch, since the thread of the block whose linear index is
 * `thread` is not in the `mask` of lanes that it gives; does not return. Of
 * code that runs blocks as a whole. */
void pyk_rt_stray_lane(pyk_rt_block *block, uint32_t thread, uint32_t mask);

/* Notes that the thread of the block whose linear index is `thread` would have
 * left the memory of an array, and has not: what it read is 0, what it wrote is
 * dropped. `text` is the file of the program, the line, and what to say of the
 * access, each ended by '\n' or, the last one, by 0; {0} to {2} stand for the
 * indices. The launch leaves a warning, the first of its line in the process;
 * see pyk_rt_take_warning. */
void pyk_rt_outside(pyk_rt_block *block, const char *text, uint32_t thread,
                    int64_t first, int64_t second, int64_t third);

/* How a number of each lane is given. */
enum {
  /* There is no such number. */
  PYK_RT_ABSENT = 0,
  /* All lanes have the same one, which is given. */
  PYK_RT_UNIFORM = 1,
  /* Each lane has one more than the lane before; that of the first is given. */
  PYK_RT_CONSECUTIVE = 2,
  /* A number for each lane is given. */
  PYK_RT_BY_LANE = 3
};

/* What the values of pyk_rt_outside_lanes are, in this order:
 * - if `masked`, a mask for each of `vectors` vectors of `lanes` lanes, whose
 *   bits are lanes;
 * - the linear index of the thread in its block, in the form forms[0];
 * - up to three indices, in the forms forms[1] to forms[3].
 * 8 bytes, which calls pass in one register. */
typedef struct pyk_rt_lanes {
  uint16_t vectors;
  uint8_t lanes;
  uint8_t masked;
  uint8_t forms[4];
} pyk_rt_lanes;

/* Does what pyk_rt_outside does, for each lane that is in its mask. Of code
 * that runs blocks as a whole. */
void pyk_rt_outside_lanes(pyk_rt_block *block, const char *text,
                          pyk_rt_lanes lanes, const int64_t *values);

/* The lanes of the calling thread's warp that run together, as bits: waits
 * until no thread of the warp can run on, as each has ended or waits, and
 * yields those that wait here with the same `site`, the number of the call. Of
 * several sites the least goes on first, so that threads behind a branch wait
 * for those that are in it, but none is left behind without end. A thread that
 * calls pyk_rt_yield again and again may wait for these and is not waited for
 * without end. Called as
 * pyk_rt_barrier. */
uint32_t pyk_rt_active_mask(pyk_rt_block *block, uint32_t site);

/* What the clock of the calling thread's processor shows, in cycles of its own
 * that last alike. */
uint64_t pyk_rt_clock(void);

/* Nanoseconds since the start of 1970. */
uint64_t pyk_rt_global_timer(void);

/* Prints, as CUDA's vprintf: `values` are those that the directives of `format`
 * stand for, eight bytes each. Directives are %lld, %llu, %f, %+f, %s (the
 * address of a string) and %%. The text appears on standard output when the
 * launch ends, or before if there is much of it. Returns the number of values.
 */
int32_t pyk_rt_print(pyk_rt_block *block, const char *format,
                     const void *values);

/* Lets a grid of blocks, whose extents come first, run `kernel` when the grid
 * of `block` has ended, as a part of its launch, which ends with it and fails
 * with it. `arguments` are as for the kernel's entries, and are copied. What a
 * block launches on one `stream` runs in that order, each grid after all that
 * the one before has launched; 0 is the stream that every block has. The launch
 * fails if the shape is one that the host could not launch. */
void pyk_rt_launch(pyk_rt_block *block, const pyk_rt_kernel *kernel,
                   int64_t grid_x, int64_t grid_y, int64_t grid_z,
                   int64_t block_x, int64_t block_y, int64_t block_z,
                   int64_t stream, int64_t dynamic_shared_bytes,
                   void *const *arguments);

/* A new stream of the launch for pyk_rt_launch, not 0. */
int64_t pyk_rt_new_stream(pyk_rt_block *block);

#ifdef __cplusplus
}
#endif

#endif /* PYK_RUNTIME_ABI_H */
