# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs ask of arrays and devices by the places of Numba."""

import math
import re

import numpy as np
import pytest

from pyk import cuda, types
from pyk.cuda.cudadrv import devicearray, driver


def test_types_of_arrays():
    a = cuda.to_device(np.zeros((4, 6), np.float32))
    assert a._numba_type_ == types.float32[:, ::1]
    assert a.T._numba_type_.layout == "F"
    assert a[:, ::2]._numba_type_.layout == "A"
    assert cuda.to_device(np.arange(3))._numba_type_ == types.int64[::1]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda a: a, True),
        (lambda a: a.T, False),
        (lambda a: a[1:], True),
        (lambda a: a[:, 1:], False),
        (lambda a: a[:1, 1:], True),
        (lambda a: a[::2], False),
    ],
)
def test_contiguous_arrays(make, expected):
    host = make(np.zeros((4, 6)))
    assert devicearray.is_contiguous(host) == expected
    on_device = make(cuda.to_device(np.zeros((4, 6))))
    assert devicearray.is_contiguous(on_device) == expected


def test_broadcast_arrays():
    whole = np.broadcast_to(np.arange(3), (4, 3))
    assert devicearray.is_contiguous(whole)
    np.testing.assert_array_equal(devicearray.array_core(whole), np.arange(3))
    number = np.array(1.5)
    assert devicearray.array_core(number) is number


def test_arrays_of_what_is_given():
    assert cuda.devicearray is devicearray
    found, is_new = devicearray.auto_device(2)
    assert (found.copy_to_host()[()], is_new) == (2, True)
    assert devicearray.auto_device(found) == (found, False)
    with pytest.raises(ValueError) as caught:
        devicearray.auto_device(np.arange(9)[::2])
    assert str(caught.value) == devicearray.errmsg_contiguous_buffer

    class Foreign:
        __cuda_array_interface__ = found.__cuda_array_interface__

    same, is_new = devicearray.auto_device(Foreign())
    assert (same.device_pointer, is_new) == (found.device_pointer, False)


def test_classes_of_the_driver():
    assert isinstance(cuda.stream(), driver.Stream)
    assert isinstance(cuda.event(), driver.Event)
    assert isinstance(cuda.current_context(), driver.Context)
    assert isinstance(cuda.get_current_device(), driver.Device)


def test_ptx_of_a_declared_device_function():
    def sine(x):
        return math.sin(x)

    fast = cuda.jit("f4(f4)", device=True, fastmath=True)(sine)
    exact = cuda.jit(["f4(f4)", "f8(f8)"], device=True)(sine)
    assert "sin.approx.ftz.f32" in fast.inspect_asm("(f4,)")
    assert "sin.approx.ftz.f32" not in exact.inspect_asm("(f4,)")
    assert list(exact.inspect_asm()) == [(types.f4,), (types.f8,)]
    message = (
        "device function 'sine' is declared for (float32) -> float32 and not "
        "for (int32)"
    )
    with pytest.raises(KeyError, match=re.escape(message)):
        fast.inspect_asm("(i4,)")
