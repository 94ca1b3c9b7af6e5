# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records as arguments of kernels: where they are, and of which types."""

import numpy as np
import pytest

from point_records import point, points
from pyk import CompileError, cuda, types


@cuda.jit
def change(r, out):
    out[0] = r.x + r["y"]
    r.n += 1
    r.y = 42


def test_record_arguments():
    """NumPy's records, and those of record arrays, are written back."""
    out = np.zeros(1)
    array = points(3)
    for record in (array[1], array[2].copy(), np.rec.array(array)[0]):
        x, y, n = record["x"], record["y"], record["n"]
        change[1, 1](record, out)
        assert out[0] == x + y
        assert record["y"] == 42
        assert record["n"] == n + 1
    assert array["y"][1] == 42
    before = array[0].copy()
    change[1, 1](cuda.In(array[0]), out)
    assert array[0] == before
    alone = points(1).reshape(())
    change[1, 1](alone, out)
    assert out[0] == 1 + 2
    assert alone["y"] == 42


def test_device_records():
    out = np.zeros(1)
    record = cuda.to_device(points(3)[2])
    change[1, 1](record, out)
    assert out[0] == 7 + 8
    assert record.copy_to_host()["y"] == 42
    assert record["n"] == 10
    array = cuda.to_device(points(3))
    change[1, 1](array[1], out)
    assert array.copy_to_host()["y"].tolist() == [2, 42, 8]


def test_record_arrays():
    a = np.rec.array(points(4))
    fields = np.rec.fromarrays([np.arange(4.0), np.zeros(4, "i4")], names="x,n")

    @cuda.jit
    def k(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i].n = a[i].x * 2

    for array in (a, fields):
        k[1, 8](array)
        np.testing.assert_array_equal(array.n, array.x * 2)


def test_equal_dtypes_are_one():
    """Kernels are compiled for what a dtype says, not for the object."""

    @cuda.jit
    def k(a):
        a[0].x += 1

    for _ in range(3):
        a = np.zeros(2, [("x", "f4"), ("n", "i4")])
        k[1, 1](a)
        assert a["x"].tolist() == [1, 0]
    assert k._count() == 1
    other = np.zeros(2, {"names": ["x"], "formats": ["f4"], "offsets": [4]})
    k[1, 1](other)
    assert other["x"].tolist() == [1, 0]
    assert k._count() == 2


def test_signatures():
    record = types.from_dtype(point(True))
    assert types.from_dtype(np.dtype("i4")) == types.int32

    @cuda.jit((record[:], record[:, ::1], record, types.float64[:]))
    def k(a, b, r, out):
        out[0] = a[1].x + b[1, 0].y + r.n
        r.x = 5

    a, out = points(4, True), np.zeros(1)
    k[1, 1](a[:2], a.reshape(2, 2), a[3], out)
    assert out[0] == 4 + 8 + 12
    assert a["x"][3] == 5
    with pytest.raises(TypeError, match="is declared for"):
        k[1, 1](points(4), a.reshape(2, 2), a[3], out)
    with pytest.raises(TypeError, match="is declared for"):
        k[1, 1](a[:2], a.reshape(2, 2), 3, out)
    # What lies at odd addresses is passed as a copy.
    shifted = np.zeros(a.nbytes + 1, "u1")[1:].view(a.dtype)
    k[1, 1](shifted, a.reshape(2, 2), a[3], out)
    assert out[0] == 0 + 8 + 12


def test_record_types():
    dtype = np.dtype([("x", "f4"), ("n", "i4")])
    record = types.from_dtype(dtype)
    assert record == types.from_dtype([("x", "f4"), ("n", "i4")])
    assert record != types.from_dtype([("x", "f4"), ("m", "i4")])
    assert np.zeros(2, record).dtype == dtype
    assert repr(record[:]) == (
        "array(Record(x[type=float32;offset=0],n[type=int32;offset=4];8;False),"
        " 1d, A)"
    )
    for refused in ("f4,O", "V3"):
        with pytest.raises(
            NotImplementedError, match="expects a dtype of records"
        ):
            types.from_dtype(refused)


def test_too_many_dimensions():
    @cuda.jit
    def k(a):
        a.m[()] = 1

    a = np.zeros((1,) * 31, [("m", "f4", (2, 2))])
    message = "expects at most 32 dimensions but field 'm' of .* has 33"
    with pytest.raises(CompileError, match=message):
        k[1, 1](a)


def test_hints():
    @cuda.jit
    def misspelled(a):
        a[0].mas = 1

    with pytest.raises(CompileError) as caught:
        misspelled[1, 1](np.zeros(2, [("x", "f4"), ("mass", "f4")]))
    text = str(caught.value)
    assert "did you mean 'mass'?" in text
    assert "its fields are 'x', 'mass'" in text


def test_read_only_records_behind_others():
    @cuda.jit
    def k(a):
        a[0].x = 1

    a = np.zeros(2, [("x", "f4"), ("n", "i4")])
    frozen = a.copy()
    frozen.flags.writeable = False
    for _ in range(2):
        k[1, 1](a)
        with pytest.raises(CompileError):
            k[1, 1](frozen)
    assert a["x"].tolist() == [1, 0]
    assert frozen["x"].tolist() == [0, 0]
