# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA's vectors of numbers, by Numba's names and by those of CUDA C++.

>>> import numpy as np
>>> from pyk import cuda
>>> @cuda.jit
... def k(out):
...     v = cuda.float4(cuda.float32x2(1, 2), 3, 4)
...     out[0] = (2 * v + v).w
>>> out = np.zeros(1, np.float32)
>>> k[1, 1](out)
>>> out
array([12.], dtype=float32)
"""

from pyk import types

_BASES = (
    *(types.int8, types.int16, types.int32, types.int64),
    *(types.uint8, types.uint16, types.uint32, types.uint64),
    *(types.float32, types.float64),
)

#: What CUDA C++ calls the bases, on 64-bit Linux.
_IN_C = {
    "int8": ("char",),
    "int16": ("short",),
    "int32": ("int",),
    "int64": ("long", "longlong"),
    "uint8": ("uchar",),
    "uint16": ("ushort",),
    "uint32": ("uint",),
    "uint64": ("ulong", "ulonglong"),
    "float32": ("float",),
    "float64": ("double",),
}

#: The types by Numba's names.
vector_types = {
    f"{base.name}x{length}": types.Vector(
        base, length, tuple(f"{name}{length}" for name in _IN_C[base.name])
    )
    for base in _BASES
    for length in (1, 2, 3, 4)
}

_BY_ALIAS = {
    alias: vector
    for vector in vector_types.values()
    for alias in vector.aliases
}

globals().update(vector_types | _BY_ALIAS)

__all__ = [*vector_types, *_BY_ALIAS]
