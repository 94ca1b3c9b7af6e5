# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's dtypes as the compiler writes the elements of arrays.

Records are written field by field, with the places that NumPy gives them; of a
field that kernels cannot use only the name and the place are there.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from pyk._element_types import ELEMENT_TYPES

Dtype = np.dtype[Any]

#: NumPy's own numbers.
NUMBERS: dict[Dtype, str] = {
    np.dtype(row.name): row.mlir
    for row in ELEMENT_TYPES
    if not row.in_ml_dtypes
}

#: NumPy's classes of numbers, several of which may share a dtype.
CLASSES: dict[type, str] = {
    np.dtype(code).type: NUMBERS[np.dtype(code)]
    for code in np.typecodes["All"]
    if np.dtype(code) in NUMBERS
}

#: Units of time, from the coarsest on; of a generic time nothing is known.
UNITS = ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")

TIMES: dict[Dtype, str] = {
    np.dtype(f"{kind}64[{unit}]"): f"!py.time<{kind}, {unit}>"
    for kind in ("datetime", "timedelta")
    for unit in (*UNITS, "generic")
}

_ELEMENTS = NUMBERS | TIMES

#: What text consists of, by the kind of its dtype.
_TEXTS = {"S": "bytes", "U": "str"}

#: The most characters of a text that kernels compute with: each is a value of
#: its own there.
MAX_TEXT = 256

#: The most dimensions that an array of a kernel has.
MAX_DIMENSIONS = 32

#: Bytes of a character of `U`, which is Unicode's number.
_BYTES_OF_CHARACTER = 4


#: Floats that NumPy lacks and ml_dtypes gives it, by their names there.
OF_ML_DTYPES = {
    row.in_ml_dtypes: row.mlir for row in ELEMENT_TYPES if row.in_ml_dtypes
}


def element_of_ml_dtypes(kind: object) -> str | None:
    """The type of elements of the class `kind` of ml_dtypes; None for others.

    Nobody has one where that package is not imported.
    """
    package = sys.modules.get("ml_dtypes")
    name = getattr(kind, "__name__", "")
    if package is None or getattr(package, name, None) is not kind:
        return None
    return OF_ML_DTYPES.get(name)


def is_bfloat16(kind: object) -> bool:
    """Whether `kind` is the class of ml_dtypes' bfloat16."""
    return element_of_ml_dtypes(kind) == "bf16"


@functools.cache
def element(dtype: Dtype) -> str | None:
    """The type of an element of `dtype`; None for one that kernels lack, as
    text of more than `MAX_TEXT` characters.

    >>> element(np.dtype(np.uint8))
    'ui8'
    >>> element(np.dtype("M8[ms]"))
    '!py.time<datetime, ms>'
    >>> element(np.dtype("U3"))
    '!py.chars<str, 3>'
    >>> element(np.dtype([("x", "i8", 3), ("name", "V2")]))
    '!pyk.record<"x" : 3xsi64 at 0, "name" : none at 24, size 26>'
    """
    if dtype.kind in _TEXTS and 0 < length_of_text(dtype) <= MAX_TEXT:
        return f"!py.chars<{_TEXTS[dtype.kind]}, {length_of_text(dtype)}>"
    if dtype.names is None:
        return element_of_ml_dtypes(dtype.type) or _ELEMENTS.get(dtype)
    # What is counted by Python cannot be copied by a kernel.
    if dtype.hasobject or dtype.itemsize == 0:
        return None
    fields = "".join(f"{_field(dtype, name)}, " for name in dtype.names)
    return f"!pyk.record<{fields}size {dtype.itemsize}>"


def length_of_text(dtype: Dtype) -> int:
    """Most characters that an element of `dtype`, `S` or `U`, has."""
    return dtype.itemsize // (_BYTES_OF_CHARACTER if dtype.kind == "U" else 1)


@functools.cache
def swapped(dtype: Dtype, path: str = "") -> str | None:
    """What in `dtype` has another byte order than this machine, if anything.

    >>> swapped(np.dtype([("n", "i4"), ("x", ">f8")]))
    "field 'x' of dtype '>f8'"
    """
    if dtype.names is None:
        if dtype.isnative or dtype.kind not in "iufcmMU":
            return None
        place = f"field '{path}' of " if path else ""
        return f"{place}dtype {dtype.str!r}"
    assert dtype.fields is not None
    for name in dtype.names:
        own = f"{path}.{name}" if path else name
        found = swapped(dtype.fields[name][0].base, own)
        if found is not None:
            return found
    return None


def plain_unit(dtype: Dtype) -> str | None:
    """What `dtype` is without the factor before its unit, if it has one.

    Not for `element` to ask: to NumPy, 1000ms and s are one dtype.

    >>> plain_unit(np.dtype("m8[25s]"))
    'timedelta64[s]'
    """
    if dtype.kind not in "mM" or np.datetime_data(dtype)[1] == 1:
        return None
    name = dtype.type.__name__
    return f"{name}[{np.datetime_data(dtype)[0]}]"


def how_to_pass(name: str, dtype: str) -> str:
    """The remedy for an array whose dtype is to be `dtype`, an expression."""
    return (
        f"pass {name}.astype({dtype}) if it is only read, else create it with "
        "that dtype"
    )


def _field(dtype: Dtype, name: str) -> str:
    assert dtype.fields is not None
    own, offset = dtype.fields[name][:2]
    shape = "".join(f"{extent}x" for extent in own.shape)
    kind = element(own.base)
    text = "".join(map(_escaped, name.encode()))
    return f'"{text}" : {shape if kind else ""}{kind or "none"} at {offset}'


def _escaped(byte: int) -> str:
    """A byte of a name in a string of MLIR."""
    is_plain = 32 <= byte < 127 and byte not in b'"\\'
    return chr(byte) if is_plain else f"\\{byte:02X}"


@functools.cache
def natural_alignment(dtype: Dtype) -> int:
    """Of what the compiler takes the addresses of elements to be multiples.

    It is more than NumPy promises for records that are packed but have all
    fields in places that suit them.

    >>> natural_alignment(np.dtype([("x", "f4"), ("y", "f8")]))
    4
    """
    if dtype.kind in _TEXTS:
        return _BYTES_OF_CHARACTER if dtype.kind == "U" else 1
    if dtype.names is None:
        return dtype.itemsize // (2 if dtype.kind == "c" else 1)
    assert dtype.fields is not None
    own = [dtype.fields[name][0].base for name in dtype.names]
    wanted = [natural_alignment(base) for base in own if element(base)]
    return min(max(wanted, default=1), dtype.itemsize & -dtype.itemsize)


def alignment(array: np.ndarray[Any, Any]) -> int:
    """Of what the addresses of its elements are multiples, if it matters.

    >>> alignment(np.zeros(9, np.int8)[1:].view(np.float64))
    1
    """
    places = natural_alignment(array.dtype) | int(array.ctypes.data)
    for extent, stride in zip(array.shape, array.strides, strict=True):
        if extent > 1:
            places |= stride
    return places & -places


def is_aligned(array: np.ndarray[Any, Any]) -> bool:
    """Whether elements are where a type that says nothing more has them."""
    return alignment(array) == natural_alignment(array.dtype)


def address_of_record(record: np.void) -> int:
    """Where a record of the host lies."""
    return int(np.frombuffer(record, np.uint8).ctypes.data)
