# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types that a universal function is declared for, and which are meant.

As in NumPy, it is the first to which all that is given can be cast without
loss; Python's int, float and complex count by their kind alone beside others.
On a GPU, Numba takes only exact types, so there they go first. A function
without declarations has one for each combination of types that it was called
with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pyk import _dtypes, types
from pyk._functions import Compilable
from pyk.cuda import _compile
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._jit import jit

#: A dtype, or one of the classes of `WEAK`.
Given = Any

#: Kinds of dtypes that Python's numbers become without loss.
WEAK = {int: "iufc", float: "fc", complex: "c"}

#: How NumPy may cast, from the strictest rule on.
CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


class Loop(NamedTuple):
    """A function for one combination of types."""

    op: Compilable
    inputs: tuple[np.dtype[Any], ...]
    outputs: tuple[np.dtype[Any], ...]
    #: Of inputs and outputs, which `op` takes as numbers where it takes arrays.
    is_number: tuple[bool, ...] = ()

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.inputs))})"

    @property
    def characters(self) -> str:
        """As NumPy writes it: `ff->f`."""
        inputs = "".join(dtype.char for dtype in self.inputs)
        return f"{inputs}->{''.join(dtype.char for dtype in self.outputs)}"


def kind(dtype: np.dtype[Any]) -> str:
    """NumPy's letter; to it a bfloat16 is no float."""
    return "f" if _dtypes.is_bfloat16(dtype.type) else dtype.kind


def scalar_loop(
    py_func: Callable[..., Any], signature: types.Signature
) -> Loop:
    """A function of numbers, as `signature` declares it."""
    name = py_func.__name__
    count = _count(py_func)
    if len(signature.args) != count:
        raise TypeError(
            f"signature {signature} has {len(signature.args)} types for the "
            f"{count} parameters of '{name}'"
        )
    for declared in (*signature.args, signature.return_type):
        if declared is not None and not isinstance(declared, types.Scalar):
            raise TypeError(
                f"vectorize expects a signature of numbers for '{name}' but "
                f"got {signature}"
            )
    op = jit(signature, device=True)(py_func)
    # Even where the result is declared, so that errors are found now.
    result = _compile.infer_result(
        op, [arg.mlir for arg in signature.args], op._buffer_options
    )
    found = types.from_text(result)
    if not isinstance(found, types.Scalar):
        raise TypeError(
            f"vectorize expects '{name}' to return a number but for "
            f"{signature} it returns {found or result}"
        )
    inputs = [arg for arg in signature.args if isinstance(arg, types.Scalar)]
    return Loop(op, tuple(arg.dtype for arg in inputs), (found.dtype,))


def _count(py_func: Callable[..., Any]) -> int:
    """How many numbers a function takes."""
    dispatcher = Dispatcher(py_func, device=True)
    if dispatcher._parameters.rest is not None:
        raise TypeError(
            f"vectorize expects plain parameters but '{py_func.__name__}' has "
            f"'*{dispatcher._parameters.rest}'"
        )
    return len(dispatcher._parameters.named)


def choose(
    name: str,
    loops: Sequence[Loop],
    given: tuple[Given, ...],
    is_of_cuda: bool,
    casting: str = "same_kind",
) -> Loop:
    """The loop for what is given; `name` is the function's.

    As by NumPy, `casting` (one of `CASTINGS`) can only make the choice smaller.
    """
    check_casting(casting)
    is_weak = all(item in WEAK for item in given)
    # Python's numbers alone are what NumPy makes of them.
    items = tuple(map(np.dtype, given)) if is_weak else given
    searches = [(_can_be, items)]
    if is_of_cuda:
        searches = [(_is, items), (_can_be, items), (_can_be, given)]
    elif casting in ("no", "equiv"):
        searches = [(_is, items)]
    for fits, wanted in searches:
        for loop in loops:
            if all(map(fits, wanted, loop.inputs)):
                return loop
    raise TypeError(
        f"'{name}' takes {' or '.join(map(str, loops))}, to which "
        f"({', '.join(map(_describe, given))}) cannot be cast "
        f"{'at all' if casting in ('no', 'equiv') else 'without loss'}"
    )


def choose_result(
    name: str,
    loops: Sequence[Loop],
    given: tuple[Given, ...],
    dtype: np.dtype[Any],
    casting: str,
) -> Loop:
    """The loop that yields `dtype`, to whose inputs `casting` can cast."""
    check_casting(casting)
    for loop in loops:
        if loop.outputs == (dtype,) and all(
            (item in WEAK and _can_be(item, own))
            or np.can_cast(np.dtype(item), own, casting)  # type: ignore[arg-type]
            for item, own in zip(given, loop.inputs, strict=True)
        ):
            return loop
    raise TypeError(
        f"'{name}' has no types that yield {dtype} and to which "
        f"({', '.join(map(_describe, given))}) can be cast by the rule "
        f"'{casting}'"
    )


def check_casting(casting: object) -> None:
    """Raises unless it is one of `CASTINGS`."""
    if casting not in CASTINGS:
        raise ValueError(
            f"casting must be one of {', '.join(map(repr, CASTINGS))} but got "
            f"{casting!r}"
        )


def _is(given: Given, dtype: np.dtype[Any]) -> bool:
    if given in WEAK:
        return kind(dtype) in WEAK[given]
    return bool(given == dtype)


def _can_be(given: Given, dtype: np.dtype[Any]) -> bool:
    if given in WEAK:
        return kind(dtype) in WEAK[given]
    return np.can_cast(given, dtype, "safe")


def _describe(given: Given) -> str:
    return given.__name__ if given in WEAK else str(given)
