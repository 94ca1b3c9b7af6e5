# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which declared signature a launch means, and its arguments as declared.

Of several signatures the best is taken, by Numba's order: an argument is of the
declared type, or is promoted, or converted without loss, or with loss. One that
stands alone need not compete, so it takes more: where integers of another width
are declared, the memory of an array is read as these, as in Numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pyk import _dtypes
from pyk._errors import NumbaTypeSafetyWarning, warn
from pyk._options import options
from pyk._typeof import describe
from pyk.types import (
    Array,
    CPointer,
    Record,
    Scalar,
    Signature,
    Time,
    Tuple,
    Type,
    bfloat16,
)

AnyArray = np.ndarray[Any, Any]

#: How far the type of a value is from a declared one.
EXACT, PROMOTED, SAFE, UNSAFE, NEVER = range(5)

#: The integers that a float type holds for Numba; a float64 holds all.
_HELD = {
    "float16": ("int8",),
    "bfloat16": ("int8", "uint8"),
    "float32": ("int8", "int16", "uint8"),
}


class Argument(NamedTuple):
    """One argument of a launch."""

    name: str
    #: What its type is compared with.
    shown: object
    #: What has the address and the strides that the kernel gets.
    memory: object


def match(
    kernel: str,
    signatures: Sequence[Signature],
    is_alone: bool,
    arguments: Sequence[Argument],
) -> tuple[Signature, list[object]]:
    """The signature for a launch of `kernel`, and its values as declared.

    `is_alone` is whether there is one signature, not in a list. Raises
    TypeError.
    """
    chosen = signatures[0]
    if not is_alone:
        chosen = _best(kernel, signatures, arguments)
    if len(chosen.args) != len(arguments):
        raise TypeError(_refusal(kernel, [chosen], arguments))
    values = []
    for declared, argument in zip(chosen.args, arguments, strict=True):
        value = _cast(declared, argument.shown)
        if value is NotImplemented:
            if not is_alone or not _reads(declared, argument):
                raise TypeError(_refusal(kernel, [chosen], arguments))
            value = argument.shown
            warn(
                f"the memory of argument '{argument.name}' of kernel "
                f"'{kernel}', {describe(value)}, is read as the {declared} "
                "that is declared; pass an array of that dtype, or declare "
                "the kernel for this one",
                NumbaTypeSafetyWarning,
            )
        elif isinstance(declared, Scalar):
            _warn_of_lost_bits(kernel, declared, argument, value)
        values.append(value)
    return chosen, values


def fits(value: int, bits: int) -> bool:
    """Whether some integer of so many bits, signed or not, is `value`.

    >>> fits(255, 8), fits(-1, 8), fits(256, 8)
    (True, True, False)
    """
    return -(1 << (bits - 1)) <= value < 1 << bits


def _warn_of_lost_bits(
    kernel: str, declared: Scalar, argument: Argument, value: object
) -> None:
    """Warns of an int of which the declared type holds the low bits alone."""
    given, dtype = argument.shown, declared.dtype
    if (
        dtype.kind in "iu"
        and isinstance(given, (int, np.integer))
        and not fits(int(given), 8 * dtype.itemsize)
    ):
        warn(
            f"argument '{argument.name}' of kernel '{kernel}' is {given}, "
            f"which does not fit the {declared} that is declared; the kernel "
            f"gets {value}",
            NumbaTypeSafetyWarning,
        )


# The best of several.


def counts(distances: Sequence[int]) -> tuple[int, ...]:
    """What the best signature has the least of."""
    return tuple(map(distances.count, (UNSAFE, SAFE, PROMOTED)))


def _best(
    kernel: str, signatures: Sequence[Signature], arguments: Sequence[Argument]
) -> Signature:
    rated = []
    for signature in signatures:
        if len(signature.args) != len(arguments):
            continue
        distances = [
            _distance(declared, argument.shown)
            for declared, argument in zip(
                signature.args, arguments, strict=True
            )
        ]
        if NEVER not in distances:
            rated.append((counts(distances), signature))
    if not rated:
        problem = _refusal(kernel, signatures, arguments)
        raise TypeError(f"No matching definition: {problem}")
    least = min(count for count, _ in rated)
    found = [signature for count, signature in rated if count == least]
    if len(found) > 1:
        given = ", ".join(describe(argument.shown) for argument in arguments)
        raise TypeError(
            f"Ambiguous overloading for kernel '{kernel}': ({given}) fits "
            f"{' and '.join(map(str, found))} equally well; convert arguments "
            "to the types of the one that you mean"
        )
    return found[0]


def _distance(declared: Type, value: object) -> int:
    """How far `value` is from `declared`."""
    if isinstance(declared, Tuple):
        if type(value) is not tuple or len(value) != len(declared.types):
            return NEVER
        return max(map(_distance, declared.types, value), default=EXACT)
    if isinstance(declared, Scalar) and not isinstance(declared, Time):
        number = np.asarray(value)
        if number.ndim or _kind(number.dtype) not in "biufc":
            return NEVER
        return distance_of_numbers(
            NumberForm.of(declared), NumberForm.of(number.dtype)
        )
    if _cast(declared, value) is NotImplemented:
        return NEVER
    if isinstance(declared, Array) and isinstance(value, np.ndarray):
        return EXACT if declared.layout == _layout(value) else SAFE
    return EXACT


class NumberForm(NamedTuple):
    """Name, kind and size of a type of numbers; also of bfloat16, whose dtype
    needs ml_dtypes.
    """

    name: str
    #: NumPy's letter for numbers of one kind; a bfloat16 is a float.
    kind: str
    itemsize: int

    @classmethod
    def of(cls, kind: Scalar | np.dtype[Any]) -> NumberForm:
        if not isinstance(kind, Scalar):
            return cls(kind.name, _kind(kind), kind.itemsize)
        if kind == bfloat16:
            return cls(kind.name, "f", 2)
        return cls.of(kind.dtype)


def distance_of_numbers(declared: NumberForm, own: NumberForm) -> int:
    """How far a number of one type is from another."""
    if own.name == declared.name:
        return EXACT
    kind, target = own.kind, declared.kind
    grows = own.itemsize < declared.itemsize
    if kind == "c":
        return (PROMOTED if grows else UNSAFE) if target == "c" else NEVER
    if kind == "b":
        return SAFE
    if target == "c":
        part = np.dtype(f"float{declared.itemsize * 4}")
        return max(SAFE, distance_of_numbers(NumberForm.of(part), own))
    is_lossless = grows and (kind, target) == ("u", "i")
    if kind in "iu" and target == "f":
        is_lossless = own.name in _HELD.get(declared.name, (own.name,))
    if kind == target and grows:
        # To Numba, a bfloat16 is another sort of float.
        return SAFE if own.name == bfloat16.name else PROMOTED
    return SAFE if is_lossless else UNSAFE


def _kind(dtype: np.dtype[Any]) -> str:
    """NumPy's letter for numbers of one kind; to it a bfloat16 is no float."""
    return "f" if _dtypes.is_bfloat16(dtype.type) else dtype.kind


def _layout(array: AnyArray) -> str:
    if array.flags.c_contiguous:
        return "C"
    return "F" if array.flags.f_contiguous else "A"


# Values as declared.


def _cast(declared: Type, value: object) -> object:
    """`value` as `declared`; NotImplemented if it cannot be that.

    Numbers are converted, as Numba does for declared types; arrays have to
    be writeable and of the declared dtype, dimensions and layout.
    """
    if isinstance(declared, CPointer):
        return _cast(declared.array, value)
    if isinstance(declared, Array):
        if (
            isinstance(value, np.ndarray)
            and _has_form(declared, value)
            and _dtypes.element(value.dtype) == declared.dtype.element
            and _dtypes.is_aligned(value)
        ):
            return value
        return NotImplemented
    if isinstance(declared, Record):
        if (
            isinstance(value, (np.void, np.ndarray))
            and value.shape == ()
            and value.dtype == declared.dtype
            and value.flags.writeable
        ):
            return value
        return NotImplemented
    if isinstance(declared, Tuple):
        if type(value) is not tuple or len(value) != len(declared.types):
            return NotImplemented
        items = tuple(map(_cast, declared.types, value))
        is_whole = all(item is not NotImplemented for item in items)
        return items if is_whole else NotImplemented
    if isinstance(declared, Scalar):
        number = np.asarray(value)
        # A fraction is not silently lost in an integer.
        kind = _kind(declared.dtype)
        kinds = {"f": "biuf", "c": "biufc", "m": "", "M": ""}.get(kind, "biu")
        if number.ndim == 0 and (
            number.dtype == declared.dtype or _kind(number.dtype) in kinds
        ):
            return number.astype(declared.dtype)[()]
        return NotImplemented
    return None if value is None else NotImplemented


def _has_form(declared: Array, value: AnyArray) -> bool:
    """Whether all but the dtype is as declared."""
    return (
        value.ndim == declared.ndim
        and (declared.layout != "C" or value.flags.c_contiguous)
        and (declared.layout != "F" or value.flags.f_contiguous)
        and value.flags.writeable
    )


# Memory that is read as another type.


def _reads(declared: Type, argument: Argument) -> bool:
    """Whether the memory of an array may be read as an array of `declared`."""
    return _could_read(declared, argument) and (
        options.reinterpret or _keeps_meaning(declared, argument.shown)
    )


def _could_read(declared: Type, argument: Argument) -> bool:
    """Whether all that is read then is in that memory."""
    return (
        _differs_in_dtype(declared, argument.shown)
        and isinstance(declared, Array)
        and isinstance(argument.memory, np.ndarray)
        and _holds(declared, argument.memory)
    )


def _differs_in_dtype(declared: Type, value: object) -> bool:
    """Whether an array has another dtype of numbers, and that is all."""
    return (
        isinstance(declared, Array)
        and isinstance(declared.dtype, Scalar)
        and isinstance(value, np.ndarray)
        and _has_form(declared, value)
        and _kind(value.dtype) in "biufcmM"
        and _dtypes.element(value.dtype) not in (None, declared.dtype.element)
    )


def _keeps_meaning(declared: Type, value: object) -> bool:
    """Whether the first bytes of a small number are that number."""
    assert isinstance(declared, Array) and isinstance(value, np.ndarray)
    return _kind(declared.dtype.dtype) in "iu" and _kind(value.dtype) in "biu"


def _holds(declared: Array, memory: AnyArray) -> bool:
    """Whether all elements as declared are in memory of an array.

    That of the array from which it was cut counts, too.
    """
    if not memory.size:
        return True
    dtype = declared.dtype.dtype
    whole = memory
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    places = [int(memory.ctypes.data)]
    end = places[0] + memory.size * dtype.itemsize
    if declared.layout == "A":
        steps = zip(memory.shape, memory.strides, strict=True)
        places += [stride for extent, stride in steps if extent > 1]
        end = _end(memory) - memory.itemsize + dtype.itemsize
    natural = _dtypes.natural_alignment(dtype)
    return end <= _end(whole) and not any(place % natural for place in places)


def _end(array: AnyArray) -> int:
    """The address behind the last byte of an array."""
    steps = zip(array.shape, array.strides, strict=True)
    end = int(array.ctypes.data) + array.itemsize
    for extent, step in steps:
        end += (extent - 1) * max(step, 0)
    return end


# What is wrong.


def _refusal(
    kernel: str, signatures: Sequence[Signature], arguments: Sequence[Argument]
) -> str:
    """Why no signature is one for the arguments."""
    fitting = [
        signature.args
        for signature in signatures
        if len(signature.args) == len(arguments)
    ]
    wrong = [
        place
        for place, argument in enumerate(arguments)
        if all(
            _cast(args[place], argument.shown) is NotImplemented
            for args in fitting
        )
    ]
    named = ", ".join(
        f"argument '{argument.name}' of type {describe(argument.shown)}"
        for place, argument in enumerate(arguments)
        if place in wrong or not wrong
    )
    text = (
        f"kernel '{kernel}' is declared for {', '.join(map(str, signatures))}, "
        f"not for {named or 'no arguments'}"
    )
    if len(fitting) == 1:
        text += "".join(
            _remedy(fitting[0][place], arguments[place]) for place in wrong[:1]
        )
    return text


def _remedy(declared: Type, argument: Argument) -> str:
    if not _differs_in_dtype(declared, argument.shown):
        return ""
    assert isinstance(declared, Array)
    dtype = repr(str(declared.dtype))
    text = f"; {_dtypes.how_to_pass(argument.name, dtype)}"
    if _could_read(declared, argument):
        text += (
            ", or set PYK_REINTERPRET=1 to have its memory read so, as in Numba"
        )
    return text
