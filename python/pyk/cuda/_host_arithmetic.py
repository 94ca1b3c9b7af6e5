# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What device arrays say of NumPy's operators and methods, which they lack.

The elements are on the device: a kernel computes with them, or NumPy with a
copy on the host.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pyk import _missing

_REMEDY = (
    "compute with its elements in a kernel, or with NumPy on its copy_to_host()"
)


def _refusing(symbol: str) -> Callable[..., Any]:
    def method(self: object, *others: object) -> Any:
        # NumPy's arrays take the elements of device arrays by a copy, and
        # objects of other classes may have an operator of their own.
        numbers = (int, float, complex, HostArithmetic)
        if not all(isinstance(other, numbers) for other in others):
            return NotImplemented
        raise TypeError(f"a device array has no '{symbol}': {_REMEDY}")

    return method


def _lack(self: object, name: str) -> Any:
    """The `__getattr__` of device arrays."""
    if name.startswith("_") or not hasattr(np.ndarray, name):
        raise _missing.attribute_error(self, name)
    raise AttributeError(
        f"a device array has no attribute '{name}', which NumPy's have: "
        f"{_REMEDY}",
        name=name,
        obj=self,
    )


class HostArithmetic:
    """What `DeviceNDArray` inherits to explain what it lacks."""

    __slots__ = ()

    if not TYPE_CHECKING:
        __getattr__ = _lack


for _names, _symbol in (
    ("add radd iadd", "+"),
    ("sub rsub isub", "-"),
    ("mul rmul imul", "*"),
    ("truediv rtruediv itruediv", "/"),
    ("floordiv rfloordiv ifloordiv", "//"),
    ("mod rmod imod", "%"),
    ("pow rpow ipow", "**"),
    ("matmul rmatmul", "@"),
    ("and rand iand", "&"),
    ("or ror ior", "|"),
    ("xor rxor ixor", "^"),
    ("neg pos", "-"),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
):
    for _name in _names.split():
        setattr(HostArithmetic, f"__{_name}__", _refusing(_symbol))
