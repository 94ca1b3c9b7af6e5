# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel became: signatures, texts of stages, and what it needs."""

import io
import os
import stat

import numpy as np
import pytest

from pyk import _toolkit, cuda
from pyk._options import STAGES, options
from pyk._typeof import typeof
from pyk.types import (
    Tuple,
    float32,
    float64,
    from_dtype,
    int32,
    int64,
    uint64,
    void,
)
from support.assembly import NO_PTXAS

FACTORS = np.arange(100.0)

needs_ptxas = pytest.mark.skipif(
    _toolkit.find("ptxas") is None, reason=NO_PTXAS
)

SCALE = (float32[::1], int64)
WIDE = (float64[::1], int64)


def make_scale():
    @cuda.jit
    def scale(x, n):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = x[i] * n

    return scale


@pytest.fixture
def scale():
    """A kernel that was launched for two types."""
    kernel = make_scale()
    for dtype in (np.float32, np.float64):
        x = np.ones(3, dtype)
        kernel[1, 4](x, 2)
        assert x.tolist() == [2, 2, 2]
    return kernel


# Types of values.

POINT = np.dtype([("x", "f4"), ("y", "i4")])


@pytest.mark.parametrize(
    "value, expected",
    [
        (1, int64),
        (2**63, uint64),
        (1.5, float64),
        (np.float32(1), float32),
        (None, void),
        (np.zeros((2, 3), np.int32), int32[:, ::1]),
        (np.zeros((2, 3), np.int32).T, int32[::1, :]),
        (np.zeros((2, 3), np.int32)[:, 1:], int32[:, :]),
        ((1, (2.0,)), Tuple([int64, Tuple([float64])])),
        (np.zeros(2, POINT), from_dtype(POINT)[::1]),
        (np.zeros(2, POINT)[0], from_dtype(POINT)),
    ],
)
def test_typeof(value, expected):
    assert typeof(value) == expected
    assert typeof(value).mlir == expected.mlir


def test_typeof_what_no_signature_says():
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    assert repr(typeof(frozen)) == "readonly array(float64, 1d, C)"
    assert typeof(frozen).mlir == "!pyk.array<?xf64, c, readonly>"
    with pytest.raises(NotImplementedError, match="argument 'text'"):
        typeof("a", "text")


# Signatures.


def test_signatures(scale):
    assert scale.signatures == [SCALE, WIDE]
    assert list(scale.overloads) == [SCALE, WIDE]
    assert list(map(repr, scale.nopython_signatures)) == [
        "(array(float32, 1d, C), int64) -> none",
        "(array(float64, 1d, C), int64) -> none",
    ]
    overload = scale.overloads[SCALE]
    assert overload.argument_types == SCALE
    assert repr(overload) == "<scale(array(float32, 1d, C), int64)>"


def test_signatures_of_what_was_not_compiled():
    kernel = make_scale()
    assert kernel.signatures == [] == kernel.nopython_signatures
    assert kernel.inspect_asm() == {} == kernel.overloads
    with pytest.raises(
        KeyError,
        match=r"'scale' is not compiled for \(float32\), but for no signature "
        "yet",
    ):
        kernel.inspect_asm((float32,))


def test_signatures_with_a_star():
    @cuda.jit
    def total(out, *values):
        out[0] = values[0] + values[1]

    out = np.zeros(1)
    total[1, 1](out, 1, 2.5)
    assert out[0] == 3.5
    assert total.signatures == [(float64[::1], int64, float64)]
    ptx = total.inspect_asm((float64[::1], int64, float64))
    assert ".entry total(" in ptx


def test_kernel_that_cannot_be_compiled_has_no_signature():
    @cuda.jit
    def wrong(a):
        a.no_such_attribute

    with pytest.raises(cuda.errors.TypingError):
        wrong[1, 1](np.zeros(1))
    assert wrong.signatures == []


def test_device_functions_have_none():
    function = cuda.jit(device=True)(lambda x: x)
    assert function.signatures == []
    for method in (function.specialize, function.compile):
        with pytest.raises(
            RuntimeError,
            match=rf"{method.__name__}\(\) expects a kernel, and '<lambda>' is "
            "a device function",
        ):
            method((float32,))


def test_declared_signatures():
    kernel = cuda.jit([SCALE, "void(float64[:], int32)"])(make_scale().py_func)
    assert kernel.signatures == [SCALE, (float64[:], int32)]
    assert not kernel.specialized
    assert cuda.jit(SCALE)(make_scale().py_func).specialized


# Compiling.


def test_compile(scale):
    found = scale.compile("void(int32[:], int64)")
    assert found.argument_types == (int32[:], int64)
    assert len(scale.overloads) == 3
    assert scale.compile(SCALE).argument_types == SCALE
    assert len(scale.overloads) == 3


def test_compile_is_what_a_launch_uses(monkeypatch):
    # Blocks of few threads are like any.
    monkeypatch.setattr("pyk._options.options.cpu", "auto")
    kernel = make_scale()
    kernel.compile(SCALE)
    monkeypatch.setattr("pyk.cuda._compile.compile_kernel", None)
    x = np.ones(3, np.float32)
    kernel[1, 4](x, 5)
    assert x.tolist() == [5, 5, 5]
    assert kernel.signatures == [SCALE]


def test_compile_what_is_not_declared():
    kernel = cuda.jit(SCALE)(make_scale().py_func)
    assert kernel.compile(SCALE).argument_types == SCALE
    with pytest.raises(
        RuntimeError,
        match=r"kernel 'scale' is declared for \(array\(float32, 1d, C\), "
        r"int64\) -> none and not compiled for \(array\(float64, 1d, C\), "
        r"int64\) -> none",
    ):
        kernel.compile(WIDE)


def test_compile_checks_the_signature():
    with pytest.raises(TypeError, match="has 1 types for the 2 parameters"):
        make_scale().compile("void(float32)")


def test_recompile():
    global factor
    factor = 2

    @cuda.jit
    def multiply(a):
        a[0] *= factor

    a = np.ones(1)
    multiply[1, 1](a)
    factor = 5
    multiply[1, 1](a)
    assert a[0] == 4
    multiply.recompile()
    assert multiply.signatures == [(float64[::1],)]
    multiply[1, 1](a)
    assert a[0] == 20


def test_specialize(scale):
    one = scale.specialize(*SCALE)
    assert one.specialized and not scale.specialized
    assert one.signatures == [SCALE]
    assert scale.specialize(np.zeros(1, np.float32), 7) is one
    assert scale.specialize(*WIDE) is not one
    capability = cuda.get_current_device().compute_capability
    assert list(scale.specializations) == [
        (capability, SCALE),
        (capability, WIDE),
    ]
    x = np.ones(3, np.float32)
    one[1, 4](x, np.int32(3))
    assert x.tolist() == [3, 3, 3]
    with pytest.raises(TypeError, match="is declared for"):
        one[1, 4](np.ones(3, np.int32), 3)


def test_specialize_keeps_options():
    @cuda.jit(debug=True, max_registers=32)
    def wrong(a):
        a[5] = 1

    one = wrong.specialize(float64[::1])
    assert one._max_registers == 32
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        one[1, 1](np.zeros(1))


def test_specialize_twice(scale):
    for kernel in (
        scale.specialize(*SCALE),
        cuda.jit(SCALE)(scale.py_func),
    ):
        with pytest.raises(
            RuntimeError,
            match="Dispatcher already specialized: kernel 'scale' is declared "
            r"for \(array\(float32, 1d, C\), int64\) -> none",
        ):
            kernel.specialize(*WIDE)


# Texts.

#: What is in the text of each stage.
WORDS = {
    "py": "py.func @scale",
    "pyk": "pyk.func @scale",
    "gpu": "gpu.func @scale",
    "nvvm": "nvvm.kernel",
    "llvm": "define ptx_kernel void @scale(",
    "ptx": ".entry scale(",
    "checked": "gpu.func @scale",
    "simd": "gpu.func @scale",
    "host": "llvm.func @scale",
    "threads": "llvm.func @scale",
    "reference": "@pyk.scale",
}


def test_words_are_of_all_stages():
    assert tuple(WORDS) == tuple(STAGES)


@pytest.mark.parametrize("stage", STAGES)
def test_stages(scale, stage):
    texts = scale.stages(stage)
    assert list(texts) == [SCALE, WIDE]
    for signature, text in texts.items():
        assert WORDS[stage] in text
        assert scale.stages(stage, signature) == text
        assert scale.overloads[signature].stage(stage) == text
    assert texts[SCALE] != texts[WIDE]


def test_stage_that_is_none(scale):
    with pytest.raises(
        ValueError,
        match="a stage is one of 'py', 'pyk', 'gpu', 'nvvm', 'llvm', 'ptx', "
        "'checked', 'simd', 'host', 'threads', 'reference' but got 'sass'",
    ):
        scale.stages("sass")


def test_stages_follow_the_options_of_the_kernel():
    @cuda.jit(fma=False)
    def add(a):
        a[0] = a[0] * a[1] + a[2]

    add.compile("void(float64[:])")
    assert "contract" not in next(iter(add.stages("gpu").values()))


def test_llvm_and_asm(scale):
    assert scale.inspect_llvm() == scale.stages("llvm")
    assert scale.inspect_asm() == scale.stages("ptx")
    ptx = scale.inspect_asm(SCALE)
    assert f".target {cuda.get_current_device().chip}" in ptx
    assert scale.inspect_asm("(float32[::1], int64)") == ptx
    assert scale.inspect_asm(void(*SCALE)) == ptx
    assert scale.inspect_llvm(SCALE) == scale.stages("llvm", SCALE)
    overload = scale.overloads[SCALE]
    assert overload.inspect_asm() == ptx
    assert overload.inspect_llvm() == scale.inspect_llvm(SCALE)


def test_asm_for_another_chip(scale, monkeypatch):
    monkeypatch.setattr(options, "chip", "sm_100")
    assert ".target sm_100" in scale.inspect_asm(SCALE)


def test_asm_for_a_signature_that_is_none(scale):
    with pytest.raises(
        KeyError,
        match=r"'scale' is not compiled for \(int32\), but for "
        r"\(array\(float32, 1d, C\), int64\) -> none, "
        r"\(array\(float64, 1d, C\), int64\) -> none",
    ):
        scale.inspect_asm((int32,))


def test_inspect_types(scale, capsys):
    file = io.StringIO()
    scale.inspect_types(file=file)
    text = file.getvalue()
    assert text.startswith("scale (array(float32, 1d, C), int64)\n----")
    assert "scale (array(float64, 1d, C), int64)\n" in text
    assert text.count("x[i] = x[i] * n") == 2
    assert __file__ in text
    for signature in (SCALE, WIDE):
        assert scale.stages("pyk", signature) in text
    scale.inspect_types()
    assert capsys.readouterr().out == text


# What a kernel needs.


@cuda.jit("void(float64[::1], int64)")
def needy(x, n):
    block = cuda.shared.array(16, float32)
    own = cuda.local.array(100, float64)
    factors = cuda.const.array_like(FACTORS)
    i = cuda.grid(1)
    for j in range(n):
        own[j] = i * factors[j]
    block[i] = own[n - 2]
    cuda.syncthreads()
    x[i] = block[n - i]


def test_what_the_runtime_knows(scale):
    assert needy.get_shared_mem_per_block() == 64
    assert needy.get_shared_mem_per_block(WIDE) == 64
    assert needy.get_max_threads_per_block() == 1024
    assert scale.get_shared_mem_per_block() == {SCALE: 0, WIDE: 0}
    assert scale.get_max_threads_per_block(void(*SCALE)) == 1024


@needs_ptxas
def test_what_ptxas_knows(scale):
    assert needy.get_local_mem_per_thread() == 800
    assert needy.get_local_mem_per_thread(WIDE) == 800
    assert needy.get_const_mem_size() == 800
    assert scale.get_local_mem_per_thread() == {SCALE: 0, WIDE: 0}
    assert scale.get_const_mem_size() == {SCALE: 0, WIDE: 0}
    registers = scale.get_regs_per_thread()
    assert list(registers) == [SCALE, WIDE]
    assert all(8 <= count <= 64 for count in registers.values())
    assert scale.get_regs_per_thread(WIDE) == registers[WIDE]
    assert 8 <= needy.get_regs_per_thread() <= 64


@needs_ptxas
@pytest.mark.on_the_cpu(reason="its driver compiles the PTX")
def test_registers_are_limited():
    def heavy(x):
        own = cuda.local.array(16, float64)
        for i in range(16):
            own[i] = x[i]
        for i in range(16):
            for j in range(16):
                x[i * 16 + j] = own[i] * own[j] + own[15 - i]

    free = cuda.jit("void(float64[::1])")(heavy)
    # The least that ptxas makes of it.
    bound = cuda.jit("void(float64[::1])", max_registers=24)(heavy)
    assert bound.get_regs_per_thread() == 24 < free.get_regs_per_thread()


@pytest.fixture
def no_toolkit(monkeypatch, tmp_path):
    """A folder in PATH with nothing in it, and no toolkit elsewhere."""
    which = _toolkit.shutil.which
    monkeypatch.setattr(
        _toolkit.shutil,
        "which",
        lambda name, path=None: which(name, path=tmp_path),
    )
    return tmp_path


@pytest.mark.on_the_cpu(reason="it asks the driver")
def test_numbers_without_ptxas(scale, no_toolkit):
    for get, what in (
        (scale.get_regs_per_thread, "the number of registers"),
        (scale.get_local_mem_per_thread, "the size of local memory"),
        (scale.get_const_mem_size, "the size of constant memory"),
    ):
        with pytest.raises(
            RuntimeError,
            match=f"ptxas was not found, and {what} on a GPU needs it: set "
            "CUDA_HOME to a CUDA toolkit, or put ptxas on PATH",
        ):
            get()


def test_sass_without_nvdisasm(scale, no_toolkit):
    for inspect in (scale.inspect_sass, scale.inspect_sass_cfg):
        with pytest.raises(
            RuntimeError,
            match="nvdisasm was not found, and machine code needs it: set "
            "CUDA_HOME",
        ):
            inspect()


def program(folder, name, text):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_sass(scale, no_toolkit):
    program(no_toolkit, "ptxas", 'for last; do :; done; echo cubin >"$last"')
    program(no_toolkit, "nvdisasm", 'echo "$1"; for f; do :; done; cat "$f"')
    said = scale.inspect_sass(SCALE)
    assert said == "--print-line-info\ncubin\n"
    assert scale.inspect_sass() == {SCALE: said, WIDE: said}
    assert scale.inspect_sass_cfg(SCALE) == (
        "--output-control-flow-graph\ncubin\n"
    )


def test_program_that_fails(scale, no_toolkit):
    program(no_toolkit, "ptxas", "echo 'no such chip' >&2; exit 3")
    program(no_toolkit, "nvdisasm", "")
    with pytest.raises(RuntimeError, match="ptxas fails: no such chip"):
        scale.inspect_sass(SCALE)


def test_toolkit_by_environment(monkeypatch, tmp_path):
    folder = tmp_path / "bin"
    os.mkdir(folder)
    program(folder, "ptxas", "exit 0")
    monkeypatch.setenv("CUDA_PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_HOME", raising=False)
    assert _toolkit.find("ptxas") == str(folder / "ptxas")
