// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of ptx.py, beside this file, as they are written in CUDA C++:
// with indices of type int and with __restrict__. Extents that Python's arrays
// have are the last parameters.

constexpr int kBlock = 256;
constexpr int kTile = 16;
constexpr int kWideTile = 32;
constexpr int kWideRows = 8;

#define KERNEL extern "C" __global__ void

static __device__ int gridX() { return blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ int gridY() { return blockIdx.y * blockDim.y + threadIdx.y; }
static __device__ int gridZ() { return blockIdx.z * blockDim.z + threadIdx.z; }
static __device__ int gridSize() { return gridDim.x * blockDim.x; }

KERNEL vadd(const float *__restrict__ a, const float *__restrict__ b,
            float *__restrict__ c, int n) {
  int i = gridX();
  if (i < n)
    c[i] = a[i] + b[i];
}

KERNEL saxpy(float a, const float *__restrict__ x, float *__restrict__ y,
             int n) {
  int i = gridX();
  if (i < n)
    y[i] = a * x[i] + y[i];
}

KERNEL saxpy_stride(float a, const float *__restrict__ x, float *__restrict__ y,
                    int n) {
  for (int i = gridX(); i < n; i += gridSize())
    y[i] = a * x[i] + y[i];
}

KERNEL jacobi(const float *__restrict__ a, float *__restrict__ out, int h,
              int w) {
  int x = gridX(), y = gridY();
  if (0 < x && x < w - 1 && 0 < y && y < h - 1) {
    float total = a[y * w + x] + a[(y - 1) * w + x] + a[(y + 1) * w + x] +
                  a[y * w + x - 1] + a[y * w + x + 1];
    out[y * w + x] = 0.2f * total;
  }
}

KERNEL stencil3d(const float *__restrict__ a, float *__restrict__ out, int d,
                 int h, int w) {
  int x = gridX(), y = gridY(), z = gridZ();
  if (0 < x && x < w - 1 && 0 < y && y < h - 1 && 0 < z && z < d - 1) {
    float around = a[((z - 1) * h + y) * w + x] + a[((z + 1) * h + y) * w + x];
    around += a[(z * h + y - 1) * w + x] + a[(z * h + y + 1) * w + x];
    around += a[(z * h + y) * w + x - 1] + a[(z * h + y) * w + x + 1];
    out[(z * h + y) * w + x] = around - 6.0f * a[(z * h + y) * w + x];
  }
}

KERNEL matmul(const float *__restrict__ a, const float *__restrict__ b,
              float *__restrict__ c, int rows, int depth, int columns) {
  int x = gridX(), y = gridY();
  if (x < columns && y < rows) {
    float total = 0.0f;
    for (int k = 0; k < depth; ++k)
      total += a[y * depth + k] * b[k * columns + x];
    c[y * columns + x] = total;
  }
}

KERNEL matmul_tiled(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, int depth, int columns) {
  __shared__ float aTile[kTile][kTile];
  __shared__ float bTile[kTile][kTile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = gridX(), y = gridY();
  float total = 0.0f;
  for (int t = 0; t < depth; t += kTile) {
    aTile[ty][tx] = a[y * depth + t + tx];
    bTile[ty][tx] = b[(t + ty) * columns + x];
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      total += aTile[ty][k] * bTile[k][tx];
    __syncthreads();
  }
  c[y * columns + x] = total;
}

KERNEL transpose(const float *__restrict__ a, float *__restrict__ out, int h,
                 int w) {
  __shared__ float tile[kWideTile][kWideTile + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * kWideTile, y = blockIdx.y * kWideTile;
  for (int j = 0; j < kWideTile; j += kWideRows)
    tile[ty + j][tx] = a[(y + ty + j) * w + x + tx];
  __syncthreads();
  for (int j = 0; j < kWideTile; j += kWideRows)
    out[(x + ty + j) * h + y + tx] = tile[tx][ty + j];
}

KERNEL reduce(const float *__restrict__ x, float *__restrict__ out, int n) {
  __shared__ float partial[kBlock];
  int t = threadIdx.x, i = gridX();
  partial[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int s = kBlock / 2; s > 0; s /= 2) {
    if (t < s)
      partial[t] += partial[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = partial[0];
}

KERNEL reduce_stride(const float *__restrict__ x, float *__restrict__ out,
                     int n) {
  float total = 0.0f;
  for (int i = gridX(); i < n; i += gridSize())
    total += x[i];
  atomicAdd(out, total);
}

KERNEL reduce_warp(const float *__restrict__ x, float *__restrict__ out,
                   int n) {
  float total = 0.0f;
  for (int i = gridX(); i < n; i += gridSize())
    total += x[i];
  for (int offset = 16; offset > 0; offset /= 2)
    total += __shfl_down_sync(0xffffffff, total, offset);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, total);
}

KERNEL histogram(const int *__restrict__ x, int *__restrict__ bins, int n) {
  __shared__ int counts[kBlock];
  int t = threadIdx.x;
  counts[t] = 0;
  __syncthreads();
  for (int i = gridX(); i < n; i += gridSize())
    atomicAdd(&counts[x[i]], 1);
  __syncthreads();
  atomicAdd(&bins[t], counts[t]);
}

KERNEL scan(const float *__restrict__ x, float *__restrict__ out, int n) {
  __shared__ float sums[2][kBlock];
  int t = threadIdx.x, i = gridX();
  sums[0][t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  int source = 0;
  for (int offset = 1; offset < kBlock; offset *= 2) {
    if (t >= offset)
      sums[1 - source][t] = sums[source][t] + sums[source][t - offset];
    else
      sums[1 - source][t] = sums[source][t];
    __syncthreads();
    source = 1 - source;
  }
  if (i < n)
    out[i] = sums[source][t];
}

KERNEL mandelbrot(float left, float top, float dx, float dy,
                  int *__restrict__ out, int most, int h, int w) {
  int x = gridX(), y = gridY();
  if (x < w && y < h) {
    float cx = left + x * dx, cy = top + y * dy;
    float zx = 0.0f, zy = 0.0f;
    int turns = 0;
    while (turns < most && zx * zx + zy * zy < 4.0f) {
      float next = zx * zx - zy * zy + cx;
      zy = 2.0f * zx * zy + cy;
      zx = next;
      ++turns;
    }
    out[y * w + x] = turns;
  }
}

KERNEL nbody(const float *__restrict__ px, const float *__restrict__ py,
             const float *__restrict__ pz, const float *__restrict__ mass,
             float *__restrict__ ax, float *__restrict__ ay,
             float *__restrict__ az, int n) {
  __shared__ float tileX[kBlock], tileY[kBlock], tileZ[kBlock], tileM[kBlock];
  int t = threadIdx.x, i = gridX();
  float x = px[i], y = py[i], z = pz[i];
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int start = 0; start < n; start += kBlock) {
    tileX[t] = px[start + t];
    tileY[t] = py[start + t];
    tileZ[t] = pz[start + t];
    tileM[t] = mass[start + t];
    __syncthreads();
    for (int j = 0; j < kBlock; ++j) {
      float dx = tileX[j] - x, dy = tileY[j] - y, dz = tileZ[j] - z;
      // Never zero, so that a body does not attract itself.
      float square = dx * dx + dy * dy + dz * dz + 0.01f;
      float inverse = 1.0f / sqrtf(square);
      float force = tileM[j] * inverse * inverse * inverse;
      fx += force * dx;
      fy += force * dy;
      fz += force * dz;
    }
    __syncthreads();
  }
  ax[i] = fx;
  ay[i] = fy;
  az[i] = fz;
}

// The cumulative normal distribution, by Abramowitz and Stegun 26.2.17.
static __device__ float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float p = 1.330274429f;
  p = p * k + -1.821255978f;
  p = p * k + 1.781477937f;
  p = p * k + -0.356563782f;
  p = p * k + 0.31938153f;
  float tail = 0.39894228f * expf(-0.5f * d * d) * p * k;
  return d > 0.0f ? 1.0f - tail : tail;
}

KERNEL blackscholes(const float *__restrict__ price,
                    const float *__restrict__ strike,
                    const float *__restrict__ years, float *__restrict__ call,
                    float *__restrict__ put, float rate, float volatility,
                    int n) {
  int i = gridX();
  if (i < n) {
    float s = price[i], x = strike[i], t = years[i];
    float spread = volatility * sqrtf(t);
    float growth = rate + 0.5f * volatility * volatility;
    float d1 = (logf(s / x) + growth * t) / spread;
    float d2 = d1 - spread;
    float n1 = normal(d1), n2 = normal(d2);
    float owed = x * expf(-rate * t);
    call[i] = s * n1 - owed * n2;
    put[i] = owed * (1.0f - n2) - s * (1.0f - n1);
  }
}

KERNEL spmv(const int *__restrict__ ptr, const int *__restrict__ col,
            const float *__restrict__ val, const float *__restrict__ x,
            float *__restrict__ y, int n) {
  int row = gridX();
  if (row < n) {
    float total = 0.0f;
    for (int k = ptr[row]; k < ptr[row + 1]; ++k)
      total += val[k] * x[col[k]];
    y[row] = total;
  }
}

KERNEL softmax(const float *__restrict__ x, float *__restrict__ out, int w) {
  __shared__ float partial[kBlock];
  int t = threadIdx.x, row = blockIdx.x;

  float most = -INFINITY;
  for (int k = t; k < w; k += kBlock)
    most = fmaxf(most, x[row * w + k]);
  partial[t] = most;
  __syncthreads();
  for (int s = kBlock / 2; s > 0; s /= 2) {
    if (t < s)
      partial[t] = fmaxf(partial[t], partial[t + s]);
    __syncthreads();
  }
  most = partial[0];
  __syncthreads();

  float total = 0.0f;
  for (int k = t; k < w; k += kBlock)
    total += expf(x[row * w + k] - most);
  partial[t] = total;
  __syncthreads();
  for (int s = kBlock / 2; s > 0; s /= 2) {
    if (t < s)
      partial[t] += partial[t + s];
    __syncthreads();
  }
  total = partial[0];

  for (int k = t; k < w; k += kBlock)
    out[row * w + k] = expf(x[row * w + k] - most) / total;
}

KERNEL bitonic(float *__restrict__ a, int distance, int size) {
  int i = gridX();
  int other = i ^ distance;
  if (other > i) {
    float first = a[i], second = a[other];
    if ((first > second) == ((i & size) == 0)) {
      a[i] = second;
      a[other] = first;
    }
  }
}

KERNEL fft_step(float *__restrict__ re, float *__restrict__ im, int half,
                int n) {
  int i = gridX();
  if (i < n / 2) {
    int j = i % half;
    int low = i / half * half * 2 + j;
    int high = low + half;
    float angle = -3.14159265f * j / half;
    float c = cosf(angle), s = sinf(angle);
    float x = c * re[high] - s * im[high];
    float y = s * re[high] + c * im[high];
    re[high] = re[low] - x;
    im[high] = im[low] - y;
    re[low] += x;
    im[low] += y;
  }
}

KERNEL montecarlo(int *__restrict__ hits, int draws, int n) {
  int i = gridX();
  if (i < n) {
    unsigned state = i * 747796405u + 1;
    int inside = 0;
    for (int turn = 0; turn < draws; ++turn) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      float x = state * 2.3283064e-10f;
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      float y = state * 2.3283064e-10f;
      if (x * x + y * y < 1.0f)
        ++inside;
    }
    hits[i] = inside;
  }
}

KERNEL conv1d(const float *__restrict__ x, float *__restrict__ out, int n) {
  int i = gridX();
  if (3 <= i && i < n - 3) {
    float total = 0.03f * x[i - 3];
    total += 0.11f * x[i - 2];
    total += 0.22f * x[i - 1];
    total += 0.28f * x[i];
    total += 0.22f * x[i + 1];
    total += 0.11f * x[i + 2];
    total += 0.03f * x[i + 3];
    out[i] = total;
  }
}

KERNEL gray(const unsigned char *__restrict__ image,
            unsigned char *__restrict__ out, int h, int w) {
  int x = gridX(), y = gridY();
  if (x < w && y < h) {
    float red = 0.299f * image[(y * w + x) * 3];
    float green = 0.587f * image[(y * w + x) * 3 + 1];
    float blue = 0.114f * image[(y * w + x) * 3 + 2];
    out[y * w + x] = static_cast<unsigned char>(red + green + blue);
  }
}

// C's remainder has the sign of what is divided, Python's of the divisor.
KERNEL life(const int *__restrict__ cells, int *__restrict__ out, int h,
            int w) {
  int x = gridX(), y = gridY();
  if (x < w && y < h) {
    int alive = 0;
    for (int dy = -1; dy < 2; ++dy)
      for (int dx = -1; dx < 2; ++dx)
        alive += cells[(y + dy + h) % h * w + (x + dx + w) % w];
    alive -= cells[y * w + x];
    bool stays = alive == 2 && cells[y * w + x] == 1;
    out[y * w + x] = alive == 3 || stays ? 1 : 0;
  }
}

KERNEL collatz(int *__restrict__ steps, int n) {
  int i = gridX();
  if (i < n) {
    int number = i + 1, count = 0;
    while (number != 1) {
      if (number % 2 == 0)
        number /= 2;
      else
        number = 3 * number + 1;
      ++count;
    }
    steps[i] = count;
  }
}
