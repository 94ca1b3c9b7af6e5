# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many threads that add to few elements, and additions that others may see."""

import numpy as np
import pytest

from pyk import cuda

RANDOM = np.random.default_rng(16)


@cuda.jit
def histogram(keys, weights, sums):
    i = cuda.grid(1)
    if i < keys.size:
        cuda.atomic.add(sums, keys[i], weights[i])


@pytest.mark.parametrize("kind", ["i4", "u4", "i8", "u8", "f4", "f8", "f2"])
@pytest.mark.parametrize("bins", [1, 7, 256, 5000])
@pytest.mark.parametrize("block", [256, 96, 33])
def test_histogram(kind, bins, block):
    """Also of more bins than a worker collects; sums are exact."""
    count = 300 if kind == "f2" else 20011
    keys = RANDOM.integers(0, bins, count)
    weights = RANDOM.integers(0, 4, count).astype(kind)
    sums = np.ones(bins, kind)
    histogram[-(-count // block), block](keys, weights, sums)
    expected = 1 + np.bincount(keys, weights, bins)
    np.testing.assert_array_equal(sums, expected.astype(kind))


def test_integers_wrap():
    keys = np.zeros(1000, np.int64)
    weights = np.full(1000, 2**31 - 1, np.int32)
    sums = np.zeros(1, np.int32)
    histogram[4, 256](keys, weights, sums)
    assert sums[0] == np.int64(1000 * (2**31 - 1)).astype(np.int32)


@pytest.mark.parametrize("block", [256, 100])
def test_one_element_for_all(block):
    @cuda.jit
    def k(a, total, count, wide, real):
        i = cuda.grid(1)
        if i < a.size:
            cuda.atomic.add(total, 0, a[i])
            if a[i] > 3:
                cuda.atomic.add(count, 0, 1)
                cuda.atomic.sub(wide, 1, 3)
                cuda.atomic.add(real, 0, 0.25)

    a = RANDOM.integers(-9, 10, 10007).astype(np.float32)
    total, count = np.zeros(1, np.float32), np.zeros(1, np.int32)
    wide, real = np.zeros(2, np.int64), np.zeros(1)
    k[-(-a.size // block), block](a, total, count, wide, real)
    larger = np.count_nonzero(a > 3)
    assert total[0] == a.sum()
    assert count[0] == larger
    assert wide.tolist() == [0, -3 * larger]
    assert real[0] == larger / 4


def test_an_addition_that_no_thread_does():
    @cuda.jit
    def k(a, out):
        if a[cuda.grid(1)] > 5:
            cuda.atomic.add(out, 0, np.nan)

    out = np.zeros(1)
    k[2, 64](np.zeros(128), out)
    assert out[0] == 0


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("some", [False, True])
def test_zeros_keep_their_sign(kind, some):
    """No thread adds anything but -0, so that is what stays."""

    @cuda.jit
    def k(a, sums):
        i = cuda.grid(1)
        if not some or a[i] == 0.0:
            cuda.atomic.add(sums, 0, a[i])
            cuda.atomic.add(sums, i % 3, a[i])

    a = np.full(128, -0.0, kind)
    if some:
        a[RANDOM.permutation(128)[:90]] = 3
    sums = np.full(3, -0.0, kind)
    k[2, 64](a, sums)
    assert (sums == 0).all() and np.signbit(sums).all()


def test_rows_and_parts_of_complex_numbers():
    @cuda.jit
    def k(labels, points, sums, waves):
        for i in range(cuda.grid(1), labels.size, cuda.gridsize(1)):
            cuda.atomic.add(sums, (labels[i], 0), points[i, 0])
            cuda.atomic.add(sums[labels[i]], 1, points[i, 1])
            cuda.atomic.add(waves.imag, labels[i], 2)

    labels = RANDOM.integers(0, 9, 5000).astype(np.int32)
    points = RANDOM.integers(0, 5, (5000, 2)).astype(np.float32)
    sums, waves = np.zeros((9, 2), np.float32), np.zeros(9, np.complex64)
    k[3, 128](labels, points, sums, waves)
    for part in range(2):
        expected = np.bincount(labels, points[:, part])
        np.testing.assert_array_equal(sums[:, part], expected)
    np.testing.assert_array_equal(waves, 2j * np.bincount(labels))


def test_memory_that_is_reached_twice():
    """A launch finds that two arguments are one array."""

    @cuda.jit
    def k(sums, same, out):
        i = cuda.grid(1)
        cuda.atomic.add(sums, i % 4, 1)
        cuda.syncthreads()
        out[i] = same[i % 4]

    sums, out = np.zeros(4, np.int32), np.zeros(64, np.int32)
    device = cuda.to_device(sums)
    k[1, 64](device, device, out)
    assert (out == 16).all()
    device = cuda.to_device(np.arange(8, dtype=np.int32))
    k[1, 64](device[:4], device[2:], out)
    expected = np.array([2, 3, 4, 5])
    expected[:2] += 16
    np.testing.assert_array_equal(out, np.tile(expected, 16))


def test_what_threads_read_themselves():
    @cuda.jit
    def k(sums, out):
        i = cuda.grid(1)
        cuda.atomic.add(sums, 0, 1)
        cuda.syncthreads()
        out[i] = sums[0]

    out = np.zeros(96, np.int32)
    k[1, 96](np.zeros(1, np.int32), out)
    assert (out == 96).all()


def test_the_last_block_reads_what_all_have_added():
    @cuda.jit
    def k(a, sums, done, out):
        i = cuda.grid(1)
        cuda.atomic.add(sums, i % 3, a[i])
        cuda.threadfence()
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            if cuda.atomic.add(done, 0, 1) == cuda.gridDim.x - 1:
                for n in range(3):
                    out[n] = cuda.atomic.add(sums, n, 0)

    a = RANDOM.integers(0, 9, 64 * 50)
    sums, done, out = np.zeros(3, int), np.zeros(1, int), np.zeros(3, int)
    k[50, 64](a, sums, done, out)
    assert out.tolist() == [a[n::3].sum() for n in range(3)]


def test_a_block_waits_for_the_additions_of_others():
    @cuda.jit
    def k(arrived, out):
        cuda.atomic.add(arrived, 0, 1)
        if cuda.grid(1) == 0:
            while arrived[0] < cuda.gridsize(1):
                pass
            out[0] = arrived[0]

    arrived, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
    k[4, 32](arrived, out)
    assert out[0] == 128


def test_launches_one_after_the_other():
    """Each finds what the one before has added."""
    keys, weights = np.arange(1000) % 10, np.ones(1000, np.int32)
    sums = cuda.to_device(np.zeros(10, np.int32))
    stream = cuda.stream()
    for _ in range(20):
        histogram[4, 256, stream](keys, weights, sums)
    stream.synchronize()
    assert sums.copy_to_host().tolist() == [2000] * 10
