// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What bounds the kernels of `scripts/dev bench cpu`: `stream` reads and writes
// a kernel's arrays without any other work, `multiplyAdd` does nothing but
// float32 multiply-adds. Peers take turns with both, because the memory of a
// machine that is shared has slow minutes.

#include <omp.h>

// The widest vectors there are, in bytes.
#if defined(__AVX512F__)
#define WIDTH 64
#elif defined(__AVX__)
#define WIDTH 32
#else
#define WIDTH 16
#endif
#define LANES (WIDTH / 4)

typedef float Vector __attribute__((vector_size(WIDTH)));
// Additions of integers cost the same whatever is in the arrays.
typedef int Bits __attribute__((vector_size(WIDTH)));

/// What is read or written in one turn of a loop.
constexpr int vectorsOfTurn = 4;
constexpr long bytesOfTurn = vectorsOfTurn * WIDTH;

/// Reads and writes arrays of one length, side by side as a kernel does. Past
/// is whether what is written goes past the caches: a condition in the loop
/// would make both stores the same.
template <int Reads, int Writes, bool Past>
static void pass(const char *const *from, char *const *to, long bytes) {
#pragma omp parallel
  {
    // Of this thread, so that no store can change them.
    const char *sources[Reads + 1];
    char *targets[Writes + 1];
    for (int i = 0; i < Reads; i++)
      sources[i] = from[i];
    for (int i = 0; i < Writes; i++)
      targets[i] = to[i];

    Bits sums[vectorsOfTurn] = {};
    long thread = omp_get_thread_num(), threads = omp_get_num_threads();
    long turns = bytes / bytesOfTurn;
    for (long turn = turns * thread / threads;
         turn < turns * (thread + 1) / threads; turn++)
      for (int k = 0; k < vectorsOfTurn; k++) {
        long place = turn * bytesOfTurn + k * WIDTH;
        for (int i = 0; i < Reads; i++)
          sums[k] += *(const Bits *)(sources[i] + place);
        for (int i = 0; i < Writes; i++) {
          if constexpr (Past)
            __builtin_nontemporal_store(sums[k], (Bits *)(targets[i] + place));
          else
            *(Bits *)(targets[i] + place) = sums[k];
        }
      }
    // Else nothing would have to be read.
    for (Bits &sum : sums)
      asm volatile("" ::"m"(sum));
    if (Past)
      __sync_synchronize();
  }
}

using Pass = void (*)(const char *const *from, char *const *to, long bytes);
#define WITH_WRITES(READS, PAST)                                               \
  {pass<READS, 0, PAST>, pass<READS, 1, PAST>, pass<READS, 2, PAST>,           \
   pass<READS, 3, PAST>}
#define WITH_READS(PAST)                                                       \
  {WITH_WRITES(0, PAST), WITH_WRITES(1, PAST), WITH_WRITES(2, PAST),           \
   WITH_WRITES(3, PAST), WITH_WRITES(4, PAST)}

/// Reads up to four arrays and writes up to three.
extern "C" void stream(int reads, const char *const *from, int writes,
                       char *const *to, long bytes, int bypass) {
  static const Pass passes[2][5][4] = {WITH_READS(false), WITH_READS(true)};
  passes[bypass][reads][writes](from, to, bytes);
}

/// Does multiply-adds in chains that do not wait for each other; yields how
/// many operations all threads did, of which a multiply-add is two.
extern "C" double multiplyAdd() {
  constexpr long turns = 500000;
  constexpr int chains = 12;
  double operations = 0;
#pragma omp parallel reduction(+ : operations)
  {
    Vector sums[chains] = {}, factor = {}, addend = {};
    // Unknown to the compiler, which would else work the result out.
    asm volatile("" : "+m"(factor), "+m"(addend));
#pragma clang loop unroll(disable)
    for (long turn = 0; turn < turns; turn++)
#pragma clang loop unroll(full)
      for (Vector &sum : sums)
        sum = sum * factor + addend;
    for (Vector &sum : sums)
      asm volatile("" ::"m"(sum));
    operations += 2.0 * turns * chains * LANES;
  }
  return operations;
}
