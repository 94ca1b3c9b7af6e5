# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches whose number of blocks was rounded down.

`kernel[n // block, block]` leaves the last `n % block` elements without a
thread. Such a launch looks like one that means to leave them out, so three
things have to agree before there is a warning: a number or an extent that the
kernel is given lies within one block above the number of threads, the text of
the launch divides without rounding up, and the kernel does not ask how large
the grid is, as loops over it do.
"""

from __future__ import annotations

import ast
import contextlib
import linecache
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any

from pyk._errors import KernelMistakeWarning, caller, warn_once

#: Places of launches whose text was looked at.
_seen: set[tuple[str, int]] = set()


def warn_of_remainder(
    kernel: Callable[..., Any],
    grid: Sequence[int],
    block: Sequence[int],
    values: Iterable[Any],
) -> None:
    """Warns at the launch of `kernel` if elements are left over by a division.

    `values` are the arguments.
    """
    blocks, threads = grid[0], block[0]
    if threads == 1 or any(size != 1 for size in (*grid[1:], *block[1:])):
        return
    count = blocks * threads
    numbers = {*_numbers(values)}
    if count in numbers:
        # What the threads are for has a thread for each element; others, as
        # the bounds of rows, have more of them.
        return
    total = next((n for n in numbers if count < n < count + threads), None)
    if total is None:
        return
    place = caller()
    if place in _seen:
        return
    _seen.add(place)
    if _rounds_down(kernel.__name__, *place) and not _loops_over_grid(kernel):
        warn_once(
            f"{place}: remainder",
            f"'//' rounds down: {blocks} blocks of {threads} threads are "
            f"{count}, and the last {total - count} of {total} elements have "
            "no thread; launch (n + threads - 1) // threads blocks, with "
            "'if i < n' in the kernel",
            KernelMistakeWarning,
            place,
        )


def _numbers(values: Iterable[Any]) -> Iterator[int]:
    """The ints among arguments, and the extents of arrays."""
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        shape = None
        # The launch itself reports arrays that were freed meanwhile.
        with contextlib.suppress(ValueError):
            shape = getattr(value, "shape", None)
        if isinstance(shape, tuple):
            yield from shape


def _rounds_down(kernel: str, file: str, line: int) -> bool:
    """Whether the launch of `kernel` on a line divides without rounding up."""
    tree = _tree(file)
    if tree is None:
        return False
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Subscript)
            and node.lineno <= line <= (node.end_lineno or 0)
            and ast.unparse(node.value).rpartition(".")[2] == kernel
            and isinstance(node.slice, ast.Tuple)
        ):
            return _is_quotient(node.slice.elts[0], tree)
    return False


def _tree(file: str) -> ast.Module | None:
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _is_quotient(node: ast.expr, tree: ast.Module) -> bool:
    """Whether a number of blocks is `n // threads`, or one so assigned."""
    if isinstance(node, ast.Tuple) and node.elts:
        node = node.elts[0]
    if isinstance(node, ast.Name):
        assigned = [
            own.value
            for own in ast.walk(tree)
            if isinstance(own, ast.Assign)
            and any(
                isinstance(target, ast.Name) and target.id == node.id
                for target in own.targets
            )
        ]
        # Of several, nobody knows which.
        return len(assigned) == 1 and _is_division(assigned[0])
    return _is_division(node)


def _is_division(node: ast.expr) -> bool:
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "int"
        and len(node.args) == 1
    ):
        node = node.args[0]
        divides: type[ast.operator] = ast.Div
    else:
        divides = ast.FloorDiv
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, divides)
        # What is added rounds up, as `n + threads - 1`.
        and not any(
            isinstance(inner, (ast.Add, ast.Sub, ast.USub))
            for inner in ast.walk(node.left)
        )
    )


def _loops_over_grid(kernel: Callable[..., Any]) -> bool:
    """Whether a kernel asks how large the grid is."""
    assert isinstance(kernel, FunctionType)
    return not {"gridsize", "gridDim"}.isdisjoint(kernel.__code__.co_names)
