# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of libdevice, NVIDIA's library of math functions, for kernels.

Their names are those of CUDA's without `__nv_`. What a function writes through
pointers, it yields here, after what it returns.

>>> import numpy as np
>>> from pyk import cuda
>>> from pyk.cuda import libdevice
>>> @cuda.jit
... def k(out):
...     out[0] = libdevice.fadd_ru(1, 1e-9)
...     out[1], exponent = libdevice.frexpf(6)
...     out[2] = exponent
>>> out = np.zeros(3, dtype=np.float32)
>>> k[1, 1](out)
>>> out
array([1.0000001, 0.75     , 3.       ], dtype=float32)
"""

from pyk import _core
from pyk._intrinsic import Intrinsic

#: Each function's type: a letter for the result, `v` for none, and for each
#: parameter. `h`, `i` and `l` are ints of 16, 32 and 64 bits, `f` and `d`
#: floats; a capital is a pointer, to what the function writes.
_TYPES = dict(_core.libdevice_functions())

globals().update({name: Intrinsic(f"cuda.libdevice.{name}") for name in _TYPES})

__all__ = list(_TYPES)
