# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of `cuda` on lanes and bits that the typing tables do not have.

Their types are those that the documentation of `pyk.cuda` gives; what they
compute is said by CUDA's programming guide.
"""

import ast
import operator

import numpy as np
from model import functions
from model.operators import binary_type
from model.types import FLOATS, Tuple, plain
from model.unification import unify_all

from .. import scalars

LANES = 32
#: What holds of the lanes of a mask and the thread's own.
LANE_MASKS = {
    f"lanemask_{name}": getattr(operator, name)
    for name in ("eq", "lt", "le", "gt", "ge")
}
#: How a reduction combines two values, as an operator; None: it chooses one.
REDUCTIONS = {
    "reduce_add_sync": ast.Add,
    "reduce_and_sync": ast.BitAnd,
    "reduce_or_sync": ast.BitOr,
    "reduce_xor_sync": ast.BitXor,
    "reduce_min_sync": None,
    "reduce_max_sync": None,
}
#: Attributes of `cuda` that are numbers, of a thread of a block.
NUMBERS = {
    "laneid": lambda thread: thread % LANES,
    "warpsize": lambda thread: LANES,
}
of_tables = functions.cuda_call_type


def type_of(path, arguments):
    """The type of a call; None if nothing fits."""
    name = path.removeprefix("cuda.")
    kinds = [plain(kind) for kind in arguments]
    if path.startswith("cuda.atomic."):
        array, index, *values = kinds
        return of_tables(path, [array, index_of(index), *values])
    if not kinds and (name in LANE_MASKS or name == "activemask"):
        return "uint32"
    if name == "syncwarp" and len(kinds) < 2:
        return "none"
    if name == "elect_sync" and len(kinds) == 1:
        return "bool"
    if name == "popc" and len(kinds) == 1:
        return kinds[0]
    if name == "ffs" and len(kinds) == 1:
        return "uint32"
    if name in REDUCTIONS and len(kinds) == 2:
        kind, op = kinds[1], REDUCTIONS[name]
        return unify_all([kind, binary_type(op, kind, kind)]) if op else kind
    return of_tables(path, arguments)


def index_of(kind):
    """An index of an atomic operation: floats become integers there."""
    if isinstance(kind, Tuple):
        return Tuple(tuple(index_of(plain(item)) for item in kind.items))
    return "int64" if kind in FLOATS else kind


functions.cuda_call_type = type_of


class Warps:
    """The part of a call that knows functions of one thread on bits."""

    def call_bits(self, name, arguments):
        """The result of a function, or None if it is none of these."""
        if name in LANE_MASKS:
            own, holds = self.place.thread % LANES, LANE_MASKS[name]
            lanes = sum(1 << n for n in range(LANES) if holds(n, own))
            return np.uint32(lanes)
        if name not in ("popc", "ffs"):
            return None
        (value,) = arguments
        bits = int(value) & (1 << 8 * value.itemsize) - 1
        if name == "popc":
            return scalars.KINDS[scalars.kind_of(value)](bits.bit_count())
        return np.uint32((bits & -bits).bit_length())


def reduced(name, values):
    """One number of the values of all lanes, in the type of the result."""
    kind = scalars.kind_of(values[0])
    op = REDUCTIONS[name]
    if op is None:
        if any(np.isnan(value) for value in values):
            return scalars.KINDS[kind](np.nan)
        return (min if name == "reduce_min_sync" else max)(values)
    result = binary_type(op, kind, kind)
    total = scalars.convert(values[0], result)
    for value in values[1:]:
        total = scalars.binary(op, total, value, result)
    return total
