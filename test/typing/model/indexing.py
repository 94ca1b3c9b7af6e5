# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subscripts of arrays and of tuples.

An array takes integers only, at most one for each dimension; fewer give the
sub-array. A tuple of mixed types takes only a position known while compiling.
"""

from .errors import TypingError
from .types import INTEGERS, Array, Literal, Tuple, plain


def index_array(array, index):
    """The type of array[index] with integers only, or None."""
    index = plain(index)
    indices = index.items if isinstance(index, Tuple) else (index,)
    if len(indices) > array.rank or not all(
        kind in INTEGERS for kind in indices
    ):
        return None
    rank = array.rank - len(indices)
    if rank == 0:
        return array.dtype
    layout = "C" if array.layout == "C" else "A"
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
