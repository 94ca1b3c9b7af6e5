# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What other libraries hand out of their arrays, checked.

A `__cuda_array_interface__` and a DLPack capsule come from code that is not
PyK's. Whatever is wrong with one is a single error that names the field, what
it has to be, and what it is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np

from pyk import _core, types
from pyk.cuda._layout import AnyArray
from pyk.cuda._transfers import array_at

_INTERFACE = "a __cuda_array_interface__"


class Described(NamedTuple):
    """The array that a `__cuda_array_interface__` describes."""

    array: AnyArray
    #: The handle of the stream to wait for, if there is one.
    stream: int | None


def _refuse(field: str, what: str, value: object) -> NoReturn:
    raise ValueError(
        f"{_INTERFACE} expects {field} as {what} but got {value!r}"
    )


def _ints(field: str, what: str, value: object) -> tuple[int, ...]:
    """`value` as a tuple of ints."""
    if not isinstance(value, (tuple, list)):
        _refuse(field, what, value)
    try:
        return tuple(map(operator.index, value))
    except TypeError:
        _refuse(field, what, value)


def describe(desc: Any) -> Described:
    """What a `__cuda_array_interface__` says; ValueError if it is wrong."""
    if not isinstance(desc, Mapping):
        raise ValueError(f"{_INTERFACE} expects a dict but got {desc!r}")
    missing = [key for key in ("shape", "typestr", "data") if key not in desc]
    if missing:
        raise ValueError(
            f"{_INTERFACE} expects shape, typestr and data but lacks "
            f"{', '.join(missing)}"
        )
    version = desc.get("version", 0)
    if not isinstance(version, int):
        _refuse("version", "an int", version)
    if version >= 1 and desc.get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported")
    shape = _ints("shape", "a tuple of ints >= 0", desc["shape"])
    if any(extent < 0 for extent in shape):
        _refuse("shape", "a tuple of ints >= 0", shape)
    dtype = _dtype(desc["typestr"])
    strides = desc.get("strides")
    if strides is not None:
        what = f"None or a tuple of {len(shape)} ints"
        found = _ints("strides", what, strides)
        if len(found) != len(shape):
            _refuse("strides", what, strides)
        strides = found
    address, is_read_only = _data(desc["data"], shape)
    try:
        array = array_at(address, shape, dtype, strides)
    except (OverflowError, MemoryError, TypeError, ValueError) as error:
        raise ValueError(
            f"{_INTERFACE} expects shape and strides of an array in memory but "
            f"got {shape} and {strides} ({error})"
        ) from None
    array.flags.writeable = not is_read_only
    return Described(array, _stream(desc.get("stream")))


def _dtype(typestr: object) -> np.dtype[Any]:
    what = "what NumPy has as dtype.str, such as '<f4',"
    if not isinstance(typestr, str):
        _refuse("typestr", what, typestr)
    try:
        dtype = np.dtype(typestr)
    except (TypeError, ValueError, SyntaxError):
        _refuse("typestr", what, typestr)
    if dtype.hasobject:
        _refuse("typestr", "a dtype without Python objects", typestr)
    return dtype


def _data(data: object, shape: tuple[int, ...]) -> tuple[int, bool]:
    """The address of the memory, and whether nobody may write it."""
    what = "a tuple of an address and whether it is read-only"
    if not isinstance(data, (tuple, list)) or len(data) != 2:
        _refuse("data", what, data)
    try:
        address = 0 if data[0] is None else operator.index(data[0])
    except TypeError:
        _refuse("data", what, data)
    if not 0 <= address < 2**64:
        _refuse("data", what, data)
    if address == 0 and 0 not in shape:
        raise ValueError(
            f"{_INTERFACE} expects an address for an array of shape {shape} "
            "but got 0"
        )
    return address, bool(data[1])


def _stream(stream: object) -> int | None:
    if stream is None:
        return None
    try:
        handle = operator.index(stream)  # type: ignore[arg-type]
    except TypeError:
        _refuse("stream", "None or a handle", stream)
    if handle == 0:
        raise ValueError(
            f"{_INTERFACE} expects a stream of None or a handle but got 0, "
            "which is ambiguous"
        )
    return handle


# DLPack.


def dlpack_device(value: Any, name: str) -> tuple[int, int]:
    """The kind and the number of the device of a tensor, passed for `name`."""
    found = _ask(value, name, value.__dlpack_device__)
    try:
        kind, index = map(operator.index, found)
    except (TypeError, ValueError):
        raise ValueError(
            f"argument '{name}' of {type(value)} expects a __dlpack_device__() "
            f"of two ints but got {found!r}"
        ) from None
    return kind, index


def from_dlpack(value: Any, name: str) -> tuple[AnyArray, object]:
    """What a tensor hands out as an array, and what keeps it."""
    capsule = _ask(value, name, value.__dlpack__)
    try:
        address, shape, strides, dtype, owner = _core.import_dlpack(capsule)
        found: Any = types.bfloat16 if dtype == "bfloat16" else dtype
        return array_at(address, shape, found, strides), owner
    except (TypeError, ValueError, OverflowError, MemoryError) as error:
        # Of a type error of the extension, the first line says what it is.
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        if isinstance(error, TypeError):
            why = f"it is no capsule of a tensor that is unused: {capsule!r}"
        raise ValueError(
            f"argument '{name}' of {type(value)} expects a __dlpack__() that "
            f"kernels can use, but {why}; pass np.asarray(...) of it"
        ) from None


def _ask(value: object, name: str, method: Callable[[], Any]) -> Any:
    """What a method of another library returns."""
    try:
        return method()
    except Exception as error:
        raise ValueError(
            f"argument '{name}' of {type(value)} cannot be imported by DLPack: "
            f"{type(error).__name__}: {error}"
        ) from error
