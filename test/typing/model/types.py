# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types, and their text.

A scalar, `none` and `str` are their names; everything else is one of the
classes here. `Literal` is the type of a value that is known while compiling,
and `plain` forgets such values. `parse` and `show` are the text that the cases
store.
"""

from collections import namedtuple
from enum import Enum

import numpy as np

from .errors import TypingError

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEXES = ["complex64", "complex128"]
#: The type of the parts of a complex number.
PARTS = dict(zip(COMPLEXES, FLOATS[1:], strict=True))
INTEGERS = SIGNED + UNSIGNED
REALS = INTEGERS + FLOATS
SCALARS = ["bool", *REALS, *COMPLEXES]
INT_LIMIT = 2**63


class Literal(namedtuple("Literal", "value")):
    """The type of an int or a bool known while compiling; 1 is not True."""

    def __eq__(self, other):
        return isinstance(other, Literal) and repr(self.value) == repr(
            other.value
        )

    def __hash__(self):
        return hash(repr(self.value))


Tuple = namedtuple("Tuple", "items")
Array = namedtuple("Array", "dtype rank layout readonly", defaults=(False,))
Record = namedtuple("Record", "fields")  # pairs of a name and a type
NamedTuple = namedtuple("NamedTuple", "owner items")
Member = namedtuple("Member", "owner")  # of an enum
Optional = namedtuple("Optional", "inner")
Iterator = namedtuple("Iterator", "element")  # what a `for` walks
Known = namedtuple("Known", "object")  # a module, function or scalar type
Omitted = namedtuple("Omitted", "value")  # a default that the call left out


def bits(scalar):
    """The width in a scalar's name."""
    return int("".join(filter(str.isdigit, scalar))) if scalar != "bool" else 1


def plain(kind):
    """The type without compile-time values."""
    if isinstance(kind, Literal):
        if isinstance(kind.value, bool):
            return "bool"
        return "int64" if -INT_LIMIT <= kind.value < INT_LIMIT else "uint64"
    if isinstance(kind, Tuple):
        return Tuple(tuple(plain(item) for item in kind.items))
    return kind


def number(kind):
    """The type that an operator sees: of what is perhaps None, or an enum."""
    kind = plain(kind)
    kind = kind.inner if isinstance(kind, Optional) else kind
    if isinstance(kind, Member) and issubclass(kind.owner, int):
        return "int64"
    return kind


def dtype_type(dtype):
    """The type of the elements of an array of NumPy's."""
    if not dtype.names:
        return dtype.name
    fields = ((name, dtype_type(dtype[name])) for name in dtype.names)
    return Record(tuple(fields))


def value_type(value):
    """The type of a Python or NumPy value that is known while compiling."""
    if value is None:
        return "none"
    if isinstance(value, Enum):
        return Member(type(value))
    if isinstance(value, (bool, np.bool_)):
        return Literal(value) if isinstance(value, bool) else "bool"
    if isinstance(value, int):
        if not -INT_LIMIT <= value < 2 * INT_LIMIT:
            raise TypingError("other", "integer does not fit 64 bits")
        return Literal(value)
    if isinstance(value, np.generic):
        return dtype_type(value.dtype)
    if isinstance(value, float):
        return "float64"
    if isinstance(value, complex):
        return "complex128"
    if isinstance(value, str):
        return "str"
    if isinstance(value, tuple):
        return Tuple(tuple(value_type(item) for item in value))
    if isinstance(value, np.ndarray):
        return Array(dtype_type(value.dtype), value.ndim, "C", True)
    return Known(value)


def parse(text):
    """A type from its text."""
    text = text.strip()
    if text.startswith("array("):
        dtype, rank, layout = text[6:-1].split(",")
        return Array(dtype.strip(), int(rank), layout.strip())
    if text.startswith("tuple("):
        parts, depth, start, inner = [], 0, 0, text[6:-1]
        for position, character in enumerate(inner + ","):
            depth += (character == "(") - (character == ")")
            if character == "," and depth == 0:
                parts.append(inner[start:position])
                start = position + 1
        return Tuple(tuple(parse(part) for part in parts if part.strip()))
    return text


def show(kind):
    """The text of a type."""
    kind = plain(kind)
    if isinstance(kind, Tuple):
        return "tuple(" + ", ".join(show(item) for item in kind.items) + ")"
    if isinstance(kind, Array):
        return f"array({kind.dtype}, {kind.rank}, {kind.layout})"
    if isinstance(kind, Optional):
        return f"optional({show(kind.inner)})"
    return kind if isinstance(kind, str) else str(kind)
