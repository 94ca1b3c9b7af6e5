# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA's vectors of numbers: made, taken apart, computed with, in memory."""

import itertools

import numpy as np
import pytest

from pyk import cuda, types
from pyk.cuda import vector_types

VECTORS = vector_types.vector_types
LENGTHS = (1, 2, 3, 4)

#: What CUDA's headers say of sizes and alignments.
ALIGNMENTS = {
    "int8x1": 1,
    "uint8x2": 2,
    "int8x3": 1,
    "uint8x4": 4,
    "int16x2": 4,
    "uint16x4": 8,
    "int32x1": 4,
    "float32x2": 8,
    "float32x3": 4,
    "float32x4": 16,
    "int64x1": 8,
    "float64x2": 16,
    "float64x3": 8,
    "uint64x4": 16,
}


def test_names():
    assert len(VECTORS) == 40
    assert cuda.float4 is cuda.float32x4 is VECTORS["float32x4"]
    assert cuda.longlong2 is cuda.long2 is cuda.int64x2
    assert cuda.uchar3 is cuda.uint8x3
    assert cuda.double1.aliases == ("double1",)
    for name, vector in VECTORS.items():
        assert repr(vector) == name
        assert all(getattr(cuda, alias) is vector for alias in vector.aliases)


@pytest.mark.parametrize("name", VECTORS)
def test_numbers_and_components(name):
    vector = VECTORS[name]
    base, count = vector.base_type, vector.num_elements

    @cuda.jit
    def k(a, out):
        if count == 1:
            v = vector(a[0])
        elif count == 2:
            v = vector(a[0], a[1])
        elif count == 3:
            v = vector(a[0], a[1], a[2])
        else:
            v = vector(a[0], a[1], a[2], a[3])
        out[0] = v.x
        if count > 1:
            out[1] = v.y
        if count > 2:
            out[2] = v.z
        if count > 3:
            out[3] = v.w

    # What has to be converted shows that it is.
    a = np.array([1.75, 2, -3, 100])
    if not base.name.startswith("u"):
        a[3] = -100
    else:
        a[2] = 3
    out = np.zeros(4)
    k[1, 1](a, out)
    expected = np.zeros(4)
    expected[:count] = a[:count].astype(base.dtype)
    assert out.tolist() == expected.tolist()


def _argument(count, place):
    """So many components: a number, or a vector of numbers from a place on."""
    numbers = [f"a[{place + i}]" for i in range(count)]
    return (
        f"cuda.int16x{count}({', '.join(numbers)})" if count > 1 else numbers[0]
    )


@pytest.mark.parametrize("length", LENGTHS)
def test_all_mixtures(length):
    """Numbers and vectors in each order that adds up."""
    orders = [
        order
        for parts in range(1, length + 1)
        for order in itertools.product(LENGTHS, repeat=parts)
        if sum(order) == length
    ]
    assert len(orders) == 2 ** (length - 1)
    for order in orders:
        places = itertools.accumulate(order, initial=0)
        arguments = ", ".join(
            _argument(count, place)
            for count, place in zip(order, places, strict=False)
        )
        components = "".join(
            f"    out[{i}] = v.{'xyzw'[i]}\n" for i in range(length)
        )
        scope = {"cuda": cuda}
        exec(
            f"def k(a, out):\n    v = cuda.int16x{length}({arguments})\n"
            + components,
            scope,
        )
        a, out = np.arange(5, 5 + length), np.zeros(length, np.int16)
        cuda.jit(scope["k"])[1, 1](a, out)
        assert out.tolist() == a.tolist(), order


def test_vectors_of_other_numbers_are_converted():
    @cuda.jit
    def k(out):
        whole = cuda.int32x3(cuda.float32x2(1.9, -2.9), True)
        out[0], out[1], out[2] = whole.x, whole.y, whole.z

    out = np.zeros(3)
    k[1, 1](out)
    assert out.tolist() == [1, -2, 1]


def test_arithmetic():
    @cuda.jit
    def k(out):
        a, b = cuda.float2(1, 2), cuda.float2(8, 0.5)
        for n, v in enumerate(
            (a + b, a - b, a * b, a / b, 2 * a, a / 4, 1 - a, -a, +a)
        ):
            out[n, 0], out[n, 1] = v.x, v.y
        v = a
        for _ in range(3):
            v += b
        v *= 2
        out[9, 0], out[9, 1] = v.x, v.y
        # The other value is as it was.
        out[10, 0], out[10, 1] = a.x, a.y

    out = np.zeros((11, 2), np.float32)
    k[1, 1](out)
    assert out.tolist() == [
        [9, 2.5],
        [-7, 1.5],
        [8, 1],
        [0.125, 4],
        [2, 4],
        [0.25, 0.5],
        [0, -1],
        [-1, -2],
        [1, 2],
        [50, 7],
        [1, 2],
    ]


def test_integers_wrap_in_their_type():
    @cuda.jit
    def k(out):
        v = cuda.uchar2(200, 3) + cuda.uchar2(100, 4)
        w = -cuda.short2(-32768, 5)
        u = 3 * cuda.uint1(0x80000001)
        out[0], out[1], out[2], out[3], out[4] = v.x, v.y, w.x, w.y, u.x

    out = np.zeros(5, np.int64)
    k[1, 1](out)
    assert out.tolist() == [44, 7, -32768, -5, 0x80000003]


def test_a_multiplication_and_an_addition_are_one():
    def k(a, out):
        v = cuda.float4(a[0], a[1], a[2], a[3]) * a[4] + 1
        out[0] = v.x + v.y + v.z + v.w

    ptx, _ = cuda.compile_ptx(k, (types.float32[::1],) * 2, cc=(9, 0))
    assert ptx.count("fma.rn.f32") == 4


def test_choices_functions_and_tuples():
    @cuda.jit(device=True)
    def swapped(v, is_double=False):
        w = cuda.double2(v.y, v.x)
        if is_double:
            return w + w
        return w

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        v = cuda.double2(a[i], 1)
        w = swapped(v) if a[i] > 1 else swapped(v, True)
        for u in (v, w):
            out[i, 0] += u.x
            out[i, 1] += u.y
        if w.x == 2:
            v = w
        out[i, 2] = v.x

    a, out = np.arange(4.0), np.zeros((4, 3))
    k[1, 4](a, out)
    assert out.tolist() == [[2, 1, 2], [3, 3, 2], [3, 3, 2], [4, 4, 3]]


@pytest.mark.parametrize("name", ALIGNMENTS)
def test_arrays_of_a_thread_and_of_a_block(name):
    vector = VECTORS[name]
    alignment = ALIGNMENTS[name]
    size = vector.dtype.itemsize

    @cuda.jit
    def places(out):
        own = cuda.local.array(3, vector)
        byte = cuda.shared.array(3, np.int8)
        both = cuda.shared.array(4, vector)
        byte[0] = 1
        out[0] = own.ctypes.data % alignment
        out[1] = both.ctypes.data % alignment
        out[2] = both[1:].ctypes.data - both.ctypes.data

    out = np.ones(3, np.int64)
    places[1, 1](out)
    assert out.tolist() == [0, 0, size]
    assert size == vector.num_elements * vector.base_type.dtype.itemsize


@pytest.mark.parametrize("block", [32, 33, 1])
def test_values_go_through_shared_memory(block):
    @cuda.jit
    def k(a, out):
        shared = cuda.shared.array(64, cuda.float32x4)
        i = cuda.grid(1)
        t = cuda.threadIdx.x
        if i < a.size // 4:
            shared[t] = a.view(cuda.float32x4)[i]
        else:
            shared[t] = cuda.float32x4(-1, -1, -1, -1)
        cuda.syncthreads()
        other = cuda.blockDim.x - 1 - t
        out.view(cuda.float32x4)[i] = shared[other]

    threads = 3 * block
    a = np.arange(4 * (threads - 1), dtype=np.float32)
    out = np.zeros(4 * threads, np.float32)
    k[3, block](a, out)
    whole = np.full((threads, 4), -1, np.float32)
    whole[:-1] = a.reshape(-1, 4)
    expected = whole.reshape(3, block, 4)[:, ::-1].reshape(-1)
    np.testing.assert_array_equal(out, expected)


def test_views_of_unaligned_numbers():
    @cuda.jit
    def k(a, out):
        v = a.view(cuda.int2)
        i = cuda.grid(1)
        if i < v.size:
            out[i] = 10 * v[i].x + v[i].y

    a, out = np.arange(9, dtype=np.int32)[1:], np.zeros(5)
    k[1, 8](a, out)
    assert out.tolist() == [12, 34, 56, 78, 0]


def test_slices_fill_and_loops():
    @cuda.jit
    def k(out):
        a = cuda.local.array(4, cuda.short2)
        a.fill(cuda.short2(1, 2))
        a[1:3] = cuda.short2(5, 6)
        a[3] = a[1] + a[0]
        for n, v in enumerate(a):
            out[n, 0], out[n, 1] = v.x, v.y

    out = np.zeros((4, 2))
    k[1, 1](out)
    assert out.tolist() == [[1, 2], [5, 6], [5, 6], [6, 8]]


def test_arrays_of_the_host_are_of_records():
    @cuda.jit
    def k(a, b):
        i = cuda.grid(1)
        if i < a.size:
            v = cuda.float32x4(a[i])
            a[i] = v * v
            b[i].y = cuda.float32x2(b[i]).x + v.w
            b[i]["x"] = 7

    a, b = np.zeros(5, cuda.float32x4), np.ones(5, cuda.float32x2.dtype)
    for n, name in enumerate("xyzw"):
        a[name] = np.arange(5) + n
    device = cuda.to_device(a)
    k[1, 8](device, b)
    found = device.copy_to_host()
    for n, name in enumerate("xyzw"):
        assert found[name].tolist() == [(i + n) ** 2 for i in range(5)]
    assert b["x"].tolist() == [7] * 5
    assert b["y"].tolist() == [1 + i + 3 for i in range(5)]


def test_on_the_host():
    v = cuda.float32x3(1, 2, 3)
    assert (v["x"], v["z"], v.dtype.itemsize) == (1, 3, 12)
    with pytest.raises(TypeError, match="float32x3 expects 3 components but"):
        cuda.float32x3(1, 2)

    @cuda.jit
    def k(v, out):
        out[0] = v.x + v.z

    out = np.zeros(1)
    k[1, 1](v, out)
    assert out[0] == 4


def moved(a, out):
    i = cuda.grid(1)
    v = a.view(cuda.float32x4)
    if i < v.size:
        out.view(cuda.float32x4)[i] = v[i] + v[i]


def test_an_aligned_access_is_one():
    @cuda.jit
    def k(out):
        shared = cuda.shared.array(64, cuda.float64x2)
        t = cuda.threadIdx.x
        shared[t] = cuda.float64x2(t, 2)
        cuda.syncthreads()
        v = shared[63 - t]
        out[t] = v.x + v.y

    ptx, _ = cuda.compile_ptx(k.py_func, (types.float64[::1],), cc=(9, 0))
    assert "st.shared.v2.b64" in ptx
    assert "ld.shared.v2.b64" in ptx
    # What only a launch knows is not taken for granted.
    arguments = (types.float32[::1],) * 2
    ptx, _ = cuda.compile_ptx(moved, arguments, cc=(9, 0))
    assert "ld.global.v4" not in ptx
    assert ptx.count("ld.global.b32") == 4
