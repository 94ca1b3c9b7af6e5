# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls on constants that Python and NumPy answer before anything is compiled.

They make times, whose calendar NumPy knows; read the text of a float; and tell
the limits of a type. The compiler sees the result, a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyk import _limits
from pyk._scope import MISSING


def _date(value: Any, *unit: Any) -> Any:
    if value in ("now", "today"):
        raise ValueError("a kernel is compiled once; pass the date to it")
    return np.datetime64(value, *unit)


_KNOWN: dict[object, Callable[..., Any]] = {
    np.datetime64: _date,
    np.timedelta64: np.timedelta64,
    np.dtype: np.dtype,
    np.finfo: _limits.of_float,
    np.iinfo: _limits.of_integer,
}


#: What to write in place of such a call of what is not constant.
REMEDIES: dict[object, str] = {
    np.timedelta64: "an integer times np.timedelta64(1, 'D') is a "
    "timedelta64[D]",
}


def needs_constants(function: object) -> bool:
    """Whether only calls of `function` on constants can be answered."""
    return function in (np.datetime64, np.timedelta64, np.dtype)


def answer(function: object, arguments: Sequence[object]) -> Any:
    """What `function(*arguments)` is, or MISSING if a kernel is to call it.

    Raises what the function raises, of ArithmeticError, TypeError and
    ValueError, if it does not take the arguments.
    """
    if function is float:
        is_text = len(arguments) == 1 and isinstance(arguments[0], str)
        return float(str(arguments[0])) if is_text else MISSING
    if not isinstance(function, type) or function not in _KNOWN:
        return MISSING
    return _KNOWN[function](*arguments)
