# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels, device functions and launches in other processes.

Those that a module has go by name, all others by value.
"""

import concurrent.futures
import copy
import importlib.util
import multiprocessing
import pickle
import subprocess
import sys

import numpy as np
import pytest

import pickled_kernels
from pickled_kernels import (
    by_name,
    factorial,
    half,
    make,
    run,
    run_launch,
    tripled,
)
from pyk import cuda, guvectorize, vectorize
from pyk.cuda._host_function import HostFunction
from pyk.cuda.random import xoroshiro128p_next
from pyk.types import float32, float64, int64, void

RESULT = [19.0, 28.0, 118.0]


def sent(value, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(value, protocol))


# By name.


@pytest.mark.parametrize(
    "value", [by_name, factorial, half, tripled, xoroshiro128p_next]
)
def test_what_a_module_has(value):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        data = pickle.dumps(value, protocol)
        assert pickle.loads(data) is value
        assert len(data) < 100
    assert copy.deepcopy(value) is value


@pytest.mark.parametrize(
    "function",
    [cuda.to_device, cuda.jit, cuda.current_context, cuda.stream],
    ids=["to_device", "jit", "current_context", "stream"],
)
def test_functions_of_the_host(function):
    assert pickle.loads(pickle.dumps(function)) is function


def test_method_of_the_host():
    array = cuda.to_device(np.arange(3))
    method = pickle.loads(pickle.dumps(type(array).copy_to_host))
    assert method(array).tolist() == [0, 1, 2]


def test_function_that_a_module_has():
    kernel = cuda.jit(debug=True)(pickled_kernels.plain)
    found = sent(kernel)
    assert found is not kernel
    assert found.py_func is pickled_kernels.plain
    x = np.zeros(1)
    found[1, 1](x)
    assert x[0] == 3
    with pytest.raises(IndexError):
        found[1, 1](x[:0])


def test_intrinsics():
    found = sent(cuda.threadIdx)
    assert found.name == "cuda.threadIdx"
    assert found.y.name == "cuda.threadIdx.y"
    assert sent(cuda.grid).name == "cuda.grid"


# By value.


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_by_value(protocol):
    kernel = make(5)
    assert run(kernel) == RESULT
    found = sent(kernel, protocol)
    assert run(found) == RESULT
    assert repr(found) == repr(kernel)
    assert found.py_func is not kernel.py_func
    # What was compiled is not sent.
    assert sent(kernel).signatures == []


def test_what_was_sent_is_sent_on():
    assert run(sent(sent(make(5)))) == RESULT


def test_copy():
    for copied in (copy.copy(make(5)), copy.deepcopy(make(5))):
        assert run(copied) == RESULT


def test_cells_hold_functions():
    twice = cuda.jit(device=True)(lambda x: 2 * x)
    found = sent(make(5, twice))
    assert run(found) == [2 * x for x in RESULT]


def test_defaults_and_names():
    @HostFunction
    def scaled(x, shift=1, *, by=4):
        return by * x + shift

    found = sent(scaled)
    assert (found(2), found(2, 0, by=3)) == (9, 6)

    def kernel(x):
        x[0] += 1

    kernel.__qualname__ = "Renamed.kernel"
    found = sent(cuda.jit(kernel))
    assert repr(found) == "<PyK kernel Renamed.kernel>"
    assert found.py_func.__qualname__ == "Renamed.kernel"


def test_functions_that_reach_each_other():
    @cuda.jit(device=True)
    def is_even(n):
        return True if n == 0 else is_odd(n - 1)

    @cuda.jit(device=True)
    def is_odd(n):
        return False if n == 0 else is_even(n - 1)

    @cuda.jit
    def classify(x):
        i = cuda.grid(1)
        x[i] = is_even(i) and not is_odd(i)

    x = np.zeros(5)
    sent(classify)[1, 5](x)
    assert x.tolist() == [1, 0, 1, 0, 1]


def test_cell_without_a_value():
    def make(is_defined):
        @cuda.jit
        def kernel(x):
            x[0] = later(x[0])

        if is_defined:
            later = cuda.jit(device=True)(lambda x: x + 1)
        return kernel

    x = np.zeros(1)
    sent(make(True))[1, 1](x)
    assert x[0] == 1
    with pytest.raises(cuda.errors.TypingError, match="'later'"):
        sent(make(False))[1, 1](x)


def test_options():
    @cuda.jit(debug=True, max_registers=32)
    def wrong(a):
        a[5] = 1

    found = sent(wrong)
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        found[1, 1](np.zeros(1))
    assert found._max_registers == 32


def test_signatures(monkeypatch):
    def clear(a):
        a[0] = 0

    one = cuda.jit(void(float32[:]))(clear)
    several = cuda.jit([void(float32[:]), void(float64[:])])(clear)
    device = cuda.jit(int64(int64), device=True)(lambda n: n)
    data = pickle.dumps((one, several, device))
    monkeypatch.setattr("pyk.cuda._compile.compile_kernel", None)
    # Nothing is compiled before it is needed.
    one, several, device = pickle.loads(data)
    monkeypatch.undo()
    assert one.specialized and not several.specialized
    assert one.signatures == [(float32[:],)]
    assert several.signatures == [(float32[:],), (float64[:],)]
    assert repr(device.declared) == "[(int64) -> int64]"
    a = np.ones(1)
    several[1, 1](a)
    assert a[0] == 0
    with pytest.raises(TypeError):
        one[1, 1](np.ones(1, np.int8))


def test_text_that_stands_in_no_file():
    names = {"cuda": cuda}
    exec(
        "@cuda.jit\ndef put(a):\n    a[0] = 7\n"
        "also = cuda.jit(lambda a, b: cuda.syncthreads())\n",
        names,
    )
    for name in ("put", "also"):
        # The program that it came with is not there.
        data = pickle.dumps(names[name])
        result = subprocess.run(
            [sys.executable, "-"],
            input=f"import pickle, numpy\nk = pickle.loads({data!r})\n"
            "a = numpy.zeros(1)\n"
            "k[1, 1](*[a] * (1 if k.__name__ == 'put' else 2))\nprint(a[0])\n",
            capture_output=True,
            text=True,
            check=False,
        )
        assert (result.stdout or result.stderr) == (
            "7.0\n" if name == "put" else "0.0\n"
        )


def test_another_version_of_python(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(importlib.util, "MAGIC_NUMBER", b"none")
        data = pickle.dumps(make(5))
    with pytest.raises(
        RuntimeError,
        match=r"cannot unpickle 'make.<locals>.scale': it was pickled by "
        "another version of Python",
    ):
        pickle.loads(data)


def test_what_a_kernel_reaches_cannot_be_pickled():
    generator = (x for x in "")

    @cuda.jit
    def kernel(a):
        a[0] = generator

    with pytest.raises(TypeError, match="cannot pickle 'generator' object"):
        pickle.dumps(kernel)


def test_reductions():
    total = sent(cuda.reduce(lambda a, b: a + b))
    assert total(np.arange(10.0)) == 45


# Universal functions.


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_functions_of_numbers(target, monkeypatch):
    offset = 0.5

    def add(a, b):
        return half(a) + half(b) + offset

    declared = vectorize(["f4(f4, f4)", "f8(f8, f8)"], target, identity=0)(add)
    dynamic = vectorize(add, target)
    assert dynamic(np.int64(2), 3) == 3
    with monkeypatch.context() as patch:
        # Nothing is compiled before it is needed.
        patch.setattr("pyk.cuda._compile.infer_result", None)
        one, other = sent(sent((declared, dynamic)))
    assert one.types == ["ff->f", "dd->d"]
    assert other.types == []
    assert (one.identity, one.__name__, one.nin) == (0, "add", 2)
    x = np.arange(3, dtype=np.float32)
    for found in one, other:
        assert found(x, x).tolist() == [0.5, 1.5, 2.5]
        assert found(x, x).dtype == (np.float32 if found is one else float)
        assert found.outer(x[:2], x[:2]).tolist() == [[0.5, 1], [1, 1.5]]
    with pytest.raises(TypeError, match="cannot be cast without loss"):
        one(1j, 2)
    is_on_device = isinstance(one(cuda.to_device(x), x), type(x))
    assert is_on_device == (target == "cpu")


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_functions_of_arrays(target):
    factor = 3

    @guvectorize(
        ["(f8[:], f8[:], f8[:])"],
        "(n),(n)->()",
        target=target,
        writable_args=("b",),
    )
    def dot(a, b, out):
        out[0] = 0
        for i in range(a.size):
            b[i] *= factor
            out[0] += a[i] * b[i]

    dot.max_blocksize = 64
    found = sent(dot)
    assert found.max_blocksize == 64
    assert (found.signature, found.types) == ("(n),(n)->()", ["dd->d"])
    x, y = np.arange(4.0), np.ones(4)
    assert found(x, y) == 18
    assert y.tolist() == [3, 3, 3, 3]


def test_universal_function_that_a_module_has():
    found = sent(vectorize(["f8(f8)"])(pickled_kernels.plain_number))
    assert found.py_func is pickled_kernels.plain_number
    assert found(2.0) == 6


# Launches.


def test_launches():
    launch = sent(make(5)[(1, 1), (4, 1), 0, 16])
    assert (launch.griddim, launch.blockdim) == ((1, 1, 1), (4, 1, 1))
    assert launch.sharedmem == 16
    assert run_launch(launch) == RESULT


def test_launch_on_a_stream():
    with pytest.raises(
        TypeError,
        match="cannot pickle a launch of kernel 'by_name' on a stream, which "
        "is one of this process",
    ):
        pickle.dumps(by_name[1, 1, cuda.stream()])


# Other processes.


def test_spawn():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
        assert pool.submit(run, make(5)).result() == RESULT
        assert pool.submit(run, by_name).result() == [3, 3, 3]
        assert pool.submit(run_launch, make(5)[1, 4]).result() == RESULT


PROGRAM = """
import multiprocessing
import sys
import numpy as np
import pyk
pyk.install_as_numba()
import numba
from numba import cuda, jit

BASE = 100

@jit
def grow(x):
    return x + BASE

@numba.vectorize(["float64(float64)"])
def larger(x):
    return grow(x)

@cuda.jit
def kernel(x):
    i = numba.cuda.grid(1)
    if i < x.size:
        x[i] = grow(x[i]) + i

def work(given):
    kernel, larger = given
    x = larger(np.zeros(3))
    kernel[1, 4](x)
    return x.tolist()

if __name__ == "__main__":
    if sys.argv[1] == "spawn":
        context = multiprocessing.get_context("spawn")
        with context.Pool(1) as pool:
            print(pool.map(work, [(kernel, larger)]))
    else:
        from loky import get_reusable_executor
        print(list(get_reusable_executor(1).map(work, [(kernel, larger)])))
"""


@pytest.mark.parametrize("kind", ["spawn", "loky"])
def test_kernels_of_the_program(tmp_path, kind):
    if kind == "loky":
        pytest.importorskip("loky")
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    result = subprocess.run(
        [sys.executable, path, kind],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.stdout == "[[200.0, 201.0, 202.0]]\n", result.stderr


def test_cloudpickle():
    cloudpickle = pytest.importorskip("cloudpickle")
    for value in (make(5), cuda.reduce(lambda a, b: a + b)):
        assert type(cloudpickle.loads(cloudpickle.dumps(value))) is type(value)
    assert cloudpickle.loads(cloudpickle.dumps(by_name)) is by_name
    assert run(cloudpickle.loads(cloudpickle.dumps(make(5)))) == RESULT
