# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices and slices of device arrays, read and assigned, against NumPy."""

import itertools

import numpy as np
import pytest

from pyk import cuda

BOUNDS = [None, 0, 1, 3, 5, 9, -1, -2, -7]
STEPS = [None, 1, 2, 3]
SHAPE = (3, 4, 5)
# What one axis of three may be indexed with.
AXIS = [0, -1, slice(None), slice(1, None), slice(None, None, 2), slice(2, 1)]
KEYS = [
    ...,
    (..., 1),
    (1, ...),
    (0, ..., slice(1, 3)),
    (slice(None, None, 2), ..., -1),
    (),
    (-1,),
    (2, 3),
    (np.int32(1), np.int64(-1)),
    (slice(-2, None), slice(None, -1), slice(None, None, 3)),
]


def base(shape=SHAPE, dtype=np.int32, order="C"):
    size = int(np.prod(shape))
    return np.array(np.arange(size, dtype=dtype).reshape(shape), order=order)


def check(device, host, key):
    """Asserts that a device array and a NumPy array have the same part."""
    part, expected = device[key], host[key]
    if np.ndim(expected) == 0 and not isinstance(expected, np.ndarray):
        assert type(part) is type(expected)
        assert part == expected
        return
    back = part.copy_to_host() if hasattr(part, "copy_to_host") else part
    assert back.dtype == expected.dtype
    np.testing.assert_array_equal(back, expected, strict=True)
    if expected.size:
        assert part.strides == expected.strides


@pytest.mark.parametrize("step", STEPS)
def test_slices_of_one_dimension(step):
    host = base((6,))
    device = cuda.to_device(host)
    for start, stop in itertools.product(BOUNDS, BOUNDS):
        check(device, host, slice(start, stop, step))


@pytest.mark.parametrize("step", [-1, -2, -4])
def test_slices_with_a_negative_step(step):
    host = base((6,))
    device = cuda.to_device(host)
    for start, stop in itertools.product(BOUNDS, BOUNDS):
        part = device[start:stop:step]
        assert part.shape == host[start:stop:step].shape
        # Numba refuses to copy what has negative strides.
        try:
            back = part.copy_to_host()
        except NotImplementedError:
            continue
        np.testing.assert_array_equal(back, host[start:stop:step])


@pytest.mark.parametrize("order", ["C", "F"])
def test_one_key_for_each_axis(order):
    host = base(order=order)
    device = cuda.to_device(host)
    for key in itertools.product(AXIS, repeat=3):
        check(device, host, key)
    for key in itertools.product(AXIS, repeat=2):
        check(device, host, key)


@pytest.mark.parametrize("key", KEYS, ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
def test_keys(key, order):
    host = base(order=order)
    check(cuda.to_device(host), host, key)


@pytest.mark.parametrize(
    "key",
    [None, (None, 1), (slice(None), None, 2), (..., None), (None, ..., None)],
    ids=str,
)
def test_new_axes(key):
    host = base()
    check(cuda.to_device(host), host, key)


def test_slices_of_slices():
    host = base()
    device = cuda.to_device(host)
    check(device[1:, ::2], host[1:, ::2], (slice(None), -1, slice(1, 4)))
    check(device[2][1:][::2], host[2][1:][::2], (1, slice(None, None, 2)))
    check(device[:, 1], host[:, 1], (slice(1, 3), 4))


def test_slices_share_memory():
    device = cuda.to_device(base())
    host = base()
    part = device[1, ::2]
    part[0, 0] = -1
    host[1, ::2][0, 0] = -1
    np.testing.assert_array_equal(device.copy_to_host(), host)
    device[1, 2, 3] = -2
    assert part[1, 3] == -2
    del device
    assert part[1, 3] == -2


@pytest.mark.parametrize(
    "dtype", ["?", "i1", "u8", "f2", "f4", "c8", "c16", "M8[s]"]
)
def test_elements_are_numpy_scalars(dtype):
    host = np.arange(4).astype(dtype)
    device = cuda.to_device(host)
    for i in (0, 3, -1, np.int8(2)):
        assert type(device[i]) is type(host[i])
        assert device[i] == host[i]
    assert device.getitem(2) == host[2]
    assert [type(x) for x in device] == [type(host[0])] * 4


def test_element_of_an_array_without_dimensions():
    device = cuda.to_device(np.array(2.5))
    assert device[()] == 2.5
    device[()] = 3.5
    assert device.copy_to_host()[()] == 3.5
    with pytest.raises(IndexError):
        device[0]
    with pytest.raises((TypeError, IndexError)):
        len(device)


@pytest.mark.parametrize(
    "key", [3, -4, (0, 4), (0, 0, 5), (0, 0, 0, 0), (slice(None), -5)], ids=str
)
def test_index_out_of_range(key):
    device = cuda.to_device(base())
    with pytest.raises(IndexError):
        device[key]
    with pytest.raises(IndexError):
        device[key] = 1
    np.testing.assert_array_equal(device.copy_to_host(), base())


@pytest.mark.parametrize(
    "key",
    [
        *("a", 1.5, [0, 1], np.array([0, 1]), np.array([True, False, True])),
        *(True, False, np.True_, (0, True), np.array(1), (slice(2), [0])),
    ],
    ids=str,
)
def test_what_is_not_an_index(key):
    device = cuda.to_device(base())
    errors = (TypeError, IndexError, NotImplementedError, ValueError)
    with pytest.raises(errors):
        device[key]
    with pytest.raises(errors):
        device[key] = 1
    np.testing.assert_array_equal(device.copy_to_host(), base())


def test_len_and_iteration():
    host = base()
    device = cuda.to_device(host)
    assert len(device) == 3
    rows = [row.copy_to_host() for row in device]
    np.testing.assert_array_equal(rows, host)
    assert len(cuda.device_array((0, 3))) == 0
    assert list(cuda.device_array(0)) == []


ASSIGNED = [
    (slice(None),),
    (1,),
    (-1, slice(1, 3)),
    (slice(None), 2),
    (slice(None, None, 2), slice(1, None), slice(None, None, 2)),
    (..., 0),
    (0, 1, 2),
    (slice(None), slice(None), slice(4, None)),
    (slice(2, 1),),
    # Of the new axis the stride is 0, less than what lies in a row.
    (slice(None, None, 2), None, 1, slice(1, 3)),
    (slice(None), slice(1, 3), None, slice(0, 2), None),
]


@pytest.mark.parametrize("key", ASSIGNED, ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["scalar", "numpy", "host", "device", "list"])
def test_assignment(key, order, kind):
    host = base(order=order)
    device = cuda.to_device(host)
    shape = host[key].shape
    if kind == "list" and 0 in shape:
        pytest.skip("a nested list cannot say this shape")
    values = -base(shape) - 1
    value = {
        "scalar": -5,
        "numpy": np.int32(-5),
        "host": values,
        "device": cuda.to_device(values),
        "list": values.tolist(),
    }[kind]
    host[key] = -5 if kind in ("scalar", "numpy") else values
    device[key] = value
    np.testing.assert_array_equal(device.copy_to_host(), host)


class Windows:
    """Windows of two elements, each one element after the other."""

    def __init__(self, base, count=3):
        self.__cuda_array_interface__ = dict(
            base.__cuda_array_interface__, shape=(count, 2), strides=(8, 8)
        )


def test_assignment_to_rows_that_overlap():
    base = cuda.to_device(np.zeros(8))
    windows = cuda.as_cuda_array(Windows(base))
    windows[:] = np.array([[1.0, 2], [2, 3], [3, 4]])
    assert base.copy_to_host().tolist() == [1, 2, 3, 4, 0, 0, 0, 0]
    windows = cuda.as_cuda_array(Windows(base, 2))
    windows[:] = np.array([[5.0, 6], [6, 7]])
    assert base.copy_to_host().tolist() == [5, 6, 7, 4, 0, 0, 0, 0]
    wide = cuda.device_array((300, 200), strides=(8, 8))
    wide[:] = np.arange(300)[:, None] + np.arange(200.0)
    assert wide.copy_to_host()[299, 199] == 498


@pytest.mark.parametrize("shape", [(1,), (5,), (4, 1), (1, 5), (3, 1, 1)])
@pytest.mark.parametrize("where", ["host", "device"])
def test_assignment_broadcasts(shape, where):
    host = base()
    device = cuda.to_device(host)
    values = -base(shape) - 1
    host[:] = values
    device[:] = cuda.to_device(values) if where == "device" else values
    np.testing.assert_array_equal(device.copy_to_host(), host)


def test_assignment_of_a_strided_device_array():
    source, host = base((6, 8)), base((3, 4))
    device = cuda.to_device(host)
    device[:, 1:] = cuda.to_device(source)[::2, 2::2]
    host[:, 1:] = source[::2, 2::2]
    np.testing.assert_array_equal(device.copy_to_host(), host)


def test_assignment_converts_the_dtype():
    device = cuda.to_device(np.zeros(4, np.float32))
    device[:] = np.arange(4)
    device[1] = np.float64(2.5)
    device[2:] = cuda.to_device(np.array([7, 8], np.int16))
    assert device.copy_to_host().tolist() == [0, 2.5, 7, 8]
    assert device.dtype == np.float32


def test_assignment_of_too_much_is_refused():
    device = cuda.to_device(base())
    for value in (np.zeros(4), np.zeros((3, 4, 4))):
        with pytest.raises(ValueError, match=r"assign|copy|broadcast"):
            device[:] = value
        with pytest.raises(ValueError, match=r"assign|copy|broadcast"):
            device[:] = cuda.to_device(value)
    with pytest.raises(ValueError, match=r"assign|copy|broadcast|sequence"):
        device[0, 0, 0] = np.zeros(2)
    np.testing.assert_array_equal(device.copy_to_host(), base())


@pytest.mark.parametrize("where", ["host", "device"])
def test_assignment_of_more_dimensions_is_refused(where):
    # Numba: "Can't assign 4-D array to 3-D self".
    device = cuda.to_device(base())
    value = -base((1, *SHAPE)) - 1
    with pytest.raises(ValueError, match="4-D"):
        device[:] = cuda.to_device(value) if where == "device" else value
    np.testing.assert_array_equal(device.copy_to_host(), base())


def test_setitem_and_getitem_on_a_stream():
    stream = cuda.stream()
    device = cuda.to_device(np.zeros(5, np.int64))
    device.setitem(slice(1, 3), 4, stream=stream)
    device.setitem(4, 9, stream=stream)
    part = device.getitem(slice(1, None), stream=stream)
    stream.synchronize()
    assert part.copy_to_host().tolist() == [4, 4, 0, 9]


def test_assignment_of_a_part_to_another_of_the_same_array():
    device = cuda.to_device(np.arange(8))
    device[:4] = device[4:]
    assert device.copy_to_host().tolist() == [4, 5, 6, 7, 4, 5, 6, 7]


@pytest.mark.parametrize("dtype", ["c8", "c16", "M8[s]", "?", "f2"])
def test_assignment_of_other_dtypes(dtype):
    host = np.arange(6).astype(dtype)
    device = cuda.to_device(host)
    device[1:3] = host[4:6]
    device[5] = host[0]
    host[1:3] = host[4:6]
    host[5] = host[0]
    np.testing.assert_array_equal(device.copy_to_host(), host)
