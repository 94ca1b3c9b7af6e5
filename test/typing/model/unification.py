# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unification: the one type of a variable that has been given two.

Variables at joins, operands of `and`, `or` and `if`-`else`, the arguments of
`min` and `max` and the results of a function unify; operators do not, they
have tables of their own in operators.py.
"""

from .conversions import least
from .types import (
    COMPLEXES,
    FLOATS,
    INTEGERS,
    PARTS,
    REALS,
    SCALARS,
    SIGNED,
    Array,
    Iterator,
    Literal,
    NamedTuple,
    Optional,
    Tuple,
    bits,
    plain,
)


def unify_scalars(a, b):
    """What holds both: bool below everything, else NumPy's promotion."""
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    a, b = sorted((a, b), key=SCALARS.index)
    if b in COMPLEXES:
        part = unify_scalars(PARTS.get(a, a), PARTS[b])
        return "complex64" if part in FLOATS[:2] else "complex128"
    if b in FLOATS:
        needed = (
            {8: "float16", 16: "float32"}.get(bits(a), "float64")
            if a in INTEGERS
            else a
        )
        return max(needed, b, key=FLOATS.index)
    if (a in SIGNED) == (b in SIGNED):
        return b
    return least(SIGNED, a, b) or "float64"  # int64 and uint64 meet in float64


def unify(a, b):
    """The type of a variable that has been given both, or None."""
    if a == b:
        return a
    if isinstance(a, Literal) or isinstance(b, Literal):
        a, b = (plain(t) if isinstance(t, Literal) else t for t in (a, b))
        if a == b:
            return a
    if a == "none" or b == "none":
        other = b if a == "none" else a
        return other if isinstance(other, Optional) else Optional(plain(other))
    if isinstance(a, Optional) or isinstance(b, Optional):
        a, b = (t.inner if isinstance(t, Optional) else t for t in (a, b))
        inner = unify(a, b)
        return inner and Optional(plain(inner))
    if isinstance(a, str) and isinstance(b, str):
        return unify_scalars(a, b) if a in SCALARS and b in SCALARS else None
    if (
        isinstance(a, Tuple)
        and isinstance(b, Tuple)
        and len(a.items) == len(b.items)
    ):
        items = tuple(
            unify(x, y) for x, y in zip(a.items, b.items, strict=True)
        )
        return None if None in items else Tuple(items)
    if isinstance(a, NamedTuple) and isinstance(b, NamedTuple):
        items = unify(Tuple(a.items), Tuple(b.items))
        return items and NamedTuple(a.owner, items.items)
    if isinstance(a, Iterator) and isinstance(b, Iterator):
        element = unify(a.element, b.element)
        return element and Iterator(element)
    if isinstance(a, Array) and isinstance(b, Array):
        if (a.dtype, a.rank) == (b.dtype, b.rank):
            layout = a.layout if a.layout == b.layout else "A"
            return Array(a.dtype, a.rank, layout, a.readonly or b.readonly)
    return None


def unify_all(kinds):
    """Unify a set: narrow types first, as the order matters for a few sets."""
    kinds = sorted(
        kinds, key=lambda kind: bits(plain(kind)) if plain(kind) in REALS else 0
    )
    result = kinds[0]
    for kind in kinds[1:]:
        result = result and unify(result, kind)
    return result
