# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments of cuda.jit."""

import inspect
import warnings

import pytest

from pyk import cuda
from pyk.cuda import errors


def function(a):
    pass


@pytest.mark.parametrize(
    "options",
    [
        {"inline": "always"},
        {"inline": True},
        {"opt": False},
        {"lineinfo": True},
        {"cache": True},
        {"fastmath": True},
        {"max_registers": 40},
        {"lto": None},
        {"link": ()},
        {"extensions": []},
        {"boundscheck": False},
        {"boundscheck": True},
        {"debug": True},
        {"debug": False},
        {"launch_bounds": 256},
        {"launch_bounds": (256, 2)},
        {"shared_memory_carveout": "MaxShared"},
        {"shared_memory_carveout": 50},
        {"fma": True},
    ],
)
def test_accepted_option(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cuda.jit(**options)(function).py_func is function
        assert cuda.jit(function, **options).py_func is function


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"foo": 1}, TypeError, "unexpected keyword argument 'foo'"),
        (
            {"argtypes": ()},
            errors.DeprecationError,
            "does not take 'argtypes'; pass",
        ),
        ({"bind": True}, errors.DeprecationError, "'bind'"),
        ({"link": ["a.ptx"]}, NotImplementedError, "linking foreign code"),
        (
            {"extensions": [1]},
            NotImplementedError,
            "PyK does not support extensions=",
        ),
        ({"forceinline": True}, ValueError, "expects a device function"),
        ({"launch_bounds": (1, 2, 3, 4)}, ValueError, "1 to 3 ints but got 4"),
        ({"launch_bounds": 1.5}, TypeError, "expects ints but got 1.5"),
        ({"shared_memory_carveout": 101}, ValueError, "expects -1 to 100, 'd"),
        ({"shared_memory_carveout": "some"}, ValueError, "'MaxL1'"),
        ({"shared_memory_carveout": 1.0}, TypeError, "an int or a str but got"),
    ],
)
def test_refused_option(options, error, message):
    with pytest.raises(error, match=message):
        cuda.jit(**options)


def test_forms():
    assert not cuda.jit(function).device
    assert not cuda.jit()(function).device
    assert cuda.jit(device=True)(function).device
    assert cuda.jit(function, device=True).device
    kernel = cuda.jit(function)
    assert cuda.jit(kernel, device=True).py_func is function
    assert cuda.jit(forceinline=True, device=True)(function).device


def test_what_is_not_a_function():
    with pytest.raises(TypeError, match="expects a Python function but got"):
        cuda.jit(len)
    with pytest.raises(TypeError, match="expects a signature such as"):
        cuda.jit(3)


def test_signatures_of_a_device_function():
    with pytest.raises(NotImplementedError, match="takes one signature"):
        cuda.jit(["int32(int32)", "int64(int64)"], device=True)
    with pytest.raises(TypeError, match="has 2 types for the 1 parameters"):
        cuda.jit("int32(int32, int32)", device=True)(function)


def test_introspection():
    assert list(inspect.signature(cuda.jit).parameters) == [
        "func_or_sig",
        "device",
        "options",
    ]
    assert cuda.jit.__doc__.startswith("Makes a kernel")


@pytest.mark.parametrize("name", ["grid", "syncthreads", "threadIdx"])
def test_intrinsics_on_the_host(name):
    with pytest.raises(
        RuntimeError, match=f"cuda.{name} can only be used inside a kernel"
    ):
        getattr(cuda, name)(1)


def test_members_of_intrinsics():
    assert (
        repr(cuda.shared.array) == "<cuda.shared.array, for use inside kernels>"
    )
    with pytest.raises(AttributeError, match="cuda.threadIdx has no attribute"):
        cuda.threadIdx.w


def test_host_functions():
    assert cuda.is_available()
    cuda.synchronize()
    stream = cuda.stream()
    with stream.auto_synchronize() as same:
        assert same is stream
    stream.synchronize()
