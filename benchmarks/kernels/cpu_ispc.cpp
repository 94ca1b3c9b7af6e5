// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMP threads around the kernels of `cpu.ispc`, since ISPC leaves threads to
// others. The signatures are those of `cpu.cpp`.

#include <cstdint>
#include <omp.h>

/// Calls `part(begin, end)` in each thread, for its part of 0 to `count`.
template <typename Part>
static void shareOut(int count, Part part) {
#pragma omp parallel
  {
    long thread = omp_get_thread_num(), threads = omp_get_num_threads();
    part((int)(count * thread / threads),
         (int)(count * (thread + 1) / threads));
  }
}

/// Likewise, a few at a time to whoever is free.
template <typename Part>
static void shareOutUneven(int count, Part part) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = 0; i < count; i++)
    part(i, i + 1);
}

// A kernel whose part takes its arguments and then the range.
#define SHARED_OUT(NAME, COUNT, SHARE, PARAMETERS, ...)                        \
  extern "C" void part_of_##NAME(REMOVE_PARENTHESES PARAMETERS, int, int);     \
  extern "C" void NAME(REMOVE_PARENTHESES PARAMETERS) {                        \
    SHARE(COUNT, [=](int begin, int end) {                                     \
      part_of_##NAME(__VA_ARGS__, begin, end);                                 \
    });                                                                        \
  }
#define REMOVE_PARENTHESES(...) __VA_ARGS__

SHARED_OUT(vadd, n, shareOut, (const float *a, const float *b, float *c, int n),
           a, b, c, n)
SHARED_OUT(saxpy, n, shareOut, (float alpha, const float *x, float *y, int n),
           alpha, x, y, n)
SHARED_OUT(blackscholes, n, shareOut,
           (const float *price, const float *strike, const float *years,
            float *call, float *put, float rate, float volatility, int n),
           price, strike, years, call, put, rate, volatility, n)
SHARED_OUT(mandelbrot, n, shareOutUneven,
           (float x0, float y0, float step, int *counts, int limit, int n), x0,
           y0, step, counts, limit, n)
SHARED_OUT(nbody, n, shareOut,
           (const float *x, const float *y, const float *z, const float *mass,
            float *ax, float *ay, float *az, int n),
           x, y, z, mass, ax, ay, az, n)
SHARED_OUT(matmul, n, shareOut,
           (const float *a, const float *b, float *c, int n), a, b, c, n)
SHARED_OUT(matmul_t16, n / 8, shareOut,
           (const float *a, const float *b, float *c, int n), a, b, c, n)
SHARED_OUT(matmul_t32, n / 16, shareOut,
           (const float *a, const float *b, float *c, int n), a, b, c, n)
SHARED_OUT(transpose, n / 32, shareOut, (const float *a, float *out, int n), a,
           out, n)
SHARED_OUT(jacobi, n - 2, shareOut, (const float *a, float *out, int n), a, out,
           n)
SHARED_OUT(scan, n / 256, shareOut, (const float *x, float *out, int n), x, out,
           n)
SHARED_OUT(spmv, n, shareOut,
           (const int *starts, const int *columns, const float *values,
            const float *vector, float *out, int n),
           starts, columns, values, vector, out, n)

extern "C" float part_of_reduce(const float *x, int begin, int end);
extern "C" void reduce(const float *x, float *out, int n) {
  float total = 0;
  shareOut(n, [x, &total](int begin, int end) {
    float part = part_of_reduce(x, begin, end);
#pragma omp atomic
    total += part;
  });
  out[0] = total;
}

extern "C" void part_of_histogram(const uint8_t *values, int *counts, int begin,
                                  int end);
extern "C" void histogram(const uint8_t *values, int *counts, int n) {
  shareOut(n, [=](int begin, int end) {
    int bins[256];
    part_of_histogram(values, bins, begin, end);
#pragma omp critical
    for (int i = 0; i < 256; i++)
      counts[i] += bins[i];
  });
}
