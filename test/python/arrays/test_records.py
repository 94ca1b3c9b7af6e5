# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records in kernels, with NumPy's structured arrays as the judge."""

import numpy as np
import pytest

from point_records import point, points
from pyk import cuda, types

NUMBERS = [
    "?",
    "i1",
    "i2",
    "i4",
    "i8",
    "u1",
    "u2",
    "u4",
    "u8",
    "f2",
    "f4",
    "f8",
]


BOTH = pytest.mark.parametrize(
    "align", [False, True], ids=["packed", "aligned"]
)


@BOTH
@pytest.mark.parametrize("code", NUMBERS)
def test_every_number(code, align):
    """Of each kind, at an odd place, read and written in both spellings."""
    dtype = np.dtype([("odd", "u1"), ("v", code), ("w", code)], align=align)

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i, 0] = a[i].v
            out[i, 1] = a[i]["w"]
            a[i].v = a[i].w
            a[i]["w"] = i + 1

    a = np.zeros(5, dtype)
    a["odd"] = 255
    a["v"], a["w"] = [0, 1, 0, 1, 1], [1, 1, 0, 0, 1]
    before = a.copy()
    out = np.zeros((5, 2), code)
    k[1, 8](a, out)
    np.testing.assert_array_equal(out[:, 0], before["v"])
    np.testing.assert_array_equal(out[:, 1], before["w"])
    np.testing.assert_array_equal(a["v"], before["w"])
    np.testing.assert_array_equal(a["w"], np.arange(1, 6).astype(code))
    assert a["odd"].tolist() == [255] * 5


@cuda.jit
def increase(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j].x += 1
            a[i, j]["n"] -= i + j
            a.y[i, j] *= 2


@BOTH
def test_shapes_and_strides(align):
    base = points(24, align).reshape(4, 6)
    for view in [
        lambda a: a,
        lambda a: a.T,
        lambda a: a[::2, ::-1],
        lambda a: a[1:, 1:3],
        np.asfortranarray,
        lambda a: np.broadcast_to(a[:1], (1, 6)).copy(),
        lambda a: a[:0],
    ]:
        a, expected = view(base.copy()), view(base.copy())
        increase[1, 1](a)
        rows, columns = np.indices(a.shape)
        expected["x"] += 1
        expected["n"] -= (rows + columns).astype("i2")
        expected["y"] *= 2
        np.testing.assert_array_equal(a, expected)


def test_records_at_odd_addresses():
    """The same dtype as elsewhere, with numbers that cannot be read whole."""
    memory = np.zeros(10 * 16 + 8, np.uint8)
    dtype = np.dtype([("x", "f8"), ("n", "i4"), ("m", "i4")])
    for offset in [0, 4, 1, 2]:
        a = memory[offset : offset + 160].view(dtype).reshape(2, 5)
        a["x"], a["n"] = 1.5, 7
        fields_of[1, 8](a[1])
        assert a["x"].tolist() == [[1.5] * 5, [3.0] * 5]
        assert a["m"][1].tolist() == [7] * 5
        memory[:] = 0


@cuda.jit
def fields_of(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i].x *= 2
        a[i].m = a[i].n


def test_unaligned_numbers():
    """A field of a packed array is an argument of its own."""

    @cuda.jit
    def k(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = x[i]
            x[i] = -x[i]

    a = points(6)
    out = np.zeros(6)
    for view in (a["y"], a["y"][::-1], a["x"]):
        expected = view.copy()
        k[1, 8](view, out)
        np.testing.assert_array_equal(out, expected)
        np.testing.assert_array_equal(view, -expected)


def test_a_record_is_a_reference():
    @cuda.jit
    def k(a):
        r = a[1]
        r.x = 3
        a[1].y = r.x + 1
        r["n"] = r[2] + r[-3]
        r[0] = 200
        if a.size > 1:
            r = a[0]
        r.tag = 9

    a = np.zeros(3, point(False))
    k[1, 1](a)
    assert a.tolist() == [(9, 0, 0, 0), (200, 3, 4, 7), (0, 0, 0, 0)]


@BOTH
def test_copies(align):
    @cuda.jit
    def k(a, b):
        a[0] = b[1]
        r = b[2]
        a[1] = r
        a[2:4] = b[3]
        a[4:] = b[:2]
        b[0] = b[0]

    a, b = np.zeros(6, point(align)), points(6, align)
    expected = a.copy()
    expected[0], expected[1], expected[2:4], expected[4:] = (
        b[1],
        b[2],
        b[3],
        b[:2],
    )
    before = b.copy()
    k[1, 1](a, b)
    np.testing.assert_array_equal(a, expected)
    np.testing.assert_array_equal(b, before)


def test_copy_between_alignments():
    """A record at an odd address is the same type of record."""

    @cuda.jit
    def k(a, b):
        a[0] = b[1]
        b[0] = a[1]

    dtype = np.dtype([("x", "f8"), ("n", "i4"), ("m", "i4")])
    a = np.ones(2, dtype)
    b = np.zeros(33, np.uint8)[1:].view(dtype)
    b["x"] = 5
    k[1, 1](a, b)
    assert a["x"].tolist() == [5, 1]
    assert b["x"].tolist() == [1, 5]


def test_every_byte_is_copied():
    """Fields that kernels cannot use, and what lies between fields."""
    dtype = np.dtype([("name", "S3"), ("raw", "V2"), ("x", "f8")], align=True)

    @cuda.jit
    def k(a, b):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = b[a.size - 1 - i]
            a[i].x += 1

    b = np.array([(b"abc", b"xy", 1), (b"d", b"zz", 2)], dtype)
    a = np.zeros(2, dtype)
    k[1, 8](a, b)
    assert a.tolist() == [(b"d", b"zz", 3), (b"abc", b"xy", 2)]


def test_fields_of_arrays_and_records():
    inner = np.dtype([("u", "i4"), ("v", "f8", 2)])
    dtype = np.dtype([("k", "u1"), ("m", "f4", (2, 3)), ("parts", inner, 2)])

    @cuda.jit
    def k(a, out):
        for i in range(a.size):
            r = a[i]
            for row in range(r.m.shape[0]):
                for column in range(r.m.shape[1]):
                    r.m[row, column] += row * 10 + column
            r.m[1] = r.m[0]
            for part in r.parts:
                part.u = part.u + len(part.v)
                part.v[1] = 2.5
            r.parts[1] = r.parts[0]
            a[i].parts[0].v[0] = i
            out[i] = a.m[i, 1, 2] + a["parts"].v[i, 1, 1] + a.parts.u[i, 0]
        a.m.T[2, 0, 0] = 100

    a = np.zeros(2, dtype)
    a["parts"]["u"] = [[1, 2], [3, 4]]
    out = np.zeros(2)
    k[1, 1](a, out)
    expected = [[0, 1, 100], [0, 1, 2]]
    assert a["m"][0].tolist() == expected
    assert a["m"][1].tolist() == [[0, 1, 2]] * 2
    assert a["parts"]["u"].tolist() == [[3, 3], [5, 5]]
    assert a["parts"]["v"].tolist() == [
        [[0, 2.5], [0, 2.5]],
        [[1, 2.5], [0, 2.5]],
    ]
    assert out.tolist() == [2 + 2.5 + 3, 2 + 2.5 + 5]


def test_views_of_fields():
    @cuda.jit
    def k(a, out):
        x, y = a.x, a["y"]
        out[0] = x.size + y.shape[0] * 10 + x.ndim * 100
        out[1] = x.strides[0]
        out[2] = a.itemsize + a.nbytes * 100
        y[1:] = x[:-1]
        a.n = 4
        a["tag"] = x
        for v in x[::2]:
            out[3] += v

    a = points(4)
    x = a["x"].copy()
    out = np.zeros(4)
    k[1, 1](a, out)
    assert out.tolist() == [144, 15, 15 + 6000, x[0] + x[2]]
    assert a["y"].tolist() == [2, *x[:3]]
    assert a["n"].tolist() == [4] * 4
    np.testing.assert_array_equal(a["tag"], x.astype("u1"))


def test_names_that_arrays_have():
    """Of one record fields come first, of an array its attributes."""
    dtype = np.dtype(
        [("size", "i4"), ("shape", "f4"), ("dtype", "i8"), ("T", "i1")]
    )

    @cuda.jit
    def k(a, out):
        out[0] = a[1].size + a[1].dtype + a[1].T
        out[1] = a[1].shape
        out[2] = a.size
        out[3] = a["size"][1] + a["shape"][1]
        a[0].size = 5
        r = a[1]
        r.T = -3

    a = np.array([(1, 1.5, 2, 3), (10, 10.5, 20, 30)], dtype)
    out = np.zeros(4)
    k[1, 1](a, out)
    assert out.tolist() == [60, 10.5, 2, 20.5]
    assert a["size"].tolist() == [5, 10]
    assert a["T"].tolist() == [3, -3]


NAME = "y"
TABLE = points(5, align=True)
ONE = TABLE[3]
PACKED = points(5)


def test_captured():
    field = "n"

    @cuda.jit
    def k(out):
        i = cuda.grid(1)
        if i < TABLE.size:
            constant = cuda.const.array_like(PACKED)
            out[i, 0] = TABLE[i].x + TABLE[NAME][i]
            out[i, 1] = constant[i][NAME] + constant[i][field]
            out[i, 2] = ONE.n + TABLE.shape[0]

    out = np.zeros((5, 3))
    k[1, 8](out)
    np.testing.assert_array_equal(out[:, 0], TABLE["x"] + TABLE["y"])
    np.testing.assert_array_equal(out[:, 1], PACKED["y"] + PACKED["n"])
    assert out[:, 2].tolist() == [ONE["n"] + 5] * 5


@BOTH
def test_memory_of_the_block_and_the_thread(align):
    dtype = point(align)
    declared = types.from_dtype(dtype)

    @cuda.jit
    def k(a, b):
        tile = cuda.shared.array(8, declared)
        scratch = cuda.shared.array(0, dtype)
        own = cuda.local.array((2, 2), a.dtype)
        t = cuda.threadIdx.x
        tile[t] = a[t]
        scratch[t].x = t
        own[1, 0] = a[t]
        own[1, 0].n = 50 + t
        cuda.syncthreads()
        b[t] = own[1, 0]
        b[t].y = tile[7 - t].y + scratch[7 - t].x

    a = points(8, align)
    b = np.zeros_like(a)
    k[1, 8, 0, 8 * dtype.itemsize](a, b)
    expected = a.copy()
    expected["n"] = 50 + np.arange(8)
    expected["y"] = a["y"][::-1] + np.arange(8)[::-1]
    np.testing.assert_array_equal(b, expected)


@cuda.jit(device=True)
def scale(r, factor):
    r.x *= factor
    return r.y * factor


@cuda.jit(device=True)
def nearer(a, b):
    if a.x < b.x:
        return a
    return b


@cuda.jit(device=True)
def total(xs):
    result = 0.0
    for x in xs:
        result += x
    return result


def test_device_functions():
    @cuda.jit
    def k(a, b, out):
        out[0] = scale(a[1], 3)
        nearer(a[0], b[0]).n = 77
        nearer(a[2], b[0])["n"] = 88
        out[1] = total(a.x) + total(b["y"][1:])
        own = cuda.local.array(1, a.dtype)
        own[0] = a[1]
        out[2] = scale(own[0], 2)
        out[3] = own[0].x

    a, b = points(3), points(3, True)
    b["x"] = 5
    b = b.astype(a.dtype)
    expected = a.copy()
    out = np.zeros(4)
    k[1, 1](a, b, out)
    expected["x"][1] *= 3
    expected["n"][0] = 77
    assert out[0] == expected["y"][1] * 3
    assert out[1] == expected["x"].sum() + b["y"][1:].sum()
    assert out[2:].tolist() == [expected["y"][1] * 2, expected["x"][1] * 2]
    np.testing.assert_array_equal(a, expected)
    assert b["n"].tolist() == [88, 6, 9]


def test_choices_and_loops():
    @cuda.jit
    def k(a, b, out):
        best = a[0]
        for r in a:
            if r.x > best.x:
                best = r
        out[0] = best.x
        other = b[0] if best.x > 3 else a[0]
        other.tag = 255
        for i, (p, q) in enumerate(zip(a, b)):
            p.n = q.n + i
        p, q = a[1:]
        out[1] = p.x + q.x

    a, b = points(3), points(3)
    out = np.zeros(2)
    k[1, 1](a, b, out)
    assert out.tolist() == [7, 4 + 7]
    assert b["tag"].tolist() == [255, 3, 6]
    assert a["n"].tolist() == [3, 7, 11]


def test_fields_that_overlap():
    dtype = np.dtype(
        {"names": ["whole", "low", "high"], "formats": ["u4", "u2", "u2"],
         "offsets": [0, 0, 2]}
    )  # fmt: skip

    @cuda.jit
    def k(a):
        a[0].low = 0x5678
        a[0].high = a[0].low + 1

    a = np.zeros(1, dtype)
    k[1, 1](a)
    assert a["whole"][0] == 0x56795678


def test_waiting_for_a_field():
    """A thread that looks at one field of a record while others change."""

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i == 0:
            turns = 0
            while a[0].flag == 0:
                a[0].count = turns
                turns += 1
            out[0] = a[0].value
        elif i == 1:
            a[0].value = 5
            a[0].flag = 1

    a = np.zeros(1, [("flag", "i4"), ("value", "i4"), ("count", "i4")])
    out = np.zeros(1)
    k[1, 2](a, out)
    assert out[0] == 5


def test_waiting_for_a_copied_record():
    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        if i == 0:
            turns = 0
            while a[0].flag == 0:
                turns += 1
            out[0] = a[0].value
        elif i == 1:
            a[0] = b[0]

    dtype = [("flag", "i4"), ("value", "i4")]
    a, out = np.zeros(1, dtype), np.zeros(1)
    k[1, 2](a, np.array([(1, 6)], dtype), out)
    assert out[0] == 6


def test_waiting_for_a_copy():
    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i == 0:
            own = cuda.local.array(1, a.dtype)
            own[0] = a[0]
            while own[0].flag == 0:
                own[0] = a[0]
            out[0] = own[0].value
        elif i == 1:
            a[0].value = 7
            a[0].flag = 1

    a, out = np.zeros(1, [("flag", "i4"), ("value", "i4")]), np.zeros(1)
    k[1, 2](a, out)
    assert out[0] == 7


@cuda.jit
def as_other(a, out):
    pair = a.view(PAIR)
    bits = pair.view(np.uint32)
    out[0] = pair.size * 100 + bits.shape[0]
    out[1] = bits[3]
    out[2] = bits.view(np.uint8)[5] + a.view(np.int64)[0]
    pair[1].y = 2.5
    pair[0].x = a.view(np.uint16)[2]


PAIR = np.dtype([("x", "f4"), ("y", "f4")])


def test_views_as_other_elements():
    """In any memory, with NumPy as the judge."""

    def expect(a):
        out = np.zeros(3)
        pair = a.view(PAIR)
        bits = pair.view(np.uint32)
        out[0] = pair.size * 100 + bits.shape[0]
        out[1] = bits[3]
        out[2] = bits.view(np.uint8)[5] + a.view(np.int64)[0]
        pair["y"][1] = 2.5
        pair["x"][0] = a.view(np.uint16)[2]
        return out

    for dtype in ("f8", "u1", "i8", "f4"):
        a = np.frombuffer(bytes(range(1, 65)), np.uint8).copy().view(dtype)
        expected = a.copy()
        out = np.zeros(3)
        as_other[1, 1](a, out)
        np.testing.assert_array_equal(out, expect(expected))
        np.testing.assert_array_equal(a.view("u1"), expected.view("u1"))


def test_views_of_the_same_size():
    @cuda.jit
    def k(a, out):
        bits = a.view(np.uint32)
        for i in range(bits.shape[0]):
            for j in range(bits.shape[1]):
                out[i, j] = bits[i, j]
        scratch = cuda.shared.array(2, np.float64)
        scratch.view(np.int64)[1] = 1 << 62
        out[0, 0] = np.uint32(scratch[1])

    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    for view in (a, a.T, a[::-1, ::2]):
        out = np.zeros(view.shape, np.uint32)
        k[1, 1](view, out)
        expected = view.copy().view(np.uint32)
        expected[0, 0] = 2
        np.testing.assert_array_equal(out, expected)
