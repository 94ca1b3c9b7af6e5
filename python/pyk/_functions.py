# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the front end has to know of a decorated function.

A kernel reaches other functions through names. Those that it may call are
objects of these classes; a plain Python function is not one, as in Numba.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from pyk.types import Signature


class Compilable:
    """A Python function that kernels may call.

    `device` is true if only device code may call it, `library` if it is PyK's
    own. `fastmath` is true if what it computes in float32 may be approximate.
    `declared` has the signatures of a device function, and `link` what code of
    other languages it needs.
    """

    py_func: Callable[..., Any]
    device: bool
    library = False
    fastmath = False
    declared: Sequence[Signature] = ()
    link: Sequence[object] = ()

    @property
    def symbol(self) -> str:
        """What the compiler calls it, unless another one has that name."""
        return self.py_func.__code__.co_name


class HostFunction(Compilable):
    """A function that Numba would also compile for the host.

    PyK compiles device code only: on the host the function runs as ordinary
    Python, which gives the same results.
    """

    device = True

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self.py_func = py_func
        functools.update_wrapper(self, py_func)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.py_func(*args, **kwargs)

    def __reduce__(self) -> str | tuple[Any, ...]:
        from pyk import _pickling

        return _pickling.reduce(self, type(self))

    def __setstate__(self, state: tuple[Any, Any]) -> None:
        from pyk import _pickling

        _pickling.fill(self, state)
