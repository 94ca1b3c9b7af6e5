# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pinned, mapped and managed arrays, and which way hinted arguments go."""

import ctypes
import gc
import pickle
import threading
import time
import weakref
from copy import deepcopy

import numpy as np
import pytest

from host_kernels import closed_gate, spin, wait
from pyk import cuda


@cuda.jit
def fill(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = x + i


@cuda.jit
def total(a, out):
    s = 0.0
    for i in range(a.size):
        s += a[i]
    out[0] = s


@cuda.jit
def add_one(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] + 1


@cuda.jit
def copy(a, b):
    i = cuda.grid(1)
    if i < b.size:
        b[i] = a[i]


MAKERS = [cuda.pinned_array, cuda.mapped_array, cuda.managed_array]
LIKES = [cuda.pinned_array_like, cuda.mapped_array_like]
FROM_ZERO = np.arange(6.0).tolist()


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("shape", "dtype", "order"),
    [
        (5, "f8", "C"),
        ((2, 3), "i2", "F"),
        ((2, 3), "c16", "C"),
        ((), "f4", "C"),
        ((0, 3), "u8", "C"),
        (4, "M8[s]", "C"),
        (3, "f4,i8", "C"),
    ],
)
def test_memory_of_every_kind_is_a_numpy_array(make, shape, dtype, order):
    array = make(shape, dtype, order=order)
    plain = np.zeros(shape, dtype, order=order)
    assert isinstance(array, np.ndarray)
    assert (array.shape, array.dtype) == (plain.shape, plain.dtype)
    assert array.strides == plain.strides
    assert array.flags.writeable
    array[...] = plain
    assert array.tobytes() == plain.tobytes()


@pytest.mark.parametrize("make", MAKERS)
def test_defaults_and_strides(make):
    assert make(3).dtype == np.float64
    assert make((2, 3), np.int32, strides=(4, 8)).strides == (4, 8)
    for strides in ((8,), 8):
        array = make(3, np.int32, strides=strides)
        array[:] = [1, 2, 3]
        assert array.tolist() == [1, 2, 3]


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_like(like, order):
    host = np.zeros((2, 3), np.int16, order=order)
    array = like(host)
    assert (array.shape, array.dtype) == (host.shape, host.dtype)
    assert array.strides == host.strides


@pytest.mark.parametrize("like", LIKES)
def test_like_keeps_the_order_of_axes(like):
    across = np.zeros((2, 3, 4)).transpose(1, 0, 2)
    assert like(across).strides == np.empty_like(across).strides


@pytest.mark.parametrize("make", MAKERS)
def test_kernels_read_and_write_it(make):
    array, out = make(6), make(1)
    fill[1, 32](array, 0)
    total[1, 1](array, out)
    cuda.synchronize()
    assert array.tolist() == FROM_ZERO
    assert out[0] == 15


@pytest.mark.parametrize("make", MAKERS)
def test_kernels_on_streams(make):
    stream = cuda.stream()
    array = make(1000, np.int64)
    array[:] = 0
    fill[32, 32, stream](array, 10)
    add_one[32, 32, stream](array)
    stream.synchronize()
    np.testing.assert_array_equal(array, np.arange(1000) + 11)


@pytest.mark.parametrize("make", MAKERS)
def test_slices(make):
    array = make((4, 6))
    array[:] = -1
    expected = np.full((4, 6), -1.0)
    fill[1, 32](array[2], 0)
    expected[2] = np.arange(6)
    fill[1, 32](array[:, 3], 100)
    expected[:, 3] = np.arange(4) + 100
    fill[1, 32](array[3, ::-2], 7)
    expected[3, ::-2] = [7, 8, 9]
    cuda.synchronize()
    np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("make", MAKERS)
def test_slices_keep_the_memory(make):
    array = make(100)
    array[:] = 3
    part = array[10:20].reshape(2, 5).ravel()
    del array
    gc.collect()
    others = [make(100) for _ in range(20)]
    for other in others:
        other[:] = 5
    add_one[1, 32](part)
    cuda.synchronize()
    assert part.tolist() == [4] * 10


@pytest.mark.parametrize("make", MAKERS)
def test_copies_and_results_are_ordinary(make):
    array = make(6)
    fill[1, 32](array, 0)
    cuda.synchronize()
    for name, ordinary in {
        "copy": array.copy(),
        "sum": array + 0,
        "array": np.array(array),
        "astype": array.astype(np.int64),
        "fancy": array[[0, 1, 2, 3, 4, 5]],
        "empty_like": np.empty_like(array),
        "zeros_like": np.zeros_like(array),
        "deepcopy": deepcopy(array),
        "pickle": pickle.loads(pickle.dumps(array)),
        "concatenate": np.concatenate([array[:3], array[3:]]),
        "subok": np.array(array[1:], subok=True, copy=True, ndmin=1),
    }.items():
        fill[1, 32](ordinary, 50)
        cuda.synchronize()
        expected = [50, 51, 52, 53, 54, 55][: ordinary.size]
        assert ordinary.tolist() == expected, name
        assert array.tolist() == FROM_ZERO, name
    assert array.sum() == 15
    # Numba's pinned arrays are plain `np.ndarray`s.
    if make is cuda.pinned_array:
        assert isinstance(array.sum(), np.floating)


@pytest.mark.parametrize("make", MAKERS)
def test_views_of_every_kind_share_the_memory(make):
    for view in (
        np.asarray,
        lambda a: a.view(np.ndarray),
        lambda a: a.reshape(2, 3).T.ravel("K"),
        lambda a: a.view(np.uint8).view(np.float64),
        lambda a: np.frombuffer(a, np.float64),
        lambda a: np.ndarray(6, np.float64, a),
        lambda a: np.atleast_2d(a)[0],
        lambda a: np.split(a, 1)[0],
        lambda a: a[np.newaxis][0],
    ):
        array = make(6)
        array[:] = -1
        part = view(array)
        fill[1, 32](part, 0)
        cuda.synchronize()
        assert array.tolist() == FROM_ZERO


@pytest.mark.parametrize("make", MAKERS)
def test_copies_to_and_from_a_device_array(make):
    array = make(6)
    array[:] = np.arange(6)
    device = cuda.device_array(6)
    stream = cuda.stream()
    device.copy_to_device(array, stream=stream)
    add_one[1, 32, stream](device)
    device.copy_to_host(array, stream=stream)
    stream.synchronize()
    assert array.tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("make", MAKERS)
def test_dropped_while_work_on_it_is_queued(make):
    stream, result = cuda.stream(), cuda.device_array(6)
    array = make(6)
    stream.add_callback(lambda *_: time.sleep(0.05))
    fill[1, 32, stream](array, 0)
    copy[1, 32, stream](array, result)
    del array
    gc.collect()
    make(6)[:] = -1
    stream.synchronize()
    assert result.copy_to_host().tolist() == FROM_ZERO


# The stream has something else to do, until both have returned.
@pytest.mark.parametrize("make", MAKERS[:2])
def test_copies_to_the_device_run_beside_the_host(make):
    gate, open_gate = closed_gate()
    stream, other = cuda.stream(), cuda.device_array(6)
    array = make(6)
    array[:] = np.arange(6)
    wait[1, 1, stream](open_gate)
    # For a copy that waits.
    opener = threading.Timer(10, gate.__setitem__, (0, 1))
    opener.start()
    device = cuda.to_device(array, stream=stream)
    other.copy_to_device(array[:], stream=stream)
    were_beside = gate[0] == 0
    del array
    gc.collect()
    make(6)[:] = -1
    gate[0] = 1
    opener.cancel()
    stream.synchronize()
    assert were_beside
    assert device.copy_to_host().tolist() == FROM_ZERO
    assert other.copy_to_host().tolist() == FROM_ZERO


def test_options_of_mapped_and_managed_arrays():
    for array in (
        cuda.mapped_array(3, stream=0, portable=True, wc=True),
        cuda.managed_array(3, attach_global=False),
        cuda.mapped_array_like(np.zeros(3), portable=True, wc=False),
    ):
        array[:] = 0
        fill[1, 32](array, 1)
        cuda.synchronize()
        assert array.tolist() == [1, 2, 3]


def test_pinned_context():
    a, b = np.zeros(6), np.ones(6)
    stream = cuda.stream()
    with cuda.pinned(a, b):
        device = cuda.to_device(b, stream=stream)
        add_one[1, 32, stream](device)
        device.copy_to_host(a, stream=stream)
        stream.synchronize()
    assert a.tolist() == [2] * 6
    fill[1, 32](a, 0)
    assert a.tolist() == FROM_ZERO
    with cuda.pinned(a):
        with cuda.pinned():
            a[0] = 5
    assert a[0] == 5


def test_pinned_context_lets_exceptions_out():
    a = np.zeros(6)
    with pytest.raises(KeyError):
        with cuda.pinned(a):
            raise KeyError
    with cuda.pinned(a):
        fill[1, 32](a, 0)
    assert a.tolist() == FROM_ZERO


def test_mapped_context_of_one_array():
    a = np.zeros((2, 3), np.float32)
    with cuda.mapped(a) as device:
        assert (device.shape, device.dtype) == (a.shape, a.dtype)
        fill[1, 32](device.ravel(), 0)
        cuda.synchronize()
        assert device[1, 2] == 5
    assert a.ravel().tolist() == FROM_ZERO


def test_mapped_context_of_several_arrays():
    a, b = np.arange(6.0), np.zeros(6)
    stream = cuda.stream()
    with cuda.mapped(a, b, stream=stream) as (x, y):
        copy[1, 32, stream](x, y)
        add_one[1, 32, stream](x)
        stream.synchronize()
    assert b.tolist() == FROM_ZERO
    assert a.tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("has_stream", [False, True])
def test_mapped_context_waits_at_its_end(has_stream):
    stream = cuda.stream() if has_stream else 0
    a = np.ones(4, np.int64)
    # Compiled before, so that the launch takes no longer than it does.
    spin[1, 1](a.copy(), 0)
    with cuda.mapped(a, stream=stream) as device:
        spin[1, 1, stream](device, 6)
    assert a[:3].tolist() == [7, 1, 1]


def test_in_leaves_the_host_array():
    a, b = np.arange(6.0), np.zeros(6)
    add_one[1, 32](cuda.In(a))
    assert a.tolist() == FROM_ZERO
    copy[1, 32](cuda.In(a), cuda.Out(b))
    assert b.tolist() == FROM_ZERO


@cuda.jit
def both(a, b):
    """Adds 1 to `a`, then copies it to `b`."""
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] + 1
        b[i] = a[i]


def test_the_kernel_sees_its_own_writes_to_in():
    a, b = np.arange(6.0), np.zeros(6)
    both[1, 32](cuda.In(a), b)
    assert b.tolist() == [1, 2, 3, 4, 5, 6]
    assert a.tolist() == FROM_ZERO


def test_out_and_inout_bring_results_back():
    a, b = np.arange(6.0), np.zeros(6)
    both[1, 32](cuda.InOut(a), cuda.Out(b))
    assert a.tolist() == b.tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("order", ["C", "F"])
def test_hints_on_arrays_of_two_dimensions(order):
    @cuda.jit
    def k(a, b):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            b[i, j] = a[i, j] * 2

    a = np.array(np.arange(12.0).reshape(3, 4), order=order)
    b = np.zeros_like(a)
    k[1, (4, 4)](cuda.In(a), cuda.Out(b))
    np.testing.assert_array_equal(b, a * 2)


@pytest.mark.parametrize("hint", [cuda.In, cuda.Out, cuda.InOut])
def test_hints_keep_the_layout(hint):
    @cuda.jit
    def k(a):
        a[0, 1]

    a = np.arange(24.0).reshape(4, 6)
    for array in (a.T, np.asfortranarray(a)):
        k[1, 1](hint(array))
    ((declared,),) = k.signatures
    assert declared.layout == "F"
    k[1, 1](hint(a))
    assert [declared.layout for (declared,) in k.signatures] == ["F", "C"]


def test_in_takes_a_read_only_array():
    a, b = np.arange(6.0), np.zeros(6)
    a.flags.writeable = False
    copy[1, 32](cuda.In(a), b)
    assert b.tolist() == FROM_ZERO
    copy[1, 32](a, b)
    assert b.tolist() == FROM_ZERO


@pytest.mark.parametrize("hint", [cuda.Out, cuda.InOut, lambda a: a])
def test_a_read_only_array_is_not_written(hint):
    a = np.zeros(6)
    a.flags.writeable = False
    errors = TypeError, ValueError, cuda.errors.NumbaError
    with pytest.raises(errors, match=r"(?i)read-?\s?only"):
        fill[1, 32](hint(a), 1)
    assert a.tolist() == [0] * 6


def test_hints_of_what_is_not_an_array():
    for hint in (cuda.In, cuda.Out, cuda.InOut):
        with pytest.raises((TypeError, ValueError, NotImplementedError)):
            fill[1, 32](hint("text"), 1)


def test_hints_of_device_arrays():
    device = cuda.to_device(np.zeros(6))
    fill[1, 32](cuda.Out(device), 0)
    assert device.copy_to_host().tolist() == FROM_ZERO
    add_one[1, 32](cuda.InOut(device))
    assert device.copy_to_host().tolist() == [1, 2, 3, 4, 5, 6]


def test_launches_keep_no_array():
    stream = cuda.stream()
    for hint in (cuda.In, cuda.Out, cuda.InOut, lambda a: a):
        a = np.zeros(6)
        alive = weakref.ref(a)
        fill[1, 32, stream](hint(a), 0)
        stream.synchronize()
        del a
        gc.collect()
        assert alive() is None


# The description of a device array is read, and not its elements.
@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_like_device_arrays(like, order):
    device = cuda.device_array((3, 4), np.int16, order=order)
    array = like(device)
    assert (array.shape, array.dtype) == ((3, 4), np.int16)
    assert array.strides == device.strides


# As on a GPU, in practice; programs add into it.
@pytest.mark.skipif(
    not getattr(cuda.get_current_device(), "is_cpu", False),
    reason="a GPU promises nothing",
)
@pytest.mark.parametrize("size", [1, 31, 1000, 100_000, 1_000_000, 5_000_000])
@pytest.mark.parametrize(
    "make", [cuda.device_array, cuda.mapped_array, cuda.pinned_array]
)
def test_new_memory_and_what_is_behind_it_is_zero(make, size):
    @cuda.jit
    def behind(a, found, n):
        for i in range(n):
            found[i] = a[a.size + i]

    for _ in range(3):
        array = make(size)
        found = np.ones(64)
        if size * 8 < 32 << 20:
            behind[1, 1](array, found, 64)
            assert not found.any()
        host = array.copy_to_host() if make is cuda.device_array else array
        assert host.shape == (size,)
        assert not host.any()
        # What the next one finds.
        array[:] = 7


@cuda.jit
def wait_for(flags):
    while flags[0] == 0:
        flags[1] += 1
    flags[2] = 7


@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_host_and_kernel_share_memory_during_a_launch(make):
    flags, stream = make(3, np.int64), cuda.stream()
    flags[:] = 0
    wait_for[1, 1, stream](flags)
    assert flags[2] == 0
    flags[0] = 1
    stream.synchronize()
    assert flags[2] == 7


@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_shared_memory_outlives_its_array_during_a_launch(make):
    flags, stream = make(3, np.int64), cuda.stream()
    flags[:] = 0
    seen = np.asarray(flags).ctypes.data
    wait_for[1, 1, stream](flags)
    del flags
    gc.collect()
    (ctypes.c_int64 * 3).from_address(seen)[0] = 1
    stream.synchronize()
