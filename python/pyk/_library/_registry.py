# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of the library, and what it is written with.

A public function is registered under its canonical names; a helper is known to
the library alone. `common`, `like` and the others are conversions of the
compiler that no program can name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyk._functions import Compilable
from pyk._intrinsic import Intrinsic


class LibraryFunction(Compilable):
    """A function that kernels call as if the compiler knew it."""

    device = True
    library = True

    def __init__(self, py_func: Callable[..., Any], symbol: str) -> None:
        self.py_func = py_func
        self._symbol = symbol
        #: What it yields, in half a line.
        self.summary = (py_func.__doc__ or "").partition("\n")[0]

    @property
    def symbol(self) -> str:
        return self._symbol


#: What kernels may call, by canonical name.
FUNCTIONS: dict[str, LibraryFunction] = {}

#: The classes that have methods in the library.
_OWNERS = ("ndarray", "slice", "int")

#: What a method may be, by the name that programs have for it.
METHODS: dict[str, list[LibraryFunction]] = {}

# Numbers in the type that NumPy's loops give them, all alike; int8 in place of
# bool; in a float type.
common = Intrinsic("pyk.common")
common_number = Intrinsic("pyk.common_number")
common_real = Intrinsic("pyk.common_real")
# The first number in the type of the second.
like = Intrinsic("pyk.like")
# Whether a time is none.
is_nat = Intrinsic("pyk.is_nat")
# A number as a float, rounded to a whole number, and its exponent.
real = Intrinsic("pyk.real")
round_half_even = Intrinsic("pyk.rint")
ilogb = Intrinsic("pyk.ilogb")


class _Refusal:
    """What `refuse` is in the library, for the front end."""

    def __call__(self, what: str, remedy: str) -> Any:
        """An error where a call is compiled: `what` cannot be in a kernel."""
        raise RuntimeError("for the library's functions in kernels only")


refuse = _Refusal()


def helper(function: Callable[..., Any]) -> LibraryFunction:
    """A function that only the library calls."""
    return LibraryFunction(function, f"pyk.{function.__code__.co_name}")


def public(
    *names: str,
) -> Callable[[Callable[..., Any]], LibraryFunction]:
    """Registers a function under its canonical names."""

    def register(function: Callable[..., Any]) -> LibraryFunction:
        for name in names:
            found = FUNCTIONS[name] = LibraryFunction(function, name)
            owner, _, method = name.partition(".")
            if owner in _OWNERS:
                METHODS.setdefault(method, []).append(found)
        return FUNCTIONS[names[0]]

    return register
