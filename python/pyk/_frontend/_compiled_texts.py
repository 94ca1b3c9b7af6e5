# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The texts of `exec`, `eval` and `compile`, which stand in no file.

Python keeps none of them. Each is kept from the moment it is compiled, and
found again by what it compiles to. So is what is typed at a prompt.
"""

from __future__ import annotations
import __future__

import atexit
import functools
import importlib.util
import io
import os
import sys
from collections.abc import Iterator
from types import CodeType, FrameType

from pyk import _core

#: How many bytes of text are kept: the newest.
LIMIT = 1 << 24

#: What `ast.parse` calls a text, whatever its tree is compiled as later: that
#: of the cells of IPython that begin with `%%time`, for one.
_OF_TREES = "<unknown>"

#: What PyK calls a text that it parses, which is a part of one that is kept.
OF_PYK = "<pyk>"

#: Names of files with texts, each once, oldest first.
_texts: dict[tuple[str, bytes], None] = {}
_size = 0

_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag


def _keep(source: object, file: object) -> None:
    """Hears of each text that is compiled, as bytes, and of trees."""
    global _size
    if type(source) is not bytes or not isinstance(file, str) or file == OF_PYK:
        return
    if b"def " not in source and b"lambda" not in source:
        return
    if not file.startswith("<") and os.path.exists(file):
        return
    text = (file, source)
    if text in _texts:
        del _texts[text]
        _size -= len(source)
    _texts[text] = None
    _size += len(source)
    while _size > LIMIT:
        oldest = next(iter(_texts))
        del _texts[oldest]
        _size -= len(oldest[1])


def lines_of(code: CodeType) -> list[str]:
    """The lines of the text that `code` was compiled from; none if not kept."""
    for text in _candidates(code):
        if holds(text, code):
            # Ends of lines as in a file.
            return io.StringIO(text, newline=None).readlines()
    return []


def holds(text: str, code: CodeType) -> bool:
    """Whether `code` is among what `text` compiles to."""
    made = _compiled(text, code.co_filename, code.co_flags & _FUTURES)
    return made is not None and _has_constant(made, code)


@functools.lru_cache(maxsize=8)
def _compiled(text: str, file: str, flags: int) -> CodeType | None:
    """What `text` compiles to; kept, as a text may define many kernels.

    None if it never was a program; what defines a kernel did compile.
    """
    try:
        made: CodeType = compile(text, file, "exec", flags, True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return made


def _candidates(code: CodeType) -> Iterator[str]:
    word = "lambda" if code.co_name == "<lambda>" else code.co_name
    for file, text in reversed(list(_texts)):
        if file in (code.co_filename, _OF_TREES):
            decoded = _decode(text)
            if word in decoded:
                yield decoded
    if code.co_filename == "<string>":
        yield from _command()
    if code.co_filename == "<timeit-src>":
        yield from _timed()
    if code.co_filename == "<stdin>":
        yield from _typed(word)


def _decode(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        try:
            return importlib.util.decode_source(text)
        except (SyntaxError, UnicodeDecodeError):
            return ""


def _command() -> Iterator[str]:
    """The text of `python -c TEXT`, which is compiled before all imports.

    What is left of the command line behind TEXT is in sys.argv, after `-c`.
    """
    if sys.argv[:1] == ["-c"]:
        yield sys.orig_argv[-len(sys.argv)]


def _timed() -> Iterator[str]:
    """The text that `timeit` runs; of its command line, all in one.

    A program's imports are in that text, so nobody has heard of it.
    """
    frame: FrameType | None = sys._getframe()
    while frame:
        text = getattr(frame.f_locals.get("self"), "src", None)
        if frame.f_code.co_name == "timeit" and isinstance(text, str):
            yield text
        frame = frame.f_back


def _typed(word: str) -> Iterator[str]:
    """Statements with `word` that were typed on a terminal, newest first.

    Before Python 3.13 only the history of the terminal's lines has them. It
    leaves out empty lines, and the second of two that are equal; what then is
    another program is not taken for the one that was typed.
    """
    readline = sys.modules.get("readline")
    if readline is None:
        return
    count = readline.get_current_history_length() + 1
    lines = [readline.get_history_item(n) or "" for n in range(1, count)]
    for start in reversed(range(len(lines))):
        is_first = start == 0 or not lines[start - 1].startswith("@")
        if is_first and not lines[start][:1].isspace():
            text = _first_statement(lines[start:])
            if word in text:
                yield text


def _first_statement(lines: list[str]) -> str:
    """The shortest beginning of `lines` that is a whole statement, if any."""
    import codeop

    text = ""
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        text += line + "\n"
        if after[:1].isspace():
            continue
        try:
            if codeop.compile_command(text, "<stdin>"):
                return text
        except (SyntaxError, ValueError, OverflowError):
            break
    return ""


def _has_constant(made: CodeType, code: CodeType) -> bool:
    return any(
        constant == code or _has_constant(constant, code)
        for constant in made.co_consts
        if isinstance(constant, CodeType)
    )


_core.listen_to_compile(_keep)
# A hook stays for longer than this module.
atexit.register(_core.listen_to_compile, None)
