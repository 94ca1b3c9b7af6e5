# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.compile` and its kin: PTX of what is not launched."""

import inspect
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from pyk import cuda
from pyk._errors import CompileError
from pyk._options import options
from pyk.cuda import _compiling
from pyk.types import float32, int32, void

KERNEL = {"device": False, "abi": "numba"}

ADD = (float32[::1], float32[::1])


def add(x, y):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * y[i] + y[i]


def is_ptx(text, chip):
    assert f".target {chip}\n" in text
    assert ".visible .entry add(" in text
    assert ".func" not in text
    return True


def test_compile():
    ptx, result = cuda.compile(add, ADD, **KERNEL)
    assert is_ptx(ptx, "sm_80") and result == void
    assert cuda.compile(add, "void(float32[::1], float32[::1])", **KERNEL) == (
        ptx,
        void,
    )
    # A kernel's options are not asked for.
    kernel = cuda.jit("void(float32[::1], float32[::1])", fma=False)(add)
    assert cuda.compile(kernel, ADD, **KERNEL) == (ptx, void)
    assert "fma.rn.f32" in ptx


def test_needs_no_device():
    """Nor does it choose one, which a process that forks could not undo."""
    program = """
from pyk import cuda, types
ptx, result = cuda.compile_ptx(
    lambda x: x + 1, (types.int32,), device=True, cc=(8, 0)
)
print("sm_80" in ptx, result)
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYK_TARGET": "cuda", "PYK_LIBCUDA": "none.so"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stderr, run.stdout) == ("", "True int64\n")


def test_compilations_keep_no_options_of_others():
    """Pass managers stay for the next compilation, each for its options."""

    def text(**given):
        return cuda.jit(**given)(add)._ptx(void(*ADD), "sm_80")

    fused = text()
    rounded = text(fma=False)
    assert "fma.rn.f32" in fused and "fma.rn.f32" not in rounded
    checked = text(debug=True)
    assert len(checked) > len(fused)
    # Nor does an error in one of their passes stay.
    with pytest.raises(CompileError, match="cannot"):
        cuda.jit(lambda x, y: x + "")._ptx(void(*ADD), "sm_80")
    assert [text(), text(fma=False), text(debug=True)] == [
        fused,
        rounded,
        checked,
    ]


def test_compile_all():
    (ptx,), result = cuda.compile_all(add, ADD, output="ptx", **KERNEL)
    assert is_ptx(ptx, "sm_80") and result == void


def test_compile_ptx():
    ptx, result = cuda.compile_ptx(add, ADD)
    assert is_ptx(ptx, "sm_80") and result == void


@pytest.mark.parametrize(
    "cc, chip",
    [
        ((9, 0), "sm_90"),
        ((9, 0, "a"), "sm_90a"),
        ((10, 0, "f"), "sm_100f"),
        ((12, 1), "sm_121"),
    ],
)
def test_compute_capability(cc, chip):
    assert is_ptx(cuda.compile_ptx(add, ADD, cc=cc)[0], chip)
    assert is_ptx(cuda.compile(add, ADD, cc=cc, **KERNEL)[0], chip)
    (ptx,), _ = cuda.compile_all(add, ADD, cc=cc, output="ptx", **KERNEL)
    assert is_ptx(ptx, chip)


def test_current_device():
    chip = cuda.get_current_device().chip
    ptx, result = cuda.compile_ptx_for_current_device(add, ADD)
    assert is_ptx(ptx, chip) and result == void
    ptx, result = cuda.compile_for_current_device(add, ADD, **KERNEL)
    assert is_ptx(ptx, chip) and result == void


def test_chip_of_the_command_line(monkeypatch):
    monkeypatch.setattr(options, "chip", "sm_100")
    assert is_ptx(cuda.compile_ptx(add, ADD)[0], "sm_100")


def test_debug():
    def read(a):
        a[0] = a[a.size]

    checked, _ = cuda.compile_ptx(read, (int32[::1],), debug=True)
    plain, _ = cuda.compile_ptx(read, (int32[::1],))
    assert len(checked) > len(plain)


def test_parameters_are_those_of_numba():
    every = (
        "pyfunc, sig, debug=None, lineinfo=False, device=True, fastmath=False, "
        "cc=None, opt=None, abi='c', abi_info=None, output='ptx', "
        "forceinline=False, launch_bounds=None"
    )
    own = ", assume=None, reproducible=None"
    ptx = every.replace("output='ptx', ", "").replace("'c'", "'numba'")
    ptx = ptx.replace("device=True", "device=False")
    for name, expected in (
        ("compile", every),
        ("compile_all", every.replace("'ptx'", "'ltoir'")),
        ("compile_for_current_device", every.replace("cc=None, ", "")),
        ("compile_ptx", ptx),
        ("compile_ptx_for_current_device", ptx.replace("cc=None, ", "")),
    ):
        parameters = inspect.signature(getattr(cuda, name)).parameters
        found = [
            one.name
            if one.default is one.empty
            else f"{one.name}={one.default!r}"
            for one in parameters.values()
        ]
        assert ", ".join(found) == expected + own, name


@pytest.mark.parametrize(
    "given, error, message",
    [
        (
            {"abi_info": {"abi_name": "a b"}},
            ValueError,
            "abi_name expects a name of C that CUDA does not claim but got "
            "'a b'",
        ),
        (
            {"abi_info": {"abi_name": "__nv_sin"}},
            ValueError,
            "expects a name of C that CUDA does not claim but got '__nv_sin'",
        ),
        (
            {"abi_info": {"name": "f"}},
            ValueError,
            "abi_info expects 'abi_name' and nothing else but got 'name'",
        ),
        (
            {"output": "sass"},
            NotImplementedError,
            "Unsupported output type: sass; expects 'ptx'",
        ),
        (
            {"output": "ltoir", **KERNEL},
            NotImplementedError,
            "PyK makes no LTO-IR; expects output='ptx'",
        ),
        (
            {"abi": "fastcall"},
            NotImplementedError,
            "Unsupported ABI: fastcall; expects 'c' or 'numba'",
        ),
        (
            {"device": False},
            NotImplementedError,
            "The C ABI is not supported for kernels; expects abi='numba'",
        ),
        (
            {"forceinline": True, **KERNEL},
            ValueError,
            "Can only designate forced inlining in LTO-IR of device functions",
        ),
        (
            {"abi_info": {"abi_name": "f"}, **KERNEL},
            ValueError,
            "a kernel has no ABI options but got abi_info={'abi_name': 'f'}",
        ),
        (
            {"cc": (9,), **KERNEL},
            ValueError,
            "cc expects a compute capability such as (9, 0) or (9, 0, 'a') "
            "but got (9,)",
        ),
        (
            {"cc": (9, 0, "b"), **KERNEL},
            ValueError,
            "cc expects a compute capability such as (9, 0) or (9, 0, 'a') "
            "but got (9, 0, 'b')",
        ),
        ({"cc": (3, 0), **KERNEL}, ValueError, "sm_30"),
    ],
)
def test_errors(given, error, message):
    with pytest.raises(error, match=re.escape(message)):
        cuda.compile(add, ADD, **given)


FORMS = [
    cuda.compile_all,
    cuda.compile_for_current_device,
    cuda.compile_ptx,
    cuda.compile_ptx_for_current_device,
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_every_option_is_passed_on(monkeypatch, form):
    seen = []

    def record(pyfunc, sig, **given):
        seen.append({"pyfunc": pyfunc, "sig": sig, **given})
        return "text", "type"

    monkeypatch.setattr(_compiling, "compile", record)
    names = inspect.signature(form).parameters
    given = {name: f"<{name}>" for name in names}
    form(**given)
    if form.__name__.endswith("_for_current_device"):
        given["cc"] = cuda.get_current_device().compute_capability
    assert seen == [given]
    # The rest is as `compile` has it.
    left = inspect.signature(cuda.compile).parameters.keys() - given.keys()
    assert left <= {"output"}


def test_options_are_those_of_jit(monkeypatch):
    seen = []
    make_jit = _compiling.make_jit

    def record(function, device, options):
        seen.append((function, device, dict(options)))
        return make_jit(function, device, options)

    monkeypatch.setattr(_compiling, "make_jit", record)
    options = {
        "debug": False,
        "lineinfo": True,
        "fastmath": True,
        "opt": 2,
        "launch_bounds": (128, 2),
        "assume": "scalars",
        "reproducible": False,
    }
    ptx, _ = cuda.compile(add, ADD, cc=(9, 0), **KERNEL, **options)
    assert seen == [(add, False, options)]
    assert ".maxntid 128, 1, 1" in ptx and ".loc" in ptx and ".ftz." in ptx
    cuda.compile(lambda x: x, (int32,))
    assert seen[1][1:] == (True, dict.fromkeys(options) | {
        "lineinfo": False, "fastmath": False,
    })  # fmt: skip


def test_errors_of_a_signature():
    with pytest.raises(TypeError, match="must have void return type"):
        cuda.compile_ptx(add, "int32(float32[::1], float32[::1])")
    with pytest.raises(TypeError, match="has 1 types for the 2 parameters"):
        cuda.compile_ptx(add, (float32[::1],))
    with pytest.raises(TypeError, match="expects a Python function"):
        cuda.compile_ptx(np.sin, (float32[::1],))
