# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decorator that makes a kernel or a device function.

It takes every argument that Numba's takes. Those that only tune code and that
PyK does not follow give a warning; without the others results would differ, so
they are an error.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any, overload

import numpy as np

from pyk import _core, types
from pyk._boundary import public
from pyk._declarations import parse_signature
from pyk._errors import (
    DeprecationError,
    NumbaInvalidConfigWarning,
    warn_once,
)
from pyk._functions import Compilable
from pyk._options import TYPINGS, kinds_of
from pyk._options import options as settings
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._foreign import as_link, check_link

#: Registers of a multiprocessor, the most that CUDA's tools take.
_MOST_REGISTERS = 65536
#: Threads that a block of any device has at most.
_MOST_THREADS = _core.limits()["threads_per_block"]

_CARVEOUTS = ("default", "maxl1", "maxshared")

#: Options that PyK does not follow, with the values that ask for what happens
#: anyway, and that.
_NOT_FOLLOWED: dict[str, tuple[Callable[[object], bool], str]] = {
    "forceinline": (operator.not_, "nothing calls a kernel"),
    "inline": (lambda value: not callable(value), "all functions are inlined"),
    "lto": (operator.not_, "there is nothing to link"),
    "shared_memory_carveout": (
        lambda value: value in (None, -1) or str(value).lower() == "default",
        "the driver divides the memory",
    ),
}

#: Options that a kernel decides for the functions that it calls, with the
#: values that say nothing.
_OPTIONS_OF_KERNELS: dict[str, Callable[[object], bool]] = {
    "lineinfo": operator.not_,
    "opt": lambda value: value is None or value in (True, 3),
    "reproducible": operator.not_,
}


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
    `boundscheck` turns the last on or off alone. Without either, accesses of
    the CPU outside of an array's memory are not done and give a warning;
    `boundscheck=False` leaves that out, too. With `debug`, machine code for a
    GPU has what debuggers want, and `opt` is 0 unless it is given. A kernel
    decides for the functions that it calls. A launch with more threads in a
    block than `launch_bounds` is an error.

    With `fastmath=True` a function's own divisions, powers and functions of
    `math` on float32 are approximations, and such divisions by zero do not
    raise. In a kernel that has it, float32 numbers below 2**-126 count as 0 on
    a GPU. Arithmetic on float64 stays as it is. `opt`, 0 to 3, says how much a
    kernel is optimized; False is 0. With `lineinfo=True` its machine code for a
    GPU names the lines of the program.

    With `reproducible=True` a kernel stores the same bits on CPUs and GPUs: it
    has PyK's own math on both, `fastmath` and `fma` have no effect, `a * b + c`
    is rounded twice, and NaNs are stored as `np.nan`. Atomic additions of
    floats, whose sums depend on the order of threads, and functions without
    such math are errors.

    A kernel is compiled for integers from 0 to 2**31 - 1, arrays of less than
    2**31 bytes, arrays that share no memory and begin at a multiple of 16
    bytes, arrays whose last index moves from one element to the next in memory,
    and grids of less than 2**21 blocks along each axis, where it matters, and
    compiled again for other launches. `assume`, another option of PyK's, says
    which of these it takes for granted: any of "scalars", "sizes", "disjoint",
    "aligned" and "strides" joined by commas, "launch" for all or "none".

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
    made = make_jit(func_or_sig, device, options)
    if device:
        _warn_of_kernels_options(options)
    return made


def make_jit(func_or_sig: Any, device: bool, options: dict[str, Any]) -> Any:
    """`jit` for functions that may be compiled alone."""
    max_registers = _count_registers(options.pop("max_registers", None))
    buffer_options = _check(device, options)
    _warn_of_debug(options)
    if isinstance(func_or_sig, Compilable):
        func_or_sig = func_or_sig.py_func
    signatures: list[types.Signature] = []
    listed = isinstance(func_or_sig, list)
    if func_or_sig is not None and not _is_function(func_or_sig):
        for entry in func_or_sig if listed else [func_or_sig]:
            signatures.append(parse_signature(entry))
        func_or_sig = None

    def decorate(function: Callable[..., Any]) -> Dispatcher:
        # Of a function that is compiled already, the options are its own.
        if isinstance(function, Compilable):
            function = function.py_func
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
            extensions=options.get("extensions") or (),
        )

    return public(decorate) if func_or_sig is None else decorate(func_or_sig)


def _warn_of_kernels_options(options: dict[str, Any]) -> None:
    """Says which options of a device function nothing follows."""
    for name, says_nothing in _OPTIONS_OF_KERNELS.items():
        value = options.get(name)
        if not says_nothing(value):
            warn_once(
                f"{name} of a device function",
                f"PyK does not follow {name}={value!r} of cuda.jit for a "
                "device function: the option of the kernel counts",
                NumbaInvalidConfigWarning,
            )


def _warn_of_debug(options: dict[str, Any]) -> None:
    """Says which options do not go together with `debug=True`."""
    if not options.get("debug"):
        return
    if options.get("opt"):
        warn_once(
            "debug and opt",
            f"debug=True with opt={options['opt']!r} hides variables from "
            "debuggers; leave opt out",
            NumbaInvalidConfigWarning,
        )
    if options.get("lineinfo"):
        warn_once(
            "debug and lineinfo",
            "debug and lineinfo are mutually exclusive; debug=True has the "
            "lines, too",
            NumbaInvalidConfigWarning,
        )


def _count_registers(value: Any) -> int:
    """The most that a thread may have; 0 leaves it to the driver."""
    if value is None:
        return 0
    count = operator.index(value)
    if not 0 <= count <= _MOST_REGISTERS:
        raise ValueError(
            f"max_registers expects 0 to {_MOST_REGISTERS} but got {count}"
        )
    return count


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
            _CHECKS[name](name, value)
        if name == "fastmath" and value:
            buffer_options["fastmath"] = True
        if name == "assume" and value is not None:
            buffer_options["assume"] = value
        if name in _NOT_FOLLOWED:
            _warn_if_not_followed(name, device, value)
        elif name == "opt":
            if value is not None:
                buffer_options["opt"] = 3 if value is True else int(value)
        elif name in ("cache", "lineinfo"):
            # That nothing is kept on disk, `--explain` says.
            if value:
                buffer_options[name] = True
        elif name == "fma":
            if value is not None and not value:
                buffer_options["fma"] = False
        elif name == "reproducible":
            if value is not None:
                buffer_options["reproducible"] = bool(value)
        elif name == "debug":
            if value:
                buffer_options["debug"] = True
        elif name == "link":
            if value:
                buffer_options["link"] = as_link(value)
        elif name == "boundscheck":
            if value is not None:
                buffer_options["boundscheck"] = bool(value)
        elif name == "launch_bounds":
            if value is not None and not device:
                bounds = value if isinstance(value, tuple) else (value,)
                buffer_options["launch_bounds"] = [*map(int, bounds)]
        elif name == "typing":
            typing = value
        elif name in ("argtypes", "restype", "bind"):
            raise DeprecationError(
                f"cuda.jit does not take '{name}'; pass the signature as the "
                "first argument"
            )
        elif name not in _CHECKS:
            raise TypeError(
                f"cuda.jit() got an unexpected keyword argument '{name}'"
            )
    if typing not in TYPINGS:
        expected = " or ".join(map(repr, TYPINGS))
        raise ValueError(f"typing expects {expected} but got {typing!r}")
    if typing != TYPINGS[0]:
        buffer_options["typing"] = typing
    return buffer_options


def _warn_if_not_followed(name: str, device: bool, value: object) -> None:
    is_followed, instead = _NOT_FOLLOWED[name]
    # What kernels call is always inlined.
    if is_followed(value) or (name == "forceinline" and device):
        return
    shown = "..." if callable(value) else repr(value)
    warn_once(
        name,
        f"PyK does not follow {name}={shown} of cuda.jit: {instead}",
        NumbaInvalidConfigWarning,
    )


def _check_link(name: str, value: object) -> None:
    if value:
        check_link(name, value)


def _check_extensions(name: str, value: Any) -> None:
    for extension in value or ():
        if not hasattr(extension, "prepare_args"):
            raise TypeError(
                f"{name} expects objects with a method 'prepare_args' but got "
                f"{extension!r}"
            )


def _check_bool(name: str, value: object) -> None:
    if value is not None and value not in (True, False):
        raise TypeError(f"{name} expects True or False but got {value!r}")


def _check_assume(name: str, value: object) -> None:
    if value is not None:
        kinds_of(str(value))


def _check_opt(name: str, value: object) -> None:
    if value is not None and value not in range(4):
        raise TypeError(f"opt expects True, False or 0 to 3 but got {value!r}")


def _check_inline(name: str, value: object) -> None:
    is_known = value in (None, True, False, "always", "never")
    if not is_known and not callable(value):
        raise ValueError(
            f"inline expects 'always', 'never' or a function but got {value!r}"
        )


def _check_launch_bounds(name: str, value: object) -> None:
    bounds = value if isinstance(value, tuple) else (value,)
    if value is None:
        return
    if not 1 <= len(bounds) <= 3:
        raise ValueError(
            f"launch_bounds expects 1 to 3 ints. Got {len(bounds)} launch "
            f"bounds: {value!r}"
        )
    for bound in bounds:
        if not isinstance(bound, (int, np.integer)) or isinstance(bound, bool):
            raise TypeError(f"launch_bounds expects ints but got {bound!r}")
        if not 1 <= bound < 2**31:
            raise ValueError(
                f"launch_bounds expects ints above 0 but got {bound!r}"
            )
    if bounds[0] > _MOST_THREADS:
        raise ValueError(
            f"launch_bounds expects at most {_MOST_THREADS} threads of a block "
            f"but got {bounds[0]!r}"
        )


def _check_carveout(name: str, value: object) -> None:
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


_CHECKS: dict[str, Callable[[str, object], None]] = {
    "assume": _check_assume,
    "boundscheck": _check_bool,
    "cache": _check_bool,
    "debug": _check_bool,
    "extensions": _check_extensions,
    "fastmath": _check_bool,
    "fma": _check_bool,
    "forceinline": _check_bool,
    "inline": _check_inline,
    "launch_bounds": _check_launch_bounds,
    "lineinfo": _check_bool,
    "link": _check_link,
    "lto": _check_bool,
    "opt": _check_opt,
    "reproducible": _check_bool,
    "shared_memory_carveout": _check_carveout,
}
