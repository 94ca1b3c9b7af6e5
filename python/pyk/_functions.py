# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the front end has to know of a decorated function.

A kernel reaches other functions through names. Those that it may call are
objects of these classes; a plain Python function is not one, as in Numba.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyk.types import Signature


class Compilable:
    """A Python function that kernels may call.

    `device` is true if only device code may call it, `library` if it is PyK's
    own, `is_for_host` if the host runs it, too. `fastmath` is true if what it
    computes in float32 may be approximate.
    `declared` has the signatures of a device function, and `link` what code of
    other languages it needs.
    """

    py_func: Callable[..., Any]
    device: bool
    library = False
    is_for_host = False
    fastmath = False
    declared: Sequence[Signature] = ()
    link: Sequence[object] = ()

    @property
    def symbol(self) -> str:
        """What the compiler calls it, unless another one has that name."""
        return self.py_func.__code__.co_name
