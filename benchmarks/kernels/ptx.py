# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that `scripts/dev bench ptx` compares with nvcc's.

`ptx.cu`, beside this file, has the same kernels under the same names, in the
same order. They are written as users of Numba CUDA write them: with extents
that arrays have, and without tricks. Constants are `np.float32(...)`, without
which Numba's typing makes arithmetic float64; `_ptx_kernels.py` spells them as
literals where typing is narrow.
"""

import math

import numpy as np
from numba import cuda

# Threads of a block along its axis, and of a tile along each.
BLOCK = 256
TILE = 16
WIDE_TILE = 32
WIDE_ROWS = 8

ALL_LANES = 0xFFFFFFFF


@cuda.jit
def vadd(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@cuda.jit
def saxpy_stride(a, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = a * x[i] + y[i]


@cuda.jit
def jacobi(a, out):
    x, y = cuda.grid(2)
    h, w = a.shape
    if 0 < x < w - 1 and 0 < y < h - 1:
        total = a[y, x] + a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1]
        out[y, x] = np.float32(0.2) * total


@cuda.jit
def stencil3d(a, out):
    x, y, z = cuda.grid(3)
    d, h, w = a.shape
    if 0 < x < w - 1 and 0 < y < h - 1 and 0 < z < d - 1:
        around = a[z - 1, y, x] + a[z + 1, y, x]
        around += a[z, y - 1, x] + a[z, y + 1, x]
        around += a[z, y, x - 1] + a[z, y, x + 1]
        out[z, y, x] = around - np.float32(6.0) * a[z, y, x]


@cuda.jit
def matmul(a, b, c):
    x, y = cuda.grid(2)
    if x < c.shape[1] and y < c.shape[0]:
        total = np.float32(0.0)
        for k in range(a.shape[1]):
            total += a[y, k] * b[k, x]
        c[y, x] = total


@cuda.jit
def matmul_tiled(a, b, c):
    a_tile = cuda.shared.array((TILE, TILE), np.float32)
    b_tile = cuda.shared.array((TILE, TILE), np.float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x, y = cuda.grid(2)
    total = np.float32(0.0)
    for t in range(0, a.shape[1], TILE):
        a_tile[ty, tx] = a[y, t + tx]
        b_tile[ty, tx] = b[t + ty, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += a_tile[ty, k] * b_tile[k, tx]
        cuda.syncthreads()
    c[y, x] = total


@cuda.jit
def transpose(a, out):
    # One column more, so that a column's elements are in different banks.
    tile = cuda.shared.array((WIDE_TILE, WIDE_TILE + 1), np.float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * WIDE_TILE
    y = cuda.blockIdx.y * WIDE_TILE
    for j in range(0, WIDE_TILE, WIDE_ROWS):
        tile[ty + j, tx] = a[y + ty + j, x + tx]
    cuda.syncthreads()
    for j in range(0, WIDE_TILE, WIDE_ROWS):
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
def reduce_stride(x, out):
    total = np.float32(0.0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i]
    cuda.atomic.add(out, 0, total)


@cuda.jit
def reduce_warp(x, out):
    total = np.float32(0.0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i]
    offset = 16
    while offset > 0:
        total += cuda.shfl_down_sync(ALL_LANES, total, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, total)


@cuda.jit
def histogram(x, bins):
    counts = cuda.shared.array(BLOCK, np.int32)
    t = cuda.threadIdx.x
    counts[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, x[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(bins, t, counts[t])


@cuda.jit
def scan(x, out):
    sums = cuda.shared.array((2, BLOCK), np.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    sums[0, t] = x[i] if i < x.size else np.float32(0.0)
    cuda.syncthreads()
    source = 0
    offset = 1
    while offset < BLOCK:
        if t >= offset:
            sums[1 - source, t] = sums[source, t] + sums[source, t - offset]
        else:
            sums[1 - source, t] = sums[source, t]
        cuda.syncthreads()
        source = 1 - source
        offset *= 2
    if i < x.size:
        out[i] = sums[source, t]


@cuda.jit
def mandelbrot(left, top, dx, dy, out, most):
    x, y = cuda.grid(2)
    h, w = out.shape
    if x < w and y < h:
        cx = left + np.float32(x) * dx
        cy = top + np.float32(y) * dy
        zx = np.float32(0.0)
        zy = np.float32(0.0)
        turns = 0
        while turns < most and zx * zx + zy * zy < np.float32(4.0):
            zx, zy = zx * zx - zy * zy + cx, np.float32(2.0) * zx * zy + cy
            turns += 1
        out[y, x] = turns


@cuda.jit
def nbody(px, py, pz, mass, ax, ay, az):
    tile_x = cuda.shared.array(BLOCK, np.float32)
    tile_y = cuda.shared.array(BLOCK, np.float32)
    tile_z = cuda.shared.array(BLOCK, np.float32)
    tile_m = cuda.shared.array(BLOCK, np.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    x = px[i]
    y = py[i]
    z = pz[i]
    fx = np.float32(0.0)
    fy = np.float32(0.0)
    fz = np.float32(0.0)
    for start in range(0, px.size, BLOCK):
        tile_x[t] = px[start + t]
        tile_y[t] = py[start + t]
        tile_z[t] = pz[start + t]
        tile_m[t] = mass[start + t]
        cuda.syncthreads()
        for j in range(BLOCK):
            dx = tile_x[j] - x
            dy = tile_y[j] - y
            dz = tile_z[j] - z
            # Never zero, so that a body does not attract itself.
            square = dx * dx + dy * dy + dz * dz + np.float32(0.01)
            inverse = np.float32(1.0) / math.sqrt(square)
            force = tile_m[j] * inverse * inverse * inverse
            fx += force * dx
            fy += force * dy
            fz += force * dz
        cuda.syncthreads()
    ax[i] = fx
    ay[i] = fy
    az[i] = fz


@cuda.jit(device=True)
def normal(d):
    """The cumulative normal distribution, by Abramowitz and Stegun 26.2.17."""
    k = np.float32(1.0) / (np.float32(1.0) + np.float32(0.2316419) * abs(d))
    p = np.float32(1.330274429)
    p = p * k + np.float32(-1.821255978)
    p = p * k + np.float32(1.781477937)
    p = p * k + np.float32(-0.356563782)
    p = p * k + np.float32(0.31938153)
    tail = np.float32(0.39894228) * math.exp(np.float32(-0.5) * d * d) * p * k
    return np.float32(1.0) - tail if d > np.float32(0.0) else tail


@cuda.jit
def blackscholes(price, strike, years, call, put, rate, volatility):
    i = cuda.grid(1)
    if i < price.size:
        s = price[i]
        x = strike[i]
        t = years[i]
        spread = volatility * math.sqrt(t)
        growth = rate + np.float32(0.5) * volatility * volatility
        d1 = (math.log(s / x) + growth * t) / spread
        d2 = d1 - spread
        n1 = normal(d1)
        n2 = normal(d2)
        owed = x * math.exp(-rate * t)
        call[i] = s * n1 - owed * n2
        put[i] = owed * (np.float32(1.0) - n2) - s * (np.float32(1.0) - n1)


@cuda.jit
def spmv(ptr, col, val, x, y):
    row = cuda.grid(1)
    if row < y.size:
        total = np.float32(0.0)
        for k in range(ptr[row], ptr[row + 1]):
            total += val[k] * x[col[k]]
        y[row] = total


@cuda.jit
def softmax(x, out):
    partial = cuda.shared.array(BLOCK, np.float32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x
    w = x.shape[1]

    most = np.float32(-math.inf)
    for k in range(t, w, BLOCK):
        most = max(most, x[row, k])
    partial[t] = most
    cuda.syncthreads()
    s = BLOCK // 2
    while s > 0:
        if t < s:
            partial[t] = max(partial[t], partial[t + s])
        cuda.syncthreads()
        s //= 2
    most = partial[0]
    cuda.syncthreads()

    total = np.float32(0.0)
    for k in range(t, w, BLOCK):
        total += math.exp(x[row, k] - most)
    partial[t] = total
    cuda.syncthreads()
    s = BLOCK // 2
    while s > 0:
        if t < s:
            partial[t] += partial[t + s]
        cuda.syncthreads()
        s //= 2
    total = partial[0]

    for k in range(t, w, BLOCK):
        out[row, k] = math.exp(x[row, k] - most) / total


@cuda.jit
def bitonic(a, distance, size):
    i = cuda.grid(1)
    other = i ^ distance
    if other > i:
        first = a[i]
        second = a[other]
        if (first > second) == ((i & size) == 0):
            a[i] = second
            a[other] = first


@cuda.jit
def fft_step(re, im, half):
    i = cuda.grid(1)
    if i < re.size // 2:
        j = i % half
        low = i // half * half * 2 + j
        high = low + half
        angle = np.float32(-3.14159265) * np.float32(j) / np.float32(half)
        c = math.cos(angle)
        s = math.sin(angle)
        x = c * re[high] - s * im[high]
        y = s * re[high] + c * im[high]
        re[high] = re[low] - x
        im[high] = im[low] - y
        re[low] += x
        im[low] += y


@cuda.jit
def montecarlo(hits, draws):
    i = cuda.grid(1)
    if i < hits.size:
        state = np.uint32(i * 747796405 + 1)
        inside = 0
        for _ in range(draws):
            state = np.uint32(state ^ (state << 13))
            state = np.uint32(state ^ (state >> 17))
            state = np.uint32(state ^ (state << 5))
            x = np.float32(state) * np.float32(2.3283064e-10)
            state = np.uint32(state ^ (state << 13))
            state = np.uint32(state ^ (state >> 17))
            state = np.uint32(state ^ (state << 5))
            y = np.float32(state) * np.float32(2.3283064e-10)
            if x * x + y * y < np.float32(1.0):
                inside += 1
        hits[i] = inside


@cuda.jit
def conv1d(x, out):
    i = cuda.grid(1)
    if 3 <= i < x.size - 3:
        total = np.float32(0.03) * x[i - 3]
        total += np.float32(0.11) * x[i - 2]
        total += np.float32(0.22) * x[i - 1]
        total += np.float32(0.28) * x[i]
        total += np.float32(0.22) * x[i + 1]
        total += np.float32(0.11) * x[i + 2]
        total += np.float32(0.03) * x[i + 3]
        out[i] = total


@cuda.jit
def gray(image, out):
    x, y = cuda.grid(2)
    h, w = out.shape
    if x < w and y < h:
        red = np.float32(0.299) * image[y, x, 0]
        green = np.float32(0.587) * image[y, x, 1]
        blue = np.float32(0.114) * image[y, x, 2]
        out[y, x] = np.uint8(red + green + blue)


@cuda.jit
def life(cells, out):
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


@cuda.jit
def collatz(steps):
    i = cuda.grid(1)
    if i < steps.size:
        n = i + 1
        count = 0
        while n != 1:
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
            count += 1
        steps[i] = count
