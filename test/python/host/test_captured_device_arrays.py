# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device arrays that kernels find by name: in globals and closures."""

import gc
import pickle
import re
import weakref

import numpy as np
import pytest

import pyk
from pyk import cuda, vectorize

TABLE = cuda.to_device(np.arange(6.0))


@cuda.jit(device=True)
def entry(i):
    return TABLE[i]


@cuda.jit
def reads_global(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = TABLE[i] + 10 * entry(i)


def test_global():
    out = np.zeros(6)
    reads_global[1, 8](out)
    np.testing.assert_array_equal(out, 11 * np.arange(6))


def test_memory_is_shared():
    there = cuda.to_device(np.zeros(3))

    @cuda.jit
    def writes(x):
        i = cuda.threadIdx.x
        cuda.atomic.add(there, i, x)

    @cuda.jit
    def reads(out):
        out[cuda.threadIdx.x] = there[cuda.threadIdx.x]

    out = np.zeros(3)
    for turn in (1, 2):
        writes[1, 3](turn)
        reads[1, 3](out)
        np.testing.assert_array_equal(out, turn * (turn + 1) / 2)
    there.copy_to_device(np.full(3, 7.0))
    reads[1, 3](out)
    np.testing.assert_array_equal(out, 7)
    np.testing.assert_array_equal(there.copy_to_host(), 7)


@pytest.mark.parametrize(
    "host",
    [
        np.arange(6, dtype=np.int16).reshape(2, 3),
        np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
        np.arange(6, dtype=np.complex64).reshape(2, 3),
        np.array([[True, False, True], [False, True, True]]),
    ],
)
def test_kinds(host):
    there = cuda.to_device(host)

    @cuda.jit
    def k(out):
        for i in range(2):
            for j in range(there.shape[1]):
                out[i, j] = there[i, j]

    out = np.zeros((2, 3), host.dtype)
    k[1, 1](out)
    np.testing.assert_array_equal(out, host)


def test_views():
    there = cuda.to_device(np.arange(12).reshape(3, 4))
    column, nothing = there[:, 1], there[:, 4:]
    single = there[1:2, 1:2]

    @cuda.jit
    def k(out):
        for i in range(column.size):
            out[i] = column[i]
        out[3] = column.strides[0]
        out[4] = nothing.size + single[0, 0]
        out[5] = TABLE.sum()

    out = np.zeros(6, np.int64)
    k[1, 1](out)
    assert list(out) == [1, 5, 9, 32, 5, 15]


def test_no_dimensions():
    there = cuda.to_device(np.array(5.0))

    @cuda.jit
    def k(out):
        out[0] = there[()]

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 5


def test_records():
    host = np.array([(1, 2.5), (3, 4.5)], [("n", np.int32), ("x", np.float64)])
    there = cuda.to_device(host)

    @cuda.jit
    def k(out):
        out[0] = there[1].n + there[1].x

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 7.5


class Foreign:
    """What another library may have."""

    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


def test_array_of_another_library():
    there = Foreign(cuda.to_device(np.arange(3.0)))

    @cuda.jit
    def k(out):
        out[0] = there[2]

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 2


def test_is_kept():
    names = {"there": cuda.to_device(np.arange(3.0))}
    alive = weakref.ref(names["there"])
    exec("def k(out):\n    out[0] = there[2]", names)
    k = cuda.jit(names["k"])
    out = np.zeros(1)
    k[1, 1](out)
    names["there"] = None
    gc.collect()
    assert alive() is not None
    k[1, 1](out)
    assert out[0] == 2
    del k, names
    gc.collect()
    assert alive() is None


def test_indices_are_checked():
    @cuda.jit(debug=True)
    def k(n, out):
        out[0] = TABLE[n]

    out = np.zeros(1)
    with pytest.raises(IndexError, match="axis 0 of 'TABLE' with size 6"):
        k[1, 1](6, out)


def test_readonly():
    host = np.arange(3.0)
    host.flags.writeable = False
    mapped = Foreign(cuda.to_device(host))
    mapped.__cuda_array_interface__ = {
        **mapped.__cuda_array_interface__,
        "data": (mapped.array.__cuda_array_interface__["data"][0], True),
    }

    @cuda.jit
    def k(out):
        mapped[0] = out[0]

    with pytest.raises(pyk.CompileError, match="mapped"):
        k[1, 1](np.zeros(1))


def test_element_that_kernels_do_not_have():
    there = cuda.to_device(np.zeros(3, np.longdouble))

    @cuda.jit
    def k(out):
        out[0] = there[0]

    with pytest.raises(
        pyk.CompileError,
        match="'there' is of type .*DeviceNDArray of dtype .*128, which a",
    ):
        k[1, 1](np.zeros(1))


def test_is_not_pickled():
    there = cuda.to_device(np.zeros(3))

    @cuda.jit
    def k(out):
        out[0] = there[0]

    with pytest.raises(
        pickle.PicklingError,
        match="cannot pickle a function that captures a device array; pass the "
        "array as an argument",
    ):
        pickle.dumps(k)
    # A module's function goes by its name.
    assert pickle.loads(pickle.dumps(reads_global)) is reads_global


def test_ptx_has_the_address():
    address = TABLE.__cuda_array_interface__["data"][0]
    ptx, _ = cuda.compile_ptx(reads_global.py_func, "void(float64[::1])")
    numbers = set(map(int, re.findall(r"\b\d+\b", ptx)))
    assert any(address <= number < address + 48 for number in numbers)


def test_rebinding_is_not_seen():
    first = there = cuda.to_device(np.arange(3.0))

    @cuda.jit
    def k(out):
        out[0] = there[2]

    out = np.zeros(1)
    k[1, 1](out)
    there = cuda.to_device(np.full(3, 7.0))
    first.copy_to_device(np.full(3, 5.0))
    k[1, 1](out)
    assert out[0] == 5
    k.recompile()
    k[1, 1](out)
    assert out[0] == 7


def test_deleted_name():
    scope = {"there": cuda.to_device(np.arange(3.0)), "cuda": cuda}
    exec("def k(out):\n    out[0] = there[2]", scope)
    k = cuda.jit(scope["k"])
    out = np.zeros(2)
    k[1, 1](out)
    del scope["there"]
    gc.collect()
    # Likely to be where the other was, if that has gone.
    for _ in range(20):
        cuda.to_device(np.full(3, 9.0))
    k[1, 1](out)
    assert out[0] == 2


@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_host_memory_that_kernels_reach(make):
    there = make(3)
    there[:] = 1

    @cuda.jit
    def k(x):
        there[1] += x

    k[1, 1](2.5)
    cuda.synchronize()
    assert there.tolist() == [1, 3.5, 1]
    there[1] = 10
    k[1, 1](2.5)
    cuda.synchronize()
    assert there.tolist() == [1, 12.5, 1]


def test_a_record():
    host = np.array([(1, 2.5), (3, 4.5)], [("n", np.int32), ("x", np.float64)])
    there = cuda.to_device(host)
    record = there[1]

    @cuda.jit
    def k(out):
        out[0] = record[()].x
        record[()].n = 8

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 4.5
    assert there.copy_to_host()["n"].tolist() == [1, 8]


def test_universal_functions():
    @vectorize(["f8(f8)"], target="cuda")
    def add_entry(x):
        return x + TABLE[3]

    np.testing.assert_array_equal(add_entry(np.arange(4.0)), np.arange(3, 7))


def test_device_function_for_other_languages():
    ptx, _ = cuda.compile(entry.py_func, "float64(int64)")
    assert str(TABLE.device_pointer) in ptx


def test_array_that_was_freed_before():
    with cuda.mapped(np.zeros(3)) as there:
        pass

    @cuda.jit
    def k(out):
        out[0] = there[0]

    with pytest.raises(ValueError, match="this device array was freed"):
        k[1, 1](np.zeros(1))
