# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that run on the host: by the Numba that is installed, if one is.

It is loaded when a program first calls one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyk import _missing
from pyk._boundary import public
from pyk._numba import _genuine, _plain
from pyk._numba._meaning import to_numba
from pyk.cuda import _pickling
from pyk.cuda._host_function import HostFunction
from pyk.cuda._vectorize import make_generalized, plain_function

#: What functions of Numba's `jit` have, for the error without it.
_OF_DISPATCHERS = frozenset(
    [
        "disable_compile",
        "get_annotation_info",
        "get_call_template",
        "get_compile_result",
        "get_function_type",
        "get_metadata",
        "get_overload",
        "inspect_asm",
        "inspect_cfg",
        "inspect_disasm_cfg",
        "inspect_llvm",
        "inspect_types",
        "is_compiling",
        "nopython_signatures",
        "overloads",
        "parallel_diagnostics",
        "recompile",
        "signatures",
        "stats",
        "targetoptions",
        "typeof_pyval",
    ]
)


@public
def guvectorize(*args: Any, target: str = "cpu", **options: Any) -> Any:
    """Numba's `guvectorize`: by Numba itself, except for `target="cuda"`."""
    if target == "cuda":
        return make_generalized(args, target, options)
    if not _genuine.is_installed():
        return make_generalized(args, target, options, _plain.PlainGUFunc)
    decorate = _genuine.load().guvectorize(
        *map(to_numba, args), target=target, **options
    )
    return lambda function: decorate(plain_function("guvectorize", function))


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
        if _genuine.is_installed():
            compiler = getattr(_genuine.load(), decorator)
            return compiler(*map(to_numba, args), **options)(self.py_func)
        _plain.warn(
            "host",
            f"'{self.py_func.__name__}' of numba.{decorator} runs on the host "
            "as plain Python, which is slow",
        )
        return self.py_func

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _pickling.reduce(self, HostDispatcher, *self._how)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.compiled(*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        # What Numba's own have, such as `signatures`.
        if name.startswith("_") or not _genuine.is_installed():
            kind = type(self).__name__
            message = f"'{kind}' object has no attribute '{name}'"
            if name in _OF_DISPATCHERS:
                message = f"'{kind}.{name}' is {_missing.OF_THE_HOST}"
            raise AttributeError(message, name=name, obj=self)
        return getattr(self.compiled, name)
