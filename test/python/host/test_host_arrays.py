# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device arrays hold and copy what they were given; NumPy is the oracle."""

import itertools
import pickle
import tracemalloc

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from pyk import cuda

DTYPES = [
    *("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
    *("f2", "f4", "f8", "c8", "c16", "M8[s]", "M8[ns]", "m8[ms]", "S3", "U2"),
]
RECORD = np.dtype([("x", "f4"), ("n", "i8"), ("v", "i2", (3,))])
ALIGNED = np.dtype([("flag", "?"), ("z", "c16")], align=True)


def sample(shape, dtype):
    """An array of distinct values where the dtype has enough of them."""
    size = int(np.prod(shape))
    return (np.arange(size) + 1).astype(dtype).reshape(shape)


def same(device, expected):
    """Asserts that a device array is the copy of a NumPy array."""
    back = device.copy_to_host()
    assert type(back) is np.ndarray
    assert back.dtype == expected.dtype
    assert back.shape == expected.shape == device.shape
    np.testing.assert_array_equal(back, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_makes_the_round_trip(dtype):
    for shape in ((5,), (2, 3), (), (0,), (3, 0, 2), (1, 1)):
        host = sample(shape, dtype)
        device = cuda.to_device(host)
        assert (device.dtype, device.ndim) == (host.dtype, host.ndim)
        assert (device.size, device.nbytes) == (host.size, host.nbytes)
        same(device, host)


@pytest.mark.parametrize("dtype", [RECORD, ALIGNED], ids=["packed", "aligned"])
def test_arrays_of_records(dtype):
    host = np.zeros(4, dtype)
    host.view(np.uint8)[:] = np.arange(host.nbytes) % 2
    device = cuda.to_device(host)
    assert device.dtype == dtype
    assert device.copy_to_host().tobytes() == host.tobytes()
    assert device[1:3].copy_to_host().tobytes() == host[1:3].tobytes()


def test_a_record():
    host = np.zeros(2, RECORD)
    host[1] = (1.5, -7, (1, 2, 3))
    device = cuda.to_device(host[1])
    assert device.dtype == RECORD
    assert device["n"] == -7
    assert device["x"] == np.float32(1.5)
    assert device["v"].copy_to_host().tolist() == [1, 2, 3]
    device["n"] = 12
    back = device.copy_to_host()
    assert back["n"] == 12
    assert back["x"] == np.float32(1.5)
    assert host[1]["n"] == -7


def test_a_record_is_copied_into_what_fits():
    host = np.zeros(2, RECORD)
    host[1] = (1.5, -7, (1, 2, 3))
    device = cuda.to_device(host[1])
    for target in (np.zeros((), RECORD), np.zeros(1, RECORD)):
        assert device.copy_to_host(target) is target
        assert target.reshape(()) == host[1]
    alike = np.dtype([(f"{name}_", RECORD[name]) for name in RECORD.names])
    for wrong in (np.zeros((), alike), np.zeros((), f"V{RECORD.itemsize}")):
        before = wrong.copy()
        with pytest.raises(TypeError, match="incompatible dtype"):
            device.copy_to_host(wrong)
        assert wrong.tobytes() == before.tobytes()
    with pytest.raises(ValueError, match="incompatible shape"):
        device.copy_to_host(np.zeros(2, RECORD))


def test_element_of_an_array_of_records():
    host = np.zeros(3, RECORD)
    host["n"] = [4, 5, 6]
    device = cuda.to_device(host)
    assert device[1]["n"] == 5
    device[1]["n"] = 50
    assert device.copy_to_host()["n"].tolist() == [4, 50, 6]


def test_what_is_not_an_array_is_made_one():
    same(cuda.to_device([[1, 2], [3, 4]]), np.array([[1, 2], [3, 4]]))
    same(cuda.to_device(2.5), np.array(2.5))
    same(cuda.to_device(np.float32(2.5)), np.array(2.5, np.float32))


def test_a_device_array_is_returned_as_it_is():
    device = cuda.to_device(np.arange(3))
    assert cuda.to_device(device) is device


@pytest.mark.parametrize(
    "host",
    [
        np.arange(6)[::2],
        np.arange(6)[::-1],
        np.arange(12).reshape(3, 4)[:, 1:],
        np.arange(12).reshape(3, 4)[::-1],
        np.arange(12).reshape(3, 4)[:, ::2].T,
        np.arange(24).reshape(2, 3, 4).transpose(1, 0, 2),
    ],
    ids=range(6),
)
def test_host_array_that_is_not_contiguous_is_refused(host):
    before = host.copy()
    with pytest.raises(ValueError, match="contiguous"):
        cuda.to_device(host)
    np.testing.assert_array_equal(host, before)


def test_fortran_order():
    host = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    device = cuda.to_device(host)
    assert device.strides == host.strides
    assert device.is_f_contiguous()
    assert not device.is_c_contiguous()
    same(device, host)
    assert device.copy_to_host().flags.f_contiguous
    same(cuda.to_device(host.copy("C").T), host.T)


def test_a_device_array_of_a_broadcast_host_array():
    host = np.broadcast_to(np.arange(3), (4, 3))
    device = cuda.to_device(host)
    same(device, host)


def test_copy_false_allocates_only():
    host = np.asfortranarray(np.ones((3, 4), np.float32))
    device = cuda.to_device(host, copy=False)
    assert (device.shape, device.dtype) == ((3, 4), np.float32)
    assert device.strides == host.strides
    device.copy_to_device(host)
    same(device, host)


def test_to_device_into_another():
    target = cuda.to_device(np.zeros(3))
    assert cuda.to_device(np.arange(3.0), to=target) is target
    same(target, np.arange(3.0))
    assert cuda.to_device(np.ones(3), copy=False, to=target) is target
    same(target, np.arange(3.0))


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (3, (3,)),
        ((2, 3), (2, 3)),
        ([2, 3], (2, 3)),
        (np.array([2, 3]), (2, 3)),
        (np.int32(4), (4,)),
        ((np.int64(2), 0), (2, 0)),
        ((), ()),
    ],
    ids=str,
)
@pytest.mark.parametrize("make", ["device_array", "pinned_array"])
def test_shapes(make, shape, expected):
    array = getattr(cuda, make)(shape, np.int16)
    assert array.shape == expected
    assert array.dtype == np.int16
    assert array.size == np.prod(expected)


@pytest.mark.parametrize("shape", [2.5, (2, 2.5), "3", None])
def test_shapes_that_are_not_of_ints(shape):
    with pytest.raises(TypeError):
        cuda.device_array(shape)


@pytest.mark.parametrize("make", [cuda.device_array, cuda.pinned_array])
def test_shapes_that_no_memory_holds(make):
    for shape, dtype in ((2**63, "i1"), ((2**32, 2**31), "?"), (2**60, "f8")):
        with pytest.raises(ValueError, match="is larger than any memory"):
            make(shape, dtype)
    for shape in (-1, (3, -1), (-2, 0), np.array([2, -1])):
        with pytest.raises(ValueError, match="expects a shape of ints >= 0"):
            make(shape)


def test_device_array_defaults_to_float64():
    device = cuda.device_array((2, 3))
    assert device.dtype == np.float64
    assert device.strides == (24, 8)
    assert cuda.device_array((2, 3), order="F").strides == (8, 16)
    assert cuda.device_array((2, 3), "i2", (2, 4)).is_f_contiguous()


def test_device_array_with_strides():
    device = cuda.device_array(3, np.int32, strides=(8,))
    assert device.strides == (8,)
    assert not device.is_c_contiguous()
    device[:] = np.array([1, 2, 3], np.int32)
    assert [int(x) for x in device] == [1, 2, 3]
    with pytest.raises(ValueError, match="strides"):
        cuda.device_array((2, 3), strides=(8,))


def likes():
    base = np.zeros((2, 3, 4), np.float32)
    for axes in itertools.permutations(range(3)):
        yield base.transpose(axes)
    yield np.asfortranarray(base)
    yield base[:, 1:, ::2]
    yield np.zeros(5, np.int8)[::2]
    yield np.zeros(())


@pytest.mark.parametrize("host", list(likes()), ids=range(10))
def test_device_array_like_keeps_the_order_of_axes(host):
    device = cuda.device_array_like(host)
    assert (device.shape, device.dtype) == (host.shape, host.dtype)
    assert device.strides == np.empty_like(host).strides
    again = cuda.device_array_like(device)
    assert (again.strides, again.dtype) == (device.strides, device.dtype)


@pytest.mark.parametrize("order", ["C", "F"])
def test_copy_to_host_into_an_array(order):
    host = np.array(np.arange(6).reshape(2, 3), order=order)
    device = cuda.to_device(host)
    target = np.full((2, 3), -1, order=order)
    assert device.copy_to_host(target) is target
    np.testing.assert_array_equal(target, host)


@pytest.mark.parametrize(
    ("target", "error"),
    [
        (np.zeros((2, 3), np.float32), TypeError),
        (np.zeros((2, 3), np.int32), TypeError),
        (np.zeros((2, 4)), ValueError),
        (np.zeros(6), ValueError),
        (np.zeros((3, 2)), ValueError),
    ],
    ids=range(5),
)
def test_what_does_not_fit_is_refused_and_left_alone(target, error):
    device = cuda.to_device(np.ones((2, 3)))
    with pytest.raises(error):
        device.copy_to_host(target)
    assert not target.any()
    with pytest.raises(error):
        device.copy_to_device(target)
    same(device, np.ones((2, 3)))


@pytest.mark.parametrize(
    "target",
    [np.zeros((2, 3), order="F"), np.zeros((2, 6))[:, ::2]],
    ids=["fortran", "strided"],
)
def test_copy_to_host_into_other_strides_is_refused(target):
    # Numba: "incompatible strides".
    with pytest.raises(ValueError, match="stride"):
        cuda.to_device(np.ones((2, 3))).copy_to_host(target)
    assert not target.any()


def test_copy_to_host_into_what_is_read_only():
    target = np.zeros(3)
    target.flags.writeable = False
    with pytest.raises((ValueError, TypeError, BufferError)):
        cuda.to_device(np.ones(3)).copy_to_host(target)
    assert target.tolist() == [0, 0, 0]


def test_copy_to_device_changes_the_order_of_a_host_array():
    device = cuda.device_array((2, 3), order="F")
    host = np.arange(6.0).reshape(2, 3)
    device.copy_to_device(host)
    same(device, host)


def test_copy_to_device_from_a_device_array():
    source = cuda.to_device(np.arange(6.0))
    device = cuda.device_array(6)
    device.copy_to_device(source)
    source[:] = 0
    same(device, np.arange(6.0))
    device[:3].copy_to_device(device[3:])
    same(device, np.array([3.0, 4, 5, 3, 4, 5]))
    with pytest.raises(TypeError):
        device.copy_to_device(cuda.to_device(np.zeros(6, np.int64)))
    with pytest.raises(ValueError, match=r"shape|size"):
        device.copy_to_device(cuda.to_device(np.zeros(5)))


def test_copies_of_strided_device_arrays():
    device = cuda.to_device(np.arange(12.0).reshape(3, 4))
    with pytest.raises(ValueError, match="contiguous"):
        device[:, ::2].copy_to_device(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="contiguous"):
        cuda.device_array((3, 2)).copy_to_device(device[:, ::2])
    same(device, np.arange(12.0).reshape(3, 4))
    same(device[:, ::2], np.arange(12.0).reshape(3, 4)[:, ::2])


def test_reshape():
    host = np.arange(24, dtype=np.int16)
    device = cuda.to_device(host)
    for shape in ((24,), (2, 12), (2, 3, 4), (-1, 6), (4, 1, -1)):
        same(device.reshape(*shape), host.reshape(shape))
        same(device.reshape(shape), host.reshape(shape))
        same(device.reshape(shape, order="F"), host.reshape(shape, order="F"))
    device.reshape(4, 6)[2, 3] = -1
    assert device[15] == -1
    with pytest.raises(ValueError, match=r"reshape|size|length"):
        device.reshape(5, 5)
    with pytest.raises(NotImplementedError):
        device.reshape(4, 6)[:, ::2].reshape(12)


def test_ravel():
    host = np.arange(6).reshape(2, 3)
    same(cuda.to_device(host).ravel(), host.ravel())
    fortran = np.asfortranarray(host)
    same(cuda.to_device(fortran).ravel(order="F"), host.ravel("F"))
    with pytest.raises(NotImplementedError):
        cuda.to_device(host)[:, ::2].ravel()


def test_other_shapes_share_the_memory_or_are_refused():
    """NumPy would copy elements, which it cannot read on a GPU."""
    host = np.arange(24.0).reshape(2, 3, 4)
    there = cuda.to_device(host)
    for device, meta in ((there, host), (there.T, host.T)):
        for order in "CFA":
            for shape in ((24,), (6, 4), (4, 6), (2, 3, 4), (4, 3, 2, 1)):
                expected = meta.reshape(shape, order=order)
                if order == "A" or meta.flags[f"{order}_CONTIGUOUS"]:
                    found = device.reshape(shape, order=order)
                    assert found.strides == expected.strides
                    assert found.device_pointer == device.device_pointer
                    same(found, expected)
                else:
                    message = f"in order '{order}' only if elements move"
                    with pytest.raises(NotImplementedError, match=message):
                        device.reshape(shape, order=order)
        with pytest.raises(NotImplementedError, match="elements move"):
            device.ravel("F" if meta.flags.c_contiguous else "C")
        for order in ("A", "K", "C" if meta.flags.c_contiguous else "F"):
            flat = device.ravel(order)
            assert flat.device_pointer == device.device_pointer
            same(flat, host.ravel())
        assert device.reshape(24, order="a").shape == (24,)
        for wrong in ("X", None, 3):
            with pytest.raises(ValueError, match="order expects 'C', 'F' or"):
                device.reshape(24, order=wrong)
    empty = cuda.to_device(np.zeros((0, 3)))
    assert empty.reshape(3, 0, order="F").shape == (3, 0)
    assert empty.ravel().shape == (0,)
    one = cuda.to_device(np.zeros(())).reshape(1, 1)
    assert one.reshape(()).shape == one.ravel()[:1].reshape(()).shape == ()


def test_transpose():
    host = np.arange(6.0).reshape(2, 3)
    device = cuda.to_device(host)
    same(device.T, host.T)
    same(device.transpose(), host.T)
    same(device.transpose((1, 0)), host.T)
    same(device.transpose((0, 1)), host)
    with pytest.raises(ValueError, match="ax"):
        device.transpose((0, 2))


def test_view():
    host = np.arange(6, dtype=np.int32)
    device = cuda.to_device(host)
    for dtype in (np.uint32, np.float32, np.int16, np.int64, np.complex64):
        same(device.view(dtype), host.view(dtype))
    same(device.reshape(2, 3).view("i2"), host.reshape(2, 3).view("i2"))
    with pytest.raises(ValueError, match=r"[Ww]hen changing"):
        cuda.to_device(host[:3]).view(np.int64)
    with pytest.raises(ValueError, match="contiguous"):
        device[::2].view(np.int16)
    same(device[::2].view(np.uint32), host[::2].view(np.uint32))


def test_squeeze():
    host = np.arange(6).reshape(1, 2, 1, 3)
    device = cuda.to_device(host)
    same(device.squeeze(), host.squeeze())
    same(device.squeeze(0), host.squeeze(0))
    same(device.squeeze(axis=(0, 2)), host.squeeze((0, 2)))
    with pytest.raises(ValueError, match=r"axis|size"):
        device.squeeze(1)


@pytest.mark.parametrize("section", [1, 3, 4, 10, 20])
def test_split(section):
    host = np.arange(10)
    device = cuda.to_device(host)
    parts = list(device.split(section))
    assert len(parts) == -(-10 // section)
    for i, part in enumerate(parts):
        same(part, host[i * section : (i + 1) * section])
    parts[-1][0] = -5
    assert device.copy_to_host().tolist().count(-5) == 1
    with pytest.raises(ValueError, match="1-?[dD]"):
        list(device.reshape(2, 5).split(2))


def test_flags_and_contiguity():
    device = cuda.to_device(np.zeros((3, 4)))
    for array in (device, device.T, device[:, 1:], device[1], device[:, 1]):
        host = np.lib.stride_tricks.as_strided(
            np.zeros(24), array.shape, array.strides
        )
        assert array.is_c_contiguous() is host.flags.c_contiguous
        assert array.is_f_contiguous() is host.flags.f_contiguous
        assert array.flags["C_CONTIGUOUS"] is host.flags.c_contiguous
        assert array.flags["F_CONTIGUOUS"] is host.flags.f_contiguous


def test_conversion_to_numpy():
    device = cuda.to_device(np.arange(3))
    assert np.asarray(device).tolist() == [0, 1, 2]
    assert np.array(device, dtype=np.float32).dtype == np.float32
    with pytest.raises(ValueError, match="copy"):
        np.array(device, copy=False)


def test_device_arrays_are_not_pickled():
    with pytest.raises(TypeError):
        pickle.dumps(cuda.to_device(np.arange(3)))


def test_bind():
    stream = cuda.stream()
    device = cuda.to_device(np.arange(3))
    bound = device.bind(stream)
    assert bound.stream is stream
    assert device.stream is not stream
    bound.copy_to_device(np.array([7, 8, 9]))
    stream.synchronize()
    same(device, np.array([7, 8, 9]))
    assert bound[1:].stream is stream


@cuda.jit
def fill(a, b, c):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1
    cuda.syncthreads()
    if i < b.size:
        b[i] += 10
    cuda.syncthreads()
    if i < c.size:
        c[i] += 100


@pytest.mark.parametrize("order", [*itertools.permutations(range(3))])
@pytest.mark.parametrize(
    "views",
    [
        # One within another, and within that a third.
        (slice(None), slice(2, 5), slice(3, 4)),
        (slice(0, 3), slice(None), slice(6, 8)),
        # That begin at one place.
        (slice(0, 2), slice(None), slice(0, 5)),
        # With a gap, and backwards.
        (slice(None, None, 3), slice(4, None), slice(None, 3, -1)),
    ],
)
def test_views_within_others(views, order):
    host = np.arange(8.0)
    expected = host.copy()
    chosen = [views[i] for i in order]
    for view, number in zip(chosen, (1, 10, 100), strict=True):
        expected[view] += number
    fill[1, 32](*(host[view] for view in chosen))
    assert host.tolist() == expected.tolist()


VIEWS = [
    *(lambda a: a[0], lambda a: a[:, 0], lambda a: a[0, ::-1]),
    *(lambda a: a[::-1, 0], lambda a: a[0, ::2], lambda a: a[::2, 0]),
    *(lambda a: a[5], lambda a: a[:, 5], lambda a: a[2, 1:5]),
    *(lambda a: a.reshape(36)[::7], lambda a: a.reshape(36)[5:35:5]),
    *(lambda a: a.reshape(36), lambda a: a.reshape(36)[6::-1]),
]


@pytest.mark.parametrize("first", VIEWS, ids=range(len(VIEWS)))
def test_two_views(first):
    """Two views that overlap are both copied back."""
    for second in VIEWS:
        host = np.arange(36.0).reshape(6, 6)
        expected = host.copy()
        for view, number in ((first, 1), (second, 10), (first, 100)):
            view(expected)[...] += number
        fill[1, 64](first(host), second(host), first(host))
        assert host.tolist() == expected.tolist()


def test_repeated_elements_are_copied_once():
    """A stride of 0 makes a few bytes an array of gigabytes."""
    host = np.arange(6.0)
    repeated = as_strided(host[1:], (2**40, 2, 2), (0, 16, 8))

    @cuda.jit
    def kernel(a):
        row, column = cuda.grid(2)
        a[row + 2**39, row, column] += 10

    tracemalloc.start()
    kernel[1, (2, 2)](repeated)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert host.tolist() == [0, 11, 12, 13, 14, 5]
    assert most < 2**24
