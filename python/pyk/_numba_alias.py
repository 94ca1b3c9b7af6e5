# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyK under the name `numba`, so that existing programs run unchanged.

Only what a CUDA program imports is there: the CUDA package, types, errors,
configuration, and `jit`/`njit` for helper functions, which on the host run
as the ordinary Python they are. Any other name is missing, as an honest
ImportError or AttributeError.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from pyk import _errors, cuda, types
from pyk._functions import HostFunction
from pyk.cuda import errors

#: The release of Numba whose interface this is. Programs compare it.
NUMBA_VERSION = "0.61.0"

_TYPE_NAMES = (
    *("boolean", "bool_", "b1", "void", "none"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"),
    *("uint64", "intp", "uintp", "intc", "uintc", "int_", "uint"),
    *("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"),
    *("c8", "c16", "char", "uchar", "short", "ushort", "long_", "ulong"),
    *("longlong", "ulonglong", "float16", "float32", "float64", "float_"),
    *("double", "complex64", "complex128"),
)


def jit(
    func_or_sig: object = None, *args: object, **options: object
) -> HostFunction | Callable[[Callable[..., Any]], HostFunction]:
    """Numba's `jit` and `njit`: a function for the host and for kernels."""
    if callable(func_or_sig) and not isinstance(func_or_sig, types.Type):
        return HostFunction(func_or_sig)
    return HostFunction


def _module(name: str, doc: str, contents: dict[str, Any]) -> ModuleType:
    module = ModuleType(name, doc)
    module.__dict__.update(contents)
    module.__dict__["__pyk__"] = True
    # importlib.util.find_spec("numba") looks at this.
    module.__spec__ = ModuleSpec(name, None, is_package=True)
    module.__dict__["__path__"] = []
    sys.modules[name] = module
    return module


class _Finder(importlib.abc.MetaPathFinder):
    """Searches for a part of `numba` that PyK does not have.

    It does what Python would, but for the finder that an installed numba-cuda
    adds, which fails where `numba` is not a package of files.
    """

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if not name.startswith("numba."):
            return None
        for finder in sys.meta_path:
            if finder is not self:
                with contextlib.suppress(AttributeError):
                    found = finder.find_spec(name, path, target)
                    if found is not None:
                        return found
        raise ModuleNotFoundError(
            f"PyK, in the place of numba, has no module '{name}'", name=name
        )


def install_as_numba() -> None:
    """Makes `import numba` and all its parts that PyK has mean PyK.

    Has to come before anything imports the real Numba; calling it again does
    nothing.

    >>> import pyk
    >>> pyk.install_as_numba()
    >>> from numba import cuda, float32
    >>> cuda is pyk.cuda
    True
    """
    present = sys.modules.get("numba")
    if present is not None:
        if getattr(present, "__pyk__", False):
            return
        raise RuntimeError(
            "cannot install PyK as numba: the real numba is already imported "
            f"from {getattr(present, '__file__', '?')}"
        )
    type_names = {name: getattr(types, name) for name in _TYPE_NAMES}
    config = _module(
        "numba.core.config",
        "Settings that programs read or write; none has an effect.",
        {
            "CUDA_LOW_OCCUPANCY_WARNINGS": 0,
            "CUDA_WARN_ON_IMPLICIT_COPY": 0,
            "DISABLE_JIT": 0,
            "ENABLE_CUDASIM": 0,
        },
    )
    core = _module(
        "numba.core",
        "Parts of Numba that programs import by their old place.",
        {"config": config, "errors": errors, "types": types},
    )
    _module(
        "numba",
        "PyK in the place of Numba.",
        {
            "__version__": NUMBA_VERSION,
            "config": config,
            "core": core,
            "cuda": cuda,
            "errors": errors,
            "from_dtype": types.from_dtype,
            "jit": jit,
            "njit": jit,
            "prange": range,
            "types": types,
            **type_names,
            **{
                name: getattr(_errors, name)
                for name in (
                    "NumbaDeprecationWarning",
                    "NumbaPendingDeprecationWarning",
                    "NumbaPerformanceWarning",
                    "NumbaWarning",
                )
            },
        },
    )
    sys.modules["numba.cuda"] = cuda
    sys.modules["numba.types"] = types
    sys.modules["numba.cuda.types"] = types
    sys.modules["numba.core.types"] = types
    sys.modules["numba.cuda.bf16"] = cuda.bf16
    sys.modules["numba.cuda.random"] = cuda.random
    drivers = cuda.cudadrv
    sys.modules["numba.cuda.cudadrv"] = drivers
    sys.modules["numba.cuda.cudadrv.devicearray"] = drivers.devicearray
    sys.modules["numba.cuda.cudadrv.devices"] = drivers.devices
    sys.modules["numba.cuda.cudadrv.driver"] = drivers.driver
    sys.modules["numba.cuda.cudadrv.error"] = drivers.error
    for name in ("numba.errors", "numba.core.errors", "numba.cuda.errors"):
        sys.modules[name] = errors
    sys.meta_path.insert(0, _Finder())
