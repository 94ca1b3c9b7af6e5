// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of `kernels/cpu.cpp` in ISPC: its program instances are lanes of
// vectors, and `cpu_ispc.cpp` shares the range from `begin` to `end` out to
// threads, of elements, of rows or of tiles.

export void part_of_vadd(const uniform float a[], const uniform float b[],
                         uniform float c[], uniform int n, uniform int begin,
                         uniform int end) {
  foreach (i = begin ... end) c[i] = a[i] + b[i];
}

export void part_of_saxpy(uniform float alpha, const uniform float x[],
                          uniform float y[], uniform int n, uniform int begin,
                          uniform int end) {
  foreach (i = begin ... end) y[i] = alpha * x[i] + y[i];
}

static inline float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * abs(d));
  float tail = 1.330274429f;
  tail = -1.821255978f + k * tail;
  tail = 1.781477937f + k * tail;
  tail = -0.356563782f + k * tail;
  tail = k * (0.31938153f + k * tail);
  tail *= 0.3989422804f * exp(-0.5f * d * d);
  return d > 0 ? 1.0f - tail : tail;
}

export void part_of_blackscholes(const uniform float price[],
                                 const uniform float strike[],
                                 const uniform float years[],
                                 uniform float call[], uniform float put[],
                                 uniform float rate, uniform float volatility,
                                 uniform int n, uniform int begin,
                                 uniform int end) {
  foreach (i = begin ... end) {
    float s = price[i], x = strike[i], t = years[i];
    float spread = volatility * sqrt(t);
    float growth = rate + 0.5f * volatility * volatility;
    float d1 = (log(s / x) + growth * t) / spread;
    float n1 = normal(d1), n2 = normal(d1 - spread);
    float later = x * exp(-rate * t);
    call[i] = s * n1 - later * n2;
    put[i] = later * (1.0f - n2) - s * (1.0f - n1);
  }
}

export void part_of_mandelbrot(uniform float x0, uniform float y0,
                               uniform float step, uniform int counts[],
                               uniform int limit, uniform int n,
                               uniform int begin, uniform int end) {
  for (uniform int y = begin; y < end; y++)
    foreach (x = 0 ... n) {
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

export void part_of_nbody(const uniform float x[], const uniform float y[],
                          const uniform float z[], const uniform float mass[],
                          uniform float ax[], uniform float ay[],
                          uniform float az[], uniform int n,
                          uniform int begin, uniform int end) {
  foreach (i = begin ... end) {
    float xi = x[i], yi = y[i], zi = z[i];
    float fx = 0, fy = 0, fz = 0;
    for (uniform int j = 0; j < n; j++) {
      float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
      float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
      float inverse = 1.0f / sqrt(r2);
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

export void part_of_matmul(const uniform float a[], const uniform float b[],
                           uniform float c[], uniform int n,
                           uniform int begin, uniform int end) {
  for (uniform int row = begin; row < end; row++)
    foreach (col = 0 ... n) {
      float total = 0;
      for (uniform int k = 0; k < n; k++)
        total += a[row * n + k] * b[k * n + col];
      c[row * n + col] = total;
    }
}

// So many rows at a time are kept in registers.
#define MATMUL_IN_ROWS(NAME, ROWS)                                             \
  export void NAME(const uniform float a[], const uniform float b[],           \
                   uniform float c[], uniform int n, uniform int begin,        \
                   uniform int end) {                                          \
    for (uniform int row = begin * ROWS; row < end * ROWS; row += ROWS)        \
      foreach (col = 0 ... n) {                                                \
        float totals[ROWS];                                                    \
        for (uniform int i = 0; i < ROWS; i++)                                 \
          totals[i] = 0;                                                       \
        for (uniform int k = 0; k < n; k++) {                                  \
          float other = b[k * n + col];                                        \
          for (uniform int i = 0; i < ROWS; i++)                               \
            totals[i] += a[(row + i) * n + k] * other;                         \
        }                                                                      \
        for (uniform int i = 0; i < ROWS; i++)                                 \
          c[(row + i) * n + col] = totals[i];                                  \
      }                                                                        \
  }

MATMUL_IN_ROWS(part_of_matmul_t16, 8)
MATMUL_IN_ROWS(part_of_matmul_t32, 16)

export void part_of_transpose(const uniform float a[], uniform float out[],
                              uniform int n, uniform int begin,
                              uniform int end) {
  for (uniform int y = begin * 32; y < end * 32; y += 32)
    for (uniform int x = 0; x < n; x += 32)
      for (uniform int i = y; i < y + 32; i++)
        foreach (j = x ... x + 32) out[i * n + j] = a[j * n + i];
}

export uniform float part_of_reduce(const uniform float x[],
                                    uniform int begin, uniform int end) {
  float total = 0;
  foreach (i = begin ... end) total += x[i];
  return reduce_add(total);
}

export void part_of_histogram(const uniform unsigned int8 values[],
                              uniform int counts[], uniform int begin,
                              uniform int end) {
  int bins[256];
  for (uniform int i = 0; i < 256; i++)
    bins[i] = 0;
  foreach (i = begin ... end) {
    int value = values[i];
    bins[value]++;
  }
  for (uniform int i = 0; i < 256; i++)
    counts[i] = reduce_add(bins[i]);
}

export void part_of_jacobi(const uniform float a[], uniform float out[],
                           uniform int n, uniform int begin, uniform int end) {
  for (uniform int y = begin + 1; y < end + 1; y++)
    foreach (x = 1 ... n - 1) {
      int i = y * n + x;
      out[i] = 0.2f * (a[i] + a[i - n] + a[i + n] + a[i - 1] + a[i + 1]);
    }
}

export void part_of_scan(const uniform float x[], uniform float out[],
                         uniform int n, uniform int begin, uniform int end) {
  for (uniform int start = begin * 256; start < end * 256; start += 256) {
    uniform float carry = 0;
    for (uniform int i = start; i < start + 256; i += programCount) {
      float value = x[i + programIndex];
      float total = value + exclusive_scan_add(value) + carry;
      out[i + programIndex] = total;
      carry = extract(total, programCount - 1);
    }
  }
}

export void part_of_spmv(const uniform int starts[], const uniform int columns[],
                         const uniform float values[],
                         const uniform float vector[], uniform float out[],
                         uniform int n, uniform int begin, uniform int end) {
  foreach (row = begin ... end) {
    float total = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
      total += values[k] * vector[columns[k]];
    out[row] = total;
  }
}
