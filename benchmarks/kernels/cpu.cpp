// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of `scripts/dev bench cpu` as one writes them for a CPU: plain
// loops, the outermost shared out by OpenMP. `kernels/cpu.py` has the same work
// as threads of a GPU have it, with the same arguments but the extents, which
// come last here. A matrix product goes along rows in its innermost loop, one
// in tiles keeps a tile of the result on the stack, a reduction yields one
// total, and each thread counts a histogram of its own.

#include <cmath>
#include <cstdint>
#include <cstring>

extern "C" void vadd(const float *__restrict a, const float *__restrict b,
                     float *__restrict c, int n) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}

extern "C" void saxpy(float alpha, const float *__restrict x,
                      float *__restrict y, int n) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; i++)
    y[i] = alpha * x[i] + y[i];
}

/// The cumulative normal distribution.
static inline float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  float tail = 1.330274429f;
  tail = -1.821255978f + k * tail;
  tail = 1.781477937f + k * tail;
  tail = -0.356563782f + k * tail;
  tail = k * (0.31938153f + k * tail);
  tail *= 0.3989422804f * std::exp(-0.5f * d * d);
  return d > 0 ? 1.0f - tail : tail;
}

extern "C" void blackscholes(const float *__restrict price,
                             const float *__restrict strike,
                             const float *__restrict years,
                             float *__restrict call, float *__restrict put,
                             float rate, float volatility, int n) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; i++) {
    float s = price[i], x = strike[i], t = years[i];
    float spread = volatility * std::sqrt(t);
    float growth = rate + 0.5f * volatility * volatility;
    float d1 = (std::log(s / x) + growth * t) / spread;
    float n1 = normal(d1), n2 = normal(d1 - spread);
    float later = x * std::exp(-rate * t);
    call[i] = s * n1 - later * n2;
    put[i] = later * (1.0f - n2) - s * (1.0f - n1);
  }
}

extern "C" void mandelbrot(float x0, float y0, float step,
                           int *__restrict counts, int limit, int n) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float cr = x0 + x * step, ci = y0 + y * step;
      float zr = 0, zi = 0;
      int count = 0;
      while (count < limit) {
        float r2 = zr * zr, i2 = zi * zi;
        if (r2 + i2 > 4.0f)
          break;
        zi = 2.0f * zr * zi + ci;
        zr = r2 - i2 + cr;
        count++;
      }
      counts[y * n + x] = count;
    }
}

extern "C" void nbody(const float *__restrict x, const float *__restrict y,
                      const float *__restrict z, const float *__restrict mass,
                      float *__restrict ax, float *__restrict ay,
                      float *__restrict az, int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    float xi = x[i], yi = y[i], zi = z[i];
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; j++) {
      float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
      float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
      float inverse = 1.0f / std::sqrt(r2);
      float pull = mass[j] * inverse * inverse * inverse;
      fx += dx * pull;
      fy += dy * pull;
      fz += dz * pull;
    }
    ax[i] = fx;
    ay[i] = fy;
    az[i] = fz;
  }
}

extern "C" void matmul(const float *__restrict a, const float *__restrict b,
                       float *__restrict c, int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    float *__restrict row = c + (size_t)i * n;
    memset(row, 0, n * sizeof(float));
    for (int k = 0; k < n; k++) {
      float factor = a[(size_t)i * n + k];
      const float *__restrict other = b + (size_t)k * n;
      for (int j = 0; j < n; j++)
        row[j] += factor * other[j];
    }
  }
}

template <int Tile>
static inline void matmulInTiles(const float *__restrict a,
                                 const float *__restrict b, float *__restrict c,
                                 int n) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int y = 0; y < n; y += Tile)
    for (int x = 0; x < n; x += Tile) {
      float tile[Tile][Tile] = {};
      for (int k = 0; k < n; k++)
        for (int i = 0; i < Tile; i++)
          for (int j = 0; j < Tile; j++)
            tile[i][j] += a[(size_t)(y + i) * n + k] * b[(size_t)k * n + x + j];
      for (int i = 0; i < Tile; i++)
        memcpy(c + (size_t)(y + i) * n + x, tile[i], sizeof tile[i]);
    }
}

extern "C" void matmul_t16(const float *a, const float *b, float *c, int n) {
  matmulInTiles<16>(a, b, c, n);
}

extern "C" void matmul_t32(const float *a, const float *b, float *c, int n) {
  matmulInTiles<32>(a, b, c, n);
}

extern "C" void transpose(const float *__restrict a, float *__restrict out,
                          int n) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int y = 0; y < n; y += 32)
    for (int x = 0; x < n; x += 32)
      for (int i = y; i < y + 32; i++)
        for (int j = x; j < x + 32; j++)
          out[(size_t)i * n + j] = a[(size_t)j * n + i];
}

extern "C" void reduce(const float *__restrict x, float *__restrict out,
                       int n) {
  float total = 0;
#pragma omp parallel for simd reduction(+ : total) schedule(static)
  for (int i = 0; i < n; i++)
    total += x[i];
  out[0] = total;
}

extern "C" void histogram(const uint8_t *__restrict values,
                          int *__restrict counts, int n) {
  int bins[256] = {};
#pragma omp parallel for reduction(+ : bins[ : 256]) schedule(static)
  for (int i = 0; i < n; i++)
    bins[values[i]]++;
  for (int i = 0; i < 256; i++)
    counts[i] += bins[i];
}

extern "C" void jacobi(const float *__restrict a, float *__restrict out,
                       int n) {
#pragma omp parallel for schedule(static)
  for (int y = 1; y < n - 1; y++)
    for (int x = 1; x < n - 1; x++) {
      size_t i = (size_t)y * n + x;
      out[i] = 0.2f * (a[i] + a[i - n] + a[i + n] + a[i - 1] + a[i + 1]);
    }
}

extern "C" void scan(const float *__restrict x, float *__restrict out, int n) {
#pragma omp parallel for schedule(static)
  for (int start = 0; start < n; start += 256) {
    float total = 0;
    for (int i = start; i < start + 256; i++)
      out[i] = (total += x[i]);
  }
}

extern "C" void spmv(const int *__restrict starts,
                     const int *__restrict columns,
                     const float *__restrict values,
                     const float *__restrict vector, float *__restrict out,
                     int rows) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < rows; row++) {
    float total = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
      total += values[k] * vector[columns[k]];
    out[row] = total;
  }
}
