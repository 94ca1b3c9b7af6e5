# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pointers, as signatures declare them: addresses that launches pass."""

import re

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import errors
from pyk.types import CPointer, float32, int32, uint8, uint32, void

#: Of accesses and addresses outside of arrays.
of_the_cpu = pytest.mark.on_the_cpu(reason="a GPU checks no addresses")


def add_one(x, n):
    i = cuda.grid(1)
    if i < n:
        x[i] += 1


def address(array):
    return array.__cuda_array_interface__["data"][0]


@pytest.fixture
def kernel():
    return cuda.jit(void(CPointer(uint8), uint32))(add_one)


def test_an_address_is_where_the_elements_are(kernel):
    x = cuda.to_device(np.arange(10, dtype=np.uint8))
    kernel[1, 32](address(x), len(x))
    kernel[1, 32](np.uint64(address(x) + 7), 2)
    expected = [1, 2, 3, 4, 5, 6, 7, 9, 10, 10]
    np.testing.assert_array_equal(x.copy_to_host(), expected)


def test_an_address_in_a_part_reaches_to_the_end_of_the_whole(kernel):
    x = cuda.to_device(np.zeros(8, np.uint8))
    part = x[2:4]
    kernel[1, 32](address(part), 6)
    expected = [0, 0, 1, 1, 1, 1, 1, 1]
    np.testing.assert_array_equal(x.copy_to_host(), expected)


@of_the_cpu
def test_what_is_behind_the_array_is_not_written(kernel):
    x = cuda.to_device(np.zeros(8, np.uint8))
    with pytest.warns(errors.OutOfBoundsWarning, match=re.escape("x[5]")):
        kernel[1, 32](address(x) + 3, 32)
        cuda.synchronize()
    expected = [0, 0, 0, 1, 1, 1, 1, 1]
    np.testing.assert_array_equal(x.copy_to_host(), expected)


def test_address_of_an_array_with_gaps(kernel):
    x = cuda.to_device(np.arange(24, dtype=np.uint8))
    kernel[1, 1](address(x[::2]), 1)
    assert x[0] == 1


@of_the_cpu
def test_addresses_between_gaps_are_of_no_array(kernel):
    x = cuda.to_device(np.ones(24, dtype=np.uint8))
    part = x[::2]
    # What lies between its elements, nobody has any more.
    del x
    with pytest.raises(ValueError, match="is no address in a device array"):
        kernel[1, 1](address(part), 1)
    assert part[0] == 1


@cuda.jit(void(CPointer(int32), int32))
def put_before(x, value):
    x[-1] = value


def test_elements_in_front_of_the_address():
    x = cuda.to_device(np.zeros(4, np.int32))
    put_before[1, 1](address(x) + 8, 7)
    np.testing.assert_array_equal(x.copy_to_host(), [0, 7, 0, 0])


@of_the_cpu
def test_elements_in_front_of_the_array():
    x = cuda.to_device(np.zeros(4, np.int32))
    with pytest.warns(errors.OutOfBoundsWarning, match=re.escape("x[-1]")):
        put_before[1, 1](address(x), 9)
        cuda.synchronize()
    np.testing.assert_array_equal(x.copy_to_host(), [0, 0, 0, 0])


@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_arrays_of_the_host_that_kernels_reach(make):
    x = make(4, np.int32)
    x[:] = 0
    put_before[1, 1](address(x) + 12, 5)
    cuda.synchronize()
    np.testing.assert_array_equal(x, [0, 0, 5, 0])


def size(x, n):
    x[0] = x.size


def length(x, n):
    x[0] = len(x)


def loop(x, n):
    for value in x:
        n += value


def part(x, n):
    x[1:][0] = n


def fraction(x, n):
    x[n / 2] = n


@pytest.mark.parametrize(
    "function, message",
    [
        (size, "int32*, a pointer, has no attribute 'size'"),
        (length, "'len' expects an array or a tuple but got int32*"),
        (loop, "a tuple to iterate over but got int32*"),
        (part, "expects one integer as the index of int32*, a pointer"),
        (fraction, "expects one integer as the index of int32*, a pointer"),
    ],
)
def test_what_a_pointer_has_not(function, message):
    with pytest.raises(errors.TypingError, match=re.escape(message)):
        cuda.jit(void(CPointer(int32), int32))(function)


def test_arrays_are_taken_as_they_are(kernel):
    host = np.zeros(8, np.uint8)
    kernel[1, 32](host, 3)
    np.testing.assert_array_equal(host, [1, 1, 1, 0, 0, 0, 0, 0])
    with pytest.raises(TypeError, match="not for argument 'x' of type array"):
        kernel[1, 32](host.astype(np.float32), 3)
    with pytest.raises(TypeError, match="not for argument 'x' of type array"):
        kernel[1, 32](host[::2], 3)


def test_one_of_several_signatures():
    both = cuda.jit([void(CPointer(int32), uint32), void(float32[:], uint32)])(
        add_one
    )
    x = cuda.to_device(np.zeros(4, np.int32))
    both[1, 32](address(x), 3)
    np.testing.assert_array_equal(x.copy_to_host(), [1, 1, 1, 0])
    y = np.zeros(4, np.float32)
    both[1, 32](y, 2)
    np.testing.assert_array_equal(y, [1, 1, 0, 0])


def test_one_of_several_pointers():
    both = cuda.jit(
        [void(CPointer(int32), uint32), void(CPointer(float32), uint32)]
    )(add_one)
    for dtype in (np.int32, np.float32):
        x = cuda.to_device(np.full(4, 0.5).astype(dtype))
        both[1, 32](address(x), 3)
        expected = np.array([1, 1, 1, 0] + np.full(4, 0.5).astype(dtype))
        np.testing.assert_array_equal(x.copy_to_host(), expected)
    x = cuda.to_device(np.zeros(4))
    with pytest.raises(TypeError, match="may be the address of any of them"):
        both[1, 32](address(x), 3)


@of_the_cpu
def test_a_pointer_or_a_number():
    def put(x, out):
        out[0] = 5

    either = cuda.jit(
        [void(CPointer(int32), int32[::1]), void(int32, int32[::1])]
    )(put)
    out = np.zeros(1, np.int32)
    either[1, 1](17, out)
    assert out[0] == 5


@of_the_cpu
def test_addresses_of_nothing(kernel):
    text = (
        "argument 'x' is declared as uint8*, and 0x30 is no address in a "
        "device array; pass that of one"
    )
    with pytest.raises(ValueError, match=re.escape(text)):
        kernel[1, 32](0x30, 3)
    x = cuda.to_device(np.zeros(8, np.uint8))
    with pytest.raises(ValueError, match="is no address in a device array"):
        kernel[1, 32](address(x) + 8, 3)


def test_addresses_that_do_not_fit(kernel):
    x = cuda.to_device(np.zeros(8, np.uint8))
    with pytest.raises(TypeError, match="not for argument 'x' of type float"):
        kernel[1, 32](1.5, 3)
    words = cuda.jit(void(CPointer(int32), uint32))(add_one)
    with pytest.raises(ValueError, match="is no multiple of 4"):
        words[1, 32](address(x) + 2, 1)


def test_kernels_in_ptx_take_the_address_alone():
    def clear(x, n):
        for i in range(n):
            x[i] = 0
        x[n] = 1

    ptx, _ = cuda.compile_ptx(clear, void(CPointer(float32), int32), cc=(9, 0))
    assert re.findall(r"\.param (\.u\d\d)[^,\n]* clear_param_(\d)", ptx) == [
        (".u64", "0"),
        (".u32", "1"),
    ]
    assert "st.global" in ptx
