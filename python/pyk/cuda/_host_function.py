# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that kernels may call, and the host as well."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from pyk._frontend import _source
from pyk._functions import Compilable
from pyk.cuda import _pickling


class HostFunction(Compilable):
    """A function that Numba would also compile for the host.

    PyK compiles device code only: on the host the function runs as ordinary
    Python, which gives the same results.
    """

    device = True
    is_for_host = True

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self.py_func = py_func
        _source.keep(py_func)
        functools.update_wrapper(self, py_func)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.py_func(*args, **kwargs)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _pickling.reduce(self, type(self))

    def __setstate__(self, state: tuple[Any, Any]) -> None:
        _pickling.fill(self, state)
