# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The type of a value as an object, as signatures are made of."""

from __future__ import annotations

import enum

import numpy as np

from pyk import types
from pyk._argument_types import type_of


def typeof(value: object, name: str = "value") -> types.Type:
    """The type of an argument that kernels take; `name` is for errors.

    >>> typeof(np.zeros((2, 3), np.float32)), typeof((1, 2.5))
    (array(float32, 2d, C), tuple(int64, float64))
    """
    # A device array shows itself as NumPy sees it.
    meta = getattr(value, "_meta", None)
    value = value if meta is None else meta()
    mlir = type_of(value, name)
    found = _usual(value, name)
    if found is not None and found.mlir == mlir:
        return found
    # What no signature can say, as an array that cannot be written.
    return types.Type(describe(value), mlir)


def _usual(value: object, name: str) -> types.Type | None:
    if value is None:
        return types.none
    if type(value) is tuple:
        return types.Tuple([typeof(item, name) for item in value])
    if isinstance(value, (tuple, enum.Enum)):
        return None
    array = np.asarray(value)
    element = types.from_dtype(array.dtype)
    if not isinstance(value, np.ndarray):
        return element
    layout = "C" if array.flags.c_contiguous else "A"
    if array.flags.f_contiguous and layout != "C":
        layout = "F"
    return types.Array(element, array.ndim, layout)


def describe(value: object) -> str:
    """The type of an argument that kernels take, as signatures show it.

    >>> describe(np.zeros((2, 3), np.float32)[:, 1:]), describe((7, True))
    ('array(float32, 2d, A)', 'tuple(int64, bool)')
    """
    if value is None:
        return repr(types.none)
    if isinstance(value, tuple):
        return f"tuple({', '.join(map(describe, value))})"
    if isinstance(value, enum.Enum):
        return type(value).__name__
    array = np.asarray(value)
    text = repr(types.from_dtype(array.dtype))
    if isinstance(value, np.ndarray) and (array.ndim or not array.dtype.names):
        flags = array.flags
        layout = "C" if flags.c_contiguous else "FA"[not flags.f_contiguous]
        text = f"array({text}, {array.ndim}d, {layout})"
    if isinstance(value, (np.ndarray, np.void)) and not value.flags.writeable:
        text = f"readonly {text}"
    return text
