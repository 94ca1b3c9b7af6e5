# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decorator that makes a kernel or a device function.

It takes every argument that Numba's takes. Those that tune code generation
for a GPU are checked and have no effect on results; those that PyK cannot
honor are an error rather than silently dropped.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any, overload

from pyk import types
from pyk._boundary import public
from pyk._dispatcher import Dispatcher
from pyk._errors import DeprecationError
from pyk._options import TYPINGS
from pyk._options import options as settings

_CARVEOUTS = ("default", "maxl1", "maxshared")

#: Accepted, and without effect on what a kernel computes.
_TUNING = frozenset(["cache", "fastmath", "inline", "lineinfo", "lto", "opt"])


@overload
def jit(
    func_or_sig: Callable[..., Any], device: bool = False, **options: Any
) -> Dispatcher: ...


@overload
def jit(
    func_or_sig: object = None, device: bool = False, **options: Any
) -> Callable[[Callable[..., Any]], Dispatcher]: ...


@public
def jit(func_or_sig: Any = None, device: bool = False, **options: Any) -> Any:
    """Makes a kernel, or with `device=True` a device function.

    Used bare, with arguments, or with a signature: types that the kernel is
    compiled for at once. PyK's own option `fma=False` keeps `a * b + c` from
    becoming one fused operation, and `typing="narrow"` keeps to 32 bits where
    Numba takes 64. With `debug=True` the exceptions of threads
    are raised on the host, as are divisions by zero and indices out of bounds;
    `boundscheck` turns the last on or off alone. A kernel decides for the
    functions that it calls.

    >>> from pyk import cuda
    >>> @cuda.jit(device=True)
    ... def twice(x):
    ...     return 2 * x
    >>> @cuda.jit
    ... def kernel(a):
    ...     i = cuda.grid(1)
    ...     if i < a.size:
    ...         a[i] = twice(i)
    """
    max_registers = operator.index(options.pop("max_registers", None) or 0)
    buffer_options = _check(device, options)
    if isinstance(func_or_sig, Dispatcher):
        func_or_sig = func_or_sig.py_func
    signatures: list[types.Signature] = []
    listed = isinstance(func_or_sig, list)
    if func_or_sig is not None and not _is_function(func_or_sig):
        for entry in func_or_sig if listed else [func_or_sig]:
            signatures.append(types.parse_signature(entry))
        func_or_sig = None
    if device and len(signatures) > 1:
        raise NotImplementedError(
            "a device function takes one signature; without one, it is "
            "compiled for the types it is called with"
        )

    def decorate(function: Callable[..., Any]) -> Dispatcher:
        if not isinstance(function, FunctionType):
            raise TypeError(
                f"cuda.jit expects a Python function but got {function!r}"
            )
        return Dispatcher(
            function,
            device=device,
            buffer_options=buffer_options,
            signatures=signatures,
            is_specialized=bool(signatures) and not listed,
            max_registers=max_registers,
        )

    return public(decorate) if func_or_sig is None else decorate(func_or_sig)


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(
        value, (types.Type, types.Signature)
    )


def _check(device: bool, options: dict[str, Any]) -> dict[str, Any]:
    """Checks the keywords; gives those that the compiler gets."""
    buffer_options: dict[str, Any] = {}
    typing: object = settings.typing
    for name, value in options.items():
        if name in _CHECKS:
            _CHECKS[name](device, value)
        elif name == "fma":
            if not value:
                buffer_options["fma"] = False
        elif name == "debug":
            if value:
                buffer_options["debug"] = True
        elif name == "boundscheck":
            if value is not None:
                buffer_options["boundscheck"] = bool(value)
        elif name == "typing":
            typing = value
        elif name in ("argtypes", "restype", "bind"):
            raise DeprecationError(
                f"cuda.jit does not take '{name}'; pass the signature as the "
                "first argument"
            )
        elif name not in _TUNING:
            raise TypeError(
                f"cuda.jit() got an unexpected keyword argument '{name}'"
            )
    if typing not in TYPINGS:
        expected = " or ".join(map(repr, TYPINGS))
        raise ValueError(f"typing expects {expected} but got {typing!r}")
    if typing != TYPINGS[0]:
        buffer_options["typing"] = typing
    return buffer_options


def _check_empty(what: str) -> Callable[[bool, object], None]:
    def check(device: bool, value: object) -> None:
        if value:
            raise NotImplementedError(f"PyK does not support {what}")

    return check


def _check_forceinline(device: bool, value: object) -> None:
    if value and not device:
        raise ValueError("forceinline expects a device function, not a kernel")


def _check_launch_bounds(device: bool, value: object) -> None:
    bounds = value if isinstance(value, tuple) else (value,)
    if value is None:
        return
    if not 1 <= len(bounds) <= 3:
        raise ValueError(
            f"launch_bounds expects 1 to 3 ints but got {len(bounds)}"
        )
    for bound in bounds:
        if not isinstance(bound, int):
            raise TypeError(f"launch_bounds expects ints but got {bound!r}")


def _check_carveout(device: bool, value: object) -> None:
    if value is None:
        return
    if isinstance(value, str):
        fits = value.lower() in _CARVEOUTS
    elif isinstance(value, int):
        fits = -1 <= value <= 100
    else:
        raise TypeError(
            "shared_memory_carveout expects an int or a str but got "
            f"{type(value)}"
        )
    if not fits:
        raise ValueError(
            "shared_memory_carveout expects -1 to 100, 'default', 'MaxL1' or "
            f"'MaxShared' but got {value!r}"
        )


_CHECKS: dict[str, Callable[[bool, object], None]] = {
    "extensions": _check_empty("extensions= of cuda.jit"),
    "forceinline": _check_forceinline,
    "launch_bounds": _check_launch_bounds,
    "link": _check_empty("linking foreign code (link= of cuda.jit)"),
    "shared_memory_carveout": _check_carveout,
}
