# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every mistake in a kernel gets one clear error at its place.

The message says what was expected and found, names file, line and column,
quotes the line with a caret below it, and shows nothing of the compiler's
insides.
"""

import re
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyk
from error_cases import CASES, HELPERS, times
from pyk import _core, cuda
from pyk._errors import located
from pyk.cuda import errors
from pyk.cuda.errors import CudaAPIError


def launch(body: str, folder: Path) -> None:
    """Runs a program whose kernel has `body`."""
    source = HELPERS + "\n@cuda.jit\ndef k(a, b, n):\n"
    source += textwrap.indent(body, "    ") + "\n"
    file = folder / "program.py"
    file.write_text(source)
    names = {"__name__": "program"}
    pyk.install_as_numba()
    exec(compile(source, str(file), "exec"), names)  # noqa: S102
    a, b = np.zeros(4, np.float32), np.zeros((2, 2), np.int64)
    names["k"][1, 1](a, b, 3)


@pytest.mark.parametrize(
    ("body", "message"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_mistake_is_explained(body: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(pyk.CompileError) as caught:
        launch(body, tmp_path)
    text = str(caught.value)
    first = text.splitlines()[0]
    assert message in first
    assert first.startswith(f"{tmp_path}/program.py:")
    assert caught.value.lineno >= 1
    assert caught.value.column >= 1
    # The quoted line, and a caret below it.
    quoted, carets = text.splitlines()[1:3]
    assert quoted.strip()
    assert set(carets.strip()) <= set("^~")
    assert len(text.splitlines()) <= 15
    for inside in (r"\bpy\.", "pyk\\.", "mlir", "operation", "Traceback"):
        assert not re.search(inside, first)


MISTAKES = """
@cuda.jit(device=True)
def helper(x):
    return nowhere(x) + x.shap

@cuda.jit(debug=True)
def k(a, b, n):
    i = cuda.gridsise(1)
    if i < a.size:
        a[i] = a.shap + missing
    x = a[0] + missing
    s = "text" + 3
    s.upper()
    t = a + b.nope
    for j in n:
        a[j] = t
    y = helper(a) + helper(a)
    with a:
        pass
"""


def mistakes(source: str, tmp_path: Path) -> list[str]:
    """Where and what the errors of a kernel are."""
    path = tmp_path / "program.py"
    path.write_text(f"{HELPERS}{source}")
    scope: dict[str, Any] = {}
    pyk.install_as_numba()
    exec(compile(path.read_text(), path, "exec"), scope)  # noqa: S102
    with pytest.raises(pyk.CompileError) as caught:
        scope["k"][1, 1](np.zeros(2, np.float32), np.zeros((2, 2)), 3)
    first = HELPERS.count("\n")
    return [
        f"{int(line) - first} {message}"
        for line, message in re.findall(
            r"program.py:(\d+):\d+: error: (.*)", str(caught.value)
        )
    ]


def test_all_mistakes_are_reported(tmp_path: Path) -> None:
    assert mistakes(MISTAKES, tmp_path) == [
        "8 'cuda' has no 'gridsise'",
        "10 array(float32, 1d, C) has no attribute 'shap'",
        "10 name 'missing' is not defined",
        "12 operator '+' cannot take str and int64",
        "14 array(float64, 2d, C) has no attribute 'nope'",
        "15 expects a range, an array or a tuple to iterate over but got int64",
        "4 name 'nowhere' is not defined",
        "4 array(float32, 1d, C) has no attribute 'shap'",
        "18 a 'with' statement cannot be used in a kernel",
    ]


# Programs that are written for Numba catch one or the other.
@pytest.mark.parametrize("kind", [TypeError, errors.NumbaTypeError])
def test_kernel_that_returns_a_value(kind: type[Exception]) -> None:
    def k(a):  # type: ignore[no-untyped-def]
        return a[0]

    with pytest.raises(kind, match="must have void return type") as caught:
        cuda.jit(k)[1, 1](np.zeros(1))
    with pytest.raises(kind, match="must have void return type"):
        cuda.compile_ptx(k, "(float32[::1],)")
    assert isinstance(caught.value, errors.TypingError)
    assert caught.value.filename == __file__


def test_ten_mistakes_are_reported(tmp_path: Path) -> None:
    lines = "".join(f"    a[0] = a.x{i}\n" for i in range(12))
    found = mistakes(f"@cuda.jit\ndef k(a, b, n):\n{lines}", tmp_path)
    assert [line.partition(" ")[0] for line in found] == [
        str(line) for line in range(3, 13)
    ]


# Names are looked at before types.
def test_mistakes_about_names_and_types(tmp_path: Path) -> None:
    source = """@cuda.jit
def k(a, b, n):
    a[0] = later + a.nope
    later = 1
    a[0] = b.nope
"""
    assert mistakes(source, tmp_path) == [
        "3 variable 'later' is read before it is assigned",
        "3 array(float32, 1d, C) has no attribute 'nope'",
        "5 array(float64, 2d, C) has no attribute 'nope'",
    ]


# What is wrong with an operand is not said of what is computed with it, nor of
# code that never runs.
def test_no_mistake_follows_from_another(tmp_path: Path) -> None:
    source = """@cuda.jit
def k(a, b, n):
    x = missing
    plain = TABLE
    for i in range(x):
        y = x[i] + 1 + plain[0]
        a[i] = math.sin(y) + helper(y)
    z = x if n > 0 else y
    a[z], a[0] = z
    if False:
        a.nope
"""
    assert mistakes(source, tmp_path) == [
        "3 name 'missing' is not defined",
        "4 'TABLE' is of type dict, which a kernel cannot use",
        "7 name 'helper' is not defined",
    ]


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("a[0] = math.nope(1)", None),
        ("a[0] = math.sqtr(1)", "did you mean 'math.sqrt'?"),
        ("i = cuda.gridsise(1)", "did you mean 'cuda.gridsize'?"),
        ("a[0] = cuda.rsqrt(a[0])", "did you mean 'cuda.libdevice.rsqrt'?"),
        ("cuda.breakpoint()", "did you mean 'breakpoint'?"),
    ],
)
def test_hint_is_near(body: str, hint: str | None, tmp_path: Path) -> None:
    with pytest.raises(
        pyk.CompileError, match="is not defined|has no"
    ) as caught:
        launch(body, tmp_path)
    if hint is None:
        assert "did you mean" not in str(caught.value)
    else:
        assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("body", "note"),
    [
        (
            "s = 'a'\nif n > 0:\n    s = b'a'\na[0] = s == 'a'",
            "write both as str or both as bytes",
        ),
        (
            "s = 'a' if n > 0 else 'a\\0'",
            "text that ends in NUL, or has more than 256 characters, cannot "
            "differ by path",
        ),
        (
            "s = 'a' if n > 0 else 'bc'\nx = s + 'd'",
            "a kernel compares text but makes none",
        ),
        (
            "s = 'a' if n > 0 else 'bc'\nx = s.upper()",
            "a kernel compares text but makes none",
        ),
        ("x = str(n)", "a kernel compares text but makes none"),
        ("x = 'abc'[n:]", "compare its characters one by one"),
        (
            "for c in 'abc':\n    pass",
            "loop over a range of its len(...) and index it",
        ),
        (
            "s = 'a' if n > 0 else 'bc'\nprint(s)",
            "print a constant string for each text that it may be, or ord(...)",
        ),
        (
            "t = cuda.local.array(2, NAMED.dtype)\nt[0].name = 'ab'",
            'S holds bytes, such as b"text", and U holds str, such as "text"',
        ),
        (
            "if n > 5:\n    raise ValueError(n)",
            "name a literal, a global, or a variable that one of them is "
            "assigned to, once",
        ),
        (
            "for i in range(n):\n    if i > 0:\n        a[i] = x\n    x = a[i]",
            "it is assigned here, which the first iteration of the loop does "
            "after the read",
        ),
        (
            "if ONE == 2:\n    x = 1\na[0] = x",
            "it is assigned here, from where control does not get to the read",
        ),
        (
            "for i in range(n):\n    if ONE == 2:\n        x = 1\n"
            "        break\n    a[i] = x",
            "it is assigned here, from where control does not get to the read",
        ),
        (
            "for i in range(n):\n    if ONE == 2:\n        x = 1\n"
            "        raise ValueError\n    a[i] = x",
            "it is assigned here, from where control does not get to the read",
        ),
        ("a[b] = 1", "an array cannot be an index; loop over its items"),
        ("a[0] = TABLE[1]", "make it a tuple or a NumPy array"),
        ("a[0] = Box(1).x", "of classes, kernels make named tuples"),
        ("a[0] = np.random.rand()", "cuda.random has generators for kernels"),
        ("a[0] = random.random()", "cuda.random has generators for kernels"),
        ("a[threadIdx.x] = 1", "did you mean 'cuda.threadIdx'?"),
        ("s = cuda.shared.array([4, 4], 'f4')", "write a tuple, as in (4, 4)"),
        (
            "s = cuda.shared.array(4)",
            "pass both: cuda.shared.array(32, numba.float32)",
        ),
        (
            "cuda.atomic.add(a[0], 1)",
            "pass the array, the index of the element and the value: "
            "cuda.atomic.add(a, i, 1)",
        ),
        (
            "cuda.atomic.cas(a, 1)",
            "pass the array, the index of the element, the value to compare "
            "with and the new one: cuda.atomic.cas(a, i, 0, 1)",
        ),
        (
            "i = cuda.grid()",
            "pass how many indices you want: i = cuda.grid(1), or x, y = "
            "cuda.grid(2)",
        ),
        ("cuda.syncwarp(1, 2)", "it takes (mask)"),
        (
            "a[0] = np.sum(b, axis=0)[0]",
            "loop over the other axis, and take a row or a column each time",
        ),
        ("a[0] = np.argmax(b, 1)[0]", "loop over the other axis, and take"),
        (
            "b[:] = np.dot(b, b)",
            "let each thread compute one element, as in c[i, j] = np.dot(a[i]",
        ),
        ("a[0] = np.vdot(b, a)", "let each thread compute one element, as in"),
        (
            "a[0] = math.sqrt(a)",
            "a thread computes with one element: index the array, as in a[i]",
        ),
        ("a[0] = a < 1", "a thread computes with one element: index the arr"),
        ("a[0] = -a", "a thread computes with one element: index the array"),
        (
            "a[0] = time.time()",
            "cuda.clock64() counts cycles in a kernel; the host measures a "
            "launch with cuda.event() or time.perf_counter() and "
            "cuda.synchronize()",
        ),
        (
            "a[0] = BOX.x",
            "assign what the kernel needs of 'BOX' to a variable before the "
            "kernel, such as c = BOX.c, and use that",
        ),
        # An index that is a float, and why.
        (
            "i = np.int64(n)\nif n > 1:\n    i = np.uint64(n)\na[i] = 1",
            "'i' is assigned uint64 here",
        ),
        (
            "i = np.int64(n)\nif n > 1:\n    i = np.uint64(n)\na[i] = 1",
            "both together are a float; convert one of them, as in int64(x)",
        ),
        (
            "i = n / 2\nj = 2 * i + 1\na[j] = 1",
            "'/' gives a float; '//' of integers gives an integer",
        ),
        ("b[0, n / 2] = 1", "'/' gives a float; '//' of integers gives an"),
    ],
)
def test_note(body: str, note: str, tmp_path: Path) -> None:
    with pytest.raises(pyk.CompileError, match=f"note: {re.escape(note)}"):
        launch(body, tmp_path)


def test_array_without_one_for_the_results(tmp_path: Path) -> None:
    with pytest.raises(pyk.CompileError, match="cannot take array") as caught:
        launch("a[0] = np.sqrt(a)", tmp_path)
    assert "takes one for the results, too: out=..." in str(caught.value)


@pytest.mark.parametrize(
    "body", ["a[0] = np.sqrt('x')", "np.sqrt(a, 1)", "a[0] = math.gcd(a, 1)"]
)
def test_array_for_the_results_would_not_help(
    body: str, tmp_path: Path
) -> None:
    with pytest.raises(pyk.CompileError, match="cannot take") as caught:
        launch(body, tmp_path)
    assert "for the results" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "remedy"),
    [
        ("b = np.zeros(4)", "use cuda.local.array or cuda.shared.array"),
        ("b = np.ones_like(a)", "use cuda.local.array or cuda.shared.array"),
        (
            "if n >= np.complex64(1):\n    a[0] = 1",
            "complex numbers have no order; compare their parts, .real and "
            ".imag, or abs(...)",
        ),
        ("a[:] = 1j * n", "take a part of it, .real or .imag, or abs(...)"),
        (
            "s = cuda.local.array(3, np.bool_)\ns[0] = 1j * n",
            "bool(...) tells whether it is not 0",
        ),
        ("x = math.sin(1j)", "'cmath.sin' takes complex numbers"),
        ("x = math.floor(1j)", "take a part of it, .real or .imag, or abs"),
        *times.REMEDIES,
    ],
)
def test_remedy_is_named(body: str, remedy: str, tmp_path: Path) -> None:
    with pytest.raises(pyk.CompileError) as caught:
        launch(body, tmp_path)
    assert f"note: {remedy}" in str(caught.value)


@pytest.mark.parametrize(
    ("body", "column", "carets"),
    [
        # As wide as it is long, though not in bytes.
        ("größe = 1\na[0] = größe + foo", 20, " " * 15 + "^~~"),
        # Two columns for each character.
        ("漢字 = 1\na[0] = 漢字 + foo", 17, " " * 14 + "^~~"),
        ("漢字 = 'x'\na[0] = 漢字 + 1", 12, " " * 7 + "^~~~~~~~"),
    ],
)
def test_columns_are_characters(
    body: str, column: int, carets: str, tmp_path: Path
) -> None:
    with pytest.raises(pyk.CompileError) as caught:
        launch(body, tmp_path)
    line = len(HELPERS.splitlines()) + 3 + len(body.splitlines())
    assert caught.value.column == column
    text = str(caught.value).splitlines()
    assert text[0].startswith(f"{tmp_path}/program.py:{line}:{column}: error:")
    assert text[1] == " " * 8 + body.splitlines()[-1]
    assert text[2] == " " * 8 + carets


def test_long_line_is_cut(tmp_path: Path) -> None:
    with pytest.raises(pyk.CompileError) as caught:
        launch(f"a[0] = n{' + 1' * 60} + foo{' + 1' * 60}", tmp_path)
    assert caught.value.column == 256
    quoted, carets = str(caught.value).splitlines()[1:3]
    assert len(quoted) == 4 + 3 + 200 + 3
    assert quoted.startswith("    ...")
    assert quoted.endswith("...")
    assert quoted[carets.index("^") :].startswith("foo ")
    assert carets.endswith(" ^~~")


@pytest.mark.parametrize(
    ("line", "column", "quoted", "carets"),
    [
        ("größe = x", 9, "größe = x", " " * 8 + "^"),
        ("漢字 = x", 6, "漢字 = x", " " * 7 + "^"),
        ("\ta\x1b[1m = x", 9, "\ta\ufffd[1m = x", "\t" + " " * 7 + "^"),
        (
            "a" * 300 + "b" + "c" * 300,
            301,
            "..." + "a" * 100 + "b" + "c" * 99 + "...",
            " " * 103 + "^",
        ),
    ],
)
def test_front_end_quotes_as_the_compiler_does(
    line: str, column: int, quoted: str, carets: str
) -> None:
    error = located("no", "program.py", 3, column, line)
    assert str(error).splitlines() == [
        f"program.py:3:{column}: error: no",
        "    " + quoted,
        "    " + carets,
    ]


RECURSION = """
from numba import cuda
import numpy as np

@cuda.jit(device=True)
def f(x, barrier):
    if x < 1:
        return 0
    if barrier:
        cuda.syncthreads()
    return f(x - 1, barrier) * 3 + x

@cuda.jit
def k(a, n, barrier):
    a[cuda.grid(1)] = f(n, barrier)

def launch(n):
    k[1, 2](np.zeros(2), n, True)
"""


def test_endless_recursion_is_no_bad_index(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(RECURSION)
    names = {"__name__": "program"}
    pyk.install_as_numba()
    exec(compile(RECURSION, str(file), "exec"), names)  # noqa: S102
    names["launch"](10)
    with pytest.raises(CudaAPIError, match=r"thread \(.*ran out of stack"):
        names["launch"](10_000_000)
    names["launch"](10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"target": "tpu"},
            "expects a target of cpu or cuda but got 'tpu'",
        ),
        (
            {"target": "cpu", "emit": "sass"},
            "expects a stage of py, pyk, gpu, nvvm, llvm, ptx, checked, simd, "
            "host, threads or reference but got 'sass'",
        ),
        (
            {"target": "cpu", "options": {"fmad": True}},
            "expects an option of assume, block, check-bounds, check-memory, "
            "chip, cpu, cpu-level, debug-info, fma, opt, report-errors, "
            "reproducible, tile but got 'fmad'",
        ),
        (
            {"target": "cpu", "options": {"fma": "on"}},
            "option fma expects true or false but got 'on'",
        ),
    ],
)
def test_unknown_option_is_a_value_error(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        _core.compile(source="module {}", **options)
    assert type(caught.value) is ValueError
