# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views of arrays: what an index selects, with NumPy as the judge."""

import itertools

import numpy as np
import pytest

import pyk
from pyk import cuda
from view_kernels import look, make, pyk_function, sources

INDICES = {
    1: "1 -1 : ... () 1: :-1 -2: 1:3 ::2 ::-1 -1:0:-2 None None,: :,None ...,1 "
    "1,... ...,1: 5:2 7: 1,None",
    2: "1 -2 1,2 -1,-1 ... () : 1: ::2 :,1 :,1:3 1,1: 1:,2 ::-1,::-2 1:,1: "
    "...,1 1,... ...,1: 1,...,2 1,2,... None,1 1,None,: :,None :,:,None "
    "None,...,None ...,::-1 3:,: :,0:0 np.newaxis,1",
    3: "1 1,2 1,2,1 -1,-1,-1 : 1: ::2 1,1: :,1 :,:,1 ...,1 1,... 1,...,1 "
    "...,1,: :,1:,: 1:,::2,::-1 1,:,None,1: ...,None,1 1,2,1: 1,1:,: 1:2,2,1",
    4: "1 ...,1 1,...,1 1:,...,::-1 :,1,:,2 1,2,1,2 ...,1:,2 1,2,1,1: "
    "None,1,...,None",
    5: "1,...,1 ...,1 1,2,1,2,1 ::2,...,::-1 :,:,1,:,1 1,2,1,1:",
    6: "1,...,1 ...,1 1,2,1,2,1,1 ::2,...,::-1 1,:,1,:,1,: 1,2,1,2,1,::-1",
}


@pytest.mark.parametrize(
    ("rank", "index"),
    [(rank, index) for rank, text in INDICES.items() for index in text.split()],
)
def test_index(rank, index):
    for a in sources(rank):
        look(f"a[{index}]", a)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 2)])
def test_views_of_no_elements(shape):
    a = np.zeros(shape)
    for index in ["...", "1:", "::-1", ":0", "-1:"]:
        look(f"a[{index}]", a)
    if shape[0]:
        look("a[1]", a)


def test_array_without_dimensions():
    for index in ["()", "...", "None", "None,...,None"]:
        look(f"a[{index}]", np.array(3.5))

    @cuda.jit
    def k(a, out):
        a[()] += 1
        out[0] = a.size * 100 + a.ndim * 10 + len(a.shape)
        out[1:2] = a
        out[2] = a
        a[...] = 9

    a, out = np.array(3.5), np.zeros(3)
    k[1, 1](a, out)
    assert a == 9
    assert out.tolist() == [100, 4.5, 4.5]


BOUNDS = [None, *range(-7, 8), 2**63 - 1, -(2**63)]
STEPS = [None, *range(-3, 0), *range(1, 4), 7, -7, 2**63 - 1, -(2**63)]


@pytest.mark.parametrize("given", [*itertools.product([0, 1], repeat=3)])
def test_bounds_at_run_time(given):
    """Every bound and step against every extent, as Python slices."""
    names = [n if g else "" for n, g in zip(("lo[i]", "hi[i]", "by[i]"), given)]
    kernel = make(
        f"""
i = cuda.grid(1)
if i < out.shape[0]:
    view = a[{":".join(names)}]
    out[i, 0] = len(view)
    for j in range(len(view)):
        out[i, 1 + j] = view[j]
""",
        "a, lo, hi, by, out",
    )
    cases = itertools.product(
        *(
            [x for x in xs if (x is not None) == g]
            for xs, g in zip((BOUNDS, BOUNDS, STEPS), given)
        )
    )
    cases = list(cases)
    numbers = [np.array([c[n] or 0 for c in cases], np.int64) for n in range(3)]
    for extent in (0, 1, 2, 5):
        a = np.arange(10.0, 10.0 + extent)
        out = np.zeros((len(cases), 6))
        kernel[(len(cases) + 63) // 64, 64](a, *numbers, out)
        for case, row in zip(cases, out):
            expected = a[slice(*case)].tolist()
            assert row[: len(expected) + 1].tolist() == [
                len(expected),
                *expected,
            ], (extent, case)


def test_step_of_zero_takes_nothing():
    kernel = make("out[0] = len(a[::n])", "a, n, out")
    out = np.full(1, -1)
    kernel[1, 1](np.zeros(3), 0, out)
    assert out[0] == 0


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64]
)
def test_types_of_bounds(dtype):
    kernel = make(
        "out[0] = len(a[lo:hi])\nout[1] = a[lo:hi][0]\nout[2] = a[hi]",
        "a, lo, hi, out",
    )
    a, out = np.arange(9.0), np.zeros(3)
    kernel[1, 1](a, dtype(2), dtype(7), out)
    assert out.tolist() == [5, 2, 7]
    if np.issubdtype(dtype, np.signedinteger):
        kernel[1, 1](a, dtype(-6), dtype(-1), out)
        assert out.tolist() == [5, 3, 8]


def test_bounds_of_other_types():
    """Floats are truncated, as the peer does; None is as good as nothing."""
    kernel = make(
        "none = None\nout[0] = len(a[x:None])\nout[1] = len(a[none:x])\n"
        "out[2] = len(a[True:])",
        "a, x, out",
    )
    out = np.zeros(3)
    kernel[1, 1](np.zeros(9), 2.75, out)
    assert out.tolist() == [7, 2, 8]


# Composed views, and access through them.


# Every kind of memory.

SPACES = {
    "shared": "cuda.shared.array((3, 4), np.int32)",
    "local": "cuda.local.array((3, 4), np.int32)",
    "dynamic": "cuda.shared.array(0, np.int32).reshape((3, 4))",
    "constant": "cuda.const.array_like(TABLE)",
}


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(
    "index", ["1", ":,2", "1:", "::-1,1:3", "::2,::-2", "...,None", "-1,1:"]
)
def test_views_of_own_memory(space, index):
    table = np.arange(12, dtype=np.int32).reshape(3, 4)
    expected = eval(f"table[{index}]")
    fill = "" if space == "constant" else "m[:] = a"
    kernel = make(
        f"m = {SPACES[space]}\n{fill}\nview = m[{index}]\nout[...] = view\n"
        "out2[...] = through(view)[0]",
        "a, out, out2",
        TABLE=table,
        through=cuda.jit(device=True)(
            pyk_function("def f(v):\n    return (v, 1)\n", {}, "f")
        ),
    )
    out, again = np.zeros((2, *expected.shape), np.int32)
    kernel[1, 1, 0, 48](table, out, again)
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(again, expected)


def test_view_of_shared_memory_is_shared():
    @cuda.jit
    def k(out):
        tile = cuda.shared.array((2, 32), np.int32)
        i = cuda.threadIdx.x
        row = tile[1]
        row[::-1][i] = i
        cuda.syncthreads()
        out[i] = tile[1, i]

    out = np.zeros(32, np.int32)
    k[1, 32](out)
    assert out.tolist() == list(range(31, -1, -1))


# Functions and joins.


@cuda.jit(device=True)
def total(values):
    sum_ = 0.0
    for value in values:
        sum_ += value
    return sum_


@cuda.jit(device=True)
def halves(values):
    middle = len(values) // 2
    return values[:middle], values[middle:]


@cuda.jit(device=True)
def same(values):
    return values


@cuda.jit(device=True)
def every_other(values, first):
    if first < 0:
        return values[::-2]
    return values[first::2]


def test_views_in_device_functions():
    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            out[i, 0] = total(a[i])
            out[i, 1] = total(a[:, i])
            low, high = halves(a[i, ::-1])
            out[i, 2] = total(low)
            out[i, 3] = total(same(high))
            out[i, 4] = total(every_other(a[:, i], 1))
            out[i, 5] = total(every_other(a[i], -1)[1:])

    for order in "CF":
        a = np.array(np.arange(25.0).reshape(5, 5), order=order)
        out = np.zeros((5, 6))
        k[1, 32](a, out)
        back = a[:, ::-1]
        expected = [a.sum(1), a.sum(0), back[:, :2].sum(1), back[:, 2:].sum(1)]
        expected += [a[1::2].sum(0), a[:, 2::-2].sum(1)]
        np.testing.assert_array_equal(out, np.array(expected).T)


@pytest.mark.parametrize("which", range(5))
def test_variable_holds_one_of_several_arrays(which):
    weights = np.array([9.0, 8.0, 7.0, 6.0])

    @cuda.jit
    def k(a, which, out):
        shared = cuda.shared.array(4, np.float64)
        local = cuda.local.array(4, np.float64)
        for i in range(4):
            shared[i] = 10 * i
            local[i] = 100 * i
        if which == 0:
            x = a[1]
        elif which == 1:
            x = a[:, 1]
        elif which == 2:
            x = shared
        elif which == 3:
            x = local[::-1]
        else:
            x = cuda.const.array_like(weights)
        for i in range(4):
            out[i] = x[i]
        out[4] = total(x)
        y = shared if which == 2 else local
        y[1] = -1
        out[5] = y[1] + y[2]

    a, out = np.arange(16.0).reshape(4, 4), np.zeros(6)
    k[1, 1](a, which, out)
    expected = [
        a[1],
        a[:, 1],
        np.array([0, 10, 20, 30]),
        np.array([300, 200, 100, 0]),
        weights,
    ][which]
    assert out[:4].tolist() == expected.tolist()
    assert out[4] == expected.sum()
    assert out[5] == -1 + (20 if which == 2 else 200)


def test_view_carried_around_a_loop():
    @cuda.jit
    def k(a, out):
        rest = a
        n = 0
        while len(rest) > 1:
            rest = rest[1:] if n % 2 else rest[:-1]
            n += 1
        out[0] = rest[0]
        out[1] = n
        step = a
        for _ in range(2):
            step = step[::2]
        out[2] = len(step)
        out[3] = step[-1]

    a, out = np.arange(9.0), np.zeros(4)
    k[1, 1](a, out)
    assert out.tolist() == [4, 8, 3, 8]


def test_view_leaves_a_loop():
    @cuda.jit
    def k(a, limit, out):
        found = a[0]
        for row in a:
            if row[0] > limit:
                found = row[::-1]
                break
        out[0] = found[0]
        chosen = a[1] if limit > 5 else a[:, 0]
        for i, x in enumerate(chosen):
            if x > limit:
                chosen = chosen[i:]
                break
        else_ = chosen[0]
        out[1] = else_
        out[2] = len(chosen)

    a, out = np.arange(12.0).reshape(3, 4), np.zeros(3)
    k[1, 1](a, 3, out)
    assert out.tolist() == [7, 4, 2]
    k[1, 1](a, 6, out)
    assert out.tolist() == [11, 7, 1]


def test_readonly_wins():
    frozen = np.zeros(4)
    frozen.flags.writeable = False
    for body in ["a[1:][0] = 1", "x = a if n else b\nx[0] = 1", "a.T[0] = 1"]:
        with pytest.raises(
            pyk.CompileError,
            match=r"expects an array that can be written but got readonly "
            r"array\(float64, 1d, C\)",
        ):
            make(body, "a, b, n")[1, 1](frozen, np.zeros(4), 1)
