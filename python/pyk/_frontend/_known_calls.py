# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls on constants that Python and NumPy answer before anything is compiled.

They make times, whose calendar NumPy knows; read the text of a float; and tell
the limits of a type. The compiler sees the result, a constant.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyk._frontend._scope import MISSING

_FLOAT_LIMITS = (
    "bits eps epsneg iexp machep max maxexp min minexp negep nexp nmant "
    "precision resolution smallest_normal smallest_subnormal tiny"
)

#: The attributes of `np.finfo(...)` and `np.iinfo(...)` as values of a kernel.
FloatLimits = namedtuple("FloatLimits", _FLOAT_LIMITS)  # type: ignore[misc]
IntegerLimits = namedtuple("IntegerLimits", "bits max min")


def _limits(kind: Callable[[Any], Any], fields: Any) -> Callable[[Any], Any]:
    def make(dtype: Any) -> Any:
        found = kind(dtype)
        return fields(*(getattr(found, name) for name in fields._fields))

    return make


def _date(value: Any, *unit: Any) -> Any:
    if value in ("now", "today"):
        raise ValueError("a kernel is compiled once; pass the date to it")
    return np.datetime64(value, *unit)


_KNOWN: dict[object, Callable[..., Any]] = {
    np.datetime64: _date,
    np.timedelta64: np.timedelta64,
    np.dtype: np.dtype,
    np.finfo: _limits(np.finfo, FloatLimits),
    np.iinfo: _limits(np.iinfo, IntegerLimits),
}


#: Which of them no kernel can call on anything else.
_ALONE = frozenset([np.datetime64, np.timedelta64, np.dtype])

#: What to write in place of such a call of what is not constant.
REMEDIES: dict[object, str] = {
    np.timedelta64: "an integer times np.timedelta64(1, 'D') is a "
    "timedelta64[D]",
}


def needs_constants(function: object) -> bool:
    """Whether only calls of `function` on constants can be answered."""
    return isinstance(function, type) and function in _ALONE


def looks_at_constants(function: object) -> bool:
    """Whether `answer` or `check` has anything to say of such calls."""
    is_known = isinstance(function, type) and function in _KNOWN
    return is_known or function is float or function is np.searchsorted


def answer(function: object, arguments: Sequence[object]) -> Any:
    """What `function(*arguments)` is, or MISSING if a kernel is to call it.

    Raises what the function raises, of ArithmeticError, TypeError and
    ValueError, if it does not take the arguments.
    """
    if function is float:
        is_text = len(arguments) == 1 and isinstance(arguments[0], str)
        return float(str(arguments[0])) if is_text else MISSING
    is_known = isinstance(function, type) and function in _KNOWN
    return _KNOWN[function](*arguments) if is_known else MISSING


def check(function: object, arguments: Sequence[object], side: object) -> None:
    """Raises ValueError for a constant string that the function cannot take;
    `side` is the argument of that name, or MISSING.
    """
    if function is not np.searchsorted:
        return
    if len(arguments) > 2:
        side = arguments[2]
    if isinstance(side, str) and side not in ("left", "right"):
        raise ValueError("side must be 'left' or 'right'")
