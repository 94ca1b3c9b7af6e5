# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyK compiles and runs GPU kernels written in Python, on CPU and GPU.

>>> import numpy as np
>>> from pyk import cuda
>>> @cuda.jit
... def double(a):
...     i = cuda.grid(1)
...     if i < a.size:
...         a[i] *= 2
>>> a = np.arange(4.0)
>>> double[1, 32](a)
>>> a
array([0., 2., 4., 6.])
"""

import sys

try:
    import numpy as _numpy  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    _python = sys.executable or "python3"
    _message = (
        f"PyK needs NumPy, which {_python} does not have; install it by "
        f"'{_python} -m pip install numpy'"
    )
    # The command `python -m pyk`: Python looks for it before it is run.
    if sys.argv[:1] == ["-m"]:
        sys.exit(f"pyk-run: error: {_message}")
    raise ImportError(_message, name="numpy") from None

from pyk import _core, _missing, cuda, types
from pyk._errors import CompileError
from pyk._numba._alias import install_as_numba
from pyk.cuda._vectorize import guvectorize, vectorize

__version__ = _core.version()

__getattr__ = _missing.getter(
    __name__,
    elsewhere={
        "it is pyk.types.{}": types.NAMES,
        "it is pyk.cuda.{}": cuda.__all__,
    },
)

__all__ = [
    "CompileError",
    "__version__",
    "cuda",
    "guvectorize",
    "install_as_numba",
    "vectorize",
]
