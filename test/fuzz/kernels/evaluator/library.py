# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of NumPy on numbers and arrays, and builtins on tuples."""

import ast
import math

import numpy as np
from model.pruning import INSTANCES
from model.types import FLOATS

from .. import scalars

#: Functions of NumPy that are operators, in the type of their result.
OPERATORS = {
    "add": ast.Add,
    "subtract": ast.Sub,
    "multiply": ast.Mult,
    "bitwise_and": ast.BitAnd,
    "bitwise_or": ast.BitOr,
    "bitwise_xor": ast.BitXor,
}
#: Those that give a bool, of the truth of their arguments.
LOGICAL = {
    "logical_and": lambda a, b: a and b,
    "logical_or": lambda a, b: a or b,
    "logical_xor": lambda a, b: a != b,
}
#: What is exact of arrays of integers and bools: elements to a Python number.
REDUCTIONS = {
    "sum": sum,
    "prod": math.prod,
    "min": min,
    "max": max,
    "argmin": lambda items: items.index(min(items)),
    "argmax": lambda items: items.index(max(items)),
    "any": any,
    "all": all,
    "count_nonzero": lambda items: sum(map(bool, items)),
}


class Library:
    """The part of a call that knows the functions of NumPy."""

    def call_numpy(self, name, node, arguments):
        kind = self.types[node, ()]
        if isinstance(arguments[0], np.ndarray):
            return self.reduced(name, arguments[0], kind)
        self.note(f"np.{name} {scalars.kind_of(arguments[-1])}")
        if name == "where":
            return scalars.convert(
                arguments[1 if self.truth(arguments[0]) else 2], kind
            )
        if name in LOGICAL:
            return np.bool_(LOGICAL[name](*map(self.truth, arguments)))
        values = [scalars.convert(x, kind) for x in arguments]
        if name in OPERATORS:
            return scalars.binary(OPERATORS[name], *values, kind)
        if kind in FLOATS or name != "absolute":
            return getattr(np, name)(*values)
        return scalars.wrapped(abs(int(values[0])), kind)

    def reduced(self, name, array, kind):
        """One number of all elements, in the order of indices."""
        self.note(f"{name}() {array.dtype.name}")
        number = REDUCTIONS[name](array.ravel().tolist())
        if kind == "bool":
            return np.bool_(number)
        return scalars.wrapped(int(number), kind)

    def call_divmod(self, node, arguments):
        kind = self.types[node, ()].items[0]
        self.note(f"divmod {scalars.kind_of(arguments[0])}")
        return tuple(
            scalars.binary(op, *arguments, kind)
            for op in (ast.FloorDiv, ast.Mod)
        )

    def call_sum(self, node, arguments):
        (items,) = arguments
        kind = self.types[node, ()]
        if isinstance(items, np.ndarray):
            return self.reduced("sum", items, kind)
        self.note(f"sum {scalars.kind_of(items[0])}")
        total = scalars.convert(np.int64(0), kind)
        for item in items:
            total = scalars.binary(ast.Add, total, item, kind)
        return total

    def call_isinstance(self, node, arguments):
        value, classes = arguments
        kind = scalars.kind_of(value)
        self.note(f"isinstance {kind}")
        if not isinstance(classes, tuple):
            classes = (classes,)
        return np.bool_(any(kind == INSTANCES[c] for c in classes))
