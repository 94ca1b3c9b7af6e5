# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records, namedtuples and members of enums.

What the random kernels of test/fuzz do with them: fields are read and written,
an `IntEnum` is a number where an operator takes it.
"""

from .types import Array, Member, NamedTuple, Record, Tuple, plain


def attribute_type(kind, name):
    """The type of an attribute of an object; None if it has no such one."""
    if isinstance(kind, Member):
        return "int64" if name == "value" else None
    if isinstance(kind, NamedTuple):
        fields = kind.owner._fields
        return kind.items[fields.index(name)] if name in fields else None
    if isinstance(kind, Record):
        return dict(kind.fields).get(name)
    if isinstance(kind, Array) and isinstance(kind.dtype, Record):
        field = attribute_type(kind.dtype, name)
        return field and Array(field, kind.rank, "A")
    return None


def as_tuple(kind):
    """A namedtuple as the tuple that it is."""
    return Tuple(kind.items) if isinstance(kind, NamedTuple) else kind


def made(owner, kinds, named):
    """The type of a namedtuple of these arguments."""
    rest = owner._fields[len(kinds) :]
    items = (*kinds, *(named[name] for name in rest))
    return NamedTuple(owner, tuple(map(plain, items)))


def is_namedtuple(value):
    """Whether it is a class of namedtuples."""
    return isinstance(value, type) and hasattr(value, "_fields")
