# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python objects as VALUEs of the ast buffer.

A name that a kernel reads from outside is replaced, when the kernel is
compiled, by the object it stands for. What the compiler cannot use becomes
an `object` node: an error, but only where the program would really use it.
"""

from __future__ import annotations

import base64
import builtins
import enum
import sys
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from pyk import _dtypes, types
from pyk._argument_types import (
    is_member,
    is_named_tuple,
    name_of_class,
    type_of_known,
)
from pyk._element_types import ELEMENT_TYPES
from pyk._frontend._folding import TOO_LONG
from pyk._functions import Compilable
from pyk._intrinsic import Intrinsic
from pyk._library import FUNCTIONS

Value = dict[str, Any]
AnyArray = np.ndarray[Any, Any]


class Unit(Protocol):
    """What collects all that a kernel reaches."""

    def function_id(self, function: Compilable) -> str:
        """The key of a function in the buffer."""

    def memory_of(self, value: object) -> AnyArray:
        """An array on a device, whose address will be in the buffer."""


DTYPES = frozenset(
    {
        *(
            dtype.name
            for dtype in _dtypes.NUMBERS.keys() | _dtypes.TIMES.keys()
        ),
        *(row.name for row in ELEMENT_TYPES),
        *_dtypes.OF_ML_DTYPES,
    }
)

#: NumPy's scalar classes, several of which may share one dtype name.
_CLASSES = {kind: np.dtype(kind).name for kind in _dtypes.CLASSES}

#: Modules whose functions the compiler knows by name.
_MODULES = {
    "builtins": "builtins",
    "math": "math",
    "cmath": "cmath",
    "operator": "operator",
    "_operator": "operator",
}

#: Classes and functions of the host that are in kernels what another is, or an
#: intrinsic, by module and name.
_SAME = {
    ("numba.misc.special", "prange"): "builtins.range",
    ("numba.parfors.parfor", "prange"): "builtins.range",
    ("pyk._numba._plain", "prange"): "builtins.range",
    ("numba.misc.special", "literal_unroll"): "numba.literal_unroll",
    ("numba.cuda.misc.special", "literal_unroll"): "numba.literal_unroll",
    ("pyk.cuda._unrolling", "literal_unroll"): "numba.literal_unroll",
    ("pyk.cuda._streams", "stream"): "cuda.stream",
}


#: Intrinsics that are a function of the library if their one argument is an
#: array.
OF_ONE = frozenset(["builtins.min", "builtins.max"])


def type_name(value: object) -> str:
    """The name of the type of `value`, for a message."""
    if isinstance(value, types.Type):
        return "type"
    kind = type(value)
    if kind.__module__ == "builtins":
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


def intrinsic_name(value: object) -> str | None:
    """The canonical name of a function or class of a known module."""
    name = getattr(value, "__name__", None)
    module = getattr(value, "__module__", None)
    if isinstance(value, np.ufunc):
        module = "numpy"
    if name == "from_buffer" and _is_of_cffi(getattr(value, "__self__", None)):
        return "cffi.from_buffer"
    if not isinstance(name, str) or not isinstance(module, str):
        return None
    # PyK's own functions are wrapped for the host.
    inner = getattr(getattr(value, "__wrapped__", None), "__module__", module)
    if (inner, name) in _SAME:
        return _SAME[inner, name]
    public = _MODULES.get(module)
    if public is None and module.partition(".")[0] == "numpy":
        public = module
    if public is None:
        return None
    if getattr(sys.modules.get(module, builtins), name, None) is not value:
        # numpy.sum lives in a private module but is public under this name.
        if public == module or getattr(np, name, None) is not value:
            return None
        public = "numpy"
    return f"{public}.{name}"


def _is_of_cffi(value: object) -> bool:
    """Whether `value` is what cffi programs call `ffi`."""
    return type(value).__module__ in ("cffi.api", "_cffi_backend")


def _dtype_name(dtype: np.dtype[Any]) -> str:
    """What the buffer has for a dtype; of records and text, their type."""
    if dtype.names is not None or dtype.kind in "SU":
        return _dtypes.element(dtype) or ""
    return str(dtype.name)


def _dtype(name: str, value: object) -> Value:
    if name.startswith("!"):
        return {"t": "dtype", "name": name}
    if name in DTYPES:
        return {"t": "dtype", "name": name}
    return _object(value)


def _object(value: object, note: str = "") -> Value:
    return {"t": "object", "type": type_name(value) + note}


def _text(value: str) -> Value:
    try:
        value.encode()
    except UnicodeEncodeError:
        # Half of a pair of surrogates is no character.
        return {"t": "object", "type": "str with a lone surrogate"}
    return {"t": "str", "v": value}


#: An int that the compiler cannot represent, as it says itself of others.
_LONG_INT = {"t": "object", "type": "int of more than 64 bits"}


def _integer(value: int) -> Value:
    try:
        return {"t": "int", "v": str(int(value))}
    except ValueError:
        # Python refuses to print numbers of many thousand digits.
        return _LONG_INT


def _parts(value: complex) -> Value:
    return {"re": value.real.hex(), "im": value.imag.hex()}


def _scalar(value: np.generic) -> Value:
    name = value.dtype.name
    kind = value.dtype.kind
    if name not in DTYPES:
        has_factor = _dtypes.plain_unit(value.dtype) is not None
        return _object(value, " of a unit with a factor" * has_factor)
    # The meaning of their bits is the compiler's.
    is_small = _dtypes.OF_ML_DTYPES.get(name, "").startswith("!py.")
    if kind in "mM" or is_small:
        stored = value.view(np.uint8 if is_small else np.int64)
        return {"t": "scalar", "dtype": name, "v": str(stored)}
    plain = value.item()
    if kind == "c":
        return {"t": "scalar", "dtype": name} | _parts(plain)
    text = plain
    if kind == "f" or name == "bfloat16":
        text = float(plain).hex()
    elif kind in "iu":
        text = str(plain)
    return {"t": "scalar", "dtype": name, "v": text}


def _array(given: AnyArray) -> Value:
    # A class of the program's own may tell something else of its memory.
    value = given.view(np.ndarray)
    name = _dtype_name(value.dtype)
    is_known = name in DTYPES or name.startswith("!")
    if not is_known or isinstance(given, np.ma.MaskedArray):
        return _object(given, f" of dtype {value.dtype}")
    if value.ndim > _dtypes.MAX_DIMENSIONS:
        return _object(given, f" of {value.ndim} dimensions")
    little = value.astype(value.dtype.newbyteorder("<"), copy=False)
    return {
        "t": "array",
        "dtype": name,
        "shape": list(value.shape),
        "data": base64.b64encode(little.tobytes("C")).decode("ascii"),
    }


def is_on_device(value: object) -> bool:
    """Whether kernels use the memory of `value` where it is."""
    # Classes of such arrays have the property, too.
    return not isinstance(value, type) and hasattr(
        value, "__cuda_array_interface__"
    )


def _device_array(value: object, unit: Unit) -> Value:
    """An array on a device: its memory, not what is in it now."""
    seen = unit.memory_of(value)
    try:
        type_text = type_of_known(seen)
    except ValueError:
        return _object(value, f" of dtype {seen.dtype}")
    return {
        "t": "device_array",
        "type": type_text,
        "address": str(seen.ctypes.data),
        "strides": list(seen.strides),
    }


def _member(value: enum.Enum, unit: Unit) -> Value:
    if not is_member(value) and not isinstance(value.value, (str, bytes)):
        return _object(value)
    return {
        "t": "enum",
        "name": name_of_class(type(value)),
        "value": encode(value.value, unit),
        "integer": isinstance(value, (int, str, bytes)),
    }


def _name_and_fields(kind: Any) -> Value:
    return {"name": name_of_class(kind), "fields": list(kind._fields)}


def _named_tuple_class(kind: Any, unit: Unit) -> Value:
    defaults = kind._field_defaults
    values = [
        encode(defaults[field], unit) if field in defaults else None
        for field in kind._fields
    ]
    result = {"t": "namedtuple_class", "defaults": values}
    return result | _name_and_fields(kind)


def encode(value: object, unit: Unit) -> Value:
    """The VALUE of an object; `unit` collects what it reaches."""
    if value is None:
        return {"t": "none"}
    if value is Ellipsis:
        return {"t": "ellipsis"}
    if isinstance(value, enum.Enum):
        return _member(value, unit)
    if isinstance(value, bool):
        return {"t": "bool", "v": value}
    if isinstance(value, Intrinsic) and value.name in FUNCTIONS:
        return {"t": "function", "id": unit.function_id(FUNCTIONS[value.name])}
    if isinstance(value, Intrinsic):
        return {"t": "intrinsic", "name": value.name}
    if isinstance(value, Compilable):
        return {"t": "function", "id": unit.function_id(value)}
    if isinstance(value, bytes):
        data = base64.b64encode(bytes(value)).decode("ascii")
        return {"t": "bytes", "v": data}
    if isinstance(value, str):
        return _text(str.__str__(value))
    if isinstance(value, np.void):
        return _array(np.asarray(value))
    if isinstance(value, np.generic):
        return _scalar(value)
    if isinstance(value, int):
        return _integer(value)
    if value is TOO_LONG:
        return _LONG_INT
    if isinstance(value, float):
        return {"t": "float", "v": float(value).hex()}
    if isinstance(value, complex):
        return {"t": "complex"} | _parts(value)
    if isinstance(value, tuple):
        items = [encode(item, unit) for item in value]
        if is_named_tuple(type(value)):
            named = {"t": "namedtuple", "items": items}
            return named | _name_and_fields(type(value))
        return {"t": "tuple", "items": items}
    if isinstance(value, type) and is_named_tuple(value):
        return _named_tuple_class(value, unit)
    if is_on_device(value):
        return _device_array(value, unit)
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, types.Scalar):
        return _dtype(value.name, value)
    if isinstance(value, (types.Record, types.CharSeq, types.Vector)):
        return _dtype(value.element, value)
    if isinstance(value, np.dtype):
        is_usable = value.isnative or value.names is not None
        return _dtype(_dtype_name(value) if is_usable else "", value)
    if isinstance(value, type) and value in _CLASSES:
        return _dtype(_CLASSES[value], value)
    if isinstance(value, type) and _dtypes.element_of_ml_dtypes(value):
        return _dtype(value.__name__, value)
    if isinstance(value, ModuleType):
        return {"t": "module", "name": value.__name__}
    name = intrinsic_name(value)
    if name in FUNCTIONS and name not in OF_ONE:
        return {"t": "function", "id": unit.function_id(FUNCTIONS[name])}
    if name is not None:
        return {"t": "intrinsic", "name": name}
    if callable(value) and _is_of_host_api(value):
        # Decorating it, as a user's own function, would be no remedy.
        return {"t": "object", "type": "function for the host"}
    return _object(value)


def _is_of_host_api(value: object) -> bool:
    module = getattr(value, "__module__", None)
    return (
        isinstance(module, str)
        and module.partition(".")[0] == "pyk"
        and not isinstance(value, types.Type)
    )


_ARRAY_ATTRIBUTES = frozenset(
    ["shape", "strides", "ndim", "size", "itemsize", "nbytes", "dtype", "T"]
)

_NUMBER_ATTRIBUTES = frozenset(["real", "imag", "conjugate"])


def has_fixed_attribute(value: object, attribute: str) -> bool:
    """Whether `value.attribute` is settled at compile time.

    It is for modules, classes (enumerations among them), enumeration members,
    named tuples and PyK's own objects, and for the shape of a captured array.
    """
    if isinstance(value, (ModuleType, type, types.Type)):
        return True
    if isinstance(value, Intrinsic):
        # Those of a position, which is a number, are the compiler's business.
        return attribute not in _NUMBER_ATTRIBUTES
    if isinstance(value, np.ndarray):
        return attribute in _ARRAY_ATTRIBUTES
    if _is_of_cffi(value):
        return attribute == "from_buffer"
    if isinstance(value, tuple):
        return attribute in getattr(value, "_fields", ())
    return isinstance(value, enum.Enum)
