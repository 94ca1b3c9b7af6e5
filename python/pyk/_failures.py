# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions of threads: collected when a kernel is compiled, raised when
one of them has happened.
"""

from __future__ import annotations

import ast
import builtins
import json
import os
from collections.abc import Callable

from pyk import _core
from pyk._errors import NumbaInvalidConfigWarning, shown_file, warn_once

#: A class and arguments that `raise` was given.
ExceptionCall = tuple[type[BaseException], tuple[object, ...]]


class Raised:
    """Takes down what one function raises."""

    def __init__(
        self,
        file: str,
        exceptions: list[ExceptionCall] | None = None,
    ) -> None:
        self._file = file
        self._exceptions = exceptions

    def add(
        self,
        node: ast.stmt,
        line: int,
        kind: type[BaseException],
        arguments: tuple[object, ...],
    ) -> int:
        """The number of an exception that `node` raises."""
        if self._exceptions is None:
            what = type(node).__name__.lower()
            warn_once(
                "exceptions",
                f"'{what}' only ends its thread here; pass debug=True to "
                "cuda.jit to get the exception",
                NumbaInvalidConfigWarning,
                (self._file, line),
            )
            return 0
        self._exceptions.append((kind, arguments))
        return len(self._exceptions) - 1


def _path(file: str) -> str:
    """What an exception calls a file: its whole path, or a cell."""
    shown = shown_file(file)
    return os.path.abspath(file) if shown == file else shown


def describer(
    manifest: str, exceptions: list[ExceptionCall]
) -> Callable[[_core.Failure], BaseException]:
    """What makes the exception of a thread that has failed.

    It is called with what the thread recorded. The place comes before the
    message as in Numba.
    """

    def describe(failure: _core.Failure) -> BaseException:
        source = json.loads(manifest)["failures"][failure.code - 1]
        is_raised = source["exception"] >= 0
        kind: type[BaseException]
        arguments: tuple[object, ...]
        if is_raised:
            kind, arguments = exceptions[source["exception"]]
        else:
            kind = getattr(builtins, source["error"])
            arguments = (source["message"],)
        text = failure.describe(
            source["function"],
            _path(source["file"]),
            source["line"],
            format(arguments[0]) if arguments else None,
            speaks_of_values=not is_raised,
        )
        return kind(text, *arguments[1:])

    return describe
