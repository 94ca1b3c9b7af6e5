# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting, random numbers and transforms on a device, against NumPy."""

import math

import numpy as np
import pytest

from device_programs import (
    MOST,
    Shape,
    blocks_for,
    by_blocks,
    by_powers,
    thread_of_block,
    thread_of_grid,
    threads_of_block,
)
from pyk import cuda
from pyk.cuda.random import (
    create_xoroshiro128p_states,
    xoroshiro128p_uniform_float64,
)


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(19)


# Sorting.


@cuda.jit(device=True)
def put_in_order(keys, places, i, j, is_rising):
    """Equal keys are in the order of their places."""
    is_above = keys[i] > keys[j]
    if keys[i] == keys[j]:
        is_above = places[i] > places[j]
    if is_above == is_rising:
        keys[i], keys[j] = keys[j], keys[i]
        places[i], places[j] = places[j], places[i]


@cuda.jit
def sort_tiles(keys, places, first_size, last_size):
    """Steps within a tile, which has two elements for each thread."""
    tile_keys = cuda.shared.array(2 * MOST, np.int32)
    tile_places = cuda.shared.array(2 * MOST, np.int32)
    t, threads = cuda.threadIdx.x, cuda.blockDim.x
    start = 2 * threads * cuda.blockIdx.x
    for i in range(t, 2 * threads, threads):
        tile_keys[i] = keys[start + i]
        tile_places[i] = places[start + i]
    size = first_size
    while size <= last_size:
        distance = min(size // 2, threads)
        while distance > 0:
            cuda.syncthreads()
            i = 2 * t - (t & (distance - 1))
            is_rising = ((start + i) & size) == 0
            put_in_order(tile_keys, tile_places, i, i + distance, is_rising)
            distance //= 2
        size *= 2
    cuda.syncthreads()
    for i in range(t, 2 * threads, threads):
        keys[start + i] = tile_keys[i]
        places[start + i] = tile_places[i]


@cuda.jit
def sort_across_tiles(keys, places, size, distance):
    t = cuda.grid(1)
    i = 2 * t - (t & (distance - 1))
    put_in_order(keys, places, i, i + distance, (i & size) == 0)


@by_powers
@pytest.mark.parametrize("count", [5, 700, 3001])
def test_bitonic_sort(
    count: int, threads: int, rng: np.random.Generator
) -> None:
    """Small steps in shared memory, large ones by a launch each."""
    tile = 2 * threads
    padded = max(tile, 1 << (count - 1).bit_length())
    a = rng.integers(-100, 100, count).astype(np.int32)
    keys = np.full(padded, np.iinfo(np.int32).max, np.int32)
    keys[:count] = a
    keys = cuda.to_device(keys)
    places = cuda.to_device(np.arange(padded, dtype=np.int32))
    launch = padded // tile, threads
    sort_tiles[launch](keys, places, 2, tile)
    size = 2 * tile
    while size <= padded:
        distance = size // 2
        while distance >= tile:
            sort_across_tiles[launch](keys, places, size, distance)
            distance //= 2
        sort_tiles[launch](keys, places, size, size)
        size *= 2
    order = places.copy_to_host()[:count]
    np.testing.assert_array_equal(order, np.argsort(a, kind="stable"))
    np.testing.assert_array_equal(keys.copy_to_host()[:count], np.sort(a))


# Numbers.


@cuda.jit
def throw_darts(states, darts, counts):
    i = thread_of_grid()
    if i < states.size:
        inside = 0
        for _ in range(darts):
            x = xoroshiro128p_uniform_float64(states, i)
            y = xoroshiro128p_uniform_float64(states, i)
            if x * x + y * y < 1.0:
                inside += 1
        counts[i] = inside


def next_numbers(states: np.ndarray) -> np.ndarray:
    """What each state of xoroshiro128+ yields next, and it steps on."""

    def rotate(a: np.ndarray, bits: int) -> np.ndarray:
        return a << np.uint64(bits) | a >> np.uint64(64 - bits)

    s0, s1 = states["s0"].copy(), states["s1"].copy()
    numbers = s0 + s1
    s1 ^= s0
    states["s0"] = rotate(s0, 55) ^ s1 ^ s1 << np.uint64(14)
    states["s1"] = rotate(s1, 36)
    return (numbers >> np.uint64(11)) * 2.0**-53


@by_blocks
@pytest.mark.parametrize("size", [17, 1001])
def test_monte_carlo_pi(size: int, block: Shape) -> None:
    """Each thread's darts are those of its state."""
    darts = 300
    states = create_xoroshiro128p_states(size, seed=20)
    expected_states = states.copy_to_host()
    counts = np.full(size, -1, np.int32)
    throw_darts[blocks_for(size, block), block](states, darts, counts)

    expected = np.zeros(size, np.int32)
    for _ in range(darts):
        x = next_numbers(expected_states)
        y = next_numbers(expected_states)
        expected += x * x + y * y < 1
    np.testing.assert_array_equal(counts, expected)
    np.testing.assert_array_equal(states.copy_to_host(), expected_states)
    # Four times the standard deviation of the mean.
    deviation = math.sqrt(math.pi * (4 - math.pi) / (darts * size))
    assert abs(4 * counts.mean() / darts - math.pi) < 4 * deviation


@cuda.jit
def transform(a, roots, out):
    """Stockham's way, which needs no reversal of bits but two arrays."""
    parts = cuda.shared.array((2, 2 * MOST), np.complex64)
    t, half = cuda.threadIdx.x, cuda.blockDim.x
    row = cuda.blockIdx.x
    for i in range(t, 2 * half, half):
        parts[0, i] = a[row, i] if i < a.shape[1] else 0
    now = 0
    done = 1
    while done <= half:
        cuda.syncthreads()
        k = t % done
        even = parts[now, t]
        odd = parts[now, t + half] * roots[k * (half // done)]
        i = 2 * (t - k) + k
        now = 1 - now
        parts[now, i] = even + odd
        parts[now, i + done] = even - odd
        done *= 2
    cuda.syncthreads()
    for i in range(t, 2 * half, half):
        out[row, i] = parts[now, i]


@by_powers
@pytest.mark.parametrize("length", [1, 27, 32])
def test_fourier_transform(
    length: int, threads: int, rng: np.random.Generator
) -> None:
    """Of signals with zeros after them, two elements for each thread."""
    size = 2 * threads
    a = rng.random((5, length)) + 1j * rng.random((5, length))
    a = a.astype(np.complex64)
    roots = np.exp(-2j * np.pi * np.arange(threads) / size)
    out = np.full((5, size), np.nan, np.complex64)
    transform[5, threads](a, roots.astype(np.complex64), out)
    expected = np.fft.fft(a.astype(np.complex128), size)
    # Each of up to eight steps rounds to 24 bits.
    largest = abs(expected).max()
    np.testing.assert_allclose(out, expected, rtol=0, atol=1e-6 * largest)


@cuda.jit
def softmax(x, out):
    """A pass over each row for its largest and its sum, and one to divide."""
    largest_of = cuda.shared.array(MOST, np.float32)
    total_of = cuda.shared.array(MOST, np.float32)
    t, threads = thread_of_block(), threads_of_block()
    row = x[cuda.blockIdx.y, cuda.blockIdx.x]
    largest = np.float32(-math.inf)
    total = np.float32(0)
    for j in range(t, row.size, threads):
        value = row[j]
        if value == -math.inf:
            continue
        if value > largest:
            total *= math.exp(largest - value)
            largest = value
        total += math.exp(value - largest)
    largest_of[t] = largest
    total_of[t] = total
    cuda.syncthreads()
    count = threads
    while count > 1:
        half = (count + 1) // 2
        if t + half < count:
            one, other = largest_of[t], largest_of[t + half]
            largest = max(one, other)
            if largest > -math.inf:
                total = total_of[t] * math.exp(one - largest)
                total += total_of[t + half] * math.exp(other - largest)
                largest_of[t] = largest
                total_of[t] = total
        cuda.syncthreads()
        count = half
    for j in range(t, row.size, threads):
        value = math.exp(row[j] - largest_of[0]) / total_of[0]
        out[cuda.blockIdx.y, cuda.blockIdx.x, j] = value


@by_blocks
@pytest.mark.parametrize("columns", [1, 45, 391])
def test_softmax(columns: int, block: Shape, rng: np.random.Generator) -> None:
    """Rows of a matrix of attention, of which some entries are masked."""
    x = (rng.random((3, 4, columns), np.float32) - np.float32(0.5)) * 60
    x[rng.random(x.shape) < 0.3] = -np.inf
    x[:, :, columns // 2] = 3
    out = np.full_like(x, np.nan)
    softmax[(4, 3), block](x, out)
    powers = np.exp(x.astype("f8") - x.max(2, keepdims=True))
    expected = powers / powers.sum(2, keepdims=True)
    # Differences of up to 60 are rounded to 24 bits before they are exponents.
    np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-30)
    assert (out[np.isneginf(x)] == 0).all()
