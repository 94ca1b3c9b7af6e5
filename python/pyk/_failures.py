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

from pyk._errors import NumbaInvalidConfigWarning, warn_once

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


def describer(
    manifest: str, exceptions: list[ExceptionCall]
) -> Callable[..., BaseException]:
    """What makes the exception of a thread that has failed.

    It is called with the code that the thread recorded, its place in the
    block and that of the block in the grid, each as x, y, z, and two values.
    The place comes before the message as in Numba.
    """

    def describe(
        code: int,
        thread: tuple[int, int, int],
        block: tuple[int, int, int],
        values: tuple[int, int],
    ) -> BaseException:
        failure = json.loads(manifest)["failures"][code - 1]
        place = (
            f"In function {failure['function']!r}, "
            f"file {os.path.abspath(failure['file'])}, "
            f"line {failure['line']}, "
            f"tid={[*reversed(thread)]} ctaid={[*reversed(block)]}"
        )
        kind: type[BaseException]
        arguments: tuple[object, ...]
        if failure["exception"] < 0:
            kind = getattr(builtins, failure["error"])
            arguments = (failure["message"].format(*values),)
        else:
            kind, arguments = exceptions[failure["exception"]]
        if arguments:
            place += f": {arguments[0]}"
        return kind(place, *arguments[1:])

    return describe
