# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views of arrays: what an index selects, with NumPy as the judge.

Kernels are made from the text of an index. What they see of a view (elements,
shape, strides) has to be what NumPy makes of the same text.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pyk
from assembly import CHIPS
from pyk import _core, _frontend, cuda
from pyk._functions import HostFunction


def make(body, parameters, **names):
    """A kernel with `body`, a text without indentation."""
    lines = "\n    ".join(body.strip("\n").split("\n"))
    source = f"def kernel({parameters}):\n    {lines}\n"
    return cuda.jit(pyk_function(source, names))


def pyk_function(source, names, name="kernel"):
    import linecache

    file = f"<view {next(pyk_function.numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope = {"cuda": cuda, "np": np} | names
    exec(compile(source, file, "exec"), scope)
    return scope[name]


pyk_function.numbers = itertools.count()


def look(view, a, **names):
    """What a kernel sees of the view that the text `view` makes of `a`."""
    expected = eval(view, {"a": a, "np": np} | names)
    rank = np.ndim(expected)
    body = f"view = {view}\nout[...] = view\n"
    for n in range(rank):
        body += f"sizes[{n}] = view.shape[{n}]\n"
        body += f"sizes[{rank + n}] = view.strides[{n}]\n"
    out = np.full(np.shape(expected), -1, a.dtype)
    sizes = np.zeros(2 * rank + 1, np.int64)
    make(body, "a, out, sizes", **names)[1, 1](a, out, sizes)
    np.testing.assert_array_equal(out, expected)
    assert tuple(sizes[:rank]) == np.shape(expected)
    # NumPy does not care for strides that lead nowhere; nor do we.
    for n in range(rank):
        if np.size(expected) and expected.shape[n] > 1:
            assert sizes[rank + n] == expected.strides[n], n


def sources(rank):
    """Arrays of each layout, with strides of every sort."""
    shape = (3, 4, 2, 3, 2, 2)[:rank]
    size = int(np.prod(shape))
    base = np.arange(1.0, 1.0 + size)
    yield base.reshape(shape)
    yield base.reshape(shape, order="F")
    wide = np.arange(float(size * 2**rank)).reshape([2 * n for n in shape])
    yield wide[(slice(None, None, -2),) * rank]


# Indices by the rank of what they index.
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


@st.composite
def items_of(draw, extent):
    """One item of an index into a dimension; perhaps None before it."""
    bound = st.integers(-extent - 1, extent + 1).map(str) | st.just("")
    low, high = draw(bound), draw(bound)
    kinds = [":", f"{low}:{high}"]
    kinds += [f"{low}:{high}:{step}" for step in (-2, -1, 1, 2)]
    if extent:
        kinds += [str(draw(st.integers(-extent, extent - 1)))] * 3
    item = draw(st.sampled_from(kinds))
    return f"None, {item}" if draw(st.integers(0, 5)) == 0 else item


@st.composite
def chains(draw):
    """A shape and up to three indices, one after the other."""
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    array, indices = np.zeros(shape), []
    for _ in range(draw(st.integers(1, 3))):
        if not array.ndim:
            break
        left = draw(st.integers(0, array.ndim))
        right = draw(st.integers(0, array.ndim - left))
        extents = array.shape
        items = [draw(items_of(extent)) for extent in extents[:left]]
        if right or draw(st.booleans()):
            items.append("...")
        items += [draw(items_of(n)) for n in extents[array.ndim - right :]]
        indices.append(f"[{', '.join(items) or '()'}]")
        array = eval(f"array{indices[-1]}")
        if array.ndim and draw(st.integers(0, 3)) == 0:
            indices.append(".T")
            array = array.T
    return shape, indices


@settings(max_examples=100, deadline=None, derandomize=True)
@given(chains(), st.sampled_from("CFA"))
def test_views_of_views(chain, layout):
    shape, indices = chain
    size = int(np.prod(shape))
    a = np.arange(2.0 * size)[::2].reshape(shape)
    if layout != "A":
        a = np.array(a, order=layout)
    else:
        a = np.repeat(a, 2, axis=0)[::2]
    look("a" + "".join(indices), a)


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


# Stores.

STORES = [
    ("a[1] = 7", ()),
    ("a[:, 1] = 2.5", ()),
    ("a[::2, ::-1] = 3", ()),
    ("a[...] = -1", ()),
    ("a[:] = b", (3, 4)),
    ("a[:] = b", (4,)),
    ("a[:] = b", (1, 4)),
    ("a[:] = b", (3, 1)),
    ("a[:] = b", (1, 1)),
    ("a[:] = b", (1,)),
    ("a[1:, 2:] = b[::-1]", (2, 2)),
    ("a[0] = b[:, 1]", (4, 2)),
    ("a[None] = b", (1, 3, 4)),
    ("a[1:1] = b", (1, 4)),
    ("a[0], a[2] = 1, 2", ()),
    ("a[0, 0], a[0, 1] = a[0, 1], a[0, 0]", ()),
    ("a[:, 0], a[1] = b[0], 5", (2, 3)),
    ("a.T[1] = b", (3,)),
    ("a.fill(4)", ()),
    ("a[1:, ::2].fill(4)", ()),
    ("a.reshape(12)[3:5] = 8", ()),
]


@pytest.mark.parametrize(("statement", "shape"), STORES)
@pytest.mark.parametrize("dtype", [np.float64, np.int16])
def test_store(statement, shape, dtype):
    b = np.arange(100.0, 100.0 + np.prod(shape)).reshape(shape)
    a = np.arange(12).reshape(3, 4).astype(dtype)
    expected = a.copy()
    exec(statement, {"a": expected, "b": b})
    make(statement, "a, b")[1, 1](a, b)
    np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("rank", [1, 2, 3, 6])
def test_store_in_any_layout(rank):
    """Whole arrays are copied whatever the strides of either are."""
    kernel = make("b[...] = a", "a, b")
    for a in sources(rank):
        for target in sources(rank):
            b = target.copy("K")
            kernel[1, 1](a, b)
            np.testing.assert_array_equal(b, a)


# Iteration and unpacking.


def test_iteration():
    @cuda.jit
    def k(a, out):
        n = 0
        for row in a:
            for x in row[::-1]:
                if x < 0:
                    continue
                if x > 50:
                    break
                out[n] = x
                n += 1
        for x in (1, 2, 3):
            out[n] = x
            n += 1
        for x in a[0, :0]:
            out[n] = x
        for extent in a.shape:
            out[n] = extent
            n += 1

    for order in "CF":
        a = np.array([[1, -2, 60, 4], [5, 6, -7, 99]], float, order=order)
        out = np.zeros(9)
        k[1, 1](a, out)
        assert out.tolist() == [4, 1, 2, 3, 2, 4, 0, 0, 0]


def test_enumerate_and_zip():
    @cuda.jit
    def k(a, b, n, out):
        j = 0
        for i, x in enumerate(a[0]):
            out[j] = 10 * i + x
            j += 1
        for i, row in enumerate(a, 5):
            out[j] = 10 * i + row[1]
            j += 1
        for x, y in zip(a[1], b):
            out[j] = x * y
            j += 1
        for i, (x, y, z) in enumerate(
            zip(range(7, -7, -3), b[::-1], range(np.int32(n)))
        ):
            out[j] = 1000 * i + 100 * x + 10 * y + z
            j += 1
        for x, y in zip(range(n), (2.5, 3.5, 4.5, 5.5)):
            out[j] = x + y
            j += 1
        out[j] = -1

    a, b, n = np.arange(6.0).reshape(2, 3), np.array([7.0, 8.0]), 3
    out = np.zeros(20)
    k[1, 1](a, b, n, out)
    expected = [10 * i + x for i, x in enumerate(a[0])]
    expected += [10 * i + row[1] for i, row in enumerate(a, 5)]
    expected += [x * y for x, y in zip(a[1], b)]
    both = zip(range(7, -7, -3), b[::-1], range(n))
    for i, (x, y, z) in enumerate(both):
        expected.append(1000 * i + 100 * x + 10 * y + z)
    expected += [x + y for x, y in zip(range(n), (2.5, 3.5, 4.5, 5.5))]
    assert out[: len(expected) + 1].tolist() == [*expected, -1]


def test_tuple_of_arrays():
    @cuda.jit
    def k(a, b, n, out):
        own = cuda.local.array(2, np.float64)
        tile = cuda.shared.array(3, np.float64)
        own[:] = 1
        tile[:] = 2
        out[0] = (a, b)[n][1]
        out[1] = (own, tile)[n][1]
        i = 2
        for array in (own, tile, a):
            out[i] = len(array) * array[0]
            i += 1

    a, b, out = np.arange(3.0, 7), np.arange(10.0, 14), np.zeros(5)
    k[1, 1](a, b, 1, out)
    assert out.tolist() == [11, 2, 2, 6, 12]


def test_return_from_iteration():
    @cuda.jit(device=True)
    def find(values, wanted):
        n = 0
        for value in values:
            if value == wanted:
                return n
            n += 1
        return -1

    @cuda.jit
    def k(a, out):
        out[0] = find(a[1], 6)
        out[1] = find(a[:, 1], 9)
        out[2] = find(a[0], 77)

    a, out = np.arange(12.0).reshape(3, 4), np.zeros(3)
    k[1, 1](a, out)
    assert out.tolist() == [2, 2, -1]


def test_unpacking():
    @cuda.jit
    def k(a, out):
        x, y = a[1, :2]
        p, q = a
        out[0] = x
        out[1] = y
        out[2] = p[3]
        out[3] = q[0]
        (out[4], out[5]), out[6] = a[0, 1:3], 7
        rest = a.shape[1:]
        first = a.shape[:-1]
        out[7] = rest[0] * 10 + first[0] + len(a.shape[::-1])

    a, out = np.arange(8.0).reshape(2, 4), np.zeros(8)
    k[1, 1](a, out)
    assert out.tolist() == [4, 5, 3, 4, 1, 2, 7, 44]


# Attributes and methods.

METHODS = [
    "a.T",
    "a.transpose()",
    "a.transpose(2, 0, 1)",
    "a.transpose((1, 0, 2))",
    "a.transpose(0, -1, 1)",
    "a.real",
    "a.T.T",
    "a.T[1]",
    "a[1].T",
    "a.T[::2, 1:, ::-1]",
]
CONTIGUOUS = [
    "a.reshape(24)",
    "a.reshape(-1)",
    "a.reshape((4, 6))",
    "a.reshape(4, -1)",
    "a.reshape((-1, 2, 3))",
    "a.reshape(a.shape[2], a.size // a.shape[2])",
    "a.ravel()",
    "a.flat[5]",
    "a[1].reshape(-1)",
    "a[1:].ravel()",
    "a[1, 2].reshape(2, 1)",
    "a.reshape(24)[3:9].reshape(2, 3)",
    "a[1].T.T.ravel()",
]


@pytest.mark.parametrize("view", METHODS)
def test_method(view):
    for a in sources(3):
        look(view, a)


@pytest.mark.parametrize("view", CONTIGUOUS)
def test_method_of_contiguous_array(view):
    look(view, next(sources(3)))


def test_sizes_of_views():
    @cuda.jit
    def k(a, out):
        v = a[1:, ::2]
        out[0] = v.size
        out[1] = v.ndim
        out[2] = v.itemsize
        out[3] = v.nbytes
        out[4] = len(v)
        out[5] = v.strides[1]
        out[6] = a[2:, 1:2].item()
        out[7] = v.dtype(2.75)

    a, out = np.arange(12, dtype=np.int16).reshape(3, 4), np.zeros(8)
    k[1, 1](a, out)
    assert out.tolist() == [4, 2, 2, 8, 2, 4, 9, 2]


# A name for a part of an array costs nothing.

PAIRS = {
    "row": (
        "row = a[i]\nout[i, j] = row[j] * 2",
        "out[i, j] = a[i, j] * 2",
    ),
    "column": (
        "column = a[:, j]\nout[i, j] = column[i] * 2",
        "out[i, j] = a[i, j] * 2",
    ),
    "store": ("out[i][j] = a[i, j]", "out[i, j] = a[i, j]"),
    "transposed": ("t = a.T\nout[i, j] = t[j, i]", "out[i, j] = a[i, j]"),
    "row of a row": (
        "out[i, j] = a[None, i][0, j]",
        "out[i, j] = a[i, j]",
    ),
    "loop": (
        "s = 0.0\nrow = a[i]\nfor k in range(row.size):\n    s += row[k]\n"
        "out[i, j] = s",
        "s = 0.0\nfor k in range(a.shape[1]):\n    s += a[i, k]\nout[i, j] = s",
    ),
    "iteration": (
        "s = 0.0\nfor x in a[i]:\n    s += x\nout[i, j] = s",
        "s = 0.0\nfor k in range(a.shape[1]):\n    s += a[i, k]\nout[i, j] = s",
    ),
    "function": (
        "out[i, j] = first(a[i]) + a[i, j]",
        "out[i, j] = a[i, 0] + a[i, j]",
    ),
}


def instructions(body, layout):
    """The instructions of a kernel's PTX, without their registers."""
    source = "def kernel(a, out):\n    i, j = cuda.grid(2)\n    "
    source += "\n    ".join(body.split("\n")) + "\n"
    first = cuda.jit(device=True)(
        pyk_function("def f(v):\n    return v[0]\n", {}, "f")
    )
    function = pyk_function(source, {"first": first})
    array = f"!pyk.array<?x?xf32, {layout}>"
    buffer = _frontend.build(HostFunction(function), [array, array])
    kernel = _core.compile(
        source=buffer, target="cuda", chip=CHIPS[0], emit="ptx"
    )
    lines = [line.strip() for line in kernel.emitted.splitlines()]
    return sorted(line.split()[0] for line in lines if line.endswith(";"))


@pytest.mark.parametrize("layout", ["c", "f", "any"])
@pytest.mark.parametrize("name", PAIRS)
def test_view_costs_no_instruction(name, layout):
    view, plain = (instructions(body, layout) for body in PAIRS[name])
    assert view == plain
