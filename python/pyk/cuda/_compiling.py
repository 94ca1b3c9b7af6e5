# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.compile` and its kin: the PTX of a function that is not launched.

The parameters and their defaults are Numba's, which ask for a device function
that code of other languages calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pyk import types
from pyk._boundary import public
from pyk._declarations import parse_signature
from pyk._options import options
from pyk.cuda import _devices
from pyk.cuda._jit import make_jit

#: What Numba calls the forms of compiled code and of calls.
_OUTPUTS = ("ptx", "ltoir")
_ABIS = ("c", "numba")

#: What PTX takes as the name of a function, but for names that it claims.
_NAME = re.compile(r"(?!__nv|WARP_SZ$|_$)[A-Za-z_$][A-Za-z0-9_$]*", re.ASCII)


@public
def compile(
    pyfunc: Callable[..., Any],
    sig: object,
    debug: bool | None = None,
    lineinfo: bool = False,
    device: bool = True,
    fastmath: bool = False,
    cc: tuple[Any, ...] | None = None,
    opt: bool | int | None = None,
    abi: str = "c",
    abi_info: dict[str, Any] | None = None,
    output: str = "ptx",
    forceinline: bool = False,
    launch_bounds: Any = None,
    assume: str | None = None,
    reproducible: bool | None = None,
) -> tuple[str, types.Type]:
    """The PTX of a function for argument types, and the type of its result.

    That is a function which CUDA C++ declares as `extern "C" __device__`, with
    the Python function's name or `abi_info={"abi_name": ...}`. It takes and
    returns integers, floats and bools, takes pointers (`CPointer`), or returns
    nothing; everything else is a `TypingError`. With `abi="numba"` its first
    parameter is the address of the result, and it returns a status: 0, or 1 if
    it has raised an exception.
    `device=False` makes a kernel, which needs `abi="numba"` and returns `void`.
    Whoever launches a kernel checks what it takes for granted: nothing, unless
    `assume` says else, as for `cuda.jit`, which explains `reproducible`, too.
    `cc` is a compute capability such as
    `(9, 0)` or `(9, 0, "a")`, by default 8.0 or that of `pyk-run --chip`.

    >>> from pyk import cuda
    >>> ptx, result = compile(
    ...     lambda x, y: x + y, "(int32, int32)", abi_info={"abi_name": "add"}
    ... )
    >>> ".visible .func  (.param .b64 func_retval0) add(" in ptx, result
    (True, int64)
    >>> def clear(a):
    ...     a[cuda.grid(1)] = 0
    >>> ptx, result = compile(
    ...     clear, "(float32[::1],)", device=False, abi="numba", cc=(9, 0)
    ... )
    >>> ".target sm_90" in ptx, ".entry clear(" in ptx, result
    (True, True, none)
    """
    _check(device, abi, abi_info, output, forceinline)
    function = make_jit(
        pyfunc,
        device,
        {
            "debug": debug,
            "lineinfo": lineinfo,
            "fastmath": fastmath,
            "opt": opt,
            "launch_bounds": launch_bounds,
            "assume": assume,
            "reproducible": reproducible,
        },
    )
    signature = parse_signature(sig)
    if device:
        name = (abi_info or {}).get("abi_name", "")
        code: tuple[str, types.Type] = function._exported(
            signature, _chip(cc), abi, name
        )
        return code
    return function._ptx(signature, _chip(cc)), types.void


@public
def compile_all(
    pyfunc: Callable[..., Any],
    sig: object,
    debug: bool | None = None,
    lineinfo: bool = False,
    device: bool = True,
    fastmath: bool = False,
    cc: tuple[Any, ...] | None = None,
    opt: bool | int | None = None,
    abi: str = "c",
    abi_info: dict[str, Any] | None = None,
    output: str = "ltoir",
    forceinline: bool = False,
    launch_bounds: Any = None,
    assume: str | None = None,
    reproducible: bool | None = None,
) -> tuple[list[str], types.Type]:
    """As `compile`, but in a list, which in Numba has linked code besides."""
    code, result = compile(
        pyfunc,
        sig,
        debug=debug,
        lineinfo=lineinfo,
        device=device,
        fastmath=fastmath,
        cc=cc,
        opt=opt,
        abi=abi,
        abi_info=abi_info,
        output=output,
        forceinline=forceinline,
        launch_bounds=launch_bounds,
        assume=assume,
        reproducible=reproducible,
    )
    return [code], result


@public
def compile_for_current_device(
    pyfunc: Callable[..., Any],
    sig: object,
    debug: bool | None = None,
    lineinfo: bool = False,
    device: bool = True,
    fastmath: bool = False,
    opt: bool | int | None = None,
    abi: str = "c",
    abi_info: dict[str, Any] | None = None,
    output: str = "ptx",
    forceinline: bool = False,
    launch_bounds: Any = None,
    assume: str | None = None,
    reproducible: bool | None = None,
) -> tuple[str, types.Type]:
    """As `compile`, for the compute capability of the current device."""
    return compile(
        pyfunc,
        sig,
        debug=debug,
        lineinfo=lineinfo,
        device=device,
        fastmath=fastmath,
        cc=_devices.current().compute_capability,
        opt=opt,
        abi=abi,
        abi_info=abi_info,
        output=output,
        forceinline=forceinline,
        launch_bounds=launch_bounds,
        assume=assume,
        reproducible=reproducible,
    )


@public
def compile_ptx(
    pyfunc: Callable[..., Any],
    sig: object,
    debug: bool | None = None,
    lineinfo: bool = False,
    device: bool = False,
    fastmath: bool = False,
    cc: tuple[Any, ...] | None = None,
    opt: bool | int | None = None,
    abi: str = "numba",
    abi_info: dict[str, Any] | None = None,
    forceinline: bool = False,
    launch_bounds: Any = None,
    assume: str | None = None,
    reproducible: bool | None = None,
) -> tuple[str, types.Type]:
    """As `compile`, but a kernel if nothing else is said.

    >>> from pyk import cuda
    >>> def clear(a):
    ...     a[cuda.grid(1)] = 0
    >>> ".target sm_80" in compile_ptx(clear, "(float32[::1],)")[0]
    True
    """
    return compile(
        pyfunc,
        sig,
        debug=debug,
        lineinfo=lineinfo,
        device=device,
        fastmath=fastmath,
        cc=cc,
        opt=opt,
        abi=abi,
        abi_info=abi_info,
        forceinline=forceinline,
        launch_bounds=launch_bounds,
        assume=assume,
        reproducible=reproducible,
    )


@public
def compile_ptx_for_current_device(
    pyfunc: Callable[..., Any],
    sig: object,
    debug: bool | None = None,
    lineinfo: bool = False,
    device: bool = False,
    fastmath: bool = False,
    opt: bool | int | None = None,
    abi: str = "numba",
    abi_info: dict[str, Any] | None = None,
    forceinline: bool = False,
    launch_bounds: Any = None,
    assume: str | None = None,
    reproducible: bool | None = None,
) -> tuple[str, types.Type]:
    """As `compile_ptx`, for the compute capability of the current device."""
    return compile_ptx(
        pyfunc,
        sig,
        debug=debug,
        lineinfo=lineinfo,
        device=device,
        fastmath=fastmath,
        cc=_devices.current().compute_capability,
        opt=opt,
        abi=abi,
        abi_info=abi_info,
        forceinline=forceinline,
        launch_bounds=launch_bounds,
        assume=assume,
        reproducible=reproducible,
    )


def _check(
    device: bool,
    abi: str,
    abi_info: dict[str, Any] | None,
    output: str,
    forceinline: bool,
) -> None:
    """Raises for what cannot be compiled, or not by PyK."""
    if output not in _OUTPUTS:
        raise NotImplementedError(
            f"Unsupported output type: {output}; expects 'ptx'"
        )
    if abi not in _ABIS:
        raise NotImplementedError(
            f"Unsupported ABI: {abi}; expects 'c' or 'numba'"
        )
    if not device and abi == "c":
        raise NotImplementedError(
            "The C ABI is not supported for kernels; expects abi='numba'"
        )
    if forceinline:
        raise ValueError(
            "Can only designate forced inlining in LTO-IR of device functions"
        )
    if output == "ltoir":
        raise NotImplementedError("PyK makes no LTO-IR; expects output='ptx'")
    if not device and abi_info:
        raise ValueError(
            f"a kernel has no ABI options but got abi_info={abi_info!r}"
        )
    for key, name in (abi_info or {}).items():
        if key != "abi_name":
            raise ValueError(
                f"abi_info expects 'abi_name' and nothing else but got {key!r}"
            )
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(
                "abi_name expects a name of C that CUDA does not claim but got "
                f"{name!r}"
            )


def _chip(cc: tuple[Any, ...] | None) -> str | None:
    """The name of a compute capability; None leaves it to the compiler."""
    if cc is None:
        return options.chip
    numbers, letter = cc[:2], cc[2:]
    if (
        len(numbers) != 2
        or not all(isinstance(number, int) for number in numbers)
        or letter not in ((), ("a",), ("f",))
    ):
        raise ValueError(
            "cc expects a compute capability such as (9, 0) or (9, 0, 'a') "
            f"but got {cc!r}"
        )
    return f"sm_{numbers[0]}{numbers[1]}{''.join(letter)}"
