# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over ranges whose step is no constant, and how long arrays are."""

import re

import numpy as np
import pytest

from pyk import cuda
from test_semantics_control import agree

LAST = 2**63 - 1


def visited(kernel, block, *arguments, size=8):
    """What the threads of one block append, sorted."""
    out = np.full(size, -1, np.int64)
    count = np.zeros(1, np.int64)
    kernel[1, block](out, count, *arguments)
    return sorted(out[: count[0]].tolist())


@cuda.jit
def strided(out, count, start, stop):
    for i in range(start, stop, cuda.gridsize(1)):
        out[cuda.atomic.add(count, 0, 1)] = i


@cuda.jit
def strided_until(out, count, start, stop, last):
    step = cuda.blockDim.x * cuda.gridDim.x
    for i in range(start, stop, step):
        out[cuda.atomic.add(count, 0, 1)] = i
        if i == last:
            break


@cuda.jit
def strided_with_state(out, count, start, stop, last):
    step = cuda.gridsize(1)
    total = 0
    for i in range(start, stop, step):
        if i == last:
            break
        total += i - start
        out[cuda.atomic.add(count, 0, 1)] = i
    else:
        out[cuda.atomic.add(count, 0, 1)] = total


@pytest.mark.parametrize(
    ("start", "stop"),
    [
        (0, 10),
        (10, 0),
        (-7, 9),
        (5, 5),
        (LAST - 10, LAST),
        (LAST - 3, LAST),
        (LAST - 4, LAST),
        (-LAST - 1, -LAST + 8),
    ],
)
def test_steps_of_the_grid_end_where_ranges_do(start, stop):
    expected = [*range(start, stop, 4)]
    # Four threads, of which each visits all.
    assert visited(strided, 4, start, stop, size=32) == sorted(4 * expected)
    assert visited(strided_until, 4, start, stop, -1, size=32) == sorted(
        4 * expected
    )
    total = sum(i - start for i in expected)
    assert visited(strided_with_state, 4, start, stop, -1, size=32) == sorted(
        4 * [*expected, total]
    )


def test_steps_of_the_grid_and_breaks():
    assert visited(strided_until, 2, 1, 9, 5) == [1, 1, 3, 3, 5, 5]
    assert visited(strided_with_state, 2, 1, 9, 5) == [1, 1, 3, 3]


def test_constant_steps_end_before_they_wrap():
    @cuda.jit
    def kernel(out, count, start, stop, last):
        for i in range(start, stop, 3):
            out[cuda.atomic.add(count, 0, 1)] = i
            if i == last:
                break

    assert visited(kernel, 1, LAST - 5, LAST, -1) == [LAST - 5, LAST - 2]


def test_steps_that_may_be_negative_are_counted():
    @cuda.jit
    def kernel(out, count, start, stop, step):
        for i in range(start, stop, step):
            out[cuda.atomic.add(count, 0, 1)] = i

    for step in (3, -3, 1, -4):
        for start, stop in ((0, 9), (9, 0), (2, 2)):
            expected = sorted(range(start, stop, step))
            assert visited(kernel, 1, start, stop, step, size=32) == expected


def test_unsigned_ranges():
    @cuda.jit
    def kernel(out, count, start, stop):
        for i in range(start, stop, np.uint64(cuda.blockDim.x)):
            out[cuda.atomic.add(count, 0, 1)] = i - start

    start = np.uint64(2**63 - 2)
    stop = np.uint64(2**63 + 5)
    assert visited(kernel, 3, start, stop, size=32) == sorted(3 * [0, 3, 6])


def test_sources_of_zip_are_counted():
    @cuda.jit
    def kernel(out, count, n):
        for i, j in zip(range(0, n, cuda.gridsize(1)), range(n, 0, -1)):
            out[cuda.atomic.add(count, 0, 1)] = 100 * i + j

    assert visited(kernel, 1, 3) == [3, 102, 201]


def test_loop_over_the_grid_divides_nothing():
    @cuda.jit("void(float32[:], float32[:])")
    def add(a, b):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            a[i] += b[i]

    (ptx,) = add.inspect_asm().values()
    assert "div" not in ptx
    assert ptx.count("ld.global") == 2
    assert len(re.findall(r"\n\t@%p\d+ bra", ptx)) <= 2


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (3, 5), (7, 1)])
@pytest.mark.parametrize("n", [0, 1, 14, 15, 16, 100])
def test_each_element_has_one_thread(shape, n):
    @cuda.jit
    def k(out, last, n):
        t = cuda.grid(1)
        for i in range(t, n, cuda.gridsize(1)):
            out[i] += 1 + t
        stride = cuda.blockDim.x * cuda.gridDim.x
        for i in range(t, n, stride):
            out[i] *= 3
            last[t] = i
        for i in range(-n, n, stride * 2 + 1):
            last[t] += i

    agree(k, *shape, np.ones(max(n, 1)), np.zeros(35, np.int64), n)


@pytest.mark.parametrize("start", [LAST - 11, LAST - 1, LAST, -LAST - 1])
@pytest.mark.parametrize(
    "stop", [LAST, LAST - 1, LAST - 5, -LAST - 1, -LAST + 9]
)
@pytest.mark.parametrize("threads", [1, 3, 4])
def test_no_step_beyond_the_type(start, stop, threads):
    """A sum that wraps would begin anew, and such a loop never ends."""

    @cuda.jit
    def k(out, start, stop):
        t = cuda.threadIdx.x
        step = cuda.gridsize(1)
        count = 0
        last = 5
        for i in range(start, stop, step):
            count += 1
            last = i
            if count > 20:
                break
        else:
            out[t, 2] = 1
        out[t, 0] = count
        out[t, 1] = last
        seen = 0
        for i in range(start, stop, step):
            if seen > 20:
                first = i
                break
            if i % 2:
                continue
            seen += 1
        else:
            first = 2.5
        out[t, 3] = seen
        out[t, 4] = first < 3
        if stop - start < 20:
            total = 0
            for i in range(start, stop, step):
                total ^= i
            out[t, 5] = total

    # The last loop is run where the difference did not wrap, in Python, too.
    if stop - start >= 2**63:
        stop = start + 100
    agree(k, 1, threads, np.zeros((4, 6), np.int64), start, stop)


@pytest.mark.parametrize("step", [2, 3, 2**62])
def test_no_constant_step_beyond_the_type(step):
    """What a break leaves with is not what an iteration begins with."""

    def function(out, start):
        count = 0
        for i in range(start, 2**63 - 1, STEP):  # noqa: F821
            count += 1
            if count > 9:
                x = i
                break
        else:
            x = -1
        out[0] = count
        out[1] = x

    scope = {"STEP": step}
    made = type(function)(function.__code__, scope)
    for start in (LAST - 2, LAST - 1, LAST, LAST - 5):
        found, expected = np.zeros(2, np.int64), np.zeros(2, np.int64)
        cuda.jit(made)[1, 1](found, start)
        made(expected, start)
        np.testing.assert_array_equal(found, expected)


def test_within_zip_and_enumerate_and_as_values():
    @cuda.jit
    def k(out, n):
        t = cuda.grid(1)
        stride = cuda.gridsize(1)
        for i, (j, x) in enumerate(
            zip(range(t, n, stride), range(n, t, -stride))
        ):
            out[t, 0] += 10 * i + j - x
        both = range(t, n, stride), range(0, n, stride + 1)
        for r in both:
            out[t, 1] += len(r)
            for i in r:
                out[t, 2] += i * i
            out[t, 3] += n - 1 in r

    for n in (0, 1, 7, 20):
        agree(k, 2, 3, np.ones((6, 4)), n)


def test_variable_behind_the_loop():
    @cuda.jit
    def k(out, n):
        t = cuda.grid(1)
        i = -1
        for i in range(t, n, cuda.gridsize(1)):
            if i > 9:
                break
        out[t] = i

    for n in (0, 3, 9, 50):
        agree(k, 2, 3, np.zeros(6), n)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.uint32])
def test_narrow_and_unsigned_bounds(dtype):
    @cuda.jit
    def k(out, start, stop):
        t = cuda.grid(1)
        for i in range(start, stop, cuda.gridsize(1)):
            out[t] += i

    top = np.iinfo(dtype).max
    agree(k, 1, 3, np.zeros(3), dtype(top - 7), dtype(top))


def test_arrays_that_are_too_long():
    @cuda.jit
    def kernel(out, a):
        out[0] = a.size
        out[1] = a[-1]

    out = np.zeros(2)
    longest = np.broadcast_to(np.array([7.0]), 2**48 - 1)
    too_long = np.broadcast_to(np.array([7.0]), 2**48)
    message = (
        "argument 1 has 281474976710656 elements along dimension 0; pass "
        "arrays of less than 2**48 elements along each dimension"
    )
    # Before and after the kernel is compiled.
    for _ in range(2):
        with pytest.raises(ValueError, match=re.escape(message)):
            kernel[1, 1](out, too_long)
        kernel[1, 1](out, longest)
        assert out.tolist() == [2**48 - 1, 7]


def test_sums_with_extents_wrap_no_index():
    @cuda.jit("void(float32[:,::1], float32[:,::1], float32[::1])")
    def kernel(a, b, out):
        x = cuda.threadIdx.x
        total = np.float32(0)
        for k in range(0, a.shape[1], 16):
            total += a[0, k + x] * b[k + x, 0]
        out[x] = total

    (ptx,) = kernel.inspect_asm().values()
    # An index that may be negative is a selection.
    assert "selp" not in ptx
    assert "shr.s64" not in ptx


@cuda.jit
def gather(out, a, start, stop):
    total = 0.0
    for k in range(start[0], stop[0]):
        total = total * 2 + a[k]
    out[0] = total


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(
    ("start", "stop"), [(0, 4), (2, 4), (-2, 2), (-3, -1), (3, 3), (3, -2)]
)
def test_starts_from_data_may_be_negative(dtype, start, stop):
    a = np.array([1.0, 2, 4, 8])
    out = np.full(1, 77.0)
    gather[1, 1](out, a, np.array([start], dtype), np.array([stop], dtype))
    total = 0.0
    for k in range(start, stop):
        total = total * 2 + a[k]
    assert out[0] == total


def test_starts_from_data_cost_no_test_in_each_iteration():
    @cuda.jit("void(float32[::1], int32[::1], float32[::1])")
    def kernel(out, ends, a):
        i = cuda.grid(1)
        total = np.float32(0)
        for k in range(ends[i], ends[i + 1]):
            total += a[k]
        out[i] = total

    (ptx,) = kernel.inspect_asm().values()
    # An index that may be negative is a selection.
    assert "selp" not in ptx
    assert "shr.s64" not in ptx


@pytest.mark.parametrize(
    "factor", [1, 477218588, 477218589, 2**29, 2**30 + 1, 2**31 - 1, 2**35]
)
@pytest.mark.parametrize(
    "stop", [-(2**31), 0, 1, 2, 3, 4, 5, 9, 13, 50, 2**31 - 2, 2**31 - 1]
)
def test_strides_of_four_iterations_at_a_time(factor, stop):
    """They count in 32 bits, which a step beyond the end must not leave."""

    @cuda.jit("(int32[::1], float64[::1], int32, int32)")
    def kernel(counts, totals, start, stop):
        t = cuda.grid(1)
        turns = 0
        total = -1.5
        for i in range(max(t, start), stop, cuda.gridsize(1) * factor):
            turns += 1
            total = total / 2 + i
        counts[t] = turns
        totals[t] = total

    (ptx,) = kernel.inspect_asm().values()
    assert ptx.count("cvt.rn.f64") > 4
    start = max(0, stop - 15) if factor == 1 else 0
    counts, totals = np.zeros(3, np.int32), np.zeros(3)
    kernel[1, 3](counts, totals, start, stop)
    for t in range(3):
        numbers = range(max(t, start), stop, 3 * factor)
        total = -1.5
        for i in numbers:
            total = total / 2 + i
        assert (counts[t], totals[t]) == (len(numbers), total)


def test_shared_memory_of_split_loops_is_one_array():
    """Also where a loop over a grid's strides makes it."""

    @cuda.jit
    def split(out, bounds):
        first = bounds[0]
        for i in range(first, bounds[1]):
            kept = cuda.shared.array(4, np.float32)
            if i == first:
                kept[0] = 7
            out[i] = kept[0]

    out = np.zeros(6)
    split[1, 1](out, np.array([-3, 3]))
    assert out.tolist() == [7] * 6

    @cuda.jit
    def unrolled(out):
        for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
            kept = cuda.shared.array(4, np.float32)
            if i == 0:
                kept[0] = 7
            out[i] = kept[0]

    out = np.zeros(11)
    unrolled[1, 1](out)
    assert out.tolist() == [7] * 11
