# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numba's types: scalars, records, arrays, tuples, and signatures.

A scalar type serves as a dtype and as a cast, in kernels and on the host; it
compares equal to the NumPy dtype of the same name. Indexing it with slices
makes an array type, calling it with types a signature:

>>> float32 == "float32", float32(1.5).dtype
(True, dtype('float32'))
>>> float32[:, ::1]
array(float32, 2d, C)
>>> void(float32[:], int64)
(array(float32, 1d, A), int64) -> none
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from pyk import _dtypes
from pyk._element_types import ELEMENT_TYPES


class Kind(type):
    """The class of the classes of types."""


class Type(metaclass=Kind):
    """Anything that a value in a kernel can be."""

    def __init__(self, name: str, mlir: str) -> None:
        self.name = name
        #: How the compiler writes this type.
        self.mlir = mlir

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __call__(self, *args: Any) -> Any:
        """A signature that returns this type."""
        return Signature(self, args)


class Element(Type):
    """What an array may have as its elements."""

    #: How the compiler writes it as an element.
    element: str

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype; its presence lets NumPy accept this type."""
        raise NotImplementedError

    def __getitem__(self, index: slice | tuple[slice, ...]) -> Array:
        """An array type: one slice for each dimension, `::1` if contiguous."""
        slices = index if isinstance(index, tuple) else (index,)
        steps = []
        for entry in slices:
            if (
                not isinstance(entry, slice)
                or entry.start is not None
                or entry.stop is not None
                or entry.step not in (None, 1)
            ):
                raise TypeError(
                    "expects ':' or '::1' for each dimension of an array "
                    f"type but got {entry!r}"
                )
            steps.append(entry.step)
        if steps.count(1) > 1 or 1 in steps[1:-1]:
            raise TypeError(
                "expects '::1' for the first or the last dimension only"
            )
        layout = "A"
        if steps[-1] == 1:
            layout = "C"
        elif steps[0] == 1:
            layout = "F"
        return Array(self, len(steps), layout)


class Scalar(Element):
    """A number type.

    >>> int8(200 - 256)
    np.int8(-56)
    """

    def __init__(self, name: str, mlir: str) -> None:
        super().__init__(name, mlir)
        self.element = mlir

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype; its presence lets NumPy accept this type."""
        found: np.dtype[Any] = np.dtype(self.name)
        return found

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Type):
            return self.name == other.name
        if not isinstance(other, (str, type, np.dtype)):
            return NotImplemented
        try:
            return _dtypes.element(np.dtype(other)) == self.element
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __call__(self, *args: Any) -> Any:
        """A cast of one value, or a signature that returns this type."""
        if len(args) == 1 and not isinstance(args[0], (Type, Array)):
            return self.dtype.type(args[0])
        return Signature(self, args)


_ROWS = {row.name: row for row in ELEMENT_TYPES}


class _Listed(Scalar):
    """One of the table of element types."""

    def __init__(self, name: str) -> None:
        super().__init__(name, _ROWS[name].mlir)


class Boolean(_Listed):
    """True or False."""


class Number(_Listed):
    """An integer, a float or a complex number."""

    @property
    def bitwidth(self) -> int:
        """How many bits it has.

        >>> float32.bitwidth
        32
        """
        return self.dtype.itemsize * 8


class Integer(Number):
    """A whole number.

    >>> uint8.signed, int8.signed
    (False, True)
    """

    @property
    def signed(self) -> bool:
        """Whether it may be negative."""
        return _ROWS[self.name].kind == "Signed"


class Float(Number):
    """A number with a fraction.

    Some NumPy lacks; the package ml_dtypes gives it them. Only arrays and
    numbers of the host need that.
    """

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype; its presence lets NumPy accept this type."""
        class_name = _ROWS[self.name].in_ml_dtypes
        if not class_name:
            return super().dtype
        try:
            import ml_dtypes
        except ImportError:
            raise ImportError(
                f"{self.name} on the host needs the package ml_dtypes; "
                "install it with 'pip install ml_dtypes'"
            ) from None
        found: np.dtype[Any] = np.dtype(getattr(ml_dtypes, class_name))
        return found


class Float8(Float):
    """A float of a byte, which converts to numbers and is made of them."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__name__ = name


class Complex(Number):
    """A number of two floats."""


class Time(Scalar):
    """A date or a time span, with its unit."""

    def __init__(self, unit: str = "") -> None:
        kind = type(self).__name__.removeprefix("NP").lower()
        dtype = np.dtype(f"{kind}64[{unit or 'generic'}]")
        if _dtypes.plain_unit(dtype) is not None:
            raise NotImplementedError(
                f"expects a unit of time without a factor but got {unit!r}"
            )
        super().__init__(dtype.name, _dtypes.TIMES[dtype])
        self.unit = unit

    def __call__(self, *args: Any) -> Any:
        """A time of one value, or a signature that returns this type."""
        if len(args) == 1 and not isinstance(args[0], Type):
            return np.asarray(args[0]).astype(self.dtype)[()]
        return Signature(self, args)


class NPDatetime(Time):
    """NumPy's datetime64 of a unit.

    >>> NPDatetime("D"), NPDatetime("D")[:]
    (datetime64[D], array(datetime64[D], 1d, A))
    """


class NPTimedelta(Time):
    """NumPy's timedelta64 of a unit; without one it fits all.

    >>> NPTimedelta("ms")(5), NPTimedelta()
    (np.timedelta64(5,'ms'), timedelta64)
    """


class CharSeq(Element):
    """Up to `count` bytes: an element of an array of dtype `S`.

    >>> CharSeq(3)[:], from_dtype("S3").dtype
    (array(CharSeq(3), 1d, A), dtype('S3'))
    """

    _kind = "S"

    def __init__(self, count: int) -> None:
        self._dtype: np.dtype[Any] = np.dtype(f"{self._kind}{count}")
        element = _dtypes.element(self._dtype)
        if element is None:
            raise ValueError(
                f"expects a count from 1 to {_dtypes.MAX_TEXT} but got {count}"
            )
        super().__init__(f"{type(self).__name__}({count})", element)
        self.element = element
        self.count = count

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype."""
        return self._dtype


class UnicodeCharSeq(CharSeq):
    """Up to `count` characters: an element of an array of dtype `U`.

    >>> UnicodeCharSeq(3)
    UnicodeCharSeq(3)
    """

    _kind = "U"


class Record(Element):
    """A record, of a structured dtype or of its fields.

    >>> from_dtype(np.dtype([("x", "f4"), ("y", "i4")]))
    Record(x[type=float32;offset=0],y[type=int32;offset=4];8;False)
    >>> Record([("x", {"type": float32, "offset": 4})], 8, False).dtype.itemsize
    8
    """

    def __init__(
        self, dtype: Any, size: int | None = None, aligned: bool = False
    ) -> None:
        if size is not None:
            dtype = _record_dtype(dtype, size, aligned)
        self._dtype: np.dtype[Any] = np.dtype(dtype)
        element = _dtypes.element(self._dtype)
        if (
            element is None
            or self._dtype.names is None
            or _dtypes.swapped(self._dtype)
        ):
            raise NotImplementedError(
                f"expects a dtype of records for a kernel but got {self._dtype}"
            )
        assert self._dtype.fields is not None
        fields = ",".join(
            f"{name}[type={own[0]};offset={own[1]}]"
            for name, own in (
                (name, self._dtype.fields[name]) for name in self._dtype.names
            )
        )
        super().__init__(
            f"Record({fields};{self._dtype.itemsize};"
            f"{self._dtype.isalignedstruct})",
            f"!pyk.array<{element}, c>",
        )
        self.element = element

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype."""
        return self._dtype


def _record_dtype(
    fields: Iterable[tuple[str, Any]], size: int, aligned: bool
) -> np.dtype[Any]:
    """The dtype of a record whose fields stand as in Numba's `Record`."""
    found = [(name, dict(own)) for name, own in fields]
    return np.dtype(
        {
            "names": [name for name, _ in found],
            "formats": [own["type"].dtype for _, own in found],
            "offsets": [own["offset"] for _, own in found],
            "titles": [own.get("title") for _, own in found],
            "itemsize": size,
        },
        align=aligned,
    )


class Vector(Element):
    """CUDA's vector of one to four numbers, with components x, y, z and w.

    Kernels make it of numbers and shorter vectors, and compute with it. On the
    host it is a record, of which there are arrays.

    >>> Vector(float32, 4), Vector(float32, 2).dtype
    (float32x4, dtype([('x', '<f4'), ('y', '<f4')]))
    >>> float(Vector(float32, 2)(3, 4)["y"])
    4.0
    """

    def __init__(
        self, base: Scalar, length: int, aliases: tuple[str, ...] = ()
    ) -> None:
        element = f"!py.vector<{base.element}, {length}>"
        super().__init__(f"{base.name}x{length}", element)
        self.element = element
        self.base_type = base
        self.num_elements = length
        #: Names that CUDA C++ has for it.
        self.aliases = aliases

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype, of records."""
        names = "xyzw"[: self.num_elements]
        return np.dtype([(name, self.base_type.dtype) for name in names])

    @property
    def user_facing_object(self) -> Vector:
        """What programs call to make one: the type itself."""
        return self

    def __call__(self, *args: Any) -> Any:
        """A record of the components, or a signature that returns this type."""
        if any(isinstance(arg, Type) for arg in args):
            return Signature(self, args)
        if len(args) != self.num_elements:
            raise TypeError(
                f"{self.name} expects {self.num_elements} components but got "
                f"{len(args)}"
            )
        return np.array(args, self.dtype)[()]


_LAYOUTS = {"C": "c", "F": "f", "A": "any"}


class Array(Type):
    """An array of `ndim` dimensions in layout C, F or A (any strides).

    >>> Array(float32, 2, "C")
    array(float32, 2d, C)
    """

    def __init__(self, dtype: Element, ndim: int, layout: str) -> None:
        if layout not in _LAYOUTS:
            raise ValueError(f"expects layout C, F or A but got {layout!r}")
        super().__init__(
            f"array({dtype}, {ndim}d, {layout})",
            f"!pyk.array<{'?x' * ndim}{dtype.element}, {_LAYOUTS[layout]}>",
        )
        self.dtype = dtype
        self.ndim = ndim
        self.layout = layout


#: The extent of an array of which nobody says where it ends.
_NO_END = (1 << 48) - 1


class CPointer(Type):
    """The address of numbers of a type, as C code takes it.

    Kernels index it by integers, from the address on or in front of it. It has
    no size.

    >>> CPointer(float32)
    float32*
    """

    def __init__(self, dtype: Scalar) -> None:
        if not isinstance(dtype, Scalar):
            raise TypeError(f"expects a type of numbers but got {dtype!r}")
        super().__init__(
            f"{dtype!r}*", f"!pyk.array<{_NO_END}x{dtype.element}, c>"
        )
        self.dtype = dtype
        #: What an array must be that is passed for it.
        self.array = Array(dtype, 1, "C")

    @property
    def exported(self) -> str:
        """As what code of C passes it: an address of any memory."""
        return f"!pyk.array<{_NO_END}x{self.dtype.element}, c, generic>"


class Tuple(Type):
    """A tuple of values of these types.

    >>> Tuple((int32, float32))
    tuple(int32, float32)
    >>> list(Tuple((int32, float32)))
    [int32, float32]
    """

    def __init__(self, types: Iterable[Type]) -> None:
        self.types = tuple(types)
        for item in self.types:
            if not isinstance(item, Type):
                raise TypeError(f"expects types in a tuple but got {item!r}")
        super().__init__(
            f"tuple({', '.join(map(repr, self.types))})",
            f"tuple<{', '.join(item.mlir for item in self.types)}>",
        )

    def __len__(self) -> int:
        return len(self.types)

    def __iter__(self) -> Iterator[Type]:
        return iter(self.types)

    def __getitem__(self, index: Any) -> Any:
        return self.types[index]


class UniTuple(Tuple):
    """A tuple of `count` values of one type.

    >>> UniTuple(float64, 2)
    tuple(float64, float64)
    """

    def __init__(self, dtype: Type, count: int) -> None:
        super().__init__([dtype] * count)


class Optional(Type):
    """A value of a type, or None: what a device function takes or gives.

    >>> Optional(int32)
    int32 or None
    """

    def __init__(self, type: Type) -> None:
        super().__init__(f"{type} or None", f"!py.optional<{type.mlir}>")
        self.type = type


class NoneType(Type):
    """The type of None, and of what returns nothing."""


class Signature:
    """What a kernel or a device function takes and gives.

    `return_type` is None where a tuple of types leaves it open.

    >>> void(int32).args
    (int32,)
    """

    def __init__(self, return_type: Type | None, args: tuple[Any, ...]) -> None:
        for arg in args:
            if not isinstance(arg, Type):
                raise TypeError(f"expects types in a signature but got {arg!r}")
        self.return_type = return_type
        self.args: tuple[Type, ...] = args

    def __repr__(self) -> str:
        returns = self.return_type or void
        return f"({', '.join(map(repr, self.args))}) -> {returns}"


none = void = NoneType("none", "none")
boolean = bool_ = b1 = Boolean("bool")
#: What kernels cannot take, as extensions of a launch see it.
pyobject = Type("pyobject", "none")
int8 = i1 = char = Integer("int8")
int16 = i2 = short = Integer("int16")
int32 = i4 = intc = Integer("int32")
int64 = i8 = intp = ssize_t = longlong = Integer("int64")
uint8 = u1 = byte = uchar = Integer("uint8")
uint16 = u2 = ushort = Integer("uint16")
uint32 = u4 = uintc = Integer("uint32")
uint64 = u8 = uintp = size_t = ulonglong = Integer("uint64")
float16 = f2 = Float("float16")
bfloat16 = Float("bfloat16")
fp4_e2m1 = Float8("fp4_e2m1")
fp8_e5m2 = Float8("fp8_e5m2")
fp8_e4m3 = Float8("fp8_e4m3")
fp8_e8m0 = Float8("fp8_e8m0")
float32 = f4 = float_ = Float("float32")
float64 = f8 = double = Float("float64")
complex64 = c8 = Complex("complex64")
complex128 = c16 = Complex("complex128")
# As in Numba and in C on 64-bit Linux, `long` is 64 bits wide; `int_` is
# Numba's name for the width of a Python int.
int_ = long_ = int64
uint = ulong = uint64


def from_dtype(dtype: Any) -> Element:
    """The type of a NumPy dtype.

    >>> from_dtype(np.float32)
    float32
    """
    found = np.dtype(dtype)
    known = _BY_ELEMENT.get(_dtypes.element(found) or "")
    if found.kind in "SU" and found.itemsize:
        text = UnicodeCharSeq if found.kind == "U" else CharSeq
        return text(_dtypes.length_of_text(found))
    return Record(found) if known is None else known


def from_text(text: str) -> Type | None:
    """The type of a number or time, or none, that the compiler writes so.

    >>> from_text("si8"), from_text("tuple<si8>")
    (int8, None)
    """
    return none if text == none.mlir else _BY_ELEMENT.get(text)


#: What a signature in text may name.
NAMES = {
    name: value for name, value in globals().items() if isinstance(value, Type)
}
NAMES["long"] = long_
_BY_ELEMENT = {
    value.element: value
    for value in NAMES.values()
    if isinstance(value, Scalar)
}
optional = Optional

#: The types of numbers that kernels compute with.
NUMBERS: tuple[Scalar, ...] = tuple(
    value
    for value in _BY_ELEMENT.values()
    if isinstance(value, _Listed) and not isinstance(value, Float8)
)

# Sets of types, as Numba has them: for loops over all of a kind.
signed_domain = frozenset({int8, int16, int32, int64})
unsigned_domain = frozenset({uint8, uint16, uint32, uint64})
integer_domain = signed_domain | unsigned_domain
real_domain = frozenset({float32, float64})
complex_domain = frozenset({complex64, complex128})
number_domain = integer_domain | real_domain | complex_domain

_TIMES = [
    kind(unit)
    for kind in (NPDatetime, NPTimedelta)
    for unit in (*_dtypes.UNITS, "")
]
_BY_ELEMENT |= {time.element: time for time in _TIMES}
