# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of numbers and arrays whose types the peer has been asked for.

The rules of these are in no text; what was recorded is the model. An array is
recorded in one layout, of which no answer depends.
"""

import ast
import json
from pathlib import Path

import numpy as np

from .operators import binary_type
from .types import SCALARS, Array, Tuple, parse, plain, show
from .unification import unify

FILE = Path(__file__).parents[1] / "functions.json"
TABLE = json.loads(FILE.read_text())


def recorded(form, *kinds):
    """The type of a form of `x` and `y`; None if the peer refuses it."""
    texts = [
        show(Array(kind.dtype, 1, "C") if isinstance(kind, Array) else kind)
        for kind in kinds
    ]
    found = TABLE.get(form, {}).get("; ".join(texts))
    return found and parse(found)


def is_numpy(function):
    """Whether it is a function of NumPy, and no type."""
    name = getattr(function, "__name__", "")
    is_type = isinstance(function, type)
    return not is_type and getattr(np, name, None) is function


def numpy_type(function, kinds):
    """The type of a call of a function of NumPy."""
    name = function.__name__
    if name == "where" and len(kinds) == 3:
        # The peer has it for arrays only; this is NumPy's own promotion.
        return unify(*kinds[1:])
    if name == "clip" and len(kinds) == 3:
        largest = numpy_type(np.maximum, kinds[:2])
        return largest and numpy_type(np.minimum, [largest, kinds[2]])
    names = ", ".join("xy"[: len(kinds)])
    return recorded(f"np.{name}({names})", *kinds)


def builtin_type(function, kinds):
    """The type of a call of `divmod`, `sum`, or of `min` of an array."""
    kinds = [plain(kind) for kind in kinds]
    if len(kinds) == 1 and isinstance(kinds[0], Array):
        return recorded(f"{function.__name__}(x)", *kinds)
    if function is divmod and len(kinds) == 2:
        # Of mixed signs, too, it has the type of // and %: not the peer's.
        kind = set(kinds) <= set(SCALARS) and binary_type(ast.FloorDiv, *kinds)
        return Tuple((kind, kind)) if kind else None
    if function is sum and len(kinds) == 1:
        items = kinds[0].items if isinstance(kinds[0], Tuple) else ()
        if len(set(items)) == 1:
            return recorded("sum((x, x))", items[0])
    return None
