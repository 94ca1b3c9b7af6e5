# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numba's host, as plain Python: what programs get where Numba is missing.

Functions that would be compiled for the host run as the Python that they are,
and so do classes and containers. Each kind warns once. What has no meaning in
Python is missing, and the error says why.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pyk import types
from pyk._errors import (
    CompileError,
    NumbaPerformanceWarning,
    NumbaWarning,
    warn_once,
)
from pyk.cuda._gufuncs import GUFunc
from pyk.cuda._loops import Loop

#: What the program has set of Numba's settings.
settings: dict[str, object] = {}


def prange(*bounds: Any) -> range:
    """`range`, whose iterations Numba may run side by side."""
    return range(*bounds)


def warn(topic: str, what: str, place: tuple[str, int] | None = None) -> None:
    """Says once that something is plain Python, at `place` or at the call."""
    warn_once(
        topic,
        f"{what}: Numba is not installed",
        NumbaPerformanceWarning,
        place,
    )


class _ObjectMode:
    """Python inside of a compiled function, which is Python already."""

    def __call__(self, *args: object, **types: object) -> Any:
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass


def jitclass(cls_or_spec: Any = None, spec: object = None) -> Any:
    """Numba's decorator of classes: the class itself."""

    def decorate(cls: type) -> type:
        warn(
            "jitclass",
            f"class '{cls.__name__}' of numba.experimental.jitclass is plain "
            "Python, which is slow",
        )
        return cls

    if isinstance(cls_or_spec, type):
        return decorate(cls_or_spec)
    return decorate


def _warn_of_containers() -> None:
    warn(
        "typed",
        "containers of numba.typed are those of Python, which are slow",
    )


class List(list[Any]):
    """A list of elements of one type, which nobody checks."""

    def __init__(self, *args: Any, **options: object) -> None:
        _warn_of_containers()
        super().__init__(*args)

    @classmethod
    def empty_list(cls, item_type: object, allocated: int = 0) -> List:
        """One without elements."""
        return cls()


class Dict(dict[Any, Any]):
    """A dictionary of keys and values of one type each."""

    def __init__(self, *args: Any, **options: object) -> None:
        _warn_of_containers()
        super().__init__(*args)

    @classmethod
    def empty(
        cls, key_type: object, value_type: object, n_keys: int = 0
    ) -> Dict:
        """One without entries."""
        return cls()


class PlainGUFunc(GUFunc):
    """A function of arrays on the host, plain Python where it is no kernel."""

    def _compiled(self, args: tuple[types.Type, ...]) -> Any:
        try:
            return super()._compiled(args)
        except CompileError as error:
            code = self.py_func.__code__
            warn(
                f"gufunc {code}",
                f"'{self.__name__}' of numba.guvectorize runs on the host as "
                "plain Python, which is slow, as it cannot be a kernel "
                f"({error.message.splitlines()[0]})",
                (code.co_filename, code.co_firstlineno),
            )
            return self.py_func

    def _launch(
        self,
        loop: Loop,
        arrays: list[Any],
        shape: tuple[int, ...],
        *rest: Any,
    ) -> None:
        op: object = loop.op
        if op is not self.py_func:
            super()._launch(loop, arrays, shape, *rest)
            return
        cores = [*self._cores, *self._output_cores]
        whole = []
        for array, core, is_one in zip(
            arrays, cores, loop.is_number, strict=True
        ):
            if not core and not is_one:
                array, core = array[..., None], ("",)
            own = array.shape[array.ndim - len(core) :]
            whole.append(np.broadcast_to(array, shape + own, subok=True))
        for array, given in zip(whole, arrays, strict=True):
            array.flags.writeable = given.flags.writeable
        for index in np.ndindex(*shape):
            self.py_func(*(array[index] for array in whole))


def get_num_threads() -> int:
    """How many threads run a function of the host."""
    return 1


def set_num_threads(n: int) -> None:
    """Plain Python has one thread."""
    if not isinstance(n, int) or n < 1:
        raise ValueError(
            f"set_num_threads expects a count from 1 but got {n!r}"
        )
    if n > 1:
        warn_once(
            "threads",
            f"set_num_threads({n}) has no effect, functions of the host run "
            "as plain Python in one thread: Numba is not installed",
            NumbaWarning,
        )


#: Of module `numba`.
OF_NUMBA: dict[str, Any] = {
    "get_num_threads": get_num_threads,
    "objmode": _ObjectMode(),
    "set_num_threads": set_num_threads,
}

#: Modules that there are without Numba.
MODULES: dict[str, dict[str, Any]] = {
    "numba.experimental": {"jitclass": jitclass},
    "numba.typed": {"Dict": Dict, "List": List},
}
