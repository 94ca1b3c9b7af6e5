# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subscripts of arrays and of tuples.

An array takes integers and slices, at most one for each dimension; fewer
give the sub-array. A tuple of mixed types takes only a position known while
compiling.
"""

from .errors import TypingError
from .types import INTEGERS, Array, Literal, Tuple, plain

SLICES = ("slice", "slice with a step")


def index_array(array, index):
    """The type of array[index] with integers and slices, or None.

    It is C if integers come first and then at most one slice without a step;
    for F, where slices come first, the type is not said here.
    """
    index = plain(index)
    indices = index.items if isinstance(index, Tuple) else (index,)
    if len(indices) > array.rank or not all(
        kind in INTEGERS or kind in SLICES for kind in indices
    ):
        return None
    rank = array.rank - sum(kind in INTEGERS for kind in indices)
    if rank == 0:
        return array.dtype
    row = indices[:-1] if indices[-1] == "slice" else indices
    contiguous = array.layout == "C" and all(kind in INTEGERS for kind in row)
    layout = "C" if contiguous else "A"
    return Array(array.dtype, rank, layout, array.readonly)


def index_tuple(kind, index, static):
    """The type of kind[index]: any index if all items agree, else a known."""
    position = index.value if isinstance(index, Literal) else static
    if type(position) is int:
        if -len(kind.items) <= position < len(kind.items):
            return kind.items[position]
        raise TypingError("index", "tuple index out of range")
    items = set(plain(kind).items)
    return items.pop() if len(items) == 1 and plain(index) in INTEGERS else None
