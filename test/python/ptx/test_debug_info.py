# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `debug=True` tells debuggers of a GPU: DWARF in the machine code."""

import re
import shutil
import subprocess

import numpy as np
import pytest

from pyk import _errors, cuda
from pyk.cuda import errors
from pyk.types import complex64, float32, int64, uint8
from support import assembly

PTXAS = assembly.find_ptxas()
DWARFDUMP = shutil.which("llvm-dwarfdump-22") or shutil.which("llvm-dwarfdump")
needs_tools = pytest.mark.skipif(
    not (PTXAS and DWARFDUMP), reason="needs ptxas and llvm-dwarfdump"
)


@cuda.jit(device=True)
def power(base, exponent):
    result = base
    for _ in range(1, exponent):
        result *= base
    return result


def evaluate(a, pixels, count, z):
    i = cuda.grid(1)
    inside = i < a.size
    if inside:
        total = np.float32(0)
        for k in range(count):
            total += power(a[i], k)
        a[i] = total + power(z.real, 2)
        pixels[i] = 255


ARGUMENTS = (float32[::1], uint8[::1], int64, complex64)
# Of functions the places of their `def`, below the decorators.
DEFINED = power.py_func.__code__.co_firstlineno + 1
LINE = evaluate.__code__.co_firstlineno


def ptx_of(cc=(8, 0), **options):
    text, _ = cuda.compile_ptx(evaluate, ARGUMENTS, cc=cc, **options)
    return text


def dwarf_of(ptx, chip, folder):
    """What `llvm-dwarfdump` says of the machine code of `ptx`."""
    cubin = folder / "kernel.cubin"
    subprocess.run(
        [PTXAS, "--device-debug", f"-arch={chip}", "-", "-o", cubin],
        input=ptx,
        text=True,
        check=True,
    )
    dumped = subprocess.run(
        [DWARFDUMP, "--debug-info", "--debug-line", cubin],
        capture_output=True,
        text=True,
        check=True,
    )
    return dumped.stdout


def entries(dwarf, tag):
    """The attributes of all entries of one kind."""
    return [
        dict(re.findall(r'(DW_AT_\w+)\t\((?:0x\w+ )?"?(.*?)"?\)\n', entry))
        for entry in re.split(r"\n0x\w+: +", dwarf)
        if entry.startswith(f"DW_TAG_{tag}\n")
    ]


def test_ptx_is_for_debuggers():
    text = ptx_of(debug=True)
    assert ".target sm_80, debug" in text
    assert ".section\t.debug_info" in text
    assert text == ptx_of(debug=True, opt=False)
    plain = ptx_of()
    assert "debug" not in plain and "__local_depot" not in plain


def test_lines_alone_have_no_tables():
    text = ptx_of(lineinfo=True)
    assert ".loc" in text
    assert ".debug_info" not in text and ", debug" not in text


@needs_tools
@pytest.mark.parametrize(
    "chip", ["sm_75", "sm_80", "sm_90", "sm_100", "sm_121"]
)
def test_functions_and_variables(tmp_path, chip):
    number = chip.removeprefix("sm_")
    ptx = ptx_of((int(number[:-1]), int(number[-1])), debug=True)
    dwarf = dwarf_of(ptx, chip, tmp_path)
    functions = {
        entry["DW_AT_name"]: int(entry["DW_AT_decl_line"])
        for entry in entries(dwarf, "subprogram")
    }
    assert functions["evaluate"] == LINE
    assert functions["power"] == DEFINED
    # Two specializations, called once each.
    inlined = entries(dwarf, "inlined_subroutine")
    assert [entry["DW_AT_abstract_origin"] for entry in inlined] == [
        "power"
    ] * 2
    lines = sorted(int(entry["DW_AT_call_line"]) for entry in inlined)
    assert lines == [LINE + 6, LINE + 7]
    kinds = {
        entry["DW_AT_name"]: entry["DW_AT_type"].rpartition('"')[2]
        for tag in ("formal_parameter", "variable")
        for entry in entries(dwarf, tag)
        if "DW_AT_name" in entry
    }
    assert {
        "a": "float32 *",
        "pixels": "uint8 *",
        "count": "int64",
        "z": "complex64",
        "i": "int64",
        "inside": "bool",
        "total": "float32",
        "k": "int64",
    }.items() <= kinds.items()


@needs_tools
def test_variables_have_a_place(tmp_path):
    dwarf = dwarf_of(ptx_of(debug=True), "sm_80", tmp_path)
    (total,) = [
        entry
        for entry in entries(dwarf, "variable")
        if entry.get("DW_AT_name") == "total"
    ]
    # In local memory, which is 6 to cuda-gdb.
    assert "DW_OP_" in total["DW_AT_location"]
    assert total["DW_AT_address_class"] == "0x06"


@needs_tools
def test_lines_are_those_of_the_program(tmp_path):
    dwarf = dwarf_of(ptx_of(debug=True), "sm_80", tmp_path)
    assert 'name: "test_debug_info.py"' in dwarf
    rows = {int(n) for n in re.findall(r"^0x\w+ +(\d+) +\d+ +\d+", dwarf, re.M)}
    assert {LINE + n for n in (1, 2, 3, 6, 7, 8)} <= rows


@needs_tools
def test_optimized_code_is_accepted(monkeypatch, tmp_path):
    monkeypatch.setattr(_errors, "_said", set())
    with pytest.warns(errors.NumbaInvalidConfigWarning):
        ptx = ptx_of(debug=True, opt=True)
    assert ptx != ptx_of(debug=True)
    assert '"evaluate"' in dwarf_of(ptx, "sm_80", tmp_path)


def test_results_do_not_depend_on_debuggers():
    def fused(a):
        i = cuda.grid(1)
        product = a[i] * a[i]
        a[i] = product + a[i]

    # As many multiply-adds, and the product for the debugger.
    plain, _ = cuda.compile_ptx(fused, (float32[::1],))
    debugged, _ = cuda.compile_ptx(fused, (float32[::1],), debug=True)
    assert plain.count("fma.rn.f32") == debugged.count("fma.rn.f32") == 1
    assert "mul.rn.f32" not in plain and debugged.count("mul.rn.f32") == 1


def test_cpu_runs_what_is_debugged_as_fast():
    a = np.array([2, 3], dtype=np.float32)
    pixels = np.zeros(2, dtype=np.uint8)
    kernel = cuda.jit(debug=True)(evaluate)
    kernel[1, 4](a, pixels, 3, np.complex64(3 + 1j))
    assert a.tolist() == [2 + 2 + 4 + 9, 3 + 3 + 9 + 9]
    assert pixels.tolist() == [255, 255]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"debug": True, "opt": True}, "debug=True with opt=True hides variab"),
        ({"debug": True, "opt": 2}, "debug=True with opt=2 hides variables"),
        ({"debug": True, "lineinfo": True}, "debug and lineinfo are mutually"),
        (
            {"device": True, "lineinfo": True},
            "PyK does not follow lineinfo=True of cuda.jit for a device functi",
        ),
        (
            {"device": True, "opt": False},
            "PyK does not follow opt=False of cuda.jit for a device function",
        ),
    ],
)
def test_options_that_do_not_go_together(monkeypatch, options, message):
    monkeypatch.setattr(_errors, "_said", set())
    with pytest.warns(errors.NumbaInvalidConfigWarning) as caught:
        for _ in range(2):
            cuda.jit(**options)(lambda: None)
    assert [warning.filename for warning in caught] == [__file__]
    assert str(caught[0].message).startswith(message)


def test_compiled_device_function_has_options_of_its_own(recwarn):
    ptx, _ = cuda.compile(lambda x: x * x, (float32,), lineinfo=True, opt=False)
    assert ".loc" in ptx
    assert not recwarn.list
