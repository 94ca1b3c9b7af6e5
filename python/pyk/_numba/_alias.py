# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyK under the name `numba`, so that existing programs run unchanged.

The CUDA package, types, errors, configuration and the decorators are PyK's; any
other name is asked of an installed Numba, which also runs functions on the
host. Without one such a name is missing, as an honest ImportError or
AttributeError, or means plain Python.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np

from pyk import _errors, _missing, cuda, types
from pyk._numba import _genuine, _handed_on, _plain
from pyk._numba._host import HostDispatcher, guvectorize
from pyk._numba._meaning import for_extensions
from pyk._typeof import typeof
from pyk.cuda import errors
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._host_function import HostFunction
from pyk.cuda._vectorize import vectorize

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


_COMPILING = (
    *("compile", "compile_all", "compile_for_current_device"),
    *("compile_ptx", "compile_ptx_for_current_device"),
)


def _decorator(name: str) -> Callable[..., Any]:
    def jit(
        func_or_sig: object = None, *args: object, **options: object
    ) -> HostFunction | Callable[[Callable[..., Any]], HostFunction]:
        if isinstance(func_or_sig, HostFunction):
            func_or_sig = func_or_sig.py_func
        if isinstance(func_or_sig, FunctionType):
            return HostDispatcher(func_or_sig, name, args, options)
        given = () if func_or_sig is None else (func_or_sig, *args)
        return lambda function: HostDispatcher(function, name, given, options)

    jit.__name__ = name
    jit.__doc__ = f"Numba's `{name}`: a function for the host and for kernels."
    return jit


jit, njit = _decorator("jit"), _decorator("njit")


def _typeof(value: object) -> Any:
    """The type of a value, as an object: Numba's where PyK has none."""
    try:
        return typeof(value)
    except (NotImplementedError, TypeError, ValueError):
        if not _genuine.is_installed():
            raise
    return _genuine.load().typeof(value)


def register_jitable(*args: Any, **options: object) -> Callable[..., Any]:
    """A function that others that are compiled may call."""
    if args:
        return HostFunction(args[0])
    return HostFunction


class _Refused:
    """What would change Numba's compiler; there is none to be changed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *args: object, **options: object) -> NoReturn:
        raise NotImplementedError(
            f"{self._name} extends Numba's compiler, which PyK does not have "
            "and which is not installed; kernels call functions that are "
            "decorated with cuda.jit(device=True)"
        )

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self()


#: What programs import to extend Numba's compiler.
_EXTENDING = (
    *("NativeValue", "as_numba_type", "box", "infer", "infer_getattr"),
    *("intrinsic", "lower_builtin", "lower_cast", "lower_getattr"),
    *("lower_getattr_generic", "lower_setattr", "make_attribute_wrapper"),
    *("models", "overload", "overload_attribute", "overload_classmethod"),
    *("overload_method", "reflect", "register_model", "type_callable"),
    *("typeof_impl", "unbox"),
)

#: Numba's settings that programs read or write.
_SETTINGS = {
    "ALWAYS_WARN_UNINIT_VAR": 0,
    "BOUNDSCHECK": None,
    "CACHE_DIR": "",
    "CAPTURED_ERRORS": "new_style",
    "COLOR_SCHEME": "no_color",
    "CUDA_ARRAY_INTERFACE_SYNC": 1,
    "CUDA_DEBUGINFO_DEFAULT": 0,
    "CUDA_DEBUG_POLY": 0,
    "CUDA_DEFAULT_PTX_CC": (7, 5),
    "CUDA_ENABLE_NRT": 0,
    "CUDA_ENABLE_PYNVJITLINK": 0,
    "CUDA_LOG_LEVEL": "",
    "CUDA_LOW_OCCUPANCY_WARNINGS": 0,
    "CUDA_NRT_STATS": 0,
    "CUDA_PER_THREAD_DEFAULT_STREAM": 0,
    "CUDA_USE_NVIDIA_BINDING": 1,
    "CUDA_WARN_ON_IMPLICIT_COPY": 0,
    "DEBUG": 0,
    "DEBUGINFO_DEFAULT": 0,
    "DEVELOPER_MODE": 0,
    "DISABLE_CUDA": 0,
    "DISABLE_JIT": 0,
    "DISABLE_PERFORMANCE_WARNINGS": 0,
    "DUMP_ASSEMBLY": 0,
    "DUMP_BYTECODE": 0,
    "DUMP_CFG": 0,
    "DUMP_IR": 0,
    "DUMP_LLVM": 0,
    "ENABLE_CUDASIM": 0,
    "FULL_TRACEBACKS": 0,
    "IS_WIN32": sys.platform.startswith("win32"),
    "LOOP_VECTORIZE": 1,
    "NUMBA_DEFAULT_NUM_THREADS": os.cpu_count() or 1,
    "NUMBA_NUM_THREADS": os.cpu_count() or 1,
    "OPT": 3,
    "SLP_VECTORIZE": 0,
    "THREADING_LAYER": "default",
    "WARNINGS": 0,
}


def import_as_numba(name: str) -> ModuleType:
    """Imports what is PyK under Numba's name, as pickled functions do."""
    install_as_numba()
    return importlib.import_module(name)


class _Settings(ModuleType):
    """The module of settings, which forwards assignments to Numba."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name.isupper():
            _plain.settings[name] = value
            if _genuine.is_loaded():
                setattr(_genuine.load("numba.core.config"), name, value)


def _of_numba(module: str) -> Callable[[str], Any]:
    """What an installed Numba has in a module that is PyK's to programs."""

    def get(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if _genuine.is_installed():
            found = _genuine.lookup(module, name)
            is_extending = module == "numba.extending"
            return for_extensions(found) if is_extending else found
        if module == "numba.extending" and name in _EXTENDING:
            return _Refused(f"{module}.{name}")
        if module == "numba" and name in _plain.OF_NUMBA:
            return _plain.OF_NUMBA[name]
        raise AttributeError(name)

    return get


def _module(
    name: str,
    doc: str,
    contents: dict[str, Any],
    kind: type[ModuleType] = ModuleType,
) -> ModuleType:
    module = kind(name, doc)
    module.__dict__.update(contents)
    module.__dict__["__pyk__"] = True
    module.__dict__["__pyk_import__"] = import_as_numba
    of_numba = None if name.startswith("numba.cuda") else _of_numba(name)
    module.__dict__["__getattr__"] = _missing.getter(name, of_numba)
    # importlib.util.find_spec("numba") looks at this.
    module.__spec__ = ModuleSpec(name, None, is_package=True)
    module.__dict__["__path__"] = []
    sys.modules[name] = module
    return module


class _PlainLoader(importlib.abc.Loader):
    """Makes a module of what stands for Numba's host without Numba."""

    def create_module(self, spec: ModuleSpec) -> None:
        pass

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        module.__dict__.update(_plain.MODULES[name])
        module.__dict__["__getattr__"] = _missing.getter(name)


def _spec_outside_of_kernels(name: str) -> ModuleSpec | None:
    """How a module for the host is imported."""
    if name == "numba.cuda" or name.startswith("numba.cuda."):
        return None
    if not _genuine.is_installed() and name in _plain.MODULES:
        return ModuleSpec(name, _PlainLoader(), is_package=True)
    return _genuine.spec_for_program(name)


class _Finder(importlib.abc.MetaPathFinder):
    """Searches for a part of `numba` that PyK does not have.

    It does what Python would, but skips the finder that an installed numba-cuda
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
        found = _spec_outside_of_kernels(name)
        if found is not None:
            return found
        for finder in sys.meta_path:
            if finder is not self:
                with contextlib.suppress(AttributeError):
                    found = finder.find_spec(name, path, target)
                    if found is not None:
                        return found
        message = f"PyK, in the place of numba, has no module '{name}'"
        package, _, last = name.rpartition(".")
        owner = package.rpartition(".")[2]
        why = _missing.reason(owner, last)
        if why is not None:
            message = f"'{owner}.{last}' is {why}"
        raise ModuleNotFoundError(message, name=name)


def install_as_numba() -> None:
    """Makes `import numba` and all its parts that PyK has mean PyK.

    So it does in processes that `multiprocessing` starts from then on. Has to
    come before anything imports the real Numba; calling it again does nothing.

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
        "Settings that programs read or write; those of the host have an "
        "effect if Numba is installed.",
        _SETTINGS,
        _Settings,
    )
    extending = _module(
        "numba.extending",
        "What extends Numba's compiler: an error when it is used.",
        {"register_jitable": register_jitable},
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
            "extending": extending,
            "from_dtype": types.from_dtype,
            "jit": jit,
            "literal_unroll": cuda.literal_unroll,
            "njit": njit,
            "pndindex": np.ndindex,
            "prange": _plain.prange,
            "typeof": _typeof,
            "types": types,
            "guvectorize": guvectorize,
            "vectorize": vectorize,
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
    sys.modules["numba.cuda.extending"] = extending
    sys.modules["numba.core.extending"] = extending
    dispatcher = _module(
        "numba.cuda.dispatcher",
        "The class of kernels, under its old place.",
        {"CUDADispatcher": Dispatcher, "Dispatcher": Dispatcher},
    )
    cuda.__dict__.setdefault("dispatcher", dispatcher)
    _module(
        "numba.cuda.compiler",
        "What compiles to PTX, under its old place.",
        {name: getattr(cuda, name) for name in _COMPILING},
    )
    _module(
        "numba.cuda.cg",
        "Groups of threads.",
        {"this_grid": cuda.cg.this_grid},
    )
    special = _module(
        "numba.cuda.misc.special",
        "What loops of kernels run over, under its old place.",
        {"literal_unroll": cuda.literal_unroll, "prange": _plain.prange},
    )
    _module(
        "numba.cuda.misc",
        "Parts of Numba that programs import by their old place.",
        {"special": special},
    )
    sys.modules["numba.types"] = types
    sys.modules["numba.cuda.types"] = types
    sys.modules["numba.core.types"] = types
    sys.modules["numba.cuda.bf16"] = cuda.bf16
    sys.modules["numba.cuda.fp16"] = cuda.fp16
    sys.modules["numba.cuda.fp8"] = cuda.fp8
    # Numba has no other place for what programs need of it.
    internal = _module("numba.cuda._internal", "What CUDA's headers have.", {})
    internal.__dict__["cuda_fp8"] = cuda.fp8
    sys.modules["numba.cuda._internal.cuda_fp8"] = cuda.fp8
    sys.modules["numba.cuda.random"] = cuda.random
    sys.modules["numba.cuda.libdevice"] = cuda.libdevice
    sys.modules["numba.cuda.vector_types"] = cuda.vector_types
    drivers = cuda.cudadrv
    sys.modules["numba.cuda.cudadrv"] = drivers
    sys.modules["numba.cuda.cudadrv.devicearray"] = drivers.devicearray
    sys.modules["numba.cuda.cudadrv.devices"] = drivers.devices
    sys.modules["numba.cuda.cudadrv.driver"] = drivers.driver
    sys.modules["numba.cuda.cudadrv.error"] = drivers.error
    for name in ("numba.errors", "numba.core.errors", "numba.cuda.errors"):
        sys.modules[name] = errors
    for module, name in (
        (types, "numba.core.types"),
        (errors, "numba.core.errors"),
    ):
        module.__dict__["__getattr__"] = _missing.getter(
            module.__name__, _of_numba(name)
        )
    # Modules of Numba's types, such as numba.core.types.containers, are found.
    types.__dict__["__path__"] = []
    sys.meta_path.insert(0, _Finder())
    _handed_on.put_alias_on_path()
