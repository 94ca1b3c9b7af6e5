// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of `kernels/cpu.py` in OpenCL C, thread by thread the same. The
// extents, which arrays do not have here, come last.

__kernel void vadd(__global const float *a, __global const float *b,
                   __global float *c, int n) {
  int i = get_global_id(0);
  if (i < n)
    c[i] = a[i] + b[i];
}

__kernel void saxpy(float alpha, __global const float *x, __global float *y,
                    int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = alpha * x[i] + y[i];
}

float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float tail = 1.330274429f;
  tail = -1.821255978f + k * tail;
  tail = 1.781477937f + k * tail;
  tail = -0.356563782f + k * tail;
  tail = k * (0.31938153f + k * tail);
  tail *= 0.3989422804f * exp(-0.5f * d * d);
  return d > 0 ? 1.0f - tail : tail;
}

__kernel void blackscholes(__global const float *price,
                           __global const float *strike,
                           __global const float *years, __global float *call,
                           __global float *put, float rate, float volatility,
                           int n) {
  int i = get_global_id(0);
  if (i < n) {
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

__kernel void mandelbrot(float x0, float y0, float step, __global int *counts,
                         int limit, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y < n) {
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

__kernel void nbody(__global const float *x, __global const float *y,
                    __global const float *z, __global const float *mass,
                    __global float *ax, __global float *ay, __global float *az,
                    int n) {
  __local float tile[4][256];
  int t = get_local_id(0), i = get_global_id(0);
  float xi = x[i], yi = y[i], zi = z[i];
  float fx = 0, fy = 0, fz = 0;
  for (int start = 0; start < n; start += 256) {
    tile[0][t] = x[start + t];
    tile[1][t] = y[start + t];
    tile[2][t] = z[start + t];
    tile[3][t] = mass[start + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 256; j++) {
      float dx = tile[0][j] - xi, dy = tile[1][j] - yi, dz = tile[2][j] - zi;
      float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
      float inverse = 1.0f / sqrt(r2);
      float pull = tile[3][j] * inverse * inverse * inverse;
      fx += dx * pull;
      fy += dy * pull;
      fz += dz * pull;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  ax[i] = fx;
  ay[i] = fy;
  az[i] = fz;
}

__kernel void matmul(__global const float *a, __global const float *b,
                     __global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y < n) {
    float total = 0;
    for (int k = 0; k < n; k++)
      total += a[y * n + k] * b[k * n + x];
    c[y * n + x] = total;
  }
}

#define MATMUL_IN_TILES(NAME, TILE)                                            \
  __kernel void NAME(__global const float *a, __global const float *b,         \
                     __global float *c, int n) {                               \
    __local float a_tile[TILE][TILE], b_tile[TILE][TILE];                      \
    int tx = get_local_id(0), ty = get_local_id(1);                            \
    int x = get_global_id(0), y = get_global_id(1);                            \
    float total = 0;                                                           \
    for (int t = 0; t < n; t += TILE) {                                        \
      a_tile[ty][tx] = a[y * n + t + tx];                                      \
      b_tile[ty][tx] = b[(t + ty) * n + x];                                    \
      barrier(CLK_LOCAL_MEM_FENCE);                                            \
      for (int k = 0; k < TILE; k++)                                           \
        total += a_tile[ty][k] * b_tile[k][tx];                                \
      barrier(CLK_LOCAL_MEM_FENCE);                                            \
    }                                                                          \
    c[y * n + x] = total;                                                      \
  }

MATMUL_IN_TILES(matmul_t16, 16)
MATMUL_IN_TILES(matmul_t32, 32)

__kernel void transpose(__global const float *a, __global float *out, int n) {
  __local float tile[32][33];
  int tx = get_local_id(0), ty = get_local_id(1);
  int x = get_group_id(0) * 32, y = get_group_id(1) * 32;
  for (int j = 0; j < 32; j += 8)
    tile[ty + j][tx] = a[(y + ty + j) * n + x + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < 32; j += 8)
    out[(x + ty + j) * n + y + tx] = tile[tx][ty + j];
}

__kernel void reduce(__global const float *x, __global float *out, int n) {
  __local float partial[256];
  int t = get_local_id(0), i = get_global_id(0);
  partial[t] = i < n ? x[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 128; s > 0; s /= 2) {
    if (t < s)
      partial[t] += partial[t + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    out[get_group_id(0)] = partial[0];
}

__kernel void histogram(__global const uchar *values, __global int *counts,
                        int n) {
  __local int bins[256];
  int t = get_local_id(0);
  bins[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int start = get_group_id(0) * 16384;
  int end = min(start + 16384, n);
  for (int i = start + t; i < end; i += get_local_size(0))
    atomic_inc(&bins[values[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[t], bins[t]);
}

__kernel void jacobi(__global const float *a, __global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (0 < x && x < n - 1 && 0 < y && y < n - 1) {
    int i = y * n + x;
    out[i] = 0.2f * (a[i] + a[i - n] + a[i + n] + a[i - 1] + a[i + 1]);
  }
}

__kernel void scan(__global const float *x, __global float *out, int n) {
  __local float sums[2][256];
  int t = get_local_id(0), i = get_global_id(0), now = 0;
  sums[0][t] = i < n ? x[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < 256; distance *= 2) {
    if (t >= distance)
      sums[1 - now][t] = sums[now][t] + sums[now][t - distance];
    else
      sums[1 - now][t] = sums[now][t];
    now = 1 - now;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n)
    out[i] = sums[now][t];
}

__kernel void spmv(__global const int *starts, __global const int *columns,
                   __global const float *values, __global const float *vector,
                   __global float *out, int rows) {
  int row = get_global_id(0);
  if (row < rows) {
    float total = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
      total += values[k] * vector[columns[k]];
    out[row] = total;
  }
}
