# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration and calls of kernels, with the compiler replaced."""

import threading
import time

import numpy as np
import pytest

from pyk import _compile, _options, cuda, types
from pyk.cuda import errors


class FakeKernel:
    """Remembers its launches."""

    def __init__(self, name, arguments, options):
        self.name = name
        self.arguments = arguments
        self.options = options
        self.launches = []

    def launch(self, grid, block, shared_bytes, args):
        self.launches.append((grid, block, shared_bytes, list(args)))


@pytest.fixture
def compiled(monkeypatch):
    """The kernels that a test compiles, in order."""
    kernels = []

    def compile_kernel(function, arguments, options):
        kernel = FakeKernel(function.py_func.__name__, arguments, options)
        kernels.append(kernel)
        return kernel

    monkeypatch.setattr(_compile, "compile_kernel", compile_kernel)
    return kernels


@cuda.jit
def kernel(a, b, n=3):
    """Does nothing."""


@pytest.fixture(autouse=True)
def forget():
    kernel._kernels.clear()


def test_attributes():
    assert kernel.__name__ == "kernel"
    assert kernel.__doc__ == "Does nothing."
    assert kernel.__module__ == __name__
    assert kernel.__wrapped__ is kernel.py_func
    assert kernel.py_func.__name__ == "kernel"
    assert repr(kernel) == "<PyK kernel kernel>"


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        ((1, 32), ((1, 1, 1), (32, 1, 1), 0)),
        (((2, 3), [4, 5, 6]), ((2, 3, 1), (4, 5, 6), 0)),
        ((np.int32(2), (np.uint8(3),)), ((2, 1, 1), (3, 1, 1), 0)),
        ((1, 1, 0, 256), ((1, 1, 1), (1, 1, 1), 256)),
        ((1, 1, cuda.stream()), ((1, 1, 1), (1, 1, 1), 0)),
    ],
)
def test_configuration(compiled, configuration, expected):
    kernel[configuration](1, 2, 3)
    kernel.configure(*configuration)(1, 2, 3)
    (found,) = compiled
    assert found.launches == [(*expected, [1, 2, 3])] * 2


@pytest.mark.parametrize(
    ("configuration", "error", "message"),
    [
        (1, ValueError, "must specify at least the grid and the block"),
        ((1,), ValueError, "must specify at least the grid and the block"),
        ((1, 1, 0, 0, 0), ValueError, "must specify at least"),
        (((1, 1, 1, 1), 1), ValueError, "grid expects 1 to 3 dimensions"),
        ((1, ()), ValueError, "block expects 1 to 3 dimensions but got 0"),
        ((1.0, 1), TypeError, "grid expects ints but got 1.0"),
        ((1, (1, "2")), TypeError, "block expects ints but got '2'"),
        ((0, 1), ValueError, "grid expects dimensions from 1 to 2147483647"),
        ((1, -1), ValueError, "block expects dimensions from 1 to"),
        ((2**31, 1), ValueError, "but got 2147483648"),
        ((1, 1, 0, 1.5), TypeError, "dynamic shared memory expects an int"),
        ((1, 1, 0, -1), ValueError, "dynamic shared memory expects 0 to"),
    ],
)
def test_wrong_configuration(configuration, error, message):
    with pytest.raises(error, match=message):
        kernel[configuration]


def test_call_without_configuration():
    with pytest.raises(
        ValueError, match="Kernel launch configuration was not specified"
    ):
        kernel(1, 2, 3)


def test_device_function_on_the_host():
    @cuda.jit(device=True)
    def helper(x):
        return x

    with pytest.raises(TypeError, match="can only be called inside a kernel"):
        helper(1)
    with pytest.raises(TypeError, match="'helper' cannot be launched"):
        helper[1, 1]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_wrong_number_of_arguments(count):
    was = "was" if count == 1 else "were"
    with pytest.raises(
        TypeError,
        match=r"kernel 'kernel' takes 3 arguments \(a, b, n\) but "
        f"{count} {was} given",
    ):
        kernel[1, 1](*range(count))


def test_keyword_argument():
    with pytest.raises(TypeError, match="positional arguments only but got"):
        kernel[1, 1](1, b=2)


def test_default_arguments(compiled):
    kernel[1, 1](1, 2)
    assert compiled[0].launches[0][-1] == [1, 2, 3]


def test_argument_error_names_the_parameter():
    with pytest.raises(ValueError, match="argument 'b' of <class 'dict'>"):
        kernel[1, 1](1, {}, 3)


def test_one_compilation_for_each_tuple_of_types(compiled):
    kernel[1, 1](1, 2.0, True)
    kernel[2, 2](5, 6.0, False)
    kernel[1, 1](np.int32(1), 2.0, True)
    a = np.zeros((2, 3))
    kernel[1, 1](a, a.T, a[:, 1:])
    assert [entry.arguments for entry in compiled] == [
        ("si64", "f64", "i1"),
        ("si32", "f64", "i1"),
        (
            "!pyk.array<?x?xf64, c>",
            "!pyk.array<?x?xf64, f>",
            "!pyk.array<?x?xf64, any>",
        ),
    ]
    assert [len(entry.launches) for entry in compiled] == [2, 1, 1]


def test_arrays_are_passed_as_they_are(compiled):
    a = np.zeros(3)
    kernel[1, 1](a, 1, 2)
    assert compiled[0].launches[0][-1][0] is a


def test_device_array_is_passed_as_its_memory(compiled):
    a = cuda.to_device(np.zeros(3, np.float32))
    kernel[1, 1](a, 1, 2)
    assert compiled[0].arguments[0] == "!pyk.array<?xf32, c>"
    assert compiled[0].launches[0][-1][0] is a.array


def test_forall(compiled):
    kernel.forall(300)(1, 2, 3)
    kernel.forall(300, tpb=100)(1, 2, 3)
    kernel.forall(0)("anything")
    launches = compiled[0].launches
    assert [launch[:2] for launch in launches] == [
        ((3, 1, 1), (128, 1, 1)),
        ((3, 1, 1), (100, 1, 1)),
    ]
    with pytest.raises(ValueError, match="tasks >= 0 but got -1"):
        kernel.forall(-1)


def test_threads_share_one_compilation(monkeypatch, compiled):
    quick = _compile.compile_kernel

    def slow(*args):
        time.sleep(0.05)
        return quick(*args)

    monkeypatch.setattr(_compile, "compile_kernel", slow)
    threads = [
        threading.Thread(target=lambda: kernel[1, 1](1, 2, 3)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(compiled) == 1
    assert len(compiled[0].launches) == 4


def test_cuda_target(monkeypatch):
    monkeypatch.setattr(_options.options, "target", "cuda")
    with pytest.raises(
        errors.CudaSupportError,
        match="PyK cannot launch on a GPU in this build; use --target=cpu",
    ):
        kernel[1, 1](1, 2, 3)


def test_target_from_environment(monkeypatch):
    monkeypatch.setenv("PYK_TARGET", "cpu")
    assert _options.from_environment().target == "cpu"
    monkeypatch.setattr(_options.options, "target", "tpu")
    with pytest.raises(ValueError, match="expects one of auto, cpu, cuda"):
        kernel[1, 1](1, 2, 3)


def test_signature_compiles_at_once_and_casts(compiled):
    @cuda.jit("void(float32[:], int32, float64)")
    def k(a, n, x):
        pass

    (found,) = compiled
    assert found.arguments == ("!pyk.array<?xf32, any>", "si32", "f64")
    a = np.zeros(3, np.float32)
    k[1, 1](a, 7, 2)
    args = found.launches[0][-1]
    assert args[0] is a
    assert type(args[1]) is np.int32
    assert type(args[2]) is np.float64
    assert args[1:] == [7, 2.0]
    with pytest.raises(
        TypeError, match=r"is declared for \(array\(float32, 1d, A\), int32"
    ):
        k[1, 1](np.zeros(3), 7, 2)
    with pytest.raises(TypeError, match="is declared for"):
        k[1, 1](a, 7.5, 2)


def test_several_signatures(compiled):
    @cuda.jit(["(int32,)", (types.float64,), types.void(types.f4[:, ::1])])
    def k(a):
        pass

    assert [entry.arguments for entry in compiled] == [
        ("si32",),
        ("f64",),
        ("!pyk.array<?x?xf32, c>",),
    ]
    k[1, 1](1.5)
    k[1, 1](3)
    k[1, 1](np.zeros((2, 2), np.float32))
    assert [len(entry.launches) for entry in compiled] == [1, 1, 1]


def test_wrong_signatures():
    with pytest.raises(TypeError, match="must have void return type"):
        cuda.jit("int32(int32)")(lambda x: x)
    with pytest.raises(TypeError, match="has 2 types for the 1 parameters"):
        cuda.jit("(int32, int32)")(lambda x: x)
