# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The syntax tree of a function that already exists.

The text comes from `linecache`, which also knows notebook cells, or from
`_compiled_texts`. It is kept when a function is decorated, because a file may
be edited before the first launch; text of a file that was written after the
process began must still compile to the function's own code object. A function
that stands inside a class or another function is parsed behind an `if 1:` line,
so that columns and multi-line strings stay as they are in the file; only the
line numbers have to be shifted.
"""

from __future__ import annotations

import ast
import inspect
import io
import linecache
import os
import sys
import time
import tokenize
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any

from pyk._errors import CompileError, located
from pyk._frontend import _compiled_texts, _tree

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass
class Source:
    """A function's tree and text, and how to find both in the file."""

    node: FunctionNode
    file: str
    #: Line in the file of the first line of `text`.
    line: int
    text: str
    #: What to add to a line number of the tree.
    shift: int

    def text_line(self, line: int) -> str:
        """A line of the file that lies within the function."""
        lines = self.text.splitlines()
        index = line - self.line
        return lines[index] if 0 <= index < len(lines) else ""


def find(function: Callable[..., Any]) -> Source:
    """The source of `function`, or a CompileError that says what is wrong."""
    code: CodeType = function.__code__
    lines = _lines_of(function)
    if code.co_firstlineno > len(lines) or not _is_current(function, lines):
        raise _changed(code)
    try:
        if code.co_name == "<lambda>":
            return _find_lambda(code, lines)
        return _find_def(code, lines)
    except (RecursionError, MemoryError):
        raise too_deep(code, lines[code.co_firstlineno - 1]) from None
    except (SyntaxError, tokenize.TokenError):
        raise _changed(code) from None


#: The attribute of a function from another process that has its text.
_CARRIED = "__pyk_text__"


def to_carry(function: Callable[..., Any]) -> tuple[int, str]:
    """What another process needs to `find` the source of `function` again.

    A text, and how many lines stand in front of it.
    """
    if function.__code__.co_name == "<lambda>":
        # It is found in the tree of the whole text.
        return 0, "".join(_lines_of(function))
    source = find(function)
    return source.line - 1, source.text


def carry(function: Callable[..., Any], text: tuple[int, str]) -> None:
    """Gives a function what `to_carry` gave of it elsewhere."""
    setattr(function, _CARRIED, text)


#: The lines of the file or the cell of each function when it was decorated.
_kept: weakref.WeakKeyDictionary[Callable[..., Any], list[str]] = (
    weakref.WeakKeyDictionary()
)


def keep(function: Callable[..., Any]) -> None:
    """Keeps the text of a function that was just decorated."""
    file = function.__code__.co_filename
    if function not in _kept and not file.startswith("<"):
        lines = _lines_of_file(file, function.__globals__)
        if lines:
            # The list is shared by all functions of the file.
            _kept[function] = lines


def _lines_of_file(file: str, names: dict[str, Any]) -> list[str]:
    """The lines of a file, or of a cell of a notebook; none if there are none.

    `names` are the globals of its module.
    """
    # The loader of a module has the text of no other file.
    linecache.checkcache(file)
    is_own = _stem(file) == _stem(names.get("__file__"))
    return linecache.getlines(file, names if is_own else None)


def _process_start() -> float:
    """When the process began, in seconds since the epoch; 0 if unknown."""
    try:
        with open("/proc/self/stat", encoding="latin-1") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
        began = ticks / os.sysconf("SC_CLK_TCK")
        boot = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
        # Less what clocks of files and processes differ by.
        return min(boot + began, time.time()) - 0.1
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


_PROCESS_START = _process_start()


def _is_current(function: Callable[..., Any], lines: list[str]) -> bool:
    """Whether a function may have been compiled from `lines` of its file.

    A file that has not been touched since the process began has the text that
    was imported. Of another, the text has to hold the function's code object,
    unless a loader such as that of pytest changes what it compiles.
    """
    code: CodeType = function.__code__
    file = code.co_filename
    if file.startswith("<") or getattr(function, _CARRIED, None) is not None:
        return True
    try:
        status = os.stat(file)
    except OSError:
        # A cell of a notebook, or a file that is gone.
        return True
    if max(status.st_mtime, status.st_ctime) < _PROCESS_START:
        return True
    loader = function.__globals__.get("__loader__")
    if loader is not None and type(loader) is not SourceFileLoader:
        return True
    return _compiled_texts.holds("".join(lines), code)


def _lines_of(function: Callable[..., Any]) -> list[str]:
    carried = getattr(function, _CARRIED, None)
    if carried is None:
        return _lines(function)
    before, text = carried
    return ["\n"] * before + io.StringIO(text).readlines()


def _lines(function: Callable[..., Any]) -> list[str]:
    """The text that a function stands in, or a CompileError."""
    code: CodeType = function.__code__
    file = code.co_filename
    in_file = not file.startswith("<")
    # A name such as <string> is that of many texts.
    is_there = in_file and os.path.exists(file)
    lines = [] if is_there else _compiled_texts.lines_of(code)
    if not lines:
        lines = _kept.get(function) or _lines_of_file(
            file, function.__globals__
        )
    if not lines and is_there:
        lines = _compiled_texts.lines_of(code)
    if lines:
        return lines
    if in_file:
        why = (
            f"its file '{file}' cannot be read; PyK compiles from source when "
            "a kernel is first called"
        )
    elif file != "<stdin>":
        why = (
            f"no source text is available for it in '{file}'; PyK keeps the "
            "texts that are compiled after it was imported, so put 'import "
            "pyk' in front of what compiles this one (exec, eval, compile), or "
            "define the function in a file or a notebook cell"
        )
    elif hasattr(sys, "ps1"):
        why = (
            "before version 3.13, Python keeps no text of what is typed, and "
            "the terminal's history does not have it; use a later version, "
            "IPython or a file"
        )
    else:
        why = (
            "Python keeps no text of a program from standard input; run it by "
            "'pyk-run -', or from a file"
        )
    raise CompileError(
        f"cannot compile '{code.co_name}': {why}", file, code.co_firstlineno
    )


def _stem(file: object) -> str | None:
    """The name of a file without its folder and without .py or .pyc."""
    if not isinstance(file, str):
        return None
    return os.path.splitext(os.path.basename(file))[0]


def too_deep(code: CodeType, line: str) -> CompileError:
    """The error for nesting that the parser or the front end cannot take."""
    return located(
        f"the body of '{code.co_name}' is nested too deeply to compile; "
        "split its longest expression into several statements",
        code.co_filename,
        code.co_firstlineno,
        1,
        line,
    )


def _changed(code: CodeType) -> CompileError:
    return CompileError(
        f"cannot compile '{code.co_name}': the text of "
        f"'{code.co_filename}' at line {code.co_firstlineno} is not that "
        "function; was the file changed after it was imported? Import it "
        "again, or restart the program",
        code.co_filename,
        code.co_firstlineno,
    )


def _find_def(code: CodeType, lines: list[str]) -> Source:
    first = code.co_firstlineno
    rest = lines[first - 1 :]
    block = _indented_block(rest)
    try:
        node = _first_statement(block)
    except SyntaxError:
        # A text or brackets go on further left than the function.
        block = inspect.getblock(rest)
        node = _first_statement(block)
    if (
        not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        or node.name != code.co_name
    ):
        raise _changed(code)
    is_nested = block[0][:1].isspace()
    text = "".join(block[: (node.end_lineno or 0) - is_nested])
    return Source(node, code.co_filename, first, text, first - 1 - is_nested)


def _indented_block(lines: list[str]) -> list[str]:
    """The lines up to the first behind `def` that is not further right.

    `inspect.getblock` reads all tokens, which takes longer than all else.
    """
    least = len(lines[0]) - len(lines[0].lstrip())
    is_body = False
    for count, line in enumerate(lines):
        text = line.lstrip()
        # No statement begins with a bracket that closes.
        if is_body and text and text[0] not in "#)]}":
            if len(line) - len(text) <= least:
                return lines[:count]
        elif text.startswith(("def ", "async ")):
            is_body = True
    return lines


def _parse(text: str) -> ast.Module:
    return ast.parse(text, _compiled_texts.OF_PYK)


def _first_statement(block: list[str]) -> ast.stmt | None:
    """The tree of a function; below another line if it is indented."""
    text = "".join(block)
    if not block[0][:1].isspace():
        body = _parse(text).body
    else:
        outer = _parse("if 1:\n" + text).body[0]
        body = outer.body if isinstance(outer, ast.If) else []
    return body[0] if body else None


def _lambdas(tree: ast.AST, line: int) -> Iterator[ast.Lambda]:
    for node in _tree.walk(tree):
        if isinstance(node, ast.Lambda) and node.lineno == line:
            yield node


def _find_lambda(code: CodeType, lines: list[str]) -> Source:
    first = code.co_firstlineno
    tree = _parse("".join(lines))
    found = [
        node
        for node in _lambdas(tree, first)
        if tuple(_parameter_names(node)) == code.co_varnames[: code.co_argcount]
    ]
    if len(found) > 1:
        found = _that_hold(code, found)
    if not found:
        raise _changed(code)
    node = found[0]
    if len(found) > 1:
        line = lines[first - 1]
        raise located(
            "cannot tell several lambdas on one line apart; write each on a "
            "line of its own",
            code.co_filename,
            first,
            len(line.encode()[: node.col_offset].decode()) + 1,
            line,
        )
    text = "".join(lines[first - 1 : node.end_lineno])
    return Source(node, code.co_filename, first, text, 0)


def _that_hold(code: CodeType, found: list[ast.Lambda]) -> list[ast.Lambda]:
    """The one of `found` that `code` is of; all of them if nothing says so.

    That is the innermost in whose body all instructions stand. Before version
    3.11, or with `-X no_debug_ranges`, Python does not know where they do.
    """
    if sys.version_info < (3, 11):
        return found
    spans = [
        ((line, column), (end_line, end_column))
        for line, end_line, column, end_column in code.co_positions()
        if line and end_line and column is not None and end_column
    ]
    if not spans:
        return found
    begin = min(begin for begin, _ in spans)
    end = max(end for _, end in spans)
    holding = [
        node
        for node in found
        if (node.body.lineno, node.body.col_offset) <= begin
        and end <= (node.body.end_lineno or 0, node.body.end_col_offset or 0)
    ]
    holding.sort(key=lambda node: (node.body.lineno, node.body.col_offset))
    return holding[-1:]


def _parameter_names(node: FunctionNode) -> list[str]:
    return [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
