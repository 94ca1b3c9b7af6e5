# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The type of a launch argument, as the compiler writes it.

This is on the path of every launch, so the common classes are found in one
dictionary. Types depend on dtype, dimensions and layout, never on a value,
except that an int of 2**63 and more is unsigned, as in Numba.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from pyk import _dtypes

_SCALARS: dict[type, str] = {
    bool: "i1",
    float: "f64",
    complex: "complex<f64>",
    type(None): "none",
    **_dtypes.CLASSES,
}

_EXPECTED = (
    "expects a NumPy array, a NumPy scalar, int, float, complex, bool, None, "
    "a member of an enumeration of numbers or a tuple of these"
)

#: What to pass in place of an argument of these classes.
_REMEDIES: dict[type, str] = {
    list: "np.array(...) of it, or a tuple",
    set: "np.array(...) of its items",
    dict: "arrays of its keys and values",
    str: "an int or a member of an enumeration, or np.array(...) of it",
}

#: Tuples in one another that no program means.
DEEP = 100


def type_of(value: object, name: str) -> str:
    """The type of `value`, which is passed for the parameter `name`.

    >>> type_of(np.zeros((2, 3), np.float32), "a")
    '!pyk.array<?x?xf32, c>'
    >>> type_of(7, "n"), type_of(2**63, "n"), type_of(np.int8(7), "n")
    ('si64', 'ui64', 'si8')
    >>> type_of((7, (1.5,)), "t")
    'tuple<si64, tuple<f64>>'
    """
    kind = type(value)
    if kind is np.ndarray:
        return _array(value, name)  # type: ignore[arg-type]
    known = _SCALARS.get(kind)
    if known is not None:
        return known
    if isinstance(value, tuple):
        return _tuple(value, name)
    if isinstance(value, enum.Enum) and is_member(value):
        return (
            f'!py.enum<"{name_of_class(kind)}", {type_of(value.value, name)}'
            f"{', integer = true' * isinstance(value, int)}>"
        )
    if isinstance(value, int):
        return _int(value, name)
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return _time(value, name)
    if isinstance(value, np.ndarray) and not _is_masked(value):
        return _array(value, name)
    if isinstance(value, float) and not isinstance(value, np.generic):
        return "f64"
    if _dtypes.is_bfloat16(kind):
        return "bf16"
    if isinstance(value, np.void) and value.dtype.names is not None:
        return _record(value, name)
    if isinstance(value, complex) and not isinstance(value, np.generic):
        return "complex<f64>"
    error = NotImplementedError if kind in (str, list, set) else ValueError
    raise error(_problem(value, name))


def nesting(value: object) -> int:
    """How many tuples are around what is deepest in `value`.

    >>> nesting(3), nesting((1, (2,)))
    (0, 2)
    """
    depth = 0
    level = [value]
    while level := [
        item for entry in level if isinstance(entry, tuple) for item in entry
    ]:
        depth += 1
    return depth


def check_nesting(args: Sequence[object], names: Sequence[str]) -> None:
    """Raises ValueError for a tuple at which recursion has ended."""
    for value, name in zip(args, names, strict=True):
        if nesting(value) >= DEEP:
            raise ValueError(
                f"argument '{name}' is a tuple that is nested too deeply"
            ) from None


def name_of_class(kind: type) -> str:
    """A class's name with all that it is in."""
    return f"{kind.__module__}.{kind.__qualname__}"


def is_named_tuple(kind: type) -> bool:
    """Whether `kind` is a class that `collections.namedtuple` made."""
    fields = getattr(kind, "_fields", None)
    return (
        issubclass(kind, tuple)
        and isinstance(fields, tuple)
        and all(isinstance(field, str) for field in fields)
    )


def is_member(value: enum.Enum) -> bool:
    """Whether `value` stands for a number or a tuple of numbers."""
    kind = type(value.value)
    items = value.value if kind is tuple else (value.value,)
    numbers = _SCALARS.keys() - {type(None)} | {int}
    return all(type(item) in numbers for item in items)


def identity_of_class(kind: type) -> object:
    """What the type of an object of a class depends on; None for nothing.

    It is that of a namedtuple or an enumeration.
    """
    if is_named_tuple(kind):
        return name_of_class(kind), *kind._fields  # type: ignore[attr-defined]
    return name_of_class(kind), issubclass(kind, int)


def _tuple(value: tuple[object, ...], name: str) -> str:
    kind = type(value)
    if kind is tuple:
        items = [
            type_of(item, f"{name}[{position}]")
            for position, item in enumerate(value)
        ]
        return f"tuple<{', '.join(items)}>"
    if not is_named_tuple(kind):
        raise ValueError(_problem(value, name))
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    items = [
        type_of(item, f"{name}.{field}")
        for field, item in zip(fields, value, strict=True)
    ]
    names = ", ".join(f'"{field}"' for field in fields)
    return (
        f'!py.named_tuple<"{name_of_class(kind)}", [{names}], '
        f"tuple<{', '.join(items)}>>"
    )


def _remedy(value: object) -> str:
    """What to pass in place of `value`; empty if nothing is likely."""
    if type(value) in _REMEDIES:
        return _REMEDIES[type(value)]
    if type(value) is bytes:
        return "np.frombuffer(..., np.uint8) of it"
    if _is_masked(value):
        return "its .data, or .filled(...) of it"
    has_elements = any(
        hasattr(value, name)
        for name in ("__array__", "__array_interface__", "values")
    )
    if has_elements or _has_buffer(value):
        return "np.asarray(...) of it"
    if not isinstance(value, type) and not callable(value):
        parts = [
            name
            for name, part in getattr(value, "__dict__", {}).items()
            if type(part) in _SCALARS or isinstance(part, (int, np.ndarray))
        ]
        if parts:
            return f"what the kernel needs of it, such as its .{parts[0]}"
    return ""


def _has_buffer(value: object) -> bool:
    try:
        memoryview(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def _problem(value: object, name: str) -> str:
    remedy = _remedy(value)
    return (
        f"Cannot determine PyK type of argument '{name}' of {type(value)}: "
        f"{_EXPECTED}{remedy and f'; pass {remedy}'}"
    )


def _is_masked(value: object) -> bool:
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(value, masked.MaskedArray)


def _int(value: int, name: str) -> str:
    if -(2**63) <= value < 2**63:
        return "si64"
    if 0 <= value < 2**64:
        return "ui64"
    raise ValueError(f"argument '{name}' is an int that does not fit 64 bits")


def _time(value: np.datetime64 | np.timedelta64, name: str) -> str:
    unit = _dtypes.plain_unit(value.dtype)
    if unit is not None:
        raise ValueError(
            f"{_multiple('argument', name, value.dtype)}pass "
            f"{name}.astype('{unit}')"
        )
    return _dtypes.TIMES[value.dtype]


def _multiple(what: str, name: str, dtype: np.dtype[Any]) -> str:
    return f"{what} '{name}' has dtype {dtype}, whose unit has a factor; "


def _array(value: np.ndarray[Any, Any], name: str) -> str:
    flags = value.flags
    layout = "any"
    if flags.c_contiguous:
        layout = "c"
    elif flags.f_contiguous:
        layout = "f"
    return _text(
        value, name, "?x" * value.ndim, layout, _dtypes.alignment(value)
    )


def type_of_known(value: np.ndarray[Any, Any]) -> str:
    """The type of an array of which the kernel knows the extents.

    >>> type_of_known(np.zeros((2, 3), np.float32))
    '!pyk.array<2x3xf32, c>'
    """
    unknown = _array(value, "")
    extents = "".join(f"{extent}x" for extent in value.shape)
    return unknown.replace("?x" * value.ndim, extents, 1)


def _record(value: np.void, name: str) -> str:
    """A record is an array without dimensions, at its address."""
    address = _dtypes.address_of_record(value)
    return _text(value, name, "", "c", address & -address)


def _text(
    value: np.ndarray[Any, Any] | np.void,
    name: str,
    extents: str,
    layout: str,
    alignment: int,
) -> str:
    unit = _dtypes.plain_unit(value.dtype)
    if unit is not None:
        raise ValueError(
            _multiple("array argument", name, value.dtype)
            + _dtypes.how_to_pass(name, repr(unit))
        )
    if value.ndim > _dtypes.MAX_DIMENSIONS:
        raise ValueError(
            f"array argument '{name}' has {value.ndim} dimensions; expects at "
            f"most {_dtypes.MAX_DIMENSIONS}"
        )
    element = _dtypes.element(value.dtype)
    if element is None or _dtypes.swapped(value.dtype):
        raise ValueError(_array_problem(value, name))
    if not value.flags.writeable:
        layout += ", readonly"
    if alignment < _dtypes.natural_alignment(value.dtype):
        layout += f", align {alignment}"
    return f"!pyk.array<{extents}{element}, {layout}>"


def _array_problem(value: np.ndarray[Any, Any] | np.void, name: str) -> str:
    swapped = _dtypes.swapped(value.dtype)
    if swapped is not None:
        native = f"{name}.dtype.newbyteorder('=')"
        if value.dtype.names is None:
            own = value.dtype.newbyteorder("=")
            native = repr(own.str[1:] if own.kind == "U" else own.name)
        return (
            f"array argument '{name}' has {swapped}, whose byte order is not "
            f"this machine's; {_dtypes.how_to_pass(name, native)}"
        )
    return (
        f"Cannot determine PyK type of argument '{name}': an array of dtype "
        f"{value.dtype}; expects bool, an integer type, float16, bfloat16, "
        "floats of 8 bits, float32, float64, complex64, complex128, "
        "datetime64, timedelta64, bytes (S), str (U) or records of them"
        f"{_remedy_for_dtype(value.dtype, name)}"
    )


def _remedy_for_dtype(dtype: np.dtype[Any], name: str) -> str:
    """What to pass in place of an array of a dtype that kernels lack."""
    usual = {"f": "'float64'", "c": "'complex128'"}.get(dtype.kind)
    if usual is None or dtype.names is not None:
        return ""
    return f"; {_dtypes.how_to_pass(name, usual)}"
