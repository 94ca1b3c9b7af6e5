# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records, namedtuples, enums, None, and loops over several things."""

import ast
from enum import Enum

import numpy as np

from .. import scalars


def number(value):
    """The scalar that an operator sees."""
    if isinstance(value, Enum):
        return np.int64(value.value)
    return value


class Objects:
    """The part of a call that knows more than numbers and arrays."""

    def operand(self, node):
        """The value of an operand; a member of an enum is a number."""
        value = self.evaluate(node)
        if isinstance(value, Enum):
            self.note("enum operand")
        return number(value)

    def attribute_of_object(self, base, name):
        """(whether the object has fields, its field)"""
        if isinstance(base, Enum):
            self.note("enum .value")
            return True, np.int64(base.value)
        if isinstance(base, tuple):
            self.note("namedtuple field")
            return True, getattr(base, name)
        if isinstance(base, np.void):
            return True, self.field(base, name)
        if isinstance(base, np.ndarray) and name in (base.dtype.names or ()):
            self.note("field of an array")
            return True, base[name]
        return False, None

    def field(self, record, name):
        """A field of a record."""
        value = record[name]
        nested = isinstance(value, np.void)
        self.note("nested record" if nested else f"field {value.dtype.name}")
        return value

    def store_field(self, record, name, value):
        kind = record.dtype[name].name
        self.note(f"field = {kind}")
        record[name] = scalars.convert(value, kind)

    def made(self, owner, node, arguments):
        """A namedtuple."""
        self.note("namedtuple")
        named = {k.arg: self.evaluate(k.value) for k in node.keywords}
        return owner(*arguments, **named)

    def is_same(self, op, left, right):
        """`is`, of None and of members of enums."""
        what = "enum" if isinstance(left, Enum) else "None"
        self.note(f"{what} {op.__name__}")
        return np.bool_((left is right) == (op is ast.Is))

    def call_ndindex(self, node, arguments):
        self.note("for np.ndindex")
        return map(indices, np.ndindex(*map(int, arguments)))

    def call_ndenumerate(self, node, arguments):
        (array,) = arguments
        self.note("for np.ndenumerate")
        return ((indices(i), array[i]) for i in np.ndindex(array.shape))

    def call_enumerate(self, node, arguments):
        self.note("for enumerate")
        start = int(arguments[1]) if len(arguments) > 1 else 0
        return (
            (scalars.wrapped(number, "int64"), item)
            for number, item in enumerate(arguments[0], start)
        )

    def call_zip(self, node, arguments):
        self.note("for zip")
        return zip(*arguments, strict=False)


def indices(numbers):
    """A tuple of indices."""
    return tuple(map(np.int64, numbers))
