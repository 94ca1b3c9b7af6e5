# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of built-in functions: Python's own, casts, those of `math` and `cuda`.

`call_type` answers by table; None means that no overload takes the arguments.
Calls of device functions are inferred, in module.py.
"""

import ast
import math

import numpy as np

from .conversions import least, select
from .indexing import index_array
from .objects import as_tuple
from .operators import binary_type
from .recorded import builtin_type, is_numpy, numpy_type, recorded
from .types import (
    COMPLEXES,
    FLOATS,
    INTEGERS,
    PARTS,
    REALS,
    SCALARS,
    Array,
    Iterator,
    Known,
    Literal,
    Tuple,
    dtype_type,
    number,
    plain,
)
from .unification import unify_all

_UNARY_HALF = "sqrt sin cos exp log log2 log10 floor ceil trunc fabs tanh"
_UNARY_WIDE = (
    "tan asin acos atan sinh cosh asinh acosh atanh log1p expm1 erf erfc "
    "gamma lgamma radians degrees"
)
HALF = {getattr(math, name) for name in _UNARY_HALF.split()}
SINGLE = {getattr(math, name) for name in _UNARY_WIDE.split()}
TESTS = {math.isnan, math.isinf, math.isfinite}
# Overloads by argument types; the result is the first argument's type.
BINARY_MATH = {
    math.atan2: [(i, i) for i in ("int64", "uint64")]
    + [(f, f) for f in FLOATS[1:]],
    math.hypot: [(i, i) for i in ("int64", "uint64")]
    + [(f, f) for f in FLOATS[1:]],
    math.fmod: [(f, f) for f in FLOATS[1:]],
    math.copysign: [(f, f) for f in FLOATS[1:]],
    math.pow: [(f, f) for f in FLOATS[1:]] + [(f, "int32") for f in FLOATS[1:]],
}
RANGES = [(t,) * n for t in ("int32", "int64", "uint64") for n in (1, 2, 3)]
CASTS = {getattr(np, name): name for name in [*REALS, *COMPLEXES]}
CASTS |= {np.bool_: "bool"}
ITERATIONS = {enumerate, zip, np.ndindex, np.ndenumerate}


class CudaName:
    """Stands for `numba.cuda` and what hangs below it."""

    def __init__(self, path):
        self.path = path

    def __eq__(self, other):
        return isinstance(other, CudaName) and self.path == other.path

    def __hash__(self):
        return hash(self.path)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return CudaName(f"{self.path}.{name}")

    @staticmethod
    def jit(function=None, **_):
        """Marks a device function."""
        return DeviceFunction(function) if function else DeviceFunction


class DeviceFunction:
    """What `@cuda.jit` leaves behind."""

    def __init__(self, function):
        self.function = function


CUDA_VALUES = {
    f"cuda.{n}.{a}": "int32"
    for n in ("threadIdx", "blockIdx", "blockDim", "gridDim")
    for a in "xyz"
}
CUDA_VALUES |= {"cuda.laneid": "int32", "cuda.warpsize": "int32"}


def call_type(function, arguments):
    """The type of a call of a built-in function; None when nothing fits."""
    kinds = [as_tuple(plain(kind)) for kind in arguments]
    bare = [number(kind) for kind in kinds]
    scalars = all(isinstance(kind, str) and kind in SCALARS for kind in bare)
    count = len(kinds)
    if isinstance(function, CudaName):
        return cuda_call_type(function.path, arguments)
    if function is len and count == 1:
        return "int64" if isinstance(kinds[0], (Array, Tuple)) else None
    if function is range and scalars and 1 <= count <= 3:
        return Iterator(select(RANGES, bare)[0])
    if function is bool and count == 1:
        return "bool"
    if function in ITERATIONS:
        return iterator_type(function, kinds)
    if is_numpy(function):
        return numpy_type(function, kinds)
    if function in (divmod, sum) or (kinds and isinstance(kinds[0], Array)):
        return builtin_type(function, kinds)
    if function is isinstance and count == 2:
        return "bool"
    if function in (min, max) and count == 1 and isinstance(kinds[0], Tuple):
        return call_type(function, kinds[0].items)
    if not scalars or not count:
        return None
    first = bare[0]
    if any(kind in COMPLEXES for kind in bare):
        return complex_call_type(function, bare)
    if function is complex:
        if count > 2:
            return None
        return "complex64" if set(bare) == {"float32"} else "complex128"
    if count == 1:
        if function in CASTS:
            return CASTS[function]
        if function is abs:
            return "int8" if first == "bool" else first
        if function is int:
            return first if first in INTEGERS else "int64"
        if function is float:
            return (
                first
                if first in FLOATS
                else "float64"
                if first in INTEGERS
                else None
            )
        if function is round:
            return "int64"
        if function in TESTS:
            return "bool"
        if function in HALF:
            return first if first in FLOATS else "float64"
        if function in SINGLE:
            return least(FLOATS[1:], first) if first in FLOATS else "float64"
        return None
    if function in (min, max):
        if "bool" in bare and set(bare) != {"bool"}:
            return None
        return unify_all(bare)
    if function is round and count == 2:
        return least(FLOATS[1:], first) if bare[1] in INTEGERS else None
    if function is pow and count == 2:
        return binary_type(ast.Pow, *bare)
    if function in BINARY_MATH and count == 2:
        found = select(BINARY_MATH[function], bare)
        return found and ("float64" if found[0] in INTEGERS else found[0])
    return None


def iterator_type(function, kinds):
    """What a loop over a call walks; None if nothing fits."""
    if function is np.ndindex:
        if not set(kinds) <= set(INTEGERS):
            return None
        return Iterator(Tuple(("int64",) * len(kinds)))
    if not all(isinstance(kind, Array) for kind in kinds[:1]):
        return None
    if function is np.ndenumerate:
        indices = Tuple(("int64",) * kinds[0].rank)
        return Iterator(Tuple((indices, kinds[0].dtype)))
    if function is enumerate:
        return Iterator(Tuple(("int64", index_array(kinds[0], "int64"))))
    return Iterator(Tuple(tuple(index_array(k, "int64") for k in kinds)))


def complex_call_type(function, kinds):
    """The few functions that take a complex number."""
    if function is pow and len(kinds) == 2:
        return binary_type(ast.Pow, *kinds)
    if len(kinds) > 1:
        return None
    if function is abs:
        return PARTS[kinds[0]]
    if function is complex:
        return "complex128"
    return CASTS[function] if CASTS.get(function) in COMPLEXES else None


def method_type(owner, name):
    """The type of a method that takes nothing, or None."""
    if isinstance(owner, Array):
        return recorded(f"x.{name}()", owner)
    number = owner in SCALARS and owner != "bool"
    return owner if number and name == "conjugate" else None


#: What threads tell each other, by how many arguments a call has.
TOLD = {
    **dict.fromkeys(
        (f"cuda.syncthreads_{vote}" for vote in ("count", "and", "or")),
        (1, "int32"),
    ),
    **dict.fromkeys(
        (f"cuda.{vote}_sync" for vote in ("all", "any", "eq")), (2, "bool")
    ),
    "cuda.ballot_sync": (2, "int32"),
    "cuda.match_any_sync": (2, "int32"),
    "cuda.match_all_sync": (2, Tuple(("int32", "bool"))),
}


def cuda_call_type(path, arguments):
    """The few functions of `cuda` that the model knows."""
    if path in TOLD and len(arguments) == TOLD[path][0]:
        return TOLD[path][1]
    if path.startswith("cuda.shfl_") and len(arguments) in (3, 4):
        return plain(arguments[1])
    if path in ("cuda.grid", "cuda.gridsize") and len(arguments) == 1:
        rank = arguments[0].value if isinstance(arguments[0], Literal) else None
        if type(rank) is not int or rank not in (1, 2, 3):
            return None
        return "int64" if rank == 1 else Tuple(("int64",) * rank)
    if path == "cuda.fma" and len(arguments) == 3:
        kinds = [plain(kind) for kind in arguments]
        return select([("float32",) * 3, ("float64",) * 3], kinds)[0]
    if (
        path in ("cuda.local.array", "cuda.shared.array")
        and len(arguments) == 2
    ):
        shape, dtype = arguments
        shape = shape.items if isinstance(shape, Tuple) else (shape,)
        dtype = dtype.object if isinstance(dtype, Known) else None
        kind = CASTS.get(dtype)
        if isinstance(dtype, np.dtype):
            kind = dtype_type(dtype)
        if kind and all(isinstance(n, Literal) for n in shape):
            return Array(kind, len(shape), "C")
        return None
    if path.startswith("cuda.atomic.") and len(arguments) in (3, 4):
        array = plain(arguments[0])
        if not isinstance(array, Array):
            return None
        one = index_array(array, arguments[1]) == array.dtype
        return array.dtype if one else None
    return "none" if path == "cuda.syncthreads" and not arguments else None
