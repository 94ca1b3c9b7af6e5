# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The edge between the user's code and PyK's.

An exception that leaves a function marked `@public` has no frames of PyK's
files in its traceback: the user sees their call, then the error. A Python
wrapper would leave its own frame behind, so the wrapper is a C++ type. The
environment variable PYK_FULL_TRACEBACK=1 leaves everything as it is.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from typing import Any, TypeVar, cast

from pyk import _environment, _errors

F = TypeVar("F", bound=Callable[..., Any])


def find(module: str, name: str) -> Any:
    """What a module has under a name, with dots for what is in classes."""
    return operator.attrgetter(name)(importlib.import_module(module))


def public(function: F) -> F:
    """Marks a function or method that users call."""
    if _environment.full_traceback():
        return function
    try:
        from pyk._core import Boundary
    except ModuleNotFoundError:
        # A source tree without the extension: nothing can be launched, but
        # the front end works.
        return function
    return cast(F, Boundary(function, _errors.trim))
