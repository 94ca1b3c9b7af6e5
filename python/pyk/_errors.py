# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions and warnings that programs see.

The classes have the names that Numba gives them, so that `except` clauses of
existing programs keep working. A compile error's text is complete as it
stands (message, place, source line, caret), which is why tracebacks are cut
down to the frames of the user's own code.
"""

from __future__ import annotations

import builtins
import linecache
import os
import re
import sys
import unicodedata
import warnings
from types import TracebackType

#: The folder of the package.
PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class NumbaError(Exception):
    """The root of all errors, under the name that programs know."""


class CompileError(NumbaError):
    """A kernel cannot be compiled.

    `message` is the whole rendered text; `filename`, `lineno` and `column`
    (both counted from 1, 0 if there is none) say what it is about.

    >>> error = CompileError("prog.py:3:5: error: no", "prog.py", 3, 5)
    >>> error.filename, error.lineno, error.column
    ('prog.py', 3, 5)
    """

    def __init__(
        self,
        message: str = "",
        filename: str = "",
        lineno: int = 0,
        column: int = 0,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.filename = filename
        self.lineno = lineno
        self.column = column

    def add_note_at(self, place: tuple[str, int], note: str) -> None:
        """Adds a note about a file and a line to the message."""
        filename, lineno = place
        self.message += f"\n{shown_file(filename)}:{lineno}: note: {note}"
        line = linecache.getline(filename, lineno).strip()
        if line:
            self.message += f"\n    {line}"
        self.args = (self.message,)


class TypingError(CompileError):
    """The types of a kernel do not fit together."""


class NumbaTypeError(TypingError, TypeError):
    """A type is wrong where programs expect Python's own TypeError.

    A kernel that returns a value, for one.
    """


class NumbaValueError(TypingError):
    """A compile-time value is not one that the operation accepts."""


class NumbaAttributeError(TypingError):
    """A type has no such attribute."""


class NumbaIndexError(TypingError):
    """A compile-time index is out of range."""


class RequireLiteralValue(TypingError):
    """An argument has to be a literal and is not."""


class UnsupportedError(CompileError):
    """A kernel uses a construct that PyK does not compile."""


class ConstantInferenceError(CompileError):
    """A value has to be known at compile time and is not."""


class LoweringError(CompileError):
    """A typed kernel cannot be expressed on the target."""


class DeprecationError(NumbaError):
    """An argument that Numba no longer accepts."""


class CompareError(NumbaError):
    """A launch has other results if its threads run in another way.

    `--compare` and PYK_COMPARE look for that.
    """


class CudaSupportError(ImportError):
    """There is no GPU that PyK can launch on."""


class NvvmSupportError(ImportError):
    """There is no NVVM, which PyK does not need: it is never raised."""


class CudaDriverError(Exception):
    """A device did not do what it was asked to."""


class CudaAPIError(CudaDriverError):
    """A device reported an error; `code` is CUDA's number for it.

    >>> print(CudaAPIError(700, "a bad access"))
    [700] a bad access
    """

    def __init__(self, code: int, msg: str) -> None:
        super().__init__(code, msg)
        self.code = code
        self.msg = msg

    def __str__(self) -> str:
        return f"[{self.code}] {self.msg}"


class CudaInvalidValueError(CudaAPIError, ValueError):
    """A launch or a copy that cannot be: CUDA_ERROR_INVALID_VALUE."""


#: For each code of the runtime (pyk_rt_code), the class of an error of no
#: native call, and CUDA's number for it if the class takes one.
_STATUS_CLASSES: dict[int, tuple[type[BaseException], int | None]] = {
    1: (CudaInvalidValueError, 1),
    2: (CudaAPIError, 400),
    3: (CudaAPIError, 2),
    4: (CudaSupportError, None),
    5: (LookupError, None),
    6: (NotImplementedError, None),
    7: (CudaAPIError, 200),
    8: (CudaAPIError, 719),
    11: (CudaAPIError, 700),
    12: (KeyboardInterrupt, None),
}


class NumbaWarning(Warning):
    """The root of all warnings."""


class NumbaPerformanceWarning(NumbaWarning):
    """Something is slower than it need be."""


class NumbaDeprecationWarning(NumbaWarning, DeprecationWarning):
    """Something will stop working."""


class NumbaPendingDeprecationWarning(NumbaWarning, PendingDeprecationWarning):
    """Something will be deprecated."""


class NumbaTypeSafetyWarning(NumbaWarning):
    """Something is read as another type than it has."""


class NumbaDebugInfoWarning(NumbaWarning):
    """Debug information is not what was asked for."""


class NumbaInvalidConfigWarning(NumbaWarning):
    """Options contradict each other or have no effect."""


class KernelMistakeWarning(NumbaWarning):
    """A statement of a kernel that is hardly meant as it stands.

    It comes once for each line;
    `warnings.simplefilter("ignore", KernelMistakeWarning)` turns it off.
    """


class OutOfBoundsWarning(NumbaWarning, RuntimeWarning):
    """A kernel on the CPU would have left the memory of an array.

    What it read there is 0, what it wrote is dropped.
    """


# Tracebacks show the names under which programs import the classes.
for _class in [*globals().values()]:
    if isinstance(_class, type) and issubclass(_class, Exception):
        _class.__module__ = "pyk.cuda.errors"
CompileError.__module__ = "pyk"


def warn(message: str, category: type[Warning]) -> None:
    """Warns at the line of the program that called PyK."""
    level = 2
    frame = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)


def caller() -> tuple[str, int]:
    """The file and the line of the program that called or imported PyK."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith(
        (PACKAGE, "<frozen importlib")
    ):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


#: What `warn_once` has said.
_said: set[str] = set()


def warn_once(
    topic: str,
    message: str,
    category: type[Warning],
    place: tuple[str, int] | None = None,
) -> None:
    """`warn`, the first time in the process that `topic` comes up.

    `place` is the file and the line if that is not the program's call.
    """
    if topic in _said:
        return
    if place is None:
        warn(message, category)
    else:
        _warn_at(message, category, *place)
    # Not if a filter has made an error of it.
    _said.add(topic)


def _warn_at(
    message: str, category: type[Warning], filename: str, line: int
) -> None:
    """Warns at a line of a file, or of the cell that the file stands for."""
    shown = shown_file(filename)
    if shown != filename and filename in linecache.cache:
        # For the line that is quoted.
        linecache.cache[shown] = linecache.cache[filename]
    warnings.warn_explicit(message, category, shown, line)


def warn_of_memory(message: str, filename: str, line: int) -> None:
    """Warns of what a kernel did not do, at its line of the program."""
    _warn_at(message, OutOfBoundsWarning, filename or "<unknown>", line)


def shown_file(filename: str) -> str:
    """What messages call a file: of a notebook's cell, `Cell In[3]`.

    IPython compiles cells under names of files that are not there.
    """
    ask = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = ask() if ask else None
    compiler = getattr(shell, "compile", None)
    find = getattr(compiler, "format_code_name", None)
    found = find(filename) if find else None
    return " ".join(found) if found else filename


def _with_cells(message: str) -> str:
    """A message of the compiler with `shown_file` of all files in it."""
    if "IPython" not in sys.modules:
        return message
    return re.sub(
        r"(?m)^(\S[^\n]*?)(?=:\d+:)",
        lambda found: shown_file(found[1]),
        message,
    )


def from_kind(
    kind: str, message: str, filename: str, lineno: int, column: int
) -> Exception:
    """The exception for an error of the C interface.

    `kind` names a class of this module or a builtin exception; any other
    name becomes a `CompileError`.
    """
    found = globals().get(kind) or getattr(builtins, kind, None)
    if not (isinstance(found, type) and issubclass(found, Exception)):
        found = CompileError
    if issubclass(found, CompileError):
        return found(_with_cells(message), filename, lineno, column)
    error: Exception = found(message)
    return error


def from_status(
    code: int, message: str, call: str, number: int
) -> BaseException:
    """The exception for a failure of the runtime.

    `call` and `number` are those of the native call that failed, if any; the
    message has them too, as `[number] Call to ...`.
    """
    found, own = _STATUS_CLASSES.get(code, (CudaDriverError, None))
    if call and found is not CudaSupportError:
        return CudaAPIError(number, message.replace(f"[{number}] ", "", 1))
    if own is not None:
        return found(own, message)
    return found(message)


def located(
    message: str,
    filename: str,
    lineno: int,
    column: int,
    line: str,
    kind: type[CompileError] = UnsupportedError,
) -> CompileError:
    """A compile error of the front end, rendered as the compiler does.

    `line` is the source line; `column` counts from 1 in characters.
    """
    text = f"{shown_file(filename)}:{lineno}:{column}: error: {message}"
    line = line.rstrip("\r\n")
    if line:
        text += "\n" + _quote(line, column - 1)
    return kind(text, filename, lineno, column)


#: Characters of a line that are quoted at most, and of those, how many before
#: the caret; as in the compiler.
_MOST_QUOTED, _MOST_BEFORE = 200, 100


def _quote(line: str, start: int) -> str:
    """The quoted line, and a caret below its character `start`."""
    start = min(start, len(line))
    cut = 0
    if len(line) > _MOST_QUOTED and start > _MOST_BEFORE:
        cut = min(start - _MOST_BEFORE, len(line) - _MOST_QUOTED)
    quoted = "".join(
        c if c == "\t" or _width(c) >= 0 else "\ufffd"
        for c in line[cut : cut + _MOST_QUOTED]
    )
    lead = "".join(
        c if c == "\t" else " " * _width(c) for c in quoted[: start - cut]
    )
    before = "..." if cut else ""
    after = "..." if len(line) - cut > _MOST_QUOTED else ""
    return f"    {before}{quoted}{after}\n    {' ' * len(before)}{lead}^"


def _width(character: str) -> int:
    """Columns of a terminal; -1 for a control character."""
    category = unicodedata.category(character)
    if category in ("Cc", "Cs", "Zl", "Zp"):
        return -1
    if category in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _own(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(PACKAGE)


def trim(error: BaseException) -> None:
    """Removes the frames of PyK's own files from `error` and its causes."""
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        kept = []
        traceback = current.__traceback__
        while traceback is not None:
            if not _own(traceback):
                kept.append(traceback)
            traceback = traceback.tb_next
        rebuilt: TracebackType | None = None
        for entry in reversed(kept):
            rebuilt = TracebackType(
                rebuilt, entry.tb_frame, entry.tb_lasti, entry.tb_lineno
            )
        current.__traceback__ = rebuilt
        pending += [current.__cause__, current.__context__]
