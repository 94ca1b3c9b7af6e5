# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Numba that is installed, for functions that run on the host.

It is loaded when a program first calls one of them. Its modules have the names
under which programs see PyK's, so they stand there only while Numba itself
imports or compiles; what it has compiled needs no module.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

from pyk import types
from pyk._errors import NumbaPerformanceWarning, warn_once
from pyk._numba import _handed_on
from pyk.cuda import _pickling
from pyk.cuda._host_function import HostFunction

_lock = threading.RLock()
#: Numba's modules that have a name which one of PyK's has, too.
_theirs: dict[str, ModuleType] = {}
#: Whether the names stand for Numba's own modules now.
_is_theirs = False


def is_installed() -> bool:
    """Whether there is a Numba to be loaded."""
    with _handed_on.without_alias():
        spec = PathFinder.find_spec("numba")
    return spec is not None and spec.origin is not None


@contextlib.contextmanager
def _names() -> Iterator[None]:
    """While it lasts, `numba` means Numba to the import system."""
    global _is_theirs
    with _lock:
        if _is_theirs or not getattr(
            sys.modules.get("numba"), "__pyk__", False
        ):
            yield
            return
        ours = {
            name: module
            for name, module in sys.modules.items()
            if name.partition(".")[0] == "numba"
            and (name not in _theirs or _theirs[name] is not module)
            and _is_ours(module)
        }
        finders = [finder for finder in sys.meta_path if _is_ours(finder)]
        for name in ours:
            del sys.modules[name]
        sys.modules.update(_theirs)
        sys.meta_path[:] = [it for it in sys.meta_path if it not in finders]
        _is_theirs = True
        try:
            with _handed_on.without_alias():
                yield
        finally:
            _is_theirs = False
            for name, module in ours.items():
                if name in sys.modules:
                    _theirs[name] = sys.modules[name]
                sys.modules[name] = module
            sys.meta_path[:0] = finders


def _is_ours(value: Any) -> bool:
    module = value.__name__ if isinstance(value, ModuleType) else ""
    is_module = module.partition(".")[0] == "pyk" or getattr(
        value, "__pyk__", False
    )
    return bool(is_module) or type(value).__module__.startswith("pyk.")


@functools.cache
def _load() -> Any:
    """Numba, which then knows what PyK's objects are to it."""
    with _names():
        numba = importlib.import_module("numba")
        extending = importlib.import_module("numba.extending")
        dispatcher = importlib.import_module("numba.core.dispatcher")

    def type_of(value: Any, _: object) -> Any:
        if isinstance(value, HostDispatcher):
            return numba.types.Dispatcher(value.compiled)
        return numba.types.NumberClass(_type(numba, value))

    for kind in (HostDispatcher, types.Scalar):
        extending.typeof_impl.register(kind)(type_of)

    base = dispatcher.Dispatcher
    compile_for = base._compile_for_args

    def compile_with_names(self: Any, *args: Any, **keywords: Any) -> Any:
        with _names():
            return compile_for(self, *args, **keywords)

    base._compile_for_args = compile_with_names
    return numba


def _type(numba: Any, value: Any) -> Any:
    """Numba's type or signature for one of PyK's; others as they are."""
    convert = functools.partial(_type, numba)
    if isinstance(value, list):
        return [*map(convert, value)]
    if isinstance(value, tuple):
        return tuple(map(convert, value))
    if isinstance(value, types.Signature):
        args = map(convert, value.args)
        if value.return_type is None:
            return tuple(args)
        return convert(value.return_type)(*args)
    if isinstance(value, types.Array):
        dtype = convert(value.dtype)
        return numba.types.Array(dtype, value.ndim, value.layout)
    if isinstance(value, types.Tuple):
        return numba.types.Tuple(convert(value.types))
    if isinstance(value, types.Optional):
        return numba.types.Optional(convert(value.type))
    if isinstance(value, types.Element):
        return numba.from_dtype(value.dtype)
    return numba.types.none if value == types.void else value


def prange() -> Any:
    """What `numba.prange` is: its compiler has to recognize its own."""
    return _load().prange if is_installed() else range


class HostDispatcher(HostFunction):
    """A function that a program decorated with `numba.jit` or `numba.njit`.

    Kernels can call it. On the host Numba runs it, where that is installed.
    """

    def __init__(
        self,
        py_func: Callable[..., Any],
        decorator: str,
        args: tuple[object, ...],
        options: dict[str, object],
    ) -> None:
        super().__init__(py_func)
        self._how = decorator, args, options
        self._compiled: Any = None

    @property
    def compiled(self) -> Any:
        """What runs on the host."""
        if self._compiled is None:
            self._compiled = self._compile(*self._how)
        return self._compiled

    def _compile(
        self,
        decorator: str,
        args: tuple[object, ...],
        options: dict[str, object],
    ) -> Any:
        if is_installed():
            numba = _load()
            with _names():
                own = [_type(numba, arg) for arg in args]
                return getattr(numba, decorator)(*own, **options)(self.py_func)
        warn_once(
            "host",
            f"'{self.py_func.__name__}' of numba.{decorator} runs on the host "
            "as plain Python, which is slow: Numba is not installed",
            NumbaPerformanceWarning,
        )
        return self.py_func

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _pickling.reduce(self, HostDispatcher, *self._how)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.compiled(*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        # What Numba's own have, such as `signatures`.
        if name.startswith("_") or not is_installed():
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}'"
            )
        return getattr(self.compiled, name)
