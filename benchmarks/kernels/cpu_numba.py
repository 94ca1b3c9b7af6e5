# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels and programs of `scripts/dev bench cpu` for Numba's CPU target.

Loops, the outermost in parallel, as one writes them for a CPU; the arguments
are those of `cpu.py`. There is no form in tiles of a matrix product, since
nobody writes one here.
"""

import math

import numpy as np
from numba import get_num_threads, njit, prange

BLOCK = 256


@njit(parallel=True)
def vadd(a, b, c):
    for i in prange(c.size):
        c[i] = a[i] + b[i]


@njit(parallel=True)
def saxpy(alpha, x, y):
    for i in prange(y.size):
        y[i] = alpha * x[i] + y[i]


@njit
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


@njit(parallel=True)
def blackscholes(price, strike, years, call, put, rate, volatility):
    for i in prange(call.size):
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


@njit(parallel=True)
def mandelbrot(x0, y0, step, counts, limit):
    for y in prange(counts.shape[0]):
        for x in range(counts.shape[1]):
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


@njit(parallel=True)
def nbody(x, y, z, mass, ax, ay, az):
    for i in prange(x.size):
        xi = x[i]
        yi = y[i]
        zi = z[i]
        fx = np.float32(0.0)
        fy = np.float32(0.0)
        fz = np.float32(0.0)
        for j in range(x.size):
            dx = x[j] - xi
            dy = y[j] - yi
            dz = z[j] - zi
            r2 = dx * dx + dy * dy + dz * dz + np.float32(1e-3)
            inverse = np.float32(1.0) / math.sqrt(r2)
            pull = mass[j] * inverse * inverse * inverse
            fx += dx * pull
            fy += dy * pull
            fz += dz * pull
        ax[i] = fx
        ay[i] = fy
        az[i] = fz


@njit(parallel=True)
def matmul(a, b, c):
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = np.float32(0.0)
        for k in range(a.shape[1]):
            factor = a[i, k]
            for j in range(c.shape[1]):
                c[i, j] += factor * b[k, j]


@njit(parallel=True)
def transpose(a, out):
    for tile in prange(out.shape[0] // 32):
        for x in range(0, out.shape[1], 32):
            for i in range(tile * 32, tile * 32 + 32):
                for j in range(x, x + 32):
                    out[i, j] = a[j, i]


@njit(parallel=True)
def reduce(x, out):
    total = np.float32(0.0)
    for i in prange(x.size):
        total += x[i]
    out[0] = total


@njit(parallel=True)
def histogram(values, counts):
    parts = get_num_threads()
    bins = np.zeros((parts, 256), np.int32)
    for part in prange(parts):
        start = values.size * part // parts
        for i in range(start, values.size * (part + 1) // parts):
            bins[part, values[i]] += 1
    for part in range(parts):
        for value in range(256):
            counts[value] += bins[part, value]


@njit(parallel=True)
def jacobi(a, out):
    for y in prange(1, a.shape[0] - 1):
        for x in range(1, a.shape[1] - 1):
            total = a[y, x] + a[y - 1, x] + a[y + 1, x]
            total += a[y, x - 1] + a[y, x + 1]
            out[y, x] = np.float32(0.2) * total


@njit(parallel=True)
def scan(x, out):
    for block in prange(x.size // BLOCK):
        total = np.float32(0.0)
        for i in range(block * BLOCK, block * BLOCK + BLOCK):
            total += x[i]
            out[i] = total


@njit(parallel=True)
def spmv(starts, columns, values, vector, out):
    for row in prange(out.size):
        total = np.float32(0.0)
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * vector[columns[k]]
        out[row] = total


@njit(parallel=True)
def softmax(x, out):
    for row in prange(x.shape[0]):
        largest = x[row, 0]
        for j in range(1, x.shape[1]):
            largest = max(largest, x[row, j])
        total = np.float32(0.0)
        for j in range(x.shape[1]):
            out[row, j] = math.exp(x[row, j] - largest)
            total += out[row, j]
        for j in range(x.shape[1]):
            out[row, j] /= total


@njit(parallel=True)
def life_step(cells, out):
    h, w = cells.shape
    for y in prange(h):
        for x in range(w):
            alive = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    alive += cells[(y + dy) % h, (x + dx) % w]
            alive -= cells[y, x]
            stays = alive == 2 and cells[y, x] == 1
            out[y, x] = 1 if alive == 3 or stays else 0


def life(cells, other, steps):
    for _ in range(steps // 2):
        life_step(cells, other)
        life_step(other, cells)


@njit(parallel=True)
def kmeans_round(points, centers, labels, sums, counts):
    """Sums in parts, since Numba's CPU target has no atomics."""
    parts = get_num_threads()
    number = centers.shape[0]
    sums_of = np.zeros((parts, number, 2), np.float32)
    counts_of = np.zeros((parts, number), np.int32)
    for part in prange(parts):
        start = labels.size * part // parts
        for i in range(start, labels.size * (part + 1) // parts):
            best = 0
            shortest = np.float32(np.inf)
            for k in range(number):
                dx = points[i, 0] - centers[k, 0]
                dy = points[i, 1] - centers[k, 1]
                squared = dx * dx + dy * dy
                if squared < shortest:
                    shortest = squared
                    best = k
            labels[i] = best
            sums_of[part, best, 0] += points[i, 0]
            sums_of[part, best, 1] += points[i, 1]
            counts_of[part, best] += 1
    for k in range(number):
        for part in range(parts):
            sums[k, 0] += sums_of[part, k, 0]
            sums[k, 1] += sums_of[part, k, 1]
            counts[k] += counts_of[part, k]
        if counts[k] > 0:
            centers[k, 0] = sums[k, 0] / np.float32(counts[k])
            centers[k, 1] = sums[k, 1] / np.float32(counts[k])
        sums[k, 0] = 0
        sums[k, 1] = 0
        counts[k] = 0


def kmeans(points, centers, labels, sums, counts, rounds):
    for _ in range(rounds):
        kmeans_round(points, centers, labels, sums, counts)


@njit(parallel=True)
def heat_step(old, new):
    h, w = old.shape
    for y in prange(h):
        for x in range(w):
            if 0 < x < w - 1 and 0 < y < h - 1:
                total = old[y - 1, x] + old[y + 1, x] + old[y, x - 1]
                total += old[y, x + 1] - np.float32(4.0) * old[y, x]
                new[y, x] = old[y, x] + np.float32(0.1) * total
            else:
                new[y, x] = old[y, x]


def heat(old, new, steps):
    for _ in range(steps // 2):
        heat_step(old, new)
        heat_step(new, old)


@njit(parallel=True)
def price_ufunc(price, strike, years, call):
    rate = np.float32(0.02)
    volatility = np.float32(0.3)
    for i in prange(call.size):
        spread = volatility * math.sqrt(years[i])
        growth = rate + np.float32(0.5) * volatility * volatility
        d1 = (math.log(price[i] / strike[i]) + growth * years[i]) / spread
        later = strike[i] * math.exp(-rate * years[i])
        call[i] = price[i] * normal(d1) - later * normal(d1 - spread)
