# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments of cuda.jit."""

import inspect
import warnings

import pytest

from pyk import _errors, cuda
from pyk.cuda import errors
from pyk.cuda._host_function import HostFunction


def function(a):
    pass


@pytest.mark.parametrize(
    "options",
    [
        {"inline": "always"},
        {"inline": True},
        {"inline": "never"},
        {"opt": True},
        {"opt": 3},
        {"opt": None},
        {"lineinfo": False},
        {"cache": False},
        {"cache": True},
        {"fastmath": True},
        {"lineinfo": True},
        {"opt": False},
        {"opt": 2},
        {"fastmath": False},
        {"fastmath": None},
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
        {"shared_memory_carveout": "default"},
        {"shared_memory_carveout": -1},
        {"fma": True},
        {"fma": None},
    ],
)
def test_accepted_option(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cuda.jit(**options)(function).py_func is function
        assert cuda.jit(function, **options).py_func is function


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"forceinline": True}, "forceinline=True of cuda.jit: nothing calls"),
        ({"inline": len}, "inline=... of cuda.jit: all functions are inlined"),
        ({"lto": True}, "lto=True of cuda.jit: there is nothing to link"),
        (
            {"shared_memory_carveout": 50},
            "shared_memory_carveout=50 of cuda.jit: the driver divides the",
        ),
        (
            {"shared_memory_carveout": "MaxShared"},
            "shared_memory_carveout='MaxShared' of cuda.jit: the driver div",
        ),
    ],
)
def test_option_that_is_not_followed(monkeypatch, options, message):
    monkeypatch.setattr(_errors, "_said", set())
    with pytest.warns(errors.NumbaInvalidConfigWarning) as caught:
        # Once in a process.
        cuda.jit(**options)(function)
        cuda.jit(**options)(function)
    assert [warning.filename for warning in caught] == [__file__]
    assert str(caught[0].message).startswith(f"PyK does not follow {message}")


def test_option_as_an_error(monkeypatch):
    monkeypatch.setattr(_errors, "_said", set())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(errors.NumbaInvalidConfigWarning):
                cuda.jit(lto=True)
        warnings.simplefilter("ignore")
        cuda.jit(lto=True)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"debug": "yes"}, TypeError, "debug expects True or False but got 'y"),
        ({"fastmath": {"nnan"}}, TypeError, "fastmath expects True or False b"),
        ({"cache": 2}, TypeError, "cache expects True or False but got 2"),
        ({"fma": "off"}, TypeError, "fma expects True or False but got 'off'"),
        ({"opt": 4}, TypeError, "opt expects True, False or 0 to 3 but got 4"),
        ({"inline": "mostly"}, ValueError, "inline expects 'always', 'never'"),
        ({"foo": 1}, TypeError, "unexpected keyword argument 'foo'"),
        (
            {"argtypes": ()},
            errors.DeprecationError,
            "does not take 'argtypes'; pass",
        ),
        ({"bind": True}, errors.DeprecationError, "'bind'"),
        ({"link": ["a.txt"]}, ValueError, "expects files that end in"),
        (
            {"extensions": [1]},
            TypeError,
            "expects objects with a method 'prepare_args' but got 1",
        ),
        (
            {"launch_bounds": (1, 2, 3, 4)},
            ValueError,
            "launch_bounds expects 1 to 3 ints. Got 4 launch bounds:",
        ),
        ({"launch_bounds": 1.5}, TypeError, "expects ints but got 1.5"),
        ({"shared_memory_carveout": 101}, ValueError, "expects -1 to 100, 'd"),
        ({"shared_memory_carveout": "some"}, ValueError, "'MaxL1'"),
        ({"shared_memory_carveout": 1.0}, TypeError, "an int or a str but got"),
    ],
)
def test_refused_option(options, error, message):
    with pytest.raises(error, match=message):
        cuda.jit(**options)


@pytest.mark.parametrize("device", [False, True])
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {}),
        ({"fma": None}, {}),
        ({"fma": True}, {}),
        ({"fma": False}, {"fma": False}),
        ({"opt": None}, {}),
        ({"opt": True}, {"opt": 3}),
        ({"opt": False}, {"opt": 0}),
        ({"opt": 2}, {"opt": 2}),
        ({"boundscheck": None}, {}),
        ({"boundscheck": False}, {"boundscheck": False}),
        ({"boundscheck": 1}, {"boundscheck": True}),
        ({"debug": None}, {}),
        ({"debug": False}, {}),
        ({"debug": True}, {"debug": True}),
        ({"lineinfo": False}, {}),
        ({"fastmath": False}, {}),
        ({"fastmath": True}, {"fastmath": True}),
        ({"assume": None}, {}),
        ({"assume": "none"}, {"assume": "none"}),
        ({"link": None}, {}),
        ({"link": []}, {}),
        ({"link": "a.ptx"}, {"link": ("a.ptx",)}),
        ({"launch_bounds": None}, {}),
        ({"launch_bounds": 1024}, {"launch_bounds": [1024]}),
        ({"launch_bounds": (1, 2**31 - 1)}, {"launch_bounds": [1, 2**31 - 1]}),
        ({"typing": "narrow"}, {"typing": "narrow"}),
        ({"shared_memory_carveout": -1}, {}),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:PyK does not follow")
def test_what_the_compiler_is_told(device, options, expected):
    kernel = cuda.jit(device=device, **options)(function)
    if device:
        # Of a function that kernels call, nobody asks.
        expected = {**expected}
        expected.pop("launch_bounds", None)
    assert kernel._buffer_options == expected


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("max_registers", (0, 65536), (-1, 65537)),
        ("launch_bounds", (1, 1024), (0, 1025)),
        ("launch_bounds", ((1024, 1), (1, 2**31 - 1)), ((1, 0), (1, 2**31))),
        (
            "shared_memory_carveout",
            (-1, 0, 100, "MaxL1", "maxshared", "Default"),
            (-2, 101, "most"),
        ),
    ],
)
def test_ends_of_what_options_take(name, right, wrong):
    with warnings.catch_warnings():
        # Some are taken and have no effect.
        warnings.simplefilter("ignore")
        for value in right:
            cuda.jit(**{name: value})(function)
    for value in wrong:
        with pytest.raises(ValueError, match=name):
            cuda.jit(**{name: value})


def test_forms():
    assert not cuda.jit(function).device
    assert not cuda.jit()(function).device
    assert cuda.jit(device=True)(function).device
    assert cuda.jit(function, device=True).device
    kernel = cuda.jit(function)
    assert cuda.jit(kernel, device=True).py_func is function
    assert cuda.jit(forceinline=True, device=True)(function).device
    for again in (
        cuda.jit(device=True)(kernel),
        cuda.jit("void(int32)", device=True)(kernel),
        cuda.jit(cuda.jit(debug=True)(function), device=True),
        cuda.jit(HostFunction(function), device=True),
        cuda.jit(device=True)(HostFunction(function)),
    ):
        assert again.device and again.py_func is function


def test_what_is_not_a_function():
    with pytest.raises(TypeError, match="expects a Python function but got"):
        cuda.jit(len)
    with pytest.raises(TypeError, match="expects a signature such as"):
        cuda.jit(3)


def test_signatures_of_a_device_function():
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
