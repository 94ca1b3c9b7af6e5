# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels and programs of `scripts/dev bench cpu`, for PyK.

They are written as users of Numba CUDA write them: with extents that arrays
have, shared memory and barriers as in textbooks, and without a thought of the
CPU. `np.float32(...)` keeps arithmetic from being float64. `cpu.cl`, beside
this file, has the same kernels; `cpu.cpp`, `cpu.ispc` and `cpu_numba.py` do
the same work by loops, as one writes it for a CPU.
"""

import math

import numpy as np
from numba import cuda, vectorize

BLOCK = 256
CHUNK = 16384
ALL_LANES = 0xFFFFFFFF


@cuda.jit
def vadd(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@cuda.jit
def saxpy(alpha, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = alpha * x[i] + y[i]


@cuda.jit(device=True)
def normal(d):
    """The cumulative normal distribution."""
    k = np.float32(1.0) / (np.float32(1.0) + np.float32(0.2316419) * abs(d))
    tail = np.float32(1.330274429)
    tail = np.float32(-1.821255978) + k * tail
    tail = np.float32(1.781477937) + k * tail
    tail = np.float32(-0.356563782) + k * tail
    tail = k * (np.float32(0.31938153) + k * tail)
    tail *= np.float32(0.3989422804) * math.exp(np.float32(-0.5) * d * d)
    return np.float32(1.0) - tail if d > np.float32(0.0) else tail


@cuda.jit
def blackscholes(price, strike, years, call, put, rate, volatility):
    i = cuda.grid(1)
    if i < call.size:
        s = price[i]
        x = strike[i]
        t = years[i]
        spread = volatility * math.sqrt(t)
        growth = rate + np.float32(0.5) * volatility * volatility
        d1 = (math.log(s / x) + growth * t) / spread
        n1 = normal(d1)
        n2 = normal(d1 - spread)
        later = x * math.exp(-rate * t)
        call[i] = s * n1 - later * n2
        put[i] = later * (np.float32(1.0) - n2) - s * (np.float32(1.0) - n1)


@cuda.jit
def mandelbrot(x0, y0, step, counts, limit):
    x, y = cuda.grid(2)
    if x < counts.shape[1] and y < counts.shape[0]:
        cr = x0 + np.float32(x) * step
        ci = y0 + np.float32(y) * step
        zr = np.float32(0.0)
        zi = np.float32(0.0)
        count = 0
        while count < limit:
            r2 = zr * zr
            i2 = zi * zi
            if r2 + i2 > np.float32(4.0):
                break
            zi = np.float32(2.0) * zr * zi + ci
            zr = r2 - i2 + cr
            count += 1
        counts[y, x] = count


@cuda.jit
def nbody(x, y, z, mass, ax, ay, az):
    tile = cuda.shared.array((4, BLOCK), np.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    xi = x[i]
    yi = y[i]
    zi = z[i]
    fx = np.float32(0.0)
    fy = np.float32(0.0)
    fz = np.float32(0.0)
    for start in range(0, x.size, BLOCK):
        tile[0, t] = x[start + t]
        tile[1, t] = y[start + t]
        tile[2, t] = z[start + t]
        tile[3, t] = mass[start + t]
        cuda.syncthreads()
        for j in range(BLOCK):
            dx = tile[0, j] - xi
            dy = tile[1, j] - yi
            dz = tile[2, j] - zi
            r2 = dx * dx + dy * dy + dz * dz + np.float32(1e-3)
            inverse = np.float32(1.0) / math.sqrt(r2)
            pull = tile[3, j] * inverse * inverse * inverse
            fx += dx * pull
            fy += dy * pull
            fz += dz * pull
        cuda.syncthreads()
    ax[i] = fx
    ay[i] = fy
    az[i] = fz


@cuda.jit
def matmul(a, b, c):
    x, y = cuda.grid(2)
    if x < c.shape[1] and y < c.shape[0]:
        total = np.float32(0.0)
        for k in range(a.shape[1]):
            total += a[y, k] * b[k, x]
        c[y, x] = total


@cuda.jit
def matmul_t16(a, b, c):
    a_tile = cuda.shared.array((16, 16), np.float32)
    b_tile = cuda.shared.array((16, 16), np.float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x, y = cuda.grid(2)
    total = np.float32(0.0)
    for t in range(0, a.shape[1], 16):
        a_tile[ty, tx] = a[y, t + tx]
        b_tile[ty, tx] = b[t + ty, x]
        cuda.syncthreads()
        for k in range(16):
            total += a_tile[ty, k] * b_tile[k, tx]
        cuda.syncthreads()
    c[y, x] = total


@cuda.jit
def matmul_t32(a, b, c):
    a_tile = cuda.shared.array((32, 32), np.float32)
    b_tile = cuda.shared.array((32, 32), np.float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x, y = cuda.grid(2)
    total = np.float32(0.0)
    for t in range(0, a.shape[1], 32):
        a_tile[ty, tx] = a[y, t + tx]
        b_tile[ty, tx] = b[t + ty, x]
        cuda.syncthreads()
        for k in range(32):
            total += a_tile[ty, k] * b_tile[k, tx]
        cuda.syncthreads()
    c[y, x] = total


@cuda.jit
def transpose(a, out):
    # One column more, so that a column's elements are in different banks.
    tile = cuda.shared.array((32, 33), np.float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * 32
    y = cuda.blockIdx.y * 32
    for j in range(0, 32, 8):
        tile[ty + j, tx] = a[y + ty + j, x + tx]
    cuda.syncthreads()
    for j in range(0, 32, 8):
        out[x + ty + j, y + tx] = tile[tx, ty + j]


@cuda.jit
def reduce(x, out):
    partial = cuda.shared.array(BLOCK, np.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    partial[t] = x[i] if i < x.size else np.float32(0.0)
    cuda.syncthreads()
    s = BLOCK // 2
    while s > 0:
        if t < s:
            partial[t] += partial[t + s]
        cuda.syncthreads()
        s //= 2
    if t == 0:
        out[cuda.blockIdx.x] = partial[0]


@cuda.jit
def histogram(values, counts):
    bins = cuda.shared.array(256, np.int32)
    t = cuda.threadIdx.x
    bins[t] = 0
    cuda.syncthreads()
    start = cuda.blockIdx.x * CHUNK
    end = min(start + CHUNK, values.size)
    for i in range(start + t, end, cuda.blockDim.x):
        cuda.atomic.add(bins, values[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(counts, t, bins[t])


@cuda.jit
def jacobi(a, out):
    x, y = cuda.grid(2)
    if 0 < x < a.shape[1] - 1 and 0 < y < a.shape[0] - 1:
        total = a[y, x] + a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1]
        out[y, x] = np.float32(0.2) * total


@cuda.jit
def scan(x, out):
    sums = cuda.shared.array((2, BLOCK), np.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    now = 0
    sums[0, t] = x[i] if i < x.size else np.float32(0.0)
    cuda.syncthreads()
    distance = 1
    while distance < BLOCK:
        if t >= distance:
            sums[1 - now, t] = sums[now, t] + sums[now, t - distance]
        else:
            sums[1 - now, t] = sums[now, t]
        now = 1 - now
        cuda.syncthreads()
        distance *= 2
    if i < out.size:
        out[i] = sums[now, t]


@cuda.jit
def spmv(starts, columns, values, vector, out):
    row = cuda.grid(1)
    if row < out.size:
        total = np.float32(0.0)
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * vector[columns[k]]
        out[row] = total


@cuda.jit
def warp_sum(x, out):
    i = cuda.grid(1)
    if i < x.size:
        value = x[i]
        value += cuda.shfl_down_sync(ALL_LANES, value, 16)
        value += cuda.shfl_down_sync(ALL_LANES, value, 8)
        value += cuda.shfl_down_sync(ALL_LANES, value, 4)
        value += cuda.shfl_down_sync(ALL_LANES, value, 2)
        value += cuda.shfl_down_sync(ALL_LANES, value, 1)
        if cuda.laneid == 0:
            out[i // 32] = value


@cuda.jit
def warp_first(x, out):
    i = cuda.grid(1)
    if i < x.size:
        value = x[i]
        if cuda.laneid == 0:
            out[i // 32] = value


# Programs of a newcomer: a function for each, with its kernels before it.


@cuda.jit
def softmax_row(x, out):
    row = cuda.grid(1)
    if row < x.shape[0]:
        largest = x[row, 0]
        for j in range(1, x.shape[1]):
            largest = max(largest, x[row, j])
        total = np.float32(0.0)
        for j in range(x.shape[1]):
            out[row, j] = math.exp(x[row, j] - largest)
            total += out[row, j]
        for j in range(x.shape[1]):
            out[row, j] /= total


def softmax(x, out):
    softmax_row[(x.shape[0] + 63) // 64, 64](x, out)


@cuda.jit
def life_step(cells, out):
    x, y = cuda.grid(2)
    h, w = cells.shape
    if x < w and y < h:
        alive = 0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                alive += cells[(y + dy) % h, (x + dx) % w]
        alive -= cells[y, x]
        stays = alive == 2 and cells[y, x] == 1
        out[y, x] = 1 if alive == 3 or stays else 0


def squares(shape):
    """Blocks of 16 by 16 threads, one thread for each element."""
    return ((shape[1] + 15) // 16, (shape[0] + 15) // 16), (16, 16)


def life(cells, other, steps):
    blocks, threads = squares(cells.shape)
    for _ in range(steps // 2):
        life_step[blocks, threads](cells, other)
        life_step[blocks, threads](other, cells)


@cuda.jit
def kmeans_assign(points, centers, labels, sums, counts):
    i = cuda.grid(1)
    if i < labels.size:
        best = 0
        shortest = np.float32(np.inf)
        for k in range(centers.shape[0]):
            dx = points[i, 0] - centers[k, 0]
            dy = points[i, 1] - centers[k, 1]
            squared = dx * dx + dy * dy
            if squared < shortest:
                shortest = squared
                best = k
        labels[i] = best
        cuda.atomic.add(sums, (best, 0), points[i, 0])
        cuda.atomic.add(sums, (best, 1), points[i, 1])
        cuda.atomic.add(counts, best, 1)


@cuda.jit
def kmeans_update(centers, sums, counts):
    k = cuda.grid(1)
    if k < centers.shape[0]:
        if counts[k] > 0:
            centers[k, 0] = sums[k, 0] / np.float32(counts[k])
            centers[k, 1] = sums[k, 1] / np.float32(counts[k])
        sums[k, 0] = 0
        sums[k, 1] = 0
        counts[k] = 0


def kmeans(points, centers, labels, sums, counts, rounds):
    blocks = (labels.size + 255) // 256
    for _ in range(rounds):
        kmeans_assign[blocks, 256](points, centers, labels, sums, counts)
        kmeans_update[1, 32](centers, sums, counts)


@cuda.jit
def heat_step(old, new):
    x, y = cuda.grid(2)
    h, w = old.shape
    if x < w and y < h:
        if 0 < x < w - 1 and 0 < y < h - 1:
            total = old[y - 1, x] + old[y + 1, x] + old[y, x - 1]
            total += old[y, x + 1] - np.float32(4.0) * old[y, x]
            new[y, x] = old[y, x] + np.float32(0.1) * total
        else:
            new[y, x] = old[y, x]


def heat(old, new, steps):
    blocks, threads = squares(old.shape)
    for _ in range(steps // 2):
        heat_step[blocks, threads](old, new)
        heat_step[blocks, threads](new, old)


@vectorize(["float32(float32, float32, float32)"], target="cuda")
def call_price(price, strike, years):
    rate = np.float32(0.02)
    volatility = np.float32(0.3)
    spread = volatility * math.sqrt(years)
    growth = rate + np.float32(0.5) * volatility * volatility
    d1 = (math.log(price / strike) + growth * years) / spread
    later = strike * math.exp(-rate * years)
    return price * normal(d1) - later * normal(d1 - spread)


def price_ufunc(price, strike, years, call):
    call_price(price, strike, years, out=call)
