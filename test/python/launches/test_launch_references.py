# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches keep what they use as long as they use it, and no longer."""

import enum
import gc
import sys
import weakref
from collections import namedtuple

import numpy as np
import pytest

from pyk import cuda

Pair = namedtuple("Pair", "left right")
RECORDS = np.dtype([("x", "f4"), ("n", "i4")])
Level = enum.Enum("Level", {"LOW": 100_000})


def make():
    @cuda.jit
    def k(out, value):
        out[0] += 1

    return k


def is_collected(alive):
    gc.collect()
    return alive() is None


def test_a_configuration_keeps_its_kernel_and_its_stream():
    out = np.zeros(1)
    kernel, stream = make(), cuda.stream()
    core = stream._stream
    alive, count = weakref.ref(kernel), sys.getrefcount(core)
    usual, other = kernel[1, 1, stream], kernel.configure(1, 1, stream)
    assert sys.getrefcount(core) == count + 2
    del kernel
    assert not is_collected(alive)
    for configured in (usual, other):
        configured(out, 1)
        assert configured.dispatcher is alive()
        assert configured.stream is core
    assert out[0] == 2
    del usual, other, configured
    assert is_collected(alive)
    assert sys.getrefcount(core) == count


def test_what_launches_are_made_of_is_not_counted_twice():
    kernel, stream, out = make(), cuda.stream(), np.zeros(1)
    kernel[1, 1](out, 1)
    kept = [kernel, type(kernel), type(kernel[1, 1]), stream, stream._stream]
    gc.collect()
    counts = [*map(sys.getrefcount, kept)]
    for _ in range(50):
        kernel[1, 1](out, 1)
        kernel.configure(1, 1)(out, 1)
        make()
        for configured in (kernel[1, 1, stream], kernel[1, 1, stream, 8]):
            assert configured.dispatcher is kernel
            assert configured.stream is stream._stream
        with pytest.raises(ValueError):
            kernel[0, 1]
        with pytest.raises(TypeError):
            kernel[1, 1](out)
    del configured
    gc.collect()
    assert [*map(sys.getrefcount, kept)] == counts


def arguments():
    device = cuda.to_device(np.zeros(3))
    records = np.zeros(2, RECORDS)
    return [
        np.zeros(3),
        np.rec.array(records),
        records[1],
        device,
        cuda.to_device(records)[1],
        (100_000, (device, 1.5)),
        Pair(100_001, np.zeros(2)),
        Level.LOW,
        np.float32(1.5),
        1j,
        cuda.In(np.zeros(3)),
    ]


def parts(value):
    """What a launch looks at of an argument."""
    yield value
    if isinstance(value, tuple):
        for item in value:
            yield from parts(item)
    if isinstance(value, cuda.DeviceNDArray):
        yield value._array
    if isinstance(value, (enum.Enum, cuda.In)):
        yield value.value


@pytest.mark.parametrize("place", range(11))
def test_arguments_are_let_go(place):
    kernel, out = make(), np.zeros(1)
    value = arguments()[place]
    # The second finds the kernel, and the third does not look for it.
    for _ in range(3):
        kernel[1, 1](out, value)
    # A launch on a GPU keeps its arguments until it has ended.
    cuda.synchronize()
    gc.collect()
    seen = [*parts(value)]
    counts = [*map(sys.getrefcount, seen)]
    for _ in range(50):
        kernel[1, 1](out, value)
    cuda.synchronize()
    gc.collect()
    assert [*map(sys.getrefcount, seen)] == counts
    assert out[0] == 53


def test_kernels_that_are_unloaded_are_let_go():
    kernel, out = make(), np.zeros(1)
    device = cuda.get_current_device()
    kernel[1, 1](out, 1)
    (function,) = kernel._variants.functions.values()
    count = sys.getrefcount(function)
    for _ in range(3):
        kernel[1, 1](out, 1)
        kernel._add(function, (out, 1), None)
    assert sys.getrefcount(function) <= count + 1
    kernel._unload(device)
    assert kernel._count() == 0
    # This one and the call's.
    assert sys.getrefcount(function) == 2


def test_the_streams_of_devices_are_let_go():
    device = cuda.get_current_device()
    core = device._default_stream
    count = sys.getrefcount(core)
    for _ in range(50):
        cuda.select_device(device.id)
    assert sys.getrefcount(core) == count


def test_a_callback_is_let_go_when_it_has_run():
    class Callback:
        def __call__(self, stream, status, argument):
            seen.append((status, argument()))

    class Argument:
        pass

    seen = []
    stream, callback, argument = cuda.stream(), Callback(), Argument()
    alive = weakref.ref(callback), weakref.ref(argument)
    stream.add_callback(callback, alive[1])
    stream.add_callback(callback, lambda kept=argument: None)
    del callback, argument
    stream.synchronize()
    assert [status for status, _ in seen] == [0, 0]
    seen.clear()
    assert all(map(is_collected, alive))
