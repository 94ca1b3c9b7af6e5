# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Source text and places: where messages point to."""

import ast
import importlib.util
import linecache
import subprocess
import sys
import types

import numpy as np
import pytest

import pyk
from buffers import body, function, text_at
from pyk import cuda
from pyk._frontend import _source
from pyk._frontend._build import build


def test_places_of_an_indented_function():
    @cuda.jit(
        device=True,
    )
    def k(a):
        """A docstring that is
        indented less than the function.
        """
        # A comment.
        return a + 1

    found = function(k)
    lines = found["source"].splitlines()
    assert lines[0] == "    @cuda.jit("
    assert found["file"] == __file__
    assert found["line"] == k.py_func.__code__.co_firstlineno
    line = found["line"] + lines.index("    def k(a):")
    assert found["at"] == [line, 4, line, 13]
    (statement,) = found["body"]
    assert statement["at"] == [line + 5, 8, line + 5, 20]
    assert text_at(k, statement) == "return a + 1"
    assert text_at(k, statement["value"]) == "a + 1"


def test_file_that_is_gone(tmp_path):
    text = "from pyk import cuda\n\n@cuda.jit\ndef k(a):\n    a[0] = 1\n"
    file = tmp_path / "kernel.py"
    file.write_text(text)
    names = {}
    exec(compile(text, str(file), "exec"), names)
    # The text of a kernel is kept from when it was decorated.
    k = names["k"].py_func
    file.write_text("# Shorter.\n")
    assert _source.find(k).text == text.partition("\n\n")[2]
    with pytest.raises(pyk.CompileError, match="was the file changed"):
        _source.find(copied(k))
    file.unlink()
    assert _source.find(k).text == text.partition("\n\n")[2]
    with pytest.raises(pyk.CompileError, match="its file '.*' cannot be read"):
        _source.find(copied(k))


def copied(function):
    """Another function of the same code, which nobody has decorated."""
    return types.FunctionType(function.__code__, function.__globals__)


class Holder:
    @staticmethod
    @cuda.jit
    def k(a):
        return a


def test_places_of_a_static_method():
    statement = body(Holder.k)[0]
    assert text_at(Holder.k, statement) == "return a"


@cuda.jit
def top_level(µ, größe):
    größe[0] = µ + 1  # ok


def test_columns_are_bytes_and_identifiers_normalized():
    statement = body(top_level)[0]
    assert text_at(top_level, statement) == "größe[0] = µ + 1"
    # The micro sign and the Greek letter are one identifier for Python.
    assert statement["value"]["first"]["id"] == "\u03bc"
    assert statement["targets"][0]["value"]["id"] == "größe"
    names = [entry["name"] for entry in function(top_level)["parameters"]]
    assert names == ["\u03bc", "größe"]


# Where a function ends: at the first line that is not further right, but for
# those that no statement can begin.
BLOCKS = {
    "one line": "def k(a): return a + 1",
    "a text": 'def k(a):\n    """Begins.\nends = "here"\n"""\n    return a + 1',
    "brackets": "def k(\n    a,\n):\n    return (a +\n1\n)",
    "a line that goes on": "def k(a):\n    b = a + \\\n1\n    return b",
    "comments": "def k(a):\n# Left.\n    return a + 1\n    # Right.",
    "a decorator": "@plain(\n'def no'\n)\n# And:\n@plain(1)\ndef k(a):\n"
    "    return a",
    "async": "async def k(a):\n    return a + 1",
}


@pytest.mark.parametrize("text", BLOCKS.values(), ids=BLOCKS.keys())
@pytest.mark.parametrize("behind", ["", "b = 1\n", "\n# Left.\n@other\n"])
@pytest.mark.parametrize("indented", [False, True])
def test_where_a_function_ends(text, behind, indented):
    whole = f"\n{text}\n{behind}"
    if behind.endswith("@other\n"):
        whole += "def other(b): return b\n"
    if indented:
        lines = whole.replace("\n", "\n  ").rstrip(" ")
        whole = f"if True:{lines}"
    file = "<ends of functions>"
    linecache.cache[file] = (len(whole), None, whole.splitlines(True), file)
    scope = {"plain": lambda _: lambda k: k, "other": lambda k: k}
    exec(compile(whole, file, "exec"), scope)
    found = _source.find(scope["k"])
    assert found.node.name == "k"
    assert ast.unparse(found.node) == ast.unparse(
        next(
            node
            for node in ast.walk(ast.parse(whole))
            if getattr(node, "name", "") == "k"
        )
    )
    count = len(found.text.splitlines())
    assert found.text == "".join(
        whole.splitlines(True)[found.line - 1 : found.line - 1 + count]
    )
    assert found.node.end_lineno + found.shift == found.line + count - 1


def test_lambda():
    k = cuda.jit(lambda x, y: x + y, device=True)
    found = function(k)
    assert found["name"] == "<lambda>"
    (statement,) = found["body"]
    assert statement["k"] == "return"
    assert text_at(k, statement["value"]) == "x + y"


def test_several_lambdas_on_one_line():
    # fmt: off
    several = ("ä", lambda x: x, lambda x: -x, lambda x: 5, lambda x: (
        x * 2), lambda x: lambda x: x + 1, lambda x: (1 if True else x))
    # fmt: on
    bodies = ["x", "-x", "5", "x * 2", "lambda x: x + 1", "1 if True else x"]
    functions = [*several[1:], several[5](0)]
    for given, text in zip(functions, [*bodies, "x + 1"], strict=True):
        if sys.version_info < (3, 11):
            with pytest.raises(pyk.CompileError, match="several lambdas"):
                _source.find(given)
        else:
            assert ast.unparse(_source.find(given).node.body) == text


def test_lambdas_that_nothing_tells_apart(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "from pyk._frontend import _source\n"
        "_source.find(('ä', lambda x: x, lambda x: -x)[1])\n"
    )
    result = subprocess.run(
        [sys.executable, "-X", "no_debug_ranges", path],
        capture_output=True,
        text=True,
    )
    assert result.stderr.endswith(
        "program.py:2:20: error: cannot tell several lambdas on one line "
        "apart; write each on a line of its own\n"
        "    _source.find(('ä', lambda x: x, lambda x: -x)[1])\n"
        "                       ^\n"
    )


def test_source_that_changed(tmp_path):
    path = tmp_path / "changed.py"
    path.write_text("def k(a):\n    pass\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    path.write_text("def other(a):\n    pass\n")
    with pytest.raises(pyk.CompileError, match="was the file changed"):
        build(cuda.jit(scope["k"]), [])
    path.write_text("def k(a\n")
    linecache.clearcache()
    with pytest.raises(pyk.CompileError, match="was the file changed"):
        build(cuda.jit(scope["k"]), [])


@pytest.mark.parametrize(
    "body",
    ["a if a else " * 800 + "a", "-" * 800 + "a", "a" + "[0]" * 2500],
    ids=["choice", "minus", "subscript"],
)
def test_source_that_is_nested_too_deeply(tmp_path, body):
    path = tmp_path / "deep.py"
    path.write_text(f"def k(a):\n    b = {body}\n")
    scope = {}
    try:
        exec(compile(path.read_text(), str(path), "exec"), scope)
    except (RecursionError, MemoryError):
        pytest.skip("this Python does not run it either")
    with pytest.raises(pyk.CompileError, match="nested too deeply") as caught:
        build(cuda.jit(scope["k"]), [])
    assert caught.value.filename == str(path)
    assert caught.value.lineno == 1


def test_sum_of_many_terms():
    text = "def k(a):\n    a[0] = a[1]" + " + a[1] * 2" * 2500 + "\n"
    linecache.cache["many.py"] = (
        len(text),
        None,
        text.splitlines(True),
        "many.py",
    )
    scope = {}
    exec(compile(text, "many.py", "exec"), scope)
    a = np.ones(2)
    cuda.jit(scope["k"])[1, 1](a)
    assert a[0] == 5001


def test_parameters_that_are_not_plain():
    @cuda.jit
    def keyword(a, *, n):
        pass

    @cuda.jit
    def double(a, **größe):
        pass

    with pytest.raises(
        pyk.CompileError,
        match="function 'keyword' has a keyword-only parameter, 'n'",
    ) as caught:
        build(keyword, [])
    place, source, caret = str(caught.value).splitlines()
    assert place.startswith(f"{__file__}:{caught.value.lineno}:")
    assert source == " " * 8 + "def keyword(a, *, n):"
    assert caret.index("^") == source.index("n):")
    assert caught.value.column == source.index("n):") - 4 + 1
    with pytest.raises(pyk.CompileError, match=r"a '\*\*' parameter"):
        build(double, [])


def test_async_function():
    async def k(a):
        pass

    with pytest.raises(pyk.CompileError, match="'async' function"):
        build(cuda.jit(k), [])


def test_an_array_on_a_device_that_nobody_keeps():
    array = cuda.device_array(3)

    @cuda.jit
    def k(out):
        out[0] = array[0]

    with pytest.raises(TypeError, match="expects no array on a device but got"):
        build(k, ["!pyk.array<?xf64, c>"])


TEXT = """\
import sys
from pyk import cuda

{before}@cuda.jit
def k(a):
    a[0] = {value}

def later(a):
    a[0] = {value}
"""


def imported(path, **values):
    """The module of a file with such a text."""
    path.write_text(TEXT.format(**values))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def launched(kernel):
    a = np.zeros(1)
    kernel[1, 1](a)
    return a[0]


@pytest.mark.parametrize("before", ["", "# A line more.\n"])
def test_file_that_is_edited_before_the_first_launch(tmp_path, before):
    path = tmp_path / "edited.py"
    module = imported(path, before="", value=1)
    path.write_text(TEXT.format(before=before, value=222))
    assert launched(module.k) == 1
    # What is decorated only now would be compiled from the new text.
    with pytest.raises(pyk.CompileError, match="was the file changed after it"):
        launched(cuda.jit(module.later))
    path.unlink()
    assert launched(imported(path, before="", value=3).k) == 3


def test_file_that_is_edited_and_imported_again(tmp_path):
    path = tmp_path / "again.py"
    old = imported(path, before="", value=1)
    new = imported(path, before="", value=2)
    assert (launched(old.k), launched(new.k)) == (1, 2)
    assert launched(cuda.jit(new.later)) == 2


def test_file_with_another_text_than_was_compiled(tmp_path):
    """As a loader that changes what it compiles, but says nothing of it."""
    path = tmp_path / "other.py"
    path.write_text(TEXT.format(before="", value=1))
    scope = {"__name__": "other"}
    exec(compile(TEXT.format(before="", value=2), str(path), "exec"), scope)
    with pytest.raises(pyk.CompileError, match="was the file changed after it"):
        launched(scope["k"])


def test_cell_whose_text_is_replaced():
    """`linecache` has the last text of a name; a kernel keeps its own."""
    for name in ("<cell>", "/tmp/no such folder/cell.py"):
        first = TEXT.format(before="", value=1)
        linecache.cache[name] = len(first), None, first.splitlines(True), name
        scope = {"__name__": "cell"}
        exec(compile(first, name, "exec"), scope)
        other = TEXT.format(before="", value=2)
        linecache.cache[name] = len(other), None, other.splitlines(True), name
        assert launched(scope["k"]) == 1
        assert launched(cuda.jit(scope["later"])) == 1
