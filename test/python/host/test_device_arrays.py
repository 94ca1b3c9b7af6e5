# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device arrays of the CPU target are copies."""

import copy
import gc
import pickle
import time

import numpy as np
import pytest

from pyk import cuda


def test_to_device_copies():
    host = np.arange(6.0).reshape(2, 3)
    device = cuda.to_device(host)
    host[:] = 0
    back = device.copy_to_host()
    assert back.tolist() == [[0, 1, 2], [3, 4, 5]]
    back[:] = 7
    assert device[1, 2] == 5
    assert (device.shape, device.ndim, device.size) == ((2, 3), 2, 6)
    assert (device.dtype, device.nbytes, len(device)) == (host.dtype, 48, 2)
    assert device.strides == host.strides


@pytest.mark.parametrize("order", ["C", "F"])
def test_order_is_kept(order):
    host = np.zeros((2, 3), order=order)
    for device in (
        cuda.to_device(host),
        cuda.device_array_like(host),
        cuda.device_array((2, 3), order=order),
    ):
        assert device.is_c_contiguous() == (order == "C")
        assert device.is_f_contiguous() == (order == "F")


def test_copies_into_what_exists():
    device = cuda.device_array(3, np.int32)
    device.copy_to_device(np.array([1, 2, 3], np.int32))
    host = np.zeros(3, np.int32)
    assert device.copy_to_host(host) is host
    assert host.tolist() == [1, 2, 3]
    same = cuda.to_device(np.array([4, 5, 6], np.int32), to=device)
    assert same is device
    assert device.copy_to_host().tolist() == [4, 5, 6]
    with pytest.raises(
        ValueError,
        match=r"incompatible shape: \(3,\) vs. \(2,\); .* np.empty\(d.shape",
    ):
        device.copy_to_host(np.zeros(2, np.int32))
    with pytest.raises(
        TypeError,
        match="incompatible dtype: int32 vs. float64; .*convert one by astype",
    ):
        device.copy_to_host(np.zeros(3))
    with pytest.raises(ValueError, match=r"\(3,\) vs. \(2,\); .*reshape one"):
        device.copy_to_device(np.zeros(2, np.int32))
    with pytest.raises(TypeError, match="int32 vs. float64; .*by astype"):
        device.copy_to_device(np.zeros(3))


def test_copies_into_an_array_with_gaps():
    host = np.full((4, 6), -1.0)
    device = cuda.to_device(np.arange(24.0).reshape(4, 6))
    into = host[::2, 1::2]
    assert device[::2, 1::2].copy_to_host(into) is into
    assert host.tolist() == [
        [-1, 1, -1, 3, -1, 5],
        [-1] * 6,
        [-1, 13, -1, 15, -1, 17],
        [-1] * 6,
    ]
    with pytest.raises(ValueError, match=r"incompatible strides: \(96, 16\) v"):
        device[::2, 1::2].copy_to_host(np.zeros((2, 3)))


@cuda.jit
def fill(a, value):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = value


# The stream has something to do before.
@pytest.mark.parametrize("step", [1, 2, -1])
def test_new_arrays_of_the_host_are_complete(step):
    stream = cuda.stream()
    device = cuda.to_device(np.arange(100_000))
    stream.add_callback(lambda *_: time.sleep(0.05))
    fill[100, 1000, stream](device, 7)
    found = device[::step].copy_to_host(stream=stream)
    assert (found == 7).all()


def test_views_share_memory():
    device = cuda.to_device(np.arange(6))
    device[1:3] = 9
    device.reshape(2, 3)[1] = cuda.to_device(np.array([7, 7, 8]))
    assert device.copy_to_host().tolist() == [0, 9, 9, 7, 7, 8]
    assert device.reshape((2, 3)).T.ravel("F").copy_to_host().size == 6
    assert repr(device) == "<DeviceNDArray shape=(6,) dtype=int64>"


#: Views that NumPy spells alike.
ALIKE = {
    "T": lambda a: a.T,
    "transpose": lambda a: a.transpose((1, 0)),
    "reshape": lambda a: a.reshape(4, 25),
    "ravel": lambda a: a.ravel(),
    "squeeze": lambda a: a.squeeze(),
    "view": lambda a: a.view(np.int64),
    "slice": lambda a: a[1:, ::2],
    "row": lambda a: a[2],
    "element of no dimensions": lambda a: a[3, 4, ...],
    "new dimension": lambda a: a[np.newaxis],
    "iterated row": lambda a: list(a)[3],
    "copy": copy.copy,
    "of a view": lambda a: a[1:][1:].T,
}
#: Each with the expression of NumPy that is equal.
VIEWS = {name: (view, view) for name, view in ALIKE.items()} | {
    "bind": (lambda a: a.bind(), lambda a: a),
    "piece": (lambda a: list(a.ravel().split(50))[1], lambda a: a[5:].ravel()),
    "interface": (cuda.as_cuda_array, lambda a: a),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_keep_the_memory(name):
    view, expect = VIEWS[name]
    host = np.arange(100.0).reshape(10, 10)
    device = cuda.to_device(host)
    kept = view(device)
    del device
    gc.collect()
    # A new array would reuse the memory if it had been freed.
    others = [cuda.to_device(np.full((10, 10), -1.0)) for _ in range(8)]
    np.testing.assert_array_equal(kept.copy_to_host(), expect(host))
    assert all((other.copy_to_host() == -1).all() for other in others)


@pytest.mark.parametrize("give", [lambda a: a, lambda a: a[1]])
def test_a_copy_by_python_is_a_view(give):
    host = np.array([(1, 2), (3, 4)], [("x", "f4"), ("n", "i4")])
    stream = cuda.stream()
    device = give(cuda.to_device(host, stream))
    found = copy.copy(device)
    assert type(found) is type(device)
    assert found.stream is stream
    assert found.device_pointer == device.device_pointer


# Of a GPU's memory NumPy would read what it cannot.
@pytest.mark.parametrize("give", [lambda a: a, lambda a: a[1]])
@pytest.mark.parametrize("send", [pickle.dumps, copy.deepcopy])
def test_device_arrays_are_not_pickled(give, send):
    host = np.array([(1, 2), (3, 4)], [("x", "f4"), ("n", "i4")])
    device = give(cuda.to_device(host))
    with pytest.raises(TypeError) as caught:
        send([device])
    assert str(caught.value) == (
        "cannot pickle a device array, nor deepcopy one: its memory is of this "
        "process alone; take its copy_to_host()"
    )


def test_strides_of_a_new_array():
    device = cuda.device_array(3, np.int32, strides=(8,))
    device[:] = np.array([1, 2, 3], np.int32)
    assert device.strides == (8,)
    assert device[::2].strides == (16,)
    assert device.copy_to_host().tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "index",
    [
        slice(None, None, -1),
        (slice(None, None, -1), slice(None, None, -2), 1),
        (slice(2, 0, -1), ..., slice(None, None, -1)),
        (0, 1, slice(None, None, -3)),
        (slice(None), slice(None), slice(None, None, 2)),
    ],
)
def test_assignment_against_the_order_of_memory(index):
    host = np.arange(60.0).reshape(3, 4, 5)
    device = cuda.to_device(host)
    value = -np.arange(1.0, host[index].size + 1).reshape(host[index].shape)
    device[index] = value
    host[index] = value
    assert device.copy_to_host().tolist() == host.tolist()
