# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several kernels in one module: what `--emit` writes, and merged buffers."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from pyk import _core, _failures, cuda
from pyk._frontend._build import build, encode
from pyk.cuda import _compile, _devices, _modules

PROGRAM = """
import numpy as np
from numba import cuda, float32, int64, void

N = 2

@cuda.jit(device=True)
def times(x):
    return x * N

@cuda.jit([void(float32[:]), void(int64[:])])
def scale(a):
    a[0] = times(a[0])

N = 5

@cuda.jit(void(int64[:]))
def other(a):
    a[0] = times(a[0])

x = np.array([3], np.int64)
scale[1, 1](x)
other[1, 1](x)
print(x[0])
"""


def emit(tmp_path, stage, program=PROGRAM):
    """What a program prints, and what `--emit` writes of it."""
    path = tmp_path / "program.py"
    path.write_text(program)
    output = tmp_path / "output"
    result = subprocess.run(
        [sys.executable, "-m", "pyk", f"--emit={stage}", "-o", output, path],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    return result.stdout, output.read_text()


@pytest.mark.parametrize(
    ("stage", "pattern"),
    [
        ("py", r"py\.func @\S+ kernel "),
        ("pyk", r"attributes \{kernel"),
        ("gpu", r"gpu\.func @\w+"),
        ("nvvm", "nvvm.kernel"),
        ("llvm", "define ptx_kernel void"),
        ("ptx", r"\.visible \.entry (\w+)\("),
    ],
)
def test_kernels_of_a_program_are_one_module(tmp_path, stage, pattern):
    printed, text = emit(tmp_path, stage)
    assert printed == "30\n"
    # One for each signature.
    assert len(re.findall(pattern, text)) == 3
    if stage == "ptx":
        assert text.count(".version") == 1
        assert re.findall(pattern, text) == ["other", "scale", "scale_0"]


def test_other_options_are_another_module(tmp_path):
    program = PROGRAM.replace("void(int64[:]))", "void(int64[:]), debug=True)")
    _, text = emit(tmp_path, "ptx", program)
    assert text.count(".version") == 2
    assert text.count(".entry") == 3


def merged(*kernels):
    """The buffer of kernels, each with the types of its arguments."""
    first, *others = [
        json.loads(build(kernel, types)) for kernel, *types in kernels
    ]
    for other in others:
        _modules.merge(first, other)
    return first


@cuda.jit(device=True)
def helper(x):
    return x + 1


@cuda.jit
def one(a):
    a[0] = helper(a[0])


@cuda.jit
def two(a, b):
    a[0] = helper(b)
    one(a)


ARRAY = "!pyk.array<?xsi64, c>"


def test_equal_functions_are_there_once():
    unit = merged((one, ARRAY), (one, "!pyk.array<?xf32, c>"), (one, ARRAY))
    assert list(unit["functions"]) == ["one", "helper"]
    assert [entry["function"] for entry in unit["entries"]] == ["one", "one"]
    module = _core.compile(source=encode(unit), target="cuda")
    assert module.kernels == ["one", "one_0"]


# A kernel that another one calls is a device function there.
def test_called_kernel_is_another_function():
    unit = merged((one, ARRAY), (two, ARRAY, "si64"))
    assert list(unit["functions"]) == ["one", "helper", "two", "one.1"]
    module = _core.compile(source=encode(unit), target="cuda")
    assert module.kernels == ["one", "two"]


def unit_of(functions, *entries):
    return {
        "functions": functions,
        "entries": [{"function": entry} for entry in entries],
    }


def test_new_keys_are_keys_of_nobody():
    """Neither of one module nor of the other, nor twice the same."""

    def node(value, *called):
        calls = [{"t": "function", "id": key} for key in called]
        return {"value": value, "calls": calls}

    first = unit_of({"k": node(0), "f": node(1), "f.1": node(2)}, "k")
    other = unit_of(
        {
            "f": node(3),
            "f.1": node(4),
            "f.2": node(5),
            "f.3": node(6, "f", "f.1", "f.2"),
            "main": node(7, "f.3"),
        },
        "main",
    )
    _modules.merge(first, other)
    assert first["functions"] == {
        "k": node(0),
        "f": node(1),
        "f.1": node(2),
        "f.4": node(3),
        "f.5": node(4),
        "f.2": node(5),
        "f.3": node(6, "f.4", "f.5", "f.2"),
        "main": node(7, "f.3"),
    }
    assert first["entries"] == [{"function": "k"}, {"function": "main"}]


def test_closures_name_functions_too():
    def node(value, closure):
        body = [{"k": "closure", "function": closure, "cells": []}]
        return {"value": value, "body": {"items": [[body]]}}

    first = unit_of({"main": node(0, "f"), "f": {"value": 1}}, "main")
    other = unit_of({"main": node(0, "f"), "f": {"value": 2}}, "main")
    _modules.merge(first, other)
    assert first["functions"] == {
        "main": node(0, "f"),
        "f": {"value": 1},
        "main.1": node(0, "f.1"),
        "f.1": {"value": 2},
    }
    assert first["entries"] == [{"function": "main"}, {"function": "main.1"}]


def compile_here(unit, options):
    """A module for the current device."""
    device = _devices.current()
    target = "cpu"
    if not device.is_cpu:
        target, options = "cuda", {**options, "chip": device.chip}
    return _core.compile(source=encode(unit), target=target, options=options)


def test_kernel_to_load_is_named():
    unit = merged((one, ARRAY), (two, ARRAY, "si64"))
    module = compile_here(unit, {})
    device = _devices.current()._core
    assert module.load(device, kernel="two").info()["static_shared_bytes"] == 0
    with pytest.raises(ValueError, match="one kernel but got 'one', 'two'"):
        module.load(device)
    with pytest.raises(ValueError, match="a kernel 'six' but got 'one', 'two'"):
        module.load(device, kernel="six")


def test_each_kernel_runs_alone():
    a = np.array([1], np.int64)
    one[1, 1](a)
    two[1, 1](a, 5)
    assert a[0] == 7


class OneOfSeveral:
    """A kernel of a module, for a dispatcher that expects a module of one."""

    def __init__(self, module, name, exceptions):
        self._module = module
        self._name = name
        self.describe = _failures.describer(module.manifest, exceptions)
        self.held = []
        self.link = []
        self.has_block_shape = False

    def load(self, *arguments, **options):
        return self._module.load(*arguments, kernel=self._name, **options)


@pytest.fixture
def in_one_module(monkeypatch):
    """Makes kernels launches of which run the code of one module."""

    def compile_together(*kernels, **options):
        exceptions = []
        units = [
            json.loads(build(kernel, types, None, exceptions))
            for kernel, *types in kernels
        ]
        for other in units[1:]:
            _modules.merge(units[0], other)
        module = compile_here(units[0], options)
        monkeypatch.setattr(
            _compile,
            "compile_kernel",
            lambda kernel, *_: OneOfSeveral(
                module, kernel.py_func.__name__, exceptions
            ),
        )
        return module

    return compile_together


def properties(module):
    """What the manifest says of each kernel, by name."""
    kernels = json.loads(module.manifest)["kernels"]
    return {kernel["entry"]: kernel for kernel in kernels}


FLOATS = "!pyk.array<?xf32, c>"
SMALL = np.arange(8, dtype="f4")
LARGE = np.arange(0, 800, 100, dtype="f4")


def test_kernels_with_constants(in_one_module):
    @cuda.jit
    def small(a):
        i = cuda.threadIdx.x
        a[i] = cuda.const.array_like(SMALL)[i]

    @cuda.jit
    def both(a):
        i = cuda.threadIdx.x
        a[i] = cuda.const.array_like(LARGE)[i]
        a[i] += cuda.const.array_like(SMALL)[i]

    in_one_module((small, FLOATS), (both, FLOATS))
    a = np.zeros(8, "f4")
    both[1, 8](a)
    assert a.tolist() == (SMALL + LARGE).tolist()
    small[1, 8](a)
    assert a.tolist() == SMALL.tolist()


# The dynamic part has one place in the code that kernels share, behind the
# static arrays of all that use it.
def test_kernels_with_dynamic_shared_memory(in_one_module):
    @cuda.jit(device=True)
    def reverse(a):
        i = cuda.threadIdx.x
        row = cuda.shared.array(0, np.float32)
        row[i] = a[i]
        cuda.syncthreads()
        a[i] = row[len(row) - 1 - i]

    @cuda.jit
    def dynamic(a):
        reverse(a)

    @cuda.jit
    def mixed(a):
        i = cuda.threadIdx.x
        own = cuda.shared.array(8, np.float32)
        own[i] = 1000 + a[i]
        reverse(a)
        a[i] += own[7 - i]

    @cuda.jit
    def static(a):
        i = cuda.threadIdx.x
        own = cuda.shared.array(8, np.float32)
        own[7 - i] = a[i]
        cuda.syncthreads()
        a[i] = own[i]

    module = in_one_module((dynamic, FLOATS), (mixed, FLOATS), (static, FLOATS))
    found = properties(module)
    uses = {name: found[name]["uses_dynamic_shared"] for name in found}
    assert uses == {"dynamic": True, "mixed": True, "static": False}
    if cuda.get_current_device().is_cpu:
        # Of PTX the driver knows it.
        assert found["mixed"]["static_shared_bytes"] == 32
        assert found["static"]["static_shared_bytes"] == 32
    a = SMALL.copy()
    dynamic[1, 8, 0, 32](a)
    assert a.tolist() == SMALL[::-1].tolist()
    mixed[1, 8, 0, 32](a)
    assert a.tolist() == (1000 + 2 * SMALL).tolist()
    static[1, 8](a)
    assert a.tolist() == (1000 + 2 * SMALL)[::-1].tolist()


def test_kernels_that_print(in_one_module, capfd):
    @cuda.jit
    def numbers(a):
        print("first", a[0], cuda.threadIdx.x)

    @cuda.jit
    def texts(a):
        print("second")
        print("first", a[1])

    @cuda.jit
    def quiet(a):
        a[0] = 5

    module = in_one_module((numbers, FLOATS), (texts, FLOATS), (quiet, FLOATS))
    found = properties(module)
    prints = {name: found[name]["prints"] for name in found}
    assert prints == {"numbers": True, "texts": True, "quiet": False}
    a = np.array([2, 3], "f4")
    quiet[1, 1](a)
    texts[1, 1](a)
    numbers[1, 2](a)
    assert capfd.readouterr().out == (
        "second\nfirst 3.000000\nfirst 5.000000 0\nfirst 5.000000 1\n"
    )


# A code means the same in all of them, and in what they share.
def test_kernels_that_fail(in_one_module):
    @cuda.jit(device=True)
    def shared(x):
        if x > 2:
            raise KeyError("shared")
        return x

    @cuda.jit
    def first(a):
        if a[0] == 1:
            raise ValueError("first")
        shared(a[0])

    @cuda.jit
    def second(a):
        if a[0] == 2:
            raise LookupError("second")
        shared(a[0])

    @cuda.jit
    def divides(a):
        a[0] = 1 // cuda.threadIdx.x

    @cuda.jit
    def never(a):
        a[0] = 1

    integers = "!pyk.array<?xsi64, c>"
    kernels = (first, second, divides, never)
    module = in_one_module(
        *((kernel, integers) for kernel in kernels),
        **{"report-errors": True},
    )
    kinds = {
        name: [parameter["kind"] for parameter in kernel["parameters"]]
        for name, kernel in properties(module).items()
    }
    assert [name for name in kinds if "failure" not in kinds[name]] == ["never"]

    def run(kernel, value):
        a = np.array([value])
        kernel[1, 1](a)
        cuda.synchronize()

    run(never, 0)
    with pytest.raises(ZeroDivisionError, match="In function 'divides'"):
        run(divides, 0)
    run(first, 2)
    with pytest.raises(ValueError, match="In function 'first'.*: first"):
        run(first, 1)
    run(second, 1)
    with pytest.raises(LookupError, match="In function 'second'.*: second"):
        run(second, 2)
    for kernel in (first, second):
        with pytest.raises(KeyError, match="In function 'shared'.*: shared"):
            run(kernel, 3)
