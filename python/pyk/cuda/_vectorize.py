# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decorators that make universal functions.

They take what Numba's take. `target="cuda"` computes on the current device, the
other targets on the CPU, where results are those of NumPy's functions.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from pyk import types
from pyk._boundary import public
from pyk._declarations import parse_signature
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._gufuncs import GUFunc, parse_layout
from pyk.cuda._host_function import HostFunction
from pyk.cuda._ufuncs import UFunc

TARGETS = ("cpu", "parallel", "cuda")

#: Options of functions for the host, without effect on what is computed.
_TUNING = ("cache", "fastmath", "inline", "nogil", "parallel")


@public
def vectorize(
    ftylist_or_function: Any = (),
    target: str = "cpu",
    identity: object = None,
    **options: Any,
) -> Any:
    """Makes a universal function of a function of numbers.

    With signatures it is compiled for these types at once, without, for those
    of its arguments when it is called.

    >>> import numpy as np
    >>> @vectorize
    ... def twice(x):
    ...     return 2 * x
    >>> twice(np.arange(3)), twice(1.5)
    (array([0, 2, 4]), np.float64(3.0))
    """
    return _make(ftylist_or_function, target, identity, options)


@public
def cuda_vectorize(
    ftylist_or_function: Any = (),
    target: str = "cuda",
    identity: object = None,
    **options: Any,
) -> Any:
    """The same as `vectorize` with `target="cuda"`."""
    return _make(ftylist_or_function, target, identity, options)


def _make(
    given: Any, target: str, identity: object, options: dict[str, Any]
) -> Any:
    check_options("vectorize", target, options)
    check_identity(identity)
    if _is_function(given):
        function = plain_function("vectorize", given)
        return UFunc(function, (), target, identity)
    signatures = parse_signatures("vectorize", given)

    def decorate(function: Any) -> UFunc:
        function = plain_function("vectorize", function)
        found = UFunc(function, signatures, target, identity)
        found.compile()
        return found

    return public(decorate)


@public
def guvectorize(*args: Any, target: str = "cpu", **options: Any) -> Any:
    """Makes a generalized universal function: one of arrays, for more of them.

    `guvectorize(signatures, "(m,n),(n)->(m)")` says which dimensions of each
    argument the function gets; it writes its results into its last parameters.
    `writable_args` are the inputs that it writes, too.

    >>> import numpy as np
    >>> @guvectorize(["(int64[:], int64, int64[:])"], "(n),()->(n)")
    ... def shifted(x, by, out):
    ...     for i in range(x.size):
    ...         out[i] = x[i - by]
    >>> shifted(np.arange(4), np.array([0, 1]))
    array([[0, 1, 2, 3],
           [3, 0, 1, 2]])
    """
    return make_generalized(args, target, options)


@public
def cuda_guvectorize(*args: Any, target: str = "cuda", **options: Any) -> Any:
    """The same as `guvectorize` with `target="cuda"`."""
    return make_generalized(args, target, options)


def make_generalized(
    args: tuple[Any, ...],
    target: str,
    options: dict[str, Any],
    kind: type[GUFunc] = GUFunc,
) -> Any:
    """What `guvectorize` gives, of a class that may be a derived one."""
    if not 1 <= len(args) <= 2:
        raise TypeError(
            "guvectorize() takes one or two positional arguments, signatures "
            f"and core dimensions, but got {len(args)}"
        )
    identity = options.pop("identity", None)
    writable_args = options.pop("writable_args", ())
    check_options("guvectorize", target, options)
    check_identity(identity)
    *given, layout = args
    signatures = parse_signatures("guvectorize", given[0] if given else ())
    parse_layout(layout)

    def decorate(function: Any) -> GUFunc:
        found = kind(
            plain_function("guvectorize", function),
            signatures,
            layout,
            target,
            identity,
            writable_args,
        )
        found.compile()
        return found

    return public(decorate)


def parse_signatures(what: str, given: Any) -> list[types.Signature]:
    """The signatures in what a decorator, `what`, takes for them."""
    if given is None:
        return []
    is_one = isinstance(given, (str, types.Signature)) or (
        isinstance(given, tuple)
        and given
        and all(isinstance(item, types.Type) for item in given)
    )
    if not is_one and not isinstance(given, Iterable):
        raise TypeError(
            f"{what} expects a signature or a list of them but got {given!r}"
        )
    return [*map(parse_signature, [given] if is_one else given)]


def plain_function(what: str, function: Any) -> Callable[..., Any]:
    """The Python function that a decorator was applied to."""
    if isinstance(function, (Dispatcher, HostFunction)):
        return function.py_func
    if not isinstance(function, FunctionType):
        raise TypeError(
            f"{what} expects a Python function but got {function!r}"
        )
    return function


def check_options(what: str, target: str, options: dict[str, Any]) -> None:
    """Refuses options that mean nothing, or what cannot be."""
    if target not in TARGETS:
        raise ValueError(
            f"Unsupported target: {target!r}; {what} expects "
            f"{', '.join(map(repr, TARGETS[:-1]))} or {TARGETS[-1]!r}"
        )
    if target == "cuda":
        _check_options_of_cuda(what, options)
        return
    for name, value in options.items():
        if name == "forceobj" and value:
            raise NotImplementedError(
                "PyK compiles functions always and has no object mode "
                f"(forceobj= of {what})"
            )
        if name == "error_model" and value != "numpy":
            raise NotImplementedError(
                f"error_model of {what} expects 'numpy' but got {value!r}"
            )
        if name == "nopython" and not value:
            raise NotImplementedError(
                "PyK compiles functions always and has no object mode "
                f"(nopython=False of {what})"
            )
        if name not in (*_TUNING, "forceobj", "nopython", "error_model"):
            raise KeyError(
                f"Unrecognized options: {name!r} is none of "
                f"{what}(target={target!r})"
            )


def _check_options_of_cuda(what: str, options: dict[str, Any]) -> None:
    is_plain = what == "vectorize"
    unknown = [name for name in options if name not in ("cache", "nopython")]
    if unknown and is_plain:
        raise KeyError(
            "Unrecognized options. cuda vectorize target does not support "
            f"option: {unknown[0]!r}"
        )
    if unknown:
        raise TypeError(
            "The following target options are not supported: "
            f"{', '.join(map(repr, unknown))}"
        )
    if options.get("cache"):
        raise TypeError("caching is not supported")
    if is_plain and "nopython" in options:
        warnings.warn(
            "nopython kwarg for cuda target is redundant",
            RuntimeWarning,
            stacklevel=5,
        )
    elif not options.get("nopython", True):
        raise TypeError("nopython flag must be True")


def check_identity(identity: object) -> None:
    if not (
        identity is None
        or identity == "reorderable"
        or (isinstance(identity, int) and identity in (0, 1))
    ):
        raise ValueError(
            f"identity expects None, 0, 1 or 'reorderable' but got {identity!r}"
        )


def _is_function(value: object) -> bool:
    return isinstance(value, (FunctionType, Dispatcher, HostFunction))
