# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose text stands in no file: `exec`, `timeit`, a prompt, a pipe."""

import ast
import code
import subprocess
import sys
import timeit

import numpy as np
import pytest

import pyk
from pyk import _core, cuda
from pyk._frontend import _compiled_texts

STORE = "@cuda.jit\ndef k(a):\n    a[0] = {}\n"

#: What somebody types, or pipes into the interpreter.
PROGRAM = """\
import numpy as np
from pyk import cuda
@cuda.jit
def k(a): a[0] = 5

a = np.zeros(1)
k[1, 1](a)
print(a)
"""


def define(text, name="k", **names):
    scope = {"cuda": cuda, **names}
    exec(text, scope)
    return scope[name]


def result_of(kernel):
    a = np.zeros(1)
    kernel[1, 1](a)
    return a[0]


def test_texts_of_one_name_are_told_apart():
    kernels = [define(STORE.format(value)) for value in range(4)]
    assert [result_of(kernel) for kernel in kernels] == [0, 1, 2, 3]


# The two differ in a constant of a function within.
def test_texts_that_differ_within_a_nested_function():
    text = """
@cuda.jit
def k(a):
    def inner():
        return {}
    a[0] = inner()
"""
    first, second = define(text.format(1)), define(text.format(2))
    assert (result_of(first), result_of(second)) == (1, 2)


def test_function_of_a_class_and_a_condition():
    text = """
if True:
    class Holder:
        @staticmethod
        @cuda.jit
        def k(a):
            a[0] = 7
"""
    assert result_of(define(text, "Holder").k) == 7


def test_forms_of_text():
    text = STORE.format(3)
    scope = {"cuda": cuda}
    for given in (
        text,
        text.encode(),
        text.replace("\n", "\r\n"),
        "# \u00e9\n" + text,
        ("# coding: latin-1\n# \u00e9\n" + text).encode("latin-1"),
        "from __future__ import annotations\n" + text,
        "'\x0c'\n" + text,
    ):
        exec(given, scope)
        assert result_of(scope["k"]) == 3


def test_name_of_a_file_that_is_not_there():
    scope = {"cuda": cuda}
    exec(compile(STORE.format(6), "generated.py", "exec"), scope)
    assert result_of(scope["k"]) == 6


def test_lambda_of_eval():
    add = cuda.jit(eval("  lambda x: x + 3"), device=True)

    @cuda.jit
    def k(a):
        a[0] = add(4)

    assert result_of(k) == 7


def test_timeit():
    a = np.zeros(1)
    timeit.timeit(
        "k[1, 1](a)",
        "@cuda.jit\ndef k(a):\n    a[0] += 1",
        number=3,
        globals={"cuda": cuda, "a": a},
    )
    assert a[0] == 3


def test_command_of_timeit():
    """PyK is imported by the text that is timed."""
    setup = PROGRAM.replace("print(a)\n", "")
    result = subprocess.run(
        [sys.executable, "-m", "timeit", "-n2", "-r1", "-s", setup]
        + ["k[1, 1](a); print(a)"],
        capture_output=True,
        text=True,
    )
    assert "[5.]\n" in result.stdout
    assert (result.returncode, result.stderr) == (0, "")


def test_console_of_the_library():
    console = code.InteractiveConsole({"cuda": cuda})
    for line in ["@cuda.jit", "def k(a):", "    a[0] = 8", ""]:
        more = console.push(line)
    assert not more
    assert result_of(console.locals["k"]) == 8


def test_error_points_at_the_line():
    kernel = define(
        "x = 1\nif x:\n    " + "@cuda.jit\n    def k(a):\n"
        "        a[0] = 1 + unknown\n"
    )
    with pytest.raises(pyk.CompileError) as caught:
        result_of(kernel)
    assert str(caught.value) == (
        "<string>:5:20: error: name 'unknown' is not defined\n"
        "            a[0] = 1 + unknown\n"
        "                       ^~~~~~~"
    )


def changed_tree(value):
    """The tree of a kernel that was changed after it was parsed."""
    tree = ast.parse(STORE.format(0))
    tree.body[0].body[0].value.value = value
    return tree


def test_tree_of_a_text():
    for value in range(2):
        tree = ast.parse(STORE.format(value))
        scope = {"cuda": cuda}
        exec(compile(tree, "<tree>", "exec"), scope)
        assert result_of(scope["k"]) == value


def test_text_that_nobody_has():
    tree = changed_tree(101)
    scope = {"cuda": cuda}
    exec(compile(tree, "<tree>", "exec"), scope)
    with pytest.raises(
        pyk.CompileError,
        match="cannot compile 'k': no source text is available for it in "
        "'<tree>'; PyK keeps the texts that are compiled after it was "
        "imported",
    ) as caught:
        result_of(scope["k"])
    assert caught.value.filename == "<tree>"
    assert caught.value.lineno == 1


# A text of that name that defines something else is not taken for it.
def test_other_text_of_the_same_name():
    exec(compile(STORE.format(1), "<mixed>", "exec"), {"cuda": cuda})
    scope = {"cuda": cuda}
    exec(compile(changed_tree(102), "<mixed>", "exec"), scope)
    with pytest.raises(pyk.CompileError, match="no source text is available"):
        result_of(scope["k"])


def test_kept_texts_are_bounded(monkeypatch):
    monkeypatch.setattr(_compiled_texts, "_texts", {})
    monkeypatch.setattr(_compiled_texts, "_size", 0)
    monkeypatch.setattr(_compiled_texts, "LIMIT", 100)
    for value in range(9):
        kernel = define(STORE.format(value))
    exec("x = 1")
    for _ in range(2):
        exec("def f(): pass")
    kept = [text for _, text in _compiled_texts._texts]
    assert kept == [STORE.format(n).encode() for n in (7, 8)] + [
        b"def f(): pass"
    ]
    assert _compiled_texts._size == sum(map(len, kept))
    assert result_of(kernel) == 8


def test_files_are_not_kept(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(STORE.format(1))
    exec(compile(path.read_text(), str(path), "exec"), {"cuda": cuda})
    assert str(path) not in [file for file, _ in _compiled_texts._texts]


def test_listener_that_fails():
    def fail(source, file):
        raise ValueError("mine")

    _core.listen_to_compile(fail)
    try:
        with pytest.raises(ValueError, match="mine"):
            exec("x = 1")
    finally:
        _core.listen_to_compile(_compiled_texts._keep)


def run(*arguments, text):
    return subprocess.run(
        [sys.executable, *arguments], input=text, capture_output=True, text=True
    )


def test_program_from_standard_input():
    done = run("-", text=PROGRAM)
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == (
        "pyk.CompileError: cannot compile 'k': Python keeps no text of a "
        "program from standard input; run it by 'pyk-run -', or from a file"
    )


def test_interactive_interpreter():
    done = run("-i", "-q", text=PROGRAM)
    if sys.version_info >= (3, 13):
        assert done.stdout == "[5.]\n"
    else:
        assert (
            "cannot compile 'k': before version 3.13, Python keeps no text of "
            "what is typed, and the terminal's history does not have it; use a "
            "later version, IPython or a file" in done.stderr
        )


# A command's text is compiled before PyK is there; what it runs is not.
def test_text_that_a_command_executes():
    text = f"""
import numpy as np
from pyk import cuda
def k(a): pass
exec({STORE.format(4)!r})
a = np.zeros(1)
k[1, 1](a)
print(a)
"""
    done = run("-c", text, text="")
    assert (done.stdout, done.stderr) == ("[4.]\n", "")


OF_NO_FILE = """
import sys
import numpy as np
TEXT = "@cuda.jit\\ndef k(a):\\n    a[0] = 6\\n"
code = compile(TEXT, "generated.py", "exec") if sys.argv[1:] else None
from pyk import cuda
exec(code or compile(TEXT, "generated.py", "exec"))
a = np.zeros(1)
k[1, 1](a)
print(a[0])
"""


def run_program(folder, *arguments):
    path = folder / "program.py"
    path.write_text(OF_NO_FILE)
    return subprocess.run(
        [sys.executable, path, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_name_of_no_file_in_the_main_module(tmp_path):
    # Its loader has a text, that of the program.
    result = run_program(tmp_path)
    assert (result.stdout, result.stderr) == ("6.0\n", "")


def test_text_from_before_the_import(tmp_path):
    result = run_program(tmp_path, "early")
    assert "its file 'generated.py' cannot be read" in result.stderr
